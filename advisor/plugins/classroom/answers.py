"""The answers of the class's endpoints and of those for rules that their owner edits."""

from typing import Annotated, Literal, NotRequired, Required

from typing_extensions import TypedDict  # pydantic requires it before Python 3.12

from advisor.web.answers import Why, means


class Done(TypedDict):
    """Nothing to tell but that it is done."""


class ExampleFiring(TypedDict):
    """A strategy in the class's example position."""

    strategy: str
    why: Annotated[Why, means("Why it fires there, or why it does not.")]


class HandedIn(TypedDict):
    """A strategy that was taken."""

    example: Annotated[str, means("The moves that lead to the class's example position.")]
    fires: Annotated[list[ExampleFiring], means("The strategies of the rules that came with it.")]


class ClassRow(TypedDict):
    """A line of a class's table."""

    place: int
    name: str
    share: Annotated[float, means("Share of the points of its games, which sorts the table.")]
    points: float
    games: int
    wins: int
    draws: int
    losses: int


class ClassGame(TypedDict):
    """A game of a tournament."""

    first: str
    second: str
    moves: str
    points: Annotated[float, means("Points of the player who began: 1, 0.5 or 0.")]
    error: NotRequired[Annotated[str, means("Why the loser could not go on.")]]


class ClassFault(TypedDict):
    """One of the worst moves of a player's first lost game."""

    ply: int
    move: str
    grade: str
    better: list[int | str]
    moves: Annotated[str, means("Those before it.")]
    against: str


class ClassResults(TypedDict, total=False):
    """Results of the last tournament; nothing before the first."""

    table: list[ClassRow]
    games: list[ClassGame]
    faults: Annotated[dict[str, list[ClassFault]], means("By name.")]
    left_out: Annotated[
        dict[str, str], means("Why players failed twice; they lost their other games.")
    ]
    not_played: Annotated[int, means("Games that an early end has left.")]


class Class(ClassResults):
    """A class."""

    members: Required[list[str]]
    playing: Required[
        Annotated[
            list[int] | None, means("Games that are over, and all games; null: none is played.")
        ]
    ]
    frozen: Required[Annotated[bool, means("Whether no strategies are taken now.")]]


class OwnFile(TypedDict):
    """A file of rules that their owner edits."""

    name: str
    text: str
    seen: Annotated[str, means("Tells this text from others; empty if there is no file.")]


class OwnFiles(TypedDict):
    """The files that the owner of a game may edit."""

    files: list[OwnFile]


class FiredRule(TypedDict):
    """A rule that fires in a position."""

    rule: str
    kind: Literal["strategy", "feature"]
    player: str
    where: str
    reasons: list[str]


class Checked(TypedDict):
    """Rules that can be used."""

    warnings: Annotated[list[str], means("Likely mistakes.")]
    fired: list[FiredRule]


class FiringPosition(TypedDict):
    """A position in which a rule fires."""

    position: str
    player: str
    where: str


class RuleUse(TypedDict):
    """How a rule was used in games."""

    rule: str
    kind: Literal["strategy", "feature"]
    weight: int
    times: int
    positions: int
    points: float | None
    examples: list[FiringPosition]


class Fires(TypedDict):
    """The object of ``fires --json``."""

    games: int
    positions: int
    rules: list[RuleUse]
