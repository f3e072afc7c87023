"""A game in one file, opened from a disk in a real browser without a network."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import advisor
from browser import expect, needs_browser

pytestmark = [needs_browser, pytest.mark.slow]

LIMITS = {"connect4": 400_000, "tictactoe": 400_000}
HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"


@pytest.fixture
def opened(context: Any, tmp_path: Path) -> Iterator[Any]:
    """Return a function that opens a file; the page must neither fail nor ask for anything."""
    context.set_offline(True)
    page = context.new_page()
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))

    def show(file: Path, fragment: str = "") -> Any:
        page.goto(f"{file.as_uri()}{fragment}")
        page.wait_for_selector("body[data-ready]")
        return page

    yield show
    assert not faults
    assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:"))]
    page.close()
    context.set_offline(False)


def written(game: str, folder: Path) -> Path:
    file = folder / "game.html"
    size = advisor.export(game, file)
    assert size == file.stat().st_size <= LIMITS.get(Path(game).name, 1_000_000)
    return file


def test_a_whole_game_of_tic_tac_toe_with_advice(opened: Any, tmp_path: Path) -> None:
    page = opened(written("tictactoe", tmp_path), "#game=tictactoe&moves=b2+a1+c3+b1")
    expect(page.locator("#best")).to_contain_text("c1")  # it makes two lines at once
    for square in ("c1", "a3"):
        page.locator("#grid").get_by_role("button", name=re.compile(rf"\b{square}\b")).click()
    page.locator("#grid").get_by_role("button", name=re.compile(r"\bc2\b")).click()
    expect(page.locator("#status")).to_have_text("X has won.")
    page.locator("#undo").click()
    expect(page.locator("#best")).to_contain_text("c2")


def test_connect_four_knows_its_openings_and_looks_ahead(opened: Any, tmp_path: Path) -> None:
    file = written("connect4", tmp_path)
    page = opened(file)
    expect(page.locator("#best")).to_contain_text("win 21")
    page.keyboard.press("4")
    expect(page.locator("#status")).to_have_text("Yellow to move.")
    page = opened(file, "#moves=443355")
    expect(page.locator("#best")).to_contain_text("Column 2")


def test_a_puzzle_is_posed_judged_hinted_and_solved(opened: Any, tmp_path: Path) -> None:
    page = opened(written("connect4", tmp_path), "#mode=puzzle&puzzle=chapter2/28")
    expect(page.locator("#progress")).to_contain_text("2")
    page.keyboard.press("h")
    expect(page.locator("#verdict")).to_contain_text("The move is not column")
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_contain_text("Yellow answers column")
    expect(page.locator("#undo")).to_be_disabled()  # the wrong move was taken back
    page.keyboard.press("4")
    expect(page.locator("#verdict.right")).to_be_visible()
    page.locator("#solution").click()
    expect(page.locator("#line-card")).to_contain_text("4")


def test_a_game_without_puzzles_does_not_offer_any(opened: Any, tmp_path: Path) -> None:
    page = opened(written("tictactoe", tmp_path))
    expect(page.locator("[data-mode=play]")).to_be_visible()
    for missing in ("[data-mode=puzzle]", "#review", "#threats", "#export"):
        expect(page.locator(missing)).to_be_hidden()


def test_names_and_texts_from_files_are_text(opened: Any, tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    rules = Path(advisor.__file__).parent.parent / "encodings" / "tictactoe" / "rules.lp"
    text = re.sub(r"^aim\(.*\n", "", rules.read_text(), flags=re.MULTILINE)
    (folder / "rules.lp").write_text(f'{text}aim("{HOSTILE}").\n')
    page = opened(written(str(folder), tmp_path))
    expect(page.locator("#aim")).to_have_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0


def test_chess_is_played_by_clicks_and_read_from_a_pgn(opened: Any, tmp_path: Path) -> None:
    page = opened(written("chess", tmp_path))
    for square in ("5,2", "5,4"):
        page.locator(f"[data-square='{square}']").click()
    expect(page.locator("#status")).to_have_text("Black to move.")
    expect(page.locator("#moves-card")).to_contain_text("e4")
    moves = "e2e4+e7e5+d1h5+b8c6+f1c4+g8f6"
    page = opened(tmp_path / "game.html", f"#game=chess&moves={moves}")
    expect(page.locator("#best")).to_contain_text("Qxf7#")
