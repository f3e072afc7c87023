"""Measure `advisor serve` under the load of many clients.

    python benchmarks/measure/web_load.py [--clients 50] [--seconds 60] [--large 20]
        [--requests 500]

It starts its own server. For some seconds clients ask for everything, one request after the other:
advice at all levels, reviews, exact scores, proofs and other games; two more ask for the largest
board of Hex, which is refused or not. Meanwhile one more asks for advice at depth 3, for
`/api/health` and for the page's files. It prints the times of these and the other answers. Then it
sends many small requests and prints the memory of the server and its workers.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from advisor.games.connect4.notation import one_line
from advisor.games.connect4.sampling import random_positions

Asked = tuple[str, dict[str, Any]]
"""A path and the body of a request to it."""


def main() -> None:
    """Measure and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--large", type=int, default=20, help="the side of Hex's board")
    parser.add_argument("--requests", type=int, default=500)
    options = parser.parse_args()
    with server() as (address, process):
        together(address, options.clients, options.seconds, options.large)
        if options.requests:
            memory(address, process, options.requests)


@contextmanager
def server(*arguments: str, lines: int = 1, **how: Any) -> Iterator[tuple[str, int]]:
    """Start and warm up a server.

    Args:
        arguments: options of `advisor serve`.
        lines: number of lines that it prints; the last one has the address.
        how: further arguments of `subprocess.Popen`.

    Yields:
        The address, and the process id.
    """
    command = [sys.executable, "-m", "advisor", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **how)
    assert process.stdout is not None
    address = [process.stdout.readline().split()[0] for _ in range(lines)][-1]
    get(urljoin(address, "api/health"))
    try:
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def get(url: str) -> bytes:
    """Get a file or an object of the server."""
    with urllib.request.urlopen(url, timeout=60) as response:
        return bytes(response.read())


def ask(address: str, path: str, /, **body: object) -> int:
    """Send a request and wait for its answer; return the status."""
    request = urllib.request.Request(
        f"{address}api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=600) as response:
            response.read()
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def mixed(source: random.Random) -> Asked:
    """Choose a random request of any kind."""
    board = one_line(random_positions(source, 1)[0])
    requests: list[Asked] = [
        ("suggest", {"board": board, "level": source.randint(1, 20)}),
        ("suggest", {"board": board, "depth": source.randint(0, 20), "time": 5}),
        ("review", {"board": "4444435261", "time": 5}),
        ("exact", {"board": board}),
        ("prove", {"board": board}),
        ("game", {"game": source.choice(["chess", "tictactoe", "hex"])}),
        ("game/suggest", {"game": source.choice(["chess", "reversi", "gomoku"]), "time": 2}),
    ]
    return source.choice(requests)


def together(address: str, clients: int, seconds: float, large: int) -> None:
    """Let all clients ask at once."""
    end = time.monotonic() + seconds
    took: defaultdict[str, list[float]] = defaultdict(list)
    answered: Counter[int] = Counter()

    def timed(kind: str, path: str, /, **body: object) -> None:
        started = time.monotonic()
        answered[ask(address, path, **body)] += 1
        took[kind].append(time.monotonic() - started)

    def client(number: int) -> None:
        source = random.Random(number)
        while time.monotonic() < end:
            path, body = mixed(source)
            timed(path, path, client=str(number), **body)

    def greedy(number: int) -> None:
        game = {"game": "hex", "constants": {"size": large}, "client": f"large {number}"}
        while time.monotonic() < end:
            timed(f"Hex {large}", "game/suggest", **game)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    threads += [threading.Thread(target=greedy, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        timed("depth 3", "suggest", depth=3, board="44", client="short")
        for path in ("api/health", "page.js", ""):
            started = time.monotonic()
            get(address + path)
            took["page and health"].append(time.monotonic() - started)
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    print(f"{clients} clients and two for Hex {large}, {seconds:g} s; statuses {dict(answered)}")
    for kind, times in sorted(took.items()):
        share = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else times
        print(
            f"{kind}: {len(times)} answers, median {statistics.median(times):.2f} s, "
            f"95% within {share[-1]:.2f} s, longest {max(times):.2f} s"
        )


def memory(address: str, process: int, requests: int) -> None:
    """Send many small look-aheads on boards of several sizes, and measure the memory in use."""
    source = random.Random(1)
    readings = [(0, resident(process))]
    for number in range(1, requests + 1):
        board = "".join(str(source.randint(1, 7)) for _ in range(source.randint(0, 6)))
        width, connect = source.choice([(7, 4), (7, 4), (8, 4), (9, 5), (7, 3)])
        sizes = {"width": width, "connect": connect}
        ask(address, "suggest", board=board if connect == 4 else "", depth=4, **sizes)
        if number % (requests // 5) == 0:
            readings.append((number, resident(process)))
    print("resident memory: " + ", ".join(f"{mb:.0f} MB after {n}" for n, mb in readings))


def resident(process: int) -> float:
    """Return the MB of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    total = 0
    for each in [str(process), *children]:
        for line in Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1])
    return total / 1024


if __name__ == "__main__":
    main()
