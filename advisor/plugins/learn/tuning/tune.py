"""Learn weights from positions with known results, and grade them by the moves that they choose.

This module picks the examples and reports the outcome; `results` fits weights to results or exact
scores, `choices` to the choice of moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

import numpy as np

from advisor.engine.nodes import Bools
from advisor.engine.search import search
from advisor.errors import InputError, at
from advisor.files import linefile
from advisor.games import rooms
from advisor.games.examples import Example, grade_choice, has_choice
from advisor.games.players import PLAYERS, player_label
from advisor.plugins.learn.tuning.choices import MOVE_DEPTH, ChoiceModel
from advisor.plugins.learn.tuning.model import (
    UNIT,
    Contribution,
    Fits,
    Integers,
    WeightModel,
    describe_weights,
    require_sklearn,
    weights_of,
    with_weights,
)
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.settings import writing
from advisor.settings.config import Config
from aspcircuits.texts import file_name

Aim = Literal["results", "scores", "moves"]
"""Target of the fit: results, exact scores, or the moves that keep a result."""

ROUNDS = 12
"""Default number of rounds, enough for a few hundred positions; more data need fewer."""

ORDER_PLIES = 2
"""Plies of the look-ahead whose values are compared for the grade "order"."""

_MOVES_GRADED = 200
_VALUES_GRADED = 4000

_NEEDED = {
    "scores": ("score", "exact scores"),
    "moves": ("columns", "exact scores of all columns, as benchmarks/train/label.py writes them"),
}
"""The attribute that an aim needs in every `Example`, and its name in errors."""


@dataclass(frozen=True, slots=True)
class MoveQuality:
    """The grade of some weights on a sample of the positions held back.

    Attributes:
        kind: "moves": exact scores of all columns grade the moves chosen `MOVE_DEPTH` plies ahead.
            "order", where the data lack these: of two positions with different results and the same
            player to move, how often the better one has the higher value `ORDER_PLIES` plies ahead.
        sample: number of positions.
        good: share (0 to 1) of moves that keep the result, or of pairs in the right order; equal
            values count half.
        perfect: share of moves that keep the exact score; None for "order".
    """

    kind: Literal["moves", "order"]
    sample: int
    good: float
    perfect: float | None = None

    def rows(self, after: "MoveQuality") -> list[tuple[str, str, str]]:
        """Return table rows that compare this grade with a later one: name, before, after."""
        names = ["right order %"] if self.kind == "order" else ["good moves %", "perfect moves %"]
        shares = zip(names, (self.good, self.perfect), (after.good, after.perfect), strict=False)
        return [(name, f"{100 * (a or 0):.1f}", f"{100 * (b or 0):.1f}") for name, a, b in shares]

    @property
    def meaning(self) -> str:
        """A sentence that explains these rows."""
        if self.kind == "moves":
            return (
                f"Moves chosen {MOVE_DEPTH} plies ahead in {self.sample} positions held back; good "
                "keeps win, draw or loss, perfect keeps the exact score."
            )
        return (
            f"Right order: of two positions held back with different results (of {self.sample}), "
            f"how often the better one has the higher value {ORDER_PLIES} plies ahead. That is not "
            "move quality, which takes data from benchmarks/train/label.py, or bench quality."
        )

    def to_json(self) -> dict[str, Any]:
        perfect = {} if self.perfect is None else {"perfect": round(self.perfect, 4)}
        return {"sample": self.sample, "good": round(self.good, 4), **perfect}


@dataclass(frozen=True)
class Scores(Fits):
    """The fit of one set of weights, and the grade of its moves."""

    quality: MoveQuality

    def rows(self, after: Self) -> list[tuple[str, str, str]]:
        return [*super().rows(after), *self.quality.rows(after.quality)]

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), self.quality.kind: self.quality.to_json()}


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome of a fit to positions.

    >>> advisor.tune("positions.txt").to_yaml()  # doctest: +SKIP
    >>> advisor.Tuning in advisor.tune.__annotations__["return"].__args__
    True

    Attributes:
        config: the settings with the new weights of the features and, where moves are the aim, of
            the strategies; without the opening book.
        data: name of the data file.
        seed: of the choice of positions to hold back.
        aim: target of the fit.
        fitted, held: numbers of positions fitted to, and held back.
        left_out: number of positions whose result the encoding knows for certain, or where all
            moves are equally good if moves are the aim.
        before, after: fits of the old and the new weights. Each has its own scale and offsets, so
            that only the weights' proportions are compared.
        contributions: of every weight that was learned, in the order of the settings.
    """

    config: Config
    data: str
    seed: int
    aim: Aim
    fitted: int
    held: int
    left_out: int
    before: Scores
    after: Scores
    contributions: tuple[Contribution, ...]

    @property
    def worse(self) -> bool:
        """Whether the new weights fit the positions held back less well than the old ones."""
        return self.after.held.log_loss > self.before.held.log_loss

    @property
    def warning(self) -> str | None:
        """One line that says where the new weights are worse on positions held back, or None."""
        before, after = self.before.held, self.after.held
        worse = []
        if after.accuracy < before.accuracy:
            worse.append(f"{after.accuracy:.1%} right instead of {before.accuracy:.1%}")
        if self.worse:
            worse.append(f"log-loss {after.log_loss:.4f} instead of {before.log_loss:.4f}")
        if not worse:
            return None
        return (
            f"on the {self.held} positions held back the new weights are worse: "
            f"{' and '.join(worse)} (more positions are needed)"
        )

    @property
    def heading(self) -> str:
        """One line on the positions, without a full stop."""
        left_out = "without a choice" if self.aim == "moves" else "certain"
        return (
            f"{self.data}: fitted to {self.fitted} positions, {self.held} held back, "
            f"{self.left_out} left out as {left_out}"
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """Rows of a table that compares the old and the new weights: name, before, after."""
        return self.before.rows(self.after)

    @property
    def closing(self) -> str:
        """A sentence that explains the last of these rows."""
        return self.after.quality.meaning

    def to_yaml(self, folder: Path) -> str:
        """Write the settings as a weights file for a folder, with their origin in its head."""
        before, after = self.before.held, self.after.held
        return (
            f"# Fitted to {self.aim} of {self.fitted} positions of {self.data} "
            f"(seed {self.seed}); {UNIT} units are 1 logit.\n"
            f"# On the {self.held} others the log-loss is {after.log_loss:.4f} (it was "
            f"{before.log_loss:.4f}), {after.accuracy:.1%} right (it was {before.accuracy:.1%}).\n"
            f"{writing.to_yaml(self.config, folder)}"
        )

    def to_json(self) -> dict[str, Any]:
        """The object of ``tune --json``."""
        return {
            "positions": {"fitted": self.fitted, "held": self.held, "left_out": self.left_out},
            "aim": self.aim,
            "seed": self.seed,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "features": [each.to_json() for each in self.contributions],
            **({} if self.warning is None else {"warning": self.warning}),
        }


def fit_weights(
    path: Path,
    config: Config,
    holdout: float = 0.2,
    seed: int = 1,
    aim: Aim = "results",
    rounds: int = ROUNDS,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Tuning:
    """Fit the weights of settings to a file of examples; see `advisor.tune`."""
    require_sklearn()
    if not 0 < holdout < 1:
        raise InputError(f"{holdout} cannot be held back (use a share between 0 and 1)")
    name = file_name(path)
    examples = _read(path, aim, on_progress)
    on_progress("counting features", 0)
    evaluator = rooms.connect4(config).evaluator(examples[0].position.geometry)
    counts, certain = evaluator.counts([example.position for example in examples])
    useful = ~certain
    if aim == "moves":
        useful &= [has_choice((example.columns or {}).values()) for example in examples]
    chosen = [example for example, use in zip(examples, useful, strict=True) if use]
    turns = np.array([example.position.turn for example in chosen], np.int64)
    wins = np.array([example.result_of_player_1 for example in chosen], np.int64)
    with at(name):
        _require_variety(turns, wins, len(examples), aim)
        held = _hold_back(turns, wins, holdout, seed)
    scores = np.array([e.score for e in chosen], np.int64) if aim == "scores" else None
    results = ResultModel(turns, wins, counts[useful], held, scores)
    model: WeightModel = results
    if aim == "moves":
        model = ChoiceModel(config, chosen, results, held, rounds, on_progress)

    on_progress("fitting", 0)
    before = weights_of(config, strategies=aim == "moves")
    after = model.fit(before)
    tuned = replace(with_weights(config, after), name=f"{config.name} tuned to {name}")
    names = [*evaluator.features, *config.weights["moves"]][: len(after)]
    weighed: list[Contribution] = []
    for each in describe_weights(model, names, before, after):
        on_progress("weighing weights", len(weighed) / len(after))
        weighed.append(each)

    # The new weights come first, since the model still has their variations.
    reached_after, reached_before = model.grade(after), model.grade(before)
    sample = [chosen[i] for i in np.flatnonzero(held).tolist()]
    Random(seed).shuffle(sample)

    def scores_of(reached: Fits, settings: Config, done: float) -> Scores:
        on_progress("choosing moves", done)
        return Scores(reached.fitted, reached.held, grade_moves(sample, settings))

    return Tuning(
        config=tuned,
        data=name,
        seed=seed,
        aim=aim,
        fitted=int((~held).sum()),
        held=int(held.sum()),
        left_out=len(examples) - len(chosen),
        before=scores_of(reached_before, config, 0),
        after=scores_of(reached_after, tuned, 0.5),
        contributions=tuple(weighed),
    )


def _read(path: Path, aim: Aim, on_progress: Callable[[str, float], None]) -> list[Example]:
    """Read the examples of a file.

    Raises:
        InputError: the examples lack an attribute that the aim needs.
    """
    read = linefile.entries(path, rooms.load().example, lambda part: on_progress("reading", part))
    examples = [example for _, example in read]
    if aim in _NEEDED:
        attribute, needed = _NEEDED[aim]
        if any(getattr(example, attribute) is None for example in examples):
            raise InputError(f"{file_name(path)}: has no {needed} (use `to` results)")
    return examples


def _require_variety(turns: Integers, wins: Integers, among: int, aim: Aim) -> None:
    """Refuse data in which the player to move alone determines the result."""
    if not len(turns):
        if aim == "moves":
            raise InputError(f"none of {among} positions leaves a choice to learn from")
        raise InputError(f"the results of all {among} positions are certain anyway")
    found = {turn: {*wins[turns == turn].tolist()} for turn in PLAYERS}
    if max(map(len, found.values())) < 2:
        words = {1: "won by x", 0: "drawn", -1: "won by o"}
        told = " and ".join(
            f"with {player_label(turn)} to move all positions are {words[results.pop()]}"
            for turn, results in found.items()
            if results
        )
        raise InputError(f"one class only, {told} (give positions with different results)")


def _hold_back(turns: Integers, wins: Integers, share: float, seed: int) -> Bools:
    """Choose positions to hold back, the same share of each result and player to move.

    At least one position of each kind is left to fit to.

    Returns:
        shape (n,), whether each position is held back.
    """
    random = Random(seed)
    held = np.zeros(len(turns), np.bool_)
    for turn, result in product(PLAYERS, (-1, 0, 1)):
        members = np.flatnonzero((turns == turn) & (wins == result)).tolist()
        random.shuffle(members)
        held[members[: min(round(share * len(members)), len(members) - 1)]] = True
    if not held.any():
        few = f"{len(held)} positions are too few to hold {share:.0%} of each result back"
        raise InputError(few)
    return held


def grade_moves(sample: Sequence[Example], config: Config) -> MoveQuality:
    """Grade settings by the first positions of a sample; see `MoveQuality`."""
    if sample[0].columns is not None:
        return _move_quality(sample[:_MOVES_GRADED], config)
    return _order_quality(sample[:_VALUES_GRADED], config)


def _move_quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    knows, size = rooms.connect4(config), sample[0].position.geometry
    evaluator, strategies = knows.evaluator(size), knows.strategies(size)
    good = perfect = 0.0
    for example in sample:
        bonus = strategies.totals(example.position)
        found = search(example.position, evaluator, depth=MOVE_DEPTH, bonus=bonus, follow=None)
        best, keeping = grade_choice(found.best[:1], example.columns or {})
        perfect += best
        good += keeping
    return MoveQuality("moves", len(sample), good / len(sample), perfect / len(sample))


def _order_quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    evaluator = rooms.connect4(config).evaluator(sample[0].position.geometry)
    right = 0.0
    pairs = 0
    for turn in PLAYERS:
        of_turn = [example for example in sample if example.position.turn == turn]
        values = evaluator.values([example.position for example in of_turn], ORDER_PLIES)
        results = np.array([example.result for example in of_turn], np.int64)
        for better in (0, 1):
            higher, lower = values[results == better], np.sort(values[results < better])
            below = np.searchsorted(lower, higher, "left") + np.searchsorted(lower, higher, "right")
            right += below.sum() / 2
            pairs += len(higher) * len(lower)
    return MoveQuality("order", len(sample), right / pairs if pairs else 0.5)
