"""What is certain of scores: between which bounds they lie, and which moves that leaves as best."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from advisor.games.examples import sign

M = TypeVar("M")

Outcome = Literal["win", "draw", "loss"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proved about the score of a position, for the side to move.

    Attributes:
        lower: the score is at least this.
        upper: the score is at most this.
        nodes: positions searched for it.
        seconds: time spent on it.
    """

    lower: int
    upper: int
    nodes: int = 0
    seconds: float = 0.0

    @property
    def score(self) -> int | None:
        """The exact score, None if it is not proved."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the side to move, None if not proved; may be known before `score`."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else None

    def within(self, other: "Bounds") -> "Bounds":
        """What both together prove."""
        low, high = max(self.lower, other.lower), min(self.upper, other.upper)
        return Bounds(low, high, self.nodes, self.seconds)

    def __neg__(self) -> "Bounds":
        """The same from the other player's point of view."""
        return Bounds(-self.upper, -self.lower, self.nodes, self.seconds)


def undominated(bounds: Mapping[M, Bounds]) -> list[M]:
    """The moves of which it is not proved that another is as good and may be better.

    Only win, draw and loss count here, not when the game ends.

    Args:
        bounds: of moves, from the view of the player who makes them.
    """
    ranges = {move: (sign(known.lower), sign(known.upper)) for move, known in bounds.items()}
    return [
        move
        for move, (least, greatest) in ranges.items()
        if not any(low >= greatest and high > least for low, high in ranges.values())
    ]


def settled(bounds: Mapping[M, Bounds]) -> list[M]:
    """The moves with the best exact score; [] where it is not proved yet which these are.

    Args:
        bounds: of all moves, from the view of the player who makes them.
    """
    reached = max(known.lower for known in bounds.values())
    if any(known.upper > reached for known in bounds.values()):
        return []
    return [move for move, known in bounds.items() if known.lower == reached]
