"""Exact scores of any position, by the engine that suits it, with the name of that engine.

The project's own solver answers for every board. With the extra ``fast`` it is as good as any;
BitBully is sooner only on the 7x6 connect-4 board: with few discs, by its book, and without
``fast`` with any number of discs.

This is the only module that imports `bitbully`, the package of the optional extra ``exact`` (AGPL,
so never a hard dependency). It handles BitBully's peculiarities: columns count from 0; it goes on
playing in a finished game; it takes only positions in which the discs alternate, the side to move
having as many discs as the other or one less; and a call into it cannot be interrupted, so a stop
takes effect between calls. It has a book of positions with 12 discs, so a call usually takes well
under a second; hard positions with a few more discs take some seconds.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from math import log
from threading import Lock
from typing import Any, Literal

from advisor import extras
from advisor.files import linefile
from advisor.files.resources import OPENINGS
from advisor.games.bounds import Bounds, Solved
from advisor.games.connect4 import compiled_search
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.examples import check_score, open_position, scores_of
from advisor.games.connect4.solver import Solver, known_bounds, solve_columns
from advisor.games.examples import Example
from aspcircuits import llvm
from aspcircuits.stopping import Stop

Engine = Literal["solver", "bitbully"]

_BY_BITBULLY = f"BitBully has a book for such positions: {extras.install('exact')}"
_BY_CODE = f"machine code does it hundreds of times as fast: {extras.install('fast')}"

_VERIFY_SECONDS = 0.02
"""Nearly always enough to prove the score of a position, but less than its moves take."""

DISCS = 4
"""The opening book contains positions of at most this many discs."""

_REACH, _REACH_SLOWLY = 37 * log(7), 26 * log(7)
"""The largest reach of the solver, with machine code and without.

They are logarithms of the number of column sequences to the end of the game.
"""

# BitBully's book holds positions of this many discs; searches from fewer end there.
_BOOK_DISCS = 12


def load_book() -> None:
    """Load BitBully's book in advance, which takes most of a second."""
    _agent(with_book=True)


def install_hint(position: Board) -> str | None:
    """Return a line that says how to solve much faster, None if nothing would help."""
    if choose(position) == "bitbully":
        return None
    if compiled_search.suits(position.geometry) and not llvm.available():
        return _BY_CODE
    in_book = _suits_bitbully(position) and position.discs <= _BOOK_DISCS
    return _BY_BITBULLY if in_book else None


def choose(position: Board) -> Engine:
    """Return the engine that answers sooner if no book does."""
    sooner = position.discs <= _BOOK_DISCS or not llvm.available()
    if sooner and _suits_bitbully(position) and extras.has_extra("exact"):
        return "bitbully"
    return "solver"


def in_reach(position: Board) -> bool:
    """Return whether the exact scores of all moves always take seconds at most.

    It estimates the number of positions that can follow from the width and the empty squares: the
    usual board is in reach after five discs, and without machine code after 16.
    """
    fast = compiled_search.suits(position.geometry) and llvm.available()
    return position.plies_left * log(position.geometry.width) <= (_REACH if fast else _REACH_SLOWLY)


def book(position: Board) -> Mapping[int, Bounds]:
    """Return the exact score of every move by column, from the opening book; {} if it has none."""
    if position.discs > DISCS or position.geometry != geometry():
        return {}
    lines, mirror = _lines(), position.geometry.width + 1
    for seen, turned in ((position, False), (position.mirror, True)):
        if line := lines.get(seen):
            scores = scores_of(seen, line).items()
            return {mirror - c if turned else c: Bounds(score, score) for c, score in scores}
    return {}  # discs that do not alternate


@cache
def _lines() -> dict[Board, str]:
    entries = linefile.entries(OPENINGS, lambda line: (open_position(line), line))
    return dict(found for _, found in entries)


def any_book(position: Board) -> Mapping[int, Bounds]:
    """Look up `book` or else BitBully's book, which takes milliseconds once it is loaded."""
    if known := book(position):
        return known
    suits = position.discs < _BOOK_DISCS and _suits_bitbully(position) and extras.has_extra("exact")
    return {} if not suits or position.over else _looked_up(position)


