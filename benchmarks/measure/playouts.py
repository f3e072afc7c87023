"""Measure random games of every game, by machine code, by NumPy and in a tree.

    python benchmarks/measure/playouts.py [GAMES ...]

Times are processor time on one core, the best of nine alternating turns. Before that, a few
thousand games are compared with NumPy's one by one. Compiling code is not counted. A tree grows
from the start of the game for a second, three times, with one thread and with two in turn.
"""

import sys
import time
from collections.abc import Callable, Mapping

import numpy as np

from advisor.engine.playouts import Playouts, play_out
from advisor.engine.uct import UctSearch, think
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import games
from aspcircuits.stopping import Stop

OTHERS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "breakthrough 5x5": ("breakthrough", {"width": 5, "height": 5})
}
"""Other sizes for some games."""

SECONDS = 0.1
"""Approximate seconds of a turn of NumPy; machine code plays ten times as many games."""

TREE_SECONDS = 1.0
"""Seconds for which a tree grows."""


def timed(work: Callable[[], Playouts]) -> tuple[float, Playouts]:
    started = time.process_time()
    found = work()
    return time.process_time() - started, found


def in_tree(game: Circuits, jobs: int, seed: int) -> float:
    """Measure random games a second in a tree, by `jobs` threads."""
    row = game.start
    search = UctSearch(seed, None, Stop(TREE_SECONDS), proves=False, jobs=jobs)
    found = think(game, game.tree.grower(now=True), row, game.look(row[None]), search)
    return sum(branch.games for branch in found) / TREE_SECONDS


def measure(name: str) -> None:
    folder, constants = OTHERS.get(name, (name, {}))
    game, _ = knowledge.load(folder, constants=constants)
    game.tree.player(now=True)

    def play(count: int, machine_code: bool) -> tuple[float, Playouts]:
        rows, rng = np.repeat(game.start[None], count, 0), np.random.default_rng(count)
        return timed(lambda: play_out(game, rows, rng, machine_code=machine_code))

    few = 2048
    seconds, expected = play(few, False)
    found = play(few, True)[1]
    same = np.array_equal(found.results, expected.results) and found.plies == expected.plies
    assert same, f"{name}: other games than NumPy's"
    count = max(few, round(few * SECONDS / seconds))
    best = {True: 0.0, False: 0.0}
    for _ in range(9):
        for code in best:
            many = 10 * count if code else count
            best[code] = max(best[code], many / play(many, code)[0])
    trees = [[in_tree(game, jobs, seed) for jobs in (1, 2)] for seed in range(3)]
    one, two = np.median(trees, axis=0)
    length = expected.plies / few
    print(
        f"{name}: {best[True]:,.0f} games/s, {best[True] * length / 1e6:.1f} M moves/s; "
        f"NumPy {best[False]:,.0f}, {best[True] / best[False]:.0f} times; "
        f"{length:.1f} moves a game; "
        f"in a tree {one:,.0f} games/s, by two threads {two / one:.2f} times as many",
        flush=True,
    )


if __name__ == "__main__":
    for chosen in sys.argv[1:] or [*games(), *OTHERS]:
        measure(chosen)
