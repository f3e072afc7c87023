"""Weights learned from positions whose results are known.

What a position holds is counted by the circuit: for each feature, how many times player 1 has it
minus how many times player 2 does. On these counts stands a proportional-odds model (P. McCullagh,
"Regression Models for Ordinal Data", 1980), which knows that a draw lies between a win and a loss:
for a threshold t, either "player 1 wins" or "player 1 does not lose",

    log odds of t = sum of weight(F) * count(F) + offset(t) + offset(player to move).

It is fitted as one logistic regression, with an L2 penalty on the weights in units of their
feature's spread, to every position twice, once for each threshold. If asked to, the fit tells more
than the result: exact scores, in bands, with a threshold between each two. Sooner wins are then
worth more than later ones. The weights are then what the
value of a position is made of, in the unit of 1/100 logit and rounded; the offsets do not matter
for the choice of a move. Positions whose result the encoding itself knows for certain are left
out, because there no feature is looked at.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from advisor import config as configs
from advisor import datasets
from advisor.asp.clingo_api import Term, render
from advisor.config import WEIGHT_LIMIT, Config
from advisor.connect4.board import DISCS, PLAYERS
from advisor.datasets import Example
from advisor.errors import InputError
from advisor.evaluator import CircuitEvaluator
from advisor.search import search
from advisor.textfile import file_name

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

UNIT = 100
"""Weights of one logit: a value higher by so much multiplies the odds by e."""

MOVE_DEPTH = 4
"""Plies that the choice of a move looks ahead when moves are graded."""

ORDER_PLIES = 2
"""Plies that values look ahead when their order is graded."""

_MOVES_GRADED = 200
_VALUES_GRADED = 4000

_BAND = 3
_BANDS = 4
"""Exact scores are told apart in bands so wide; the last one has no end."""

_RESULTS = (-1, 0, 1)
_LEAST_PROBABILITY = 1e-9


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a set of weights tells the results of some positions.

    Attributes:
        log_loss: mean of -ln(probability given to the true one of win, draw and loss).
        accuracy: share of positions (0 to 1) in which that was the most probable one.
    """

    log_loss: float
    accuracy: float

    def to_json(self) -> dict[str, float]:
        """A dictionary for JSON."""
        return {"log_loss": round(self.log_loss, 4), "accuracy": round(self.accuracy, 4)}


@dataclass(frozen=True, slots=True)
class MoveQuality:
    """How good the choice of moves is, on a sample of the positions held back.

    Attributes:
        kind: "moves": the moves chosen `MOVE_DEPTH` plies ahead, graded by the exact scores of
            all columns. "order", where the data do not have these: of two positions with different
            results and the same player to move, how often the better one has the higher value
            `ORDER_PLIES` plies ahead. That is no grade of moves, but what their choice rests on.
        sample: the number of positions.
        good: share (0 to 1) of moves that keep the result, or of pairs in the right order; an
            equal value counts half.
        perfect: share of moves that keep the exact score; None for "order".
    """

    kind: Literal["moves", "order"]
    sample: int
    good: float
    perfect: float | None = None

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        perfect = {} if self.perfect is None else {"perfect": round(self.perfect, 4)}
        return {"sample": self.sample, "good": round(self.good, 4), **perfect}


@dataclass(frozen=True, slots=True)
class Scores:
    """What one set of weights reaches; "held" are the positions that were not fitted to."""

    fitted: Fit
    held: Fit
    quality: MoveQuality

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "fitted": self.fitted.to_json(),
            "held": self.held.to_json(),
            self.quality.kind: self.quality.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a feature contributes.

    Attributes:
        feature: its name.
        before, after: its weight.
        spread: standard deviation of its count; 0 if the data say nothing of it, and then its
            weight is the one from before, in the new unit.
        gain: by how much the log-loss on the positions held back would be higher without it, all
            other weights unchanged.
    """

    feature: str
    before: int
    after: int
    spread: float
    gain: float

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "feature": self.feature,
            "before": self.before,
            "after": self.after,
            "spread": round(self.spread, 4),
            "gain": round(self.gain, 5),
        }


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome.

    Attributes:
        config: the settings with the new feature weights; all else is as it was.
        data: the name of the data file.
        seed: of the choice of positions to hold back.
        fitted, held, certain: numbers of positions fitted to, held back, and left out because
            the encoding knows their result for certain.
        before, after: what the old and the new weights reach. Both are free to choose their scale
            and offsets, so that nothing but the weights' proportions is compared.
        contributions: of every feature, in the order of the settings.
    """

    config: Config
    data: str
    seed: int
    fitted: int
    held: int
    certain: int
    before: Scores
    after: Scores
    contributions: tuple[Contribution, ...]

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "positions": {"fitted": self.fitted, "held": self.held, "certain": self.certain},
            "seed": self.seed,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "features": [each.to_json() for each in self.contributions],
        }


