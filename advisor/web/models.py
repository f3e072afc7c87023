"""What is asked: requests as they are checked.

The OpenAPI document at `/api` is made from these types and those of `answers`, see `describe`.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from advisor.settings import config
from advisor.web.limits import (
    MAX_BATCH,
    MAX_CONSTANT,
    MAX_DEPTH,
    MAX_GAME,
    MAX_LEVEL,
    MAX_SECONDS,
    MAX_SIDE,
    MAX_START,
)

Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]
Moves = Annotated[list[int], Field(max_length=MAX_SIDE * MAX_SIDE)]
Constant = Annotated[int, Field(ge=0, le=MAX_CONSTANT)]
Player = Literal["x", "o"]
GameMove = Annotated[str, Field(pattern=r"^\S+$", max_length=200)]


class Request(BaseModel):
    """A request's body: nothing but the keys that are named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class BoardRequest(Request):
    """A board, and moves from there."""

    board: str = Field(
        "",
        description="A move string, a picture (rows top first, / or line ends "
        "between them) or YAML, as `advisor suggest -` reads it.",
    )
    moves: Moves = Field([], description="Columns played from that board on.")
    width: Side = Field(7, description="Of the board, unless it is YAML.")
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
        description="The level of an opponent, in place of a depth: the advice looks that many "
        "plies ahead, and 'choices' are the columns among which a player of this level chooses.",
    )
    time: float | None = Field(None, gt=0, le=MAX_SECONDS, description="Seconds to look ahead.")
    exact: float = Field(
        0.0,
        ge=0,
        le=MAX_SECONDS,
        description="Seconds to search to the end of the game after the look-ahead: what is proved "
        "decides, and 'exact' holds every move's exact score. What the opening books and the "
        "solution of the board know decides in any case.",
    )
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


class ExactRequest(BoardRequest):
    """A position whose moves are to be scored exactly."""

    time: float = Field(5.0, gt=0, le=MAX_SECONDS, description="Seconds to search.")
    client: str | None = Field(None, max_length=64)


class ProveRequest(BoardRequest):
    """A position of which something is to be proved."""

    player: Player | None = Field(
        None, description="Prove something for this player only; by default for either."
    )
    by: Literal["rules", "plan"] | None = Field(
        None, description="By Allis' rules or by a plan only; by default the rules, then a plan."
    )
    time: float = Field(5.0, gt=0, le=MAX_SECONDS, description="Seconds to look for a plan.")
    client: str | None = Field(None, max_length=64)


class BatchRequest(Request):
    """Many positions to advise on, one after the other."""

    boards: Annotated[list[str], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="Each a move string or a picture with / between its rows."
    )
    width: Side = 7
    height: Side = 6
    connect: Side = 4
    depth: int | None = Field(None, ge=0, le=MAX_DEPTH, description="Plies to look ahead in each.")
    time: float = Field(10.0, gt=0, le=MAX_SECONDS, description="Seconds for all of them.")
    weights: str = config.DEFAULT
    client: str | None = Field(None, max_length=64)


class ReviewRequest(BoardRequest):
    """A game to look back on: its moves, in a board's text or beside it."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    time: float = Field(10.0, gt=0, le=MAX_SECONDS, description="Seconds for the whole game.")
    weights: str = config.DEFAULT
    client: str | None = Field(None, max_length=64)


class EnoughRequest(Request):
    """A client who wants what is known by now."""

    client: str = Field(max_length=64, description="The client of the request that is to end.")


class WeightsRequest(Request):
    """Weights to write as a file."""

    weights: str = config.DEFAULT


class TryRequest(Request):
    """A try at a puzzle: the columns played from its position on, both sides'."""

    moves: Moves = []
    client: str | None = Field(None, max_length=64)


class HintRequest(TryRequest):
    """A position in a puzzle in which its solver is to move, and how many hints there were."""

    step: int = Field(0, ge=0, le=9, description="Each hint says more; the third one the move.")


class GameRequest(Request):
    """A game that is given by its rules, where it begins, and the moves from there."""

    game: str = Field(max_length=64, description="One of the games of /api/server.")
    start: str = Field(
        "",
        max_length=MAX_START,
        description="Where it begins, as the game's notation has it, such as a FEN in chess; empty "
        "for the game's own start.",
    )
    moves: Annotated[list[GameMove], Field(max_length=MAX_GAME)] = Field(
        [], description="Written as in the answer to this request."
    )
    constants: Annotated[dict[str, Constant], Field(max_length=8)] = Field(
        {}, description="The constants of its rules by name, such as a size."
    )
    client: str | None = Field(None, max_length=64)


class GameSuggestRequest(GameRequest):
    """A state of a game to advise on."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    level: int | None = Field(
        None,
        ge=1,
        le=MAX_LEVEL,
        description="For an opponent: the moves among which a player of this level chooses, as "
        "'choices'; without a depth it looks as many plies ahead.",
    )
    time: float | None = Field(
        None, gt=0, le=MAX_SECONDS, description="Seconds to look ahead and to play at random."
    )
    exact: float = Field(
        0.0,
        ge=0,
        le=MAX_SECONDS,
        description="Seconds to search to the end of the game after that; what is proved decides.",
    )
    explain: bool = Field(False, description="Add sentences to every move.")


class GameReviewRequest(GameRequest):
    """A game to look back on."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    time: float = Field(10.0, gt=0, le=MAX_SECONDS, description="Seconds for the whole game.")
