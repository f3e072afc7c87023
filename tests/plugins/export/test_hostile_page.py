"""Names and texts from files and addresses are text in an exported game; nothing of them runs."""

import re
from pathlib import Path
from typing import Any

import pytest
from from_disk import open_file

import advisor
from browser import expect, needs_browser
from walking import FEATURES, RULES, WEIGHTS

pytestmark = [needs_browser, pytest.mark.slow]

NAME = "<img src=x onerror=ran=1>"
TEXT = (
    "</script><script>ran=2</script><img src=x onerror='ran=3'>--><svg onload=ran=4>"
    "\u2028\u2029\"&lt;`'"
)
WORD = "<svg/onload=ran=5>"
PIECES = {"x": "<img/src=x/onerror=ran=6>", "o": "<i>'&amp;"}
PGN = f"""[Event "{TEXT.replace('"', "")}"]
[White "<script>ran=7</script>"]

1. e4 {{<img src=x onerror=ran=8>}} e5 2. Bc4 Nc6 *
"""


def escaped(text: str) -> str:
    """Return a text as it stands in an encoding."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def write_game(folder: Path) -> Path:
    """Write a game all of whose names and texts are hostile."""
    game = folder / NAME
    game.mkdir()
    aim, squares, pieces = (
        'aim("Four beside or above each other win.").',
        "called((X, Y), (letter(X), Y)) :- cell(X, Y).",
        "at(X, Y, P) :- mark(P, X, Y).",
    )
    rules = (
        RULES.replace(aim, f'aim("{escaped(TEXT)}").')
        .replace(squares, f'called((X, Y), ("{WORD}", X, Y)) :- cell(X, Y).')
        .replace(pieces, "\n".join(f'at(X, Y, "{PIECES[p]}") :- mark({p}, X, Y).' for p in PIECES))
    )
    features = FEATURES.replace("a mark in the nook", escaped(TEXT))
    for name, text in (
        ("rules.lp", rules),
        ("features.lp", features),
        ("weights.yaml", f"# {WORD}\n{WEIGHTS}"),
    ):
        (game / name).write_text(text, encoding="utf-8")
    return game


def check_elements(page: Any) -> None:
    """Nothing in the page was made of a text."""
    for made in ("img", "i", "[onload]", "[onerror]", "main script"):
        expect(page.locator(made)).to_have_count(0)


def test_names_and_texts_of_a_game_are_shown(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    advisor.export(write_game(tmp_path), file)
    html = file.read_text(encoding="utf-8")
    assert html.count("<script") == 2
    assert "ran=" not in html.replace("&lt;img src=x onerror=ran=1&gt;</title>", "")
    with open_file(browser, file) as page:
        assert page.title() == f"{NAME} - advisor"
        told = " ".join(TEXT.split())  # as people see blanks
        expect(page.locator("#aim")).to_have_text(told)
        expect(page.locator("#best")).to_contain_text(f"{WORD}11")
        expect(page.locator("#sentence")).to_contain_text(f"x gets {told}")
        for square in ("1,1", "5,5"):
            page.locator(f"[data-square='{square}']").click()
        for at, words in (("1,1", "img src x onerror ran 6"), ("5,5", "i amp")):
            square = page.locator(f"[data-square='{at}']")
            expect(square).to_have_accessible_name(re.compile(f"^{at}, {words}"))
        expect(page.locator("#moves-card")).to_contain_text(f"{WORD}55")
        page.locator("#program-card > summary").click()
        expect(page.locator("#program-card")).to_contain_text("onerror='ran=3'")
        check_elements(page)


def test_a_pgn_and_an_address_are_read_as_text(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "chess.html"
    advisor.export("chess", file)
    with open_file(browser, file, f"#game=chess&moves={WORD}") as page:
        expect(page.locator("#notice")).to_contain_text(f"'{WORD}' is not legal")
        page.goto(f"{file.as_uri()}#game=chess")
        page.locator("#position-card > summary").click()
        page.fill("#board-source", PGN)
        page.locator("#load").click()
        expect(page.locator("#moves-card .step")).to_have_count(4)
        check_elements(page)
        page.fill("#board-source", NAME)
        page.locator("#load").click()
        expect(page.locator("#board-error")).to_contain_text("'img' is not legal")
        check_elements(page)
