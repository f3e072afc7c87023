"""The answers of the class's endpoints and of those for rules that their owner edits."""

from typing import Annotated, Literal, NotRequired

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
    errors: NotRequired[Annotated[int, means("Games lost because its strategy failed.")]]


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
    """The table of a tournament, without its games; nothing before the first."""

    table: list[ClassRow]
    faults: Annotated[dict[str, list[ClassFault]], means("By name.")]
    left_out: Annotated[
        dict[str, str], means("Why players failed twice; they lost their other games.")
    ]
    not_played: Annotated[int, means("Games that an early end has left.")]
    errors: Annotated[list[str], means("Why games were lost by strategies that failed.")]


class KeptResults(ClassResults):
    """Results of a tournament as the class's folder keeps them."""

    games: NotRequired[list[ClassGame]]


class ClassGames(TypedDict):
    """Some games of a tournament."""

    games: list[ClassGame]
    pages: Annotated[int, means("Number of pages of such games.")]


class Class(TypedDict):
    """A class."""

    members: list[str]
    playing: Annotated[
        list[int] | None, means("Games that are over, and all games; null: none is played.")
    ]
    frozen: Annotated[bool, means("Whether no strategies are taken now.")]
    until: Annotated[str | None, means("When strategies are taken no more, if a time is set.")]
    listed: Annotated[bool, means("Whether only students of a list, with codes, may hand in.")]
    game: str
    edition: Annotated[str, means("Another text after each change of the table.")]


class SentTexts(TypedDict):
    """What somebody has sent."""

    time: Annotated[str, means("When it came, in UTC.")]
    error: Annotated[str, means("Why it was refused; empty if it was taken.")]
    weights: str
    rules: str


class OwnHandIn(SentTexts):
    """The last strategy that somebody has sent."""

    name: str
    versions: Annotated[int, means("Number of strategies that were taken.")]


class OwnHandIns(TypedDict):
    """What a student has handed in."""

    strategies: list[OwnHandIn]
    checking: Annotated[bool, means("Whether a strategy of this code is being checked.")]
    ahead: Annotated[int, means("Number of others that are checked before.")]


class Student(TypedDict):
    """A student, for the owner of a class."""

    name: str
    code: Annotated[str | None, means("The one of a list.")]
    plays: Annotated[bool, means("Whether a strategy takes part in the next tournament.")]
    time: Annotated[str | None, means("When the last strategy came, in UTC.")]
    versions: Annotated[int, means("Number of strategies that were taken.")]
    tries: Annotated[int, means("Number of strategies that were sent.")]
    error: Annotated[str, means("Why the last one was refused; empty if it was taken.")]
    same_text: Annotated[list[str], means("Whose files say the same.")]
    same_moves: Annotated[
        list[str], means("Who chose the same moves in all positions that were compared.")
    ]


class Overview(TypedDict):
    """All students."""

    students: list[Student]
    checking: Annotated[int, means("Strategies that are being checked, or wait for it.")]


class Version(SentTexts):
    """A strategy that a student has sent."""

    number: int


class Versions(TypedDict):
    """The strategies of a student, the newest first."""

    versions: list[Version]


class ClassFile(TypedDict):
    """A file to keep."""

    name: str
    base64: Annotated[str, means("Its content.")]


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
