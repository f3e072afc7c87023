"""A proof by plans in sentences, as pictures, and as JSON. No colours, no printing."""

from collections.abc import Sequence
from typing import Any

from advisor.games.connect4.board import DISCS, Position
from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.plans.following import Plan
from advisor.games.connect4.plans.proof import Answer, Checked, PlanProof
from advisor.games.players import COLOURS, named


def report(proof: PlanProof, played: Checked | None = None) -> list[str]:
    """Everything that is to be said, line by line."""
    lines = [verdict(proof)]
    alone = [_move(answer) for answer in proof.answers if answer.step.plan is None]
    lines += ["", *alone] if alone else []
    for answer in proof.answers:
        if answer.step.plan is not None:
            lines += ["", *_told(proof, answer, answer.step.plan)]
    if played is not None:
        lines += ["", check_line(played)]
    return lines


def verdict(proof: PlanProof) -> str:
    """Who is proved to hold or to win, by what, and his first move if it is his turn."""
    result = "holds at least a draw" if proof.hold else "wins"
    step = proof.answers[0].step
    begin = f", beginning with column {step.column}" if not proof.answers[0].replies else ""
    if step.plan is None or step.plan.name:
        how = "by the solution"
    else:
        how = "by a plan" if len({a.step.plan for a in proof.answers}) == 1 else "by plans"
    return f"proved {how}: {named(proof.player)} {result}{begin}"


def check_line(played: Checked) -> str:
    """What came out when the plans were played out."""
    if not played.right:
        return "checked: the plan FAILED"
    if played.exhaustive:
        return f"checked: the plan holds against every reply ({played.count:,} positions)"
    return f"checked: the solution won {played.count} games against random replies"


def to_json(proof: PlanProof, played: Checked | None = None) -> dict[str, Any]:
    """The proof as plain data; see `plan_text.to_json`."""
    first = proof.answers[0]
    data: dict[str, Any] = {
        "proved": {
            "player": DISCS[proof.player],
            "outcome": "holds" if proof.hold else "wins",
            "first": None if first.replies else first.step.column,
        },
        "by": "plan",
        "plans": [
            {
                "replies": list(answer.replies),
                "plan": plan_text.to_json(answer.step, answer.position),
            }
            for answer in proof.answers
        ],
    }
    if played is not None:
        data["check"] = {
            "exhaustive": played.exhaustive,
            "positions" if played.exhaustive else "games": played.count,
            "holds": played.right,
        }
    return data


def _move(answer: Answer) -> str:
    """What is played without a plan."""
    if not answer.replies:
        return plan_text.now(answer.step, answer.position)
    told = plan_text.short(answer.step, answer.position)
    return f"After {_columns(answer.replies)}: column {answer.step.column}, {told}."


def _told(proof: PlanProof, answer: Answer, plan: Plan) -> list[str]:
    """A plan: which replies it answers, its picture and its rules."""
    step = answer.step
    lines = []
    shown: Position = proof.position
    if len(proof.answers) > 1:
        lines += [f"After {_columns(answer.replies)}:", ""]
    lines += [*plan_text.picture(plan, shown, None if answer.replies else step.column), ""]
    told = plan_text.rule(step, shown)
    if answer.replies:
        other = COLOURS[3 - proof.player]
        told.append(f"It is {other}'s turn.")
    else:
        told.append(plan_text.now(step, shown))
    return [*lines, " ".join(told)]


def _columns(columns: Sequence[int]) -> str:
    *most, last = map(str, columns)
    return f"columns {', '.join(most)} or {last}" if most else f"column {last}"
