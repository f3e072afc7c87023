"""Advice and the exact engine: everything that a search to the end of the game can prove."""

from collections.abc import Callable
from dataclasses import replace

from advisor.advice.advise import Advice, MoveAdvice, proved_score
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Position
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.solver import Solution, Solver, undominated
from advisor.limits import Stop

SECONDS = 30.0
"""For the exact engine where no time is given."""


def exactly(
    advice: Advice,
    seconds: float,
    stop: Stop,
    solver: Solver | None = None,
    jobs: int = 1,
    on_progress: Callable[[Exact], None] | None = None,
) -> tuple[Advice, bool]:
    """The advice with all that the exact engine proves of its moves, and whether that is all.

    Args:
        advice: any; one on a finished game stays as it is.
        seconds: for the engine.
        stop: whoever sets it gets what is proved by then.
        solver, jobs, on_progress: see `exact.solve`.
    """
    if not advice.best:
        return advice, True
    in_time = stop.within(seconds)
    known = exact.solve(
        advice.position,
        columns=True,
        stop=in_time,
        solver=solver,
        jobs=jobs,
        on_progress=on_progress,
    )
    found = replace(with_exact(advice, known), interrupted=stop.interrupted)
    return found, known.proved


def hint(advice: Advice) -> str | None:
    """One line on how to get a faster engine for this board, None if there is nothing to get."""
    return exact.install_hint(advice.position)


def with_exact(advice: Advice, known: Exact) -> Advice:
    """The advice with everything that is proved about its moves.

    The best moves are then those with the best exact score, if every column's is known. Otherwise
    they are those of the advice than which none is proved to be better; if that is none of them,
    all moves of which it holds.

    Args:
        advice: on a game that goes on.
        known: exact scores of the same position and its columns, or their bounds.
    """
    if known.columns is None:
        raise ValueError("the exact scores of the columns are missing")
    solutions = known.columns
    position = advice.position
    moves = tuple(_with_score(position, move, solutions[move.column]) for move in advice.moves)
    if known.proved:
        top = max(solution.lower for solution in solutions.values())
        good = [column for column, solution in solutions.items() if solution.lower == top]
    else:
        undoubted = undominated(solutions)
        good = [column for column in advice.best if column in undoubted] or undoubted
    totals = {move.column: move.total for move in moves}
    best = tuple(sorted(good, key=lambda column: (-totals[column], column)))
    first = next(move for move in moves if move.column == best[0])
    kept = advice.variation[:1] == best[:1]
    return replace(
        advice,
        moves=moves,
        best=best,
        score=first.score,
        variation=advice.variation if kept else best[:1],
        seconds=advice.seconds + known.position.seconds,
    )


def _with_score(position: Position, move: MoveAdvice, known: Solution) -> MoveAdvice:
    """The move with what is proved of it, where a trace would have nothing to tell."""
    score = proved_score(position, known, move.score)
    return replace(move, score=score, trace=move.trace if score.kind == "heuristic" else None)
