"""What makes one move's score higher than another's: their accounts, one taken from the other.

A score is what the look-ahead sees at the end of the move's line and what the strategies say. What
both moves have alike cannot be the reason for choosing one of them, so that only what differs is
here, and it adds up to the difference of the scores exactly.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.advice.advice import Held, Move
from advisor.games.abilities import Firing


@dataclass(frozen=True, slots=True)
class Features:
    """Features of one name and one player of which the two lines' ends have different numbers.

    Attributes:
        amount: by how much they raise the score of the first move over that of the second.
        here, there: those at the end of the first move's line, of the second's.
    """

    amount: int
    here: tuple[Held, ...]
    there: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class StrategyFamily:
    """Strategies of one family, as ``center``, that do not say the same of the two moves.

    Attributes:
        amount: by how much they raise the score of the first move over that of the second.
        firing: the one of them that does most of it.
        own: whether it fires for the first move; otherwise for the second.
    """

    amount: int
    firing: Firing
    own: bool


Difference = Features | StrategyFamily


def differences(move: Move, other: Move | None) -> list[Difference]:
    """What raises or lowers the score of a move against that of another, most important first.

    Args:
        move: with a heuristic score, as the other.
        other: None compares with a score of 0.
    """
    traces = (account.trace if account else None for account in (move, other))
    found: list[Difference] = [
        *_features([trace.features if trace else () for trace in traces]),
        *_strategies([account.fires if account else () for account in (move, other)]),
    ]
    return sorted(found, key=lambda difference: -abs(difference.amount))


def _features(accounts: Sequence[Sequence[Held]]) -> Iterable[Features]:
    groups: dict[tuple[str, int], tuple[list[Held], list[Held]]] = defaultdict(lambda: ([], []))
    for side, features in enumerate(accounts):
        for held in features:
            groups[held.feature, held.player][side].append(held)
    amounts = {
        key: sum(held.weight for held in here) - sum(held.weight for held in there)
        for key, (here, there) in groups.items()
    }
    for (feature, player), (here, there) in groups.items():
        amount = amounts[feature, player]
        # What both players have more of alike, as after an exchange, is no reason.
        if amount and amount != -amounts.get((feature, 1 - player), 0):
            yield Features(amount, tuple(here), tuple(there))


def _strategies(accounts: Sequence[Sequence[Firing]]) -> Iterable[StrategyFamily]:
    groups: dict[str, list[tuple[int, bool, Firing]]] = defaultdict(list)
    for fires, own in zip(accounts, (True, False), strict=True):
        for firing in fires:
            signed = firing.weight if own else -firing.weight
            groups[firing.strategy.partition("(")[0]].append((signed, own, firing))
    for members in groups.values():
        amount = sum(signed for signed, _, _ in members)
        if amount:
            sign = 1 if amount > 0 else -1
            _, own, firing = max(members, key=lambda member: (sign * member[0], member[1]))
            yield StrategyFamily(amount, firing, own)
