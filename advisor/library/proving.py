"""Certain results: of a position, and of each of its moves."""

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
    """Return the exact result, by search to the end of the game.

    In Connect Four it is a score, by Pascal Pons' conventions: half the number of squares that are
    empty before the winning disc, rounded up; positive if the side to move wins, negative if it
    loses, 0 for a draw. In other games it is a win, a draw or a loss, with the number of plies.

    >>> known = advisor.solve(advisor.position("44", size=(5, 4)), columns=True)
    >>> known.score, known.outcome
    (0, 'draw')
    >>> {column: solution.score for column, solution in known.moves.items()}
    {1: -1, 2: 0, 3: -1, 4: -1, 5: -1}
    >>> hex = advisor.position(game="hex", constants={"size": 3})
    >>> advisor.solve(hex).outcome, advisor.solve(hex).plies
    ('win', 5)

    Args:
        position: of any game; a finished one has the result as it stands.
        columns: find the result of every move too.
        seconds: time limit; the function returns what is proved by then, and the score or the
            outcome is None if it is not proved.
        jobs: threads that share the work, if there is machine code; the answer is the same.
        stop: ends the search likewise.

    Raises:
        InputError: an invalid time or number of jobs, or no position.
    """
    arguments.position(position)
    in_time = arguments.stop(stop).with_limit(arguments.time(seconds))
    jobs = arguments.jobs(jobs)
    return position.game.solve(position, columns, jobs, in_time, on_progress)


def certain(
    position: Position,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
    on_progress: Callable[[Certain], None] = lambda _: None,
) -> Certain:
    """Return certain results of every move, by all knowledge of the game: books, proofs, search.

    >>> known = advisor.certain(advisor.position("44", size=(5, 4)))
    >>> known.proved, known.bounds[2].score, known.bounds[1].outcome
    (True, 0, 'loss')

    Args:
        position: of any game that goes on.
        seconds: time limit; bounds show what is proved by then.
        stop: ends the search likewise.

    Raises:
        InputError: the game is over, or an invalid time.
    """
    arguments.going_on(position)
    in_time = arguments.stop(stop).with_limit(arguments.time(seconds))
    game = position.abilities
    known = game.certain(in_time, lambda known: on_progress(Certain(game, known)))
    return Certain(game, known)


def prepare(serves: bool = False) -> None:
    """Load in advance the slowest part of Connect Four's exact scores, if it is installed.

    Args:
        serves: this process will run for long, so machine code is made after two seconds of work,
            however long that takes.

    >>> advisor.prepare()
    """
    if serves:
        tiers.serve()
    rooms.prepare()
