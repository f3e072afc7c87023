"""Sizes of boards, for the commands that are about boards of Connect Four alone."""

from collections.abc import Callable
from functools import partial

from advisor.cli import options
from advisor.games.connect4.board import Geometry, Position, geometry
from advisor.games.connect4.notation import STANDARD, parse_line


def chosen_size(size: str | None, connect: int | None) -> Geometry:
    """The board that ``--size`` and ``--connect`` ask for.

    Raises:
        InputError: the size is not such as 10x8, or a side is too long.
    """
    return geometry(**{**STANDARD.constants, **options.chosen_sides(size, connect)})


def line_reader(size: Geometry) -> Callable[[str], Position]:
    """What reads a line as a position on a board of this size."""
    return partial(parse_line, size=size)
