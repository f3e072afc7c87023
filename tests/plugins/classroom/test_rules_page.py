"""The owner of a game edits its rules on the page; nobody else can."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import PATIENCE, Server, expect, faults, load, looking, needs_browser, visit

pytestmark = [needs_browser, pytest.mark.slow]

ROOT = Path(__file__).parents[3]
FEATURES = """% What a position is worth.
feature(corner, P, (X, Y)) :- mark(P, X, Y), |X - 2| = 1, |Y - 2| = 1.
sentence(feature(corner), "a mark in a corner").
"""
WEIGHTS = "depth: 0\nmoves: {nook: 9}\nfeatures: {corner: 4}\n"
STRATEGY = 'fires(nook, put(3, 3)) :- free(3, 3).\nsentence(fires(nook), "takes the nook").\n'
"""Of moves that draw alike, so that it decides even where that is known."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "noughts"
    shutil.copytree(ROOT / "encodings" / "tictactoe", found)
    for name, text in (
        ("features.lp", FEATURES),
        ("strategy.lp", STRATEGY),
        ("weights.yaml", WEIGHTS),
    ):
        (found / name).write_text(text)
    return found


@pytest.fixture
def server(folder: Path) -> Iterator[Server]:
    found = Server("--game", folder)
    yield found
    found.stop()


def owner(server: Server) -> str:
    """What the address has after the sign of a fragment, as the server prints it."""
    return server.says().split()[0].partition("#")[2]


def write(page: Any, text: str) -> None:
    page.locator("#rules-text").fill(text)


def test_a_rule_is_mended_tried_saved_and_then_decides(
    browser: Any, server: Server, folder: Path
) -> None:
    axe = looking()
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())

    def look() -> None:
        sides = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert sides[0] <= sides[1]
        assert faults(page, axe) == []

    fragment = owner(server)
    visit(page, server, fragment)
    expect(page.locator("#game")).to_have_value("noughts")
    visit(page, server, f"{fragment}&moves=put(2,2)")
    assert "owner" not in page.url
    expect(page.locator("#best")).to_contain_text("c3")
    page.locator("#rules-card summary").press("Enter")
    expect(page.locator("#rules-text")).to_have_value(FEATURES)
    look()
    # An error stands at its line, and nothing of it is written.
    page.get_by_role("button", name="strategy.lp").press("Enter")
    expect(page.locator("#rules-text")).to_have_value(STRATEGY)
    other = STRATEGY.replace("put(3, 3)", "put(3, 1)")
    write(page, "\n" + other.replace("free(3, 3)", "fre(3, 1)"))
    page.locator("#rules-save").press("Enter")
    told = "strategy.lp:2: no rule derives 'fre/2' (did you mean 'free/2'?)"
    expect(page.locator("#rules-error")).to_contain_text(told)
    expect(page.locator(".line-numbers mark")).to_have_text("2")
    assert (folder / "strategy.lp").read_text() == STRATEGY
    look()
    page.get_by_role("button", name="Go to line 2").press("Enter")
    expect(page.locator("#rules-text")).to_be_focused()
    chosen = "t => t.value.slice(t.selectionStart, t.selectionEnd)"
    line = page.locator("#rules-text").evaluate(chosen)
    assert line.startswith("fires(nook, put(3, 1)) :- fre")
    # Mended, it shows where it fires: here, and in games.
    write(page, other.replace("free(3, 3)", "free(3, 1)"))
    expect(page.locator("#rules-error")).to_be_hidden()
    page.locator("#rules-check").press("Enter")
    expect(page.locator("#rules-fired li")).to_have_text(["nook (strategy) for o: c1"])
    page.get_by_role("button", name="c1", exact=True).and_(page.locator(".speaks")).focus()
    expect(page.locator(".field.lit")).to_have_attribute("data-square", "3,1")
    # What may be played, and what may not and why.
    page.locator("#rules-atom").fill("legal(o,put(2,2))")
    page.locator("#rules-atom").press("Enter")
    expect(page.locator("#rules-card .why summary").first).to_contain_text("lacks free(2,2)")
    look()
    page.locator("#rules-atom").fill("legal(")
    page.locator("#rules-atom").press("Enter")
    expect(page.locator("#rules-error")).to_contain_text("'legal(' is not an atom")
    page.locator("#rules-fires").press("Enter")
    expect(page.locator("#rules-counts caption")).to_contain_text("In 100 games, ")
    expect(page.locator("#rules-counts td").first).to_have_text("corner")
    assert (folder / "strategy.lp").read_text() == STRATEGY
    look()
    # Saved, it decides.
    page.locator("#rules-save").press("Enter")
    expect(page.locator("#rules-card [role=status]")).to_contain_text("Saved: strategy.lp.")
    assert "put(3, 1)" in (folder / "strategy.lp").read_text()
    expect(page.locator("#best")).to_contain_text("c1")
    # What changed on the disk meanwhile is not written over, what was written here is still there.
    (folder / "strategy.lp").write_text(STRATEGY + "% by hand\n")
    write(page, STRATEGY)
    page.locator("#rules-save").press("Enter")
    expect(page.locator("#rules-error")).to_contain_text("strategy.lp: has changed on the disk")
    expect(page.locator("#rules-text")).to_have_value(STRATEGY)
    assert (folder / "strategy.lp").read_text().endswith("% by hand\n")
    page.locator("#rules-read").press("Enter")
    expect(page.locator("#rules-text")).to_have_value(STRATEGY + "% by hand\n")
    assert wrong == []
    context.close()


def test_weights_that_are_written_on_the_page_can_be_changed_there_at_once(
    page: Any, server: Server, folder: Path
) -> None:
    for file in ("weights.yaml", "strategy.lp", "features.lp"):
        (folder / file).unlink()
    visit(page, server, owner(server))
    expect(page.locator("#weights-card")).to_be_hidden()
    page.locator("#rules-card summary").press("Enter")
    page.get_by_role("button", name="strategy.lp").press("Enter")
    write(page, STRATEGY)
    page.get_by_role("button", name="weights.yaml").press("Enter")
    write(page, "moves: {nook: 9}\n")
    page.locator("#rules-save").press("Enter")
    page.locator("#weights-card > summary").click()
    expect(page.locator("#weights-card .group summary code")).to_have_text(["nook"])


def test_who_has_no_key_sees_no_rules(browser: Any, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    visit(page, server, "game=noughts")
    expect(page.locator("#rules-card")).to_be_hidden()
    load(page, server, "", "game=noughts&owner=guessed")
    page.locator("#rules-card summary").click()
    expect(page.locator("#rules-error")).to_contain_text("open the address that")
    context.close()
