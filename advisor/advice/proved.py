"""Advice and the exact engine: everything that a search to the end of the game can prove."""

from collections.abc import Callable
from dataclasses import replace

from advisor.advice.advice import Advice
from advisor.advice.verdict import verdict
from advisor.games.connect4 import exact, openings
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.solver import Solver
from advisor.limits import Stop

SECONDS = 30.0
"""For the exact engine where no time is given."""


def exactly(
    advice: Advice,
    seconds: float,
    stop: Stop,
    solver: Solver | None = None,
    jobs: int = 1,
    on_progress: Callable[[Advice, Exact], None] | None = None,
) -> tuple[Advice, Exact]:
    """The advice with all that the exact engine proves of its moves, and what that is.

    Args:
        advice: on a game that goes on.
        seconds: for the engine.
        stop: whoever sets it gets what is proved by then.
        solver, jobs: see `exact.solve`.
        on_progress: called with the same as it grows.
    """

    def tell(known: Exact) -> None:
        if on_progress is not None:
            on_progress(with_exact(advice, known), known)

    known = openings.scores(advice.position) or exact.solve(
        advice.position,
        columns=True,
        stop=stop.within(seconds),
        solver=solver,
        jobs=jobs,
        on_progress=tell,
    )
    return replace(with_exact(advice, known), interrupted=stop.interrupted), known


def hint(advice: Advice) -> str | None:
    """One line on how to get a faster engine for this board, None if there is nothing to get."""
    return exact.install_hint(advice.position)


def with_exact(advice: Advice, known: Exact) -> Advice:
    """The advice with everything that is proved about its moves; see `verdict`.

    Args:
        advice: on a game that goes on.
        known: exact scores of the same position and its columns, or their bounds.
    """
    if known.columns is None:
        raise ValueError("the exact scores of the columns are missing")
    judged = verdict(advice.position, advice.moves, known.columns, advice.solved)
    # Of what is proved a trace would have nothing to tell.
    moves = tuple(
        m if m.score.kind == "heuristic" else replace(m, trace=None) for m in judged.moves
    )
    first = next(move for move in moves if move.move == judged.best[0])
    kept = advice.variation[:1] == judged.best[:1]
    return replace(
        advice,
        moves=moves,
        chosen=judged.best,
        score=first.score,
        variation=advice.variation if kept else judged.best[:1],
        seconds=advice.seconds + known.position.seconds,
    )
