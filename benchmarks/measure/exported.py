"""Measure exported games: the size of the file, and the engine's speed in node beside Python.

    python benchmarks/measure/exported.py [GAME ...] [--seconds 2]

Each figure is per second of processor time, one thread: states looked at, states scored by a
look-ahead of two plies, games of a tree of random games. Python's are by NumPy, and by machine code
with the extra ``fast``.
"""

import argparse
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import advisor
from advisor.engine.playouts import random_moves
from advisor.engine.rows import Ahead
from advisor.engine.uct import ByNumpy, UctSearch, UctTree
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.plugins.export.description import describe_game
from advisor.plugins.export.page import write_page
from aspcircuits.stopping import Stop

ENGINE = Path(advisor.__file__).parent / "plugins" / "export" / "engine"
STATES, GAMES = 1024, 500


def random_states(game: Circuits) -> Any:
    """Return states of random games."""
    rng = np.random.default_rng(1)
    rows = np.repeat(game.start[None], 64, 0)
    found: list[Any] = []
    while 64 * len(found) < STATES:
        look = game.look(rows)
        rows[look.over] = game.start
        look = game.look(rows)
        rows = game.step(rows, random_moves(look, rng), look.turn)
        found.append(rows)
    return np.concatenate(found)[:STATES]


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return how much work is done in a second of the processor, after a first try."""
    work()
    done, begun = 0, process_time()
    while process_time() - begun < seconds:
        done += work()
    return done / (process_time() - begun)


def measure(game: Circuits, rows: Any, grower: Any, seconds: float) -> dict[str, float]:
    """Return Python's figures."""
    going = rows[~game.look(rows).over][:4]

    def look() -> int:
        game.look(rows)
        return len(rows)

    def ahead() -> int:
        found = Ahead(game)
        for row in going:
            found.look(row[None], 2)
        return found.leaves

    start = game.start[None]
    seen = game.look(start)
    tree = UctTree(game.words, 8 * seen.legal.shape[1])

    def grow() -> int:
        tree.begin(game.start, seen)
        grower.grow(tree, UctSearch(seed=1, games=GAMES, stop=Stop()))
        return GAMES

    works = {"looks": look, "leaves": ahead, "games": grow}
    return {name: rate(work, seconds) for name, work in works.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=advisor.game_names())
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    for name in given.games:
        described = describe_game(name, "default", {})
        size = len(write_page(described, described["title"]).encode())
        print(f"{name}: {size / 1000:.0f} kB")
        game = knowledge.load(name)[0]
        plain = game.without_code()
        rows = random_states(plain)
        states = np.ascontiguousarray(rows).view(np.int32).tolist()
        command = ["node", str(Path(__file__).with_suffix(".mjs")), str(ENGINE), str(given.seconds)]
        text = json.dumps({"game": described, "states": states})
        ran = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        found = {
            "the file": json.loads(ran.stdout),
            "NumPy": measure(plain, rows, ByNumpy(plain), given.seconds),
        }
        game.tree.compile_now()
        if (grower := game.tree.grower(now=True)) is not None:
            found["machine code"] = measure(game, rows, grower, given.seconds)
        for way, figures in found.items():
            told = ", ".join(f"{kind} {value:,.0f}" for kind, value in figures.items())
            print(f"  {way:12} {told}", flush=True)


if __name__ == "__main__":
    main()
