"""The page in a real browser, for the tests: the server, and what one sees and does."""

import os
import re
import shutil
import signal
import subprocess
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from advisor.games.connect4.board import geometry
from advisor.games.connect4.notation import one_line, parse_line
from commands import ENTRY

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ROOT = Path(__file__).parent.parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The one without windows takes half of the processor time, so it comes first."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 180_000  # milliseconds; machines that run tests are slow at times

needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium here: the page in the browser is not tested"
)

expect = sync_api.expect
expect.set_options(timeout=PATIENCE)


class Server:
    """`advisor serve`, which can be stopped and started again at the same address."""

    def __init__(self, *arguments: object) -> None:
        self._arguments = [*map(str, arguments)]
        self.port = "0"
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [*ENTRY, "serve", "--port", self.port, *self._arguments],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().split()[0]
        self.port = self.address.rstrip("/").rpartition(":")[2]

    def says(self) -> str:
        """The next line that it prints."""
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def stop(self) -> None:
        self._process.terminate()
        assert self._process.wait(PATIENCE / 1000) in (0, -signal.SIGTERM)


_visits = count()


def load(page: Any, server: Server, path: str, fragment: str) -> None:
    """Loads a page anew: another query is another page, and needs no other process, as one after
    an empty page would, for which the browser takes half as long again.
    """
    page.goto(f"{server.address}{path}?{next(_visits)}#{fragment}")


def visit(page: Any, server: Server, fragment: str = "") -> None:
    load(page, server, "", fragment)
    page.wait_for_selector("body[data-ready]")


def column(page: Any, number: int) -> Any:
    return page.locator(f"[data-column='{number}']")


def shown(page: Any) -> str:
    """The board on the page as one line, read where a screen reader reads it."""
    words = {"red": "x", "yellow": "o", "empty": "."}
    rows = page.eval_on_selector_all(
        "#board-text tr",
        "rows => rows.slice(1).map(r => [...r.querySelectorAll('td')].map(c => c.textContent))",
    )
    return "/".join("".join(words[cell] for cell in row) for row in rows)


def drawn(page: Any) -> str:
    """The board as it is drawn."""
    return str(
        page.evaluate(
            """() => {
            const sign = {"#disc-x": "x", "#disc-o": "o", "#disc-empty": "."};
            const columns = [...document.querySelectorAll(".column")].map(column =>
              [...column.querySelectorAll("use")].map(use => sign[use.getAttribute("href")]));
            return columns[0].map((_, i) => columns.map(column => column[i]).join("")).join("/");
            }"""
        )
    )


def wait_until(page: Any, moves: str, size: tuple[int, int] = (7, 6)) -> None:
    """Until the board shows the position after these moves."""
    discs = page.locator(".column use:not([href='#disc-empty'])")
    expect(discs).to_have_count(len(moves))
    assert shown(page) == one_line(parse_line(moves, geometry(*size)))
    assert drawn(page) == shown(page)


def played(page: Any) -> str:
    """The moves in the address."""
    return str(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('moves') ?? ''"))


def wait_for_turn(page: Any, moves: int) -> str:
    """Wait until the address has that number of moves and no player thinks; return the moves."""
    if moves:
        expect(page).to_have_url(re.compile(rf"moves=\d{{{moves},}}"))
    expect(page.locator("#progress.busy")).to_have_count(0)
    return played(page)


def signed(value: int) -> str:
    """As the page writes it, with a minus sign."""
    return f"{value:+d}".replace("-", "\N{MINUS SIGN}")


def unfold(page: Any) -> Any:
    """Open the list of every move, and return its buttons."""
    summary = page.locator("#choices-card > summary")
    expect(summary).to_be_visible()
    summary.press("Enter")
    return page.locator("#move-list button")


def looking() -> Any:
    """What finds faults of a page; without it a test is skipped."""
    reason = "axe-playwright-python is not installed"
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason=reason).Axe()


def faults(page: Any, axe: Any) -> list[tuple[str, str]]:
    """What axe finds wrong, and where it is for the first time."""
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


def status(page: Any) -> Any:
    return page.locator("#status")
