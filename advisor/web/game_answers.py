"""What is answered about games that are given by their rules."""

from typing import (
    Annotated,
    Literal,
    NotRequired,  # pydantic asks for them before Python 3.12
)

from pydantic import Field
from typing_extensions import TypedDict

from advisor.web.answers import (
    AnyAdvice,
    AnyExactMove,
    AnyFiring,
    AnyHeld,
    AnyMove,
    AnyTrace,
    Square,
)


class Offered(TypedDict):
    """A game and what can be had of it."""

    game: str
    title: Annotated[str, Field(description="Its name for people.")]
    board: Annotated[
        Literal["columns", "squares"],
        Field(description="What moves name; columns are Connect Four's, with requests of its own."),
    ]
    can: Annotated[list[str], Field(description="What a page may offer beside moves and advice.")]
    scale: Annotated[float, Field(description="Units of its weights to a logit of the result.")]


class Games(TypedDict):
    """What there is to play."""

    games: list[Offered]


class GameMoveView(TypedDict):
    """A legal move of a game."""

    move: Annotated[str, Field(description="As requests take it.")]
    name: Annotated[str, Field(description="As people write it.")]
    squares: Annotated[list[Square], Field(description="[column, row], those that it names.")]
    clicks: Annotated[
        list[Square],
        Field(description="[column, row] of each square that makes the move by itself."),
    ]


class Shape(TypedDict):
    """A piece as two SVG paths in a square of 48: its outline, and lines on it."""

    outline: str
    lines: str
    side: Annotated[
        int, Field(description="The player who owns the piece; 0 is the one who begins.")
    ]
    name: str


class Side(TypedDict):
    """A coloured side of a board."""

    colour: str
    corners: Annotated[
        list[list[float]],
        Field(description="Of a strip that the squares cover in part, as columns and rows."),
    ]


class GameView(TypedDict):
    """What a page needs to draw a game and to know what can be played."""

    game: str
    roles: list[str]
    turn: str | None
    rows: Annotated[
        list[list[str | None]],
        Field(description="Top first; what stands on each square, null where there is none."),
    ]
    slanted: Annotated[
        bool, Field(description="Each row begins half a square right of the one below.")
    ]
    moves: list[GameMoveView]
    played: Annotated[list[str], Field(description="The moves so far, as people write them.")]
    last: Annotated[
        list[Square], Field(description="[column, row], those that the last move names.")
    ]
    over: bool
    winner: str | None
    status: str
    shapes: Annotated[
        dict[str, Shape], Field(description="How pieces are drawn, by what stands on a square.")
    ]
    aim: Annotated[str, Field(description="What the players are after; empty if not said.")]
    columns: Annotated[list[str], Field(description="What stands below them.")]
    beside: Annotated[list[str], Field(description="What stands beside rows, top first.")]
    lines: Annotated[list[list[Square]], Field(description="Drawn on the board, between squares.")]
    sides: list[Side]
    colours: Annotated[
        dict[str, list[str]],
        Field(description="By what stands on a square: its colour, and what is written on it."),
    ]
    position: Annotated[str, Field(description="The state as the game's notation has it.")]
    begun: Annotated[str, Field(description="The same of its beginning; empty if the usual one.")]
    made: Annotated[list[str], Field(description="The moves so far, as requests take them.")]
    text: Annotated[str, Field(description="The game so far, which 'start' takes.")]
    constants: Annotated[
        dict[str, int], Field(description="Numbers that the rules leave open, as they are here.")
    ]


class GameExpected(TypedDict):
    """What a tree of random games expects after a move."""

    line: Annotated[list[str], Field(description="The play, from the move itself on.")]
    share: Annotated[float, Field(description="Of the move's games, those along all of it.")]


class GameFiring(AnyFiring):
    """A strategy that speaks for or against a move."""

    reasons: Annotated[list[str], Field(description="What made it fire.")]


class GameTrace(AnyTrace):
    """Where a heuristic score comes from: the features at the end of the move's expected line."""

    line: list[str]
    added: NotRequired[Annotated[int, Field(description="Its last moves beyond the depth.")]]
    features: list[AnyHeld]


class GameMoveAdvice(AnyMove):
    """A move of a game and what is known of it."""

    move: str
    name: Annotated[str, Field(description="As people write it.")]
    fires: list[GameFiring]
    trace: NotRequired[GameTrace]
    expected: NotRequired[GameExpected]


class GameExactMove(AnyExactMove):
    """A move and what is proved of it."""

    move: str


class GameExact(TypedDict):
    """What a search to the end of the game proves of every move."""

    proved: Annotated[bool, Field(description="Whether that is every move's result.")]
    best: Annotated[list[str], Field(description="The moves that no other move can beat.")]
    moves: list[GameExactMove]


class GameAdvice(AnyAdvice):
    """The object of ``suggest --game --json``: moves, the best first."""

    game: str
    turn: str
    best: list[str]
    pv: Annotated[list[str], Field(description="The play that is expected.")]
    moves: list[GameMoveAdvice]
    selective: Annotated[
        NotRequired[bool], Field(description="The look-ahead left out what seemed hopeless.")
    ]
    plan: Annotated[None, Field(description="Null; only Connect Four has plans.")]
    reasons: Annotated[list[str], Field(description="Sentences on the best move.")]
    line: NotRequired[Annotated[list[str], Field(description="The longest play that is expected.")]]
    line_names: NotRequired[Annotated[list[str], Field(description="As people write it.")]]
    exact: NotRequired[Annotated[GameExact, Field(description="Where seconds for it are given.")]]
    choices: NotRequired[
        Annotated[list[str], Field(description="What an opponent of the level chooses among.")]
    ]
    untried: NotRequired[Annotated[int, Field(description="Moves without a random game.")]]
    deeper: NotRequired[Annotated[int, Field(description="Plies beyond those asked for.")]]
    added: NotRequired[Annotated[int, Field(description="States scored beyond the depth.")]]
