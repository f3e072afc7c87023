"""The page in a real browser: reviews, moves, every screen; other games."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import advisor
import command
from advising import advise
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import solve_columns
from advisor.settings import reading
from browser import (
    PATIENCE,
    Server,
    column,
    expect,
    faults,
    load,
    looking,
    needs_browser,
    shown,
    signed,
    status,
    unfold,
    visit,
    wait_for_turn,
    wait_until,
)

pytestmark = [needs_browser, pytest.mark.slow]

REVIEWED = "72724562277525563537464433371541"
SMALL = "24311233351241424555"
"""On 5x4, where every score is exact at once; with errors at its beginning and near its end."""


def test_exact_results_stand_above_the_columns(page: Any, server: Server) -> None:
    visit(page, server, f"moves={REVIEWED}&level=1")
    scores = {c: s.score or 0 for c, s in solve_columns(parse_line(REVIEWED)).items()}
    best = page.locator(".score:is(.win, .loss, .draw).best")
    for number, score in scores.items():
        kind = "win" if score > 0 else "loss" if score < 0 else "draw"
        expect(column(page, number).locator(f".score.{kind}")).to_be_visible()
    top = max(scores.values())
    expect(best).to_have_count(list(scores.values()).count(top))
    # Kept while one steps to and fro, and gone at a key.
    page.keyboard.press("u")
    expect(page.locator(".column use:not([href='#disc-empty'])")).to_have_count(len(REVIEWED) - 1)
    with page.expect_request("**/api/position"):
        page.keyboard.press("r")
    expect(best.first).to_be_visible()
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile("exact=off"))


def test_a_game_is_reviewed_and_stepped_through(page: Any, server: Server) -> None:
    game = SMALL
    visit(page, server, f"moves={game}&size=5x4x4&level=1&exact=off")
    page.keyboard.press("v")
    card = page.locator("#review-card")
    expect(card.locator(".sides")).to_be_visible()
    expect(card.locator(".outcome circle")).to_have_count(len(game))
    # The error before; the board shows the position after it.
    page.keyboard.press("[")
    expect(card.locator(".headline")).to_have_text("16. Yellow plays 2: mistake")
    expect(card).to_contain_text(
        re.compile(r"By exact scores it is worth \d+ points? less than column \d")
    )
    expect(page).to_have_url(re.compile(f"moves={game[:16]}&"))
    # The list of moves has the errors' signs, and says their grades.
    chip = page.locator("#moves-card .step").nth(15)
    expect(chip.locator(".grade")).to_have_text("?")
    expect(chip).to_have_attribute("aria-label", "Move 16: yellow, column 2, mistake")
    signs = page.locator("#moves-card .step .grade")
    expect(signs).to_have_count(
        card.locator(".outcome :is(.inaccuracy, .mistake, .blunder)").count()
    )
    # A key goes on, a click in the graph goes to the move there.
    page.keyboard.press("r")
    expect(card.locator(".headline")).to_contain_text("17. Red plays 4: ")
    # The element is clicked, not a place on the screen: what is above it may still move it.
    graph = card.locator(".outcome")
    graph.click(position={"x": 2, "y": graph.bounding_box()["height"] / 2})
    expect(card.locator(".headline")).to_contain_text("1. Red plays 2: ")
    page.keyboard.press("]")
    expect(card.locator(".headline .grade")).to_have_text(re.compile("^(inacc|mistake|blunder)"))
    expect(card.locator(".headline")).not_to_contain_text("1. Red plays 2: ")
    # What is said scrolls in its card, so that the page stays short whatever is open.
    page.click("#weights-card > summary")
    column(page, 5).hover()
    expect(page.locator("#advice-title")).to_contain_text("Column 5")
    assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 800
    assert card.evaluate("card => card.scrollHeight > card.clientHeight")
    # Another move makes it another game.
    page.keyboard.press("5")
    expect(card).to_be_hidden()
    expect(signs).to_have_count(0)


def test_a_review_on_a_phone_is_in_sight(page: Any, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server, f"moves={SMALL}&size=5x4x4&level=1&exact=off")
    page.click("#review")
    expect(page.locator("#review-card .outcome")).to_be_in_viewport()
    review, moves = (page.locator(f"#{name}-card").bounding_box() for name in ("review", "moves"))
    assert review["y"] < moves["y"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_review_as_a_page_of_its_own(
    browser: Any, width: int, scheme: str, tmp_path: Path
) -> None:
    page_file = tmp_path / "review.html"
    done = command.advisor(
        "review", SMALL, "--size", "5x4", "--time", 40, "--depth", 2, "--html", page_file
    )
    assert done.code == 0
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    assert asked == [page_file.as_uri()]
    sides = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert sides[0] <= sides[1]
    expect(page.locator(".dot")).to_have_count(len(SMALL))
    expect(page.locator(".moves li")).to_have_count(len(SMALL))
    # A point of the graph leads to its error, with the boards before it and at the line's end.
    page.locator(".dot.blunder.proved").last.click()
    card = page.locator(".card:target")
    expect(card.locator("h2")).to_have_text("5. red plays 1: blunder")
    expect(card.locator("figure svg")).to_have_count(2)
    expect(card.locator("figure svg").first).to_be_in_viewport()
    for board in card.locator("figure svg").all():
        assert board.bounding_box()["width"] <= width
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(browser: Any, server: Server, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 340, "height": 700}, color_scheme=scheme)
    page = context.new_page()
    visit(page, server, "moves=4453&level=1&exact=off")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, background[4:-1].split(","))) > 3 * 128
    assert light == (scheme == "light")
    visit(page, server, "game=gomoku")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    context.close()


# The game as it goes on


def discs(page: Any) -> Any:
    return page.locator(".column use:not([href='#disc-empty'])")


def test_the_moves_are_listed_and_the_last_one_is_marked(page: Any, server: Server) -> None:
    visit(page, server, "moves=4453&level=1&exact=off")
    expect(page.locator(".square.last")).to_have_count(1)
    expect(column(page, 3).locator(".square").last).to_have_class(re.compile(r"\blast\b"))
    expect(page.locator("#board-text caption")).to_contain_text("column 3 was played last")
    chips = page.locator("#moves-card .step")
    expect(chips).to_have_count(4)
    expect(chips.nth(1)).to_have_attribute("aria-label", "Move 2: yellow, column 4")
    chips.nth(1).click()
    wait_until(page, "44")
    expect(page.locator("#moves-card [aria-current]")).to_have_text("4")
    expect(page.locator("#moves-card .later")).to_have_count(2)
    # The same move again keeps what comes after it; another one begins a variation.
    page.keyboard.press("5")
    wait_until(page, "445")
    expect(page.locator("#moves-card .later")).to_have_count(1)
    page.keyboard.press("Home")
    wait_until(page, "")
    expect(page.locator(".square.last")).to_have_count(0)
    page.keyboard.press("End")
    wait_until(page, "4453")
    expect(page.locator("#board-source")).to_have_value("4453")
    page.keyboard.press("u")
    wait_until(page, "445")
    page.keyboard.press("7")
    wait_until(page, "4457")
    expect(page.locator("#moves-card .later")).to_have_count(0)


def test_the_browsers_back_takes_moves_back(page: Any, server: Server) -> None:
    visit(page, server, "level=1&exact=off")
    for number, moves in ((4, "4"), (5, "45")):
        column(page, number).click()
        wait_until(page, moves)
    page.keyboard.press("u")
    wait_until(page, "4")
    page.go_back()
    wait_until(page, "45")
    page.go_back()
    wait_until(page, "4")
    # What has been taken back is kept over a reload.
    page.go_forward()
    wait_until(page, "45")
    page.go_forward()
    wait_until(page, "4")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("r")
    wait_until(page, "45")
    # In a game the advisor's answer is taken back with the move before it.
    visit(page, server, "mode=play&level=1")
    column(page, 4).click()
    moves = wait_for_turn(page, 2)
    column(page, 1).click()
    wait_for_turn(page, 4)
    page.go_back()
    wait_until(page, moves)


WRONG = (
    ("levle=3", "levle=3 (no such key)"),
    ("level=99", "level=99 (use 0 to 20)"),
    ("mode=ply", "mode=ply (use analyse, play or puzzle)"),
    ("moves=44x", "moves=44x (use the columns that are played, as 4453)"),
    ("moves=4459", "This position cannot be shown: moves: move 4: column 9"),
    ("start=zz", "This position cannot be shown: board"),
    ("size=7x6", "size=7x6 (use width x height x connect"),
    ("weights=default,moves.center.0:x", "(use a preset and changes such as"),
    ("weights=default,moves.centre.0:5", "default has no weight moves.centre.0"),
    ("mode=puzzle&puzzle=chapter9/1", "There is no puzzle chapter9/1"),
)


def test_a_bad_link_says_so(page: Any, server: Server) -> None:
    visit(page, server, "level=0&exact=off")
    for fragment, told in WRONG:
        # Another address of an open page, as by its address bar.
        page.evaluate(f"location.hash = '{fragment}&exact=off'")
        expect(page.locator("#notice")).to_contain_text(told)
    visit(page, server, "levle=3&level=0")
    expect(page.locator("#notice")).to_contain_text("levle=3 (no such key)")


KEPT = (
    ("moves=4459", "moves=445"),
    ("moves=445x3", "moves=445"),
    ("size=12x6x4&moves=1,12,1x,2", "moves=1,12&"),
    ("game=tictactoe&moves=b2+a1+zz+a3", "moves=b2+a1&"),
    ("weights=default,moves.center.0:7,moves.center.1:x", "weights=default,moves.center.0:7"),
    ("game=hex&const=size=4+foo", "const=size%3D4&"),
)


def test_a_wrong_link_keeps_what_is_right_of_it(page: Any, server: Server) -> None:
    for fragment, right in KEPT:
        visit(page, server, f"{fragment}&level=0&exact=off")
        expect(page.locator("#notice")).not_to_be_empty()
        assert right in page.url.partition("#")[2]


@pytest.mark.parametrize("path", ["moves.center.0", "features.disc.0.1"])
def test_a_link_carries_weights_and_each_counts(page: Any, server: Server, path: str) -> None:
    visit(page, server, f"moves=44&level=2&exact=off&weights=default,{path}:777")
    program, name, *rest = path.split(".")
    nested: Any = 777
    for key in reversed(rest):
        nested = {int(key): nested}
    changed = yaml.safe_dump({"extends": "default", program: {name: nested}})
    for text, differs in ((changed, False), ("extends: default\n", True)):
        advice = advise(parse_line("44"), reading.parse(text, "weights"), depth=2)
        value = signed(advice.move(4).score.value or 0)
        shown = column(page, 4).locator(".score")
        expect(shown).not_to_have_text(value) if differs else expect(shown).to_have_text(value)


def test_weights_are_grouped_searched_marked_and_reset(page: Any, server: Server) -> None:
    visit(page, server, "level=0&exact=off")
    count = sum(map(len, reading.load().weights.values()))
    page.click("#weights-card > summary")
    groups = page.locator("#weights-card .group")
    kinds = [
        name
        for program in reading.load().weights.values()
        for name in dict.fromkeys(n[0] if isinstance(n, tuple) else n for n in program)
    ]
    expect(groups.locator("summary code")).to_have_text(kinds)
    expect(page.locator(".weight-row:visible")).to_have_count(0)
    wide = page.locator(".weights").evaluate("list => [list.scrollWidth, list.clientWidth]")
    assert wide[0] <= wide[1]
    page.fill("#weight-search", "first later ROW 3")
    expect(page.get_by_text(f"3 of {count} weights")).to_be_visible()
    expect(page.locator(".weight-row:visible")).to_have_count(3)
    exactly = page.get_by_label("threat(first,later,3), exact value")
    usual = exactly.input_value()
    exactly.fill(f"{exactly.get_attribute('max')}1")
    # The list is read again, as it is after the first advice; what is being typed stays.
    page.locator("#weights-card").dispatch_event("toggle")
    exactly.press("Tab")
    expect(page.locator("#weights-card .notice")).to_contain_text(f"it stays {usual}.")
    expect(exactly).to_have_value(usual)
    exactly.fill("7")
    exactly.press("Tab")
    expect(page.locator(".weight-row.changed")).to_have_count(1)
    expect(page.locator("#weights-card > summary")).to_contain_text("1 changed")
    expect(page).to_have_url(re.compile(r"weights=default,features\.threat\.first\.later\.3:7"))
    page.fill("#weight-search", "")
    page.check("#weight-only")
    expect(page.locator(".weight-row:visible")).to_have_count(1)
    page.get_by_role("button", name=f"Reset threat(first,later,3) to {usual}").click()
    expect(exactly).to_have_value(usual)
    expect(page).not_to_have_url(re.compile("weights="))


def test_a_position_is_set_up_by_clicking(page: Any, server: Server) -> None:
    visit(page, server, "moves=44&level=1&exact=off")
    page.keyboard.press("e")
    page.click("[data-brush='x']")
    column(page, 3).click()
    expect(discs(page)).to_have_count(3)
    page.keyboard.press("Delete")
    page.keyboard.press("4")
    expect(discs(page)).to_have_count(2)
    page.keyboard.press("1")
    expect(page.locator("#notice")).to_have_text("Column 1 is empty.")
    page.keyboard.press("x")
    column(page, 7).focus()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(3)
    # Three red discs and no yellow one are nobody's turn unless it is said.
    page.select_option("#editor-turn", "o")
    expect(status(page)).to_have_text("Setting up: yellow to move")
    page.click("#editor-done")
    expect(status(page)).to_have_text("Yellow to move.")
    assert shown(page) == "......./......./......./......./......./..xx..x"
    expect(column(page, 4).locator(".score")).not_to_be_empty()
    # Escape leaves it as it was, and Back goes to what was there before.
    page.keyboard.press("e")
    page.click("#editor-clear")
    expect(discs(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(discs(page)).to_have_count(3)
    page.go_back()
    wait_until(page, "44")


def test_exact_play_decides_the_advice(page: Any, server: Server) -> None:
    moves = REVIEWED[:30]
    visit(page, server, f"moves={moves}&level=1")
    scores = {c: s.score or 0 for c, s in solve_columns(parse_line(moves)).items()}
    best = [c for c, score in scores.items() if score == max(scores.values())]
    told = page.locator("#advice-card")
    names = " or ".join(filter(None, [", ".join(map(str, best[:-1])), str(best[-1])]))
    expect(page.locator("#best strong")).to_have_text(f"Column {names}")
    expect(page.locator("#best .chip")).to_have_text(re.compile("win|loss|draw"))
    ringed = page.locator(".score.best").locator("xpath=..")
    expect(ringed).to_have_count(len(best))
    assert [int(each.get_attribute("data-column") or 0) for each in ringed.all()] == best
    worst = min(scores, key=lambda c: scores[c])
    column(page, worst).hover()
    expect(told).to_contain_text(f"Exact score: {signed(scores[worst])}.")
    expect(told).to_contain_text("is better: ")


def test_a_long_look_ahead_is_stopped_with_what_is_known(page: Any, server: Server) -> None:
    visit(page, server, "moves=44444&level=20&exact=off")
    expect(page.locator("#progress")).to_have_text(re.compile("Depth [1-9]"))
    page.click("#stop")
    expect(page.locator("#advice-card")).to_contain_text("It was stopped early.")
    expect(page.locator("#best strong")).to_be_visible()
    expect(page.locator("#stop")).to_be_hidden()
    # In a game the advisor moves at once.
    visit(page, server, "mode=play&moves=44444&level=20&advisor=o")
    expect(page.locator("#progress")).to_have_text(re.compile("Depth [1-9]"))
    page.keyboard.press("s")
    wait_for_turn(page, 6)


def test_a_game_that_was_played_to_its_end_can_be_reviewed(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&size=4x4x3&level=1&moves=1")
    expect(page.locator("#review")).to_be_hidden()
    visit(page, server, "mode=play&size=4x4x3&level=1&moves=12121")
    expect(status(page)).to_have_text("Red has won.")
    expect(page.locator("#progress")).to_have_text("You have won.")
    page.click("#review")
    expect(page.locator("#review-card")).to_contain_text("5. Red plays 1: best")
    expect(page.locator("[data-mode='analyse']")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1280, 800, "light"), (768, 1024, "dark"), (390, 844, "dark")]
)
def test_it_fits_the_screen_and_everybody_can_use_it(
    browser: Any, server: Server, width: int, height: int, scheme: str
) -> None:
    axe = looking()
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    def look(state: str, names: bool = True) -> None:
        sides = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert sides[0] <= sides[1], state
        if width == 1280:
            assert page.evaluate("document.documentElement.scrollHeight") <= 3 * height, state
        if width == 768 or not names:
            return  # what axe looks at is the same as on a phone
        assert faults(page, axe) == [], state

    visit(page, server, "moves=4453&level=1&exact=off&weights=default,moves.center.0:5")
    expect(page.locator("#best strong")).to_be_visible()
    look("an advice")
    for fold in page.locator("details.fold:visible").all() if width == 1280 else []:
        fold.locator("summary").first.click()
        look(fold.inner_text(), names="weights" in (fold.get_attribute("id") or ""))
    page.keyboard.press("e")
    look("set up by clicking")
    visit(page, server, "mode=puzzle&puzzle=chapter1/2&levle=9")
    expect(page.locator("#notice")).not_to_be_empty()
    look("a puzzle")
    visit(page, server, "game=chess")
    look("chess")
    context.close()


# Other games


def square(page: Any, column: int, row: int) -> Any:
    return page.locator(f"[data-square='{column},{row}']")


def pieces(page: Any) -> Any:
    return page.locator("#grid .piece")


def test_a_game_that_is_not_there_yet_has_no_button_that_does_nothing(
    page: Any, server: Server
) -> None:
    page.route("**/api/position", lambda _: None)  # which is never answered
    load(page, server, "", "game=tictactoe")
    expect(page.locator("#status")).to_have_text("Loading")
    for button in ("#undo", "#redo", "#hint"):
        expect(page.locator(button)).to_be_disabled()
    page.unroute("**/api/position")


def test_tic_tac_toe_is_clicked_to_its_end(page: Any, server: Server) -> None:
    # Time enough on any machine; what is certain ends the search sooner.
    visit(page, server, "game=tictactoe&time=10")
    for number, (x, y) in enumerate([(2, 2), (1, 2), (1, 1)], 1):
        square(page, x, y).click()
        expect(pieces(page)).to_have_count(number)
    expect(page.locator("#grid .piece.first")).to_have_count(2)
    # The advisor sees what has to be kept from x, and that it is not enough for more.
    expect(page.locator("#best strong")).to_have_text("c3")
    expect(square(page, 3, 3)).to_have_attribute("aria-label", re.compile("best move"))
    expect(square(page, 3, 3)).to_have_class(re.compile(r"\bbest\b"))
    expect(page.locator("#bar")).to_have_attribute("aria-label", "Who is ahead: X wins, certain")
    # Every move is in a list, and says why it is not the best.
    unfold(page)
    losing = page.locator("#move-list button[data-move='put(1,3)']")
    expect(losing).to_contain_text("loses in 1")
    losing.click()
    page.mouse.move(1, 1)  # the card scrolls, and what lies under the pointer lights up its squares
    expect(losing).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#advice-title")).to_contain_text("a3")
    expect(page.locator("#advice-card")).to_contain_text("loses at once")
    expect(square(page, 1, 3)).to_have_class(re.compile(r"\blit\b"))
    page.get_by_role("button", name="Play a3").click()
    expect(pieces(page)).to_have_count(4)
    square(page, 3, 3).click()
    expect(status(page)).to_have_text("X has won.")
    page.click("#undo")
    expect(pieces(page)).to_have_count(4)
    # The same by its address.
    page.reload()
    expect(pieces(page)).to_have_count(4)


def test_chess_is_played_with_pieces(page: Any, server: Server) -> None:
    start = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"
    visit(page, server, f"game=chess&start={start.replace(' ', '+')}")
    expect(page.locator("#grid .drawn")).to_have_count(4)
    expect(square(page, 5, 8)).to_have_attribute("aria-label", re.compile("^e8, black king"))
    # A king castles by two squares, here by dragging; what a pawn becomes is asked.
    king, corner = (square(page, x, 1).bounding_box() for x in (5, 7))
    page.mouse.move(king["x"] + king["width"] / 2, king["y"] + king["height"] / 2)
    page.mouse.down()
    page.mouse.move(corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2, steps=4)
    page.mouse.up()
    expect(square(page, 6, 1)).to_have_attribute("aria-label", re.compile("^f1, white rook"))
    square(page, 5, 8).click()
    square(page, 4, 7).click()
    expect(square(page, 4, 7)).to_have_attribute("aria-label", re.compile("^d7, black king"))
    square(page, 1, 7).click()
    square(page, 1, 8).click()
    expect(page.locator("#which button")).to_have_count(4)
    page.locator("#which button", has_text="a8=N").click()
    promoted = re.compile("^a8, white knight, of the last move")
    expect(square(page, 1, 8)).to_have_attribute("aria-label", promoted)
    page.reload()
    expect(square(page, 1, 8)).to_have_attribute("aria-label", promoted)
    expect(status(page)).to_have_text("Black to move.")
    # The list of moves is in the game's notation, also of moves that were taken back.
    written = ["O-O", "Kd7", "a8=N"]
    expect(page.locator("#moves-card .step")).to_have_text(written)
    page.keyboard.press("Home")
    expect(page.locator("#moves-card .later")).to_have_text(written)


def test_a_text_of_the_game_is_taken_and_given_back(page: Any, server: Server) -> None:
    visit(page, server, "game=chess&moves=d2d4")
    text = page.locator("#board-source")
    expect(text).to_have_value(re.compile(r"1\. d4 \*$"))
    page.click("#position-card summary")
    page.fill("#board-source", "1. e4 e5 2. Nf3 Nc6 *")
    page.click("#load")
    expect(page.locator("#moves-card .step")).to_have_text(["e4", "e5", "Nf3", "Nc6"])
    expect(page).to_have_url(re.compile(r"moves=e2e4\+e7e5\+g1f3\+b8c6"))
    page.fill("#board-source", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.click("#load")
    expect(page.locator("#grid .drawn")).to_have_count(3)
    page.fill("#board-source", "1. e4 Ke4")
    page.click("#load")
    expect(page.locator("#board-error")).to_contain_text("Ke4")


def test_a_download_keeps_the_moves_and_what_a_game_says_of_itself(
    page: Any, server: Server
) -> None:
    def download() -> str:
        with page.expect_download() as saved:
            page.click("#download-board")
        return Path(saved.value.path()).read_text()

    visit(page, server, "moves=4453&level=0&exact=off")
    page.click("#share-card summary")
    assert download() == 'moves: "4453"\n'
    visit(page, server, "game=chess")
    page.click("#position-card summary")
    page.fill("#board-source", '[White "Anna"]\n[Black "Ben"]\n\n1. e4 e5 {good} 2. Nf3 1-0\n')
    page.click("#load")
    expect(page.locator("#moves-card .step")).to_have_text(["e4", "e5", "Nf3"])
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.click("#share-card summary")
    told = download()
    assert '[White "Anna"]' in told
    assert '[Result "1-0"]' in told
    assert told.rstrip().endswith("1. e4 e5 {good} 2. Nf3 1-0")
    # The file has all of the game, whatever the board shows; a longer game has no result yet.
    page.keyboard.press("u")
    expect(page.locator("#moves-card .later")).to_have_count(1)
    assert download() == told
    page.keyboard.press("r")
    expect(page.locator("#moves-card .later")).to_have_count(0)
    square(page, 2, 8).click()
    square(page, 3, 6).click()
    expect(page.locator("#moves-card .step")).to_have_count(4)
    assert download().rstrip().endswith("2. Nf3 Nc6 *")


def test_a_board_of_another_size_is_chosen(page: Any, server: Server) -> None:
    visit(page, server, "game=hex&const=size=4")
    expect(page.locator(".field")).to_have_count(16)
    page.click("#position-card summary")
    page.get_by_label("size").fill("3")
    page.click("#resize")
    expect(page.locator(".field")).to_have_count(9)
    page.reload()
    expect(page.locator(".field")).to_have_count(9)


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("turned", ["", "&turned=on"])
@pytest.mark.parametrize("fragment", ["game=hex&const=size=3", "game=breakthrough", "game=morris"])
def test_a_board_names_its_columns_and_rows(
    page: Any, server: Server, fragment: str, turned: str
) -> None:
    """Sentences name squares such as d5."""
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server, f"{fragment}{turned}&mode=play")
    squares = page.eval_on_selector_all(
        ".field", "all => all.map(each => each.dataset.square.split(',').map(Number))"
    )
    width, height = map(max, zip(*squares, strict=True))
    expect(page.locator(".edge")).to_have_count(width + height)
    for x, y in squares:
        across, up = middle(page, f"[data-square='{x},{y}']")
        assert middle(page, f".edge:text-is('{y}')")[1] == pytest.approx(up, abs=3)
        if y == (height if turned else 1):
            name = "abcdefgh"[x - 1]
            assert middle(page, f".edge:text-is('{name}')")[0] == pytest.approx(across, abs=1)
    # The second player's side is below on a board that is turned.
    first, last = (middle(page, f".edge:text-is('{y}')")[1] for y in (1, height))
    assert (first < last) == bool(turned)
    page.set_viewport_size({"width": 1200, "height": 900})


def test_the_keyboard_is_seen_on_every_hexagon(page: Any, server: Server) -> None:
    """What lies around a hexagon is cut off, so that it shows its focus itself."""
    visit(page, server, "game=hex&const=size=3&moves=put(2,1)+put(3,3)&mode=play")
    look = "field => getComputedStyle(field).backgroundColor"
    for x, y in ((2, 1), (3, 3), (1, 1)):  # taken, of the last move, free
        before = square(page, x, y).evaluate(look)
        page.keyboard.press("Tab")
        square(page, x, y).focus()
        assert square(page, x, y).evaluate(look) != before


def test_breakthrough_is_played_from_square_to_square(page: Any, server: Server) -> None:
    visit(page, server, "game=breakthrough&mode=play")
    square(page, 4, 2).click()
    expect(square(page, 4, 2)).to_have_class(re.compile("chosen"))
    expect(page.locator("#grid .open")).to_have_count(3)
    square(page, 4, 5).click(force=True)  # which is said to be disabled
    expect(page.locator("#notice")).to_have_text("No move leads to d5.")
    square(page, 4, 2).click()
    square(page, 5, 3).click()
    # White's man stands there, and black has answered.
    expect(square(page, 5, 3)).to_have_attribute("aria-label", "e3, white")
    expect(page).to_have_url(re.compile(r"moves=go\(4,2,5,3\)\+go"))
    expect(status(page)).to_have_text("White to move.")
    expect(page.locator("#sentence")).to_contain_text("The advisor played ")


def test_other_games_have_a_list_of_moves_keys_and_back(page: Any, server: Server) -> None:
    visit(page, server, "game=tictactoe")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(square(page, 1, 1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(square(page, 2, 2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(square(page, 2, 2)).to_have_class(re.compile(r"\blast\b"))
    expect(square(page, 2, 2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves-card .step")).to_have_text(["b2", "b3"])
    page.keyboard.press("u")
    expect(page.locator("#moves-card .later")).to_have_text(["b3"])
    page.keyboard.press("r")
    expect(pieces(page)).to_have_count(2)
    page.go_back()
    expect(pieces(page)).to_have_count(1)
    page.locator("#moves-card .later").click()
    expect(pieces(page)).to_have_count(2)
    visit(page, server, "game=ches&const=size:4&foo=1")
    for told in ("game=ches (use ", "const=size:4 (use ", "foo=1 (no such key)"):
        expect(page.locator("#notice")).to_contain_text(told)
    visit(page, server, "game=tictactoe&moves=put(1,1)+put(1,1)")
    expect(page.locator("#notice")).to_contain_text("This position cannot be shown: moves: move 2:")


def test_a_board_has_the_sides_lines_and_names_that_the_rules_speak_of(
    page: Any, server: Server
) -> None:
    visit(page, server, "game=hex&const=size=3&moves=A2")
    expect(page.locator("#aim")).to_contain_text("joining left and right")
    expect(page.locator(".ground polygon")).to_have_count(4)
    expect(page.locator(".edge.below")).to_have_text(["a", "b", "c"])
    expect(page.locator("#moves-card .step")).to_have_text(["a2"])
    expect(page.locator(".field.best")).to_have_count(1)  # only b2 wins
    visit(page, server, "game=morris")
    expect(page.locator(".ground line")).to_have_count(32)
    boxes = [page.locator(f"{where} >> nth=0").bounding_box() for where in (".ground", ".field")]
    assert boxes[0]["x"] == pytest.approx(boxes[1]["x"], abs=2)
    assert boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=2)
    visit(page, server, "game=reversi")  # whose rows are counted from the top
    square(page, 4, 6).click()
    expect(page.locator("#moves-card .step")).to_have_text(["d3"])
    last = re.compile("^d3, black, of the last move")
    expect(square(page, 4, 6)).to_have_attribute("aria-label", last)


def test_a_click_on_a_column_makes_the_move_that_the_rules_say(page: Any) -> None:
    own = Server("--game", Path(__file__).parents[1] / "data" / "drop")
    try:
        visit(page, own, "game=drop")
        for number, (x, y) in enumerate(((3, 3), (3, 1), (1, 2)), 1):
            square(page, x, y).click()
            expect(pieces(page)).to_have_count(number)
        expect(page.locator("#moves-card .step")).to_have_text(["h", "h", "f"])
        expect(status(page)).to_have_text("Ben to move.")
        piece = square(page, 3, 2).locator(".piece")
        expect(piece).to_have_css("background-color", "rgb(255, 136, 0)")
    finally:
        own.stop()


def test_the_end_of_reversi_in_a_game_tells_how_many_discs_each_has(
    page: Any, server: Server
) -> None:
    squares = "13 12 11 34 42 31 43 14 21 41 24 44"
    end = " ".join(f"put({column},{row})" for column, row in squares.split())
    won = advisor.position(end, game=advisor.load_game("reversi", constants={"size": 4}))
    assert won.over
    fragment = f"game=reversi&const=size=4&mode=play&advisor=1&moves={end.replace(' ', '+')}"
    visit(page, server, fragment)
    stand = [symbol for row in won.to_json()["rows"] for symbol in row]
    black, white = map(stand.count, ("black", "white"))
    expect(page.locator("#progress")).to_contain_text(f"Black has {black}, white {white}.")


def test_a_move_without_a_square_is_a_button(page: Any, server: Server) -> None:
    visit(page, server, "game=reversi&const=size=4&moves=b1+c1+d3+a1")
    page.get_by_role("group", name="Which move?").get_by_role("button", name="pass").click()
    expect(page.locator("#moves-card .step").last).to_have_text("pass")
    expect(page.locator("#which")).to_be_hidden()
