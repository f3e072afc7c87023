"""Choose the few families of rules that predict how games end: add forward, then drop backward.

A family is judged together with the families already chosen, never alone: in Reversi, discs at the
frontier predict nothing by themselves, but much together with the places of the discs. Each rule
has a price and so has each of its names, in log-loss of games held back, so that the result stays
readable.

The model is the one of `tuning.results`: the log odds of a win, and of no loss where draws are
many, are a sum of weighted counts and of an offset by the player to move. Newton's method fits it
with an L2 penalty. Positions near the end of a game count more.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.engine.rows import Index
from advisor.plugins.learn.tuning.model import Doubles, logistic, scale_to_one
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from aspcircuits.clingo_api import Term, functor

Floats = npt.NDArray[np.float32]

MOST = 12
"""Maximum number of families of features."""

_RULE, _NAME = 1.5e-3, 3e-4
"""The price of a rule and of each of its names: the log-loss that it must save."""

FOLDS = 3
"""Number of parts of the games; weights fitted to all parts but one are judged on that one."""

_STEPS, _AT_LAST = 3, 12
"""Steps of Newton's method: to try one more family, and for the final weights."""

NEARNESS = 0.93
"""Factor of a position's weight for each ply between it and the end of its game."""

_FEW_DRAWS = 0.03
"""Smallest share of draws that gets a threshold of its own; with fewer, draws are left out."""

_PENALTY = 1e-3
"""Factor of squared weights, in units of each count's spread, for each position."""

_LONGEST = 4.0
"""Longest step, in logits by spread; where results are certain, a full step would overshoot."""


class Fitting(ABC):
    """A model with a weight for each name; it predicts results of games, or values of moves.

    Args:
        owner: shape (n,), the game of each row; all rows of a game are in the same part.
        spread: shape (names,), standard deviation of the count of each name.
        whole: divisor of losses.
    """

    def __init__(self, owner: Index, spread: Doubles, whole: float) -> None:
        self.positions = len(owner)
        self._fold, self.spread, self._whole = owner % FOLDS, spread, whole

    def cross_validate(
        self, columns: Sequence[int], start: Sequence[Doubles] | None = None, steps: int = 8
    ) -> tuple[float, list[Doubles]]:
        """Cross-validate the weights of some names.

        Args:
            columns: indices of the names.
            start: coefficients that a call with the first of these columns returned.
            steps: number of steps of Newton's method, if the model uses it.

        Returns:
            The loss on games that were not fitted to, and coefficients for a later `start`.
        """
        found, total = [], 0.0
        for fold in range(FOLDS):
            inside = self._fold != fold
            found.append(self._fit(columns, inside, None if start is None else start[fold], steps))
            total += self._loss(columns, ~inside, found[fold])
        return total / self._whole, found

    def fit(self, columns: Sequence[int]) -> Doubles:
        """Fit weights of some names to all games."""
        return self._fit(columns, np.ones(self.positions, np.bool_), None, _AT_LAST)

    @abstractmethod
    def _fit(
        self, columns: Sequence[int], rows: Bools, start: Doubles | None, steps: int
    ) -> Doubles:
        """Fit some names to some rows. Coefficients begin with the weights of these names."""

    @abstractmethod
    def _loss(self, columns: Sequence[int], rows: Bools, found: Doubles) -> float:
        """Return the total loss of fitted coefficients on some rows."""


