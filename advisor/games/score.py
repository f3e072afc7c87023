"""The value of a move or a position in an advice on any game."""

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["win", "draw", "loss"]
"""A result, from the view of one player."""

OUTCOMES: dict[int, Outcome] = {1: "win", 0: "draw", -1: "loss"}
"""Results by a player's points."""

ScoreKind = Literal["win", "draw", "loss", "heuristic"]
"""A forced result, or a sum of weights if there is none yet."""


@dataclass(frozen=True, slots=True)
class Score:
    """The value of a move or a position for the player to move.

    >>> score = advisor.suggest(advisor.position("443355"), depth=2).score
    >>> score.kind, score.moves, score.outcome
    ('win', 1, 'win')

    Attributes:
        kind: "win", "loss" and "draw" are forced, "heuristic" is a sum of weights.
        moves: of a win or loss, the moves that the winner still needs; 0 if the game is over, None
            if that is not known.
        value: of a heuristic score, in weight units; None if the game has no weights.
        proved: a search to the end of the game, the opening book or the plans of a solution prove
            it; the look-ahead does not.
        points: the exact score, if that search found it.
        plies: of a win or loss in a game defined by rules, the moves of both sides that it takes.
        within: `moves` and `plies` are upper bounds: a tree of random games has shown the result,
            not the look-ahead.
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
        """Return the score as the ``--json`` outputs give it."""
        known = {
            "in": self.moves,
            "plies": self.plies,
            "within": self.within or None,
            "value": self.value,
            "proved": self.proved or None,
            "points": self.points,
        }
        return {"kind": self.kind, **{k: v for k, v in known.items() if v is not None}}
