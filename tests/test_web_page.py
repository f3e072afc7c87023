"""The page in a real browser: what people do with it, by mouse, by keyboard, across restarts."""

import os
import re
import shutil
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import command
from advisor.advice.advise import Advisor, advise
from advisor.advice.explain import move_sentences
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.notation import one_line, parse_line
from advisor.games.connect4.plans.following import By
from advisor.games.connect4.plans.plan_text import on_squares, sentences
from advisor.games.connect4.plans.solved import known, standard
from advisor.games.connect4.solver import solve_columns
from advisor.lab.progress import Progress, Solved
from advisor.limits import Limit
from advisor.settings import reading
from advisor.views.sheet import Exercise, html
from commands import ENTRY

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ROOT = Path(__file__).parent.parent
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 90_000  # milliseconds; machines that run tests are slow at times

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no chromium here: the page in the browser is not tested"
)


class Server:
    """`advisor serve`, which can be stopped and started again at the same address."""

    def __init__(self) -> None:
        self.port = "0"
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [*ENTRY, "serve", "--port", self.port],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().split()[0]
        self.port = self.address.rstrip("/").rpartition(":")[2]

    def stop(self) -> None:
        self._process.terminate()
        assert self._process.wait(PATIENCE / 1000) in (0, -signal.SIGTERM)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    found = browser.new_context(
        viewport={"width": 1200, "height": 900}, reduced_motion="reduce", accept_downloads=True
    )
    found.set_default_timeout(PATIENCE)
    yield found
    found.close()


@pytest.fixture
def page(context: Any, server: Server) -> Iterator[Any]:
    errors: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: errors.append(str(error)))
    yield found
    assert errors == []


def visit(page: Any, server: Server, fragment: str = "") -> None:
    page.goto("about:blank")
    page.goto(f"{server.address}#{fragment}")
    page.wait_for_selector("body[data-ready]")


def column(page: Any, number: int) -> Any:
    return page.locator(f"[data-column='{number}']")


def shown(page: Any) -> str:
    """The board on the page as one line, read where a screen reader reads it."""
    words = {"red": "x", "yellow": "o", "empty": "."}
    rows = page.eval_on_selector_all(
        "#board-text tr",
        "rows => rows.slice(1).map(r => [...r.querySelectorAll('td')].map(c => c.textContent))",
    )
    return "/".join("".join(words[cell] for cell in row) for row in rows)


def drawn(page: Any) -> str:
    """The same as it is drawn."""
    return str(
        page.evaluate(
            """() => {
            const sign = {"#disc-x": "x", "#disc-o": "o", "#disc-empty": "."};
            const columns = [...document.querySelectorAll(".column")].map(column =>
              [...column.querySelectorAll("use")].map(use => sign[use.getAttribute("href")]));
            return columns[0].map((_, i) => columns.map(column => column[i]).join("")).join("/");
            }"""
        )
    )


def wait_until(page: Any, moves: str) -> None:
    """Until the board shows the position after these moves."""
    discs = page.locator(".column use:not([href='#disc-empty'])")
    expect(discs).to_have_count(len(moves))
    assert shown(page) == one_line(parse_line(moves))
    assert drawn(page) == shown(page)