@lru_cache(maxsize=1024)
def _looked_up(position: Board) -> Mapping[int, Bounds]:
    return solve_columns(position, solve=_by_bitbully)


def solve(
    position: Board,
    *,
    columns: bool = False,
    stop: Stop | None = None,
    engine: Engine | None = None,
    solver: Solver | None = None,
    jobs: int = 1,
    on_progress: Callable[[Solved], None] | None = None,
) -> Solved:
    """Return the exact score of a position and, if requested, of every move in it.

    Args:
        position: on any board, a finished game included (it has no moves to score).
        columns: score every move too.
        stop: ends the search when set; BitBully checks it only between two columns.
        engine: an engine that can answer; None for a book or, without one, the faster engine.
        solver: of this board, with everything that it has proved; a new one by default.
        jobs: threads of a new solver; see `Solver`.
        on_progress: called with what is proved so far.
    """
    if engine is None and (known := any_book(position)):
        return Solved("book", _best(known), known if columns else None)
    chosen = engine or choose(position)
    own = solver or Solver(position.geometry, jobs=jobs)
    score = _by_bitbully if chosen == "bitbully" else own.solve
    report = on_progress or (lambda _: None)
    stop = stop or Stop()
    if not columns:
        proved = score(position, stop, lambda known: report(Solved(chosen, known)))
        return Solved(chosen, proved)

    started = time.monotonic()

    def answer(scores: dict[int, Bounds]) -> Solved:
        best = _best(scores) if scores else known_bounds(position)
        return Solved(chosen, replace(best, seconds=time.monotonic() - started), scores)

    return answer(solve_columns(position, stop, lambda scores: report(answer(scores)), solve=score))


def check_example(example: Example, stop: Stop) -> Example:
    """Return an example after comparing its columns' scores with what a short search proves.

    Raises:
        InputError: the search disproves one of them.
    """
    known = solve(example.position, columns=True, stop=stop.with_limit(_VERIFY_SECONDS)).moves or {}
    for column, score in (example.columns or {}).items():
        check_score(score, known[column], f"column {column}: ")
    return example


def _best(scores: Mapping[int, Bounds]) -> Bounds:
    """Return the position's bounds from the bounds of its moves, with the effort of all of them."""
    moves = scores.values()
    return Bounds(
        max(s.lower for s in moves), max(s.upper for s in moves), sum(s.nodes for s in moves)
    )


def _suits_bitbully(position: Board) -> bool:
    """Return whether BitBully can score this position: its board, and discs that alternate."""
    alternating = position.mover.bit_count() == position.discs // 2
    return position.geometry == geometry() and alternating


def _by_bitbully(position: Board, stop: Stop, on_progress: Callable[[Bounds], None]) -> Bounds:
    """Solve like `Solver.solve`, by BitBully, which cannot be stopped once it has begun."""
    started = time.monotonic()
    known = known_bounds(position)
    on_progress(known)
    if known.score is not None or stop.is_set():
        return known
    with _BITBULLY:
        agent = _agent(with_book=position.discs <= _BOOK_DISCS)
        agent.reset_node_counter()
        score = agent.mtdf(_board(position))
        proved = Bounds(score, score, agent.get_node_counter(), time.monotonic() - started)
    on_progress(proved)
    return proved


def _board(position: Board) -> Any:
    """Return the position as a `bitbully.Board`, in which player 1 has the first move."""
    from bitbully import Board

    to_move = 1 + position.discs % 2
    grid = [[0] * geometry().height for _ in range(geometry().width)]
    for player, row, column in position.cells():
        grid[column - 1][row - 1] = to_move if player == position.turn else 3 - to_move
    return Board(grid)


_BITBULLY = Lock()
"""Threads take turns: BitBully counts nodes for one search, and no other may run meanwhile."""


@cache
def _agent(with_book: bool) -> Any:
    """Return BitBully's solver; its book is slow to load (most of a second), and helps early on
    only.
    """
    from bitbully import BitBully

    return BitBully("default" if with_book else None)
