"""The outcome of learning a game, also as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from advisor.engine.nodes import Rows
from advisor.lab.arena.elo import MatchVerdict
from advisor.limits import Limit
from advisor.plugins.learn.learning.choosing import ChosenFamilies
from advisor.plugins.learn.learning.proposals import Proposals
from aspcircuits.clingo_api import Term, functor, render


@dataclass(frozen=True, slots=True)
class Decided:
    """A state in which a rule decides the choice of a move.

    Attributes:
        row: the state.
        better: the best move with the rule.
        worse: the best move without the rule.
        by: the difference of their values, with the rule.
    """

    row: Rows
    better: Term
    worse: Term
    by: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match of the game with its new knowledge.

    Attributes:
        against: name of the opponent.
        limit: the limit of each move.
        pairs: points of each pair of games, divided by two.
        verdict: ``stronger``; ``weaker``, which includes "not clearly stronger"; None after too few
            games.
    """

    against: str
    limit: Limit
    pairs: tuple[float, ...] = ()
    verdict: MatchVerdict | None = None

    @property
    def is_stronger(self) -> bool:
        """Whether the new knowledge is clearly stronger."""
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
    """The features, or the strategies, of one run.

    Attributes:
        tried: number of names that vary, by family.
        choice: the chosen families.
        about: description of each chosen family.
        weights: weights of the chosen families' names.
        match: the game with them against the game without them; None if there was no match.
        written: whether the game was written with it.
    """

    tried: Mapping[str, int]
    choice: ChosenFamilies | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[Term, int] = field(default_factory=dict)
    match: MatchResult | None = None
    written: bool = False

    @classmethod
    def of(
        cls,
        tried: Mapping[str, int],
        choice: ChosenFamilies,
        proposed: Proposals,
        weights: Mapping[Term, int],
    ) -> Self:
        """Describe a choice of proposals, with the weights that belong to it."""
        about = {name: proposed.families[name].about for name in choice.families}
        own = {name: w for name, w in weights.items() if functor(name) in choice.families}
        return cls(tried, choice, about, own)

    @property
    def gains(self) -> Mapping[str, float]:
        """The gain of each chosen family."""
        return {} if self.choice is None else self.choice.gains

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
    """The outcome of one run.

    >>> found = advisor.learn("domineering", "learned", seconds=600)  # doctest: +SKIP
    >>> advisor.learn.__annotations__["return"].__name__
    'Learned'

    Attributes:
        game: its name.
        games, positions: numbers of games and positions of the last round.
        features: chosen from these positions.
        strategies: None if there was no time or no reason to look for any.
        decided: positions in which families of features decide; see `moves.find_decisions`.
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
