"""Takes the pictures of the page in docs/images anew; with --all every state at three widths.

Starts a server of its own and shows the page in chromium, which has to be installed. How long the
advisor has thought is part of the pictures; nothing else in them changes by itself.

    python benchmarks/screenshots.py [FOLDER] [--all]
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PICTURES = {
    "web-analyse": ("#moves=4356244352&level=8", "#board [data-column='5']"),
    "web-puzzles": ("#mode=puzzle&puzzle=chapter3/30", ""),
    "web-chess": ("#game=chess&time=3&moves=e2e4+e7e5+g1f3+b8c6+f1c4+g8f6", ""),
}
"""By their names the address and what is pointed at."""

STATES = {
    **PICTURES,
    "web-plan": ("#moves=4153673147&level=4", ""),
    "web-play": ("#mode=play&level=8&moves=4", ""),
    "web-weights": ("#moves=44&weights=default,moves.center.0:9", "#weights-card > summary"),
    "web-position": ("#moves=44&level=1", "#position-card > summary"),
    "web-editor": ("#moves=44&level=1", "#edit"),
    "web-proof": ("#moves=4153673147&level=1", "#proof-card summary"),
    "web-review": ("#moves=72724562277525563537464433371541&level=1", "#review"),
    "web-bad-link": ("#levle=8&moves=4444444", ""),
    "web-share": ("#moves=4453&level=1", "#share-card > summary"),
    "web-chess-puzzles": ("#game=chess&mode=puzzle&puzzle=mate2/1", ""),
    "web-chess-weights": ("#game=chess&moves=e2e4", "#weights-card > summary"),
    "web-chess-editor": ("#game=chess", "#edit"),
    "web-hex-puzzles": ("#game=hex&mode=puzzle", ""),
    "web-chess-play": ("#game=chess&mode=play&moves=e2e4+e7e5", ""),
    "web-chess-review": ("#game=chess&moves=f2f3+e7e5+g2g4+d8h4", "#review"),
    "web-hex": ("#game=hex&moves=put(3,3)", ""),
    "web-morris": ("#game=morris&moves=place((1,-1,-1))", ""),
    "web-reversi": ("#game=reversi&moves=put(4,6)", ""),
    "web-breakthrough": ("#game=breakthrough", ""),
    "web-gomoku": ("#game=gomoku&moves=put(8,8)+put(9,9)", ""),
    "web-tictactoe": ("#game=tictactoe&moves=put(2,2)+put(1,2)", "#review"),
}
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell")
SCREENS = {"1280": (1280, 800), "768": (768, 1024), "390": (390, 844)}
QUIET_MS = 1500  # in which nothing more comes
PATIENCE_MS = 120_000  # until a game is compiled, scores and proofs have come


def main() -> None:
    """Writes the pictures and says where."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=IMAGES)
    parser.add_argument("--all", action="store_true", help="every state, width and scheme")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    serve = (
        "import sys; from advisor.cli import main; sys.argv[1:] = ['serve', '--port', '0']; main()"
    )
    server = subprocess.Popen([sys.executable, "-c", serve], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().split()[0]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=next(filter(None, map(shutil.which, BROWSERS)), None),
                args=["--no-sandbox", "--disable-gpu"],
            )
            screens = SCREENS if asked.all else {"": (1180, 790)}
            for width, (x, y) in screens.items():
                for scheme in ("light", "dark") if asked.all else ("light",):
                    page = browser.new_page(
                        viewport={"width": x, "height": y},
                        color_scheme=scheme,
                        reduced_motion="reduce",
                    )
                    page.set_default_timeout(PATIENCE_MS)
                    for name, (fragment, target) in (STATES if asked.all else PICTURES).items():
                        file = "-".join(filter(None, [name, width, width and scheme])) + ".png"
                        show(page, f"{address}{fragment}", target)
                        page.screenshot(path=asked.folder / file, full_page=asked.all)
                        print(asked.folder / file)
                    page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


def show(page: Page, address: str, target: str) -> None:
    """Opens an address and waits until nothing more comes; points at a column, clicks at others."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_selector(".progress:not(.busy)", state="attached")
    page.wait_for_timeout(QUIET_MS)
    if target == "#edit":
        page.keyboard.press("e")
    elif "data-column" in target:
        page.hover(target)
    elif target:
        page.click(target)
    page.wait_for_timeout(QUIET_MS)


if __name__ == "__main__":
    main()
