"""Twenty clients at once, and five hundred requests: what `advisor serve` does under load.

Starts a server of its own. Prints how long the clients' look-aheads take when all ask at the same
time, how long the page's own files and `/api/health` take meanwhile, and the memory of the server
and its workers before and after many requests.

    python benchmarks/web_load.py [--clients 20] [--depth 8] [--requests 500]
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--requests", type=int, default=500)
    options = parser.parse_args()
    with server() as (address, process):
        together(address, options.clients, options.depth)
        memory(address, process, options.requests)


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A warm server: its address and process id."""
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[0]
    get(f"{address}api/health")
    try:
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def get(url: str) -> bytes:
    """A file or an object of the server."""
    with urllib.request.urlopen(url, timeout=60) as response:
        return bytes(response.read())


def suggest(address: str, **body: object) -> dict[str, Any]:
    """Advice on a position."""
    request = urllib.request.Request(
        f"{address}api/suggest", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=600) as response:
        found: dict[str, Any] = json.load(response)
        return found


def together(address: str, clients: int, depth: int) -> None:
    """All clients ask at once, each about another position."""
    took: list[float] = []
    reached: list[int] = []

    def client(number: int) -> None:
        started = time.monotonic()
        board = f"4{1 + number % 7}{1 + number // 7}"
        reached.append(suggest(address, board=board, depth=depth, client=str(number))["depth"])
        took.append(time.monotonic() - started)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    waits: list[float] = []
    while any(thread.is_alive() for thread in threads):
        for path in ("api/health", "page.js", ""):
            started = time.monotonic()
            get(address + path)
            waits.append(1000 * (time.monotonic() - started))
        time.sleep(0.05)
    print(
        f"{clients} clients, depth {depth}: {len(took)} answered, depths {sorted(set(reached))}, "
        f"first after {min(took):.1f} s, last after {max(took):.1f} s"
    )
    share = statistics.quantiles(waits, n=100)
    print(
        f"page and health meanwhile: {len(waits)} requests, median {share[49]:.1f} ms, "
        f"99% within {share[98]:.1f} ms, longest {max(waits):.1f} ms"
    )


def memory(address: str, process: int, requests: int) -> None:
    """Many small look-aheads on boards of several sizes, and the memory they leave behind."""
    source = random.Random(1)
    readings = [(0, resident(process))]
    for number in range(1, requests + 1):
        board = "".join(str(source.randint(1, 7)) for _ in range(source.randint(0, 6)))
        width, connect = source.choice([(7, 4), (7, 4), (8, 4), (9, 5), (7, 3)])
        suggest(address, board=board if connect == 4 else "", depth=4, width=width, connect=connect)
        if number % (requests // 5) == 0:
            readings.append((number, resident(process)))
    print("resident memory: " + ", ".join(f"{mb:.0f} MB after {n}" for n, mb in readings))


def resident(process: int) -> float:
    """MB of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0
    for each in [str(process), *children]:
        for line in Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1])
    return total / 1024


if __name__ == "__main__":
    main()
