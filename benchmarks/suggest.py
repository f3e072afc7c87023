"""`advisor suggest` as a whole process, start-up included, on ten middle games of Pons.

python benchmarks/suggest.py
"""

import os
import subprocess
import sys
import time
from pathlib import Path

SET = Path(__file__).parent.parent / "tests" / "data" / "pons" / "Test_L2_R1"


def main() -> None:
    worst = 0.0
    for line in SET.read_text().splitlines()[:10]:
        moves = line.split()[0]
        started = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-c", "from advisor.cli import main; main()", "suggest", moves],
            stdout=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        worst = max(worst, seconds)
        assert status == 0, moves
        print(f"{moves:<30}{seconds:6.2f} s {usage.ru_maxrss / 1024:6.0f} MB")
    print(f"slowest: {worst:.2f} s")


if __name__ == "__main__":
    main()
