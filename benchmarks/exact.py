"""Exact scores: what is known, and how fast. Run from the checkout: python benchmarks/exact.py

Prints one line for each run and exits 1 if a score is wrong. Begin-Easy and the empty 7x6 board
need BitBully (the extra `exact`) and are left out, with a line that says so, where it is missing.
"""

import sys
from pathlib import Path

from advisor.games.connect4 import exact
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.measure.solve import bench_solve, read_test_set

PONS = Path(__file__).parent.parent / "tests" / "data" / "pons"

# What is known of the empty board: the score, and that of every first move on 7x6.
DRAWS = [(4, 4), (5, 4), (5, 5)]
STANDARD = {1: -2, 2: -1, 3: 0, 4: 1, 5: 0, 6: -1, 7: -2}


def main() -> int:
    wrong = 0
    for width, height in DRAWS:
        answer = exact.solve(Position(geometry(width, height, 4)))
        wrong += answer.score != 0
        found = answer.position
        print(
            f"empty {width}x{height} ({answer.engine}): score {answer.score}, "
            f"{found.nodes} positions, {found.seconds:.2f} s",
            flush=True,
        )
    wrong += _test_set("End-Easy", "Test_L3_R1", "solver")
    wrong += _test_set("Middle-Easy", "Test_L2_R1", "solver")
    if not exact.installed():
        print(f"Begin-Easy and the empty 7x6 board left out. {exact.INSTALL_HINT}")
        return min(wrong, 1)
    wrong += _test_set("Begin-Easy", "Test_L1_R1", "bitbully")
    answer = exact.solve(Position(geometry()), columns=True)
    columns = {column: s.score for column, s in (answer.columns or {}).items()}
    wrong += columns != STANDARD
    print(f"empty 7x6 ({answer.engine}): score {answer.score}, columns {columns}")
    return min(wrong, 1)


def _test_set(name: str, file: str, engine: exact.Engine) -> int:
    """Solves one of Pons' sets, prints its row and returns the number of wrong scores."""
    result = bench_solve(read_test_set(PONS / file), engine)
    print(
        f"{name} ({result.engine}): {result.mean_seconds * 1000:.3f} ms, "
        f"{result.mean_nodes:.1f} positions, {result.kilo_nodes_per_second:.0f} kpos/s, "
        f"{len(result.wrong)} of {result.solved} wrong",
        flush=True,
    )
    return len(result.wrong)


if __name__ == "__main__":
    sys.exit(main())
