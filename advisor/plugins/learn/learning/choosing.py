"""The few rules of many that tell how games end: forward by family, then backward.

No family is judged alone: the stones at the frontier say nothing of a game of Reversi, and much
beside the places that they stand on. Each rule has a price and so has each of its names, in
log-loss of games that were not fitted to, so that what is kept can be read.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.engine.nodes import Bools
from advisor.engine.rows import Index
from advisor.plugins.learn.tuning.model import Numbers
from aspcircuits.clingo_api import Term, functor

MOST = 12
"""Rules for features."""

_RULE, _NAME = 1.5e-3, 3e-4
"""The log-loss that a rule, and each of its names, has to save."""

FOLDS = 3
_STEPS, _AT_LAST = 3, 12
"""Of Newton's method: from what was found without a family, and for the weights themselves."""


class Fitting(ABC):
    """What tells something by the weights of names: results of games, or values of moves.

    Args:
        owner: shape (n,), the games that what is told comes from; each is fitted to or judged on.
        spread: shape (names,), of what each weight counts.
        whole: what losses are a part of.
    """

    def __init__(self, owner: Index, spread: Numbers, whole: float) -> None:
        self.positions = len(owner)
        self._fold, self.spread, self._whole = owner % FOLDS, spread, whole

    def crossed(
        self, columns: Sequence[int], start: Sequence[Numbers] | None = None, steps: int = 8
    ) -> tuple[float, list[Numbers]]:
        """The loss of games that weights of some columns were not fitted to.

        Args:
            columns: which names.
            start: what a call for the first of these columns has returned.
            steps: of Newton's method, where it takes any.

        Returns:
            the loss, and what a later call can begin with.
        """
        found, total = [], 0.0
        for fold in range(FOLDS):
            inside = self._fold != fold
            found.append(self._fit(columns, inside, None if start is None else start[fold], steps))
            total += self._loss(columns, ~inside, found[fold])
        return total / self._whole, found

    def fit(self, columns: Sequence[int]) -> Numbers:
        """Weights for one of each of some names, by all games."""
        return self._fit(columns, np.ones(self.positions, np.bool_), None, _AT_LAST)

    @abstractmethod
    def _fit(
        self, columns: Sequence[int], rows: Bools, start: Numbers | None, steps: int
    ) -> Numbers:
        """Weights of some names by some rows, first of all; perhaps with more to begin with."""

    @abstractmethod
    def _loss(self, columns: Sequence[int], rows: Bools, found: Numbers) -> float:
        """What weights that were fitted leave untold of some rows, in all."""


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


def columns_of(
    model: Fitting, names: Sequence[Term], families: Iterable[str]
) -> dict[str, list[int]]:
    """The numbers of the names of each family that vary."""
    varying = [i for i in range(len(names)) if model.spread[i] > 0]
    return {f: [i for i in varying if functor(names[i]) == f] for f in families}


def fitted(
    model: Fitting, names: Sequence[Term], families: Iterable[Sequence[int]], unit: float = 1
) -> dict[Term, int]:
    """Weights of names; 0 for those that the columns of the families do not have."""
    weights: dict[Term, int] = dict.fromkeys(names, 0)
    columns = [column for family in families for column in family]
    for i, weight in zip(columns, model.fit(columns), strict=True):
        weights[names[i]] = round(unit * float(weight))
    return weights


def choose(
    model: Fitting,
    columns: Mapping[str, Sequence[int]],
    goes_on: Callable[[str], bool],
    most: int = MOST,
) -> ChosenFamilies:
    """The families that tell most.

    Args:
        columns: see `columns_of`.
        goes_on: called with what has been found so far, says whether there is time for more.
        most: how many to keep.
    """

    def price(family: str) -> float:
        return _RULE + _NAME * len(columns[family])

    def all_of(families: Sequence[str]) -> list[int]:
        return [column for family in families for column in columns[family]]

    def gains() -> dict[str, float]:
        return {
            family: model.crossed(all_of([f for f in chosen if f != family]))[0] - loss
            for family in chosen
        }

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
    gained = gains()
    while chosen:
        weakest = min(chosen, key=lambda f: gained[f] - price(f))
        if gained[weakest] >= price(weakest):
            break
        chosen.remove(weakest)
        loss, _ = model.crossed(all_of(chosen))
        gained = gains()
    return ChosenFamilies(tuple(chosen), gained, loss, without)
