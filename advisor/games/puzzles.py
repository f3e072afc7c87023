"""Puzzles of a game that is given by its rules: positions in which the side to move wins.

They stand in ``puzzles/<game>/``, one a line: the position as the game's notation has it, in how
many own moves it is won, and the first move, the only one that wins so fast::

    6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1; win in 1; Re8#
"""

import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.resources import PUZZLES
from advisor.files.textfile import nearest, quoted

_LINE = re.compile(r"(?P<position>[^;]*);\s*win in (?P<moves>[1-9][0-9]?)\s*;\s*(?P<first>[^;\s]+)")


@dataclass(frozen=True, slots=True)
class Posed:
    """A puzzle.

    Attributes:
        id: its file and its number there, as ``mate2/17``.
        text: the position.
        win_in: own moves until the win, against the best defence.
        solution: the first move.
    """

    id: str
    text: str
    win_in: int
    solution: str


def book(game: str) -> dict[str, Posed]:
    """The puzzles that come with a game, by their ids, in the order of their files.

    Raises:
        InputError: there are none; a line that is no puzzle.
    """
    files = sorted((PUZZLES / game).glob("*.txt")) if game.isidentifier() else []
    if not files:
        raise InputError(f"--game: no puzzles come with {quoted(game)} (use {', '.join(games())})")
    return {posed.id: posed for file in files for posed in _read(file)}


def load(game: str, puzzle_id: str) -> Posed:
    """A puzzle by its id.

    Raises:
        InputError: there is none, with the nearest id; see `book`.
    """
    known = book(game)
    if puzzle_id not in known:
        guess = nearest(puzzle_id, known)
        raise InputError(f"no puzzle {quoted(puzzle_id)} of {game} (did you mean {guess}?)")
    return known[puzzle_id]


def games() -> list[str]:
    """The games with puzzles of this kind."""
    return sorted({file.parent.name for file in PUZZLES.glob("*/*.txt")})


def _read(file: Path) -> list[Posed]:
    def posed(line: str) -> tuple[str, int, str]:
        found = _LINE.fullmatch(line)
        if not found:
            raise InputError(f"{quoted(line)} is no puzzle (use POSITION; win in N; MOVE)")
        return found["position"].strip(), int(found["moves"]), found["first"]

    lines = enumerate(linefile.entries(file, posed), 1)
    return [Posed(f"{file.stem}/{number}", *found) for number, (_, found) in lines]
