"""What is done on the page while an answer is awaited."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from advisor.games.connect4.notation import one_line, parse_line
from browser import (
    PATIENCE,
    Server,
    column,
    expect,
    needs_browser,
    played,
    shown,
    status,
    sync_api,
    visit,
    wait_until,
)

pytestmark = [needs_browser, pytest.mark.slow]

QUIET = "level=0&exact=off"


@contextmanager
def held(page: Any, path: str) -> Iterator[None]:
    """Requests are sent no sooner than at the end."""
    routes: list[Any] = []
    page.route(f"**/api/{path}", lambda route: routes.append(route))
    yield
    page.unroute(f"**/api/{path}")
    for route in routes:
        with suppress(sync_api.Error):  # of a request that the page has given up
            route.continue_()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_undo_takes_back_a_move_that_waits_for_its_turn(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    with held(page, "position"):
        press(page, "4", "5", "u")
    wait_until(page, "4")
    assert played(page) == "4"


def test_quick_undo_in_a_game_ends_at_ones_own_turn(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1&moves=4444")
    with held(page, "suggest"):
        press(page, "5")
        wait_until(page, "44445")
        with held(page, "position"):
            press(page, "u", "u")
    wait_until(page, "44")
    assert played(page) == "44"


def test_what_was_taken_back_does_not_follow_another_line(page: Any, server: Server) -> None:
    begun = "222224441177"  # which is in no book
    visit(page, server, f"moves={begun}56&level=2&exact=off")
    press(page, "u", "u")
    wait_until(page, begun)
    expect(page.locator("#redo")).to_be_enabled()
    expect(page.locator("#line-card")).to_be_visible()
    press(page, ".")
    expect(page.locator("body[data-preview]")).to_have_count(1)
    press(page, "5")
    expect(page.locator(".column use:not([href='#disc-empty'])")).to_have_count(len(begun) + 2)
    assert re.fullmatch(f"{begun}[1-7]5", played(page))
    expect(page.locator("#redo")).to_be_disabled()


def test_no_move_is_made_on_a_board_that_gives_way_to_another(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    with held(page, "position"):
        page.select_option("#game", "tictactoe")
        column(page, 4).click()
    expect(page.locator("[data-square='2,2']")).to_be_visible()
    expect(page.locator("#grid .piece")).to_have_count(0)
    expect(page.locator("#notice")).to_have_text("")


def test_weights_are_those_of_the_game_that_is_chosen(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    page.click("#weights-card > summary")
    groups = page.locator("#weights-card .group summary code")
    expect(groups.first).to_be_visible()
    usual = groups.all_text_contents()
    with held(page, "suggest"):
        page.select_option("#game", "chess")
        expect(groups).not_to_have_text(usual)


def test_what_is_typed_stays_while_the_card_is_open(page: Any, server: Server) -> None:
    visit(page, server, f"moves=44&{QUIET}")
    page.click("#position-card > summary")
    text = page.locator("#board-source")
    expect(text).to_have_value("44")
    text.fill("445z")
    page.fill("#width", "9")
    page.click("#load")
    expect(page.locator("#board-error")).not_to_have_text("")
    column(page, 1).click()
    wait_until(page, "441")
    expect(text).to_have_value("445z")
    expect(page.locator("#width")).to_have_value("9")
    expect(page.locator("#height")).to_have_value("6")
    expect(page.locator("#board-error")).not_to_have_text("")
    text.fill("1122")
    page.click("#load")
    wait_until(page, "1122")
    column(page, 3).click()
    wait_until(page, "11223")
    expect(text).to_have_value("11223")
    expect(page.locator("#board-error")).to_have_text("")
    page.click("#resize")
    wait_until(page, "", (9, 6))


def test_a_text_that_is_read_late_does_not_undo_a_move(page: Any, server: Server) -> None:
    visit(page, server, f"moves=44&{QUIET}")
    page.click("#position-card > summary")
    with held(page, "position"):
        page.fill("#board-source", "1122")
        page.click("#load")
        column(page, 7).click()
    wait_until(page, "447")
    expect(page.locator("#board-source")).to_have_value("1122")
    assert played(page) == "447"


def test_a_position_that_is_set_up_stays_when_the_look_ahead_changes(
    page: Any, server: Server
) -> None:
    visit(page, server, QUIET)
    press(page, "e")
    expect(page.locator("#editor-turn")).to_be_visible()
    press(page, "1", "2")
    discs = page.locator(".column use:not([href='#disc-empty'])")
    expect(discs).to_have_count(2)
    page.select_option("#level", "time:3")
    expect(page.locator("body[data-editing]")).to_have_count(1)
    expect(discs).to_have_count(2)


def test_nobody_plays_by_level_0(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=0&advisor=o")
    expect(page.locator("#notice")).to_contain_text("level=0 (use 1 to 20)")
    visit(page, server, "game=tictactoe&mode=play&level=12&advisor=1")
    expect(page.locator("#progress")).to_contain_text("Level 12 of 20.")


def test_a_beginning_that_is_refused_is_asked_for_no_more(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    asked: list[str] = []
    refusal = {"status": 422, "json": {"error": "no"}}

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(**refusal)

    page.route("**/api/position", refuse)
    column(page, 4).click()
    notice = page.locator("#notice")
    expect(notice).to_have_text("This position cannot be shown: no.")
    page.wait_for_timeout(500)
    assert len(asked) == 2  # the move and the beginning
    expect(notice).to_have_text("This position cannot be shown: no.")
    page.unroute("**/api/position")
    expect(status(page)).to_be_visible()


def test_puzzles_that_come_late_leave_what_is_shown_by_then(page: Any, server: Server) -> None:
    visit(page, server, f"moves=4453&{QUIET}")
    with page.expect_response("**/api/puzzles"), held(page, "puzzles"):
        page.click("[data-mode=puzzle]")
        page.click("[data-mode=analyse]")
    page.wait_for_timeout(300)
    wait_until(page, "4453")
    assert played(page) == "4453"


def test_a_solution_does_not_hold_up_the_next_puzzle(page: Any, server: Server) -> None:
    visit(page, server, "mode=puzzle&puzzle=chapter2/5&level=6")
    with held(page, "position"):
        page.click("#solution")
        page.click("#puzzle-card button:has-text('Next')")
    expect(page.locator("#puzzle-title")).to_have_text("Chapter 2, problem 6")
    expect(page.locator("body[data-awaited]")).to_have_count(0)
    column(page, 7).click()
    expect(page.locator("#verdict")).not_to_have_text("")


def test_a_hint_that_is_looked_for_shows_work_and_is_asked_for_once(
    page: Any, server: Server
) -> None:
    visit(page, server, "mode=puzzle&puzzle=chapter3/5")
    expect(page.locator("#hint")).to_be_enabled()
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if r.url.endswith("/hint") else None)
    with held(page, "puzzles/**/hint"):
        page.click("#hint")
        expect(page.locator("#progress.busy")).to_have_text("Looking for a hint.")
        page.click("#hint")
        press(page, "h")
        page.wait_for_timeout(200)
        assert len(asked) == 1
    expect(page.locator("#verdict")).to_contain_text("The move is not column")
    expect(page.locator("#progress.busy")).to_have_count(0)


UNENDING = """
const usual = window.fetch;
const draft = new TextEncoder().encode('%s\\n');
window.fetch = (path, how) => {
  const deep = String(path).endsWith("suggest") && JSON.parse(how.body).depth === 6;
  const body = () => new ReadableStream({ start: (stream) => stream.enqueue(draft) });
  const headers = { "Content-Type": "application/x-ndjson" };
  return deep ? Promise.resolve(new Response(body(), { headers })) : usual(path, how);
};
"""
"""Makes a look-ahead of six plies one that tells a draft and does not end."""


def test_a_move_is_shown_as_best_no_sooner_than_it_may_stay_so(
    browser: Any, server: Server
) -> None:
    move = {"column": 4, "score": {"kind": "heuristic", "value": 900}, "outcome": ""}
    draft = {"depth": 6, "best": [4], "chance": 0.9, "pv": [4], "scores": [move]}
    context = browser.new_context()  # all its pages have the same clock
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(10)
    page.add_init_script(UNENDING % json.dumps({"progress": draft}))
    visit(page, server, "moves=441&level=6&exact=off")
    expect(page.locator("#progress")).to_have_text("Depth 6")
    expect(page.locator("#best")).to_be_hidden()
    page.clock.run_for(1000)
    expect(page.locator("#best")).to_contain_text("Column 4")
    context.close()


def test_a_review_does_not_hold_up_a_move_taken_back(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1&moves=4141414")
    with held(page, "position"):
        press(page, "v", "u")
    wait_until(page, "414141")
    expect(page.locator("body[data-awaited]")).to_have_count(0)


def test_no_move_is_made_before_the_editor_is_there(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    with held(page, "setup"):
        press(page, "e", "4")
    expect(page.locator("#editor-turn")).to_be_visible()
    assert not played(page)


def test_a_server_that_stops_is_asked_again(page: Any, server: Server) -> None:
    visit(page, server, QUIET)
    expect(page.locator("#best")).to_contain_text("Column")  # the first answer is there
    text = '{"error": "the server has been stopped", "status": 503}\n'
    stopped = {"body": text, "content_type": "application/x-ndjson", "headers": {"stopped": "yes"}}
    answers = [stopped]
    page.route("**/api/suggest", lambda r: r.fulfill(**answers.pop()) if answers else r.continue_())

    def is_by_the_server(response: Any) -> bool:
        return bool(response.url.endswith("/api/suggest")) and "stopped" not in response.headers

    # One wait for both answers: the second may come before a click on a busy machine returns.
    with page.expect_response(is_by_the_server):
        column(page, 4).click()
    assert not answers
    expect(page.locator("#best")).to_contain_text("Column")
    expect(page.locator("#notice")).to_have_text("")


def test_what_the_server_cannot_do_in_time_can_be_asked_for_again(
    page: Any, server: Server
) -> None:
    visit(page, server, "mode=play&level=1")
    page.route("**/api/suggest", lambda route: route.fulfill(status=422, json={"error": "slow"}))
    column(page, 4).click()
    advice = page.locator("#advice-card")
    expect(page.locator("#sentence")).to_have_text("No advice: slow.")
    page.unroute("**/api/suggest")
    advice.get_by_role("button", name="Try again").click()
    expect(page.locator("#sentence")).to_contain_text("The advisor played")
    expect(advice.get_by_role("button", name="Try again")).to_have_count(0)


def first_held(page: Any) -> list[Any]:
    """The next request for a position, once it has been sent; it waits, later ones do not."""
    asked = list[Any]()
    page.route("**/api/position", lambda route: route.continue_() if asked else asked.append(route))
    return asked


def test_a_move_is_drawn_at_once_and_taken_back_if_refused(page: Any, server: Server) -> None:
    visit(page, server, "level=1&exact=off")
    discs = page.locator(".column use:not([href='#disc-empty'])")
    asked = first_held(page)
    column(page, 4).click()
    expect(discs).to_have_count(1)
    expect(page.locator(".square.last")).to_have_count(1)
    asked[0].fulfill(status=422, json={"error": "moves: move 1: refused"})
    expect(discs).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text("refused")
    assert shown(page) == one_line(parse_line(""))


def test_a_piece_goes_to_its_square_at_once(page: Any, server: Server) -> None:
    visit(page, server, "game=breakthrough&time=1")
    asked = first_held(page)
    for square in ("4,2", "5,3"):
        page.locator(f"[data-square='{square}']").click()
    expect(page.locator("[data-square='5,3']")).to_have_attribute("aria-label", re.compile("white"))
    expect(page.locator("[data-square='4,2']")).to_have_attribute("aria-label", re.compile("empty"))
    asked[0].continue_()
    expect(page.locator("#status")).to_have_text("Black to move.")


def test_thinking_goes_on_in_spare_time(page: Any, server: Server) -> None:
    def is_spare(request: Any) -> bool:
        return request.url.endswith("/api/suggest") and request.post_data_json.get("background")

    with page.expect_request(is_spare, timeout=PATIENCE):
        visit(page, server, "game=breakthrough")
    # Where the user says for how long, it is for that long.
    asked = list[Any]()
    page.on("request", lambda request: is_spare(request) and asked.append(request))
    visit(page, server, "game=breakthrough&time=1")
    expect(page.locator("#sentence")).not_to_be_empty()
    expect(page.locator("#progress.busy")).to_have_count(0)
    assert not asked
