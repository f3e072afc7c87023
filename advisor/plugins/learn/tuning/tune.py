"""Weights learned from positions whose results are known, and graded by the moves they lead to.

`tuning.results` learns what tells results or exact scores, `tuning.choices` what chooses moves.
Here the examples are chosen and what was learned is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

import numpy as np

from advisor import extras
from advisor.engine.nodes import Bools
from advisor.engine.search import search
from advisor.errors import InputError, at
from advisor.files import linefile
from advisor.games import rooms
from advisor.games.examples import Example, graded
from advisor.games.players import PLAYERS, named
from advisor.plugins.learn.tuning.choices import MOVE_DEPTH, ChoiceModel, has_choice
from advisor.plugins.learn.tuning.model import (
    UNIT,
    Contribution,
    Fits,
    Integers,
    WeightModel,
    contributions,
    weights_of,
    with_weights,
)
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.settings import writing
from advisor.settings.config import Config
from aspcircuits.texts import file_name

Aim = Literal["results", "scores", "moves"]
"""What weights are to tell: results, exact scores, or the moves that keep a result."""

ROUNDS = 12
"""Enough for a few hundred positions to learn a taste from; more data need fewer."""

ORDER_PLIES = 2
"""Plies that values look ahead when their order is graded."""

_MOVES_GRADED = 200
_VALUES_GRADED = 4000

_NEEDED = {
    "scores": ("score", "exact scores"),
    "moves": ("columns", "exact scores of all columns, as benchmarks/train/label.py writes them"),
}
"""What an aim needs of every `Example`: the attribute, and how it is called."""


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

    def rows(self, after: "MoveQuality") -> list[tuple[str, str, str]]:
        """This one and a later one in a table: what is told, before and after."""
        names = ["right order %"] if self.kind == "order" else ["good moves %", "perfect moves %"]
        shares = zip(names, (self.good, self.perfect), (after.good, after.perfect), strict=False)
        return [(name, f"{100 * (a or 0):.1f}", f"{100 * (b or 0):.1f}") for name, a, b in shares]

    @property
    def meaning(self) -> str:
        """What these rows mean."""
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
    """What one set of weights reaches."""

    quality: MoveQuality

    def rows(self, after: Self) -> list[tuple[str, str, str]]:
        return [*super().rows(after), *self.quality.rows(after.quality)]

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), self.quality.kind: self.quality.to_json()}


@dataclass(frozen=True, slots=True)
class Tuning:
    """The outcome.

    Attributes:
        config: the settings with the new weights, of the features and, where moves are the aim, of
            the strategies; without the opening book; all else is as it was.
        data: the name of the data file.
        seed: of the choice of positions to hold back.
        fitted, held, left_out: numbers of positions fitted to, held back, and left out because
            the encoding knows their result for certain, where no feature is looked at; or because
            all moves are equally good, where moves are the aim.
        before, after: what the old and the new weights reach. Both are free to choose their scale
            and offsets, so that nothing but the weights' proportions is compared.
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
        """Whether the new weights tell less of the positions held back than the old ones."""
        return self.after.held.log_loss > self.before.held.log_loss

    @property
    def warning(self) -> str | None:
        """One line on what the new weights do worse on the positions held back; None if nothing."""
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
        """What was learned from, in a sentence without its end."""
        left_out = "without a choice" if self.aim == "moves" else "certain"
        return (
            f"{self.data}: fitted to {self.fitted} positions, {self.held} held back, "
            f"{self.left_out} left out as {left_out}"
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """What the old and the new weights reach: its name, before and after."""
        return self.before.rows(self.after)

    @property
    def closing(self) -> str:
        """What the last of these rows mean."""
        return self.after.quality.meaning

    def to_yaml(self, folder: Path) -> str:
        """The settings as a weights file in a folder that says where they come from."""
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


def tune(
    path: Path,
    config: Config,
    holdout: float = 0.2,
    seed: int = 1,
    aim: Aim = "results",
    rounds: int = ROUNDS,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Tuning:
    """Fits the weights of a configuration to a file of examples; see `advisor.tune`."""
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
    for each in contributions(model, names, before, after):
        on_progress("weighing weights", len(weighed) / len(after))
        weighed.append(each)

    # The new weights first: their variations are those that were looked for last.
    reached_after, reached_before = model.grade(after), model.grade(before)
    sample = [chosen[i] for i in np.flatnonzero(held).tolist()]
    Random(seed).shuffle(sample)

    def scores_of(reached: Fits, settings: Config, done: float) -> Scores:
        on_progress("choosing moves", done)
        return Scores(reached.fitted, reached.held, grade(sample, settings))

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
    """The examples of a file, which have what an aim needs."""
    read = linefile.entries(path, rooms.load().example, lambda part: on_progress("reading", part))
    examples = [example for _, example in read]
    if aim in _NEEDED:
        attribute, needed = _NEEDED[aim]
        if any(getattr(example, attribute) is None for example in examples):
            raise InputError(f"{file_name(path)}: has no {needed} (use `to` results)")
    return examples


def require_sklearn() -> None:
    """Refuses to begin without what is needed in the end."""
    try:
        import sklearn.linear_model  # noqa: F401 - to fail before the long work, not after it
    except ImportError:
        raise InputError(
            f"tune needs scikit-learn, which is not installed ({extras.install('tune')})"
        ) from None


def _require_variety(turns: Integers, wins: Integers, among: int, aim: Aim) -> None:
    """Refuses data in which whose turn it is already tells the result."""
    if not len(turns):
        if aim == "moves":
            raise InputError(f"none of {among} positions leaves a choice to learn from")
        raise InputError(f"the results of all {among} positions are certain anyway")
    found = {turn: {*wins[turns == turn].tolist()} for turn in PLAYERS}
    if max(map(len, found.values())) < 2:
        words = {1: "won by x", 0: "drawn", -1: "won by o"}
        told = " and ".join(
            f"with {named(turn)} to move all positions are {words[results.pop()]}"
            for turn, results in found.items()
            if results
        )
        raise InputError(f"one class only, {told} (give positions with different results)")


def _hold_back(turns: Integers, wins: Integers, share: float, seed: int) -> Bools:
    """Shape (n,): a random choice, the same share of each result and player to move.

    At least one position of each kind is left to be fitted to.
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


def grade(sample: Sequence[Example], config: Config) -> MoveQuality:
    """The grade of the first positions of a sample, see `MoveQuality`."""
    if sample[0].columns is not None:
        return _move_quality(sample[:_MOVES_GRADED], config)
    return _order_quality(sample[:_VALUES_GRADED], config)


def _move_quality(sample: Sequence[Example], config: Config) -> MoveQuality:
    evaluator = rooms.connect4(config).evaluator(sample[0].position.geometry)
    strategies = rooms.connect4(config).strategies(sample[0].position.geometry)
    good = perfect = 0.0
    for example in sample:
        bonus = strategies.totals(example.position)
        found = search(example.position, evaluator, depth=MOVE_DEPTH, bonus=bonus, follow=None)
        best, keeping = graded(found.best[:1], example.columns or {})
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
