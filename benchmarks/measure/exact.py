"""Check exact scores against known ones, and measure their speed. Run from the checkout:

    python benchmarks/measure/exact.py [NAMES OF SETS ...] [--empty]
    python benchmarks/measure/exact.py threads NUMBER NAME OF SET

It prints one line for each run and exits with 1 if a score is wrong. Times are processor time;
machine code (the extra `fast`) is compiled or loaded before, and every position begins with an
empty table. `--empty` also solves the empty 7x6 board, with a table of a GB. The three hardest of
Pons' sets are samples, the others are whole; without `fast` only the first two are done. `threads`
solves each position with one thread and with several in turn and prints clock times, which are only
meaningful on a quiet machine.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.solver import Solver
from aspcircuits import llvm
from test_sets import read_test_set

HERE = Path(__file__).parents[1]
PONS = HERE.parent / "tests" / "data" / "pons"

SETS = {
    "End-Easy": PONS / "Test_L3_R1",
    "Middle-Easy": PONS / "Test_L2_R1",
    "Middle-Medium": HERE / "data" / "pons_middle_medium.txt",
    "Begin-Easy": PONS / "Test_L1_R1",
    "Begin-Medium": HERE / "data" / "pons_begin_medium.txt",
    "Begin-Hard": HERE / "data" / "pons_begin_hard.txt",
}
DRAWS = [(4, 4), (5, 4), (5, 5)]


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["threads"]:
        return _threads(int(arguments[1]), arguments[2])
    chosen = [name for name in arguments if name != "--empty"] or list(SETS)
    wrong = 0
    code = llvm.available()
    for width, height in DRAWS:
        solver = Solver(geometry(width, height, 4), machine_code=code)
        wrong += _said(f"empty {width}x{height}", solver, 0)
    for name in chosen if code else [name for name in chosen if name in [*SETS][:2]]:
        wrong += _test_set(name, code)
    if "--empty" in arguments:
        wrong += _said("empty 7x6", Solver(geometry(), machine_code=code, table_bytes=1 << 30), 1)
    return min(wrong, 1)


def _threads(jobs: int, name: str) -> int:
    """Solve a set with one thread and with several; return whether a score is wrong."""
    alone, together, wrong = [], [], 0
    for case in read_test_set(SETS[name]):
        for times, threads in ((alone, 1), (together, jobs)):
            solver = Solver(case.position.geometry, machine_code=True, jobs=threads)
            started = time.perf_counter()
            wrong += solver.solve(case.position).score != case.score
            times.append(time.perf_counter() - started)
    ratio = sum(alone) / sum(together)
    times = f"one thread {sum(alone):.1f} s, {jobs} threads {sum(together):.1f} s"
    print(f"{name} ({len(alone)}): {times}, {ratio:.2f} times as fast, {wrong} wrong")
    return min(wrong, 1)


def _said(name: str, solver: Solver, score: int) -> bool:
    """Solve the empty board, print its row and return whether the score is wrong."""
    started = time.process_time()
    found = solver.solve(Board(solver.geometry))
    seconds = time.process_time() - started
    print(f"{name}: score {found.score}, {found.nodes:,} positions, {seconds:.2f} s", flush=True)
    return found.score != score


@dataclass(frozen=True, slots=True)
class Solved:
    """The cost of a set: processor seconds for each position, positions searched, errors."""

    times: list[float]
    nodes: int
    wrong: int

    @property
    def mean(self) -> float:
        """Mean seconds for a position."""
        return sum(self.times) / len(self.times)


def solved(name: str, code: bool) -> Solved:
    """Solve one of Pons' sets, with machine code or in Python alone."""
    times, nodes, wrong = [], 0, 0
    for case in read_test_set(SETS[name]):
        started = time.process_time()
        found = Solver(case.position.geometry, machine_code=code).solve(case.position)
        times.append(time.process_time() - started)
        nodes += found.nodes
        wrong += found.score != case.score
    return Solved(times, nodes, wrong)


def _test_set(name: str, code: bool) -> int:
    """Solve one of the sets, print its row and return the number of wrong scores."""
    found = solved(name, code)
    count, total = len(found.times), sum(found.times)
    print(
        f"{name} ({count}): mean {found.mean * 1000:.4g} ms, "
        f"median {median(found.times) * 1000:.4g} ms, slowest {max(found.times):.3g} s, "
        f"{found.nodes / count:,.0f} positions, {found.nodes / total / 1e6:.2f} M/s, "
        f"{found.wrong} wrong",
        flush=True,
    )
    return found.wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
