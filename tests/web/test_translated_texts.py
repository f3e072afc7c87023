"""Texts of an own game's rules in the language that a request, or the browser, asks for."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from advisor.files.resources import ENCODINGS
from asking import ask, refusal, serving
from browser import PATIENCE, expect, needs_browser

STRATEGY = """
fires(middle, put(2, 2)) :- legal(P, put(2, 2)).
sentence(fires(middle), "takes the middle {move}").
sentence(fires(middle), "nimmt die Mitte {move}", de).
fires(corner, put(X, Y)) :- legal(P, put(X, Y)), X != 2, Y != 2.
sentence(fires(corner), "takes a corner").
"""
FEATURES = """
feature(disc, P, (X, Y)) :- true(mark(P, X, Y)).
sentence(feature(disc), "{a mark|marks}").
sentence(feature(disc), "{ein Zeichen|Zeichen}", de).
"""
WEIGHTS = "depth: 2\nmoves: {middle: 5, corner: 2}\nfeatures: {disc: 1}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = tmp_path / "noughts"
    game.mkdir()
    shutil.copy(ENCODINGS / "tictactoe" / "rules.lp", game)
    (game / "strategy.lp").write_text(STRATEGY)
    (game / "features.lp").write_text(FEATURES)
    (game / "weights.yaml").write_text(WEIGHTS)
    return game


@pytest.mark.slow
def test_a_request_gets_the_texts_of_its_language(folder: Path) -> None:
    with serving("--game", folder) as (client, _):
        asked = {"game": "noughts", "board": "a1", "explain": True, "depth": 2}
        told = {}
        for language in ("", "de", "fr"):
            moves = ask(client, "suggest", **asked, language=language)["moves"]
            fires = {f["strategy"]: f["sentence"] for move in moves for f in move["fires"]}
            features = {f["text"] for move in moves for f in move["trace"]["features"]}
            told[language] = fires["middle"], fires["corner"], features
        assert told["de"] == ("Nimmt die Mitte b2.", "It takes a corner.", {"ein Zeichen"})
        assert told[""] == ("It takes the middle b2.", "It takes a corner.", {"a mark"})
        assert told["fr"] == told[""]
        weights = ask(client, "weights", game="noughts", language="de")["weights"]
        titles = {weight["name"]: weight["title"] for weight in weights}
        assert titles["disc"] == "ein Zeichen"
        wrong = refusal(client, "suggest", **asked, language="German")
        assert wrong.startswith("language: ")


@needs_browser
@pytest.mark.slow
def test_the_page_shows_a_text_in_the_language_of_the_browser(browser: Any, folder: Path) -> None:
    page = browser.new_page(locale="de-DE")
    page.set_default_timeout(PATIENCE)
    with serving("--game", folder) as (client, _):
        address = str(client.base_url).rstrip("/")
        page.goto(f"{address}/#game=noughts&moves=put(1,1)")
        page.wait_for_selector("body[data-ready]")
        page.locator("#choices-card summary").click()
        page.locator('[data-move="put(2,2)"]').click()
        expect(page.locator("#advice")).to_contain_text("Nimmt die Mitte b2.")
    page.close()
