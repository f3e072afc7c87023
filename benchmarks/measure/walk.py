"""Run the tests' walk over the page for every game by every input device, and time it.

    python benchmarks/measure/walk.py [GAME ...]

It plays, asks why, reviews, solves a puzzle and changes a rule or a weight; an error ends it.
"""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from browser import ARGUMENTS, BROWSER, looking
from walking import GAMES, HANDS, serving, walk


def main() -> None:
    """Run the walk."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        for game in sys.argv[1:] or GAMES:
            for hand in HANDS:
                began = time.perf_counter()
                walk(browser, *served, game, hand, looking())
                print(f"{game:9} {hand:9} {time.perf_counter() - began:5.1f} s", flush=True)


if __name__ == "__main__":
    main()
