"""Measure the strategic rules: their speed, how much they prove, and whether any proof is wrong.

    python benchmarks/measure/proofs.py [--positions N] [--seed N] [--strict]

In each position exactly one claim is true: x wins, or o holds at least a draw. The prover tries
both; a proof of the false claim is wrong, and so is a proof that o wins if o only draws. Positions
are random ones of 18 to 30 discs. The exit code is 1 if a proof is wrong.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, geometry
from advisor.plugins.proofs.victor.prove import check, provers


@dataclass(slots=True)
class Tally:
    """Numbers for one player: positions in which the claim is true, and proofs of them."""

    true: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})
    proved: dict[int, int] = field(default_factory=lambda: {1: 0, 2: 0})


@dataclass(slots=True)
class BenchProve:
    """The result for the positions so far.

    Attributes:
        calls: number of questions, two a position.
        seconds: time for all questions, without grounding, which happens once a board size.
        median_seconds: median time of one question.
        by_discs: number of discs on the board -> tally, where the exact score is known.
        wrong: positions and players with a proof of a false claim.
    """

    calls: int = 0
    seconds: float = 0.0
    median_seconds: float = 0.0
    by_discs: dict[int, Tally] = field(default_factory=dict)
    wrong: list[tuple[Board, int]] = field(default_factory=list)


def bench_prove(cases: Iterable[tuple[Board, int | None]], strict: bool = False) -> BenchProve:
    """Try to prove both players' claims in each position.

    Args:
        cases: undecided positions, each with the exact score for the player to move (only its
            sign is used), or None if it is unknown.
        strict: see `advisor.plugins.proofs.victor.prove.prove`.

    Raises:
        InputError: the rules do not cover a position.
    """
    result = BenchProve()
    times = []
    for position, score in cases:
        check(position)
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


def sample(count: int, seed: int) -> list[tuple[Board, int | None]]:
    """Return random 7x6 positions of 18 to 30 discs without an immediate win, with exact scores."""
    rng = random.Random(seed)
    found: list[tuple[Board, int | None]] = []
    while len(found) < count:
        position = Board(geometry())
        for _ in range(rng.randrange(18, 31)):
            if not position.over:
                position = position.after(rng.choice(position.moves()))
        if not position.over and position.discs >= 18 and not position.wins_at_once():
            found.append((position, exact.solve(position, engine="solver").score))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strict", action="store_true", help="use only what Allis' thesis has")
    asked = parser.parse_args()
    measured = bench_prove(sample(asked.positions, asked.seed), asked.strict)
    for discs, tally in sorted(measured.by_discs.items()):
        counts = [f"{tally.proved[player]:3} of {tally.true[player]:3}" for player in (1, 2)]
        print(f"{discs:2} discs: x wins, proved {counts[0]}; o holds, proved {counts[1]}")
    print(
        f"{measured.calls} questions, {measured.calls / measured.seconds:.0f} a second, median "
        f"{1000 * measured.median_seconds:.2f} ms; {len(measured.wrong)} wrong claims"
    )
    return min(len(measured.wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
