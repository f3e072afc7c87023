"""Exact scores of the positions of a game, from its end backwards, and lines that they lead to.

What is proved of later positions helps with earlier ones, and the last ones take no time at all.
Each position gets half of the time that is left, so that the first ones, which nobody can solve in
time, do not take it all.
"""

from collections.abc import Mapping

from advisor.games.bounds import Bounds, settled
from advisor.games.connect4 import exact, openings
from advisor.games.connect4.board import Position
from advisor.games.connect4.solver import Solver, known_bounds
from advisor.limits import Stop

_LEAST = 0.002
"""Seconds below which a search is not begun."""


def scores(position: Position, solver: Solver, stop: Stop) -> dict[int, Bounds]:
    """What is proved of every move of a position, for who makes it; at least its bounds.

    Args:
        position: its game goes on.
        solver: of its board, with all that it has proved.
        stop: half of the time until then is for this position.
    """
    if known := openings.known(position):
        return dict(sorted(known.items()))
    if position.dead:
        return dict.fromkeys(sorted(position.moves()), Bounds(0, 0))
    if stop.seconds_left < _LEAST:
        return {c: -known_bounds(position.after(c)) for c in sorted(position.moves())}
    share = stop if stop.seconds_left == float("inf") else stop.within(stop.seconds_left / 2)
    return exact.solve(position, columns=True, stop=share, solver=solver).columns or {}


def line(position: Position, solver: Solver, stop: Stop, most: int) -> tuple[int, ...]:
    """Best play by both sides, as far as it is proved in time.

    Args:
        position: where it begins.
        solver, stop: see `scores`.
        most: moves of it.
    """
    moves: list[int] = []
    while position.result() is None and len(moves) < most:
        column = _best(position, scores(position, solver, stop))
        if column is None:
            break
        moves.append(column)
        position = position.after(column)
    return tuple(moves)


def _best(position: Position, known: Mapping[int, Bounds]) -> int | None:
    """A move that nothing can be better than, the most central of them; None if none is proved."""
    best = settled(known)
    return next((column for column in position.moves() if column in best), None)
