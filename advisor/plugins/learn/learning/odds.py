"""Which candidates tell how games end: a proportional-odds model, fitted and compared quickly.

The model is that of `advisor.plugins.learn.tuning.results`: the log odds of a win, and of no loss where draws
are many, are a sum of weighted counts and of an offset by who is to move. It is fitted by Newton's
method with an L2 penalty, positions near the end of a game counting more, and judged on games that
it was not fitted to.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.plugins.learn.learning.choosing import FOLDS, Fitting
from advisor.plugins.learn.tuning.model import Numbers, inverted, logistic
from advisor.plugins.learn.tuning.selfplay import SelfPlayed

Floats = npt.NDArray[np.float32]

NEARNESS = 0.93
"""What a ply further from the end leaves of a position's weight."""

_FEW_DRAWS = 0.03
"""A smaller part of draws is left out in place of a threshold of their own."""
_PENALTY = 1e-3
"""Of squared weights, in units of each count's spread, for each position."""
_LONGEST = 4.0
"""Of a step, in logits by spread: where results are certain a full one would go too far."""


class Odds(Fitting):
    """The model for some positions.

    Args:
        met: positions of at least two results.
        counts: shape (n, names), of role 0 minus of role 1.
        most: only so many positions are looked at, of whole games.
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
        self._scale = inverted(self.spread)
        self._counts = counts * self._scale.astype(np.float32)
        self._turn = met.turn
        self._reached = [met.result >= level for level in self._levels]

    def fit(self, columns: Sequence[int]) -> Numbers:
        """Logits for one of each of some names, by all games."""
        weights: Numbers = super().fit(columns)[: len(columns)] * self._scale[list(columns)]
        return weights

    def _design(self, columns: Sequence[int], rows: Bools) -> Floats:
        """The columns, and an offset for each player to move."""
        turn = self._turn[rows]
        return np.column_stack(
            (self._counts[np.ix_(rows, np.array(columns, np.intp))], turn == 0, turn == 1)
        ).astype(np.float32)

    def _fit(
        self, columns: Sequence[int], rows: Bools, start: Numbers | None, steps: int
    ) -> Numbers:
        """Coefficients: of the columns, then of each level the offsets by the player to move."""
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

    def _loss(self, columns: Sequence[int], rows: Bools, found: Numbers) -> float:
        """The mean log-loss of a level, times what the positions count."""
        design, near, width = self._design(columns, rows), self._near[rows], len(columns)
        total = 0.0
        for i, reached in enumerate(self._reached):
            own = [*range(width), width + 2 * i, width + 2 * i + 1]
            logits = design @ found[own].astype(np.float32)
            signed = np.where(reached[rows], -logits, logits)
            total += float(np.average(np.logaddexp(0, signed), weights=near))
        return total / len(self._reached) * float(near.sum())
