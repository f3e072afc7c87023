"""How good the moves are that a set of weights leads to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from advisor.engine.search import search
from advisor.games import rooms
from advisor.games.examples import Example, graded
from advisor.games.players import PLAYERS
from advisor.settings.config import Config

MOVE_DEPTH = 4
"""Plies that the choice of a move looks ahead, when moves are graded or learned from."""

ORDER_PLIES = 2
"""Plies that values look ahead when their order is graded."""

_MOVES_GRADED = 200
_VALUES_GRADED = 4000


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
            "move quality, which takes data from benchmarks/label.py, or bench quality."
        )

    def to_json(self) -> dict[str, Any]:
        perfect = {} if self.perfect is None else {"perfect": round(self.perfect, 4)}
        return {"sample": self.sample, "good": round(self.good, 4), **perfect}


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
