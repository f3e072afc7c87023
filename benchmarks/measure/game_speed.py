"""Measure the speed of a game given by its rules: loading, counting, random play.

    python benchmarks/measure/game_speed.py GAME [--const NAME=NUMBER ...] [--seed 1] [--compare N]

With --compare, it instead compares `advisor.Arrays` with clingo on N states of random games: the
winner or the side to move, the moves, and the state after one of them.

Rates are by processor time, the best of some turns, so that other load hardly matters.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import advisor
from advisor.engine.nodes import Rows
from advisor.engine.playouts import Playouts, play_out, random_moves
from advisor.engine.rows import perft
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.connect4.board import Board, geometry
from advisor.games.reference import answer
from advisor.games.rule_game import RuleGame
from advisor.games.rules import NOOP, read
from aspcircuits.clingo_api import Term

_ENOUGH = 1_000_000
"""Number of ways to play after which counting goes no deeper."""

_PLAYOUTS = 4096
_BATCH = 1024
_TURNS = 5


@dataclass(frozen=True, slots=True)
class BenchGame:
    """Speeds of one game.

    Attributes:
        game: its name.
        ground_seconds, compile_seconds: time until it can be played.
        plies, nodes: depth of the count from the start, and number of ways to play.
        perft: ways counted a second, the last ply without making the moves, by NumPy.
        native_perft: ways counted a second by machine code; None without the extra ``fast``.
        playouts, plies_played: random games and their moves, a second, by NumPy.
        native: both rates by machine code; None without the extra ``fast``.
        look, step, leaf: states a second, in batches of 1,024; a leaf with its features.
        arrays: random legal moves made a second by `advisor.Arrays`, in such batches.
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
    arrays: float


def bench_game(game: str, constants: Mapping[str, int], seed: int = 1) -> BenchGame:
    """Measure a game, with its weights if it has any.

    Args:
        game: a name or a folder.
        constants: values for its ``#const`` statements.
        seed: seed of the random moves.

    Raises:
        InputError, ConfigError, EncodingError: see `knowledge.ground`.
    """
    ground, (rules, config) = _timed(lambda: knowledge.ground(game, constants=constants))
    compiling, made = _timed(lambda: knowledge.compile_circuits(rules, config))
    arrays = advisor.Arrays(advisor.load_game(game, constants=constants))
    return _measured(made, arrays, ground, compiling, seed)


def _measured(
    game: Circuits, arrays: advisor.Arrays, ground: float, compiling: float, seed: int
) -> BenchGame:
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
        arrays=_stepped(arrays, rng),
    )


def _played(
    game: Circuits, starts: Rows, rng: np.random.Generator, machine_code: bool
) -> tuple[float, float]:
    """Return random games and their moves, both a second."""

    def turn() -> Playouts:
        return play_out(game, starts, rng, machine_code=machine_code)

    turn()  # binds the calls for every size of batch
    played = [_timed(turn) for _ in range(_TURNS)]
    playouts = max(len(starts) / seconds for seconds, _ in played)
    return playouts, max(found.plies / seconds for seconds, found in played)


def _batch(game: Circuits, rng: np.random.Generator) -> tuple[Rows, Any, Any]:
    """Return unfinished states of random games, a move in each, and whose turn it is."""
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


def _stepped(arrays: advisor.Arrays, rng: np.random.Generator) -> float:
    """Measure moves a second of a loop over `legal` and `step`; games that end start again."""
    states = arrays.start(_BATCH)

    def turn() -> None:
        nonlocal states
        states = stepped(arrays, states, rng)

    for _ in range(8):
        turn()
    return _BATCH / _best(turn)


def stepped(arrays: advisor.Arrays, states: Rows, rng: np.random.Generator) -> Rows:
    """Return the states after random moves; games that are over start again."""
    over = arrays.over(states)
    if over.any():
        states[over] = arrays.start(int(over.sum()))
    return arrays.step(states, chosen(arrays.legal(states), rng))


