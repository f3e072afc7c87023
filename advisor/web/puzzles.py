"""The puzzle books as the page lists them, and tries at their puzzles as jobs."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from starlette.exceptions import HTTPException

import advisor
from advisor.files import textfile
from advisor.web.limits import MAX_SECONDS
from advisor.web.models import USUAL, WEIGHTS

Json = dict[str, Any]

_SECOND = "second"


def view(posed: advisor.Puzzle) -> Json:
    """A puzzle as the book lists it, without its solution."""
    chapter, _, number = posed.id.rpartition("/")
    name = chapter.removeprefix("chapter").removeprefix(f"{_SECOND}/")
    shown = posed.position.to_json()
    told = ("width", "height", "connect", "rows", "turn", "text")
    return {
        "id": posed.id,
        "chapter": int(name) if name.isdigit() else name,
        "number": int(number),
        **{key: shown[key] for key in told},
        "win_in": posed.win_in,
        "extra": posed.extra,
    }


@cache
def book() -> bytes:
    """The object that lists the puzzles, as it is sent: the same one for everybody."""
    return json.dumps({"puzzles": [*map(view, _books().values())]}).encode()


@cache
def _books() -> dict[str, advisor.Puzzle]:
    """The puzzles of both books by their ids, in their order, the extra ones too."""
    ids = (*advisor.puzzles(extra=True), *advisor.puzzles(_SECOND))
    return {name: advisor.puzzle(name) for name in ids}


def puzzle(chapter: str, number: str) -> advisor.Puzzle:
    """A puzzle of the book; no other file of that name.

    Raises:
        HTTPException: there is no such puzzle.
    """
    wanted = f"{chapter}/{number}"
    if wanted not in _books():
        raise HTTPException(404, f"no puzzle {textfile.quoted(wanted)} (see /api/puzzles)")
    return _books()[wanted]


def job(posed: advisor.Puzzle, moves: Sequence[Any], left: int) -> Json:
    """A puzzle after some moves as a job has it, with the solver's moves that are left."""
    return {
        "game": [USUAL, *sorted(posed.position.game.constants.items())],
        "weights": WEIGHTS,
        "board": posed.position.to_json()["text"],
        "moves": [*moves],
        "key": "board",
        "left": left,
        "seconds": MAX_SECONDS,
    }
