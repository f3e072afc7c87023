"""How the tests run: random ones without time limits, and with what repeats a failure printed."""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from hypothesis import settings

import effort
from advisor.games import knowledge, rules
from advisor.settings.config import DEFAULT
from aspcircuits.stopping import Stop

settings.register_profile("advisor", deadline=None, max_examples=40, print_blob=True)
settings.load_profile("advisor")

# The commands that tests start share their bytecode; most of a short one's time is compiling it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests run beside each other: threads of linear algebra, which wait by spinning, took
# more than half of the time of what is learned.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

# A server's workers step back behind all else. So do tests, beside which they would starve.
with suppress(AttributeError):  # on Windows
    os.setpriority(os.PRIO_PROCESS, 0, 19)

# Compiled code is kept from run to run by the fingerprint of its sources, apart from the user's.
# Tests about the cache have an empty one of their own.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parent.parent / "build" / "test-cache")

LONG = [
    "test_web_views.py",
    "test_web_page.py",
    "test_teach.py",
    "test_every_game.py",
    "test_web_api.py",
    "test_http_golden.py",
    "test_hostile_texts.py",
    "test_class.py",
    "test_compiled.py",
    "test_games.py",
    "test_native.py",
    "test_waiting.py",
    "test_web_pool.py",
    "test_prove.py",
    "test_learning.py",
    "test_tune.py",
    "test_posing.py",
]
"""Files that take long begin first, so that no worker is left with one of them at the end."""


def pytest_configure(config: pytest.Config) -> None:
    """Files are handed out in the order above, not those with the most tests first."""
    config.pluginmanager.register(effort)
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests of the long files before the others."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than processors, since tests of the page wait for the browser; at most 4."""
    return min(4, (os.cpu_count() or 1) + 1)


# Games that come along are loaded once a worker, as a server does. Loading one anew took longer
# than most of the tests that ask for it. Threads ask one after the other.

_load = knowledge.load
_loading = Lock()


@cache
def _load_once(game: str, weights: str | None, constants: tuple[tuple[str, int], ...]) -> Any:
    return _load(game, weights, dict(constants))


def _load_shared(
    game: str, weights: Any = DEFAULT, constants: Any = None, stop: Stop | None = None
) -> Any:
    if game not in rules.games() or weights not in (None, DEFAULT) or (stop and stop.is_set()):
        return _load(game, weights, constants, stop)
    with _loading:
        return _load_once(game, weights, tuple((constants or {}).items()))


@pytest.fixture(scope="session", autouse=True)
def shared_games() -> Iterator[None]:
    """Let all tests of a worker have the same games, where these are loaded as they come along."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "load", _load_shared)
        yield


@pytest.fixture
def loaded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test load games of its own."""
    monkeypatch.setattr(knowledge, "load", _load)


# The page in a browser


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="module")
def context(browser: Any) -> Iterator[Any]:
    from browser import PATIENCE

    found = browser.new_context(
        viewport={"width": 1200, "height": 900}, reduced_motion="reduce", accept_downloads=True
    )
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


@pytest.fixture(scope="module")
def tab(context: Any) -> Any:
    return context.new_page()


@pytest.fixture
def page(tab: Any, context: Any, server: Any) -> Iterator[Any]:
    """One tab for all tests of a module, since opening another takes longer than most of them; each
    loads a page of its own, with nothing stored and the mouse away from the board.
    """
    errors: list[str] = []

    def note(error: Any) -> None:
        errors.append(str(error))

    tab.on("pageerror", note)
    tab.mouse.move(0, 0)
    yield tab
    for other in context.pages:
        if other is not tab:
            other.close()
    tab.remove_listener("pageerror", note)
    stored = {"origin": server.address.rstrip("/"), "storageTypes": "local_storage"}
    context.new_cdp_session(tab).send("Storage.clearDataForOrigin", stored)
    assert errors == []
