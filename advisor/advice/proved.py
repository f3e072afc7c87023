"""Advice with what a search to the end of the game proves."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from advisor.advice import facade
from advisor.advice.advice import Advice, Certain
from advisor.advice.verdict import verdict
from advisor.asp.clingo_api import Term
from advisor.games.bounds import Bounds, Solved
from advisor.limits import Stop

SECONDS = 30.0
"""For the search where no time is given."""


def exactly(
    advice: Advice,
    seconds: float,
    stop: Stop,
    jobs: int = 1,
    on_progress: Callable[[Advice], None] = lambda _: None,
) -> Advice:
    """The advice with all that is proved of its moves.

    Args:
        advice: on a game that goes on.
        seconds: for the search.
        stop: whoever sets it gets what is proved by then.
        jobs: threads.
        on_progress: called with the same as it grows.
    """

    def told(known: Solved) -> Advice:
        found = with_bounds(advice, known.moves or {}, known.position.seconds)
        return replace(found, certain=Certain(advice.game, known))

    known = advice.game.certain(stop.within(seconds), lambda known: on_progress(told(known)), jobs)
    return replace(told(known), interrupted=stop.interrupted)


def with_bounds(advice: Advice, proved: Mapping[Term, Bounds], seconds: float = 0.0) -> Advice:
    """The advice with everything that is proved about its moves; see `verdict`.

    Args:
        advice: on a game that goes on.
        proved: exact scores of its moves, or their bounds.
        seconds: what that took.
    """
    judged = verdict(advice.game, advice.moves, proved, advice.solved)
    # Of what is proved a trace would have nothing to tell.
    moves = tuple(
        m if m.score.kind == "heuristic" else replace(m, trace=None) for m in judged.moves
    )
    found = facade.told(advice.game, replace(judged, moves=moves), advice.variation)
    return replace(
        advice,
        moves=found.moves,
        chosen=found.chosen,
        score=found.score,
        variation=found.variation,
        seconds=advice.seconds + seconds,
    )
