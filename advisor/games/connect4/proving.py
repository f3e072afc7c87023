"""Proofs that a player holds or wins, to be followed by eye: by the solution, rules or plans."""

from collections.abc import Callable
from typing import Any, TypeVar

from advisor.errors import InputError
from advisor.games import players
from advisor.games.connect4.board import DISCS, Board
from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.plans import proof as plans
from advisor.games.connect4.plans.proof import Continuation, PlanProof
from advisor.games.connect4.victor import proof_text
from advisor.games.connect4.victor import prove as by_rules
from advisor.games.connect4.victor.plan import Proof
from advisor.games.connect4.victor.playout import play_out
from advisor.games.connect4.wording import columns_text
from aspcircuits.stopping import Stop

T = TypeVar("T")

NO_PROOF = "no proof found (that says nothing about the position)"


def prove(
    position: Board,
    player: str | None,
    by: str | None,
    strict: bool,
    seconds: float | None,
    usual: float,
    stop: Stop,
) -> Proof | PlanProof | None:
    """See `advisor.games.room.Room`.

    Args:
        by: "rules" or "plan" alone; by default the solution, the rules, then a plan.
        strict: of Allis' rules only what his thesis has; no plans.
        seconds: the longest for the rules, and then for a plan.
        usual: for a plan where no time is given.

    Raises:
        InputError: neither rules nor plans cover this position.
        KeyboardInterrupt: `stop` was set before there was a proof.
    """
    if by not in (None, "rules", "plan"):
        raise InputError(f"by: '{by}' is not a kind of proof (use rules or plan)")
    wanted = None if player is None else players.player(player)
    found: Proof | PlanProof | None = None
    if by != "rules" and not strict:
        found = plans.known(position, wanted)
    if by != "plan" and found is None:
        found = _in_time(by_rules.prove, position, strict, wanted, stop=stop.within(seconds))
    if found is None and (by == "plan" or (by is None and not strict)):
        in_time = stop.within(usual if seconds is None else seconds)
        found = _in_time(plans.look_for, position, wanted, stop=in_time)
    return found


def told(found: Any, check: bool = False) -> tuple[dict[str, Any], list[str]]:
    """A proof as JSON, and in lines for people.

    Args:
        found: None for none.
        check: play it out against all that the opponent can do, if that is possible.

    Raises:
        InputError: it is no proof.
    """
    if found is None:
        return {"proved": None}, [NO_PROOF]
    if isinstance(found, PlanProof):
        how, lines, data = _how(found), _plans(found), _plans_json(found)
        played = plans.check(found) if check else None
    elif isinstance(found, Proof):
        how, lines, data = "by Allis' rules", proof_text.report(found), proof_text.to_json(found)
        played = play_out(found) if check else None
    else:
        raise InputError(f"a {type(found).__name__} is neither advice nor a proof")
    result = "wins" if found.outcome == "wins" else "holds at least a draw"
    begin = "" if found.first is None else f", beginning with column {found.first}"
    lines = [f"proved {how}: {players.named(found.player)} {result}{begin}", *lines]
    proved = {"player": DISCS[found.player], "outcome": found.outcome, "first": found.first}
    data = {"proved": proved, **data}
    if played is not None:
        lines += ["", played.told]
        data["check"] = played.to_json()
    return data, lines


def _how(proof: PlanProof) -> str:
    plan = proof.answers[0].step.plan
    if plan is None or plan.name:
        return "by the solution"
    return "by a plan" if len({answer.step.plan for answer in proof.answers}) == 1 else "by plans"


def _plans(proof: PlanProof) -> list[str]:
    """What is played without a plan; then each plan."""
    alone = [_move(answer) for answer in proof.answers if answer.step.plan is None]
    lines = ["", *alone] if alone else []
    for answer in proof.answers:
        lines += _plan(proof, answer)
    return lines


def _move(answer: Continuation) -> str:
    if not answer.replies:
        return plan_text.now(answer.step, answer.position)
    told = plan_text.short(answer.step, answer.position)
    return f"After {columns_text(answer.replies, 'or')}: column {answer.step.column}, {told}."


def _plan(proof: PlanProof, answer: Continuation) -> list[str]:
    """A plan, if it is one: which replies it answers, its picture and its rules."""
    step, shown, replies = answer.step, proof.position, answer.replies
    if step.plan is None:
        return []
    after = [f"After {columns_text(replies, 'or')}:", ""] if len(proof.answers) > 1 else []
    picture = plan_text.picture(step.plan, shown, None if replies else step.column)
    turn = f"It is {players.COLOURS[3 - proof.player]}'s turn."
    last = turn if replies else plan_text.now(step, shown)
    return ["", *after, *picture, "", " ".join([*plan_text.rule(step.plan), last])]


def _plans_json(proof: PlanProof) -> dict[str, Any]:
    """See `plan_text.to_json`."""
    told = [
        {"replies": list(each.replies), "plan": plan_text.to_json(each.step, each.position)}
        for each in proof.answers
    ]
    return {"by": "plan", "plans": told}


def _in_time(look: Callable[..., T | None], *arguments: Any, stop: Stop) -> T | None:
    """What is found before the time is up."""
    try:
        return look(*arguments, stop=stop)
    except KeyboardInterrupt:
        if stop.interrupted:
            raise
        return None