def played(page: Any) -> str:
    """The moves in the address."""
    return str(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('moves') ?? ''"))


def wait_for_turn(page: Any, moves: int) -> str:
    """Until that many moves are in the address and nobody thinks; gives the moves."""
    if moves:
        expect(page).to_have_url(re.compile(rf"moves=\d{{{moves},}}"))
    expect(page.locator("#progress.busy")).to_have_count(0)
    return played(page)


def signed(value: int) -> str:
    """As the page writes it, with a minus sign."""
    return f"{value:+d}".replace("-", "\N{MINUS SIGN}")


def status(page: Any) -> Any:
    return page.locator("#status")


expect = sync_api.expect
expect.set_options(timeout=PATIENCE)


def test_a_whole_game_by_clicks(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=1")
    moves = ""
    position = parse_line("")
    advisor = Advisor(reading.load())
    # Level 4 against level 1: the stronger side wins, or at least the game ends.
    while position.result() is None:
        choice = advisor.choose(position, Limit(4))
        column(page, choice).click()
        over = position.play(choice).result() is not None
        moves = wait_for_turn(page, len(moves) + (1 if over else 2))
        position = parse_line(moves)
    wait_until(page, moves)
    expect(status(page)).to_contain_text("has won" if position.winner else "draw")
    # A finished game takes no move; undo goes back to the user's own turn.
    page.keyboard.press("1")
    expect(page.locator("#notice")).to_have_text("The game is over.")
    page.click("#undo")
    expect(status(page)).not_to_contain_text("won")
    assert len(played(page)) % 2 == 0


def test_the_other_side_may_begin(page: Any, server: Server) -> None:
    visit(page, server, "mode=play&level=2&advisor=x")
    first = wait_for_turn(page, 1)
    column(page, 4).click()
    moves = wait_for_turn(page, 3)
    assert moves.startswith(f"{first}4")
    # Changing sides makes the advisor answer for the other colour.
    page.click("#flip")
    assert wait_for_turn(page, 4).startswith(moves)


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
    expect(page.locator("#verdict")).to_contain_text("lets the win slip")
    expect(page.locator("#verdict")).to_contain_text("answers column")
    page.click("#undo")
    expect(page.locator("#verdict")).to_be_empty()
    # Each hint says more.
    page.click("#hint")
    expect(page.locator("#verdict")).to_contain_text("Not column")
    page.click("#hint")
    expect(page.locator("#verdict")).to_contain_text("It is column")
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
    kept.add(Solved("chapter3/7", wrong=1))
    page.set_input_files("#progress-file", saved.value.path())
    expect(page.locator("[data-puzzle='chapter3/7']")).to_have_class("page solved")


def test_the_second_book_has_boards_of_its_own(page: Any, server: Server) -> None:
    puzzle = puzzles.load("second/5x4-connect-3/1")
    visit(page, server, f"mode=puzzle&puzzle={puzzle.id}")
    expect(page.locator("#puzzle-title")).to_have_text("5x4-connect-3, problem 1")
    assert shown(page) == one_line(puzzle.position)
    column(page, puzzle.solution[0]).click()
    discs = page.locator(".column use:not([href='#disc-empty'])")
    expect(discs).to_have_count(puzzle.position.discs + 2)
    expect(page.locator("#verdict")).to_be_empty()


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


def _play(position: Position, moves: str) -> Position:
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
    visit(page, server, "level=2")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_be_focused()
    expect(page).to_have_url(re.compile("level=2$"))
    for key in "4453":
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(rf"{key}&level=2$"))
    wait_until(page, "4453")
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
    wait_until(page, "44533")
    expect(page.locator("#live")).to_contain_text("Red plays column 3. Yellow to move.")
    page.keyboard.press("u")
    wait_until(page, "4453")
    page.keyboard.press("r")
    wait_until(page, "44533")
    page.keyboard.press("n")
    wait_until(page, "")
    # Every control has a name, and the modes are reached by Tab.
    nameless = page.eval_on_selector_all(
        "button, input, select, textarea",
        """all => all.filter(e => e.checkVisibility() && !e.innerText?.trim()
             && !e.getAttribute('aria-label') && !e.labels?.length).map(e => e.outerHTML)""",
    )
    assert nameless == []


def test_a_proof_shows_without_its_length(page: Any, server: Server) -> None:
    # Proved within a tenth of the time; its 25 plies are mostly beyond what is looked ahead.
    visit(page, server, "moves=3573351233371127&time=4")
    expect(column(page, 2).locator(".score")).to_have_text(re.compile("^▲ win( 13)?$"))
    expect(column(page, 2)).to_have_attribute(
        "aria-label", re.compile(r"Column 2, row 3, wins (\(proved\)|in 13), best move")
    )
    expect(page.locator(".headline")).to_have_text(re.compile("^Play column 2"))


def test_columns_show_the_advice(page: Any, server: Server) -> None:
    visit(page, server, "moves=112233&level=3")
    expect(column(page, 4).locator(".score")).to_have_text("▲ win 1")
    expect(column(page, 4)).to_have_attribute("aria-label", "Column 4, row 1, wins in 1, best move")
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
    visit(page, server, f"moves={moves}&level=2")
    advice = advise(parse_line(moves), reading.load(), depth=2, traced=True)
    expect(column(page, advice.best[0]).locator(".score.best")).to_be_visible()
    for move in advice.moves:
        if move.column not in advice.best and move.trace and not move.trace.drawn:
            column(page, move.column).hover()
            told = page.locator("#advice-card .sentences").locator("p, li")
            expect(told).to_have_text(move_sentences(advice, move.column))
            value = move.score.value or 0
            expect(page.locator("#advice-card")).to_contain_text(f"together {signed(value)}.")
            # The features of one name and player count together.
            counts: dict[tuple[str, int], int] = defaultdict(int)
            for held in move.trace.features:
                counts[held.feature, held.player] += held.weight
            most = max(map(abs, counts.values()))
            shown_first = page.locator("#advice-card h3:last-of-type + ul .weight").first
            expect(shown_first).to_have_text(re.compile(rf"^[^0-9]{most}$"))
            sign = re.compile("below") if value < 0 else re.compile("^(?!.*below)")
            expect(column(page, move.column).locator(".score")).to_have_class(sign)


def test_a_known_result_is_said_to_be_known(page: Any, server: Server) -> None:
    visit(page, server, "level=8")
    expect(column(page, 4).locator(".score.best")).to_have_text("▲ win 21")
    expect(page.locator("#advice-card")).to_contain_text("Known by exact play (opening book).")
    column(page, 1).hover()
    expect(page.locator("#advice-card")).to_contain_text(
        "The opening book knows it from exact play"
    )
    expect(page.locator("#legend")).to_be_visible()


def test_sliders_score_again_and_give_a_file(page: Any, server: Server, tmp_path: Path) -> None:
    visit(page, server, "level=0")
    middle = column(page, 4).locator(".score")
    usual = reading.load().weights["moves"]
    expect(middle).to_have_text(f"+{usual['center', 0]}")
    page.click("#weights-card > summary")
    page.locator("#weights-card .group summary", has_text="center").click()
    slider = page.locator("input[type=range][id='moves-center(0)']")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    value = int(page.locator("[aria-label='center(0), exactly']").first.input_value())
    assert value < usual["center", 0]
    expect(middle).to_have_text(signed(value))
    text = f"extends: default\nmoves: {{center: {{0: {value}}}}}\n"
    advice = advise(Position(geometry()), reading.parse(text, "weights"), depth=0)
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


def test_the_address_holds_the_position(page: Any, server: Server, context: Any) -> None:
    visit(page, server, "size=8x7x5&level=2")
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
    visit(page, server, "level=1")
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
    expect(page.locator("#progress")).to_have_text(re.compile(r"Depth \d+, best so far: column \d"))
    # A move makes the search begin again; the page answers while it runs.
    column(page, 4).click()
    wait_until(page, "4")
    page.keyboard.press("u")
    wait_until(page, "")


REVIEWED = "72724562277525563537464433371541"


def test_exact_scores_stay_below_the_columns(page: Any, server: Server) -> None:
    visit(page, server, f"moves={REVIEWED}&level=1")
    scores = {c: s.score or 0 for c, s in solve_columns(parse_line(REVIEWED)).items()}
    for number, score in scores.items():
        points = column(page, number).locator(".points")
        expect(points).to_have_text(signed(score) if score else "0")
        label = f"exact score {score}, "
        expect(column(page, number).locator(".exact")).to_contain_text(label)
    top = max(scores.values())
    expect(page.locator(".exact.best")).to_have_count(list(scores.values()).count(top))
    # Kept while one steps to and fro, and gone at a key.
    page.keyboard.press("u")
    expect(page.locator(".column use:not([href='#disc-empty'])")).to_have_count(len(REVIEWED) - 1)
    with page.expect_request("**/api/position"):
        page.keyboard.press("r")
    expect(page.locator(".exact.best").first).to_be_visible()
    page.keyboard.press("x")
    expect(page.locator(".exact").first).to_be_hidden()
    expect(page).to_have_url(re.compile("exact=off"))


def test_a_game_is_reviewed_and_stepped_through(page: Any, server: Server) -> None:
    game = "24311233351241424555"  # with an error near its end that is soon known exactly
    visit(page, server, f"moves={game}&size=5x4x4&level=1&exact=off")
    page.keyboard.press("v")
    card = page.locator("#review-card")
    expect(card.locator(".sides")).to_be_visible()
    expect(card.locator(".outcome circle")).to_have_count(len(game))
    # The error before; the board shows the position after it.
    page.keyboard.press("[")
    expect(card.locator(".headline")).to_have_text("16. Yellow plays 2: mistake")
    expect(card).to_contain_text(re.compile(r"exact, \d+ points lost; better: \d"))
    expect(page).to_have_url(re.compile(f"moves={game[:16]}&"))
    # A key goes on, a click in the graph goes to the move there.
    page.keyboard.press("r")
    expect(card.locator(".headline")).to_contain_text("17. Red plays 4: ")
    box = card.locator(".outcome").bounding_box()
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(card.locator(".headline")).to_contain_text("1. Red plays 2: ")
    page.keyboard.press("]")
    expect(card.locator(".headline .grade")).to_have_text(re.compile("^(inacc|mistake|blunder)"))
    expect(card.locator(".headline")).not_to_contain_text("1. Red plays 2: ")
    # Another move makes it another game.
    page.keyboard.press("5")
    expect(card).to_be_hidden()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_review_as_a_page_of_its_own(
    browser: Any, width: int, scheme: str, tmp_path: Path
) -> None:
    page_file = tmp_path / "review.html"
    done = command.advisor("review", REVIEWED[:31], "--depth", 2, "--html", page_file)
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
    expect(page.locator(".dot")).to_have_count(31)
    expect(page.locator(".moves li")).to_have_count(31)
    # A point of the graph leads to its error, with the boards before it and at the line's end.
    page.locator(".dot.blunder.proved").last.click()
    card = page.locator(".card:target")
    expect(card.locator("h2")).to_have_text("30. o plays 5: blunder")
    expect(card.locator("figure svg")).to_have_count(2)
    expect(card.locator("figure svg").first).to_be_in_viewport()
    for board in card.locator("figure svg").all():
        assert board.bounding_box()["width"] <= width
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(browser: Any, server: Server, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 340, "height": 700}, color_scheme=scheme)
    page = context.new_page()
    visit(page, server, "moves=4453&level=1")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, background[4:-1].split(","))) > 3 * 128
    assert light == (scheme == "light")
    visit_game(page, server, "game=gomoku")
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
    # The same move again keeps what comes after it; another one does not.
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
    ("mode=ply", "mode=ply (use analyse or play or puzzle)"),
    ("moves=44x", "moves=44x (use the columns that are played, as 4453)"),
    ("moves=4459", "This position cannot be shown: moves: move 4: column 9"),
    ("start=zz", "This position cannot be shown: board"),
    ("size=7x6", "size=7x6 (use width x height x connect"),
    ("weights=default,moves.center.0:x", "(use a preset and changes such as"),
    ("weights=default,moves.centre.0:5", "there is no weight moves.centre.0 in default"),
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
    exactly = page.get_by_label("threat(first,later,3), exactly")
    usual = exactly.input_value()
    exactly.fill(f"{exactly.get_attribute('max')}1")
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


