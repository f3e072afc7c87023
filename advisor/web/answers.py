"""The answers of the interface, the same types for every game; `models` has the requests."""

from typing import Annotated, Any, Literal, NotRequired, Required

from pydantic import Field
from typing_extensions import TypedDict  # pydantic requires it before Python 3.12

Moves = list[int | str]


def means(text: str) -> Any:
    """Describe a key for the document at `/api`."""
    return Field(description=text)


Square = Annotated[list[int], means("[row, column]; where other games are drawn [column, row].")]
Squares = list[Square]


class Error(TypedDict):
    """What was wrong, in one line."""

    error: str
    code: Annotated[str, means("The kind of error, which stays when the wording changes.")]


class Health(TypedDict):
    """Whether the server answers, and its load."""

    status: str
    workers: int
    busy: int
    waiting: int


class Server(TypedDict):
    """Facts about the server that a page needs."""

    presets: list[str]
    default: str
    max_level: int
    max_seconds: float
    max_side: int
    weight_limit: int
    games: Annotated[list[str], means("Given by their rules, besides Connect Four.")]
    max_constant: int
    scripts: Annotated[list[str], means("What plugins add to the page.")]


class Offered(TypedDict):
    """A game and what can be had of it."""

    game: str
    title: Annotated[str, means("Its name for people.")]
    board: Annotated[
        Literal["columns", "squares"],
        means("What moves name; columns are Connect Four's, with requests of its own."),
    ]
    can: Annotated[list[str], means("What a page may offer beside moves and advice.")]
    presets: Annotated[list[str], means("The weights that come with it, by name.")]
    scale: Annotated[float, means("Units of its weights to a logit of the result.")]


class Games(TypedDict):
    """The games to play."""

    games: list[Offered]


class ProgramFile(TypedDict):
    """A file of a game."""

    name: str
    text: str


class Program(TypedDict):
    """A game as answer set programs: its rules first, then what it knows."""

    files: list[ProgramFile]


class LegalMove(TypedDict):
    """A legal move of a game."""

    move: Annotated[str, means("As requests take it.")]
    name: Annotated[str, means("As people write it.")]
    squares: Annotated[Squares, means("[column, row], those that it names.")]
    clicks: Annotated[Squares, means("[column, row] of each square that makes the move by itself.")]


class Shape(TypedDict):
    """A piece as two SVG paths in a square of 48: its outline, and lines on it."""

    outline: str
    lines: str
    side: Annotated[int, means("The player who owns the piece; 0 is the one who begins.")]
    name: str


class Side(TypedDict):
    """A coloured side of a board."""

    colour: str
    corners: Annotated[
        list[list[float]], means("Of a strip that the squares cover in part, as columns and rows.")
    ]


class _Placed(TypedDict):
    """The keys of every position."""

    turn: str | None
    rows: Annotated[
        list[str] | list[list[str | None]],
        means(
            "Top first: . x or o a square; of other games what stands on each, null where there "
            "is none."
        ),
    ]
    moves: Annotated[
        list[list[int]] | list[LegalMove],
        means("[column, row on which the disc comes to rest], or a move each."),
    ]
    over: bool
    winner: str | None
    status: str
    lines: Annotated[
        list[Squares], means("Of Connect Four those that won; else drawn on the board.")
    ]
    text: Annotated[str, means("What 'board' takes as this position or game again.")]


