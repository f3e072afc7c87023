"""The few rules of many that tell how games end: forward by family, then backward.

No family is judged alone: the stones at the frontier say nothing of a game of Reversi, and much
beside the places that they stand on. Each rule has a price and so has each of its names, in
log-loss of games that were not fitted to, so that what is kept can be read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from advisor.lab.tuning.model import Numbers

MOST = 12
"""Rules for features."""

_RULE, _NAME = 1.5e-3, 3e-4
"""The log-loss that a rule, and each of its names, has to save."""

_STEPS = 3
"""Of Newton's method, from what was found without a family."""


class Fitting(Protocol):
    """What tells something by the weights of names: results of games, or values of moves."""

    def crossed(
        self, columns: Sequence[int], start: Mapping[int, Numbers] | None = None, steps: int = 8
    ) -> tuple[float, dict[int, Numbers]]:
        """See `advisor.lab.learning.odds.Odds.crossed`."""


@dataclass(frozen=True, slots=True)
class ChosenFamilies:
    """Families that are kept.

    Attributes:
        families: in the order in which they were found.
        gains: by how much the log-loss of games that were not fitted to would rise without each.
        loss: that log-loss with all of them.
        without: the same with none.
    """

    families: tuple[str, ...]
    gains: Mapping[str, float]
    loss: float
    without: float


def choose(
    model: Fitting,
    columns: Mapping[str, Sequence[int]],
    goes_on: Callable[[str], bool],
    most: int = MOST,
) -> ChosenFamilies:
    """The families that tell most.

    Args:
        model: what tells.
        columns: of each family, those of its names that vary.
        goes_on: called with what has been found so far, says whether there is time for more.
        most: how many to keep.
    """

    def price(family: str) -> float:
        return _RULE + _NAME * len(columns[family])

    def all_of(families: Sequence[str]) -> list[int]:
        return [column for family in families for column in columns[family]]

    chosen: list[str] = []
    without, kept = model.crossed([])
    loss = without
    while len(chosen) < most:
        tried = {
            family: model.crossed(all_of([*chosen, family]), kept, _STEPS)[0] + price(family)
            for family in columns
            if family not in chosen and columns[family]
        }
        best = min(tried, key=lambda family: tried[family], default=None)
        if best is None or tried[best] > loss:
            break
        chosen.append(best)
        loss, kept = model.crossed(all_of(chosen))
        if not goes_on(f"{', '.join(chosen)}: {loss:.4f}"):
            break
    gains = _gains(model, chosen, all_of, loss)
    while chosen and gains[weakest := min(chosen, key=lambda f: gains[f] - price(f))] < price(
        weakest
    ):
        chosen.remove(weakest)
        loss, _ = model.crossed(all_of(chosen))
        gains = _gains(model, chosen, all_of, loss)
    return ChosenFamilies(tuple(chosen), gains, loss, without)


def _gains(
    model: Fitting, chosen: Sequence[str], all_of: Callable[[Sequence[str]], list[int]], loss: float
) -> dict[str, float]:
    """What the log-loss would rise by without each."""
    return {
        family: model.crossed(all_of([f for f in chosen if f != family]))[0] - loss
        for family in chosen
    }
