"""The look-ahead from the empty board: time, leaves a second, and where the time goes.

    python benchmarks/look_ahead.py [DEPTH]

After one warm-up, seven runs; the median counts. The profile is of one more run.
"""

import cProfile
import pstats
import sys
from collections import Counter
from statistics import median

from advisor.engine.search import search
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading

PARTS = {
    "evaluation.py": "circuit",
    "bitplanes.py": "bit-planes",
    "frontier.py": "boards as arrays",
    "evaluator.py": "full-width plies",
    "search.py": "tree",
    "board.py": "single boards",
}


def main(depth: int) -> None:
    g = geometry()
    evaluator = CircuitEvaluator(reading.load(), g)
    search(Position(g), evaluator, depth=depth)
    runs = [search(Position(g), evaluator, depth=depth) for _ in range(7)]
    seconds = median(run.seconds for run in runs)
    leaves = runs[0].leaves
    print(f"depth {depth}: {seconds:.3f} s, {leaves} leaves, {leaves / seconds:,.0f} leaves/s")

    profile = cProfile.Profile()
    profile.runcall(search, Position(g), evaluator, depth=depth)
    spent: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, callers) in pstats.Stats(profile).stats.items():
        name = file.rpartition("/")[2]
        if name in PARTS:
            spent[PARTS[name]] += own
            continue
        # NumPy's own time counts for the module that called it.
        for (caller, _, _), (_, _, part, _) in callers.items():
            spent[PARTS.get(caller.rpartition("/")[2], "other")] += part
    total = sum(spent.values())
    for part, own in spent.most_common():
        print(f"  {part:<18}{100 * own / total:5.1f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
