"""Measure how fast processes and a Dask cluster analyse many positions, and the cost of losses.

    python benchmarks/measure/cluster.py speed [--positions 20000] [--depth 4] [--workers 2,4]
    python benchmarks/measure/cluster.py losses [--positions 3000]

`speed` prints the time of each way, and its workers' processor time for a position; then the number
of empty tasks that it hands out a second. `losses` kills a worker, the scheduler, and the command
itself, goes on with `--resume` each time, and compares all rows with a single process's.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import is_
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

import advisor
from advisor.files.tablefile import WORK
from advisor.lab.batch import Sharing, run

_PORT = 8797
_ADDRESS = f"tcp://127.0.0.1:{_PORT}"


def random_positions(count: int) -> list[str]:
    """Return random unfinished games of Connect Four as moves, the same ones in every run."""
    rng, found = random.Random(1), list[str]()
    while len(found) < count:
        position = advisor.position("")
        for _ in range(rng.randint(4, 24)):
            if not position.over:
                position = position.play(rng.choice(position.moves))
        if not position.over:
            found.append("".join(map(str, position.played)))
    return found


def started(*command: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", *command], stdout=quiet, stderr=quiet)


def scheduler() -> subprocess.Popen[bytes]:
    return started("distributed.cli.dask_scheduler", "--port", str(_PORT), "--no-dashboard")


def worker() -> subprocess.Popen[bytes]:
    return started("distributed.cli.dask_worker", _ADDRESS, "--nthreads", "1", "--no-dashboard")


@contextmanager
def cluster(workers: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start a scheduler and workers on this machine; yield their processes, the scheduler first."""
    from distributed import Client

    processes = [scheduler(), *(worker() for _ in range(workers))]
    try:
        with Client(_ADDRESS, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def processor_time(sharing: Sharing) -> float:
    """Return the processor time of all workers so far."""
    if sharing.dask is None:
        used = getrusage(RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    from distributed import Client

    with Client(sharing.dask, set_as_default=False) as client:
        times = client.run(os.times)
        return float(sum(each.user + each.system for each in times.values()))


def measured(name: str, sharing: Sharing, lines: Sequence[str], depth: int) -> None:
    before, begun = processor_time(sharing), time.monotonic()
    for _ in advisor.analyse(lines, depth=depth, sharing=sharing):
        pass
    seconds, used = time.monotonic() - begun, processor_time(sharing) - before
    print(
        f"{name}: {len(lines) / seconds:.0f} positions a second, "
        f"{1000 * used / len(lines):.2f} ms of the processor each",
        flush=True,
    )


def empty(name: str, sharing: Sharing) -> None:
    for _ in range(2):  # the first run learns how fast the tasks are
        begun, tasks = time.monotonic(), [*map(str, range(50_000))]
        for _ in run(is_, tasks, sharing.workers):  # `is_` compares a task with a stop
            pass
    print(f"{name}: {len(tasks) / (time.monotonic() - begun):.0f} empty tasks a second", flush=True)


def speed(positions: int, depth: int, workers: Sequence[int]) -> None:
    lines = random_positions(positions)
    for count in workers:
        by_processes = Sharing(jobs=count)
        measured(f"{count} processes", by_processes, lines, depth)
        empty(f"{count} processes", by_processes)
        with cluster(count):
            by_cluster = Sharing(dask=_ADDRESS)
            measured(f"a cluster of {count}", by_cluster, lines, depth)
            empty(f"a cluster of {count}", by_cluster)


def losses(positions: int) -> int:
    lines = random_positions(positions)
    expected = [told(row) for row in advisor.analyse(lines, depth=4)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for lost in ("a worker", "the scheduler", "the command"):
            given, kept = Path(folder, "lines"), Path(folder, lost.replace(" ", "-"))
            given.write_text("\n".join(lines) + "\n")
            found = with_loss(lost, given, kept)
            right = [told(row) for row in found] == expected
            failed += not right
            print(f"{lost} is lost: {len(found)} rows, {'right' if right else 'WRONG'}", flush=True)
    return failed


def with_loss(lost: str, given: Path, kept: Path) -> list[dict[str, Any]]:
    """Return the rows of a run that loses a process amid its work and is resumed."""
    command = [sys.executable, "-m", "advisor", "analyse", str(given), "--depth", "4"]
    command += ["--dask", _ADDRESS, "--resume", str(kept)]
    with cluster(2) as processes:
        first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert first.stdout is not None
        for _ in range(200):
            first.stdout.readline()
        victim = {"a worker": processes[1], "the scheduler": processes[0]}.get(lost, first)
        victim.send_signal(signal.SIGKILL)
        begun = time.monotonic()
        _, err = first.communicate()
        told = err.decode().strip().splitlines()[-1:] if first.returncode else []
        print(f"  ended with {first.returncode} after {time.monotonic() - begun:.1f} s", *told)
        if first.returncode == 0:
            return rows(kept)
    with cluster(2):
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return rows(kept)


def rows(kept: Path) -> list[dict[str, Any]]:
    _, *lines = kept.read_text().splitlines()
    return [json.loads(line)["result"] for line in lines]


def told(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without the amount of its work."""
    return {key: value for key, value in row.items() if key not in WORK}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["speed", "losses"])
    parser.add_argument("--positions", type=int)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--workers", default="2,4")
    given = parser.parse_args()
    if given.what == "losses":
        return losses(given.positions or 3000)
    speed(given.positions or 20_000, given.depth, [*map(int, given.workers.split(","))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
