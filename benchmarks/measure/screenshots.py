"""Take the pictures of the page in docs/images again; with --all, every game in every mode.

It starts its own server and shows the page in chromium, which must be installed. The pictures show
the advisor's thinking time; nothing else in them changes from run to run. With --all, each mode of
each game is taken on a screen, on a phone and on a phone on its side, light and dark, and once more
on a sheet with all six; a red line on the sheet marks the end of a screen.

    python benchmarks/measure/screenshots.py [FOLDER] [--all] [--game NAME ...] [--mode NAME ...]
"""

import argparse
import base64
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

import advisor

HERE = Path(__file__).parents[1]
IMAGES = HERE.parent / "docs" / "images"
PICTURES = {
    "web-analyse": ("#moves=4356244352&level=8", "#board [data-column='5']"),
    "web-puzzles": ("#mode=puzzle&puzzle=chapter3/30", ""),
    "web-chess": ("#game=chess&time=3&moves=e2e4+e7e5+g1f3+b8c6+f1c4+g8f6", ""),
}
"""For each picture, the address and the element that the pointer is on."""

OWN = HERE / "games" / "checkers"

GAMES = {
    "connect4": ("time=1&", 10, "72724562277525563537464433371541"),
    "chess": ("time=1&", 6, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d4 f6e4 c4f7 e8f7 f3e5 c6e5"),
    "hex": ("time=1&", 3, "d4 e3 d6 c5 d5 c6 c7 e6 f5"),
    "reversi": ("time=1&", 4, "d3 e3 f2 c5 e6 g1 c3 f3 b5 c2 c1 e7"),
    "breakthrough": ("time=1&", 6, "c2-d3 g7-g6 f2-g3 b7-c6 d3-d4 g6-g5 e2-d3 g5-g4 f1-e2 a8-b7"),
    "gomoku": ("time=1&", 4, "h8 i9 h7 i8 h9 i7 h6 h5 g6 h10"),
    "morris": ("time=1&", 5, "f2 d6 d7 d2 f4 d5 c3 a1 e5 e3 e4 g1"),
    "tictactoe": ("time=1&", 2, "b2 b1 a3 c1 a1 c3 a2"),
    OWN.name: ("time=1&", 4, "e3-d4 b6-c5 d4-b6 a7-c5 c3-d4 c5-e3 f2-d4 h6-g5"),
}
"""For each game, the beginning of an address, the length of most pictures' games, and a game."""

ENDED = {
    "connect4": "72724562277525563537464433371541413266611",
    "chess": "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7",
    "hex": "a4 a1 b4 b1 c4 c1 d4 d1 e4 e1 f4 f1 g4",
    "reversi": "e6 f4 e3 f6 g5 d6 e7 f5 c5",
    "breakthrough": "c2-c3 h7-h6 c3-c4 h6-h5 c4-c5 h5-h4 c5-b6 h4-h3 b6-a7 g7-g6 a7-b8",
    "gomoku": "h8 i9 h7 i8 h9 i7 h6 h5 g6 h10 g7 i6 g8 i10",
}
"""Games that are over; of other games the game above stands for one."""

MODES = {
    "play": ("mode=play&moves={early}", []),
    "analyse": ("moves={position}", []),
    "end": ("moves={ended}", []),
    "asked": ("moves={position}", ["#choices-card > summary", "#move-list li:nth-child(2) button"]),
    "review": ("moves={game}", ["#review"]),
    "mistakes": ("moves={game}", ["#review", "#practise", "#puzzle-title"]),
    "program": ("moves={position}", ["#program-card > summary"]),
    "puzzle": ("mode=puzzle", []),
    "position": ("moves={position}", ["#position-card > summary"]),
    "editor": ("moves={position}", ["#position-card > summary", "#edit"]),
    "weights": ("moves={position}", ["#weights-card > summary"]),
    "rules": ("moves={position}", ["#rules-card > summary"]),
    "share": ("moves={position}", ["#share-card > summary"]),
    "bad-link": ("levle=8&moves={position}", []),
    "proof": ("moves=4153673147", ["#advice-card > .how:has(#proof-card) > summary"]),
}
"""For each mode, the rest of the address, and clicks; clicks that a game lacks are skipped."""

SCREENS = {"1280": (1280, 800), "390": (390, 844), "844": (844, 390)}
KINDS = {"1280": "wide", "390": "tall", "844": "side"}
"""How each is called on a sheet."""

SCHEMES = ("light", "dark")
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell")
QUIET_MS = 1500  # quiet time after which a page is complete
SOON_MS = 6000  # time until a target of a click appears
PATIENCE_MS = 120_000  # time to compile a game, or for scores and proofs

SHEET = (1448, 1740)
SHEET_STYLE = """
body { margin: 0; display: grid; gap: 4px; background: #888;
       grid: 663px 663px 400px / 768px 334px 334px; }
div { position: relative; overflow: hidden; height: 100%; }
.tall { grid-row: span 2; }
.side + .side { grid-column: span 2; }
img { width: 100%; display: block; }
div::after { content: ""; position: absolute; left: 0; width: 100%; top: 0; margin-top: var(--fold);
             border-top: 2px solid red; }
"""


def main() -> None:
    """Write the pictures and print where."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=IMAGES)
    parser.add_argument("--all", action="store_true", help="every game, mode, width and scheme")
    parser.add_argument("--game", nargs="+", choices=[*GAMES, "class"], help="of --all, these only")
    parser.add_argument("--mode", nargs="+", choices=MODES, help="of --all, these only")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with served(asked.all) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS)), None),
            args=["--no-sandbox", "--disable-gpu"],
        )
        if not asked.all:
            page = opened(browser, (1180, 790))
            for name, (state, target) in PICTURES.items():
                show(page, f"{address}{state}")
                if target:
                    page.hover(target)
                    page.wait_for_timeout(QUIET_MS)
                file = asked.folder / f"{name}.png"
                page.screenshot(path=file)
                print(file)
            take_export(browser, asked.folder / "exported.png")
            return
        page, sheet = opened(browser, SCREENS["1280"]), opened(browser, SHEET)
        for game in asked.game or [*GAMES, "class"]:
            for mode, (rest, clicks) in MODES.items():
                if asked.mode and mode not in asked.mode:
                    continue
                if game == "class":
                    show(page, address.replace("#", "class.html#"), ready="#table")
                    mode, clicks = "page", []
                elif mode == "proof" and game != "connect4":
                    continue
                else:
                    show(page, f"{address}{fragment(game, rest)}")
                if all(click(page, target) for target in clicks):
                    take_all(page, sheet, asked.folder, f"{game}-{mode}")
                if game == "class":
                    break


@contextmanager
def served(everything: bool) -> Iterator[str]:
    """Yield a server's address; with `everything`, its owner's, with a game and a class."""
    serve = "from advisor.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        more = ["--game", str(OWN), "--class", folder] if everything else []
        command = [sys.executable, "-c", serve, "serve", "--port", "0", *more]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[0]
            yield f"{address}&" if "#" in address else f"{address}#" if everything else address
        finally:
            server.terminate()
            server.wait()


def fragment(game: str, rest: str) -> str:
    """Return the part of an address that gives a game and a mode."""
    needed, count, written = GAMES[game]
    moves = [*written] if game == "connect4" else written.split()
    joint = "" if game == "connect4" else "+"
    early = count - count % 2
    over = ENDED.get(game, written)
    ended = [*over] if game == "connect4" else over.split()
    parts = {"early": moves[:early], "position": moves[:count], "game": moves, "ended": ended}
    told = {name: joint.join(part) for name, part in parts.items()}
    return f"game={game}&{needed}{rest.format(**told)}"


def opened(browser: Browser, size: tuple[int, int]) -> Page:
    """Open a page of a size."""
    x, y = size
    page = browser.new_page(viewport={"width": x, "height": y}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    return page


def show(page: Page, address: str, ready: str = ".progress:not(.busy)") -> None:
    """Open an address and wait until the page is quiet."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_selector(ready, state="attached")
    page.wait_for_timeout(QUIET_MS)


def click(page: Page, target: str) -> bool:
    """Click, and wait until the page is quiet; return False if there is nothing to click."""
    found = page.locator(target).first
    try:
        found.click(timeout=SOON_MS)
    except TimeoutError:
        return False
    page.locator("#review-card", has_text="to go").wait_for(state="hidden")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(QUIET_MS)
    return True


def take_export(browser: Browser, file: Path) -> None:
    """Write a picture of a game in one file, which no server serves, as a phone shows it."""
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder, "game.html")
        advisor.export("connect4", game)
        page = opened(browser, (390, 760))
        show(page, f"{game.as_uri()}#moves=4356244352")
        page.locator("#best", has_text="olumn").wait_for()
        page.locator("#stop").wait_for(state="hidden")
        page.screenshot(path=file)
    print(file)


def take_all(page: Page, sheet: Page, folder: Path, name: str) -> None:
    """Write a picture at each width in each colour scheme, and a sheet with all."""
    cells = []
    for width, (x, y) in SCREENS.items():
        for scheme in SCHEMES:
            page.set_viewport_size({"width": x, "height": y})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("scrollTo(0, 0)")
            picture = page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
            fold = f"--fold: {100 * y / x}%"
            cells.append(f'<div class="{KINDS[width]}" style="{fold}"><img src="{source}"></div>')
    # The wide ones stand one above the other.
    first, last, *tall, side, other = cells
    sheet.set_content(f"<style>{SHEET_STYLE}</style>{first}{''.join(tall)}{last}{side}{other}")
    sheet.screenshot(path=folder / f"{name}.png")
    print(folder / f"{name}.png", flush=True)
    page.set_viewport_size(dict(zip(("width", "height"), SCREENS["1280"], strict=True)))


if __name__ == "__main__":
    main()
