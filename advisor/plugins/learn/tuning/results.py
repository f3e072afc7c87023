"""Fit weights that predict the results of positions.

The circuit counts each feature of a position: how often player 1 has it minus how often player 2
has it. The model of these counts is one of proportional odds (P. McCullagh, "Regression Models for
Ordinal Data", 1980): a draw lies between a win and a loss. For a threshold t, either "player 1
wins" or "player 1 does not lose",

    log odds of t = sum of weight(F) * count(F) + offset(t) + offset(player to move).

One logistic regression fits it to every position twice, once for each threshold, with an L2 penalty
on the weights in units of their feature's spread. With exact scores there are more thresholds: one
between each two bands of scores, so that sooner wins are worth more than later ones. Weights are
rounded to 1/100 logit; the offsets do not matter for the choice of a move.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.plugins.learn.tuning.model import (
    UNIT,
    Doubles,
    Fits,
    Integers,
    logistic,
    round_weights,
    scale_to_one,
)

_BAND = 3
_BANDS = 4
"""Width and number of the bands of exact scores; the last band has no upper bound."""

_LEAST_PROBABILITY = 1e-9


class ResultModel:
    """A `WeightModel` of results; the module describes the model."""

    def __init__(
        self,
        turns: Integers,
        results: Integers,
        counts: Integers,
        held: Bools,
        scores: Integers | None = None,
    ) -> None:
        """Take the positions, given by parallel arrays.

        Args:
            turns: shape (n,), the player to move, 1 or 2.
            results: shape (n,), 1, 0 or -1 for player 1.
            counts: shape (n, features), of player 1 minus of player 2.
            held: shape (n,), the positions held back.
            scores: shape (n,), exact scores to fit to instead of results.
        """
        self._turns, self._results, self._counts, self._held = turns, results, counts, held
        self._ranks = results
        if scores is not None:
            self._ranks = results * (1 + (abs(scores) // _BAND).clip(max=_BANDS - 1))
        self.spread: Doubles = counts[~held].std(axis=0)

    def fit(self, before: Integers) -> Integers:
        """See `WeightModel`."""
        logits, _ = self._regression((self._counts @ before)[:, None], self._ranks)
        rescaled = before * max(0.0, logits[0])
        fitted, _ = self._regression(self._counts, self._ranks)
        return round_weights(UNIT * np.where(self.spread > 0, fitted, rescaled))

    def grade(self, weights: Integers) -> Fits:
        """See `WeightModel`; the offsets are fitted again."""
        return self._grade(self._counts @ weights)

    def gains(self, weights: Integers) -> Iterator[float]:
        """See `WeightModel`."""
        values = self._counts @ weights
        loss = self._grade(values).held.log_loss
        for counts, weight, spread in zip(self._counts.T, weights, self.spread, strict=True):
            if weight and spread:
                yield self._grade(values - counts * weight).held.log_loss - loss
            else:
                yield 0.0

    def _grade(self, values: Integers) -> Fits:
        logits, offsets = self._regression(values[:, None], self._results)
        at_least = {0: np.ones(len(values)), 1: np.zeros(len(values))}
        for result, offset in offsets.items():
            at_least[result] = logistic(values * logits[0] + offset[self._turns - 1])
        # P(loss) = 1 - P(at least a draw), P(draw) = that - P(win), P(win).
        bounds = np.stack([np.ones(len(values)), at_least[0], at_least[1], np.zeros(len(values))])
        chances = (bounds[:-1] - bounds[1:]).clip(_LEAST_PROBABILITY, 1)
        truth = self._results + 1
        loss = -np.log(chances[truth, np.arange(len(values))])
        right = chances.argmax(axis=0) == truth
        return Fits.of(loss, right, self._held)

    def _regression(
        self, columns: npt.NDArray[Any], ranks: Integers
    ) -> tuple[Doubles, dict[int, Doubles]]:
        """Fit the proportional-odds model to the positions that are not held back.

        Returns:
            Logits per unit of each column (0 where it does not vary); and, for each threshold, the
            offsets by player to move. A threshold is the least rank of player 1 that counts; one
                that
            every position reaches is missing.
        """
        from sklearn.linear_model import LogisticRegression

        fitted = ~self._held
        chosen = columns[fitted].astype(np.float64)
        scale = scale_to_one(chosen.std(axis=0))
        chosen *= scale
        second = (self._turns[fitted] == 2).astype(np.float64)
        thresholds = range(ranks[fitted].min() + 1, ranks[fitted].max() + 1)
        # The method does not penalise its own intercept, and hardly penalises the other offsets.
        marks = np.eye(len(thresholds))[:, 1:]
        rows = np.concatenate(
            [np.column_stack((chosen, second, np.tile(mark, (len(chosen), 1)))) for mark in marks]
        )
        reached = np.concatenate([ranks[fitted] >= threshold for threshold in thresholds])
        model = LogisticRegression(C=1.0, max_iter=1000).fit(rows, reached)
        features = columns.shape[1]
        logits, of_second = model.coef_[0][:features], model.coef_[0][features]
        of_threshold = model.intercept_[0] + marks @ model.coef_[0][features + 1 :]
        offsets = {
            threshold: offset + np.array([0.0, of_second])
            for threshold, offset in zip(thresholds, of_threshold, strict=True)
        }
        return logits * scale, offsets
