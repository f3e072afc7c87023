"""What is certain of a position: exact results, and of Connect Four proofs to be read."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from advisor.errors import InputError
from advisor.games import players
from advisor.games.connect4 import exact
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.plans import proof as plans
from advisor.games.connect4.plans.proof import PlanProof
from advisor.games.connect4.victor import prove as by_rules
from advisor.games.connect4.victor.plan import Proof
from advisor.library import arguments
from advisor.library.positions import Board
from advisor.limits import Stop

if TYPE_CHECKING:
    from advisor.games.solving import Solved
    from advisor.library.games import State

T = TypeVar("T")

PLAN_SECONDS = 5.0
"""To look for a plan where no time is given."""


@overload
def solve(
    position: Board,
    *,
    columns: bool = False,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Exact], None] | None = None,
) -> Exact: ...


@overload
def solve(
    position: "State",
    *,
    columns: bool = False,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
) -> "Solved": ...


def solve(
    position: "Board | State",
    *,
    columns: bool = False,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Exact], None] | None = None,
) -> "Exact | Solved":
    """The exact result, by search to the end of the game.

    Of Connect Four it is a score, by Pascal Pons' conventions: half the number of squares that are
    empty before the winning disc, rounded up; positive if the player to move wins, negative if he
    loses, 0 for a draw. Of other games it is a win, a draw or a loss, and in how many plies.

    >>> known = advisor.solve(advisor.position("44", size=(5, 4)), columns=True)
    >>> known.score, known.outcome
    (0, 'draw')
    >>> {column: solution.score for column, solution in known.columns.items()}
    {1: -1, 2: 0, 3: -1, 4: -1, 5: -1}
    >>> hex = advisor.position(game="hex", constants={"size": 3})
    >>> advisor.solve(hex).result
    Result(outcome='win', plies=5)

    Args:
        position: of any game; of a finished one the result as it stands.
        columns: find the result of every move too.
        seconds: how long it may take; what is proved by then is returned, and the score or the
            outcome is None where that is not all.
        jobs: threads that share the work, where there is machine code; the answer is the same.
        stop: ends it likewise.
        on_progress: told what is proved so far (Connect Four).

    Raises:
        InputError: a time or jobs that are none, or what is not a position.
    """
    arguments.position(position)
    in_time = (stop or Stop()).within(arguments.time(seconds))
    jobs = arguments.jobs(jobs)
    if isinstance(position, Board):
        return exact.solve(
            position.bitboards, columns=columns, stop=in_time, jobs=jobs, on_progress=on_progress
        )
    from advisor.games import solving
    from advisor.library.games import served

    if on_progress is not None:
        raise InputError("on_progress is for Connect Four")
    with served(position.game.circuits, stop):
        return solving.solve(position.playing, columns, jobs, in_time)


def prove(
    position: Board,
    *,
    player: str | None = None,
    by: str | None = None,
    strict: bool = False,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Proof | PlanProof | None:
    """A proof, to be followed by eye, that a player holds or wins; None if none is found.

    It rests on Allis' nine strategic rules, or on a plan: a number on each square, the lowest of
    which is played where nobody can win or has to block. Where the solution of 7x6 that comes with
    the advisor knows the position, the proof is that.

    >>> proof = advisor.prove(advisor.position(size=(6, 6)), by="rules")
    >>> proof.player, proof.outcome
    (2, 'holds')
    >>> advisor.explain(proof)[0]
    "proved by Allis' rules: o (yellow) holds at least a draw"

    Args:
        position: its game goes on. The rules need a board of an even height with four in line.
        player: ``"x"`` or ``"red"``, ``"o"`` or ``"yellow"``, to prove something for this one only.
        by: ``"rules"`` or ``"plan"`` alone; by default the solution, the rules, then a plan.
        strict: of Allis' rules only what his thesis has; no plans.
        seconds: the longest to look for a proof by the rules, and then for a plan; by default the
            rules take what they take, and a plan at most 5 s.
        stop: ends the search.

    Returns:
        a `Proof` by the rules, or a `PlanProof`; `explain` tells either.

    Raises:
        InputError: neither rules nor plans cover this position.
        KeyboardInterrupt: `stop` was set before there was a proof.
    """
    arguments.position(position)
    if not isinstance(position, Board):
        raise InputError("proofs are for Connect Four alone")
    if by not in (None, "rules", "plan"):
        raise InputError(f"by: '{by}' is not a kind of proof (use rules or plan)")
    wanted = None if player is None else players.player(player)
    arguments.time(seconds)
    stop = stop or Stop()
    now = position.bitboards
    found: Proof | PlanProof | None = None
    if by != "rules" and not strict:
        found = plans.known(now, wanted)
    if by != "plan" and found is None:
        found = _in_time(by_rules.prove, now, strict, wanted, stop=stop.within(seconds))
    if found is None and (by == "plan" or (by is None and not strict)):
        in_time = stop.within(PLAN_SECONDS if seconds is None else seconds)
        found = _in_time(plans.look_for, now, wanted, stop=in_time)
    return found


def _in_time(look: Callable[..., T | None], *arguments: Any, stop: Stop) -> T | None:
    """What is found before the time is up."""
    try:
        return look(*arguments, stop=stop)
    except KeyboardInterrupt:
        if stop.interrupted:
            raise
        return None
