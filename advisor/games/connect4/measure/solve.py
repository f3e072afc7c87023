"""Measures exact scoring on a test set, in the terms of Pascal Pons' tables.

A test set has one position a line, as in Pons' "Solving Connect 4": the moves that lead to it and
its exact score. Moves are digits (columns from 1), on boards wider than 9 columns numbers between
commas; a picture with ``/`` between its rows does as well.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import quoted
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Geometry, Position, geometry
from advisor.games.connect4.labels import position_of
from advisor.limits import Stop

_LINE = "a line is: moves score, for instance 4455 1"


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a test set: its number, its moves as written, their position and its score."""

    line: int
    moves: str
    position: Position
    score: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """A case whose score was not found; `found` is None where it was not proved in time."""

    case: Case
    found: int | None


@dataclass(frozen=True, slots=True)
class BenchSolve:
    """The result for the positions solved so far.

    Attributes:
        engine: who solved them.
        solved: how many.
        nodes: positions searched, for all of them together.
        seconds: time spent, likewise.
        wrong: the cases whose score came out wrong.
    """

    engine: str
    solved: int
    nodes: int
    seconds: float
    wrong: tuple[Wrong, ...]

    @property
    def mean_seconds(self) -> float:
        """Mean time for a position."""
        return self.seconds / self.solved

    @property
    def mean_nodes(self) -> float:
        """Mean number of positions searched."""
        return self.nodes / self.solved

    @property
    def kilo_nodes_per_second(self) -> float:
        """Thousand positions searched a second."""
        return self.nodes / self.seconds / 1000 if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "engine": self.engine,
            "solved": self.solved,
            "mean_seconds": self.mean_seconds,
            "mean_nodes": self.mean_nodes,
            "kilo_nodes_per_second": self.kilo_nodes_per_second,
            "wrong": [
                {
                    "line": wrong.case.line,
                    "moves": wrong.case.moves,
                    "expected": wrong.case.score,
                    "found": wrong.found,
                }
                for wrong in self.wrong
            ],
        }


def read_test_set(path: Path, size: Geometry | None = None) -> list[Case]:
    """The cases of a test set on a board of this size, 7x6 connect 4 by default.

    Raises:
        InputError: the file cannot be read or has no case, a line has no integer score, or a
            move of it is not legal.
    """
    board = size or geometry()
    cases = linefile.entries(path, lambda line: _case(line, board))
    return [Case(number, *case) for number, case in cases]


def bench_solve(
    cases: Iterable[Case],
    engine: exact.Engine | None = None,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[BenchSolve], None] | None = None,
) -> BenchSolve:
    """Solves the cases one by one and compares the scores.

    The own search starts every case with an empty table. BitBully keeps its table from one case
    to the next (emptying it takes longer than most cases).

    Args:
        cases: at least one.
        engine: who is to solve them; None to choose as `exact.solve` does.
        seconds: limit for each case; what is not proved by then counts as wrong.
        stop: ends it with the result of the cases until then.
        on_progress: called after every case with the result so far.

    Raises:
        InputError: the engine cannot solve such a position.
        KeyboardInterrupt: it was to stop before the first case was solved.
    """
    result: BenchSolve | None = None
    stop = stop or Stop()
    for case in cases:
        answer = exact.solve(case.position, stop=stop.within(seconds), engine=engine)
        if stop.interrupted:
            break
        before = result or BenchSolve(answer.engine, 0, 0, 0.0, ())
        right = answer.score == case.score
        result = BenchSolve(
            answer.engine,
            before.solved + 1,
            before.nodes + answer.position.nodes,
            before.seconds + answer.position.seconds,
            before.wrong if right else (*before.wrong, Wrong(case, answer.score)),
        )
        if on_progress:
            on_progress(result)
    if result is None:
        stop.check()
        raise ValueError("no cases")
    return result


def _case(line: str, size: Geometry) -> tuple[str, Position, int]:
    """The moves, the position and the score of a line."""
    words = line.split()
    if len(words) != 2:
        what = "no score after the moves" if len(words) == 1 else f"{len(words)} words"
        raise InputError(f"{line!r}: {what} ({_LINE})")
    moves, score = words
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", score):
        raise InputError(f"{quoted(score)} is not a score (use an integer; {_LINE})")
    return moves, position_of(line, size), int(score)
