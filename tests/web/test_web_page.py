"""The page in a real browser: games, puzzles and advice, by mouse, by keyboard, across restarts."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from advising import advise
from advisor.advice.explain import move_sentences
from advisor.advice.numbers import account
from advisor.cli.quiz import Progress, SolvedPuzzle
from advisor.games import puzzles
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.notation import one_line, parse_line
from advisor.settings import reading
from advisor.views.sheet import Exercise, html
from browser import (
    Server,
    column,
    expect,
    faults,
    looking,
    needs_browser,
    played,
    shown,
    signed,
    status,
    unfold,
    visit,
    wait_for_turn,
    wait_until,
)

pytestmark = [needs_browser, pytest.mark.slow]


def test_a_game_ends_and_goes_back_to_the_users_turn(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1&moves=112233")
    column(page, 4).click()
    wait_until(page, wait_for_turn(page, 7))
    expect(status(page)).to_contain_text("Red has won")
    # A finished game takes no move; undo goes back to the user's own turn.
    page.keyboard.press("1")
    expect(page.locator("#notice")).to_have_text("The game is over.")
    page.click("#undo")
    expect(status(page)).not_to_contain_text("won")
    assert played(page) == "112233"


def test_the_other_side_may_begin(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=2&advisor=x")
    first = wait_for_turn(page, 1)
    column(page, 4).click()
    moves = wait_for_turn(page, 3)
    assert moves.startswith(f"{first}4")
    # Changing sides makes the advisor answer for the other colour.
    page.click("#flip")
    assert wait_for_turn(page, 4).startswith(moves)


def test_reasons_that_tell_the_best_reply_wait_to_be_asked_for(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&time=1&moves=17273")
    said = page.locator("#sentence")
    expect(said).to_have_text("The advisor played column 4.")
    why = page.locator("#advice-card .sentences")
    expect(why).to_be_hidden()
    page.locator("#advice summary").click()
    expect(why).to_be_visible()


def test_a_strategy_that_fires_or_does_not_says_why(page: Any, server: Server) -> None:
    axe = looking()
    visit(page, server, "moves=2566314&exact=off&level=1")
    unfold(page).first.press("Enter")
    card = page.locator("#advice")
    why = card.get_by_role("button", name="Why center(0)?")
    why.press("Enter")
    expect(why).to_have_attribute("aria-expanded", "true")
    expect(card.locator(".why").first).to_contain_text("valid_move(2,4) connect4/board.lp")
    # What was asked stays while the card is drawn anew, and another move has its own answers.
    page.locator("#move-list button").nth(1).hover()
    page.locator("#move-list button").first.hover()
    expect(card.locator(".why").first).to_contain_text("fires(center(0),move(2,4)) holds:")
    premise = card.locator(".why summary", has_text="valid_move(2,4)")
    premise.press("Enter")
    expect(card.locator(".why").first).to_contain_text("empty(2,4)")
    card.get_by_text("Why no other strategy?").press("Enter")
    card.get_by_label("Another strategy").select_option("win")
    card.get_by_role("button", name="Why not?").press("Enter")
    told = card.locator(".how .why").first
    expect(told).to_contain_text("fires(win,move(2,4)) does not hold:")
    expect(told.locator("summary").first).to_contain_text("lacks because(win, move(2,4), _)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, axe) == []


def test_what_threatens_is_said_and_marked_on_the_board(page: Any, server: Server) -> None:
    axe = looking()
    visit(page, server, "moves=142454&exact=off&level=1")
    button = page.get_by_role("button", name="Threats")
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    said = page.locator("#threat-text")
    expect(said).to_have_text("Yellow wins on d4, a square open now.")
    expect(page.locator("#board .danger")).to_have_count(1)
    assert faults(page, axe) == []
    # Chess is drawn on another board; in check the map says what is attacked.
    visit(page, server, "game=chess&moves=e2e4+f7f6+d1h5&exact=off&level=1")
    page.get_by_role("button", name="Threats").press("Enter")
    expect(said).to_contain_text("White gives check on e8.")


def test_a_whole_puzzle(page: Any, server: Server) -> None:
    puzzle = puzzles.load("chapter3/5")
    visit(page, server, "mode=puzzle")
    page.get_by_role("button", name="Chapter 3", exact=True).click()
    page.click(f"[data-puzzle='{puzzle.id}']")
    expect(page.locator("#puzzle-title")).to_have_text("Chapter 3, problem 5")
    assert shown(page) == one_line(puzzle.position)
    # A wrong move first: it is told, answered, and taken back.
    wrong = next(c for c in puzzle.position.moves() if c not in puzzle.solution)
    column(page, wrong).click()
    expect(page.locator("#verdict")).to_contain_text(f"Column {wrong} lets the win slip: ")
    expect(page.locator("#verdict")).to_contain_text("taken back")
    assert shown(page) == one_line(puzzle.position)
    assert played(page) == ""
    expect(page.locator("#redo")).to_be_disabled()
    # Each hint says more.
    page.click("#hint")
    expect(page.locator("#verdict")).to_contain_text("The move is not column")
    page.click("#hint")
    expect(page.locator("#verdict")).to_contain_text("The move is column")
    expect(page.locator(".hinted")).to_have_count(2)
    page.click("#hint")
    expect(page.locator(".hinted")).to_have_count(1)
    expect(page.locator(".hinted")).to_have_attribute("data-column", str(puzzle.solution[0]))
    position = puzzle.position
    moves = ""
    while position.winner == 0:
        left = puzzle.win_in - len(moves) // 2
        choice = advise(position, reading.load(), depth=2 * left - 1).best[0]
        column(page, choice).click()
        moves = wait_for_turn(page, len(moves) + (1 if left == 1 else 2))
        position = _play(puzzle.position, moves)
        if left > 1:
            told = f"Right. Yellow answers column {moves[-1]}; {left - 1} move"
            expect(page.locator("#verdict")).to_contain_text(told)
    expect(page.locator("#verdict")).to_have_text("Solved.")
    assert len(moves) == 2 * puzzle.win_in - 1
    # Remembered in this browser, also by a new page.
    page.goto(f"{server.address}#mode=puzzle&puzzle=chapter3/6")
    page.reload()
    expect(page.locator("[data-puzzle='chapter3/5']")).to_have_class("page solved")
    expect(page.locator("[data-puzzle='chapter3/7']")).not_to_have_class("solved")
    # What is solved goes from here to `advisor quiz --progress`, and from there back.
    with page.expect_download() as saved:
        page.click("#save-progress")
    kept = Progress(saved.value.path())
    assert [*kept.solved] == ["chapter3/5"]
    kept.add(SolvedPuzzle("chapter3/7", wrong=1))
    page.set_input_files("#progress-file", saved.value.path())
    expect(page.locator("[data-puzzle='chapter3/7']")).to_have_class("page solved")


def test_the_second_book_has_boards_of_its_own(page: Any, server: Server) -> None:
    puzzle = puzzles.load("second/5x4-connect-3/1")
    visit(page, server, f"mode=puzzle&puzzle={puzzle.id}")
    expect(page.locator("#puzzle-title")).to_have_text(
        "5 \N{MULTIPLICATION SIGN} 4, connect 3, problem 1"
    )
    assert shown(page) == one_line(puzzle.position)
    column(page, puzzle.solution[0]).click()
    discs = page.locator(".column use:not([href='#disc-empty'])")
    expect(discs).to_have_count(puzzle.position.discs + 2)
    expect(page.locator("#verdict")).to_contain_text("Right. ")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_sheet_of_puzzles_fits_the_screen(browser: Any, width: int, tmp_path: Path) -> None:
    wide = [puzzles.load(f"second/9x7-connect-5/{number}") for number in (1, 2, 3)]
    exercises = [Exercise(svg(each.position), "win", "", str(each.solution)) for each in wide]
    file = tmp_path / "sheet.html"
    file.write_text(html("Puzzles", exercises))
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(file.as_uri())
    boxes = [each.bounding_box() for each in page.locator("figure svg").all()]
    assert len(boxes) == 3
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("ol li").all_inner_texts() == [str(each.solution) for each in wide]
    page.close()


def _play(position: Board, moves: str) -> Board:
    for move in moves:
        position = position.play(int(move))
    return position


def test_the_solution_is_a_line_to_step_through(page: Any, server: Server) -> None:
    puzzle = puzzles.load("chapter2/3")
    visit(page, server, f"mode=puzzle&puzzle={puzzle.id}")
    page.click("#solution")
    expect(page.locator(".step[aria-current]")).to_contain_text(str(puzzle.solution[0]))
    for _ in range(2 * puzzle.win_in):
        page.keyboard.press(".")
    expect(page.locator(".square.line")).to_have_count(4)
    page.keyboard.press(",")
    expect(page.locator(".square.line")).to_have_count(0)


def test_by_keyboard_alone(page: Any, server: Server) -> None:
    # On a board whose openings no book knows, so that scores are weighed.
    visit(page, server, "size=8x7x4&level=2&exact=off")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_be_focused()
    expect(page).to_have_url(re.compile("size=8x7x4&exact=off&level=2$"))
    for key in "4453":
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(rf"{key}&size=8x7x4&exact=off&level=2$"))
    wait_until(page, "4453", (8, 7))
    page.keyboard.press("ArrowRight")
    expect(column(page, 4)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(column(page, 3)).to_be_focused()
    # The focused column gives its reasons, and says its place and score.
    expect(page.locator("#advice-title")).to_contain_text("Column 3")
    expect(page.locator(".fires li").first).to_be_visible()
    label = re.compile(r"Column 3, row 2, score -?\d+")
    expect(column(page, 3)).to_have_attribute("aria-label", label)
    page.keyboard.press("Enter")
    wait_until(page, "44533", (8, 7))
    expect(page.locator("#live")).to_contain_text("Red plays column 3. Yellow to move.")
    page.keyboard.press("u")
    wait_until(page, "4453", (8, 7))
    page.keyboard.press("r")
    wait_until(page, "44533", (8, 7))
    page.keyboard.press("n")
    wait_until(page, "", (8, 7))
    # Every control has a name, and the modes are reached by Tab.
    nameless = page.eval_on_selector_all(
        "button, input, select, textarea",
        """all => all.filter(e => e.checkVisibility() && !e.innerText?.trim()
             && !e.getAttribute('aria-label') && !e.labels?.length).map(e => e.outerHTML)""",
    )
    assert nameless == []


def test_a_proof_shows_without_its_length(page: Any, server: Server) -> None:
    # Proved in milliseconds; its 23 plies are mostly beyond what is looked ahead.
    visit(page, server, "moves=222452337114366722&time=3&exact=off")
    expect(column(page, 5).locator(".score")).to_have_text(re.compile("^▲ win( 12)?$"))
    expect(column(page, 5)).to_have_attribute(
        "aria-label", re.compile(r"Column 5, row 2, wins (\(proved\)|in 12), best move")
    )
    expect(page.locator("#best strong")).to_have_text("Column 5")


def test_columns_show_the_advice(page: Any, server: Server) -> None:
    visit(page, server, "moves=112233&level=3&exact=off")
    expect(column(page, 4).locator(".score")).to_have_text("▲ win 1")
    known = re.compile(r"Column 4, row 1, wins in 1( \(proved\))?, best move")
    expect(column(page, 4)).to_have_attribute("aria-label", known)
    column(page, 4).hover()
    expect(page.locator(".fires")).to_contain_text("It completes red's line on a1-d1")
    advice = advise(parse_line("112233"), reading.load(), depth=3).move(4)
    praise, warning = (
        {
            square
            for f in advice.fires
            if f.weight * sign > 0
            for line in f.reasons
            for square in line
        }
        for sign in (1, -1)
    )
    assert {(1, 1), (1, 2), (1, 3), (1, 4)} <= praise
    expect(page.locator(".square.lit")).to_have_count(len(praise))
    expect(page.locator(".square.lit-against")).to_have_count(len(warning - praise))
    page.hover("h1")
    expect(page.locator(".square.lit")).to_have_count(0)


def test_a_card_tells_where_its_score_comes_from(page: Any, server: Server) -> None:
    moves = "2222244411"
    visit(page, server, f"moves={moves}&level=2&exact=off")
    advice = advise(parse_line(moves), reading.load(), depth=2, traced=True)
    expect(column(page, advice.best[0]).locator(".score.best")).to_be_visible()
    for move in advice.moves:
        if move.move not in advice.best and move.trace and not move.trace.drawn:
            column(page, move.move).hover()
            told = page.locator("#advice-card .sentences").locator("p, li")
            sentences = [*move_sentences(advice, move.move), *account(advice, move.move)]
            expect(told).to_have_text(
                [re.sub(r"(?<=[ (;])-(?=\d)", "\N{MINUS SIGN}", s) for s in sentences]
            )
            value = move.value or 0
            expect(page.locator("#advice-card")).to_contain_text(f"together {signed(value)}.")
            # The features of one name count together, whoever has them.
            counts: dict[str, int] = defaultdict(int)
            for held in move.trace.features:
                counts[held.feature] += held.weight
            most = max(map(abs, counts.values()))
            shown_first = page.locator("#advice-card h3:last-of-type + ul .weight").first
            expect(shown_first).to_have_text(re.compile(rf"^[^0-9]{most}$"))
            sign = re.compile("below") if value < 0 else re.compile("^(?!.*below)")
            expect(column(page, move.move).locator(".score")).to_have_class(sign)


def test_a_known_result_is_said_to_be_known(page: Any, server: Server) -> None:
    visit(page, server, "level=8&exact=off")
    expect(column(page, 4).locator(".score.best")).to_have_text("▲ win 21")
    known = "Known from the opening book of exact play."
    expect(page.locator("#advice-card")).to_contain_text(known)
    column(page, 1).hover()
    expect(page.locator("#advice")).to_contain_text(known)


def test_sliders_score_again_and_give_a_file(page: Any, server: Server, tmp_path: Path) -> None:
    visit(page, server, "level=0&exact=off")
    middle = column(page, 4).locator(".score")
    usual = reading.load().weights["moves"]
    expect(middle).to_have_text(f"+{usual['center', 0]}")
    page.click("#weights-card > summary")
    page.locator("#weights-card .group summary", has_text="center").click()
    slider = page.locator("input[type=range][id='moves-center(0)']")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    value = int(page.locator("[aria-label='center(0), exact value']").first.input_value())
    assert value < usual["center", 0]
    expect(middle).to_have_text(signed(value))
    text = f"extends: default\nmoves: {{center: {{0: {value}}}}}\n"
    advice = advise(Board(geometry()), reading.parse(text, "weights"), depth=0)
    score = f"Column 3, row 1, score {advice.move(3).score.value}"
    best = ", best move" if 3 in advice.best else ""
    expect(column(page, 3)).to_have_attribute("aria-label", f"{score}{best}")
    with page.expect_download() as download:
        page.click("#download")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert yaml.safe_load(file.read_text())["moves"]["center"][0] == value
    assert reading.load(str(file)).weights["moves"]["center", 0] == value
    # In the address, so kept over a reload, marked, and gone with a click.
    expect(page).to_have_url(re.compile(rf"weights=default,moves\.center\.0:{value}$"))
    page.reload()
    expect(middle).to_have_text(signed(value))
    expect(page.locator("#weights-card > summary")).to_have_text("Weights 1 changed")
    page.click("#weights-card > summary")
    page.click("text=Reset all")
    expect(middle).to_have_text(f"+{usual['center', 0]}")


def test_no_slider_sticks(page: Any, server: Server) -> None:
    """Every step changes the weight, in both directions, and the ends stay within reason."""
    visit(page, server, "level=0&exact=off")
    page.click("#weights-card > summary")
    expect(page.locator(".weight-row")).not_to_have_count(0)
    stuck, ends = page.evaluate(
        """() => {
          const stuck = [], ends = [];
          const rows = [...document.querySelectorAll(".weight-row")];
          for (const row of rows) {
            const [range, number] = row.querySelectorAll("input");
            const move = (change) => {
              change();
              range.dispatchEvent(new Event("input"));
              return Number(number.value);
            };
            const usual = Number(number.value);
            const up = move(() => range.stepUp());
            row.querySelector("button").click();
            const down = move(() => range.stepDown());
            if (!(down < usual && usual < up)) stuck.push(range.id);
            ends.push([Math.abs(usual), move(() => (range.value = range.max))]);
            row.querySelector("button").click();
          }
          return [stuck, ends];
        }"""
    )
    assert len(ends) > 150
    assert stuck == []
    assert all(end == 10 * max(100, usual) for usual, end in ends)


def test_the_address_holds_the_position(page: Any, server: Server, context: Any) -> None:
    visit(page, server, "size=8x7x5&level=2&exact=off")
    for number in (4, 5, 8):
        column(page, number).click()
        expect(column(page, number).locator("use[href='#disc-empty']")).to_have_count(6)
    before = shown(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert shown(page) == before
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    assert shown(other) == before


def test_texts_are_pasted_and_refused(page: Any, server: Server) -> None:
    visit(page, server, "level=1&exact=off")
    page.click("#position-card summary")
    page.fill("#board-source", "4453")
    page.click("#load")
    wait_until(page, "4453")
    page.fill("#board-source", "44593")
    page.click("#load")
    expect(page.locator("#board-error")).to_have_text(
        "board: move 4: column 9 is out of range (use 1 to 7)"
    )
    wait_until(page, "4453")
    page.fill(
        "#board-source", "width: 5\nheight: 4\nboard: |\n  .....\n  .....\n  .....\n  x.o..\n"
    )
    page.click("#load")
    expect(page.locator(".column")).to_have_count(5)
    assert shown(page) == "...../...../...../x.o.."
    page.reload()
    expect(page.locator(".column")).to_have_count(5)
    assert shown(page) == "...../...../...../x.o.."
    page.click("#position-card summary")
    page.fill("#width", "6")
    page.click("#resize")
    expect(page.locator(".column")).to_have_count(6)
    visit(page, server, "moves=44444444")
    expect(page.locator("#notice")).to_contain_text("column 4 is full")


def test_two_tabs_do_not_disturb_each_other(page: Any, server: Server, context: Any) -> None:
    visit(page, server, "moves=44&level=5")
    other = context.new_page()
    visit(other, server, "moves=1&level=5")
    column(page, 5).click()
    column(other, 2).click()
    column(page, 3).click()
    expect(page.locator(".score.best").first).to_be_visible()
    expect(other.locator(".score.best").first).to_be_visible()
    wait_until(page, "4453")
    wait_until(other, "12")


def test_a_restart_of_the_server_in_the_middle_of_a_game(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=2")
    column(page, 4).click()
    moves = wait_for_turn(page, 2)
    server.stop()
    column(page, 3).click()
    expect(page.locator("#offline")).to_be_visible()
    server.start()
    expect(page.locator("#offline")).to_be_hidden()
    assert wait_for_turn(page, 4).startswith(f"{moves}3")


def test_a_long_search_does_not_freeze_the_page(page: Any, server: Server) -> None:
    visit(page, server, "level=20")
    expect(page.locator("#progress")).to_have_text(re.compile(r"Depth \d+$"))
    # A move makes the search begin again; the page answers while it runs.
    column(page, 4).click()
    wait_until(page, "4")
    page.keyboard.press("u")
    wait_until(page, "")