def test_exact_play_is_told_beside_the_advice(page: Any, server: Server) -> None:
    moves = REVIEWED[:30]
    visit(page, server, f"moves={moves}&level=1")
    scores = {c: s.score or 0 for c, s in solve_columns(parse_line(moves)).items()}
    best = [c for c, score in scores.items() if score == max(scores.values())]
    told = page.locator("#advice-card .proved")
    names = " or ".join(filter(None, [", ".join(map(str, best[:-1])), str(best[-1])]))
    expect(told).to_contain_text(f"Exact play: column {names}")
    worst = min(scores, key=lambda c: scores[c])
    column(page, worst).hover()
    expect(told).to_contain_text(f"Exact score {signed(scores[worst])}:")
    expect(told).to_contain_text("does better.")


@cache
def leaf() -> str:
    """The moves to a position in which a plan of the solution begins, with a number to play."""
    solution = standard()
    assert solution
    steps = ((moves, known(parse_line(moves))) for moves in solution.starts)
    return next(moves for moves, step in steps if step and step.plan and step.by is By.NUMBER)


def test_a_plan_is_shown_and_beats_who_tries(page: Any, server: Server) -> None:
    visit(page, server, f"moves={leaf()}&level=1&exact=off")
    position = parse_line(leaf())
    step = known(position)
    assert step
    assert step.plan
    expect(page.locator("#plan-card .sentences li")).to_have_text(sentences(step, position))
    for (row, place), number in on_squares(step.plan, position).items():
        cell = column(page, place).locator(".square").nth(6 - row)
        expect(cell.locator(".number")).to_have_text(str(number))
    expect(column(page, step.column).locator(".now")).to_have_count(1)
    expect(column(page, step.column)).to_have_attribute("aria-label", re.compile(r"number \d+"))
    page.get_by_label("Numbers on the board").uncheck()
    expect(page.locator(".planned")).to_have_count(0)
    page.get_by_label("Numbers on the board").check()
    # A game against it, from here on: red follows the plan and wins.
    page.click("#challenge")
    moves = wait_for_turn(page, 1)
    assert moves == str(step.column)
    expect(page.locator("#plan-card")).to_be_visible()
    while position.play_all(map(int, moves)).result() is None:
        reached = position.play_all(map(int, moves))
        reply = max(reached.moves())
        after = reached.after(reply)
        column(page, reply).click()
        expected = known(after)
        assert expected
        moves = wait_for_turn(page, len(moves) + 2)
        assert moves.endswith(f"{reply}{expected.column}")
    expect(status(page)).to_contain_text("Red has won")
    # Whoever begins again begins where the plan does.
    page.click("#restart")
    assert wait_for_turn(page, 1) == str(step.column)


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1280, 800, "light"), (768, 1024, "dark"), (390, 844, "dark")]
)
def test_it_fits_the_screen_and_everybody_can_use_it(
    browser: Any, server: Server, width: int, height: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    def look(state: str) -> None:
        sides = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert sides[0] <= sides[1], state
        if width == 1280:
            assert page.evaluate("document.documentElement.scrollHeight") <= 3 * height, state
        if width == 768:
            return  # what axe looks at is the same as on a phone
        found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], state

    visit(page, server, f"moves={leaf()}&level=1&exact=off&weights=default,moves.center.0:5")
    expect(page.locator("#plan-card")).to_be_visible()
    look("a plan")
    for fold in page.locator("details.fold").all() if width == 1280 else []:
        fold.locator("summary").first.click()
        look(fold.inner_text())
    page.keyboard.press("e")
    look("set up by clicking")
    visit(page, server, "mode=puzzle&puzzle=chapter1/2&levle=9")
    expect(page.locator("#notice")).not_to_be_empty()
    look("a puzzle")
    visit_game(page, server, "game=chess")
    look("chess")
    context.close()


