"""Advice on a position of any game, and its reasons."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from advisor.advice import any_game
from advisor.advice.advice import Advice
from advisor.games import rooms
from advisor.library import arguments
from advisor.limits import Stop

if TYPE_CHECKING:
    from advisor.library.positions import Position


def suggest(
    position: "Position",
    *,
    depth: int | None = None,
    seconds: float | None = None,
    weights: str | os.PathLike[str] | None = None,
    book: bool | None = None,
    traced: bool = True,
    at_once: bool = False,
    seed: int | None = 1,
    go_on: bool = False,
    jobs: int = 1,
    stop: Stop | None = None,
    on_iteration: Callable[[Advice], None] | None = None,
) -> Advice:
    """What to play, and what every move is worth to the player to move.

    >>> a = advisor.suggest(advisor.position("363224242233"), depth=4)
    >>> a.best, a.score.kind
    ((4,), 'heuristic')
    >>> a.scores[5].kind, a.scores[5].moves
    ('loss', 2)
    >>> t = advisor.position("a1 b2 a2 c3", game="tictactoe")
    >>> advisor.suggest(t, depth=9).best
    ('a3',)

    Args:
        position: of any game; a finished one has its result alone.
        depth: plies to look ahead; 0 asks for the answer set of the position alone. By default
            that of the weights.
        seconds: look as deep as this time allows, or no longer than this to the depth given.
        weights: a preset or a weights file, in place of those that the game was loaded with. A
            game by its rules is then loaded anew, which `load_game` does once for many questions.
        book: keep to the opening books, the advisor's and that of the extra ``exact``, and to the
            solution of the board; by default unless the weights are your own.
        traced: find out where each score comes from, which `explain` tells; quicker without.
        at_once: do not look ahead where a solution of the game wins; other moves are told of only
            where an opening book knows them.
        seed: of random games, where a game has no weights; None for others each time.
        go_on: random games are put where those of earlier questions about the game are.
        jobs: threads that share the work, where there is machine code; the answer is the same,
            but for random games, which threads put into one tree as they come.
        stop: whoever sets it, from another thread, gets what is known by then.
        on_iteration: told of every completed depth, as an advice on what it has seen.

    Raises:
        ConfigError, EncodingError: weights or encodings that cannot be used.
        InputError: what does not go with such a position, or a depth, a time, jobs, a seed or
            weights that are none.
        KeyboardInterrupt: `stop` was set before anything was known.
    """
    arguments.position(position)
    limit = arguments.limit(depth, seconds)
    jobs = arguments.jobs(jobs)
    seed = None if seed is None else arguments.whole("seed", seed, 0, 2**64 - 1)
    named = None if weights is None else arguments.path("weights", weights)
    room = position.game.room
    if named is not None or book is not None:
        room = room.weighed(named, book)
    with room.serving(stop):
        return any_game.advise(
            room.abilities(position.state),
            limit.otherwise(room.settings.depth),
            seed,
            stop=stop,
            traced=traced,
            jobs=jobs,
            go_on=go_on,
            at_once=at_once,
            on_iteration=on_iteration,
        )


def explain(said: Any) -> list[str]:
    """Advice in paragraphs, a proof line by line, for people.

    >>> p = advisor.position("443355")
    >>> advisor.explain(advisor.suggest(p, depth=4))[0]
    'Column 2 wins at once: red completes a line on b1-e1.'

    Args:
        said: with `traced`, if reasons are to be told; of a finished game there are none. None is
            what `prove` gives where it has found nothing.

    Raises:
        InputError: neither advice nor a proof.
    """
    if isinstance(said, Advice):
        from advisor.advice import explain

        with said.game.serving():
            return explain.explain(said) if said.chosen else []
    return rooms.told(said)[1]
