"""What clients send: checked, and turned into positions and settings.

A text that the command line would refuse is refused with its words, except that the board is
called ``board`` and the weights ``weights`` where the command line names a file.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.notation import read_board
from advisor.limits import Limit
from advisor.settings import config, reading
from advisor.web.limits import MAX_DEPTH, MAX_LEVEL, MAX_SECONDS, MAX_SIDE

Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]
Moves = Annotated[list[int], Field(max_length=MAX_SIDE * MAX_SIDE)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class BoardRequest(_Request):
    """A board, and moves from there."""

    board: str = Field(
        "",
        description="A move string, a picture (rows top first, / or line ends "
        "between them) or YAML, as `advisor suggest -` reads it.",
    )
    moves: Moves = Field([], description="Columns played from that board on.")
    width: Side = Field(7, description="Of a board that does not say its own.")
    height: Side = 6
    connect: Side = 4


class SuggestRequest(BoardRequest):
    """A position to advise on."""

    depth: int | None = Field(
        None,
        ge=0,
        le=MAX_DEPTH,
        description="Plies to look ahead; 0 asks for the answer set alone.",
    )
    level: int | None = Field(
        None,
        ge=1,
        le=MAX_LEVEL,
        description="Instead of a depth; the answer then has the columns that a player of this "
        "level chooses among, as 'choices'.",
    )
    time: float | None = Field(None, gt=0, le=MAX_SECONDS, description="Seconds to look ahead.")
    weights: str = Field(
        config.DEFAULT,
        description="A preset's name, or the text of a weights file that names no other files.",
    )
    explain: bool = Field(False, description="Add sentences.")
    client: str | None = Field(
        None,
        max_length=64,
        description="A newer request of the same client supersedes its older one.",
    )

    def limit(self) -> Limit:
        """Of the look-ahead; there always is a time limit.

        Raises:
            InputError: both a depth and a level.
        """
        if self.level is not None and self.depth is not None:
            raise InputError("level: depth is given too (use one of them)")
        depth = self.depth if self.level is None else config.depth_of_level(self.level)
        usual = min(settings(self.weights).depth, MAX_DEPTH)
        limit = Limit(depth, self.time).otherwise(usual)
        return replace(limit, seconds=limit.seconds or MAX_SECONDS)


class WeightsRequest(_Request):
    """Weights to write as a file."""

    weights: str = config.DEFAULT


class TryRequest(_Request):
    """A try at a puzzle: the columns played from its position on, both sides'."""

    moves: Moves = []
    client: str | None = Field(None, max_length=64)


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
