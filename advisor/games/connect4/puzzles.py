"""The puzzle book: positions in which the player to move wins in a known number of moves."""

import difflib
import os.path
import re
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile
from advisor.files.resources import PUZZLES
from advisor.games.connect4.board import Position
from advisor.games.connect4.notation import Board, read_board


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position that the player to move wins.

    Attributes:
        id: ``chapter5/15``, or the path of a user's own file as typed.
        position: the game is not over, and whoever is to move wins.
        win_in: the own moves that this takes against the best defence.
        solution: every first column that wins that fast, ascending; empty if the file is silent.
        extra: not among the 120 problems of the book.
        source: where it was published; empty if the file is silent.
    """

    id: str
    position: Position
    win_in: int
    solution: tuple[int, ...]
    extra: bool
    source: str


def load(puzzle_id: str) -> Puzzle:
    """A puzzle of the book by its id, or the one in a board file with ``win_in`` by its path.

    Raises:
        InputError: an unknown id, with the nearest ones there are; a file that is no puzzle.
    """
    known = ids()
    if puzzle_id in known:
        return _puzzle(puzzle_id, _path(puzzle_id))
    # os.path, unlike pathlib, calls a name too long for any file no file.
    if os.path.isfile(puzzle_id) or puzzle_id.lower().endswith((".yaml", ".yml")):
        return _puzzle(puzzle_id, Path(puzzle_id))
    raise InputError(
        f"no puzzle {textfile.quoted(puzzle_id)} (nearest: {', '.join(_nearest(puzzle_id, known))})"
    )


def book(chapter: int | None = None, extra: bool = False) -> list[Puzzle]:
    """The puzzles of the book, or of one chapter, in its order; the extra ones if asked for.

    Raises:
        InputError: a chapter that does not exist.
    """
    known = ids()
    chapters = sorted({_numbers(name)[0] for name in known})
    if chapter is not None and chapter not in chapters:
        raise InputError(f"no chapter {chapter} (use {', '.join(map(str, chapters))})")
    puzzles = [_puzzle(name, _path(name)) for name in known if chapter in (None, _numbers(name)[0])]
    return [puzzle for puzzle in puzzles if extra or not puzzle.extra]


def ids() -> list[str]:
    """The id of every puzzle that comes with the package, in the book's order."""
    found = (f"{file.parent.name}/{file.stem}" for file in PUZZLES.glob("chapter*/*.yaml"))
    return sorted(found, key=_numbers)


def _path(puzzle_id: str) -> Path:
    return PUZZLES / f"{puzzle_id}.yaml"


def _puzzle(puzzle_id: str, path: Path) -> Puzzle:
    board = read_board(str(path))
    if board.win_in is None:
        raise InputError(
            f"{board.name}: is not a puzzle (win_in says how many moves the win takes)"
        )
    _check_open(board)
    return Puzzle(
        id=puzzle_id,
        position=board.position,
        win_in=board.win_in,
        solution=board.solution,
        extra=board.extra,
        source=board.source,
    )


def _check_open(board: Board) -> None:
    """Refuse a puzzle without a move, or whose solution is none."""
    position = board.position
    if position.winner or position.full:
        raise InputError(f"{board.name}: is not a puzzle (the game is over)")
    closed = set(board.solution) - set(position.moves())
    if closed:
        raise InputError(f"{board.name}: solution: column {min(closed)} is full")


def _numbers(puzzle_id: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", puzzle_id)))


def _nearest(puzzle_id: str, known: list[str]) -> list[str]:
    """Up to three ids: by chapter and number if the unknown one has both, else by spelling."""
    if not re.fullmatch(r"[^0-9]*[0-9]{1,9}[^0-9]+[0-9]{1,9}", puzzle_id):
        return difflib.get_close_matches(puzzle_id, known, n=3, cutoff=0)
    wanted = _numbers(puzzle_id)
    return sorted(
        known, key=lambda name: [abs(a - b) for a, b in zip(wanted, _numbers(name), strict=True)]
    )[:3]
