"""Pairs of a tournament: all against all, or rounds by the Swiss system."""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations, islice

Pair = tuple[str, str]

_STEPS, _CHOICES = 2_000, 50
"""Steps to pair a round, and choices of players who pause, before one more pair pauses."""


def pair_all(names: Sequence[str]) -> list[Pair]:
    """Pair everybody with everybody.

    >>> pair_all(["ann", "bob", "cem"])
    [('ann', 'bob'), ('ann', 'cem'), ('bob', 'cem')]
    """
    return [*combinations(names, 2)]


def pair_round(
    ranked: Sequence[str], met: Set[frozenset[str]], games: Mapping[str, int]
) -> list[Pair]:
    """Pair players who stand close to each other and have not met.

    >>> pair_round(["ann", "bob", "cem"], {frozenset({"ann", "bob"})}, {"ann": 2, "bob": 2})
    [('ann', 'cem')]

    Args:
        ranked: the players, the best first.
        met: the pairs that have played.
        games: the number of games that each player has played; by default none. Whoever has played
            most, and stands lowest, pauses if somebody has to.

    Returns:
        As many pairs as possible; none if everybody has met everybody.
    """
    last = sorted(ranked, key=lambda name: (-games.get(name, 0), -ranked.index(name)))
    for pausing in range(len(ranked) % 2, len(ranked), 2):
        for out in islice(combinations(last, pausing), _CHOICES):
            playing = [name for name in ranked if name not in out]
            if (pairs := _pair(playing, met, iter(range(_STEPS)))) is not None:
                return pairs
    return []


def _pair(
    ranked: Sequence[str], met: Set[frozenset[str]], steps: Iterator[int]
) -> list[Pair] | None:
    """Pair all of these players; None if that is impossible, or needs too many steps."""
    if not ranked:
        return []
    first, *others = ranked
    for other in others:
        if next(steps, None) is None:
            return None
        if frozenset((first, other)) not in met:
            rest = [name for name in others if name != other]
            if (pairs := _pair(rest, met, steps)) is not None:
                return [(first, other), *pairs]
    return None
