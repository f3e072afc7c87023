"""Let x play by a solution against players that mix in random moves: x must win every game.

    python benchmarks/compare/solution_games.py [FILE] [--games 10000] [--seed 1]

The players are random play, `alex`, `pomakis` and exact play. With fewer than 12 discs on the
board, exact play chooses at random among the moves after which x has no winning sequence of
threats. Each player gets a quarter of the games; no game is played twice.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

from advisor.files.resources import SOLUTIONS
from advisor.games.connect4.board import Board
from advisor.lab.arena import players
from advisor.plugins.proofs.building.decisions import open_replies
from advisor.plugins.proofs.building.solution import Leaf, Play, Solution, mirrored_moves, read
from advisor.plugins.proofs.plans.trial import PlanNumbers, PlanTrial, State, bits, mirrored_numbers
from aspcircuits.stopping import Stop

OPPONENTS = {"random": 0.0, "alex:depth=2": 0.7, "pomakis:depth=2": 0.7, "perfect": 0.7}
"""Probability with which each player plays its own move instead of a random one."""

EXACT_FROM = 12
"""Number of discs from which on exact play is instant."""


class Follower:
    """Plays x's moves by a solution, from the empty board."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._rules = PlanTrial(solution.goal)
        self._plan: tuple[PlanNumbers, int] | None = None

    def column(self, moves: str) -> int:
        """Return x's move in a game in which x has followed the solution."""
        s = self._solution
        state = s.state(moves)
        if not moves:
            self._plan = None
        said = None if self._plan else s.said.get(s.key(state))
        same = said is not None and s.state(said.moves) == state
        if isinstance(said, Play):
            return int(str(said.column) if same else mirrored_moves(s.geometry, str(said.column)))
        if isinstance(said, Leaf):
            numbers = s.plans[said.plan - 1]
            numbers = numbers if same else mirrored_numbers(s.geometry, numbers)
            self._plan = numbers, said.threats
        bit = self._by_plan(state, *(self._plan or (None, s.goal.threats)))
        return (bit.bit_length() - 1) // s.geometry.stride + 1

    def _by_plan(self, state: State, numbers: PlanNumbers | None, threats: int) -> int:
        own, opp = state
        g, rules = self._solution.geometry, self._rules
        playable = (own | opp) + g.bottom & g.full
        if winning := g.completing(own, playable):
            return winning & -winning
        blocks = g.completing(opp, playable)
        for fewer in range(threats):  # the fewest first, so that their number falls
            for bit in bits(blocks or playable):
                forced = g.completing(own | bit, own + bit + opp + g.bottom & g.full)
                if not forced or g.completing(opp, own + bit + opp + g.bottom & g.full):
                    continue
                if forced & forced - 1 or rules.wins_by_threats(own | bit, opp | forced, fewer):
                    return bit
        if blocks:
            return blocks
        if numbers is None:
            raise LookupError(f"{state}: neither in the solution nor won by threats")
        return min(bits(playable), key=lambda bit: numbers[bit.bit_length() - 1])


def game(follower: Follower, solution: Solution, opponent: str, random: Random) -> tuple[str, bool]:
    """Play one game; return its moves, and whether x won."""
    own = players.parse(opponent)
    position, moves = Board(solution.geometry), ""
    while not position.over:
        if position.turn == 1:
            column = follower.column(moves)
        else:
            choice = position.moves()
            if opponent == "perfect" and position.discs < EXACT_FROM:
                lasting = open_replies(solution.goal, moves)
                choice = [int(each[-1]) for each in lasting] or choice
            elif random.random() < OPPONENTS[opponent]:
                choice = own.moves(own.game.begin(position), Stop())
            column = random.choice(choice)
        position = position.play(column)
        moves += str(column)
    return moves, position.result() == -1 and position.turn == 2


def main() -> None:
    """Play the games and print how they ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    file = SOLUTIONS / "7x6.txt"
    parser.add_argument("file", type=Path, nargs="?", default=file)
    parser.add_argument("--games", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    solution, random = read(asked.file), Random(asked.seed)
    follower, played = Follower(solution), set[str]()
    won, repeated = Counter[str](), Counter[str]()
    for opponent in OPPONENTS:
        while won[opponent] < asked.games // len(OPPONENTS):
            moves, x_won = game(follower, solution, opponent, random)
            if not x_won:
                sys.exit(f"{opponent}: x does not win {moves}")
            repeated[opponent] += moves in played
            won[opponent] += moves not in played
            played.add(moves)
        print(f"{opponent}: {won[opponent]} distinct games won, {repeated[opponent]} repeated")
    print(
        f"{len(played)} games, all won by x, {sum(map(len, played)) / len(played):.1f} discs each"
    )


if __name__ == "__main__":
    main()
