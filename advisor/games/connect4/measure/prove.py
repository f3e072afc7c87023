"""Measures the strategic rules: how fast they answer, how much they prove, that nothing is wrong.

Of each position exactly one is true: x wins, or o holds at least a draw. The prover is asked for
both; a proof of the other one is wrong, and so is a win for o where he only draws.
"""

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from advisor.games.connect4 import exact
from advisor.games.connect4.board import DISCS, Position, geometry
from advisor.games.connect4.victor.prove import provers
from advisor.limits import Stop


@dataclass(slots=True)
class Tally:
    """For each player, the positions in which the claim for him is true, and those proved."""

    true: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    proved: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})


@dataclass(slots=True)
class BenchProve:
    """The result for the positions asked so far.

    Attributes:
        calls: questions asked, two a position.
        seconds: time for all of them; grounding, once a board size, comes before.
        median_seconds: of one question.
        by_discs: number of discs on the board -> tally, where the exact score is known.
        wrong: positions and players with a proof of what is false.
    """

    calls: int = 0
    seconds: float = 0.0
    median_seconds: float = 0.0
    by_discs: dict[int, Tally] = field(default_factory=dict)
    wrong: list[tuple[Position, int]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data; shares are of the true claims."""
        return {
            "calls": self.calls,
            "seconds": round(self.seconds, 3),
            "calls_per_second": round(self.calls / self.seconds) if self.seconds else None,
            "median_milliseconds": round(1000 * self.median_seconds, 3),
            "wrong": [{"position": repr(p), "player": DISCS[player]} for p, player in self.wrong],
            "by_discs": {
                discs: {
                    DISCS[player]: {"true": tally.true[player], "proved": tally.proved[player]}
                    for player in (1, 2)
                }
                for discs, tally in sorted(self.by_discs.items())
            },
        }


def bench_prove(
    cases: Iterable[tuple[Position, int | None]], strict: bool = False, stop: Stop | None = None
) -> BenchProve:
    """Asks for proofs for both players on each position.

    Args:
        cases: positions, not decided yet, with the exact score for the player to move (only its
            sign is used), None if it is not known.
        strict: see `advisor.games.connect4.victor.prove.prove`.
        stop: whoever sets it gets what is counted by then.

    Raises:
        InputError: the rules do not cover a position.
    """
    result = BenchProve()
    times = []
    stop = stop or Stop()
    for position, score in cases:
        if stop.is_set():
            break
        for player in (1, 2):
            with provers(position.geometry, strict).one() as prover:
                start = time.perf_counter()
                outcome = prover.bound(position, player)
                times.append(time.perf_counter() - start)
            if score is None:
                continue
            value = score if position.turn == player else -score
            true = value > 0 if player == 1 else value >= 0
            tally = result.by_discs.setdefault(position.discs, Tally())
            tally.true[player] += true
            tally.proved[player] += true and outcome is not None
            if outcome and value < (1 if outcome == "wins" else 0):
                result.wrong.append((position, player))
    result.calls = len(times)
    result.seconds = sum(times)
    result.median_seconds = median(times) if times else 0.0
    return result


def sample(count: int, seed: int) -> list[tuple[Position, int | None]]:
    """Random 7x6 positions of 18 to 30 discs without a win at once, with their exact scores."""
    rng = random.Random(seed)
    found: list[tuple[Position, int | None]] = []
    while len(found) < count:
        position = Position(geometry())
        for _ in range(rng.randrange(18, 31)):
            if not position.over:
                position = position.after(rng.choice(position.moves()))
        if not position.over and position.discs >= 18 and not position.wins_at_once():
            found.append((position, exact.solve(position, engine="solver").score))
    return found
