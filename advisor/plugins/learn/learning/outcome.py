"""What came out of learning a game, told and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from advisor.engine.nodes import Rows
from advisor.plugins.learn.learning.choosing import ChosenFamilies
from advisor.plugins.learn.learning.proposals import Proposals
from advisor.limits import Limit
from aspcircuits.clingo_api import Term, functor, render


@dataclass(frozen=True, slots=True)
class Decided:
    """A state in which with a rule a move is better, by so much, that is worse without it."""

    row: Rows
    better: Term
    worse: Term
    by: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What games say of what was found.

    Attributes:
        against: what was played against, in words.
        pairs: the points of each pair of games, divided by two.
        verdict: ``stronger``, ``weaker`` for all that is not clearly so, or None where there have
            been too few.
    """

    against: str
    limit: Limit
    pairs: tuple[float, ...] = ()
    verdict: str | None = None

    @property
    def won(self) -> bool:
        """Whether it is clear that what was found is better."""
        return self.verdict == "stronger"

    def to_json(self) -> dict[str, Any]:
        return {
            "against": self.against,
            "games": 2 * len(self.pairs),
            "points": 2 * sum(self.pairs),
            "seconds": self.limit.seconds,
            "depth": self.limit.depth,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class Part:
    """Features, or strategies, that were found.

    Attributes:
        tried: the families, with how many of their names vary.
        about: of each family that was chosen, what it is.
        match: with it against without it; None if none was played.
    """

    tried: Mapping[str, int]
    choice: ChosenFamilies | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[Term, int] = field(default_factory=dict)
    match: MatchResult | None = None

    @classmethod
    def of(
        cls,
        tried: Mapping[str, int],
        choice: ChosenFamilies,
        proposed: Proposals,
        weights: Mapping[Term, int],
    ) -> Self:
        """What was chosen of proposals, with those of the weights that are its own."""
        about = {name: proposed.families[name].about for name in choice.families}
        own = {name: w for name, w in weights.items() if functor(name) in choice.families}
        return cls(tried, choice, about, own)

    @property
    def gains(self) -> Mapping[str, float]:
        """Of the families that were chosen."""
        return {} if self.choice is None else self.choice.gains

    @property
    def written(self) -> bool:
        """Whether it was worth it."""
        return self.match is not None and self.match.won

    def to_json(self) -> dict[str, Any]:
        choice = self.choice
        return {
            "families": dict(self.tried),
            "kept": {family: round(gain, 5) for family, gain in self.gains.items()},
            "loss": None if choice is None else round(choice.loss, 5),
            "loss_without": None if choice is None else round(choice.without, 5),
            "weights": {render(name): weight for name, weight in self.weights.items()},
            "match": None if self.match is None else self.match.to_json(),
            "written": self.written,
        }


@dataclass(frozen=True, slots=True)
class Learned:
    """The outcome.

    Attributes:
        game: its name.
        games, positions: that the choice was made from.
        strategies: what speaks for moves; None where there was no time or no reason to look.
        decided: for families of features a position in which each decided.
    """

    game: str
    games: int
    positions: int
    features: Part
    strategies: Part | None = None
    decided: Mapping[str, Decided] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The object of ``learn --json``."""
        return {
            "game": self.game,
            "games": self.games,
            "positions": self.positions,
            "features": self.features.to_json(),
            "strategies": None if self.strategies is None else self.strategies.to_json(),
        }
