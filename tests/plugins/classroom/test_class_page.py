"""The page of a class, as its members see it."""

import json
from pathlib import Path
from typing import Any

import pytest

from browser import PATIENCE, Server, expect, faults, load, looking, needs_browser

pytestmark = [needs_browser, pytest.mark.slow]

LATE = "b against a: needs more than 30 s of processor time"
WEIGHTS = "extends: default\nencodings: {extra: [strategy.lp]}\nmoves: {far: 1}\n"
RULES = "fires(far, move(R, C)) :- valid_move(R, C), C > width, R = 1.\n"
PLAYED = {
    "table": [
        {
            "place": 1,
            "name": "a",
            "games": 2,
            "points": 2,
            "share": 1.0,
            "wins": 2,
            "draws": 0,
            "losses": 0,
        },
        {
            "place": 2,
            "name": "b" * 30,
            "games": 2,
            "points": 0,
            "share": 0.0,
            "wins": 0,
            "draws": 0,
            "losses": 2,
        },
    ],
    "games": [
        {"first": "a", "second": "b" * 30, "moves": "1212121", "points": 1, "error": LATE},
        {"first": "b" * 30, "second": "a", "moves": "1212", "points": 0, "error": LATE},
    ],
    "faults": {
        "b": [
            {
                "ply": 6,
                "move": "2",
                "grade": grade,
                "better": ["1"],
                "moves": "12121",
                "against": "a",
            }
            for grade in ("inaccuracy", "blunder")
        ]
    },
    "left_out": {"b": LATE},
    "not_played": 2,
}


def test_who_hands_in_is_known_again_and_sees_what_was_played(browser: Any, tmp_path: Path) -> None:
    axe = looking()
    (tmp_path / "results.json").write_text(json.dumps(PLAYED))
    server = Server("--class", tmp_path)
    assert server.says().endswith("class.html is for the class\n")
    owner = server.says().split()[0]
    context = browser.new_context(viewport={"width": 360, "height": 800})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    load(page, server, "class.html", "")
    expect(page.locator("#rules")).not_to_have_value("")
    page.locator("#weights").fill("extends: default\n")
    page.locator("#rules").fill("")
    load(page, server, "class.html", "")
    expect(page.locator("#weights")).to_have_value("extends: default\n")
    expect(page.locator("#rules")).to_have_value("")
    # Another spelling of the name is the same member.
    page.locator("#weights").fill(WEIGHTS)
    page.locator("#rules").fill(RULES)
    for name in ("Two  Stra\xdfen", "two STRASSEN"):
        page.locator("#name").fill(name)
        page.locator("#send").click()
        thanks = f"Thank you, {name}: your strategy is in."
        expect(page.locator("#notice.good")).to_have_text(thanks)
    # Where a strategy does not fire it says why not.
    page.get_by_role("button", name="Why far?").press("Enter")
    expect(page.locator("#example")).to_contain_text("far does not fire in the example position.")
    expect(page.locator("#example summary").last).to_contain_text("lacks 1 > 7")
    page.locator("#example summary").last.press("Enter")
    expect(page.locator("#example .rule").last).to_contain_text("C > width, R = 1")
    expect(page.locator("#members")).to_have_text("Handed in: Two Stra\xdfen.")
    # What was played is there, and stays as it is while the page looks for more.
    expect(page.locator("#missing li")).to_contain_text([LATE, "b is left out", "last 2 games"])
    expect(page.locator("#faults li")).to_contain_text(["2 is an inaccuracy;", "2 is a blunder;"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    card, table = (page.locator(each).bounding_box() for each in (".card:has(#table)", "#table"))
    assert table["x"] + table["width"] < card["x"] + card["width"]
    assert faults(page, axe) == []
    replay = page.locator("#games a").first
    replay.focus()
    for _ in range(2):
        page.wait_for_event("response", lambda response: response.url.endswith("/api/class"))
    expect(replay).to_be_focused()
    # The code brings the texts to another browser, and tells how the last strategy was taken.
    other = browser.new_context(viewport={"width": 390, "height": 844})
    other.set_default_timeout(PATIENCE)
    second = other.new_page()
    load(second, server, "class.html", "")
    second.locator("#code").fill(page.locator("#code").input_value())
    second.locator("#fetch").click()
    expect(second.locator("#rules")).to_have_value(RULES)
    expect(second.locator("#name")).to_have_value("Two Stra\xdfen")
    expect(second.locator("#mine")).to_contain_text("version 2")
    other.close()
    page.goto(owner)
    expect(page.locator("#students tbody tr")).to_have_count(1)
    expect(page.locator("#students")).to_contain_text("2 / 2")
    page.get_by_role("button", name="Show what Two Stra\xdfen has sent").click()
    expect(page.locator("#texts pre").last).to_have_text(RULES)
    with page.expect_download() as csv:
        page.locator("#csv").click()
    assert "Two Stra\xdfen" in Path(csv.value.path()).read_text("utf-8-sig")
    page.locator("#at").fill("2999-12-31T23:59")
    page.locator("#at").press("Enter")
    expect(page.locator("#until")).to_contain_text("Strategies are accepted until")
    page.locator("#freeze").click()
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, axe) == []
    load(page, server, "class.html", "")
    expect(page.locator("#closed")).to_be_visible()
    expect(page.locator("#send")).to_be_hidden()
    page.goto(owner)
    page.locator("#freeze").click()
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "false")
    page.locator("#openings").fill("1")
    page.locator("#play").click()
    expect(page.locator("#playing")).to_contain_text("of 2 games are over.")
    expect(page.locator("#games tbody tr")).to_have_count(2)
    expect(page.locator("#playing")).to_have_text("")
    assert wrong == []
    context.close()
    server.stop()