def tune(
    path: Path,
    config: Config,
    *,
    holdout: float = 0.2,
    seed: int = 1,
    scores: bool = False,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Tuning:
    """Fits the feature weights of a configuration to a file of positions.

    Args:
        path: see `advisor.datasets`.
        config: names the encodings, and has the weights to compare with.
        holdout: share (0 to 1) of the positions that is held back from the fit.
        seed: the same gives the same.
        scores: fit to exact scores, not only to results.
        on_progress: called with what is being done and how much of it is done (0 to 1).

    Raises:
        InputError: scikit-learn is missing, the file is wrong, or its positions are too few or
            too much alike in their results.
        ConfigError, EncodingError: the configuration's encodings cannot be used.
    """
    _require_sklearn()
    if not 0 < holdout < 1:
        raise InputError(f"{holdout} cannot be held back (use a share between 0 and 1)")
    name = file_name(path)
    examples = datasets.read(path, lambda part: on_progress("reading", part))
    if scores and any(example.score is None for example in examples):
        raise InputError(f"{name}: has no exact scores (leave out --scores)")
    on_progress("counting features", 0)
    evaluator = CircuitEvaluator(config, examples[0].position.geometry)
    counts, certain = evaluator.counts([example.position for example in examples])
    open_ = [e for e, sure in zip(examples, certain, strict=True) if not sure]
    data = _Data.of(open_, scores)
    _require_variety(name, data, int(certain.sum()))
    held = _hold_back(data, holdout, seed)
    if not held.any():
        few = f"{len(held)} positions are too few to hold {holdout:.0%} of each result back"
        raise InputError(f"{name}: {few}")
    judge = _Judge(counts[~certain], data, held)

    on_progress("fitting", 0)
    before = np.array([config.weights["features"][f] for f in evaluator.features], np.int64)
    after = judge.fit(before)
    learned: dict[Term, int] = dict(zip(evaluator.features, after.tolist(), strict=True))
    tuned = replace(
        config,
        name=f"{config.name} with features tuned to {name}",
        weights={**config.weights, "features": learned},
    )
    contributions = []
    for i, gain in enumerate(judge.gains(after)):
        on_progress("weighing features", i / len(after))
        contributions.append(
            Contribution(
                feature=render(evaluator.features[i]),
                before=int(before[i]),
                after=int(after[i]),
                spread=float(judge.spread[i]),
                gain=gain,
            )
        )

    sample = [data.examples[i] for i in np.flatnonzero(held).tolist()]
    Random(seed).shuffle(sample)
    on_progress("choosing moves", 0)
    quality_before = _quality(sample, config)
    on_progress("choosing moves", 0.5)
    quality_after = _quality(sample, tuned)
    return Tuning(
        config=tuned,
        data=name,
        seed=seed,
        fitted=int((~held).sum()),
        held=int(held.sum()),
        certain=int(certain.sum()),
        before=Scores(*judge.grade(before), quality_before),
        after=Scores(*judge.grade(after), quality_after),
        contributions=tuple(contributions),
    )


def to_yaml(tuning: Tuning, comments: Mapping[str, Mapping[str, str]]) -> str:
    """The tuned settings as a weights file that says where they come from.

    Args:
        comments: see `advisor.config.to_yaml`.
    """
    before, after = tuning.before.held, tuning.after.held
    return (
        f"# Features: fitted to {tuning.fitted} positions of {tuning.data} (seed {tuning.seed}); "
        f"{UNIT} units are 1 logit.\n"
        f"# On the {tuning.held} others the log-loss is {after.log_loss:.4f} (it was "
        f"{before.log_loss:.4f}), {after.accuracy:.1%} right (it was {before.accuracy:.1%}).\n"
        f"{configs.to_yaml(tuning.config, comments)}"
    )


def _require_sklearn() -> None:
    try:
        import sklearn.linear_model  # noqa: F401 - to fail before the long work, not after it
    except ImportError:
        raise InputError(
            "tune needs scikit-learn, which is not installed (pip install 'asp-advisor[tune]')"
        ) from None


@dataclass(frozen=True, slots=True)
class _Data:
    """Positions, and as arrays of shape (n,) their player to move and what player 1 reaches.

    Attributes:
        results: 1, 0 or -1.
        ranks: what the fit tells apart, the better the higher: the results, or bands of scores.
    """

    examples: Sequence[Example]
    turns: Integers
    results: Integers
    ranks: Integers

    @classmethod
    def of(cls, examples: Sequence[Example], scores: bool) -> "_Data":
        turns = np.array([example.position.turn for example in examples], np.int64)
        results = np.array([example.result for example in examples], np.int64)
        results = np.where(turns == 1, results, -results)
        ranks = results
        if scores:
            exact = np.array([example.score for example in examples], np.int64)
            ranks = results * (1 + (abs(exact) // _BAND).clip(max=_BANDS - 1))
        return cls(examples, turns, results, ranks)


def _require_variety(name: str, data: _Data, certain: int) -> None:
    """Refuses data in which whose turn it is already tells the result."""
    if not data.examples:
        raise InputError(f"{name}: the results of all {certain} positions are certain anyway")
    found = {turn: set(data.results[data.turns == turn].tolist()) for turn in PLAYERS}
    if max(map(len, found.values())) < 2:
        words = {1: "won by x", 0: "drawn", -1: "won by o"}
        told = " and ".join(
            f"with {DISCS[turn]} to move all positions are {words[results.pop()]}"
            for turn, results in found.items()
            if results
        )
        raise InputError(f"{name}: one class only, {told} (give positions with different results)")


def _hold_back(data: _Data, share: float, seed: int) -> npt.NDArray[np.bool_]:
    """Shape (n,): a random choice, the same share of each result and player to move.

    At least one position of each kind is left to be fitted to.
    """
    random = Random(seed)
    held = np.zeros(len(data.turns), np.bool_)
    for turn in PLAYERS:
        for result in _RESULTS:
            members = np.flatnonzero((data.turns == turn) & (data.results == result)).tolist()
            random.shuffle(members)
            held[members[: min(round(share * len(members)), len(members) - 1)]] = True
    return held


class _Judge:
    """Fits weights to one part of the data and grades them on both.

    Attributes:
        spread: shape (features,), the standard deviation of each count in the part fitted to.
    """

    def __init__(self, counts: Integers, data: _Data, held: npt.NDArray[np.bool_]) -> None:
        self._counts = counts
        self._turns = data.turns
        self._results = data.results
        self._ranks = data.ranks
        self._held = held
        self.spread: Numbers = counts[~held].std(axis=0)

    def fit(self, before: Integers) -> Integers:
        """New weights; a feature that the data say nothing of keeps its old one, rescaled."""
        logits, _ = self._regression((self._counts @ before)[:, None], self._ranks)
        rescaled = before * max(0.0, logits[0])
        fitted, _ = self._regression(self._counts, self._ranks)
        weights = UNIT * np.where(self.spread > 0, fitted, rescaled)
        rounded: Integers = np.rint(weights.clip(-WEIGHT_LIMIT, WEIGHT_LIMIT)).astype(np.int64)
        return rounded

    def grade(self, weights: Integers) -> tuple[Fit, Fit]:
        """How well the values by these weights tell the results: (fitted to, held back)."""
        return self._grade(self._counts @ weights)

    def gains(self, weights: Integers) -> Iterator[float]:
        """For each feature, see `Contribution`."""
        values = self._counts @ weights
        loss = self._grade(values)[1].log_loss
        for counts, weight, spread in zip(self._counts.T, weights, self.spread, strict=True):
            if weight and spread:
                yield self._grade(values - counts * weight)[1].log_loss - loss
            else:
                yield 0.0

    def _grade(self, values: Integers) -> tuple[Fit, Fit]:
        logits, offsets = self._regression(values[:, None], self._results)
        at_least = {0: np.ones(len(values)), 1: np.zeros(len(values))}
        for result, offset in offsets.items():
            at_least[result] = _logistic(values * logits[0] + offset[self._turns - 1])
        # P(loss) = 1 - P(at least a draw), P(draw) = that - P(win), P(win).
        bounds = np.stack([np.ones(len(values)), at_least[0], at_least[1], np.zeros(len(values))])
        chances = (bounds[:-1] - bounds[1:]).clip(_LEAST_PROBABILITY, 1)
        truth = self._results + 1
        loss = -np.log(chances[truth, np.arange(len(values))])
        right = chances.argmax(axis=0) == truth
        fitted, held = (
            Fit(float(loss[part].mean()), float(right[part].mean()))
            for part in (~self._held, self._held)
        )
        return fitted, held

    def _regression(
        self, columns: npt.NDArray[Any], ranks: Integers
    ) -> tuple[Numbers, dict[int, Numbers]]:
        """The proportional-odds model on the part to be fitted to.

        Returns:
            logits per unit of each column (0 where it does not vary), and for each threshold
            (the rank that player 1 reaches at least) the offsets by player to move. A threshold
            that every position reaches is left out.
        """
        from sklearn.linear_model import LogisticRegression

        fitted = ~self._held
        chosen = columns[fitted].astype(np.float64)
        spread = chosen.std(axis=0)
        scale = np.divide(1, spread, out=np.zeros_like(spread), where=spread > 0)
        chosen *= scale
        second = (self._turns[fitted] == 2).astype(np.float64)
        thresholds = range(ranks[fitted].min() + 1, ranks[fitted].max() + 1)
        # The method's own intercept is not penalised; the other offsets hardly are.
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


def _logistic(logits: Numbers) -> Numbers:
    # By way of tanh, which does not overflow.
    result: Numbers = (1 + np.tanh(logits / 2)) / 2
    return result


def _quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    """The grade of the first positions of a sample, see `MoveQuality`."""
    if sample[0].columns is not None:
        return _move_quality(sample[:_MOVES_GRADED], config)
    return _order_quality(sample[:_VALUES_GRADED], config)


def _move_quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    evaluator = CircuitEvaluator(config, sample[0].position.geometry)
    good = perfect = 0
    for example in sample:
        found = search(example.position, evaluator, depth=MOVE_DEPTH)
        if found.interrupted:
            raise KeyboardInterrupt
        columns = example.columns or {}
        score = columns[found.best[0]]
        perfect += score == max(columns.values())
        good += np.sign(score) == example.result
    return MoveQuality("moves", len(sample), good / len(sample), perfect / len(sample))


def _order_quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    evaluator = CircuitEvaluator(config, sample[0].position.geometry)
    at_once = evaluator.positions_at_once(ORDER_PLIES)
    right = 0.0
    pairs = 0
    for turn in PLAYERS:
        of_turn = [example for example in sample if example.position.turn == turn]
        positions = [example.position for example in of_turn]
        parts = [
            evaluator.values(positions[start : start + at_once], ORDER_PLIES)
            for start in range(0, len(positions), at_once)
        ]
        values = np.concatenate([np.empty(0, np.int64), *parts])
        results = np.array([example.result for example in of_turn], np.int64)
        for better in (0, 1):
            higher, lower = values[results == better], np.sort(values[results < better])
            below = np.searchsorted(lower, higher, "left") + np.searchsorted(lower, higher, "right")
            right += below.sum() / 2
            pairs += len(higher) * len(lower)
    return MoveQuality("order", len(sample), right / pairs if pairs else 0.5)
