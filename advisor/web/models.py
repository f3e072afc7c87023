"""What goes over the wire: requests as they are checked, answers as they are described.

The OpenAPI document at `/api` is made from these types, see `describe`.
"""

from typing import (
    Annotated,
    Literal,
    NotRequired,  # pydantic asks for them before Python 3.12
)

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from advisor.settings import config
from advisor.web.limits import (
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
GameMove = Annotated[str, Field(pattern=r"^\S+$", max_length=200)]


# Requests


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


class ExactRequest(BoardRequest):
    """A position whose moves are to be scored exactly."""

    time: float = Field(5.0, gt=0, le=MAX_SECONDS, description="Seconds to search.")
    client: str | None = Field(None, max_length=64)


class ReviewRequest(BoardRequest):
    """A game to look back on: its moves, in a board's text or beside it."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    time: float = Field(10.0, gt=0, le=MAX_SECONDS, description="Seconds for the whole game.")
    weights: str = config.DEFAULT
    client: str | None = Field(None, max_length=64)


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
        [], description="As the answer to this request names them."
    )
    constants: Annotated[dict[str, Constant], Field(max_length=8)] = Field(
        {}, description="Numbers that its rules leave open, by their names, such as a size."
    )
    client: str | None = Field(None, max_length=64)


class GameSuggestRequest(GameRequest):
    """A state of a game to advise on."""

    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="Plies to look ahead.")
    time: float | None = Field(
        None, gt=0, le=MAX_SECONDS, description="Seconds to look ahead and to play at random."
    )


# Answers

Columns = list[int]
Square = Annotated[list[int], Field(description="[row, column]")]
Player = Literal["x", "o"]


class Error(TypedDict):
    """What was wrong, in one line."""

    error: str


class Health(TypedDict):
    """Whether the server answers, and its load."""

    status: str
    workers: int
    busy: int
    waiting: int


class Server(TypedDict):
    """What a page has to know of the server."""

    presets: list[str]
    default: str
    max_level: int
    max_seconds: float
    max_side: int
    weight_limit: int
    games: Annotated[list[str], Field(description="Given by their rules, besides Connect Four.")]
    max_constant: int


class Position(TypedDict):
    """What a page needs to draw a position and to know what can be played."""

    width: int
    height: int
    connect: int
    rows: list[str]
    turn: Player
    moves: Annotated[
        list[list[int]], Field(description="[column, row on which the disc comes to rest]")
    ]
    discs: int
    over: bool
    winner: Player | None
    lines: list[list[Square]]
    status: str
    text: Annotated[str, Field(description="A board that gives this position again.")]
    yaml: str


Score = TypedDict(
    "Score",
    {
        "kind": Literal["win", "loss", "draw", "heuristic"],
        "in": NotRequired[
            Annotated[int, Field(description="Of a win or loss: the winner's own moves, if known.")]
        ],
        "value": NotRequired[Annotated[int, Field(description="Of a heuristic score.")]],
        "proved": NotRequired[
            Annotated[Literal[True], Field(description="By exact play, not by the look-ahead.")]
        ],
        "points": NotRequired[
            Annotated[int, Field(description="The exact score, after Pascal Pons.")]
        ],
    },
)


class Firing(TypedDict):
    """A strategy that speaks for or against a move."""

    strategy: str
    weight: int
    squares: list[Square]
    sentence: NotRequired[str]


class Held(TypedDict):
    """A feature that a player has at the end of a line."""

    feature: str
    player: Player
    where: str
    squares: list[Square]
    weight: Annotated[int, Field(description="For the player to move; negative if against him.")]
    text: NotRequired[str]


class Trace(TypedDict):
    """Where a heuristic score comes from: the features at the end of the move's expected line."""

    line: Columns
    value: Annotated[int, Field(description="Their sum: the score without the strategies.")]
    drawn: Annotated[bool, Field(description="Nobody can win there any more.")]
    features: list[Held]


class Move(TypedDict):
    """A move; some keys only where `explain` is asked for or after a look-ahead."""

    column: int
    row: int
    score: Score
    fires: list[Firing]
    ahead: NotRequired[
        Annotated[int, Field(description="What the look-ahead sees of a heuristic score.")]
    ]
    trace: NotRequired[Trace]
    outcome: NotRequired[str]
    total: NotRequired[Annotated[int, Field(description="What the strategies say.")]]
    explanation: NotRequired[Annotated[list[str], Field(description="Sentences.")]]


class Plan(TypedDict):
    """What wins without looking ahead: a move of the solution, or a picture to play by."""

    source: Annotated[
        Literal["solution", "search"],
        Field(description="The solution of 7x6, or a plan found for this position."),
    ]
    number: Annotated[
        int | None, Field(description="Of the plan in the solution; null: a move of its tree.")
    ]
    threats: Annotated[
        int | None,
        Field(description="The plan wins first of all by at most so many threats in a row."),
    ]
    numbers: Annotated[
        list[list[int | None]] | None,
        Field(description="Of the squares, top row first, null where a disc is; null: no plan."),
    ]
    column: Annotated[int, Field(description="What is played now.")]
    by: Annotated[
        Literal["move", "win", "threat", "block", "number"],
        Field(description="Why: a move of the solution, or which rule of the plan."),
    ]
    text: Annotated[list[str], Field(description="Sentences: the plan, then what it says now.")]


class Advice(TypedDict):
    """The object of ``suggest --json``; some keys where `explain` or a level is asked for."""

    turn: Player
    best: Columns
    score: Score
    depth: int
    nodes: int
    leaves: int
    seconds: float
    pv: Columns
    moves: list[Move]
    weights: NotRequired[
        Annotated[str, Field(description="The preset for boards that those asked for are not for.")]
    ]
    book: NotRequired[
        Annotated[Literal[True], Field(description="The opening book knows every move's result.")]
    ]
    plan: Annotated[
        Plan | None, Field(description="With which x is known to win; null where none is.")
    ]
    explanation: NotRequired[
        Annotated[list[list[str]], Field(description="Paragraphs, sentence by sentence.")]
    ]
    choices: NotRequired[Columns]


class ExactMove(TypedDict):
    """A move and what is proved of it."""

    column: int
    points: Annotated[int | None, Field(description="The exact score, null if not proved.")]
    bounds: Annotated[list[int], Field(description="Of the score: at least, at most.")]
    kind: Annotated[Literal["win", "loss", "draw"] | None, Field(description="null: not proved.")]
    moves: Annotated[int | None, Field(description="Of the winner, until the end.")]
    outcome: Annotated[str, Field(description="The same in words, empty if nothing is proved.")]


class Exact(TypedDict):
    """What a search to the end of the game proves of every move."""

    proved: Annotated[bool, Field(description="Whether that is every move's score.")]
    best: Annotated[Columns, Field(description="Those than which none can be better.")]
    moves: list[ExactMove]


Prospect = TypedDict(
    "Prospect",
    {
        "kind": Literal["win", "loss", "draw", "heuristic"],
        "in": NotRequired[Annotated[int, Field(description="The winner's own moves.")]],
        "points": NotRequired[Annotated[int, Field(description="The exact score.")]],
        "value": NotRequired[Annotated[int, Field(description="In weight units.")]],
    },
)


class Refutation(TypedDict):
    """What an error allows."""

    line: list[str]
    board: Annotated[list[str], Field(description="At the end of the line, top row first.")]


class ReviewedMove(TypedDict):
    """A move of a game and its grade."""

    ply: int
    side: Player
    move: int
    name: str
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    only: Annotated[bool, Field(description="No other move would have done.")]
    exact: Annotated[bool, Field(description="'loss' is in points of the exact score.")]
    proved: Annotated[bool, Field(description="The results that the grade depends on are.")]
    better: Columns
    loss: float
    unit: Literal["points", "weights"]
    score: Prospect
    best_score: Prospect
    expected: Annotated[float, Field(description="The result of x after it, from 0 to 1.")]
    reasons: list[str]
    missed: list[str]
    refutation: NotRequired[Refutation]


class ReviewedSide(TypedDict):
    """One side's moves in all."""

    moves: int
    accuracy: float | None
    average_loss: Annotated[dict[str, float], Field(description="By unit.")]
    grades: dict[str, int]
    only_moves: int
    longest_run: Annotated[int, Field(description="Moves in a row without an error.")]
    turning_point: int | None


class Review(TypedDict):
    """The object of ``review --json``."""

    game: str
    ended: str
    moves: list[ReviewedMove]
    sides: dict[str, ReviewedSide]


class Weight(TypedDict):
    """A weight, its place in a weights file and what it is for."""

    program: str
    name: str
    path: list[str | int]
    value: int
    title: str


class Weights(TypedDict):
    """Effective weights, one by one and as a weights file."""

    name: str
    depth: int
    weights: list[Weight]
    yaml: str


class Puzzle(TypedDict):
    """A puzzle as the book lists it."""

    id: str
    chapter: Annotated[
        int | str, Field(description="A number, or of the second book the name of a board.")
    ]
    number: int
    width: int
    height: int
    connect: int
    rows: list[str]
    turn: Player
    win_in: int
    extra: bool
    text: str


class SolvedPuzzle(Puzzle):
    """A puzzle with its solution."""

    solution: Columns
    source: str


class Book(TypedDict):
    """All puzzles."""

    puzzles: list[Puzzle]


class Try(TypedDict):
    """How a try at a puzzle stands."""

    state: Literal["open", "solved", "slipped", "missed"]
    reply: Annotated[int | None, Field(description="The longest defence's column.")]
    refutation: Annotated[
        str | None, Field(description="What a move comes to that lets the win slip.")
    ]
    moves_used: int
    win_in: int


class Hint(TypedDict):
    """A step towards the solution."""

    kind: Annotated[
        Literal["not", "among", "is"],
        Field(description="A column that does not win, two of which one does, one that does."),
    ]
    columns: Columns
    text: str


class GameMoveView(TypedDict):
    """A legal move of a game."""

    move: Annotated[str, Field(description="As requests take it.")]
    name: Annotated[str, Field(description="As people write it.")]
    squares: Annotated[list[Square], Field(description="[column, row], those that it names.")]


class Shape(TypedDict):
    """A piece as two SVG paths in a square of 48: its outline, and lines on it."""

    outline: str
    lines: str
    side: Annotated[int, Field(description="Whose it is, 0 for who begins.")]
    name: str


class GameView(TypedDict):
    """What a page needs to draw a game and to know what can be played."""

    game: str
    roles: list[str]
    turn: str | None
    rows: Annotated[
        list[list[str | None]],
        Field(description="Top first; what stands on each square, null where there is none."),
    ]
    moves: list[GameMoveView]
    last: Annotated[
        list[Square], Field(description="[column, row], those that the last move names.")
    ]
    over: bool
    winner: str | None
    status: str
    shapes: Annotated[
        dict[str, Shape], Field(description="How pieces are drawn, by what stands on a square.")
    ]
    position: Annotated[str, Field(description="The state as the game's notation has it.")]
    constants: Annotated[
        dict[str, int], Field(description="Numbers that the rules leave open, as they are here.")
    ]


GameScore = TypedDict(
    "GameScore",
    {
        "kind": Literal["win", "loss", "draw", "heuristic"],
        "in": NotRequired[int],
        "plies": NotRequired[Annotated[int, Field(description="To the end of a win or loss.")]],
        "value": NotRequired[Annotated[int, Field(description="In weight units.")]],
        "playouts": NotRequired[Annotated[int, Field(description="Random games.")]],
        "mean": NotRequired[Annotated[float, Field(description="Their mean result, -1 to 1.")]],
    },
)


class GameMoveAdvice(TypedDict):
    """A move of a game and what is known of it."""

    move: str
    score: GameScore


class GameAdvice(TypedDict):
    """The object of ``suggest --game --json``: moves, the best first."""

    game: str
    turn: str
    best: list[str]
    moves: list[GameMoveAdvice]
    depth: int
    seconds: float
    reasons: Annotated[list[str], Field(description="Sentences on the best move.")]