def chosen(legal: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Choose a random move in each state."""
    count, width = legal.shape
    able = np.flatnonzero(legal)
    first = np.searchsorted(able, width * np.arange(count + 1))
    return able[rng.integers(first[:-1], first[1:])] % width


def met(arrays: advisor.Arrays, count: int, seed: int) -> Rows:
    """Return states of random games, an eighth of them final if enough games have ended."""
    rng, states, found = np.random.default_rng(seed), arrays.start(64), []
    for _ in range(150):
        states = stepped(arrays, states, rng)
        found.append(states.copy())
    states = rng.permutation(np.unique(np.concatenate(found), axis=0))
    ended, going = (states[arrays.over(states) == over] for over in (True, False))
    ended = ended[: count // 8]
    return np.concatenate((ended, going[: count - len(ended)]))


class Told:
    """Computes the states of some arrays by clingo."""

    def __init__(self, arrays: advisor.Arrays) -> None:
        game = arrays.game
        self._circuits = game.circuits if isinstance(game, RuleGame) else None
        self._rules = read("connect4") if self._circuits is None else self._circuits.rules
        self._numbers = {name: number for number, name in enumerate(arrays.moves)}
        self._begun: Any = game.position()

    def look(self, state: Rows, second: bool) -> tuple[bool, int, dict[int, Term]]:
        """Return whether the game is over, the winner, and the moves by number."""
        rules, exchanged = self._rules, self._rules.by_mover and second
        found = answer(rules, self._atoms(state))
        if found.terminal:
            return True, found.result(rules) * (-1 if exchanged else 1), {}
        mover = rules.roles[second and not exchanged]
        assert not {role for role in rules.roles if found.moves(role) - {NOOP}} - {mover}
        return False, 0, {self._number(rules.seen(m, exchanged)): m for m in found.moves(mover)}

    def after(self, state: Rows, second: bool, move: Term) -> list[int]:
        """Return the state after a move, as words."""
        rules = self._rules
        mover = rules.roles[second and not rules.by_mover]
        atoms = answer(rules, self._atoms(state), rules.joint(mover, move)).following
        if self._circuits is None:
            discs = [atom[1:] for atom in atoms if atom[0] == "cell"]
            return [
                sum(1 << 7 * (c - 1) + r - 1 for p, r, c in discs if p == side) for side in (1, 2)
            ]
        (row,) = self._circuits.without_moot(self._circuits.row(atoms)[None])
        return [*row.tolist(), *([int(not second)] if rules.by_mover else [])]

    def _atoms(self, state: Rows) -> list[Term]:
        if self._circuits is not None:
            return self._circuits.atoms(state[: self._circuits.words].copy())
        board = self._begun.on(Board(geometry(), 1, int(state[0]), int(state[0] | state[1]))).board
        return [*(("cell", *cell) for cell in board.cells()), ("turn", 1 + board.discs % 2)]

    def _number(self, move: Term) -> int:
        if self._circuits is None:
            return self._numbers[move[2]]
        return self._numbers[self._begun.names_of([move])[move]]


def differences(arrays: advisor.Arrays, states: Rows, seed: int = 1) -> list[str]:
    """List differences from clingo in states, and in the states after a random move of each."""
    told, rng = Told(arrays), np.random.default_rng(seed)
    legal, over, outcome = arrays.legal(states), arrays.over(states), arrays.outcome(states)
    going, second = np.flatnonzero(~over), arrays.turn(states) < 0
    moves = chosen(legal[going], rng)
    after = dict(
        zip(going, zip(moves, arrays.step(states[going], moves), strict=True), strict=True)
    )
    found = []
    for i, state in enumerate(states):
        known = told.look(state, bool(second[i]))
        able = np.flatnonzero(legal[i]).tolist()
        if (over[i], outcome[i], able) != (*known[:2], sorted(known[2])):
            found.append(f"{state}: over {over[i]}, won {outcome[i]}, moves {able}; clingo {known}")
        elif not over[i]:
            move, next_state = after[i]
            if next_state.tolist() != told.after(state, bool(second[i]), known[2][move]):
                found.append(f"{state}: after {arrays.moves[move]} not {next_state}")
    return found


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    result = work()
    return max(time.process_time() - started, 1e-9), result


def _best(work: Callable[[], Any]) -> float:
    """Return the seconds of the fastest of some turns, each of at least a fiftieth of a second."""
    best = float("inf")
    for _ in range(_TURNS):
        repeats, spent = 0, 0.0
        while spent < 0.02:
            spent += _timed(work)[0]
            repeats += 1
        best = min(best, spent / repeats)
    return best


def main() -> BenchGame | None:
    """Print the measurements as a table, or the differences."""
    parser = argparse.ArgumentParser(description="Measures how fast the circuits of a game are.")
    parser.add_argument("game", help="a name or a folder with rules.lp")
    parser.add_argument("--const", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compare", type=int, metavar="STATES", help="with clingo, in its place")
    asked = parser.parse_args()
    named = (each.split("=") for each in asked.const)
    constants = {name: int(number) for name, number in named}
    if asked.compare:
        arrays = advisor.Arrays(advisor.load_game(asked.game, constants=constants))
        differing = differences(arrays, met(arrays, asked.compare, asked.seed), asked.seed)
        print(
            "\n".join(
                [*differing, f"{asked.game}: {asked.compare} states, {len(differing)} differ"]
            )
        )
        return None
    found = bench_game(asked.game, constants, asked.seed)
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
        "moves by Arrays, legal and step": found.arrays,
    }
    print(f"{found.game}: grounded {found.ground_seconds:.2f} s, ", end="")
    print(f"compiled {found.compile_seconds:.2f} s")
    for name, rate in rates.items():
        if rate is not None:
            print(f"{name:40} {rate:16,.0f}/s")
    return found


if __name__ == "__main__":
    main()
