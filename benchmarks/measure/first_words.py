"""Count how often the page takes back within seconds what it first showed of a position.

    python benchmarks/measure/first_words.py [--positions 50] [--seconds 3] [--start level=8]

It opens random positions of Connect Four in a browser, each for the first time, and notes the text
above the board: the best moves, and the player ahead. A change contradicts if none of the best
moves stays among the best, or if the player ahead is then behind, unless the later one is a
certain result.
"""

import argparse
import itertools
import random
import shutil
from typing import Any

from playwright.sync_api import sync_playwright

import advisor
from screenshots import BROWSERS
from web_load import server

_WATCH = """async (milliseconds) => {
  const seen = [], began = performance.now();
  while (performance.now() - began < milliseconds) {
    await new Promise(requestAnimationFrame);
    const best = document.querySelector("#best");
    const bar = document.querySelector("#bar");
    const now = {
      best: best.hidden ? "" : best.querySelector("strong").textContent,
      certain: !best.hidden && !best.querySelector(".chip").classList.contains("heuristic"),
      ahead: bar.hidden ? "" : (bar.querySelector(".who")?.textContent ?? ""),
      sure: bar.classList.contains("certain"),
    };
    const last = seen.at(-1);
    if (last && last.best === now.best && last.ahead === now.ahead) continue;
    seen.push({ ...now, at: performance.now() - began });
  }
  return seen;
}"""


def main() -> None:
    """Open the positions, and print what was taken back."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", default="level=8", help="what the address has after #")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    changed = contradicted = 0
    with server() as (address, _), sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS[::-1])))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for number in range(options.positions):
            moves = random_game(rng, number % 30)
            page.goto(f"{address}?{number}#{options.start}&moves={moves}")
            page.wait_for_selector("body[data-ready]")
            seen = page.evaluate(_WATCH, 1000 * options.seconds)
            shown = [each for each in seen if each["best"]]
            changed += len(shown) > 1
            for before, after in itertools.pairwise(shown):
                if contradicts(before, after):
                    contradicted += 1
                    print(
                        f"{moves or 'the empty board'}: {describe(before)}, then {describe(after)}"
                    )
                    break
        browser.close()
    print(f"{options.positions} positions: {changed} changed, {contradicted} contradicted")


def random_game(rng: random.Random, plies: int) -> str:
    """Return random moves, after which the game is not over."""
    while True:
        position, moves = advisor.position(), list[int]()
        while len(moves) < plies and not position.over:
            moves.append(rng.choice(position.moves))
            position = position.play(moves[-1])
        if not position.over:
            return "".join(map(str, moves))


def contradicts(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether the page took back what it had shown before any certain result."""
    best = not after["certain"] and not columns(before) & columns(after)
    sides = [side(each["ahead"]) for each in (before, after)]
    return best or (not after["sure"] and None not in sides and sides[0] != sides[1])


def columns(shown: dict[str, Any]) -> set[str]:
    """Return the columns that are shown as the best."""
    return {sign for sign in shown["best"] if sign.isdigit()}


def side(text: str) -> str | None:
    """Return the player shown as ahead, or None."""
    first = text.split()[0] if text.split() else ""
    return first if first in {"Red", "Yellow"} else None


def describe(shown: dict[str, Any]) -> str:
    """Return what was shown, and when."""
    return f"{shown['best']} / {shown['ahead']} at {shown['at'] / 1000:.1f} s"


if __name__ == "__main__":
    main()
