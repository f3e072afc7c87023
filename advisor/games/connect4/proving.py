"""Proofs that a player holds or wins, to be followed by eye: by the solution, rules or plans."""

from collections.abc import Callable
from typing import Any, TypeVar

from advisor.errors import InputError
from advisor.games import players
from advisor.games.connect4.board import Board
from advisor.games.connect4.plans import proof as plans
from advisor.games.connect4.plans import proof_text as plan_proof_text
from advisor.games.connect4.plans.proof import PlanProof
from advisor.games.connect4.victor import proof_text
from advisor.games.connect4.victor import prove as by_rules
from advisor.games.connect4.victor.plan import Proof
from advisor.games.connect4.victor.playout import play_out
from advisor.limits import Stop

T = TypeVar("T")


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
    if isinstance(found, PlanProof):
        tried = plans.check(found) if check else None
        return plan_proof_text.to_json(found, tried), plan_proof_text.report(found, tried)
    if found is not None and not isinstance(found, Proof):
        raise InputError(f"a {type(found).__name__} is neither advice nor a proof")
    played = play_out(found) if check and found else None
    return proof_text.to_json(found, played), proof_text.report(found, played)


def _in_time(look: Callable[..., T | None], *arguments: Any, stop: Stop) -> T | None:
    """What is found before the time is up."""
    try:
        return look(*arguments, stop=stop)
    except KeyboardInterrupt:
        if stop.interrupted:
            raise
        return None
