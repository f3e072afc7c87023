"""What every way to learn weights has in common."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.settings.config import WEIGHT_LIMIT, Config
from aspcircuits.clingo_api import Term, render

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

UNIT = 100
"""Weights of one logit: a value higher by so much multiplies the odds by e."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a set of weights tells what the examples have.

    Attributes:
        log_loss: mean of -ln(probability given to what is right).
        accuracy: share of examples (0 to 1) in which that was the most probable.
    """

    log_loss: float
    accuracy: float

    def to_json(self) -> dict[str, float]:
        return {"log_loss": round(self.log_loss, 4), "accuracy": round(self.accuracy, 4)}


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a feature or a strategy contributes.

    Attributes:
        name: of the feature or strategy.
        before, after: its weight.
        spread: standard deviation of its count; 0 if the data say nothing of it, and then its
            weight is the one from before, in the new unit.
        gain: by how much the log-loss on the positions held back would be higher without it, all
            other weights unchanged.
    """

    name: str
    before: int
    after: int
    spread: float
    gain: float

    def to_json(self) -> dict[str, Any]:
        return {
            "feature": self.name,
            "before": self.before,
            "after": self.after,
            "spread": round(self.spread, 4),
            "gain": round(self.gain, 5),
        }


@dataclass(frozen=True)
class Fits:
    """What one set of weights tells; "held" are the positions that were not fitted to."""

    fitted: Fit
    held: Fit

    @classmethod
    def of(cls, losses: Numbers, right: npt.NDArray[Any], held: Bools) -> Self:
        """By what is found of each example.

        Args:
            losses, right: shape (n,), the log-loss and whether, or how much of it, is right.
            held: shape (n,), which are held back.
        """
        return cls(*(Fit(float(losses[p].mean()), float(right[p].mean())) for p in (~held, held)))

    def rows(self, after: Self) -> list[tuple[str, str, str]]:
        """These and later ones in a table: what is told, before and after."""
        parts = ("fitted to", self.fitted, after.fitted), ("held back", self.held, after.held)
        return [
            row
            for part, old, new in parts
            for row in (
                (f"{part}: log-loss", f"{old.log_loss:.4f}", f"{new.log_loss:.4f}"),
                (f"{part}: right %", f"{100 * old.accuracy:.1f}", f"{100 * new.accuracy:.1f}"),
            )
        ]

    def to_json(self) -> dict[str, Any]:
        return {"fitted": self.fitted.to_json(), "held": self.held.to_json()}


class WeightModel(Protocol):
    """Learns weights from one part of some examples and grades them on both.

    Weights are int64 of shape (n,): of the features in the order of `CircuitEvaluator.features`
    and, if the model learns those too, of the strategies in the order of the settings.
    """

    spread: Numbers
    """Standard deviation of what each weight counts, in the part learned from."""

    def fit(self, before: Integers) -> Integers:
        """New weights; what the examples say nothing of keeps its old one, rescaled."""

    def grade(self, weights: Integers) -> Fits:
        """What they tell of both parts. Weights are free to choose their scale."""

    def gains(self, weights: Integers) -> Iterator[float]:
        """For each weight, by how much the log-loss held back would be higher without it."""


def contributions(
    model: WeightModel, names: Iterable[Term], before: Integers, after: Integers
) -> Iterator[Contribution]:
    weights = zip(names, before.tolist(), after.tolist(), model.spread.tolist(), strict=True)
    for (name, old, new, spread), gain in zip(weights, model.gains(after), strict=True):
        yield Contribution(render(name), old, new, spread, gain)


def logistic(logits: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """1 / (1 + exp(-logits)), by way of tanh, which does not overflow; of the logits' type."""
    result: npt.NDArray[Any] = (1 + np.tanh(logits / 2)) / 2
    return result


def inverted(spread: Numbers) -> Numbers:
    """What counts of such a spread are multiplied with to have the spread 1; 0 where it is 0."""
    return np.divide(1, spread, out=np.zeros_like(spread), where=spread > 0)


def weights_of(config: Config, strategies: bool) -> Integers:
    """The settings' weights as a `WeightModel` has them."""
    programs = ("features", "moves") if strategies else ("features",)
    return np.array([w for program in programs for w in config.weights[program].values()], np.int64)


def with_weights(config: Config, weights: Integers) -> Config:
    """The settings with other weights; those of the strategies stay if only features are given."""
    features, moves = config.weights["features"], config.weights["moves"]
    of_features, of_moves = np.split(weights, [len(features)])
    changed = {"features": dict(zip(features, of_features.tolist(), strict=True))}
    if len(of_moves):
        changed["moves"] = dict(zip(moves, of_moves.tolist(), strict=True))
    weights_by_program = {**config.weights, **changed}
    return replace(config, weights=weights_by_program, book=False, other_boards=None)


def rounded(weights: Numbers) -> Integers:
    """Weights as settings have them."""
    integers: Integers = np.rint(weights.clip(-WEIGHT_LIMIT, WEIGHT_LIMIT)).astype(np.int64)
    return integers
