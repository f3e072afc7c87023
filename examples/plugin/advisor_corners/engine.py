"""A player for `advisor match`, and a function for the library."""

from collections.abc import Iterable, Sequence
from typing import Any

_CORNERS = {"a1", "a3", "c1", "c3"}


def cornering(game: str, made: Sequence[Any], legal: Sequence[Any], seed: int) -> Iterable[Any]:
    """Play any free corner, or else anywhere.

    Args:
        game: its name or folder.
        made: the moves so far, as the game writes them.
        legal: the moves to choose from.
        seed: of random choices; here there are none.

    Returns:
        the moves between which it does not care.
    """
    return [move for move in legal if move in _CORNERS] or legal


def corner_share(moves: Sequence[str]) -> float:
    """Which share of some moves goes to corners.

    >>> corner_share(["a1", "b2"])
    0.5
    """
    return sum(move in _CORNERS for move in moves) / len(moves)
