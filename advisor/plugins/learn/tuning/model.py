"""The parts that all models of weights share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from advisor import extras
from advisor.engine.nodes import Bools
from advisor.errors import InputError
from advisor.settings.config import WEIGHT_LIMIT, Config
from aspcircuits.clingo_api import Term, render

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

UNIT = 100
"""Weight of one logit: a value higher by 100 multiplies the odds by e."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a set of weights predicts the examples.

    Attributes:
        log_loss: mean of -ln(probability given to the right answer).
        accuracy: share of examples (0 to 1) whose right answer was the most probable.
    """

    log_loss: float
    accuracy: float

    def to_json(self) -> dict[str, float]:
        return {"log_loss": round(self.log_loss, 4), "accuracy": round(self.accuracy, 4)}


@dataclass(frozen=True, slots=True)
class Contribution:
    """One weight, before and after, and how much it contributes.

    Attributes:
        name: name of the feature or strategy.
        before, after: the old and the new weight.
        spread: standard deviation of its count; 0 if the count never varies. Then the weight
            keeps its old value, in the new unit.
        gain: rise of the log-loss on the positions held back if this weight were 0 and all others
            unchanged.
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
    """The fit of one set of weights: to the positions fitted to, and to the positions held back."""

    fitted: Fit
    held: Fit

    @classmethod
    def of(cls, losses: Doubles, right: npt.NDArray[Any], held: Bools) -> Self:
        """Average over the examples of each part.

        Args:
            losses: shape (n,), the log-loss of each example.
            right: shape (n,), whether its prediction is right, or the share that is.
            held: shape (n,), the examples held back.
        """
        return cls(*(Fit(float(losses[p].mean()), float(right[p].mean())) for p in (~held, held)))

    def rows(self, after: Self) -> list[tuple[str, str, str]]:
        """Return table rows that compare this fit with a later one: name, before, after."""
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
    """A model that learns weights from one part of the examples and grades them on both.

    Weights are int64 of shape (n,): first the features', in the order of the settings, then the
    strategies' if the model learns them too.
    """

    spread: Doubles
    """Standard deviation of the count that each weight multiplies, in the part fitted to."""

    def fit(self, before: Integers) -> Integers:
        """Fit new weights; one whose count never varies keeps its old value, rescaled."""

    def grade(self, weights: Integers) -> Fits:
        """Grade weights on both parts; only their proportions matter."""

    def gains(self, weights: Integers) -> Iterator[float]:
        """Yield, for each weight, the rise of the log-loss on held-back positions without it."""


def describe_weights(
    model: WeightModel, names: Iterable[Term], before: Integers, after: Integers
) -> Iterator[Contribution]:
    """Describe the weights one by one, since each gain takes a while."""
    weights = zip(names, before.tolist(), after.tolist(), model.spread.tolist(), strict=True)
    for (name, old, new, spread), gain in zip(weights, model.gains(after), strict=True):
        yield Contribution(render(name), old, new, spread, gain)


def logistic(logits: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return 1 / (1 + exp(-logits)), by tanh, which does not overflow; keep the dtype."""
    result: npt.NDArray[Any] = (1 + np.tanh(logits / 2)) / 2
    return result


def scale_to_one(spread: Doubles) -> Doubles:
    """Return factors that scale counts to a spread of 1; 0 where the spread is 0."""
    return np.divide(1, spread, out=np.zeros_like(spread), where=spread > 0)


def weights_of(config: Config, strategies: bool) -> Integers:
    """Return the weights of settings in the order of `WeightModel`."""
    programs = ("features", "moves") if strategies else ("features",)
    return np.array([w for program in programs for w in config.weights[program].values()], np.int64)


def with_weights(config: Config, weights: Integers) -> Config:
    """Replace the weights of settings; strategies keep theirs if only features are given."""
    features, moves = config.weights["features"], config.weights["moves"]
    of_features, of_moves = np.split(weights, [len(features)])
    changed = {"features": dict(zip(features, of_features.tolist(), strict=True))}
    if len(of_moves):
        changed["moves"] = dict(zip(moves, of_moves.tolist(), strict=True))
    weights_by_program = {**config.weights, **changed}
    return replace(config, weights=weights_by_program, book=False, other_boards=None)


def require_sklearn() -> None:
    """Raise an error at once if scikit-learn is missing, which only the fit at the end needs."""
    try:
        import sklearn.linear_model  # noqa: F401 - to fail before the long work, not after it
    except ImportError:
        raise InputError(
            f"tune needs scikit-learn, which is not installed ({extras.install('tune')})"
        ) from None


def round_weights(weights: Doubles) -> Integers:
    """Round weights to integers within the bounds of settings."""
    integers: Integers = np.rint(weights.clip(-WEIGHT_LIMIT, WEIGHT_LIMIT)).astype(np.int64)
    return integers
