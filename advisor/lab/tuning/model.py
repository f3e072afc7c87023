"""What every way to learn weights has in common."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from advisor.settings.config import WEIGHT_LIMIT, Config

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

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
        """A dictionary for JSON."""
        return {"log_loss": round(self.log_loss, 4), "accuracy": round(self.accuracy, 4)}


class Model(Protocol):
    """Learns weights from one part of some examples and grades them on both.

    Weights are int64 of shape (features,), in the order of `CircuitEvaluator.features`.
    """

    spread: Numbers
    """Standard deviation of each feature's count in the part learned from."""

    def fit(self, before: Integers) -> Integers:
        """New weights; a feature that the examples say nothing of keeps its old one, rescaled."""

    def grade(self, weights: Integers) -> tuple[Fit, Fit]:
        """The part learned from, the part held back. Weights are free to choose their scale."""

    def gains(self, weights: Integers) -> Iterator[float]:
        """For each feature, by how much the log-loss held back would be higher without it."""


def fits(losses: Numbers, right: npt.NDArray[Any], held: Bools) -> tuple[Fit, Fit]:
    """The part learned from, the part held back, by what is found of each example.

    Args:
        losses, right: shape (n,), the log-loss and whether, or how much of it, is right.
        held: shape (n,).
    """
    fitted, kept = (
        Fit(float(losses[part].mean()), float(right[part].mean())) for part in (~held, held)
    )
    return fitted, kept


def with_features(config: Config, weights: Integers) -> Config:
    """The settings with other feature weights, in the order of the settings."""
    features = dict(zip(config.weights["features"], weights.tolist(), strict=True))
    return replace(config, weights={**config.weights, "features": features})


def rounded(weights: Numbers) -> Integers:
    """Weights as settings have them."""
    integers: Integers = np.rint(weights.clip(-WEIGHT_LIMIT, WEIGHT_LIMIT)).astype(np.int64)
    return integers