class Position(_Placed, total=False):
    """A position for a page to draw, with its legal moves.

    Of Connect Four it has its size, of other games what their rules say of pieces and boards.
    """

    width: int
    height: int
    connect: int
    discs: int
    yaml: Annotated[str, means("A board file, which has the moves if they are known.")]
    game: str
    roles: list[str]
    slanted: Annotated[bool, means("Each row begins half a square right of the one below.")]
    played: Annotated[list[str], means("The moves so far, as people write them.")]
    opening: Annotated[str, means("The opening's name; empty if it has none.")]
    made: Annotated[
        Moves,
        means("The moves so far, as requests take them; of Connect Four from the empty board."),
    ]
    last: Annotated[Squares, means("[column, row], those that the last move names.")]
    movers: Annotated[list[str], means("Who made each of `played`.")]
    decisive: Annotated[Squares, means("Those that a win rests on, such as a chain.")]
    shapes: Annotated[dict[str, Shape], means("How pieces are drawn, by what stands on a square.")]
    aim: Annotated[str, means("What the players are after; empty if not said.")]
    columns: Annotated[list[str], means("What stands below them.")]
    beside: Annotated[list[str], means("What stands beside rows, top first.")]
    sides: list[Side]
    colours: Annotated[
        dict[str, list[str]],
        means("By what stands on a square: its colour, and what is written on it."),
    ]
    position: Annotated[str, means("The state as the game's notation has it.")]
    begun: Annotated[
        str,
        means("What 'board' takes as the beginning, with its tags; empty if the usual one."),
    ]
    tags: Annotated[
        dict[str, str], means("What the text says about the game, such as names and the result.")
    ]
    short: Annotated[str, means("'text' without what says nothing.")]
    accepts: Annotated[str, means("What texts of the game there are.")]
    constants: Annotated[
        dict[str, int], means("Numbers that the rules leave open, as they are here.")
    ]


class TreeMove(TypedDict):
    """A move of a game with variations; moves are numbered from 1 in the order of the text."""

    move: Annotated[str, means("As requests take it.")]
    name: Annotated[str, means("As people write it.")]
    follows: Annotated[int, means("The number of the move that it follows; 0: it begins.")]
    instead: Annotated[
        int, means("The number of the move in whose place it begins a variation; 0: none.")
    ]
    before: Annotated[list[str], means("Comments and signs ahead of a variation's first move.")]
    after: Annotated[list[str], means("Those on the move.")]
    behind: Annotated[list[str], means("Those after the variation that the move begins.")]


class Tree(TypedDict):
    """A game with its variations, comments and signs."""

    begun: Annotated[str, means("What 'board' takes as the beginning, with its tags.")]
    tags: dict[str, str]
    result: Annotated[str, means("Of the main line, as the text gives it.")]
    remarks: Annotated[list[str], means("Comments and signs ahead of the first move.")]
    moves: list[TreeMove]
    left_out: Annotated[list[str], means("Why variations end before an illegal move.")]


class Record(TypedDict):
    """A game with its variations as a file."""

    text: str
    names: Annotated[list[str], means("The moves of the request, as people write them.")]


class Setup(Position):
    """A position that was set up, as a beginning."""

    symbols: Annotated[list[str], means("What may stand on squares; none: no set-up.")]


Score = TypedDict(
    "Score",
    {
        "kind": Required[Literal["win", "loss", "draw", "heuristic"]],
        "in": Annotated[int, means("Of a win or loss: the winner's own moves, if known.")],
        "plies": Annotated[int, means("To the end of a win or loss.")],
        "within": Annotated[bool, means("It takes no longer than that, and maybe less.")],
        "value": Annotated[int, means("Of a heuristic score, in weight units.")],
        "proved": Annotated[Literal[True], means("By exact play, not by the look-ahead.")],
        "points": Annotated[int, means("The exact score, after Pascal Pons.")],
        "playouts": Annotated[int, means("Random games.")],
        "mean": Annotated[float, means("Their mean result, -1 to 1.")],
        "unsure": Annotated[Literal[True], means("They say nothing beside the best move's.")],
    },
    total=False,
)


class Firing(TypedDict):
    """A strategy that speaks for or against a move."""

    strategy: str
    weight: int
    squares: Annotated[NotRequired[Squares], means("What made it fire.")]
    reasons: Annotated[NotRequired[list[str]], means("The same of another game.")]
    sentence: NotRequired[str]


class Held(TypedDict):
    """A feature that a player has at the end of a line."""

    feature: str
    player: str
    where: str
    squares: Annotated[NotRequired[Squares], means("On a board of columns.")]
    weight: Annotated[int, means("For the player to move; negative if against him.")]
    text: NotRequired[str]


