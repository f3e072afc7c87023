"""Grades of moves, by what each gave away. Independent of the game.

There are three kinds of knowledge. If the exact scores of all relevant moves are known, a mark is
*exact*; if only results are, it is *proved*; everything else rests on the look-ahead's guesses. A
guess marks no error that another look does not confirm: a shallower depth, or other random games.
Such a move is *unclear*.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import exp, hypot, inf, sqrt
from statistics import NormalDist
from typing import Any, Generic, Literal, TypeVar

from advisor.games.examples import sign
from advisor.games.score import Score, ScoreKind
from advisor.settings.grading import UNCLEAR, Graded, Grading, worse

M = TypeVar("M")

Unit = Literal["points", "weights", "mean result", "engine"]
"""The unit of a loss."""

_RESULTS = {"win": 1, "draw": 0, "loss": -1}
_KINDS = {value: kind for kind, value in _RESULTS.items()}
_EVERYTHING = (-inf, inf)

_FEW = 300
"""With fewer random games after a move than this, they show no error."""

_DOUBT = 0.025
"""Accepted probability that chance alone makes some other move look better than it can be."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The prospect of a move, for the player who makes it.

    >>> move = advisor.review(advisor.position("4453")).moves[2]
    >>> move.best.kind, move.prospect.kind
    ('win', 'loss')

    Attributes:
        score: from the look-ahead, without strategies, or a certain one; a heuristic one has no
            value in games without weights.
        points: the proved bounds of its exact score; None if nothing is proved. In games without
            points a win counts 1, a loss -1.
        mean: the mean result of random games, from -1 to 1, in games without weights; a move with
            neither value nor mean was not examined.
        games: the number of random games; 0 if chance plays no part.
        doubts: prospects by other looks, which have to agree on an error: shallower depths, or
            other random games.
    """

    score: Score
    points: tuple[int, int] | None = None
    mean: float | None = None
    games: int = 0
    doubts: "tuple[Prospect, ...]" = ()

    @property
    def kind(self) -> ScoreKind:
        """The kind of its score."""
        return self.score.kind

    @property
    def moves(self) -> int | None:
        """The winner's own moves to a win or loss, if they are known."""
        return self.score.moves

    @property
    def ends_soon(self) -> bool:
        """Whether the winner needs at most one more move."""
        return self.moves in (0, 1)

    @property
    def looked_at(self) -> bool:
        """Whether there was time to examine the move: otherwise it may be anything."""
        return self.kind in _RESULTS or self.score.value is not None or self.mean is not None

    @property
    def exact(self) -> int | None:
        """The exact score, None if it is not known."""
        return self.points[0] if self.points and self.points[0] == self.points[1] else None

    @property
    def result(self) -> tuple[int, int]:
        """The worst and the best result that it can have; 1 is a win, -1 a loss."""
        if self.kind in _RESULTS:
            return _RESULTS[self.kind], _RESULTS[self.kind]
        if self.points is None:
            return -1, 1
        return sign(self.points[0]), sign(self.points[1])

    def expected_result(self, scale: float) -> float:
        """Return the expected result, from 0 (a loss) to 1 (a win)."""
        if self.kind in _RESULTS:
            return (_RESULTS[self.kind] + 1) / 2
        if self.mean is not None:
            return (self.mean + 1) / 2
        return 1 / (1 + exp(-max(-40.0, min(40.0, (self.score.value or 0) / scale))))

    def error(self, scale: float, noise: float) -> float:
        """Return the standard error of the expected result; 0 if that is certain.

        For random games, it adds four games, half of them won, so that a few equal results do not
        count as certain (Agresti and Coull 1998).

        Args:
            scale: units of the weights per logit.
            noise: standard deviation of values, in units.
        """
        if self.kind == "heuristic" and self.mean is None:
            expected = self.expected_result(scale)
            return noise / scale * expected * (1 - expected)
        if self.mean is None or not self.games:
            return 0.0
        games = self.games + 4
        return sqrt((1 - (self.mean * self.games / games) ** 2) / games) / 2

    def units(self, ceiling: float) -> float:
        """Return the value in weight units, at most `ceiling`, which a certain result counts."""
        if self.kind in _RESULTS:
            return _RESULTS[self.kind] * ceiling
        return max(-ceiling, min(ceiling, self.score.value or 0))

    def rank(self, scale: float) -> tuple[float, float, float]:
        """Return a sort key, greater is better; of a score not known exactly, its lower bound
        counts.
        """
        if not self.looked_at:
            return -1.0, 0.0, 0.0
        if self.kind == "heuristic":
            return self.expected_result(scale), 0.0, 0.0
        least = self.points[0] if self.points else -inf
        moves = self.moves or 0
        return self.expected_result(scale), least, -moves if self.kind == "win" else moves

    def to_json(self) -> dict[str, Any]:
        """Return the prospect as the ``--json`` outputs give it."""
        value = self.score.value
        known = {"in": self.moves, "points": self.exact, "value": value, "mean": self.mean}
        return {"kind": self.kind, **{k: v for k, v in known.items() if v is not None}}


@dataclass(frozen=True, slots=True)
class Mark(Generic[M]):
    """The grade of a move.

    >>> mark = advisor.review(advisor.position("4453")).moves[2].mark
    >>> mark.grade, mark.loss, mark.unit
    ('blunder', 3, 'points')

    Attributes:
        grade: "unclear" if it looks like an error, but not by every look at it.
        exact: `loss` is in points of the exact score, and everything it depends on is proved.
        proved: at least the results that the grade depends on are proved.
        only: no other move would have done.
        better: the best moves, if the move played is not among them.
        loss: the value given away, in `unit`; never negative.
        unit: the unit of exact scores, of weights, of random games or of an engine.
        drop: the expected result given away, on a scale from 0 to 1.
    """

    grade: Graded
    exact: bool
    proved: bool
    only: bool
    better: tuple[M, ...]
    loss: float
    unit: Unit
    drop: float


