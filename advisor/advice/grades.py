"""What a move gave away, and what that is called. Knows no game.

Three kinds of knowledge are kept apart. Where exact scores are known of all that counts, a mark is
*exact*; where only results are, it is *proved*; everything else rests on the look-ahead's guesses.
A guess blames nobody for what another look does not confirm: a shallower depth, or other random
games. Such a move is *unclear*.
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
"""In which a loss is told."""

_RESULTS = {"win": 1, "draw": 0, "loss": -1}
_KINDS = {value: kind for kind, value in _RESULTS.items()}
_EVERYTHING = (-inf, inf)

_FEW = 300
"""Random games after a move below which no error is told by them."""

_DOUBT = 0.025
"""How likely it may be that chance alone makes some other move look better than it can be."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a move leads to, for the player who makes it.

    >>> move = advisor.review(advisor.position("4453")).moves[2]
    >>> move.best.kind, move.played.kind
    ('win', 'loss')

    Attributes:
        score: what the look-ahead sees, strategies apart, or what is certain; a heuristic one has
            no value in games without weights.
        points: the least and the greatest exact score that it can have, as far as that is proved;
            None where nothing is. Of games without points a win is worth 1, a loss -1.
        mean: the mean result of random games, from -1 to 1, in games without weights; with neither
            it was not looked at.
        games: of how many random games; 0 where chance has no part in it.
        doubts: the same by other looks, which have to agree on an error: shallower depths, or
            other random games.
    """

    score: Score
    points: tuple[int, int] | None = None
    mean: float | None = None
    games: int = 0
    doubts: "tuple[Prospect, ...]" = ()

    @property
    def kind(self) -> ScoreKind:
        """That of its score."""
        return self.score.kind

    @property
    def moves(self) -> int | None:
        """Of a win or loss, the winner's own moves, if they are known."""
        return self.score.moves

    @property
    def soon(self) -> bool:
        """Whether the winner needs one more move at most."""
        return self.moves in (0, 1)

    @property
    def looked_at(self) -> bool:
        """Whether there was time to look at it: otherwise it may be anything."""
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

    def expected(self, scale: float) -> float:
        """The expected result, from 0 (a loss) to 1 (a win)."""
        if self.kind in _RESULTS:
            return (_RESULTS[self.kind] + 1) / 2
        if self.mean is not None:
            return (self.mean + 1) / 2
        return 1 / (1 + exp(-max(-40.0, min(40.0, (self.score.value or 0) / scale))))

    def error(self, scale: float, noise: float) -> float:
        """The standard error of the expected result; 0 of what is certain.

        By random games with four games more, half of them won, so that a few alike are not taken
        for certain (Agresti and Coull 1998).

        Args:
            scale: units of the weights to a logit.
            noise: units that values are off by (standard deviation).
        """
        if self.kind == "heuristic" and self.mean is None:
            expected = self.expected(scale)
            return noise / scale * expected * (1 - expected)
        if self.mean is None or not self.games:
            return 0.0
        games = self.games + 4
        return sqrt((1 - (self.mean * self.games / games) ** 2) / games) / 2

    def units(self, ceiling: float) -> float:
        """The value in weight units; a certain result as the most that a value counts for."""
        if self.kind in _RESULTS:
            return _RESULTS[self.kind] * ceiling
        return max(-ceiling, min(ceiling, self.score.value or 0))

    def rank(self, scale: float) -> tuple[float, float, float]:
        """The greater the better; of what is not known exactly the least that is proved counts."""
        if not self.looked_at:
            return -1.0, 0.0, 0.0
        if self.kind == "heuristic":
            return self.expected(scale), 0.0, 0.0
        least = self.points[0] if self.points else -inf
        moves = self.moves or 0
        return self.expected(scale), least, -moves if self.kind == "win" else moves

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` outputs give it."""
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
        exact: `loss` is in points of the exact score, all that it depends on being proved.
        proved: at least the results that the grade depends on are.
        only: no other move would have done.
        better: the best moves, if the one that was played is none of them.
        loss: what it gave away, in `unit`; never negative.
        unit: that of exact scores, of weights, of random games or of an engine.
        drop: the same of the expected result, which is from 0 to 1.
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
    """The mark of the move that was played.

    Args:
        prospects: of all legal moves.
        scale: units of the game's weights to a logit.
        least: the worst result that best play can have here, as far as that is proved: -1 to 1.
        noise: units that the look-ahead's values are off by (standard deviation).
    """
    own = prospects[played]
    others = [prospect for move, prospect in prospects.items() if move != played]
    able = {m: each.rank(scale) for m, each in prospects.items() if each.result[1] >= least}
    top = max(able.values())
    best = [move for move, rank in able.items() if rank == top]
    points = _settled(prospects.values(), own, lambda p: p.points or _EVERYTHING)
    result = _settled(prospects.values(), own, lambda p: p.result, least)
    if points is not None and any(
        p.exact is None and (p.points or _EVERYTHING)[1] >= points[0] for p in prospects.values()
    ):  # of some move it is not known whether its exact score is the best one, too
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
        elif own.kind == "loss" and own.soon and not all(p.soon for p in others):
            grade, best = worse(grade, grading.certain), [m for m in best if m != played]
        # Of two wins one may be sooner, but no draw is better than another.
        nothing = loss == 0 and (exact or became == 0 or played in best)
    else:
        first = prospects[best[0]]
        unclear = Mark(UNCLEAR, False, False, False, tuple[M, ...](), 0, unit, 0.0)
        if least == 1 and first.kind == "heuristic":
            return unclear  # a win is there, but none of the moves is known to keep it
        drop = first.expected(scale) - own.expected(scale)
        decided = own.kind == "loss" or (first.kind == "win" and own.kind != "win")
        at_sight = decided and (own.soon or first.soon)
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
    only = grade == "best" and _only(own, others, proved, grading, scale, noise)
    better = () if grade == "best" else tuple(move for move in best if move != played)
    return Mark(grade, exact, proved, only, better, loss, unit, drop)


def _settled(
    prospects: Iterable[Prospect],
    own: Prospect,
    bounds: Callable[[Prospect], tuple[float, float]],
    least: float = -inf,
) -> tuple[float, float] | None:
    """The best that could be had and what was, if their bounds settle both; otherwise None."""
    reached = max([least, *(bounds(prospect)[0] for prospect in prospects)])
    low, high = bounds(own)
    if low != high or any(bounds(prospect)[1] > reached for prospect in prospects):
        return None
    return reached, low


def _only(
    own: Prospect,
    others: Iterable[Prospect],
    proved: bool,
    grading: Grading,
    scale: float,
    noise: float,
) -> bool:
    """Whether all other moves lead to a worse result, or are mistakes as far as one can guess."""
    others = list(others)
    count = len(others) + 1
    if proved:
        if any(other.result[0] >= own.result[0] for other in others):
            return False
        others = [other for other in others if other.result[1] >= own.result[0]]
    enough = grading.chances["mistake"]
    return all(o.looked_at and _surely(own, o, scale, count, noise) >= enough for o in others)


def _surely(better: Prospect, worse: Prospect, scale: float, moves: int, noise: float) -> float:
    """How much of the expected result one gives away against the other, by every look at both.

    That is the least that one of them says, less half of what they are apart.

    By each look it is the least that the errors of guesses leave likely, whichever of the moves
    looks best: some standard errors less than the guesses say (Bonferroni's correction). By few
    random games, and where one of the moves was not looked at, it is nothing.
    """
    errors = NormalDist().inv_cdf(1 - _DOUBT / max(1, moves - 1))
    looks = zip_longest(better.doubts, worse.doubts)
    pairs = [(better, worse), *((one or better, other or worse) for one, other in looks)]
    sure: list[float] = []
    for one, other in pairs:
        known = one.looked_at and other.looked_at
        if not known or any(0 < p.games < _FEW for p in (one, other)):
            return 0.0
        apart = one.expected(scale) - other.expected(scale)
        sure.append(apart - errors * hypot(*(p.error(scale, noise) for p in (one, other))))
    return max(0.0, min(sure) - (max(sure) - min(sure)) / 2)
