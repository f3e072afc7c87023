"""The answer of the endpoint for proofs."""

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic asks for it before Python 3.12

from advisor.web.answers import Plan, Squares, means
from advisor.web.models import Player


class Proved(TypedDict):
    """Who holds at least a draw or wins."""

    player: Player
    outcome: Literal["holds", "wins"]
    first: Annotated[int | None, means("His first move, if it is his turn.")]


class Rule(TypedDict):
    """One of Allis' rules and its squares."""

    rule: str
    squares: Squares


class AnsweredLine(TypedDict):
    """A line that the opponent could still complete."""

    squares: Squares
    answered_by: Annotated[int, means("Place in 'rules', from 0.")]


class PlannedReplies(TypedDict):
    """What is played after some of the opponent's moves."""

    replies: Annotated[list[int], means("None if it is the turn of who has the plan.")]
    plan: Plan


class Proof(TypedDict):
    """The object of ``prove --json``; some keys by rules, some by a plan, 'proved' null by none."""

    proved: Proved | None
    by: NotRequired[Literal["rules", "plan"]]
    rules: NotRequired[list[Rule]]
    lines: NotRequired[list[AnsweredLine]]
    waiting: NotRequired[Squares]
    plans: NotRequired[list[PlannedReplies]]
    text: Annotated[list[str], means("The same for people, line by line.")]
