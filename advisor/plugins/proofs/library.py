"""`advisor.prove`, `advisor.plan` and `advisor.describe_proof`: proofs to follow by eye."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from advisor.errors import InputError
from advisor.games import players
from advisor.games.connect4.board import DISCS
from advisor.games.connect4.position import BoardPosition
from advisor.games.game import Position
from advisor.library import arguments
from advisor.plugins.proofs.plans import PLAN_SECONDS, plan_text
from advisor.plugins.proofs.plans import proof as by_plans
from advisor.plugins.proofs.plans.proof import PlanProof
from advisor.plugins.proofs.victor import proof_text
from advisor.plugins.proofs.victor import prove as by_rules
from advisor.plugins.proofs.victor.plan import Proof
from advisor.plugins.proofs.victor.playout import play_out
from aspcircuits.stopping import Stop

T = TypeVar("T")

NO_PROOF = "no proof found (that says nothing about the position)"


def prove(
    position: Position,
    *,
    player: str | None = None,
    by: str | None = None,
    strict: bool = False,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Proof | PlanProof | None:
    """Find a proof, to follow by eye, that a player holds or wins; None if none is found.

    It rests on Allis' nine strategic rules, or on a plan: a number on each square, the lowest of
    which is played if there is nothing to win or to block. If the advisor's solution of 7x6
    contains the position, it is the proof.

    >>> proof = advisor.prove(advisor.position(size=(6, 6)), by="rules")
    >>> proof.player, proof.outcome
    (2, 'holds')
    >>> advisor.explain(proof)[0]
    "proved by Allis' rules: o (yellow) holds at least a draw"

    Args:
        position: of Connect Four; its game goes on. The rules need a board of an even height with
            four in line.
        player: ``"x"`` or ``"red"``, ``"o"`` or ``"yellow"``, to prove something for this player
            only.
        by: ``"rules"`` or ``"plan"`` alone; by default the solution, the rules, then a plan.
        strict: use only the rules in Allis' thesis; no plans.
        seconds: most time to look for a proof by the rules, and then for a plan; by default
            unlimited for the rules, and 5 s for a plan.
        stop: ends the search.

    Raises:
        InputError: neither rules nor plans cover this position, or its game has none.
        KeyboardInterrupt: `stop` was set before there was a proof.
    """
    arguments.position(position)
    arguments.time(seconds)
    if not isinstance(position, BoardPosition):
        raise InputError("the game has no proofs beside its exact results (solve finds them)")
    if by not in (None, "rules", "plan"):
        raise InputError(f"by: '{by}' is not a kind of proof (use rules or plan)")
    board, stop = position.board, arguments.stop(stop)
    wanted = None if player is None else players.player(player)
    found: Proof | PlanProof | None = None
    if by != "rules" and not strict:
        found = by_plans.known_proof(board, wanted)
    if by != "plan" and found is None:
        found = _find_in_time(by_rules.prove, board, strict, wanted, stop=stop.with_limit(seconds))
    if found is None and (by == "plan" or (by is None and not strict)):
        in_time = stop.with_limit(PLAN_SECONDS if seconds is None else seconds)
        found = _find_in_time(by_plans.look_for, board, wanted, stop=in_time)
    return found


def describe_proof(found: Any, check: bool = False) -> tuple[dict[str, Any], list[str]]:
    """Return a proof as JSON, and as lines for people.

    >>> advisor.describe_proof(None)
    ({'proved': None}, ['no proof found (that says nothing about the position)'])

    Args:
        found: the proof; None if there is none.
        check: play it out against every reply of the opponent, if possible.

    Raises:
        InputError: it is no proof.
    """
    if found is None:
        return {"proved": None}, [NO_PROOF]
    if isinstance(found, PlanProof):
        how, lines = plan_text.source(found), plan_text.report(found)
        data = plan_text.proof_json(found)
        played = by_plans.check(found) if check else None
    elif isinstance(found, Proof):
        how, lines, data = "by Allis' rules", proof_text.report(found), proof_text.to_json(found)
        played = play_out(found) if check else None
    else:
        kind = Position if isinstance(found, Position) else type(found)
        raise InputError(f"a {kind.__name__} is neither advice nor a proof")
    result = "wins" if found.outcome == "wins" else "holds at least a draw"
    begin = "" if found.first is None else f", beginning with column {found.first}"
    lines = [f"proved {how}: {players.player_label(found.player)} {result}{begin}", *lines]
    proved = {"player": DISCS[found.player], "outcome": found.outcome, "first": found.first}
    data = {"proved": proved, **data}
    if played is not None:
        lines += ["", played.result_text]
        data["check"] = played.to_json()
    return data, lines


class Plan(NamedTuple):
    """A plan of the solution, for one position.

    >>> advisor.plan(advisor.position()).now
    'Column 4 is a move of the solution: every reply is answered there.'

    Attributes:
        rows: the board with the plan's numbers; none if the solution has only a move here.
        rule: how to play by these, in sentences.
        now: its move now, in a sentence.
    """

    rows: Sequence[str]
    rule: Sequence[str]
    now: str


def plan(position: Position, *, book: bool | None = None) -> Plan | None:
    """Return the plan by which the solution of the game plays, None if it has none here.

    >>> found = advisor.plan(advisor.position())
    >>> found.now
    'Column 4 is a move of the solution: every reply is answered there.'

    Args:
        book: False: without the solution; by default as its weights say.
    """
    arguments.position(position)
    game = position.game if book is None else position.game.with_weights(None, book)
    if position.over or (planned := game.see(position).plan()) is None:
        return None
    *rule, now = planned.sentences()
    return Plan(planned.picture(pointed=False), rule, now)


def _find_in_time(look: Callable[..., T | None], *arguments: Any, stop: Stop) -> T | None:
    """Look for a proof until the time is up."""
    try:
        return look(*arguments, stop=stop)
    except KeyboardInterrupt:
        if stop.is_interrupted:
            raise
        return None