# Other games


def square(page: Any, column: int, row: int) -> Any:
    return page.locator(f"[data-square='{column},{row}']")


def visit_game(page: Any, server: Server, fragment: str) -> None:
    page.goto("about:blank")
    page.goto(f"{server.address}games.html#{fragment}")
    expect(page.locator("#move-list li").first).to_be_visible()


def test_tic_tac_toe_is_clicked_to_its_end(page: Any, server: Server) -> None:
    visit_game(page, server, "game=tictactoe")
    for number, (x, y) in enumerate([(2, 2), (1, 2), (1, 1)], 1):
        square(page, x, y).click()
        expect(page.locator(".piece")).to_have_count(number)
    expect(page.locator(".piece.first")).to_have_count(2)
    # The advisor sees what has to be kept from x, and that it is not enough for more. It needs far
    # less than this time, as it sees all games to their end.
    page.select_option("#time", "10")
    page.click("#hint")
    expect(page.locator(".move-list .best code")).to_have_text("put(3,3)")
    losing = page.locator(".move-list li", has_text="put(1,3)")
    expect(losing).to_contain_text("loses in 1")
    losing.locator("button").click()
    expect(page.locator(".piece")).to_have_count(4)
    square(page, 3, 3).click()
    expect(status(page)).to_have_text("The game is over: x has won.")
    expect(page.locator("#about")).to_have_text("None: the game is over.")
    page.click("#undo")
    expect(page.locator(".piece")).to_have_count(4)
    # The same by its address, and the advisor answers once it is given a side.
    page.reload()
    expect(page.locator(".piece")).to_have_count(4)
    page.select_option("#advisor", "0")
    expect(status(page)).to_have_text("The game is over: x has won.")


