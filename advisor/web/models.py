"""The requests of the interface and their checks, the same types for every game.

`describe` makes the OpenAPI document at `/api` of them and of `answers`.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from advisor.errors import InputError
from advisor.files import textfile
from advisor.web.limits import (
    MAX_BATCH,
    MAX_CONSTANT,
    MAX_DEPTH,
    MAX_GAME,
    MAX_LEVEL,
    MAX_REVIEW,
    MAX_SECONDS,
    MAX_SIDE,
    MAX_START,
    MAX_TREE,
    MAX_TREE_TEXT,
)
from aspcircuits.texts import file_name, quote_text

USUAL = "connect4"
"""The default game."""

WEIGHTS = "default"

Json = dict[str, Any]
Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]
Constant = Annotated[int, Field(ge=0, le=MAX_CONSTANT)]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
Player = Literal["x", "o"]


def _move(given: Any, read: Callable[[Any], int | str]) -> int | str:
    try:
        return read(given)
    except ValidationError:  # whose text covers only one of the two types
        wanted = "a column or a move, a text without blanks of at most 200 characters"
        raise PydanticCustomError("move_type", f"{textfile.SHOULD_BE}{wanted}") from None


Move = Annotated[
    int | Annotated[str, Field(pattern=r"^\S+$", max_length=200)], WrapValidator(_move)
]
Moves = Annotated[list[Move], Field(max_length=MAX_GAME)]


Language = Annotated[
    str,
    Field(
        pattern=r"^([a-z]{2,3})?$",
        description="Such as de, for texts of strategies, features and threats that the rules have "
        "in it; others stay as they are.",
    ),
]


class Request(BaseModel):
    """A request's body: nothing but the keys that are named."""

    model_config = ConfigDict(extra="forbid", strict=True)

    client: str | None = Field(
        None,
        max_length=64,
        description="A newer request of the same client supersedes its older one.",
    )


class GameRequest(Request):
    """A game, in a size."""

    game: str = Field(USUAL, max_length=64, description="One of the games of /api/games.")
    constants: dict[str, Constant] = Field(
        {}, max_length=8, description="The constants of its rules by name, such as a size."
    )
    width: Side | None = Field(
        None, description="Short for this constant: of a board that does not say its own."
    )
    height: Side | None = None
    connect: Side | None = None
    weights: str = Field(
        WEIGHTS,
        description="The name of a preset of the game, or the text of a weights file that names "
        "no other files.",
    )

    @property
    def chosen(self) -> dict[str, int]:
        """All constants."""
        sides = {"width", "height", "connect"}
        return self.constants | self.model_dump(include=sides, exclude_none=True)


class PositionRequest(GameRequest):
    """Where a game begins, and moves from there."""

    board: str = Field(
        "",
        max_length=MAX_START,
        description="A position as the game reads it. Of Connect Four a move string, a picture "
        "(rows top first, / or line ends between them) or YAML; of chess a FEN or PGN. Empty for "
        "the game's own start.",
    )
    moves: Moves = Field(
        [], description="Played from there on: columns, or moves as the answer writes them."
    )


class TreeRequest(GameRequest):
    """A text of a game, with variations and comments if it may have some."""

    board: str = Field("", max_length=MAX_TREE_TEXT, description="As for /api/position.")


Remarks = Annotated[
    list[Annotated[str, Field(max_length=MAX_START)]],
    Field(max_length=50, description="Comments such as {good}, and signs such as $1."),
]


class RecordMove(BaseModel):
    """A move of a game with variations; moves are numbered from 1 in the order of the text."""

    model_config = ConfigDict(extra="forbid", strict=True)

    move: Move
    follows: int = Field(description="The number of the move that it follows; 0: it begins.")
    instead: int = Field(
        0, description="The number of the move in whose place it begins a variation; 0: none."
    )
    before: Remarks = []
    after: Remarks = []
    behind: Remarks = []


class RecordRequest(GameRequest):
    """A game with variations to write as a file."""

    board: str = Field("", max_length=MAX_START, description="Where it begins, with its tags.")
    moves: list[RecordMove] = Field([], max_length=MAX_TREE)
    remarks: Remarks = []
    result: Literal["", "1-0", "0-1", "1/2-1/2", "*"] = Field(
        "", description="Of the main line; empty: by its end."
    )


