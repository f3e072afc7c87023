"""The opening book: exact scores of all moves while hardly a disc is on the board.

A text file beside the encodings, in the format of `advisor.games.connect4.labels`, holds every
position of the standard board with at most `DISCS` discs, or its mirror image. Its head says who
made it and who checked it.
"""

from functools import cache

from advisor.files import linefile
from advisor.files.resources import OPENINGS
from advisor.games.bounds import Bounds
from advisor.games.connect4 import labels
from advisor.games.connect4.board import Position, geometry

DISCS = 4
"""Of positions with more discs the book knows nothing."""


def known(position: Position) -> dict[int, Bounds]:
    """The exact score of every move by column; {} if the book does not have the position."""
    if position.discs > DISCS or position.geometry != geometry():
        return {}
    scores = _scores(position)
    return {column: Bounds(score, score) for column, score in scores.items()}


def _scores(position: Position) -> dict[int, int]:
    lines = _lines()
    if position in lines:
        return dict(labels.parse(lines[position]).scores)
    mirrored = position.mirrored
    if mirrored in lines:
        width = position.geometry.width
        scores = labels.parse(lines[mirrored]).scores
        return {width + 1 - column: score for column, score in scores.items()}
    return {}  # discs that do not alternate


@cache
def _lines() -> dict[Position, str]:
    def entry(line: str) -> tuple[Position, str]:
        return labels.open_position(line), line

    return dict(found for _, found in linefile.entries(OPENINGS, entry))
