"""Look for wrong proofs in random and semi-optimal positions of five board sizes.

    python benchmarks/compare/prove_soundness.py [POSITIONS] [SEED] [--play N]

An exact solver checks every proof found, strict or not, for either player; for every size some
plans are played out too. It prints a line for each board size and exits with 1 if anything is
wrong. A semi-optimal player takes wins, parries threats, and otherwise makes a random move that
does not give the opponent a win on top of it.
"""

import argparse
import random
import sys
import time
from collections import Counter
from functools import cache

from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.solver import Solver
from advisor.plugins.proofs.victor.playout import play_out
from advisor.plugins.proofs.victor.prove import Prover, prove

SIZES = ((7, 6), (6, 6), (6, 4), (5, 6), (4, 8))
LEFT = {(7, 6): 32, (6, 6): 22, (6, 4): 24, (5, 6): 24, (4, 8): 20}
"""Maximum number of empty squares of a position, so that the exact solver is fast."""


def wins(position: Board) -> int:
    return position.winning_squares(position.turn) & position.playable


def sensible(position: Board, rng: random.Random) -> int:
    """Choose a semi-optimal move; it does not end the game if there is another."""
    g = position.geometry
    threats = position.winning_squares(3 - position.turn)
    if parry := threats & position.playable:
        return next(column for _, column in g.squares_of(parry))
    safe = [c for c in position.moves() if not threats & g.bit(position.row_of(c) + 1, c)]
    return rng.choice(safe or position.moves())


def sample(g: Geometry, rng: random.Random) -> Board:
    """Return an undecided position of random or semi-optimal play, with a few discs at least."""
    while True:
        position, clever = Board(g), rng.random() < 0.5
        discs = rng.randint(g.squares - LEFT[g.width, g.height], g.squares - 4)
        while position.discs < discs and not position.over and not (clever and wins(position)):
            column = sensible(position, rng) if clever else rng.choice(position.moves())
            position = position.after(column)
        if position.discs == discs and not position.over:
            return position


@cache
def solver(g: Geometry) -> Solver:
    """Return the solver of a board size, which reuses what it has proved."""
    return Solver(g)


def value(position: Board) -> int:
    """Return the exact score for the player to move."""
    g = position.geometry
    score = (exact.solve(position) if g == geometry() else solver(g).solve(position)).score
    assert score is not None, "no time limit was given"
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description="Looks for wrong proofs.")
    parser.add_argument("positions", nargs="?", type=int, default=20_000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--play", type=int, default=100, help="plans to play out on each size")
    arguments = parser.parse_args()
    bad = 0
    for width, height in SIZES:
        rng = random.Random(f"{arguments.seed} {width} {height}")
        g = geometry(width, height)
        provers = [Prover(g, strict) for strict in (True, False)]
        count: Counter[str] = Counter()
        start = time.monotonic()
        for _ in range(arguments.positions // len(SIZES)):
            position = sample(g, rng)
            score: int | None = None
            for player in (1, 2):
                for strict, prover in zip((True, False), provers, strict=True):
                    outcome = prover.bound(position, player)
                    if not outcome:
                        continue
                    count["proofs"] += 1
                    if score is None:
                        score = value(position)
                    own = score if position.turn == player else -score
                    if own < (1 if outcome == "wins" else 0):
                        count["wrong"] += 1
                        print(f"wrong: {position!r} {player} {outcome} strict={strict}")
                    if count["played"] < arguments.play and not strict and not wins(position):
                        proof = prove(position, player=player)
                        assert proof is not None
                        played = play_out(proof, games=200, limit=3000, seed=arguments.seed)
                        count["played"] += 1
                        count["exhaustive"] += played.exhaustive
                        if played.failure is not None:
                            count["failed"] += 1
                            print(f"failed: {position!r} {player} {played.failure}")
        bad += count["wrong"] + count["failed"]
        print(
            f"{width}x{height}: {arguments.positions // len(SIZES)} positions, "
            f"{count['proofs']} proofs, {count['wrong']} wrong; {count['played']} plans played out "
            f"({count['exhaustive']} exhaustively), {count['failed']} failed; "
            f"{time.monotonic() - start:.0f} s",
            flush=True,
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
