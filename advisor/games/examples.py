"""Positions with known results, of any game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A position with its known result.

    Attributes:
        position: the game may be over.
        result: 1, 0 or -1, a win, draw or loss for the player to move with best play.
        score: the exact score for the player to move, None if it is not known.
        columns: the exact score of every move by column, if they are known.
    """

    position: Any
    result: int
    score: int | None = None
    columns: Mapping[int, int] | None = None

    @property
    def result_of_player_1(self) -> int:
        """The result for player 1: 1, 0 or -1."""
        return self.result if self.position.turn == 1 else -self.result


def sign(score: int) -> int:
    """Return the result that a score stands for: 1, 0 or -1."""
    return (score > 0) - (score < 0)


def has_choice(scores: Iterable[int]) -> bool:
    """Return whether some moves with these exact scores keep the result and others do not."""
    return len(set(map(sign, scores))) > 1


def grade_choice(chosen: Sequence[Any], scores: Mapping[int, int]) -> tuple[float, float]:
    """Return how perfect and how good (0 to 1) a choice is: best score, and kept result.

    Args:
        chosen: at least one move; the player picks one of them at random.
        scores: all exact scores.
    """
    best = max(scores.values())
    perfect = sum(scores[move] == best for move in chosen)
    good = sum(sign(scores[move]) == sign(best) for move in chosen)
    return perfect / len(chosen), good / len(chosen)