class SetupRequest(PositionRequest):
    """A position to set up from another one."""

    squares: list[tuple[int, int, Annotated[str, Field(max_length=40)]]] = Field(
        [],
        max_length=MAX_GAME,
        strict=False,
        description="[column, row, what stands there then], as 'symbols' of the answer has it; "
        "an empty text for nothing.",
    )
    turn: str | None = Field(
        None, max_length=40, description="Who is to move, by name; by default who is."
    )


class SuggestRequest(PositionRequest):
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
        description="The level of an opponent, in place of a depth: the advice takes the work of "
        "this level, and 'choices' are the moves among which a player of this level chooses.",
    )
    time: Seconds | None = Field(None, description="Seconds to look ahead and to play at random.")
    exact: float = Field(
        0.0,
        ge=0,
        le=MAX_SECONDS,
        description="Seconds to search to the end of the game after the look-ahead: what is proved "
        "decides, and 'exact' holds every move's exact score. What the opening books and the "
        "solution of the board know decides in any case.",
    )
    explain: bool = Field(False, description="Add sentences.")
    language: Language = ""
    background: bool = Field(
        False,
        description="Use only time that no other request needs: once another one waits, the answer "
        "is what is known by then.",
    )


class ThreatsRequest(PositionRequest):
    """A position whose threats are wanted."""

    language: Language = ""


class WhyRequest(PositionRequest):
    """An atom in a position, a strategy for one of its moves, or a feature."""

    atom: str | None = Field(
        None,
        max_length=400,
        description="As the rules write it, such as 'valid_move(1,4)'; _ in it stands for any "
        "term. A strategy or a feature may be asked for in its place.",
    )
    strategy: str | None = Field(
        None, max_length=200, description="Why it fires for 'move', or for any move without one."
    )
    move: Move | None = None
    feature: str | None = Field(
        None, max_length=200, description="Why a player has it, or why none has."
    )


class ExactRequest(PositionRequest):
    """A position whose moves are to be scored exactly."""

    time: Seconds = Field(5.0, description="Seconds to search.")


class BatchRequest(GameRequest):
    """Many positions to advise on, one after the other."""

    boards: list[str] = Field(
        min_length=1,
        max_length=MAX_BATCH,
        description="Each a move string or a picture with / between its rows, or moves.",
    )
    depth: int | None = Field(None, ge=0, le=MAX_DEPTH, description="Plies to look ahead in each.")
    time: Seconds = Field(10.0, description="Seconds for all of them.")


class ReviewRequest(PositionRequest):
    """A game to look back on: its moves, in a board's text or beside it."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    time: float = Field(
        MAX_REVIEW,
        gt=0,
        le=MAX_REVIEW,
        description="Seconds of processor time for the whole game. The moves that they are not "
        "enough for are not graded; no grade depends on them.",
    )


class ExportRequest(PositionRequest):
    """A game, or a puzzle, to write as a page of its own."""

    title: str = Field("", max_length=200, description="By default the game's name.")
    review: bool = Field(False, description="Grade the game, and show what is said of it.")
    ply: int = Field(
        0, ge=0, le=MAX_GAME, description="Moves after which the page of a game shows it at first."
    )
    question: str = Field("", max_length=500, description="Of a puzzle: what is to be done.")
    answers: list[Move] = Field(
        [], max_length=50, description="Of a puzzle: the moves that are right."
    )


class EnoughRequest(Request):
    """A client that takes the answer known so far."""

    client: str = Field(max_length=64, description="The client of the request that is to end.")


class WeightsRequest(Request):
    """Weights to write as a file."""

    game: str = Field(USUAL, max_length=64)
    weights: str = WEIGHTS
    language: Language = ""


class TryRequest(Request):
    """A try at a puzzle: the moves played from its position on, both sides'."""

    game: str = Field(USUAL, max_length=64, description="Whose puzzle it is.")
    moves: Moves = []


class HintRequest(TryRequest):
    """A position in a puzzle in which its solver is to move, and how many hints there were."""

    step: int = Field(0, ge=0, le=9, description="Each hint says more; the third one the move.")


R = TypeVar("R", bound=BaseModel)

_WANTED = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def read(model: type[R], body: bytes) -> R:
    """Parse a request's body.

    Raises:
        InputError: the body is not valid; the message gives the first error.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "request"
        name = file_name(place)
        if first["type"] == "extra_forbidden":
            name = quote_text(place)
            told = f"unknown key ({textfile.suggest_name(place, model.model_fields)})"
        elif first["msg"].startswith(textfile.SHOULD_BE):
            told = textfile.found_instead(first, _WANTED)
        else:
            told = "is missing" if first["type"] == "missing" else first["msg"]
        raise InputError(f"{name}: {told}") from None