def mark(
    prospects: Mapping[M, Prospect],
    played: M,
    grading: Grading,
    scale: float,
    least: int = -1,
    noise: float = 0.0,
) -> Mark[M]:
    """Return the mark of the move that was played.

    Args:
        prospects: of all legal moves.
        played: the move.
        grading: the scale of grades.
        scale: units of the game's weights per logit.
        least: a proved lower bound of the result of best play here: -1 to 1.
        noise: standard deviation of the look-ahead's values, in units.
    """
    own = prospects[played]
    others = [prospect for move, prospect in prospects.items() if move != played]
    able = {m: each.rank(scale) for m, each in prospects.items() if each.result[1] >= least}
    top = max(able.values())
    best = [move for move, rank in able.items() if rank == top]
    points = _settle_values(prospects.values(), own, lambda p: p.points or _EVERYTHING)
    result = _settle_values(prospects.values(), own, lambda p: p.result, least)
    if points is not None and any(
        p.exact is None and (p.points or _EVERYTHING)[1] >= points[0] for p in prospects.values()
    ):  # for some move it is not known whether its exact score equals the best
        points = None
    exact, proved = points is not None, result is not None
    guessed = own.mean is None and all(p.mean is None for p in others)
    unit: Unit = "weights" if guessed else "mean result"
    if result is not None:
        was, became = result
        drop = (was - became) / 2
        loss = (was - became) * grading.ceiling
        grade = grading.by_result(_KINDS[int(was)], _KINDS[int(became)])
        if points is not None:
            loss, unit = points[0] - points[1], "points"
            if grade == "good":
                grade = grading.by_points(loss)
        elif own.kind == "loss" and own.ends_soon and not all(p.ends_soon for p in others):
            grade, best = worse(grade, grading.certain), [m for m in best if m != played]
        # Of two wins one may be sooner, but no draw is better than another.
        nothing = loss == 0 and (exact or became == 0 or played in best)
    else:
        first = prospects[best[0]]
        unclear = Mark(UNCLEAR, False, False, False, tuple[M, ...](), 0, unit, 0.0)
        if least == 1 and first.kind == "heuristic":
            return unclear  # there is a win, but no move is known to keep it
        drop = first.expected_result(scale) - own.expected_result(scale)
        decided = own.kind == "loss" or (first.kind == "win" and own.kind != "win")
        at_sight = decided and (own.ends_soon or first.ends_soon)
        sure = _surely(first, own, scale, len(prospects), noise)
        grade = grading.by_chances(sure, decided, at_sight)
        if grade == "good" and grading.by_chances(drop, decided, at_sight) != grade:
            return unclear
        if unit == "weights":
            loss = first.units(grading.ceiling) - own.units(grading.ceiling)
        else:
            loss = round(2 * drop, 4)
        nothing = played in best
    if nothing:
        grade = "best"
    only = grade == "best" and _is_only_move(own, others, proved, grading, scale, noise)
    better = () if grade == "best" else tuple(move for move in best if move != played)
    return Mark(grade, exact, proved, only, better, loss, unit, drop)


def _settle_values(
    prospects: Iterable[Prospect],
    own: Prospect,
    bounds: Callable[[Prospect], tuple[float, float]],
    least: float = -inf,
) -> tuple[float, float] | None:
    """Return the best available value and the one obtained, if bounds settle both; else None."""
    reached = max([least, *(bounds(prospect)[0] for prospect in prospects)])
    low, high = bounds(own)
    if low != high or any(bounds(prospect)[1] > reached for prospect in prospects):
        return None
    return reached, low


def _is_only_move(
    own: Prospect,
    others: Iterable[Prospect],
    proved: bool,
    grading: Grading,
    scale: float,
    noise: float,
) -> bool:
    """Return whether all other moves have a worse result, or are mistakes by every guess."""
    others = list(others)
    count = len(others) + 1
    if proved:
        if any(other.result[0] >= own.result[0] for other in others):
            return False
        others = [other for other in others if other.result[1] >= own.result[0]]
    enough = grading.chances["mistake"]
    return all(o.looked_at and _surely(own, o, scale, count, noise) >= enough for o in others)


def _surely(better: Prospect, worse: Prospect, scale: float, moves: int, noise: float) -> float:
    """Return how much expected result the worse move gives away, by every look at both.

    It is the least amount by any look, minus half of the spread between the looks.

    By each look it is the least amount that is likely given the errors of guesses, whichever move
    looks best: some standard errors below the guessed difference (Bonferroni's correction). It is 0
    with few random games, or if one of the moves was not examined.
    """
    errors = NormalDist().inv_cdf(1 - _DOUBT / max(1, moves - 1))
    looks = zip_longest(better.doubts, worse.doubts)
    pairs = [(better, worse), *((one or better, other or worse) for one, other in looks)]
    sure: list[float] = []
    for one, other in pairs:
        known = one.looked_at and other.looked_at
        if not known or any(0 < p.games < _FEW for p in (one, other)):
            return 0.0
        apart = one.expected_result(scale) - other.expected_result(scale)
        sure.append(apart - errors * hypot(*(p.error(scale, noise) for p in (one, other))))
    return max(0.0, min(sure) - (max(sure) - min(sure)) / 2)
