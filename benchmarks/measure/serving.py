"""Measure the processor time of the server and its workers for each answer.

    python benchmarks/measure/serving.py [--levels 4 8 12] [--positions 40]

It asks `/api/suggest` for random positions at each level, one after the other, and for a batch of
them at the first level. It prints the processor time of each answer, and the answers a second of
one core. A game counts as 15 answers. Linux only: times are read from /proc.
"""

import argparse
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random

from advisor.games.connect4.notation import one_line
from advisor.games.connect4.sampling import random_positions

ANSWERS_A_GAME = 15
WARM = 2


def used(server: int) -> float:
    """Return the processor seconds of the server and its workers so far."""
    ticks = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if server in (int(entry.name), int(fields[1])):
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def ask(address: str, path: str, **body: object) -> None:
    """Send a request and wait for its answer."""
    request = urllib.request.Request(
        f"{address}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=300) as answer:
        answer.read()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--levels", type=int, nargs="+", default=[4, 8, 12])
    parser.add_argument("--positions", type=int, default=40)
    options = parser.parse_args()
    boards = [*map(one_line, random_positions(Random(1), WARM + options.positions))]
    server = subprocess.Popen(
        [sys.executable, "-m", "advisor", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().split()[0].rstrip("/")
    try:
        ask(address, "suggest", depth=1)  # waits until the workers are ready
        for level in options.levels:
            for board in boards[:WARM]:
                ask(address, "suggest", board=board, depth=level)
            before = used(server.pid)
            for board in boards[WARM:]:
                ask(address, "suggest", board=board, depth=level)
            each = (used(server.pid) - before) / options.positions
            print(
                f"level {level}: {1000 * each:.0f} ms an answer, {1 / each:.1f} answers a second, "
                f"{3600 / each / ANSWERS_A_GAME:.0f} games an hour"
            )
        before = used(server.pid)
        ask(address, "batch", boards=boards[WARM:], depth=options.levels[0], time=30)
        each = (used(server.pid) - before) / options.positions
        print(f"batch, level {options.levels[0]}: {1000 * each:.0f} ms a position")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
