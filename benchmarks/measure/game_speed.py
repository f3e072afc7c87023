"""How fast a game is that is given by its rules: loaded, counted, and played at random.

    python benchmarks/measure/game_speed.py GAME [--const NAME=NUMBER ...] [--seed 1]

Rates are of the processor's time, the best of some turns, so that it matters little what else the
machine does meanwhile.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.nodes import Rows
from advisor.engine.playouts import Playouts, play_out, random_moves
from advisor.engine.rows import perft
from advisor.games import knowledge
from advisor.games.circuits import Circuits

_ENOUGH = 1_000_000
"""Ways to play after which counting goes no deeper."""

_PLAYOUTS = 4096
_BATCH = 1024
_TURNS = 5


@dataclass(frozen=True, slots=True)
class BenchGame:
    """Speeds of one game.

    Attributes:
        game: its name.
        ground_seconds, compile_seconds: what it takes until it can be played.
        plies, nodes: how deep was counted from the start, and how many ways to play there are.
        perft: ways counted a second, the last ply without making the moves, by NumPy.
        native_perft: the same by machine code, None without the extra ``fast``.
        playouts, plies_played: random games and their moves, a second, by NumPy.
        native: the same two by machine code, None without the extra ``fast``.
        look, step, leaf: states a second, in batches of 1,024; a leaf with its features.
    """

    game: str
    ground_seconds: float
    compile_seconds: float
    plies: int
    nodes: int
    perft: float
    native_perft: float | None
    playouts: float
    plies_played: float
    native: tuple[float, float] | None
    look: float
    step: float
    leaf: float


def bench_game(game: str, constants: Mapping[str, int], seed: int = 1) -> BenchGame:
    """Measures a game, with its weights if it has any.

    Args:
        game: a name or a folder.
        constants: values for its ``#const`` statements.
        seed: of the random moves.

    Raises:
        InputError, ConfigError, EncodingError: see `knowledge.ground`.
    """
    ground, (rules, config) = _timed(lambda: knowledge.ground(game, constants=constants))
    compiling, made = _timed(lambda: knowledge.compiled(rules, config))
    return _measured(made, ground, compiling, seed)


def _measured(game: Circuits, ground: float, compiling: float, seed: int) -> BenchGame:
    game.leaf(game.start[None])
    rng = np.random.default_rng(seed)
    plies = nodes = 0
    while nodes < _ENOUGH:
        plies += 1
        more = perft(game, game.start[None], plies)
        if more <= nodes:
            break  # the longest games are over
        nodes = more
    nodes = perft(game, game.start[None], plies)
    by_numpy = nodes / _best(lambda: perft(game, game.start[None], plies))
    starts = np.repeat(game.start[None], _PLAYOUTS, 0)
    playouts, plies_played = _played(game, starts, rng, False)
    native = _played(game, starts, rng, True) if game.tree.player(now=True) else None
    by_code = None
    if game.tree.by_code:
        from counting import counter  # translates its code, which takes seconds

        count = counter(game)
        by_code = nodes / _best(lambda: count.perft(game, game.start[None], plies))
    rows, moves, turn = _batch(game, rng)
    return BenchGame(
        game=game.rules.name,
        ground_seconds=ground,
        compile_seconds=compiling,
        plies=plies,
        nodes=nodes,
        perft=by_numpy,
        native_perft=by_code,
        playouts=playouts,
        plies_played=plies_played,
        native=native,
        look=_BATCH / _best(lambda: game.look(rows)),
        step=_BATCH / _best(lambda: game.step(rows, moves, turn)),
        leaf=_BATCH / _best(lambda: game.leaf(rows)),
    )


def _played(
    game: Circuits, starts: Rows, rng: np.random.Generator, machine_code: bool
) -> tuple[float, float]:
    """Random games and their moves, a second."""

    def turn() -> Playouts:
        return play_out(game, starts, rng, machine_code=machine_code)

    turn()  # binds the calls of every size of batch
    played = [_timed(turn) for _ in range(_TURNS)]
    playouts = max(len(starts) / seconds for seconds, _ in played)
    return playouts, max(found.plies / seconds for seconds, found in played)


def _batch(game: Circuits, rng: np.random.Generator) -> tuple[Rows, Any, Any]:
    """States of random games that go on, a move in each, and whose turn it is."""
    met: list[Rows] = []
    rows = np.repeat(game.start[None], _BATCH, 0)
    while len(rows):
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        rows, look = rows[going], look.take(going)
        met.append(rows)
        if len(rows):
            rows = game.step(rows, random_moves(look, rng), look.turn)
    chosen = rng.choice(np.concatenate(met), _BATCH)
    look = game.look(chosen)
    return chosen, random_moves(look, rng), look.turn


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    result = work()
    return max(time.process_time() - started, 1e-9), result


def _best(work: Callable[[], Any]) -> float:
    """The seconds of the fastest of some turns, each of at least a fiftieth of a second."""
    best = float("inf")
    for _ in range(_TURNS):
        repeats, spent = 0, 0.0
        while spent < 0.02:
            spent += _timed(work)[0]
            repeats += 1
        best = min(best, spent / repeats)
    return best


def main() -> BenchGame:
    """Prints what is measured as a table."""
    parser = argparse.ArgumentParser(description="Measures how fast the circuits of a game are.")
    parser.add_argument("game", help="a name or a folder with rules.lp")
    parser.add_argument("--const", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    named = (each.split("=") for each in asked.const)
    found = bench_game(asked.game, {name: int(number) for name, number in named}, asked.seed)
    playouts, plies = found.native or (None, None)
    rates = {
        f"{found.nodes:,} ways to play {found.plies} plies": found.perft,
        "the same as machine code": found.native_perft,
        "random games": found.playouts,
        "their moves": found.plies_played,
        "random games as machine code": playouts,
        "their moves as machine code": plies,
        "look, batches of 1,024": found.look,
        "step": found.step,
        "leaf": found.leaf,
    }
    print(f"{found.game}: grounded {found.ground_seconds:.2f} s, ", end="")
    print(f"compiled {found.compile_seconds:.2f} s")
    for name, rate in rates.items():
        if rate is not None:
            print(f"{name:40} {rate:16,.0f}/s")
    return found


if __name__ == "__main__":
    main()
