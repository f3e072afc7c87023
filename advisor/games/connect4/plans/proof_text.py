"""A proof by plans in sentences, as pictures, and as JSON. No colours, no printing."""

from typing import Any

from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.plans.proof import Continuation, PlanProof
from advisor.games.connect4.plans.trial import ProvedPlan
from advisor.games.connect4.victor.playout import PlayOut
from advisor.games.connect4.wording import columns_text, proved_json, proved_text
from advisor.games.players import COLOURS


def report(proof: PlanProof, played: PlayOut | None = None) -> list[str]:
    """Everything that is to be said, line by line."""
    lines = [verdict(proof)]
    if alone := [_move(answer) for answer in proof.answers if answer.step.plan is None]:
        lines += ["", *alone]
    for answer in proof.answers:
        if answer.step.plan is not None:
            lines += ["", *_told(proof, answer, answer.step.plan)]
    if played is not None:
        lines += ["", played.text("the solution won {}")]
    return lines


def verdict(proof: PlanProof) -> str:
    """Who is proved to hold or to win, by what, and his first move if it is his turn."""
    plan = proof.answers[0].step.plan
    if plan is None or plan.name:
        how = "by the solution"
    else:
        how = "by a plan" if len({a.step.plan for a in proof.answers}) == 1 else "by plans"
    return proved_text(how, proof.player, proof.outcome, proof.first)


def to_json(proof: PlanProof, played: PlayOut | None = None) -> dict[str, Any]:
    """The proof as plain data; see `plan_text.to_json`."""
    data: dict[str, Any] = {
        "proved": proved_json(proof.player, proof.outcome, proof.first),
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
        data["check"] = {**played.to_json(), "holds": played.failure is None}
    return data


def _move(answer: Continuation) -> str:
    """What is played without a plan."""
    if not answer.replies:
        return plan_text.now(answer.step, answer.position)
    told = plan_text.short(answer.step, answer.position)
    return f"After {columns_text(answer.replies, 'or')}: column {answer.step.column}, {told}."


def _told(proof: PlanProof, answer: Continuation, plan: ProvedPlan) -> list[str]:
    """A plan: which replies it answers, its picture and its rules."""
    step, shown, replies = answer.step, proof.position, answer.replies
    after = [f"After {columns_text(replies, 'or')}:", ""] if len(proof.answers) > 1 else []
    picture = plan_text.picture(plan, shown, None if replies else step.column)
    last = f"It is {COLOURS[3 - proof.player]}'s turn." if replies else plan_text.now(step, shown)
    return [*after, *picture, "", " ".join([*plan_text.rule(plan), last])]
