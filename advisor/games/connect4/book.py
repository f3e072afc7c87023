"""The opening book: exact scores of all moves while hardly a disc is on the board.

A text file beside the encodings, in the format of `advisor.games.connect4.labels`, holds every
position of the standard board with at most `DISCS` discs, or its mirror image. Its head says who
made it and who checked it. With the extra ``exact``, BitBully's book is asked where it has nothing.
"""

from collections.abc import Mapping
from functools import cache

from advisor.files import linefile
from advisor.files.resources import OPENINGS
from advisor.games.bounds import Bounds
from advisor.games.connect4 import exact, examples
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.exact import Exact

DISCS = 4
"""Of positions with more discs the book knows nothing."""


def known(position: Position) -> dict[int, Bounds]:
    """The exact score of every move by column; {} if the book does not have the position."""
    if position.discs > DISCS or position.geometry != geometry():
        return {}
    lines, mirror = _lines(), position.geometry.width + 1
    for seen, turned in ((position, False), (position.mirrored, True)):
        if line := lines.get(seen):
            scores = examples.scores_of(seen, line).items()
            return {mirror - c if turned else c: Bounds(score, score) for c, score in scores}
    return {}  # discs that do not alternate


def any_known(position: Position) -> Mapping[int, Bounds]:
    """The same by this book or BitBully's."""
    return known(position) or exact.by_its_book(position)


def solved(position: Position) -> Exact | None:
    """The same as `exact.solve` gives it; None where no book has it."""
    columns = any_known(position)
    return Exact("book", exact.best_of(columns), dict(columns)) if columns else None


@cache
def _lines() -> dict[Position, str]:
    def entry(line: str) -> tuple[Position, str]:
        return examples.open_position(line), line

    return dict(found for _, found in linefile.entries(OPENINGS, entry))
