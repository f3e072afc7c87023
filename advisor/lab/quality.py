"""How good moves are, on positions with the exact score of every column.

A move is perfect if no other has a better score, and good if it keeps the outcome: who could win
still does, who could draw does at least that. Of moves that a player holds equal each counts in
part.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from advisor.games.examples import Example, sign
from advisor.lab.arena.players import Player, ready
from advisor.lab.batch import Work
from advisor.limits import Stop

Grade = list[float]
"""How perfect and how good (0 to 1) a player's move is, and the seconds it took."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many moves were good and perfect, in per cent of so many positions."""

    positions: int
    good: float
    perfect: float

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "positions": self.positions,
            "good": round(self.good, 2),
            "perfect": round(self.perfect, 2),
        }


@dataclass(frozen=True, slots=True)
class Quality:
    """The moves of one player.

    Attributes:
        player: whose.
        total: over all positions.
        by_discs: by the number of discs on the board, ascending.
        seconds_per_move: the mean.
    """

    player: Player
    total: Share
    by_discs: Mapping[int, Share]
    seconds_per_move: float

    def share(self, numbers: Iterable[int]) -> Share:
        """Over the positions with these numbers of discs."""
        shares = [self.by_discs[discs] for discs in numbers]
        positions = sum(share.positions for share in shares)
        return Share(
            positions,
            sum(share.good * share.positions for share in shares) / positions,
            sum(share.perfect * share.positions for share in shares) / positions,
        )

    @property
    def depth(self) -> int | None:
        """Plies looked ahead; None for a player who has a time limit, or does not look ahead."""
        return self.player.limit.depth

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        total = self.total.to_json()
        return {
            "name": self.player.name,
            "depth": self.depth,
            "good": total["good"],
            "perfect": total["perfect"],
            "seconds_per_move": round(self.seconds_per_move, 6),
            "by_discs": {str(discs): share.to_json() for discs, share in self.by_discs.items()},
        }


def examiner(players: Sequence[Player], read: Callable[[str, Stop], Example]) -> Work[list[Grade]]:
    """What grades the players' moves in the position of a labelled line, player by player.

    Args:
        players: any number.
        read: the position of a line and the exact scores of its columns; may refuse it.
    """
    return partial(_examine, tuple(players), read)


def _examine(
    players: Sequence[Player], read: Callable[[str, Stop], Example], line: str, stop: Stop
) -> list[Grade]:
    example = read(line, stop)
    grades = []
    for player in players:
        ready(player)
        started = time.perf_counter()
        columns = player.moves(example.position, stop)
        seconds = time.perf_counter() - started
        grades.append([*graded_choice(columns, example.columns or {}), seconds])
    return grades


def graded_choice(columns: Sequence[Any], scores: Mapping[int, int]) -> tuple[float, float]:
    """How perfect and how good (0 to 1) a move is.

    Args:
        columns: between which somebody does not care, at least one.
        scores: the exact score of every move.
    """
    best = max(scores.values())
    perfect = sum(scores[column] == best for column in columns)
    good = sum(sign(scores[column]) == sign(best) for column in columns)
    return perfect / len(columns), good / len(columns)


def summary(
    players: Sequence[Player], discs: Sequence[int], grades: Sequence[list[Grade]]
) -> list[Quality]:
    """What each player's grades come to.

    Args:
        players: as given to `examiner`.
        discs: of each position, at least one.
        grades: of each position, as the examiner gave them.
    """
    rows = []
    for index, player in enumerate(players):
        own = [each[index] for each in grades]
        groups: dict[int, list[Grade]] = defaultdict(list)
        for number, grade in zip(discs, own, strict=True):
            groups[number].append(grade)
        rows.append(
            Quality(
                player,
                _share(own),
                {number: _share(groups[number]) for number in sorted(groups)},
                sum(seconds for _, _, seconds in own) / len(own),
            )
        )
    return rows


def _share(grades: Sequence[Grade]) -> Share:
    return Share(
        len(grades),
        _per_cent(good for _, good, _ in grades),
        _per_cent(perfect for perfect, _, _ in grades),
    )


def _per_cent(parts: Iterable[float]) -> float:
    parts = list(parts)
    return 100 * sum(parts) / len(parts)
