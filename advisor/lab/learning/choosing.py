"""The few rules of many that tell how games end: forward by family, then backward.

No family is judged alone: the stones at the frontier say nothing of a game of Reversi, and much
beside the places that they stand on. Each rule has a price and so has each of its names, in
log-loss of games that were not fitted to, so that what is kept can be read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from advisor.lab.learning.odds import Odds

MOST = 12
"""Rules for features."""

_RULE, _NAME = 1.5e-3, 1e-4
"""The log-loss that a rule, and each of its names, has to save."""

_STEPS = 3
"""Of Newton's method, from what was found without a family."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Families that are kept.

    Attributes:
        families: in the order in which they were found.
        gains: by how much the log-loss of games that were not fitted to would rise without each.
        loss: that log-loss with all of them.
        without: the same with none.
    """

    families: tuple[str, ...]
    gains: Mapping[str, float]
    loss: float
    without: float


def choose(
    odds: Odds,
    columns: Mapping[str, Sequence[int]],
    on_progress: Callable[[str], None],
    most: int = MOST,
) -> Choice:
    """The families that tell most.

    Args:
        odds: the positions.
        columns: of each family, those of its names that vary.
        on_progress: called with what has been found so far.
        most: how many to keep.
    """

    def price(family: str) -> float:
        return _RULE + _NAME * len(columns[family])

    def all_of(families: Sequence[str]) -> list[int]:
        return [column for family in families for column in columns[family]]

    chosen: list[str] = []
    without, kept = odds.crossed([])
    loss = without
    while len(chosen) < most:
        tried = {
            family: odds.crossed(all_of([*chosen, family]), kept, _STEPS)[0] + price(family)
            for family in columns
            if family not in chosen and columns[family]
        }
        best = min(tried, key=lambda family: tried[family], default=None)
        if best is None or tried[best] > loss:
            break
        chosen.append(best)
        loss, kept = odds.crossed(all_of(chosen))
        on_progress(f"choosing {', '.join(chosen)}: {loss:.4f}")
    gains = _gains(odds, chosen, all_of, loss)
    while chosen and gains[weakest := min(chosen, key=lambda f: gains[f] - price(f))] < price(
        weakest
    ):
        chosen.remove(weakest)
        loss, _ = odds.crossed(all_of(chosen))
        gains = _gains(odds, chosen, all_of, loss)
    return Choice(tuple(chosen), gains, loss, without)


def _gains(
    odds: Odds, chosen: Sequence[str], all_of: Callable[[Sequence[str]], list[int]], loss: float
) -> dict[str, float]:
    """What the log-loss would rise by without each."""
    return {
        family: odds.crossed(all_of([f for f in chosen if f != family]))[0] - loss
        for family in chosen
    }
