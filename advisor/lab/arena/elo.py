"""Estimates of the players' strength from the points of a match.

The two games of one opening are not independent of each other, so the unit is the pair: its points,
0 to 1 in quarters, have five possible values ("pentanomial"). On Elo's scale, the expected share of
the points is ``1 / (1 + 10 ** (-d / 400))`` for a difference of ``d``.

The interval is Agresti and Coull's ("Approximate is better than 'exact'", 1998: the normal interval
after adding two successes and two failures, here one pair won and one lost), with the variance of
pairs. The sequential test is the generalised SPRT with its normal approximation (M. Van den Bergh,
"A Practical Introduction to the GSPRT", 2020), over the same pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log10, sqrt
from typing import Literal

MatchVerdict = Literal["stronger", "weaker"]

_NORMAL_95 = 1.959964
_SPRT_ELO = 20
"""The sequential test decides between "weaker by this" and "stronger by this"..."""
_SPRT_ERROR = 0.05
"""...and is wrong this often if one of them is true."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An Elo difference and its 95 % interval; None means unbounded.

    >>> match = advisor.Match("default:depth=1", "random", games=2)
    >>> games = [*match]
    >>> match.elo.elo, round(match.elo.low)
    (None, -325)
    """

    elo: float | None
    low: float | None
    high: float | None


def estimate(pairs: Sequence[float]) -> Estimate:
    """Return the Elo difference for the points of pairs of games, each halved."""
    mean, variance = _moments(pairs)
    margin = _NORMAL_95 * sqrt(variance / (len(pairs) + 2))
    return Estimate(_elo(sum(pairs) / max(1, len(pairs))), _elo(mean - margin), _elo(mean + margin))


def decision(
    pairs: Sequence[float], least: float = -_SPRT_ELO, most: float = _SPRT_ELO
) -> MatchVerdict | None:
    """Return whether it is clear by now who plays better: "stronger", "weaker", or None.

    The test decides between two Elo differences; for the pairs see `estimate`.

    >>> decision([1.0] * 10), decision([0.0] * 10), decision([0.5] * 10)
    ('stronger', 'weaker', None)
    """
    mean, variance = _moments(pairs)
    stronger, weaker = _points(most), _points(least)
    likelihood = (
        (len(pairs) + 2) * (stronger - weaker) * (2 * mean - stronger - weaker) / (2 * variance)
    )
    bound = log((1 - _SPRT_ERROR) / _SPRT_ERROR)
    if abs(likelihood) < bound:
        return None
    return "stronger" if likelihood > 0 else "weaker"


def _moments(pairs: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance, with one pair won and one lost added."""
    added = [*pairs, 0.0, 1.0]
    mean = sum(added) / len(added)
    return mean, sum((points - mean) ** 2 for points in added) / len(added)


def _points(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def _elo(points: float) -> float | None:
    if not 0 < points < 1:
        return None
    return 400 * log10(points / (1 - points))