def test_chess_is_played_with_pieces(page: Any, server: Server) -> None:
    start = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"
    visit_game(page, server, f"game=chess&start={start.replace(' ', '+')}")
    expect(page.locator(".drawn")).to_have_count(4)
    expect(square(page, 5, 8)).to_have_attribute("aria-label", "column 5, row 8, black king")
    # A king castles by two squares; what a pawn becomes is chosen from the list.
    square(page, 5, 1).click()
    square(page, 7, 1).click()
    expect(square(page, 6, 1)).to_have_attribute("aria-label", "column 6, row 1, white rook")
    square(page, 5, 8).click()
    square(page, 4, 7).click()
    square(page, 1, 7).click()
    square(page, 1, 8).click()
    expect(page.locator("#move-list li")).to_have_count(4)
    page.locator("#move-list button", has_text="a8=N").click()
    promoted = "column 1, row 8, white knight, of the last move"
    expect(square(page, 1, 8)).to_have_attribute("aria-label", promoted)
    page.reload()
    expect(square(page, 1, 8)).to_have_attribute("aria-label", promoted)
    expect(status(page)).to_have_text("Black to move.")


def test_a_board_of_another_size_is_chosen(page: Any, server: Server) -> None:
    visit_game(page, server, "game=hex&const=size=4")
    expect(page.locator(".field")).to_have_count(16)
    page.get_by_label("size").fill("3")
    page.get_by_label("size").press("Enter")
    expect(page.locator(".field")).to_have_count(9)
    page.reload()
    expect(page.locator(".field")).to_have_count(9)


