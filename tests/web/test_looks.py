"""The page in a real browser: levels by name, hints in steps, looks, the map of threats."""

import re
from typing import Any

import pytest

import advisor
from browser import Server, expect, faults, looking, needs_browser, visit, wait_for_turn

pytestmark = [needs_browser, pytest.mark.slow]

THREATS = "5317453145562166343"


def test_the_map_of_threats_has_the_squares_of_the_rules(page: Any, server: Server) -> None:
    dangers = advisor.threats(advisor.position(THREATS)).dangers
    squares = sum(len(danger.squares) for danger in dangers)
    assert squares
    visit(page, server, f"moves={THREATS}&exact=off&level=2")
    page.keyboard.press("t")
    expect(page.locator("#board .danger")).to_have_count(squares)
    for danger in dangers:
        expect(page.locator("#threat-text")).to_contain_text(f"{danger.text}.")
    expect(page.locator("#threats")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("u")
    expect(page.locator("#board .danger")).not_to_have_count(squares)
    page.locator("#threats").click()
    expect(page.locator("#board .danger")).to_have_count(0)
    expect(page.locator("#threat-text")).to_be_hidden()


def test_hints_of_a_game_say_where_to_look_then_the_move_then_why(
    page: Any, server: Server
) -> None:
    visit(page, server, "game=tictactoe&mode=play&moves=a1+b2+a2+c1")
    answer = page.locator("body")
    page.keyboard.press("h")
    expect(page.locator(".field.lit").first).to_be_visible()
    expect(page.locator(".field.hinted")).to_have_count(0)
    expect(answer).to_contain_text("Look at the highlighted part of the board")
    page.keyboard.press("h")
    expect(page.locator(".field.hinted")).to_have_count(1)
    expect(page.locator(".field.hinted")).to_have_attribute("data-square", "1,3")
    expect(answer).to_contain_text("Best: a3.")
    expect(answer).not_to_contain_text("completes a line")
    page.keyboard.press("h")
    expect(answer).to_contain_text("completes a line")


def test_a_level_is_one_choice_and_kept_in_the_address(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1")
    expect(page.locator("#share")).to_contain_text("A novice")
    page.select_option("#level", label="Easy")
    expect(page).to_have_url(re.compile("level=3"))
    page.select_option("#level", "time:3")
    expect(page).to_have_url(re.compile("time=3"))
    expect(page.locator("#share")).to_have_count(0)
    visit(page, server, "mode=play&level=7")
    expect(page.locator("#level option:checked")).to_have_text("Level 7 of 20")


def test_no_reason_tells_the_answer_where_scores_are_off(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1")
    page.locator("[data-column='4']").click()
    wait_for_turn(page, 2)
    for hidden in (".to-play strong", "#bar", ".score.best", "#choices-card", "#line-card"):
        expect(page.locator(hidden).locator("visible=true")).to_have_count(0)


def test_looks_are_kept_and_without_findings(page: Any, server: Server) -> None:
    axe = looking()
    visit(page, server, "game=gomoku&exact=off")
    page.locator("#looks-card > summary").click()
    page.select_option("#looks-colours", "green")
    page.select_option("#looks-pieces", "plain")
    page.locator("#looks-sounds").check()
    assert faults(page, axe) == []
    page.reload()
    expect(page.locator("html[data-colours='green'][data-pieces='plain']")).to_have_count(1)


def test_castling_rights_are_given_and_taken_in_the_editor(page: Any, server: Server) -> None:
    visit(page, server, "game=chess")
    page.keyboard.press("e")
    boxes = page.locator("#editor [data-right]")
    expect(boxes).to_have_count(4)
    page.locator("[data-right='K']").uncheck()
    page.locator("[data-right='q']").uncheck()
    page.locator("#editor-done").click()
    expect(page).to_have_url(re.compile(r"w(\+|%20)Qk(\+|%20)-"))


def test_an_opening_has_its_name_over_the_board(page: Any, server: Server) -> None:
    visit(page, server, "game=chess&moves=e2e4+e7e5+g1f3+b8c6+f1b5")
    expect(page.locator("body")).to_contain_text("Ruy Lopez")


def test_a_picture_and_a_code_of_the_address_are_shared(page: Any, server: Server) -> None:
    visit(page, server, "moves=4453&exact=off&level=1")
    page.locator("#share-card > summary").click()
    with page.expect_download() as saved:
        page.locator("#save-picture").click()
    assert saved.value.suggested_filename == "connect4.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.locator("#show-code").click()
    expect(page.locator("svg.code")).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("svg.code")).to_have_count(0)
