"""Review games; check that each mark has a reason and each exact one is right, and time it.

    python benchmarks/measure/review.py [--games 200] [--seed 19] [--engine bitbully|solver]

Half of the games are random; the other half are played by a look-ahead of two plies that makes
every third move at random. Every mark that says "exact" is compared with an independent engine:
BitBully, which shares no code with the advisor, or a new solver for each position.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from statistics import median

from advising import Advisor
from advisor.advice import looking_back
from advisor.advice.review import Reviewed
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.solver import Solver
from advisor.limits import Limit
from advisor.settings import grading, reading
from aspcircuits.stopping import Stop

_RANDOM_SHARE = 1 / 3


def games(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield games from the empty board to their ends."""
    rng = random.Random(seed)
    player = Advisor(reading.load())
    for number in range(count):
        moves: list[int] = []
        position = Board(geometry())
        while position.result() is None:
            if number % 2 == 0 or rng.random() < _RANDOM_SHARE:
                column = rng.choice(sorted(position.moves()))
            else:
                column = player.choose(position, Limit(2))
            moves.append(column)
            position = position.after(column)
        yield tuple(moves)


def wrong(position: Board, move: Reviewed, engine: exact.Engine) -> str:
    """Describe a contradiction between an exact mark and the engine; empty if they agree."""
    found = exact.solve(position, columns=True, engine=engine, solver=Solver(position.geometry))
    assert found.moves is not None
    scores = {column: solution.score for column, solution in found.moves.items()}
    best = max(score for score in scores.values() if score is not None)
    played = scores[int(move.move)]
    assert played is not None
    loss = best - played
    better = {c for c, score in scores.items() if score == best} if loss else set()
    if (move.mark.loss, set(move.mark.better)) != (loss, better):
        return f"{move.mark} where {engine} has {scores}"
    return ""


def main() -> None:
    """Print the figures, and every disagreement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--engine", choices=("bitbully", "solver"), default="bitbully")
    parser.add_argument("--quick", action="store_true", help="do not compare, only measure")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    grades: Counter[str] = Counter()
    times: list[tuple[int, float, float]] = []
    for moves in games(asked.games, asked.seed):
        advisor = Advisor(reading.load())
        wall, processor = time.perf_counter(), time.process_time()
        start = Board(geometry())
        begun = advisor.see(start)
        found = list(
            looking_back.review(begun, moves, grading.load(), Stop(), usual=advisor.config.depth)
        )
        spent = time.perf_counter() - wall, time.process_time() - processor
        times.append((len(moves), *spent))
        for move in found:
            counts["marks"] += 1
            counts["with a reason"] += bool(move.reasons and all(move.reasons))
            counts["exact"] += move.mark.exact
            counts["proved"] += move.mark.proved
            grades[move.mark.grade] += 1
            if move.mark.exact and not asked.quick:
                position = start.play_all(moves[: move.ply - 1])
                if told := wrong(position, move, asked.engine):
                    counts["wrong"] += 1
                    print("".join(map(str, moves)), move.ply, told, flush=True)
    print(f"{asked.games} games, {counts['marks']} marks, {counts['with a reason']} with a reason")
    print(f"{counts['exact']} exact, {counts['wrong']} of them wrong; {counts['proved']} proved")
    print(", ".join(f"{grade} {count}" for grade, count in grades.most_common()))
    walls, processors = [wall for _, wall, _ in times], [each for _, _, each in times]
    print(f"a game: median {median(walls):.2f} s ({median(processors):.2f} s of processor time), ")
    print(f"longest {max(walls):.2f} s ({max(processors):.2f} s)")
    long = [each for each in times if each[0] >= 40]
    if long:
        most = max(wall for _, wall, _ in long)
        print(f"{len(long)} games of 40 moves and more: {most:.2f} s at most")


if __name__ == "__main__":
    main()