class Trace(TypedDict):
    """Where a heuristic score comes from: the features at the end of the move's expected line."""

    line: Moves
    line_names: NotRequired[Annotated[list[str], means("The same, as people write it.")]]
    added: NotRequired[Annotated[int, means("Its last moves beyond the depth.")]]
    value: Annotated[int, means("Their sum: the score without the strategies.")]
    drawn: Annotated[bool, means("It counts as a draw, and no feature does.")]
    features: list[Held]


class Expected(TypedDict):
    """What a tree of random games, or an engine, expects after a move."""

    line: Annotated[Moves, means("The play, from the move itself on.")]
    share: NotRequired[Annotated[float, means("Of the move's games, those along all of it.")]]


class Move(TypedDict):
    """A move and what is known of it; some keys only with `explain` or after a
    look-ahead."""

    column: NotRequired[Annotated[int, means("Of Connect Four, with its row.")]]
    row: NotRequired[int]
    move: NotRequired[Annotated[str, means("Of another game, as requests take it.")]]
    name: NotRequired[Annotated[str, means("The same as people write it.")]]
    score: Score
    ahead: NotRequired[Annotated[int, means("What the look-ahead sees of a heuristic score.")]]
    fires: list[Firing]
    expected: NotRequired[Expected]
    trace: NotRequired[Trace]
    outcome: NotRequired[str]
    total: NotRequired[Annotated[int, means("What the strategies say.")]]
    explanation: NotRequired[Annotated[list[str], means("Sentences.")]]
    numbers: NotRequired[Annotated[list[str], means("Sentences on where its score comes from.")]]


class Plan(TypedDict):
    """What wins without looking ahead: a move of the solution, or a picture to play by."""

    source: Annotated[
        Literal["solution", "search"],
        means("The solution of 7x6, or a plan found for this position."),
    ]
    number: Annotated[
        int | None, means("The plan's number in the solution; null for a move of its tree.")
    ]
    threats: Annotated[
        int | None, means("The plan first tries to win by at most so many threats in a row.")
    ]
    numbers: Annotated[
        list[list[int | None]] | None,
        means(
            "The number of each square, top row first, null where a disc is; null without a plan."
        ),
    ]
    column: Annotated[int, means("What is played now.")]
    by: Annotated[
        Literal["move", "win", "threat", "block", "number"],
        means("Why: a move of the solution, or which rule of the plan."),
    ]
    text: Annotated[list[str], means("Sentences: the plan, then what it says now.")]


class ExactMove(TypedDict):
    """A move and what is proved of it."""

    column: NotRequired[int]
    move: NotRequired[str]
    points: Annotated[int | None, means("The exact score, null if not proved.")]
    bounds: Annotated[list[int], means("The least and the greatest score that are possible.")]
    kind: Annotated[Literal["win", "loss", "draw"] | None, means("null: not proved.")]
    moves: Annotated[int | None, means("Moves of the winner until the end.")]
    outcome: Annotated[str, means("The same in words, empty if nothing is proved.")]


class Exact(TypedDict):
    """What a search to the end of the game proves of every move."""

    proved: Annotated[bool, means("Whether that is every move's score.")]
    best: Annotated[Moves, means("The moves that no other move can beat.")]
    moves: list[ExactMove]


