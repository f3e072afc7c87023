"""Fit weights that choose the right moves.

A look-ahead takes the value of a move from one position, the end of its principal variation. The
weights multiply the features there, counted for the player who chooses minus the opponent, and the
strategies that fire for the move itself. As in a conditional logit (D. McFadden, "Conditional Logit
Analysis of Qualitative Choice Behavior", 1974) the probability of a move is

    exp(value / scale) / sum over all moves of exp(value / scale),

and the fit makes the moves that keep the result of a position, win or draw, most probable in all,
with the L2 penalty of `results`. Without a look-ahead the strategies choose alone. So the fit also
makes the right moves probable by the strategies alone, on a scale that it learns too.

Other weights lead to other variations, so the fit goes in rounds, each with the variations of the
round before (K. Hoki, "Optimal control of minimax search results to learn positional evaluation",
2006). The first round begins with weights that predict results; each later one goes half way.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.engine.search import FORCED
from advisor.games import rooms
from advisor.games.examples import Example, sign
from advisor.plugins.learn.tuning.model import (
    UNIT,
    Doubles,
    Fits,
    Integers,
    round_weights,
    with_weights,
)
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.settings.config import Config

if TYPE_CHECKING:
    from advisor.games.rooms import Board, Geometry

MOVE_DEPTH = 4
"""Plies of the look-ahead that chooses moves, to grade them or to learn from them."""

_CERTAIN = 50.0
"""Value of a forced win, in logits."""

_LEAST = 1e-30
"""Lower bound that replaces a probability of zero."""

_LOUDER = 10.0
"""Initial scale of strategies alone: they count ten times as much as in a look-ahead."""

_SCALES = (np.log(1e-5 / UNIT), np.log(10 / UNIT))
"""Bounds of the logarithm of the factor that turns values into logits."""

_AT_ONCE = 1000
"""Number of positions in one batch, between two reports."""


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The counts that make up the values of moves.

    Attributes:
        counts: shape (moves, weights): each feature, counted for the player who chooses minus the
            opponent; then, for each strategy, whether it fires. 0 where the value is certain.
        certain: shape (moves,), values in logits; 0 where the counts decide.
    """

    counts: npt.NDArray[np.float32]
    certain: Doubles

    def logits(self, weights: npt.NDArray[Any]) -> Doubles:
        """Return the value of each move, in logits."""
        values: Doubles = self.certain + self.counts @ weights.astype(np.float32)
        return values

    def slope(self, by_logit: Doubles) -> Doubles:
        """Turn a gradient by logits into the gradient by weights."""
        by_weight = by_logit.astype(np.float32) @ self.counts
        return by_weight.astype(np.float64)


