"""Measure the time from a click on the page to the disc, the first advice and the refined one.

    python benchmarks/measure/clicks.py [--clicks 40] [--others 20] [--pause 3] [--delay 400]

It starts its own server and a browser, and plays random moves in an analysis, first alone, then
while others play as people do: a move, advice, and a pause of thought (0: none). `--delay` makes
the network slower. Times are taken in the page, exact to a frame (16 ms). The first advice is the
first best move shown; the refined one
comes with its reasons, after the whole look-ahead.
"""

import argparse
import random
import shutil
import statistics
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import sync_playwright

import advisor
from screenshots import BROWSERS
from web_load import ask, server

MOVES = 12
"""Number of moves of each game, after which none has ended."""

_WATCH = """async (column) => {
  const discs = () => document.querySelectorAll(".column use:not([href='#disc-empty'])").length;
  const answered = () => "disc" in took && !document.body.hasAttribute("data-awaited");
  const seen = {
    disc: () => discs() > before,
    first: () => answered() && !document.querySelector("#best").hidden,
    refined: () => "first" in took && !document.querySelector("#progress.busy"),
  };
  const before = discs(), took = {}, began = performance.now();
  document.querySelector(`[data-column='${column}']`).click();
  while (!("refined" in took)) {
    await new Promise(requestAnimationFrame);
    for (const [what, there] of Object.entries(seen)) {
      if (!(what in took) && there()) took[what] = performance.now() - began;
    }
  }
  return took;
}"""


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clicks", type=int, default=40)
    parser.add_argument("--others", type=int, default=20)
    parser.add_argument("--pause", type=float, nargs="*", default=[3.0, 0.0])
    parser.add_argument("--start", default="level=8", help="what the address has after #")
    parser.add_argument("--delay", type=int, default=0, help="milliseconds of the network")
    options = parser.parse_args()
    with server() as (address, _), sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS[::-1])))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(120_000)
        network = {"offline": False, "latency": options.delay, "downloadThroughput": -1}
        connection = page.context.new_cdp_session(page)
        connection.send("Network.enable")
        connection.send("Network.emulateNetworkConditions", network | {"uploadThroughput": -1})
        start = f"{address}#{options.start}"
        measured(page, start, 5)  # work that is only slow once
        told("alone", measured(page, start, options.clicks))
        for pause in options.pause:
            with others(address, options.others, pause):
                name = f"beside {options.others} who think {pause:g} s"
                told(name, measured(page, start, options.clicks))
        browser.close()


def measured(page: Any, start: str, clicks: int) -> dict[str, list[float]]:
    """Return the milliseconds from each click, by event."""
    rng, found = random.Random(1), defaultdict[str, list[float]](list)
    while len(found["refined"]) < clicks:
        page.goto("about:blank")
        page.goto(start)
        page.wait_for_selector("body[data-ready]")
        for column in game(rng)[: clicks - len(found["refined"])]:
            for what, took in page.evaluate(_WATCH, column).items():
                found[what].append(took)
    return found


def game(rng: random.Random) -> list[int]:
    """Return random moves from the empty board."""
    position, moves = advisor.position(), list[int]()
    while len(moves) < MOVES:
        moves.append(rng.choice(position.moves))
        position = position.play(moves[-1])
        if position.over:
            return game(rng)
    return moves


def told(name: str, found: dict[str, list[float]]) -> None:
    """Print the times."""
    for what, times in sorted(found.items()):  # also the order of the events
        share = statistics.quantiles(times, n=20, method="inclusive")[-1]
        median = statistics.median(times)
        print(f"{name}: {what:8} median {median:6.0f} ms, 95 % within {share:6.0f} ms", flush=True)


@contextmanager
def others(address: str, count: int, pause: float) -> Iterator[None]:
    """Let a number of clients play meanwhile."""
    end = threading.Event()

    def play(number: int) -> None:
        rng = random.Random(number)
        end.wait(rng.uniform(0, pause))
        while not end.is_set():
            board = "".join(rng.choice("1234567") for _ in range(rng.randint(0, 6)))
            ask(address, "position", board=board)
            ask(address, "suggest", client=f"other {number}", board=board, depth=8, explain=True)
            end.wait(rng.uniform(0.5, 1.5) * pause)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()
