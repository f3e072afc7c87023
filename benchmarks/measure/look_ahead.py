"""Measure the look-ahead in Python from the empty board: time, leaves a second, and a profile.

    python benchmarks/measure/look_ahead.py [DEPTH]

After one warm-up there are seven runs; times are medians, in processor time. The profile is of one
more run. compiled.py measures the compiled look-ahead, which keeps its table between runs.
"""

import cProfile
import pstats
import sys
import time
from collections import Counter
from statistics import median

from advisor.engine.search import search
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading

PARTS = {
    "evaluation.py": "circuit",
    "bitplanes.py": "bit-planes",
    "evaluator.py": "full-width plies",
    "search.py": "tree",
    "board.py": "boards",
}


def measure(depth: int) -> tuple[float, int]:
    """Return seconds of processor time, and leaves, of a look-ahead after a warm-up."""
    g = geometry()
    evaluator = CircuitEvaluator(reading.load(), g, machine_code=False)
    leaves = search(Board(g), evaluator, depth=depth).leaves
    times = []
    for _ in range(7):
        started = time.process_time()
        search(Board(g), evaluator, depth=depth)
        times.append(time.process_time() - started)
    return median(times), leaves


def main(depth: int) -> None:
    seconds, leaves = measure(depth)
    print(f"depth {depth}: {seconds:.3f} s, {leaves} leaves, {leaves / seconds:,.0f} leaves/s")

    g = geometry()
    evaluator = CircuitEvaluator(reading.load(), g, machine_code=False)
    profile = cProfile.Profile()
    profile.runcall(search, Board(g), evaluator, depth=depth)
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
