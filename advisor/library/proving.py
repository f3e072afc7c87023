"""What is certain of a position: exact results, and proofs to be read where the game has them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from advisor.games import rooms
from advisor.library import arguments
from advisor.limits import Stop

if TYPE_CHECKING:
    from advisor.library.positions import Position


PLAN_SECONDS = 5.0
"""To look for a plan where no time is given."""


def solve(
    position: "Position",
    *,
    columns: bool = False,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Any], None] | None = None,
) -> Any:
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
        on_progress: told what is proved so far.

    Raises:
        InputError: a time or jobs that are none, or what is not a position.
    """
    arguments.position(position)
    stop = stop or Stop()
    in_time = stop.within(arguments.time(seconds))
    jobs = arguments.jobs(jobs)
    room = position.game.room
    with room.serving(stop):
        return room.solve(position.state, columns, jobs, in_time, on_progress)


def prove(
    position: "Position",
    *,
    player: str | None = None,
    by: str | None = None,
    strict: bool = False,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Any:
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
        position: of Connect Four, its game goes on. The rules need a board of an even height with
            four in line.
        player: ``"x"`` or ``"red"``, ``"o"`` or ``"yellow"``, to prove something for this one only.
        by: ``"rules"`` or ``"plan"`` alone; by default the solution, the rules, then a plan.
        strict: of Allis' rules only what his thesis has; no plans.
        seconds: the longest to look for a proof by the rules, and then for a plan; by default the
            rules take what they take, and a plan at most 5 s.
        stop: ends the search.

    Returns:
        a `Proof` by the rules, or a `PlanProof`; `explain` tells either.

    Raises:
        InputError: neither rules nor plans cover this position, or its game has none.
        KeyboardInterrupt: `stop` was set before there was a proof.
    """
    arguments.position(position)
    arguments.time(seconds)
    state = position.state
    room = position.game.room
    return room.prove(state, player, by, strict, seconds, PLAN_SECONDS, stop or Stop())


told = rooms.told