class Advice(TypedDict):
    """The object of ``suggest --json``; some keys only with `explain` or a level."""

    game: str
    turn: str
    best: Annotated[Moves, means("Columns, or moves as requests take them.")]
    best_names: Annotated[list[str], means("The best moves as people write them.")]
    score: Annotated[Score, means("Of the best move.")]
    chance: NotRequired[
        Annotated[float, means("The points that the side to move can expect; none: not known yet.")]
    ]
    winner: NotRequired[Annotated[str | None, means("Of a finished game.")]]
    engine: NotRequired[Annotated[str, means("Whose values, lines and depth these are.")]]
    depth: int
    selective: Annotated[NotRequired[bool], means("The look-ahead left out what seemed hopeless.")]
    deeper: NotRequired[Annotated[int, means("Plies beyond those asked for.")]]
    nodes: int
    leaves: int
    added: NotRequired[Annotated[int, means("States scored beyond the depth.")]]
    untried: NotRequired[Annotated[int, means("Moves without a random game.")]]
    seconds: float
    machine_code: Annotated[
        bool, means("Whether machine code looked ahead or played, in place of NumPy.")
    ]
    slowed_by: NotRequired[Annotated[str, means("Why NumPy did longer work.")]]
    interrupted: NotRequired[Annotated[Literal[True], means("By /api/enough.")]]
    pv: Annotated[Moves, means("The play that is expected.")]
    book: NotRequired[
        Annotated[Literal[True], means("The opening book knows every move's result.")]
    ]
    plan: Annotated[Plan | None, means("With which x is known to win; null where none is.")]
    weights: NotRequired[
        Annotated[str, means("The preset in use, where the one asked for is not for this board.")]
    ]
    moves: Annotated[list[Move], means("By column; of other games the best first.")]
    exact: NotRequired[Annotated[Exact, means("Where seconds for it are given.")]]
    choices: NotRequired[Annotated[Moves, means("What an opponent of the level chooses among.")]]
    headline: NotRequired[Annotated[str, means("What to play, in a sentence.")]]
    explanation: NotRequired[Annotated[list[list[str]], means("Paragraphs, sentence by sentence.")]]
    line: NotRequired[Annotated[Moves, means("The longest play that is expected.")]]
    line_names: NotRequired[Annotated[list[str], means("As people write it.")]]
    line_players: NotRequired[Annotated[list[str], means("Who makes each move of it.")]]


class RulePlace(TypedDict):
    """A statement of a program."""

    rule: str
    file: Annotated[str, means("As 'connect4/strategy.lp'.")]
    line: int


class Inference(TypedDict):
    """Why one atom holds."""

    atom: str
    place: Annotated[RulePlace | None, means("The rule that derives it; null if it is given.")]
    instance: Annotated[str, means("The rule with values for its variables.")]
    values: Annotated[dict[str, str], means("Those, by variable.")]
    because: Annotated[list[str], means("The atoms that it rests on; each has a step.")]
    notes: Annotated[list[str], means("How much of a count or a sum is enough.")]
    says: Annotated[str, means("The sentence that the program has for it; empty if none.")]


class Lack(TypedDict):
    """Why one rule does not derive an atom."""

    place: RulePlace
    literal: Annotated[str, means("The first condition that fails.")]
    literal_written: Annotated[str, means("The same as in the rule.")]
    values: Annotated[dict[str, str], means("Those of the rule's variables by then.")]
    reason: str
    more: Annotated[int, means("In how many other ways the conditions before it can be met.")]
    lacks: Annotated[
        list[dict[str, Any]], means("As this, of the rules that could derive the condition.")
    ]


class Why(TypedDict):
    """The object of ``why --json``."""

    answer: Literal["holds", "does not hold", "no answer set", "answer set"]
    atom: str
    steps: Annotated[list[Inference], means("Of an atom that holds: its own first.")]
    lacks: Annotated[list[Lack], means("Of one that does not: each rule that could derive it.")]
    conflict: Annotated[list[RulePlace], means("What cannot hold together; always empty here.")]
    hints: Annotated[list[str], means("What may be wrong.")]


class Threat(TypedDict):
    """Something that the opponent threatens, by one move or several."""

    moves: Moves
    names: Annotated[list[str], means("The moves as people write them.")]
    wins: Annotated[bool, means("The move wins at once.")]
    text: Annotated[str, means("What the move does, after its name.")]
    squares: Annotated[list[Square], means("Where the moves end.")]


class Danger(TypedDict):
    """Squares on which a player threatens something: a part of the map of threats."""

    player: Annotated[str, means("Who threatens, by name.")]
    kind: Annotated[str, means("A word of the game's `events.lp`, or `wins` and `threat`.")]
    squares: list[Square]
    names: Annotated[list[str], means("The squares' names, in the same order.")]
    text: Annotated[str, means("What the player threatens, after the name.")]


class Threats(TypedDict):
    """The object of ``threats --json``."""

    player: Annotated[str, means("The opponent of the side to move, by name.")]
    threats: Annotated[list[Threat], means("Wins first, then the most important ones.")]
    sentences: list[str]
    dangers: Annotated[list[Danger], means("The map of threats, of both players.")]
    known: Annotated[bool, means("False where the rules do not let the opponent move.")]


