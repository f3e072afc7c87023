"""What a move or a position is worth, as an advice tells it; of any game."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["win", "draw", "loss"]
"""A result, from the view of one player."""

OUTCOMES: dict[int, Outcome] = {1: "win", 0: "draw", -1: "loss"}
"""By the points of a player."""

ScoreKind = Literal["win", "draw", "loss", "heuristic"]
"""A forced result, or none yet: a sum of weights."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a move or a position is worth to the player to move.

    >>> score = advisor.suggest(advisor.position("443355"), depth=2).score
    >>> score.kind, score.moves, score.outcome
    ('win', 1, 'win')

    Attributes:
        kind: "win", "loss" and "draw" are forced, "heuristic" is a sum of weights.
        moves: of a win or loss, how many moves the winner still needs; 0 if the game is over,
            None if that is not known.
        value: of a heuristic score, in weight units; None where the game has no weights.
        proved: a search to the end of the game found it, now or when the opening book was made,
            or the solution's plans do; not the look-ahead.
        points: the exact score, where that search found it.
        plies: of a win or loss of a game by its rules, how many moves of either side it takes.
        within: `moves` and `plies` are what it takes at most: a tree of random games has shown the
            result, not the look-ahead.
    """

    kind: ScoreKind
    moves: int | None = None
    value: int | None = None
    proved: bool = False
    points: int | None = None
    plies: int | None = None
    within: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """ "win", "draw" or "loss"; None of a heuristic score."""
        return None if self.kind == "heuristic" else self.kind

    def to_json(self) -> dict[str, object]:
        """The score as the ``--json`` outputs give it."""
        known = {
            "in": self.moves,
            "plies": self.plies,
            "within": self.within or None,
            "value": self.value,
            "proved": self.proved or None,
            "points": self.points,
        }
        return {"kind": self.kind, **{k: v for k, v in known.items() if v is not None}}
