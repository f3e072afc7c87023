"""Read test sets: positions with exact scores, one a line, as in Pascal Pons' "Solving Connect 4".

A line has the moves that lead to the position, and its score. Moves are digits (columns from 1), or
numbers between commas on boards wider than 9 columns; a picture with ``/`` between its rows may
replace them.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import InputError
from advisor.files import linefile
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.examples import position_of
from aspcircuits.texts import quote_text

_LINE = "a line is: moves score, for instance 4455 1"


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a test set: its number, its moves as written, their position and its score."""

    line: int
    moves: str
    position: Board
    score: int


def read_test_set(path: Path, size: Geometry | None = None) -> list[Case]:
    """Read the cases of a test set on a board of this size, by default 7x6 connect 4.

    Raises:
        InputError: the file cannot be read or has no case, or a line has no integer score or an
            illegal move.
    """
    board = size or geometry()
    cases = linefile.entries(path, lambda line: _case(line, board))
    return [Case(number, *case) for number, case in cases]


def _case(line: str, size: Geometry) -> tuple[str, Board, int]:
    """Return the moves, the position and the score of a line."""
    words = line.split()
    if len(words) != 2:
        what = "no score after the moves" if len(words) == 1 else f"{len(words)} words"
        raise InputError(f"{line!r}: {what} ({_LINE})")
    moves, score = words
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", score):
        raise InputError(f"{quote_text(score)} is not a score (use an integer; {_LINE})")
    return moves, position_of(line, size), int(score)
