"""Advice as people ask for it: without features random games decide what is not certain."""

from collections.abc import Callable

import numpy as np

from advisor.advice import facade
from advisor.advice.advice import Advice
from advisor.asp.clingo_api import Term
from advisor.errors import InputError
from advisor.games.abilities import Abilities
from advisor.limits import Limit, Stop

DEFAULT = Limit(seconds=1.0)
"""How long a move may take, unless told otherwise."""


def advise(
    game: Abilities,
    limit: Limit,
    rng: np.random.Generator | int | None = None,
    stop: Stop | None = None,
    traced: bool = False,
    alike: bool = False,
    jobs: int = 1,
    asked: Term | None = None,
    go_on: bool = False,
    at_once: bool = False,
    on_iteration: Callable[[Advice], None] | None = None,
) -> Advice:
    """What to play in a position; of a finished game only its result is told.

    Args:
        game: the position, and what its game can do there.
        limit: of depth and time; `DEFAULT` if it has none. A depth of 0 asks the strategies alone;
            any other one is a few plies more where the game says ``deeper/1``. Random games go on
            as long as there is time; where a depth is given, it is a fixed number of them that
            time may cut short.
        rng: what is random, or the seed of it; None for others each time.
        stop: ends the thinking with what is known by then.
        traced, alike: see `facade.advise`.
        jobs: threads, see `advisor.engine.search.search`; where time is the limit they share a tree
            of random games, which is another one each time, too.
        asked: a move to be looked at as much as the best one.
        go_on: a tree of random games keeps what earlier questions about the game have put there.
        at_once, on_iteration: see `facade.advise`.

    Raises:
        InputError: a depth of 0 in a game without strategies.
    """
    limit = DEFAULT if limit == Limit() else limit
    if limit.depth == 0 and not game.strategic:
        raise InputError("--depth 0 asks strategies, and this game has none (use 1 or more)")
    guesses, looking, stop = None, None, stop or Stop()
    if game.by_chance is not None:
        from advisor.advice.random_games import Guesses  # which most positions do without

        in_time, rng = stop.within(limit.seconds), np.random.default_rng(rng)
        guesses = Guesses(game, limit, rng, in_time, jobs, asked, go_on)
        looking = guesses.looking
    return facade.advise(
        game,
        limit,
        traced=traced,
        alike=alike,
        at_once=at_once,
        jobs=jobs,
        stop=stop,
        on_iteration=on_iteration,
        looking=looking,
        guesses=guesses,
    )
