"""Marks that a picture of a position may show; a game's drawing puts them in place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.games.score import ScoreKind
from aspcircuits.clingo_api import Term


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a move, for display.

    Attributes:
        kind: "win", "loss", "draw" or "heuristic"; decides the colour.
        short, long: a few characters for the picture, and words for a tooltip.
    """

    kind: ScoreKind
    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on a position whose game goes on.

    Attributes:
        suggested: the moves to point at.
        worth: the values of moves.
        lines: lines that a player is expected to complete, each as its squares (row, column).
        numbers: of a plan, on squares (row, column).
    """

    suggested: tuple[Term, ...]
    worth: Mapping[Term, Worth]
    lines: tuple[tuple[tuple[int, int], ...], ...] = ()
    numbers: Mapping[tuple[int, int], int] = field(default_factory=dict)
