"""Whole games in exported files, without a network: by mouse, by touch and by keyboard."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from from_disk import open_file

import advisor
from browser import expect, faults, looking, needs_browser
from walking import HANDS, Hand

pytestmark = [needs_browser, pytest.mark.slow]


@dataclass(frozen=True)
class Played:
    """A game from its first move to its end.

    Attributes:
        moves: the places of each move; columns, or squares.
        status: what the page says at the end.
        constants: of the rules.
    """

    moves: tuple[tuple[str, ...], ...]
    status: str
    constants: dict[str, int] = field(default_factory=dict)


GAMES = {
    "connect4": Played(tuple((column,) for column in "1212121"), "Red has won."),
    "chess": Played(
        (("6,2", "6,3"), ("5,7", "5,5"), ("7,2", "7,4"), ("4,8", "8,4")),
        "Black has won.",
    ),
    "hex": Played(
        (("1,2",), ("1,1",), ("2,2",), ("2,1",), ("3,2",), ("3,1",), ("4,2",)),
        "Red has won.",
        {"size": 4},
    ),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("games")
    for name, game in GAMES.items():
        advisor.export(name, folder / f"{name}.html", constants=game.constants)
    return {name: folder / f"{name}.html" for name in GAMES}


@pytest.mark.parametrize("kind", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played(browser: Any, files: dict[str, Path], name: str, kind: str) -> None:
    axe, game = looking(), GAMES[name]
    size = {"width": 390, "height": 844} if kind == "touch" else {"width": 1200, "height": 900}
    with open_file(browser, files[name], viewport=size, has_touch=kind == "touch") as page:
        hand = Hand(page, kind)
        for number, places in enumerate(game.moves, 1):
            hand.play(places)
            expect(page.locator("#moves-card .step")).to_have_count(number)
            hand.look()
            if number == len(game.moves) // 2:
                expect(page.locator("#best strong")).to_be_visible()
                expect(page.locator("#progress.busy")).to_have_count(0)
                check(page, axe)
        expect(page.locator("#status")).to_have_text(game.status)
        check(page, axe)
        hand.press("#undo")
        expect(page.locator("#status")).to_have_text(re.compile("to move"))
        expect(page.locator("#best strong")).to_be_visible()  # the move that wins is found


def check(page: Any, axe: Any) -> None:
    """The page fits its window, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, axe) == []
