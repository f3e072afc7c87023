"""Results that are certain: of a position, and of each of its moves."""

from collections.abc import Callable

from advisor.advice.advice import Certain
from advisor.games import rooms
from advisor.games.bounds import Solved
from advisor.games.game import Position
from advisor.library import arguments
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
    jobs = arguments.jobs(jobs)
    return position.game.solve(position, columns, jobs, in_time, on_progress)


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
    known = game.certain(in_time, lambda known: on_progress(Certain(game, known)))
    return Certain(game, known)


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