class Odds(Fitting):
    """The proportional-odds model of the results of some positions.

    Args:
        met: positions with at least two different results.
        counts: shape (n, names), of role 0 minus of role 1.
        most: upper bound of the positions used, taken from whole games.
    """

    def __init__(self, met: SelfPlayed, counts: Floats, most: int | None = None) -> None:
        few_draws = float(np.mean(met.result == 0)) < _FEW_DRAWS
        self._levels = (1,) if few_draws else (0, 1)
        kept = met.result != 0 if few_draws else np.ones(len(met.result), bool)
        if most is not None and kept.sum() > most:
            games = np.unique(met.owner[kept])
            share = int(len(games) * most / kept.sum())
            kept &= np.isin(met.owner, games[: max(share, FOLDS)])
        met, counts = met.take(kept), counts[kept]
        near = NEARNESS**met.left
        self._near = (near / near.mean()).astype(np.float32)
        spread = counts.std(axis=0).astype(np.float64)
        super().__init__(met.owner, spread, float(self._near.sum()))
        self._scale = scale_to_one(self.spread)
        self._counts = counts * self._scale.astype(np.float32)
        self._turn = met.turn
        self._reached = [met.result >= level for level in self._levels]

    def fit(self, columns: Sequence[int]) -> Doubles:
        """Fit logits per unit of some names to all games."""
        weights: Doubles = super().fit(columns)[: len(columns)] * self._scale[list(columns)]
        return weights

    def _design(self, columns: Sequence[int], rows: Bools) -> Floats:
        """Return the counts of the columns, and an offset for each player to move."""
        turn = self._turn[rows]
        return np.column_stack(
            (self._counts[np.ix_(rows, np.array(columns, np.intp))], turn == 0, turn == 1)
        ).astype(np.float32)

    def _fit(
        self, columns: Sequence[int], rows: Bools, start: Doubles | None, steps: int
    ) -> Doubles:
        """Fit coefficients of the columns; then, for each level, offsets by the player to move."""
        design, near = self._design(columns, rows), self._near[rows]
        width, offsets = len(columns), 2 * len(self._levels)
        found = np.zeros(width + offsets)
        if start is not None:
            before = len(start) - offsets
            found[:before], found[width:] = start[:before], start[before:]
        penalty = np.repeat((_PENALTY * len(near), 1e-3), (width, offsets))
        for _ in range(steps):
            slope, bend = penalty * found, np.diag(penalty)
            for i, reached in enumerate(self._reached):
                own = [*range(width), width + 2 * i, width + 2 * i + 1]
                chance = logistic(design @ found[own].astype(np.float32))
                slope[own] += design.T @ (near * (chance - reached[rows]))
                curve = near * chance * (1 - chance)
                bend[np.ix_(own, own)] += design.T @ (design * curve[:, None])
            step = np.linalg.solve(bend, slope)
            longest = float(np.abs(step).max())
            found -= step * min(1.0, _LONGEST / max(longest, 1e-12))
            if longest < 1e-4:
                break
        return found

    def _loss(self, columns: Sequence[int], rows: Bools, found: Doubles) -> float:
        """Return the mean log-loss over the levels, times the total weight of the positions."""
        design, near, width = self._design(columns, rows), self._near[rows], len(columns)
        total = 0.0
        for i, reached in enumerate(self._reached):
            own = [*range(width), width + 2 * i, width + 2 * i + 1]
            logits = design @ found[own].astype(np.float32)
            signed = np.where(reached[rows], -logits, logits)
            total += float(np.average(np.logaddexp(0, signed), weights=near))
        return total / len(self._reached) * float(near.sum())


@dataclass(frozen=True, slots=True)
class ChosenFamilies:
    """The chosen families.

    Attributes:
        families: in the order in which they were chosen.
        gains: rise of the log-loss on games held back if the family is left out.
        loss: that log-loss with all of them.
        without: that log-loss with none.
    """

    families: tuple[str, ...]
    gains: Mapping[str, float]
    loss: float
    without: float


def varying_columns(
    model: Fitting, names: Sequence[Term], families: Iterable[str]
) -> dict[str, list[int]]:
    """Return the columns of each family, without names whose count never varies."""
    varying = [i for i in range(len(names)) if model.spread[i] > 0]
    return {f: [i for i in varying if functor(names[i]) == f] for f in families}


def fit_families(
    model: Fitting, names: Sequence[Term], families: Iterable[Sequence[int]], unit: float = 1
) -> dict[Term, int]:
    """Fit the weights of families, given as columns; all other names get 0."""
    weights: dict[Term, int] = dict.fromkeys(names, 0)
    columns = [column for family in families for column in family]
    for i, weight in zip(columns, model.fit(columns), strict=True):
        weights[names[i]] = round(unit * float(weight))
    return weights


def choose_families(
    model: Fitting,
    columns: Mapping[str, Sequence[int]],
    goes_on: Callable[[str], bool],
    most: int = MOST,
) -> ChosenFamilies:
    """Choose the families that predict most.

    Args:
        model: the model of all names.
        columns: see `varying_columns`.
        goes_on: called with the choice so far; returns whether there is time for more.
        most: upper bound of the number of families.
    """

    def price(family: str) -> float:
        return _RULE + _NAME * len(columns[family])

    def all_of(families: Sequence[str]) -> list[int]:
        return [column for family in families for column in columns[family]]

    def gains() -> dict[str, float]:
        return {
            family: model.cross_validate(all_of([f for f in chosen if f != family]))[0] - loss
            for family in chosen
        }

    chosen: list[str] = []
    without, kept = model.cross_validate([])
    loss = without
    while len(chosen) < most:
        tried = {
            family: model.cross_validate(all_of([*chosen, family]), kept, _STEPS)[0] + price(family)
            for family in columns
            if family not in chosen and columns[family]
        }
        best = min(tried, key=lambda family: tried[family], default=None)
        if best is None or tried[best] > loss:
            break
        chosen.append(best)
        loss, kept = model.cross_validate(all_of(chosen))
        if not goes_on(f"{', '.join(chosen)}: {loss:.4f}"):
            break
    gained = gains()
    while chosen:
        weakest = min(chosen, key=lambda f: gained[f] - price(f))
        if gained[weakest] >= price(weakest):
            break
        chosen.remove(weakest)
        loss, _ = model.cross_validate(all_of(chosen))
        gained = gains()
    return ChosenFamilies(tuple(chosen), gained, loss, without)
