"""The puzzle book: positions in which the player to move wins in a known number of moves."""

import difflib
import os.path
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile
from advisor.files.resources import PUZZLES
from advisor.files.textfile import in_order
from advisor.games.connect4.board import Position
from advisor.games.connect4.notation import Board, read_board
from advisor.games.difficulty import Difficulty

SECOND = "second"
"""The folder of the second book, in which a folder holds the puzzles of a board."""


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
        difficulty, seed: of a puzzle that was made here; None if the file is silent.
    """

    id: str
    position: Position
    win_in: int
    solution: tuple[int, ...]
    extra: bool
    source: str
    difficulty: Difficulty | None = None
    seed: int | None = None


def load(puzzle_id: str) -> Puzzle:
    """A puzzle of the book by its id, or the one in a board file with ``win_in`` by its path.

    Raises:
        InputError: an unknown id, with the nearest ones there are; a file that is no puzzle.
    """
    known = _known()
    if puzzle_id in known:
        return _ours(puzzle_id)
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
    puzzles = [_ours(name) for name in known if chapter in (None, _numbers(name)[0])]
    return [puzzle for puzzle in puzzles if extra or not puzzle.extra]


def ids() -> list[str]:
    """The id of every puzzle that comes with the package, in the book's order."""
    found = (f"{file.parent.name}/{file.stem}" for file in PUZZLES.glob("chapter*/*.yaml"))
    return sorted(found, key=_numbers)


def second_book() -> list[str]:
    """The ids of the puzzles that were made here, for other boards and longer wins."""
    found = (
        file.relative_to(PUZZLES).with_suffix("").as_posix()
        for file in PUZZLES.glob(f"{SECOND}/*/*.yaml")
    )
    return sorted(found, key=in_order)


def listed(place: str) -> list[str]:
    """The ids of the puzzles of a book or a part of it, or the paths of those in a user's folder.

    Raises:
        InputError: there is neither.
    """
    known = _known()
    found = [name for name in known if name.startswith(f"{place.rstrip('/')}/")]
    if not found and os.path.isdir(place):
        files = [file for file in os.listdir(place) if file.lower().endswith((".yaml", ".yml"))]
        found = [os.path.join(place, file) for file in sorted(files, key=in_order)]
        if not found:
            raise InputError(f"{textfile.file_name(place)}: holds no puzzle files (.yaml)")
    if not found:
        parts = dict.fromkeys(name.rpartition("/")[0] for name in known)
        raise InputError(
            f"{textfile.quoted(place)} is neither a folder nor puzzles that come with the advisor "
            f"(use {', '.join([*parts, SECOND])})"
        )
    return found


@cache
def _known() -> list[str]:
    return [*ids(), *second_book()]


@cache
def _ours(puzzle_id: str) -> Puzzle:
    """A puzzle that comes with the package; a process reads it once."""
    return _puzzle(puzzle_id, PUZZLES / f"{puzzle_id}.yaml")


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
        difficulty=board.difficulty,
        seed=board.seed,
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
    book = [name for name in known if not name.startswith(SECOND)]
    if not re.fullmatch(r"[^0-9]*[0-9]{1,9}[^0-9]+[0-9]{1,9}", puzzle_id):
        return difflib.get_close_matches(puzzle_id, known, n=3, cutoff=0)
    wanted = _numbers(puzzle_id)
    return sorted(
        book, key=lambda name: [abs(a - b) for a, b in zip(wanted, _numbers(name), strict=True)]
    )[:3]