class Analysed(Advice):
    """Advice on a position of a batch, the object of ``analyse``."""

    position: str


class Unread(TypedDict):
    """What is wrong with a position of a batch."""

    position: str
    error: str
    code: Annotated[str, means("The kind of error.")]


class Batch(TypedDict):
    """What is said of the positions of a batch, in their order."""

    results: list[Analysed | Unread]


class Refutation(TypedDict):
    """What an error allows."""

    line: list[str]
    board: Annotated[list[str], means("At the end of the line, top row first.")]


class ReviewedMove(TypedDict):
    """A move of a game and its grade."""

    ply: int
    side: Annotated[str, means("Who made it, by name.")]
    move: int | str
    name: str
    grade: Annotated[
        Literal["best", "good", "unclear", "inaccuracy", "mistake", "blunder"],
        means("'unclear' where it looks like an error, but not by every look at it."),
    ]
    only: Annotated[bool, means("Whether every other move leads to a worse result.")]
    exact: Annotated[bool, means("Whether 'loss' is in points of the exact score.")]
    proved: Annotated[bool, means("Whether the results that decide the grade are proved.")]
    engine: NotRequired[Annotated[str, means("Whose word the grade is, and its depth.")]]
    better: list[int | str]
    better_names: Annotated[list[str], means("The same as people write them.")]
    loss: float
    unit: Literal["points", "weights", "mean result", "engine"]
    score: Score
    best_score: Score
    expected: Annotated[float, means("The expected result of the player who began, from 0 to 1.")]
    reasons: list[str]
    missed: list[str]
    refutation: NotRequired[Refutation]


class ReviewedSide(TypedDict):
    """One side's moves in all."""

    moves: int
    accuracy: float | None
    average_loss: Annotated[dict[str, float], means("By unit.")]
    grades: dict[str, int]
    only_moves: int
    longest_run: Annotated[int, means("Moves in a row without an error.")]
    turning_point: int | None


class Review(TypedDict):
    """The object of ``review --json``."""

    game: str
    ended: str
    interrupted: NotRequired[
        Annotated[Literal[True], means("Only the last moves are graded: the time was up.")]
    ]
    error: NotRequired[Annotated[str, means("Why the engine did not go on.")]]
    code: NotRequired[Annotated[str, means("The kind of that error.")]]
    moves: list[ReviewedMove]
    sides: dict[str, ReviewedSide]


class Exported(TypedDict):
    """A page that needs no server."""

    html: str


class Picture(TypedDict):
    """A picture of a position."""

    svg: Annotated[str, means("An SVG document.")]


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
    depth: int | None
    weights: list[Weight]
    yaml: str


class Puzzle(TypedDict):
    """A puzzle as the book lists it."""

    id: str
    chapter: Annotated[int | str, means("A number, or of the second book the name of a board.")]
    number: int
    game: NotRequired[Annotated[str, means("Other than Connect Four.")]]
    constants: NotRequired[dict[str, int]]
    width: NotRequired[int]
    height: NotRequired[int]
    connect: NotRequired[int]
    rows: list[str] | list[list[str | None]]
    turn: str
    win_in: int
    extra: bool
    text: str


class SolvedPuzzle(Puzzle):
    """A puzzle with its solution."""

    solution: Moves
    source: str


class Book(TypedDict):
    """All puzzles."""

    puzzles: list[Puzzle]


class Try(TypedDict):
    """How a try at a puzzle stands."""

    state: Literal["open", "solved", "slipped", "missed"]
    reply: Annotated[
        int | str | None, means("The longest defence: a column, or as people write it.")
    ]
    refutation: Annotated[str | None, means("What follows a move that lets the win slip.")]
    moves_used: int
    win_in: int


class Hint(TypedDict):
    """A step towards the solution."""

    kind: Annotated[
        Literal["not", "among", "is"],
        means("First a move that does not win, then two of which one wins, then one that wins."),
    ]
    columns: Annotated[Moves, means("Columns, or moves as people write them.")]
    text: str