def test_breakthrough_is_played_from_square_to_square(page: Any, server: Server) -> None:
    visit_game(page, server, "game=breakthrough&advisor=1")
    square(page, 4, 2).click()
    expect(square(page, 4, 2)).to_have_class(re.compile("chosen"))
    expect(page.locator("#move-list li")).to_have_count(3)
    square(page, 4, 5).click(force=True)  # which is said to be disabled
    expect(page.locator("#notice")).to_have_text("No move leads to column 4, row 5.")
    square(page, 4, 2).click()
    square(page, 5, 3).click()
    # White's man stands there, and black has answered.
    expect(square(page, 5, 3)).to_have_attribute("aria-label", "column 5, row 3, white")
    expect(page).to_have_url(re.compile(r"moves=go%284%2C2%2C5%2C3%29\+go"))
    expect(status(page)).to_have_text("White to move.")
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


def test_other_games_have_a_list_of_moves_keys_and_back(page: Any, server: Server) -> None:
    visit_game(page, server, "game=tictactoe")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(square(page, 2, 1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(square(page, 2, 2)).to_have_class(re.compile(r"\blast\b"))
    expect(square(page, 2, 2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#moves-card .step")).to_have_text(["put(2,2)", "put(2,3)"])
    page.keyboard.press("u")
    expect(page.locator("#moves-card .later")).to_have_text(["put(2,3)"])
    page.keyboard.press("r")
    expect(page.locator(".piece")).to_have_count(2)
    page.go_back()
    expect(page.locator(".piece")).to_have_count(1)
    page.locator("#moves-card .later").click()
    expect(page.locator(".piece")).to_have_count(2)
    visit_game(page, server, "game=ches&const=size:4&foo=1")
    for told in ("game=ches (use ", "const=size:4 (use ", "foo (no such key)"):
        expect(page.locator("#notice")).to_contain_text(told)
    visit_game(page, server, "game=tictactoe&moves=put(1,1)+put(1,1)")
    expect(page.locator("#notice")).to_contain_text("This cannot be shown: move 2:")
