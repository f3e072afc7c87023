"""What is certain of every move of a position, by all that its game knows."""

from dataclasses import dataclass, field
from typing import Any

from advisor.games.abilities import Abilities
from advisor.games.bounds import Bounds, Solved, settled


@dataclass(frozen=True, slots=True)
class Certain:
    """Exact scores of the moves, or what bounds them.

    Attributes:
        game: the position, and what its game can do there.
        known: what is proved.
    """

    game: Abilities = field(repr=False, compare=False)
    known: Solved

    @property
    def bounds(self) -> dict[Any, Bounds]:
        """Of every move that something is known of, as `play` of the library takes it."""
        played, known = self.game.phrasing.played, self.known.moves or {}
        return {played(m): known[m] for m in self.game.legal().values() if m in known}

    @property
    def proved(self) -> bool:
        """Whether that is every move's exact score."""
        return all(bounds.score is not None for bounds in self.bounds.values())

    def to_json(self) -> dict[str, Any]:
        """The answer of ``/api/exact``."""
        game, say, known = self.game, self.game.phrasing, self.known.moves or {}
        moves, best = [], settled(known)
        in_order = [move for move in game.legal().values() if move in known]
        for move in in_order:
            bounds = known[move]
            score = game.forced(bounds)
            moves.append(
                {
                    say.noun: say.code(move),
                    "points": bounds.score if game.in_points else None,
                    "bounds": [bounds.lower, bounds.upper],
                    "kind": bounds.outcome,
                    "moves": score.moves if score else None,
                    "outcome": say.outcome(score) if score else "",
                }
            )
        return {
            "proved": self.proved,
            "best": [say.code(move) for move in in_order if move in best],
            "moves": moves,
        }
