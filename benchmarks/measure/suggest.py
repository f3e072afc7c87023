"""Measure `advisor suggest` as a whole process, start-up included, on ten middle games of Pons.

python benchmarks/measure/suggest.py
"""

import os
import subprocess
import sys
import time
from pathlib import Path

SET = Path(__file__).parents[2] / "tests" / "data" / "pons" / "Test_L2_R1"


def process(*arguments: str) -> tuple[float, float, float]:
    """Run Python with these arguments; return clock and processor seconds, and megabytes."""
    started = time.perf_counter()
    child = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(arguments)}: ended with {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def advisor(*arguments: str) -> tuple[float, float, float]:
    """Run the command line with these arguments; return what `process` returns."""
    return process("-c", "from advisor.cli import main; main()", *arguments)


def middle_games() -> list[str]:
    """Return ten of Pons' middle games as moves."""
    return [line.split()[0] for line in SET.read_text().splitlines()[:10]]


def main() -> None:
    worst = 0.0
    for moves in middle_games():
        seconds, busy, megabytes = advisor("suggest", moves)
        worst = max(worst, busy)
        print(f"{moves:<30}{seconds:6.2f} s, {busy:.2f} s of processor time {megabytes:6.0f} MB")
    print(f"slowest: {worst:.2f} s of processor time")


if __name__ == "__main__":
    main()
