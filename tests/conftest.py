"""How the tests run: random ones without time limits, and with what repeats a failure printed."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("advisor", deadline=None, print_blob=True)
settings.load_profile("advisor")

# The commands that tests start share their bytecode; most of a short one's time is compiling it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Code that is compiled is kept for all workers of this run, not for the user.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="asp-advisor-")
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

LONG = [
    "test_web_page.py",
    "test_web_views.py",
    "test_teach.py",
    "test_readme.py",
    "test_tune.py",
    "test_web_api.py",
    "test_posing.py",
]
"""Files that take long begin first, so that no worker is left with one of them at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests of the long files before the others."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than processors, since tests of the page wait for the browser; at most 4."""
    return min(4, (os.cpu_count() or 1) + 1)


# The page in a browser, for whoever asks for it


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    from browser import Server

    found = Server()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from browser import ARGUMENTS, BROWSER, sync_api

    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    from browser import PATIENCE

    found = browser.new_context(
        viewport={"width": 1200, "height": 900}, reduced_motion="reduce", accept_downloads=True
    )
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


@pytest.fixture
def page(context: Any, server: Any) -> Iterator[Any]:
    errors: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: errors.append(str(error)))
    yield found
    assert errors == []
