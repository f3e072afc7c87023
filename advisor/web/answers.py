"""What is answered about Connect Four and about the server; see `models` for what is asked."""

from typing import (
    Annotated,
    Literal,
    NotRequired,  # pydantic asks for them before Python 3.12
)

from pydantic import Field
from typing_extensions import TypedDict

from advisor.web.models import Player

Columns = list[int]
Square = Annotated[list[int], Field(description="[row, column]")]


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
        "plies": NotRequired[Annotated[int, Field(description="To the end of a win or loss.")]],
        "within": NotRequired[
            Annotated[bool, Field(description="It takes no longer than that, and maybe less.")]
        ],
        "value": NotRequired[
            Annotated[int, Field(description="Of a heuristic score, in weight units.")]
        ],
        "proved": NotRequired[
            Annotated[Literal[True], Field(description="By exact play, not by the look-ahead.")]
        ],
        "points": NotRequired[
            Annotated[int, Field(description="The exact score, after Pascal Pons.")]
        ],
        "playouts": NotRequired[Annotated[int, Field(description="Random games.")]],
        "mean": NotRequired[Annotated[float, Field(description="Their mean result, -1 to 1.")]],
    },
)


class AnyFiring(TypedDict):
    """A strategy that speaks for or against a move of any game."""

    strategy: str
    weight: int
    sentence: NotRequired[str]


class Firing(AnyFiring):
    """The same of a column."""

    squares: list[Square]


class AnyHeld(TypedDict):
    """A feature that a player of any game has at the end of a line."""

    feature: str
    player: str
    where: str
    weight: Annotated[int, Field(description="For the player to move; negative if against him.")]
    text: NotRequired[str]


class Held(AnyHeld):
    """The same on a board of columns."""

    squares: list[Square]


class AnyTrace(TypedDict):
    """Where a heuristic score comes from: the features at the end of the move's expected line."""

    value: Annotated[int, Field(description="Their sum: the score without the strategies.")]
    drawn: Annotated[bool, Field(description="Nobody can win there any more.")]


class Trace(AnyTrace):
    """The same of a column."""

    line: Columns
    features: list[Held]


class AnyMove(TypedDict):
    """A move of any game and what is known of it; some keys only where `explain` is asked for or
    after a look-ahead."""

    score: Score
    ahead: NotRequired[
        Annotated[int, Field(description="What the look-ahead sees of a heuristic score.")]
    ]
    outcome: NotRequired[str]
    total: NotRequired[Annotated[int, Field(description="What the strategies say.")]]
    explanation: NotRequired[Annotated[list[str], Field(description="Sentences.")]]


class Move(AnyMove):
    """The same of a column."""

    column: int
    row: int
    fires: list[Firing]
    trace: NotRequired[Trace]


class Plan(TypedDict):
    """What wins without looking ahead: a move of the solution, or a picture to play by."""

    source: Annotated[
        Literal["solution", "search"],
        Field(description="The solution of 7x6, or a plan found for this position."),
    ]
    number: Annotated[
        int | None,
        Field(description="The plan's number in the solution; null for a move of its tree."),
    ]
    threats: Annotated[
        int | None,
        Field(description="The plan first tries to win by at most so many threats in a row."),
    ]
    numbers: Annotated[
        list[list[int | None]] | None,
        Field(
            description="The number of each square, top row first, null where a disc is; "
            "null without a plan."
        ),
    ]
    column: Annotated[int, Field(description="What is played now.")]
    by: Annotated[
        Literal["move", "win", "threat", "block", "number"],
        Field(description="Why: a move of the solution, or which rule of the plan."),
    ]
    text: Annotated[list[str], Field(description="Sentences: the plan, then what it says now.")]


class AnyExactMove(TypedDict):
    """A move of any game and what is proved of it."""

    points: Annotated[int | None, Field(description="The exact score, null if not proved.")]
    bounds: Annotated[
        list[int], Field(description="The least and the greatest score that are possible.")
    ]
    kind: Annotated[Literal["win", "loss", "draw"] | None, Field(description="null: not proved.")]
    moves: Annotated[int | None, Field(description="Moves of the winner until the end.")]
    outcome: Annotated[str, Field(description="The same in words, empty if nothing is proved.")]


class ExactMove(AnyExactMove):
    """The same of a column."""

    column: int


class Exact(TypedDict):
    """What a search to the end of the game proves of every move."""

    proved: Annotated[bool, Field(description="Whether that is every move's score.")]
    best: Annotated[Columns, Field(description="The moves that no other move can beat.")]
    moves: list[ExactMove]


class AnyAdvice(TypedDict):
    """An advice on a position of any game; some keys where `explain` or a level is asked for."""

    best_names: Annotated[list[str], Field(description="The best moves as people write them.")]
    score: Annotated[Score, Field(description="Of the best move.")]
    depth: int
    nodes: int
    leaves: int
    seconds: float
    machine_code: Annotated[
        bool, Field(description="Whether machine code looked ahead or played, in place of NumPy.")
    ]
    interrupted: NotRequired[Annotated[Literal[True], Field(description="By /api/enough.")]]
    headline: NotRequired[Annotated[str, Field(description="What to play, in a sentence.")]]
    explanation: NotRequired[
        Annotated[list[list[str]], Field(description="Paragraphs, sentence by sentence.")]
    ]


