"""What clients send: checked, and turned into positions and settings.

A text that the command line would refuse is refused with its words, except that the board is
called ``board`` and the weights ``weights`` where the command line names a file.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.notation import read_board
from advisor.games.connect4.puzzles import Puzzle
from advisor.limits import Limit
from advisor.settings import config, reading
from advisor.web.limits import MAX_DEPTH, MAX_SECONDS, MAX_SIDE
from advisor.web.models import BoardRequest, SuggestRequest

R = TypeVar("R", bound=BaseModel)


def read(model: type[R], body: bytes) -> R:
    """A request's body.

    Raises:
        InputError: what is wrong with it first.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        # Without the input: it can be a number too long for Python to print.
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "request"
        if first["type"] == "extra_forbidden":
            guess = textfile.nearest(place, model.model_fields)
            message = f"{textfile.quoted(place)}: unknown key (did you mean '{guess}'?)"
        else:
            wanted = first["msg"].replace("Input should be", "should be")
            message = f"{textfile.file_name(place)}: {wanted}"
        raise InputError(message) from None


def limit(asked: SuggestRequest) -> Limit:
    """Of the look-ahead; there always is a time limit.

    Raises:
        InputError: both a depth and a level.
    """
    if asked.level is not None and asked.depth is not None:
        raise InputError("level: depth is given too (use one of them)")
    depth = asked.depth if asked.level is None else config.depth_of_level(asked.level)
    usual = min(settings(asked.weights).depth, MAX_DEPTH)
    chosen = Limit(depth, asked.time).otherwise(usual)
    return replace(chosen, seconds=chosen.seconds or MAX_SECONDS)


def position(request: BoardRequest) -> Position:
    """The position that a request names; the game may be over.

    Raises:
        InputError: the text is no board, the board is too large, a move is not possible.
    """
    size = geometry(request.width, request.height, request.connect)
    raw = request.board.encode()
    if not raw.strip():
        found = Position(size)
    else:
        try:
            found = read_board("-", stdin=io.BytesIO(raw), size=size).position
        except InputError as error:
            raise InputError(f"board{str(error).removeprefix('stdin')}") from None
    size = found.geometry
    if max(size.width, size.height, size.connect) > MAX_SIDE:
        raise InputError(
            f"board: {size.width} x {size.height}, connect {size.connect} is too large here "
            f"(at most {MAX_SIDE}; the command line takes larger boards)"
        )
    return play_on(found, request.moves)


def play_on(position: Position, moves: Sequence[int]) -> Position:
    """The position after some more moves.

    Raises:
        InputError: a column that does not exist or is full, a game that is over.
    """
    try:
        return position.play_all(moves)
    except InputError as error:
        raise InputError(f"moves: {error}") from None


@lru_cache(maxsize=64)
def settings(weights: str) -> config.Config:
    """A preset, or the settings of a text that may change numbers only.

    Raises:
        ConfigError: it cannot be used.
    """
    if weights in reading.presets():
        return reading.load(weights)
    return reading.parse(weights, "weights")


@cache
def book() -> dict[str, Puzzle]:
    """The puzzles of the book by their ids, in its order, the extra ones too."""
    return {posed.id: posed for posed in puzzles.book(extra=True)}


def puzzle(chapter: str, number: str) -> Puzzle:
    """A puzzle of the book; no other file of that name.

    Raises:
        HTTPException: there is no such puzzle.
    """
    wanted = f"{chapter}/{number}"
    if wanted not in book():
        raise HTTPException(404, f"no puzzle {textfile.quoted(wanted)} (see /api/puzzles)")
    return book()[wanted]


def pack(position: Position) -> list[int]:
    """A position as a job carries it."""
    size = position.geometry
    return [size.width, size.height, size.connect, position.turn, position.mover, position.mask]


def unpack(packed: list[int]) -> Position:
    """The position of a job."""
    width, height, connect, turn, mover, mask = packed
    return Position(geometry(width, height, connect), turn, mover, mask)
