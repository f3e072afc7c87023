"""The page in a real browser: what people do with it, by mouse, by keyboard, across restarts."""

import os
import re
import shutil
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterator
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
