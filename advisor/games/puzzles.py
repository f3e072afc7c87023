"""Puzzles of any game: positions that the side to move wins in a known number of moves.

Each is a file of its own; a game's own puzzles are in ``puzzles/<game>/<chapter>/``::

    game: chess
    position: 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1
    win_in: 1
    solution: [Re8#]

A puzzle without ``win_in`` asks for the best move, which is its solution. A game may have files of
its own form, such as Connect Four's boards; `rooms` knows which.
"""

import difflib
import json
import os.path
import re
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

from advisor.errors import InputError
from advisor.files.resources import PUZZLES
from advisor.files.textfile import amount, in_order
from advisor.games import position_file, rooms
from advisor.games.game import Position
from advisor.games.position_file import Difficulty, Given
from aspcircuits.clingo_api import Term
from aspcircuits.texts import file_name, quote_text

SECOND = "second"
"""The folder of the usual game's second book; its folders hold the puzzles of one board each."""

Posed = Given
"""A puzzle: the contents of its file."""


def load(puzzle_id: str, game: str | None = None) -> Posed:
    """Load a puzzle by its id among the puzzles of a game, or by the path of its file.

    Raises:
        InputError: there is none; names the nearest ids.
    """
    if puzzle_id in ids(game):
        return _ours(puzzle_id, game)
    # os.path, unlike pathlib, calls a name too long for any file no file.
    if os.path.isfile(puzzle_id) or puzzle_id.lower().endswith((".yaml", ".yml")):
        return _read(puzzle_id, Path(puzzle_id))
    whose = "" if game is None else f" of {game}"
    nearest = ", ".join(_nearest(puzzle_id, _some(game)))
    raise InputError(f"no puzzle {quote_text(puzzle_id)}{whose} (nearest: {nearest})")


def book_ids(chapter: int | None = None, extra: bool = False, game: str | None = None) -> list[str]:
    """Return the ids of a game's book, or of one chapter, in their order.

    Raises:
        InputError: there is no such chapter or no book.

    `extra` includes the extra puzzles; this is fast, since no file has to be read.
    """
    known = [name for name in _some(game) if not name.startswith(f"{SECOND}/")]
    chapters = sorted({_numbers(name)[0] for name in known})
    if chapter is not None and chapter not in chapters:
        raise InputError(f"no chapter {chapter} (use {', '.join(map(str, chapters))})")
    found = [name for name in known if chapter in (None, _numbers(name)[0])]
    return found if extra else [name for name in found if not _ours(name, game).extra]


def book(chapter: int | None = None, extra: bool = False, game: str | None = None) -> list[Posed]:
    """Return the puzzles themselves; see `book_ids`."""
    return [_ours(name, game) for name in book_ids(chapter, extra, game)]


def part_ids(place: str, game: str | None = None) -> list[str]:
    """Return the ids of the puzzles in a part of a book, or the paths of those in a user's folder.

    Raises:
        InputError: there is neither.
    """
    known = ids(game)
    found = [name for name in known if name.startswith(f"{place.rstrip('/')}/")]
    if not found and os.path.isdir(place):
        files = [file for file in os.listdir(place) if file.lower().endswith((".yaml", ".yml"))]
        found = [os.path.join(place, file) for file in sorted(files, key=in_order)]
        if not found:
            raise InputError(f"{file_name(place)}: holds no puzzle files (.yaml)")
    if not found:
        parts = dict.fromkeys(name.rpartition("/")[0] for name in _some(game))
        books = [SECOND] if f"{SECOND}/" in " ".join(known) else []
        raise InputError(
            f"{quote_text(place)} is neither a folder nor puzzles that come with the advisor "
            f"(use {', '.join([*parts, *books])})"
        )
    return found


@cache
def ids(game: str | None = None) -> list[str]:
    """Return the id of every puzzle that comes with a game, in order; most games have none."""
    return sorted(_files(game), key=in_order)


def games() -> list[str]:
    """Return the games with puzzles, except the usual one."""
    known = {file.parent.parent.name for file in PUZZLES.glob("*/*/*.yaml")}
    return sorted(known - {SECOND})


def text_of(
    position: Position,
    options: str,
    seed: int,
    win_in: int,
    solution: Collection[Term],
    difficulty: Difficulty,
) -> str:
    """Return a puzzle as a file that names the command, options and seed that made it."""
    say, (named, lines) = position.phrasing, position.game.puzzle_maker.options_and_lines(position)
    moves = amount(win_in, "move")
    return (
        f"# {say.players[say.turn]} to move wins in {moves}. Made by\n"
        f"# advisor puzzles make{named} {options}\n"
        f"{lines}win_in: {win_in}\n"
        f"solution: {json.dumps(sorted(map(say.play_name, solution)))}\n"
        f"difficulty: {difficulty}\nseed: {seed}\n"
    )


def _some(game: str | None) -> list[str]:
    """Return `ids`; an InputError if there are none."""
    found = ids(game)
    if not found:
        others = ", ".join(games())
        raise InputError(f"`game`: no puzzles come with {quote_text(game or '')} (use {others})")
    return found


@cache
def _files(game: str | None) -> dict[str, Path]:
    """Return the files that come with a game, by puzzle id."""
    if game is not None and (not game.isidentifier() or game == SECOND):
        return {}
    folder = PUZZLES if game in (None, rooms.USUAL) else PUZZLES / game
    usual = folder == PUZZLES
    patterns = ("chapter*/*.yaml", f"{SECOND}/*/*.yaml") if usual else ("*/*.yaml",)
    files = (file for pattern in patterns for file in folder.glob(pattern))
    return {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}


@cache
def _ours(puzzle_id: str, game: str | None) -> Posed:
    """Return a puzzle that comes with the advisor; a process reads it once."""
    return _read(puzzle_id, _files(game)[puzzle_id])


def _read(puzzle_id: str, file: Path) -> Posed:
    given = position_file.read(str(file), rooms.USUAL) or rooms.board_file(str(file))
    if not (given.win_in or given.solution):
        raise InputError(
            f"{given.name}: is not a puzzle (win_in says how many moves the win takes, or solution "
            "which moves are best)"
        )
    return replace(given, id=puzzle_id)


def _numbers(puzzle_id: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", puzzle_id)))


def _nearest(puzzle_id: str, known: list[str]) -> list[str]:
    """Return up to three ids: by chapter and number if the text has both, else by spelling."""
    if not re.fullmatch(r"[^0-9]*[0-9]{1,9}[^0-9]+[0-9]{1,9}", puzzle_id):
        return difflib.get_close_matches(puzzle_id, known, n=3, cutoff=0)
    book = [name for name in known if not name.startswith(f"{SECOND}/")]
    wanted = _numbers(puzzle_id)
    return sorted(
        book, key=lambda name: [abs(a - b) for a, b in zip(wanted, _numbers(name), strict=True)]
    )[:3]
