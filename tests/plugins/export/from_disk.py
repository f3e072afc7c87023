"""An exported game, opened from a disk by a browser that has no network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser import PATIENCE


@contextmanager
def open_file(browser: Any, file: Path, fragment: str = "", **how: Any) -> Iterator[Any]:
    """Yield the page of a file once it is ready.

    By the end it must not have failed, sent a request, shown a dialog, or set the variable ``ran``.

    Args:
        browser: opens the page.
        file: the game.
        fragment: of the address, with ``#``.
        how: options of the browser's context.
    """
    context = browser.new_context(offline=True, reduced_motion="reduce", **how)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}{fragment}")
    page.wait_for_selector("body[data-ready]")
    yield page
    assert not faults
    assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:"))]
    assert page.evaluate("typeof window.ran") == "undefined"
    context.close()
