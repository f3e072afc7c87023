"""Pairs of a tournament: all against all, or rounds by the Swiss system."""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations, islice

Pair = tuple[str, str]

_STEPS, _CHOICES, _PAUSING = 2_000, 20, 4
"""Steps to pair a round, choices of players who pause, and the most of these, before some pairs are
taken as they come."""


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
        games: the number of games that each player has played; by default none. If a player has to
            pause, it is the one with the most games, and among these the lowest.

    Returns:
        The pairs: all players or all but one in the first rounds, later perhaps fewer; none once
            all have met each other.
    """
    last = sorted(ranked, key=lambda name: (-games.get(name, 0), -ranked.index(name)))
    for pausing in range(len(ranked) % 2, _PAUSING, 2):
        for out in islice(combinations(last, pausing), _CHOICES):
            playing = [name for name in ranked if name not in out]
            if (pairs := _pair(playing, met, iter(range(_STEPS)))) is not None:
                return pairs
    pairs, free = list[Pair](), [*ranked]
    for one, other in combinations(ranked, 2):
        if one in free and other in free and frozenset((one, other)) not in met:
            pairs.append((one, other))
            free = [name for name in free if name not in (one, other)]
    return pairs


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