class Advice(AnyAdvice):
    """The object of ``suggest --json``."""

    game: Literal["connect4"]
    turn: Player
    best: Columns
    winner: NotRequired[Annotated[Player | None, Field(description="Of a finished game.")]]
    pv: Columns
    moves: list[Move]
    weights: NotRequired[
        Annotated[
            str,
            Field(description="The preset in use, where the one asked for is not for this board."),
        ]
    ]
    book: NotRequired[
        Annotated[Literal[True], Field(description="The opening book knows every move's result.")]
    ]
    plan: Annotated[
        Plan | None, Field(description="With which x is known to win; null where none is.")
    ]
    exact: NotRequired[Annotated[Exact, Field(description="Where seconds for it are given.")]]
    choices: NotRequired[
        Annotated[Columns, Field(description="What an opponent of the level chooses among.")]
    ]


Prospect = TypedDict(
    "Prospect",
    {
        "kind": Literal["win", "loss", "draw", "heuristic"],
        "in": NotRequired[Annotated[int, Field(description="The winner's own moves.")]],
        "points": NotRequired[Annotated[int, Field(description="The exact score.")]],
        "value": NotRequired[Annotated[int, Field(description="In weight units.")]],
        "mean": NotRequired[
            Annotated[float, Field(description="Of random games, -1 to 1, without weights.")]
        ],
    },
)


class Proved(TypedDict):
    """Who holds at least a draw or wins."""

    player: Player
    outcome: Literal["holds", "wins"]
    first: Annotated[int | None, Field(description="His first move, if it is his turn.")]


class Rule(TypedDict):
    """One of Allis' rules and its squares."""

    rule: str
    squares: list[Square]


class AnsweredLine(TypedDict):
    """A line that the opponent could still complete."""

    squares: list[Square]
    answered_by: Annotated[int, Field(description="Place in 'rules', from 0.")]


class PlannedReplies(TypedDict):
    """What is played after some of the opponent's moves."""

    replies: Annotated[Columns, Field(description="None if it is the turn of who has the plan.")]
    plan: Plan


class Proof(TypedDict):
    """The object of ``prove --json``; some keys by rules, some by a plan, 'proved' null by none."""

    proved: Proved | None
    by: NotRequired[Literal["rules", "plan"]]
    rules: NotRequired[list[Rule]]
    lines: NotRequired[list[AnsweredLine]]
    waiting: NotRequired[list[Square]]
    plans: NotRequired[list[PlannedReplies]]
    text: Annotated[list[str], Field(description="The same for people, line by line.")]


class BatchItem(TypedDict):
    """A position of a batch: the object of ``analyse``, or what is wrong with it."""

    position: str
    error: NotRequired[str]
    game: NotRequired[Literal["connect4"]]
    turn: NotRequired[Player]
    best: NotRequired[Columns]
    best_names: NotRequired[list[str]]
    score: NotRequired[Score]
    winner: NotRequired[Player | None]
    depth: NotRequired[int]
    nodes: NotRequired[int]
    leaves: NotRequired[int]
    seconds: NotRequired[float]
    machine_code: NotRequired[bool]
    pv: NotRequired[Columns]
    moves: NotRequired[list[Move]]
    plan: NotRequired[Plan | None]
    weights: NotRequired[str]
    book: NotRequired[Literal[True]]
    interrupted: NotRequired[Literal[True]]


class Batch(TypedDict):
    """What is said of the positions of a batch, in their order."""

    results: list[BatchItem]


class Refutation(TypedDict):
    """What an error allows."""

    line: list[str]
    board: Annotated[list[str], Field(description="At the end of the line, top row first.")]


class ReviewedMove(TypedDict):
    """A move of a game and its grade."""

    ply: int
    side: Annotated[str, Field(description="Who made it, by name.")]
    move: int | str
    name: str
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    only: Annotated[bool, Field(description="Whether every other move leads to a worse result.")]
    exact: Annotated[bool, Field(description="Whether 'loss' is in points of the exact score.")]
    proved: Annotated[
        bool, Field(description="Whether the results that decide the grade are proved.")
    ]
    better: list[int | str]
    better_names: Annotated[list[str], Field(description="The same as people write them.")]
    loss: float
    unit: Literal["points", "weights", "mean result"]
    score: Prospect
    best_score: Prospect
    expected: Annotated[
        float, Field(description="The expected result of the player who began, from 0 to 1.")
    ]
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


class Enough(TypedDict):
    """Whether there was a request to end."""

    ended: bool


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
        str | None, Field(description="What follows a move that lets the win slip.")
    ]
    moves_used: int
    win_in: int


class Hint(TypedDict):
    """A step towards the solution."""

    kind: Annotated[
        Literal["not", "among", "is"],
        Field(
            description="First a column that does not win, then two of which one wins, then one "
            "that wins."
        ),
    ]
    columns: Columns
    text: str
