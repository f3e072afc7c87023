"""What is certain of a position: exact results, and proofs to be read where the game has them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from advisor.advice.advice import Certain
from advisor.games import rooms
from advisor.games.bounds import Solved
from advisor.library import arguments
from advisor.library.positions import Position
from advisor.limits import PLAN_SECONDS
from aspcircuits import tiers
from aspcircuits.stopping import Stop


def solve(
    position: Position,
    *,
    columns: bool = False,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Solved], None] | None = None,
) -> Solved:
    """The exact result, by search to the end of the game.

    Of Connect Four it is a score, by Pascal Pons' conventions: half the number of squares that are
    empty before the winning disc, rounded up; positive if the player to move wins, negative if he
    loses, 0 for a draw. Of other games it is a win, a draw or a loss, and in how many plies.

    >>> known = advisor.solve(advisor.position("44", size=(5, 4)), columns=True)
    >>> known.score, known.outcome
    (0, 'draw')
    >>> {column: solution.score for column, solution in known.moves.items()}
    {1: -1, 2: 0, 3: -1, 4: -1, 5: -1}
    >>> hex = advisor.position(game="hex", constants={"size": 3})
    >>> advisor.solve(hex).outcome, advisor.solve(hex).plies
    ('win', 5)

    Args:
        position: of any game; of a finished one the result as it stands.
        columns: find the result of every move too.
        seconds: how long it may take; what is proved by then is returned, and the score or the
            outcome is None where that is not all.
        jobs: threads that share the work, where there is machine code; the answer is the same.
        stop: ends it likewise.

    Raises:
        InputError: a time or jobs that are none, or what is not a position.
    """
    arguments.position(position)
    in_time = arguments.stop(stop).within(arguments.time(seconds))
    jobs, room = arguments.jobs(jobs), position.game.room
    with room.serving(stop):
        return room.solve(position.state, columns, jobs, in_time, on_progress)


def certain(
    position: Position,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[Certain], None] = lambda _: None,
) -> Certain:
    """What is certain of every move, by all that is known of the game: books, proofs, a search.

    >>> known = advisor.certain(advisor.position("44", size=(5, 4)))
    >>> known.proved, known.bounds[2].score, known.bounds[1].outcome
    (True, 0, 'loss')

    Args:
        position: of any game that goes on.
        seconds: how long it may take; bounds tell what is proved by then.
        stop: ends it likewise.

    Raises:
        InputError: the game is over, or a time that is none.
    """
    arguments.going_on(position)
    in_time = arguments.stop(stop).within(arguments.time(seconds))
    game = position.abilities
    with position.game.room.serving(stop):
        known = game.certain(in_time, lambda known: on_progress(Certain(game, known)))
    return Certain(game, known)


def prove(
    position: Position,
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
    room = position.game.room
    return room.prove(
        position.state, player, by, strict, seconds, PLAN_SECONDS, arguments.stop(stop)
    )


class Plan(NamedTuple):
    """By what a solution of the game wins or holds.

    Attributes:
        rows: the board with what it plays by; none where it knows a move alone.
        rule: how to play by these, in sentences.
        now: what it plays now, in a sentence.
    """

    rows: Sequence[str]
    rule: Sequence[str]
    now: str


def plan(position: Position, *, book: bool | None = None) -> Plan | None:
    """The plan by which the solution of the game plays, where there is one.

    >>> found = advisor.plan(advisor.position())
    >>> found.now
    'Column 4 is a move of the solution: every reply is answered there.'

    Args:
        book: False goes without; by default as its weights say.
    """
    arguments.position(position)
    room = position.game.room if book is None else position.game.room.weighed(None, book)
    game = room.see(position.state)
    if position.over or (planned := game.plan()) is None:
        return None
    *rule, now = game.phrasing.plan_told(planned)
    return Plan(game.phrasing.plan_lines(planned, pointed=False), rule, now)


def prepare(serves: bool = False) -> None:
    """Loads what exact scores of Connect Four need for longest, if it is installed, beforehand.

    Args:
        serves: this process is going to answer for long, so that machine code is made after two
            seconds of work, whatever it takes to make.

    >>> advisor.prepare()
    """
    if serves:
        tiers.serve()
    rooms.prepare()
