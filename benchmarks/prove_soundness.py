"""Looks for wrong proofs: random and semi-optimal positions of five board sizes, exact values.

    python benchmarks/prove_soundness.py [POSITIONS] [SEED] [--play N]

Every proof found, strict or not, for either player, is checked with an exact solver; of every size
some plans are played out too. Prints a line for each board size and ends with 1 if anything is
wrong. Semi-optimal: wins are taken, threats are parried, otherwise a random move that does not
give the opponent a win on top of it.
"""

import argparse
import random
import sys
import time
from collections import Counter
from functools import cache
from typing import Any

from advisor.connect4.board import Geometry, Position, geometry
from advisor.playout import play_out
from advisor.prove import Prover, prove

SIZES = ((7, 6), (6, 6), (6, 4), (5, 6), (4, 8))
LEFT = {(7, 6): 32, (6, 6): 20, (6, 4): 18, (5, 6): 20, (4, 8): 22}
"""The most empty squares of a position, so that the exact solver is done soon."""


def wins(position: Position) -> int:
    return position.winning_squares(position.turn) & position.playable


def sensible(position: Position, rng: random.Random) -> int:
    """A semi-optimal move; never one that ends the game if there is another."""
    g = position.geometry
    threats = position.winning_squares(3 - position.turn)
    if parry := threats & position.playable:
        return next(column for _, column in g.squares_of(parry))
    safe = [c for c in position.moves() if not threats & g.bit(position.row_of(c) + 1, c)]
    return rng.choice(safe or position.moves())


def sample(g: Geometry, rng: random.Random) -> Position:
    """An undecided position of random or semi-optimal play, a few discs away at least."""
    while True:
        position, clever = Position(g), rng.random() < 0.5
        discs = rng.randint(g.squares - LEFT[g.width, g.height], g.squares - 4)
        while position.discs < discs and not position.over and not (clever and wins(position)):
            column = sensible(position, rng) if clever else rng.choice(position.moves())
            position = position.play(column)
        if position.discs == discs and not position.over:
            return position


def value(position: Position) -> int:
    """The sign of the exact score for the player to move."""
    if (position.geometry.width, position.geometry.height) == (7, 6):
        return by_bitbully(position)
    return int(can_win(position, position.turn)) - int(can_win(position, 3 - position.turn))


@cache
def agent() -> Any:
    from bitbully import BitBully

    return BitBully()


def by_bitbully(position: Position) -> int:
    from bitbully import Board

    rows = [[position.at(row, column) for column in range(1, 8)] for row in range(6, 0, -1)]
    score = agent().mtdf(Board(rows))
    return (score > 0) - (score < 0)


def can_win(position: Position, player: int) -> bool:
    """Whether a player can force a win: plain search, forced moves first."""
    known: dict[int, bool] = {}

    def search(p: Position) -> bool:
        if p.turn == player and wins(p):
            return True
        if p.turn != player and wins(p):
            return False
        threats = p.winning_squares(3 - p.turn) & p.playable
        if p.full or threats & (threats - 1):
            return not p.full and p.turn != player
        if p.key not in known:
            moves = p.moves()
            if threats:
                moves = [c for _, c in p.geometry.squares_of(threats)]
            mine = p.turn == player
            known[p.key] = any(search(p.play(c)) is mine for c in moves) is mine
        return known[p.key]

    return search(position)


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
        count: Counter[str] = Counter()
        start = time.monotonic()
        for _ in range(arguments.positions // len(SIZES)):
            position = sample(g, rng)
            exact: int | None = None
            for player in (1, 2):
                for strict in (True, False):
                    outcome = Prover.of(g, strict).bound(position, player)
                    if not outcome:
                        continue
                    count["proofs"] += 1
                    if exact is None:
                        exact = value(position)
                    score = exact if position.turn == player else -exact
                    if score < (1 if outcome == "wins" else 0):
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
