"""Measure for how many positions a plan is found, and how long that takes.

    python benchmarks/measure/plans.py [--side x|o] [--discs 16 14 ..] [--positions 12]
        [--rounds 60]

Positions come from random play, in which the planning side, from ten discs on, keeps to moves that
reach its goal: a win for x, a draw for o. Positions won by three threats in a row and positions
that require a block are left out. Allis' rules get the same positions.
"""

import argparse
import random
import statistics
import time

from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.solver import Solver
from advisor.plugins.proofs.plans.compiled_trial import trial
from advisor.plugins.proofs.plans.synthesis import Effort, Hints, find
from advisor.plugins.proofs.plans.trial import Goal, Kind, PlanTrial
from advisor.plugins.proofs.victor.prove import bound
from aspcircuits.stopping import Stop

BOARD = geometry()
FREE = 10


def positions(goal: Goal, hints: Hints, player: int, discs: int, count: int, seed: int):
    """Yield different positions in which the player to move can reach the goal."""
    rng, found = random.Random(f"{seed} {discs} {player}"), {}
    while len(found) < count:
        position = Board(BOARD)
        while position.discs < discs and not position.over:
            moves = position.moves()
            if position.discs >= FREE and position.turn == player:
                state = position.mover, position.mask ^ position.mover
                good = hints.moves(state, Stop())
                moves = [c for c in moves if good & BOARD.columns[c - 1]]
                if not moves:
                    break
            position = position.after(rng.choice(moves))
        state = position.mover, position.mask ^ position.mover
        if position.discs < discs or position.over or not hints.moves(state, Stop()):
            continue
        if PlanTrial(goal).kind(*state)[0] is Kind.QUIET:
            found[position] = state
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", choices="xo", default="x")
    parser.add_argument("--discs", type=int, nargs="+", default=None)
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    player = 1 if options.side == "x" else 2
    goal = Goal(BOARD, hold=player == 2)
    hints = Hints(goal, Solver(BOARD, machine_code=True))
    rounds = options.rounds
    efforts = (Effort(rounds), Effort(rounds, 4), Effort(rounds, 6), Effort(rounds, 8))
    enough = ("wins",) if player == 1 else ("wins", "holds")
    print("discs   n  Allis  T=0  T=3  seconds: median  mean  rounds  states at most")
    for discs in options.discs or ([16, 14, 12, 10, 8] if player == 1 else [17, 13]):
        chosen = positions(goal, hints, player, discs, options.positions, options.seed)
        rules = sum(bound(position, player) in enough for position in chosen)
        covered, seconds, spent, states = {0: 0, 3: 0}, [], [], []
        for threats in covered:
            aimed = trial(Goal(BOARD, goal.hold, threats))
            for state in chosen.values():
                begun = time.process_time()
                found = find(aimed, hints, state, efforts)
                covered[threats] += isinstance(found.numbers, tuple)
                if threats:
                    seconds.append(time.process_time() - begun)
                    spent.append(found.rounds)
                    if isinstance(found.numbers, tuple):
                        states.append(aimed.try_plan(state, found.numbers).states)
        print(
            f"{discs:5} {len(chosen):3} {rules:6} {covered[0]:4} {covered[3]:4}"
            f" {statistics.median(seconds):16.2f} {statistics.mean(seconds):5.1f}"
            f" {statistics.median(spent):7.0f} {max(states, default=0):15}",
            flush=True,
        )


if __name__ == "__main__":
    main()
