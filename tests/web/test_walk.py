"""The same walk over the page in four games, by some hand; `measure/walk.py` has every pair."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Server, looking, needs_browser
from walking import serving, walk

pytestmark = [needs_browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    with serving(tmp_path_factory.mktemp("games")) as found:
        yield found


@pytest.mark.parametrize(
    ("game", "hand"),
    [("connect4", "keyboard"), ("chess", "touch"), ("hex", "mouse"), ("own", "keyboard")],
)
def test_a_walk_over_the_page(
    browser: Any, served: tuple[Server, str], game: str, hand: str
) -> None:
    walk(browser, *served, game, hand, looking())