class ChoiceModel:
    """A `WeightModel` of the choice of moves; the module describes the model."""

    def __init__(
        self,
        config: Config,
        examples: Sequence[Example],
        start: ResultModel,
        held: Bools,
        rounds: int,
        on_progress: Callable[[str, float], None],
    ) -> None:
        """Take boards of any size, each with the exact scores of all columns and with a choice.

        Args:
            config: the settings whose weights are fitted.
            examples: the boards; see `has_choice`.
            start: a model of their results, to begin with.
            held: shape (n,), the examples held back.
            rounds: number of rounds of the fit.
            on_progress: called with the stage and the share of it (0 to 1) that is done.
        """
        self._config, self._start, self._held = config, start, held
        self._features = len(start.spread)
        self._rounds, self._report = rounds, on_progress
        self._after: list[Board] = [
            e.position.after(column) for e in examples for column in e.columns or {}
        ]
        self._keeps = np.array(
            [sign(s) == e.result for e in examples for s in (e.columns or {}).values()]
        )
        self._sizes = np.array([len(e.columns or {}) for e in examples])
        self._firsts = np.cumsum(self._sizes) - self._sizes
        self._seen: tuple[Integers, _Leaves] | None = None
        self._fired = _find_firings(config, examples)
        self._learning = np.repeat(~held, self._sizes)
        self.spread = np.concatenate((start.spread, self._fired[self._learning].std(axis=0)))

    def fit(self, before: Integers) -> Integers:
        """See `WeightModel`."""
        from scipy.optimize import minimize

        cut = self._features
        features, strategies = np.split(before, [cut])
        alone = strategies * self._scale(self._fired @ strategies)
        scale = _LOUDER
        weights = np.concatenate((self._start.fit(features), UNIT * alone / scale))
        for number in range(1, self._rounds + 1):
            leaves = self._leaves(round_weights(weights), f"round {number} of {self._rounds}")

            def objective(point: Doubles, leaves: _Leaves = leaves) -> tuple[float, Doubles]:
                logits, louder = point[:-1], np.exp(point[-1])
                losses, slopes = self._losses(leaves.logits(logits))
                values = self._fired @ logits[cut:]
                by_themselves, slopes_of_those = self._losses(louder * values)
                by_value = louder * slopes_of_those * self._learning
                scaled = logits * self.spread
                slope = leaves.slope(slopes * self._learning) + scaled * self.spread
                slope[cut:] += by_value @ self._fired
                return (
                    (losses + by_themselves)[~self._held].sum() + scaled @ scaled / 2,
                    np.append(slope, by_value @ values),
                )

            begin = np.append(weights / UNIT, np.log(scale))
            *found, louder = minimize(objective, begin, jac=True, method="L-BFGS-B").x
            scale = float(np.exp(louder))
            unknown = np.concatenate((weights[:cut], UNIT * alone / scale))
            learned = np.where(self.spread > 0, UNIT * np.array(found), unknown)
            weights = learned if number == 1 else (weights + learned) / 2
        return round_weights(weights)

    def grade(self, weights: Integers) -> Fits:
        """See `WeightModel`; a move is right if it keeps the result."""
        leaves = self._leaves(weights, "grading")
        values = leaves.counts @ weights.astype(np.float32)
        logits = leaves.certain + self._scale(values, leaves.certain) * values
        losses, _ = self._losses(logits)
        best = logits == np.repeat(np.maximum.reduceat(logits, self._firsts), self._sizes)
        right = np.add.reduceat(best & self._keeps, self._firsts, dtype=np.int64)
        shares = right / np.add.reduceat(best, self._firsts, dtype=np.int64)
        return Fits.of(losses, shares, self._held)

    def gains(self, weights: Integers) -> Iterator[float]:
        """See `WeightModel`; the variations are still of the full set of weights."""
        leaves = self._leaves(weights, "grading")
        logits = leaves.logits(weights / UNIT)
        held = self._losses(logits)[0][self._held].mean()
        for i, weight in enumerate(weights.tolist()):
            without = logits - leaves.counts[:, i] * (weight / UNIT)
            yield float(self._losses(without)[0][self._held].mean() - held) if weight else 0.0

    def _scale(self, values: npt.NDArray[Any], certain: Doubles | float = 0.0) -> float:
        """Find the factor that best turns the moves' values into logits."""
        from scipy.optimize import minimize_scalar

        def loss(logarithm: float) -> float:
            logits = certain + np.exp(logarithm) * values
            return float(self._losses(logits)[0][~self._held].sum())

        return float(np.exp(minimize_scalar(loss, bounds=_SCALES, method="bounded").x))

    def _leaves(self, weights: Integers, stage: str) -> _Leaves:
        """Look ahead by some weights; keep the last result."""
        if self._seen is not None and np.array_equal(self._seen[0], weights):
            return self._seen[1]
        settings = with_weights(self._config, weights)
        knows = rooms.connect4(settings)
        counts = np.zeros((len(self._after), self._features), np.float32)
        certain = np.zeros(len(self._after))
        done = 0
        for g, moves in _parts(self._after):
            self._report(stage, done / len(self._after))
            done += len(moves)
            evaluator = knows.evaluator(g)
            going = [i for i in moves if self._after[i].result() is None]
            certain[moves] = [_CERTAIN if self._after[i].winner else 0.0 for i in moves]
            values, leaves = evaluator.principal_leaves(
                [self._after[i] for i in going], MOVE_DEPTH - 1
            )
            known = np.abs(values) >= FORCED
            certain[going] = np.where(known, -_CERTAIN * np.sign(values), 0)
            of_player_1, drawn = evaluator.counts(leaves)
            turns = np.array([3 - self._after[i].turn for i in going])
            counts[going] = np.where(turns == 1, 1, -1)[:, None] * of_player_1
            counts[going] *= ~(known | drawn)[:, None]
        counts = np.concatenate((counts, self._fired * (certain == 0)[:, None]), axis=1)
        self._seen = weights, _Leaves(counts, certain)
        return self._seen[1]

    def _losses(self, logits: Doubles) -> tuple[Doubles, Doubles]:
        """Return -ln(probability of the right moves) of each example, and its slope by logits."""
        top = np.maximum.reduceat(logits, self._firsts)
        odds = np.exp(logits - np.repeat(top, self._sizes))
        kept = odds * self._keeps
        every, right = (np.add.reduceat(x, self._firsts) for x in (odds, kept))
        right = right.clip(_LEAST)
        slopes = odds / np.repeat(every, self._sizes) - kept / np.repeat(right, self._sizes)
        return np.log(every / right), slopes


def _find_firings(config: Config, examples: Sequence[Example]) -> npt.NDArray[np.float32]:
    """Find which strategies fire for each move of the examples: shape (moves, strategies)."""
    knows = rooms.connect4(config)
    found: dict[int, npt.NDArray[np.bool_]] = {}
    for g, numbers in _parts([e.position for e in examples]):
        fired = knows.strategies(g).fired_mask([examples[i].position for i in numbers])
        for i, of_position in zip(numbers, fired, strict=True):
            found[i] = of_position[[column - 1 for column in examples[i].columns or {}]]
    return np.concatenate([found[i] for i in range(len(examples))]).astype(np.float32)


def _parts(positions: Sequence["Board"]) -> Iterator[tuple["Geometry", list[int]]]:
    """Yield batches of positions whose boards have one size, as indices."""
    boards: dict[Geometry, list[int]] = {}
    for number, position in enumerate(positions):
        boards.setdefault(position.geometry, []).append(number)
    for g, numbers in boards.items():
        for start in range(0, len(numbers), _AT_ONCE):
            yield g, numbers[start : start + _AT_ONCE]
