"""What every game has over HTTP and on the page: puzzles, weights, set-up, a page to take away."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import advisor
from asking import ask, refusal
from browser import PATIENCE, Server, expect, faults, looking, needs_browser, visit

pytestmark = pytest.mark.slow

GAMES = [name for name in advisor.game_names() if name != "connect4"]
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=180) as found:
        yield found


# Puzzles and weights


def test_a_game_lists_its_puzzles_without_their_solutions(client: httpx.Client) -> None:
    book = client.get("/api/puzzles", params={"game": "chess"}).json()["puzzles"]
    assert [each["id"] for each in book] == advisor.puzzles(game="chess")
    assert not any("solution" in each for each in book)
    posed = advisor.puzzle("mate3/3", game="chess")
    (listed,) = (each for each in book if each["id"] == "mate3/3")
    assert (listed["text"], listed["turn"]) == (posed.position.fen, posed.position.turn)
    whole = client.get("/api/puzzles/mate3/3", params={"game": "chess"}).json()
    assert tuple(whole["solution"]) == posed.solution
    assert client.get("/api/puzzles", params={"game": "hex"}).json() == {"puzzles": []}
    assert client.get("/api/puzzles", params={"game": "../chess"}).status_code == 422
    assert client.get("/api/puzzles/chapter1/1", params={"game": "chess"}).status_code == 404


def test_a_puzzle_of_chess_is_answered_refuted_and_hinted(client: httpx.Client) -> None:
    posed = advisor.puzzle("mate2/1", game="chess")
    path, (right,) = "puzzles/mate2/1", posed.solution
    found = ask(client, f"{path}/try", game="chess", moves=[right])
    assert (found["state"], found["refutation"]) == ("open", None)
    assert found["reply"] in posed.position.play(right).moves
    assert ask(client, f"{path}/try", game="chess", moves=["h3"])["state"] == "slipped"
    hints = [ask(client, f"{path}/hint", game="chess", step=step) for step in range(3)]
    assert [hint["kind"] for hint in hints] == ["not", "among", "is"]
    assert hints[2] == {"kind": "is", "columns": [right], "text": f"The move is {right}."}


def test_weights_of_a_game_are_listed_and_count(client: httpx.Client) -> None:
    found = ask(client, "weights", game="chess")
    own = advisor.load_weights(game="chess")
    assert {each["name"]: each["value"] for each in found["weights"]} == {
        **own.moves,
        **own.features,
    }
    assert refusal(client, "weights", game="chess", weights="alex").startswith("weights: ")
    text = "extends: default\nencodings: {extra: [/etc/passwd]}\n"
    assert "only a weights file may name encodings" in refusal(
        client, "weights", game="chess", weights=text
    )
    said = {"game": "chess", "moves": ["e4", "f6"], "depth": 1}
    assert ask(client, "suggest", **said)["best_names"] != ["Qh5+"]
    text = "extends: default\nmoves: {check: 9000}\n"
    assert ask(client, "suggest", **said, weights=text)["best_names"] == ["Qh5+"]


# Set-up


@pytest.mark.parametrize("game", GAMES)
def test_what_is_set_up_is_read_again(client: httpx.Client, game: str) -> None:
    begun = ask(client, "setup", game=game)
    symbols, rows = begun["symbols"], begun["rows"]
    assert {piece for row in rows for piece in row if piece} <= {*symbols}
    place = next(
        (x, len(rows) - i)
        for i, row in enumerate(rows)
        for x, piece in enumerate(row, 1)
        if piece == "" and 2 < len(rows) - i < 7
    )
    symbol, turn = symbols[0], begun["roles"][1]
    # A side of chess has at most 16 pieces.
    away = [[1, 2, ""]] if game == "chess" else []
    found = ask(client, "setup", game=game, squares=[*away, [*place, symbol]], turn=turn)
    assert found["turn"] == turn
    assert found["rows"][len(rows) - place[1]][place[0] - 1] == symbol
    again = ask(client, "position", game=game, board=found["position"])
    same = ("rows", "turn", "moves", "begun")
    assert [again[key] for key in same] == [found[key] for key in same]
    # A game goes on from there, and its file is read again too.
    after = ask(
        client, "position", game=game, board=found["begun"], moves=[found["moves"][0]["move"]]
    )
    assert ask(client, "position", game=game, board=after["text"])["rows"] == after["rows"]
    told = refusal(client, "setup", game=game, squares=[[*place, "dragon"]])
    assert told.startswith("squares: no 'dragon' stands on ")
    assert symbol in told


def test_discs_are_set_up_where_they_rest(client: httpx.Client) -> None:
    found = ask(client, "setup", board="44", squares=[[1, 1, "x"]])
    assert (found["turn"], found["rows"][-1], found["symbols"]) == ("o", "x..x...", ["x", "o"])
    composed = ask(client, "setup", squares=[[1, 1, "o"]], turn="o")
    assert ask(client, "position", board=composed["text"])["turn"] == "o"
    assert "floating disc" in refusal(client, "setup", squares=[[1, 3, "x"]])
    assert "no square" in refusal(client, "setup", squares=[[9, 1, "x"]])


def test_a_king_that_has_moved_may_not_castle(client: httpx.Client) -> None:
    found = ask(client, "setup", game="chess", squares=[[5, 1, ""], [5, 3, "K"]])
    assert found["position"] == "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR w kq - 0 1"
    assert refusal(client, "setup", game="chess", squares=[[5, 1, ""]]).endswith("(use one)")


def test_a_text_of_atoms_that_are_none_is_refused(client: httpx.Client) -> None:
    for text in ("true(mark(x,9,9))", "true(mark(", "true(turn(x)) true(turn(o)) b2"):
        assert refusal(client, "position", game="tictactoe", board=text)


def test_pieces_by_which_both_have_won_are_refused(client: httpx.Client) -> None:
    both = [[x, y, "xo"[x - 1]] for x in (1, 2) for y in (1, 2, 3)]
    told = "position: the game is over, and the goals of x are 0 and 100"
    assert refusal(client, "setup", game="tictactoe", squares=both).startswith(told)


# A page to take away


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("connect4", [4, 4, 5]),
        ("chess", ["f3", "e5", "g4", "Qh4#"]),
        ("hex", ["b2", "c3"]),
        ("morris", ["a1", "d2"]),
    ],
)
def test_a_game_is_a_page_that_asks_for_nothing(
    client: httpx.Client, game: str, moves: list[Any]
) -> None:
    text = ask(client, "export", game=game, moves=moves, ply=1, title="<A> game")["html"]
    assert "<div id='boards' data-first='1'>" in text  # as the page shows it
    assert "<title>&lt;A&gt; game</title>" in text
    assert re.findall(r"data-ply='\d+' class='grade'>(.*?)<", text) == [*map(str, moves)]
    assert text.count("<svg") == 1 + len(moves)
    assert not re.search(r"(src|href)=.(https?:|/)", text)


def test_a_puzzle_with_a_wrong_answer_is_no_page(client: httpx.Client) -> None:
    said = {"game": "tictactoe", "moves": ["b2"], "question": "Well?"}
    assert "is not legal" in refusal(client, "export", **said, answers=["b2"])
    assert refusal(client, "export", game="tictactoe", review=True).startswith("moves: none")


def test_who_made_a_move_is_told_where_a_player_moves_twice(client: httpx.Client) -> None:
    # With g7 Black has three men on a line, and takes one.
    moves = ["a1", "g1", "d1", "g4", "b2", "g7", "xb2", "d7"]
    view = ask(client, "position", game="morris", moves=moves)
    assert [mover[0] for mover in view["movers"]] == [*"wbwbwbbw"]
    advice = ask(client, "suggest", game="morris", moves=moves[:6], time=0.1, explain=True)
    assert advice["line_players"][0] == "black"
    assert len(advice["line_players"]) == len(advice["line"])


def test_numbers_that_rules_leave_open_are_taken_as_a_position_gives_them(
    client: httpx.Client,
) -> None:
    for game in GAMES:
        constants = ask(client, "position", game=game)["constants"]
        assert ask(client, "position", game=game, constants=constants)["constants"] == constants


@pytest.mark.parametrize("game", ["connect4", *GAMES])
def test_the_programs_of_a_game_can_be_read(client: httpx.Client, game: str) -> None:
    folder = Path(advisor.__file__).parent.parent / "encodings" / game
    files = client.get("/api/program", params={"game": game}).json()["files"]
    assert files[0]["name"] == "rules.lp"
    assert {file["name"]: file["text"] for file in files} == {
        file.name: file.read_text() for file in folder.glob("*.lp")
    }


def test_no_other_programs_can_be_read(client: httpx.Client) -> None:
    for game in ("..", "../chess", "proposals", "/etc"):
        said = client.get("/api/program", params={"game": game})
        assert (said.status_code, "no game" in said.json()["error"]) == (422, True)


# On the page


@needs_browser
def test_an_error_is_judged_by_the_move_that_is_tried(page: Any, server: Server) -> None:
    visit(page, server, "game=tictactoe&moves=a1+b2+b1+a3")
    page.click("#review")
    page.click("#practise")
    expect(page.locator("#puzzle-title")).to_contain_text("My mistakes, problem ")
    page.locator("#book-card .page").last.click()
    expect(page.locator("#puzzle-card")).to_contain_text("a3 was played, a blunder")
    expect(page.locator("body[data-awaited]")).to_have_count(0)
    page.locator("[data-square='2,3']").click()  # which leaves c1 open too
    expect(page.locator("#verdict")).to_contain_text("b3 is no better (blunder)")
    page.locator("[data-square='3,1']").click()
    expect(page.locator("#verdict")).to_contain_text("Solved.")


@needs_browser
@pytest.mark.parametrize(("wish", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_who_wants_no_motion(
    browser: Any, server: Server, wish: str, moves: bool
) -> None:
    context = browser.new_context(reduced_motion=wish)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    visit(page, server, "size=5x4x4&exact=off&level=1")
    page.keyboard.press("3")
    dropped = page.locator(".square.dropped .disc")
    expect(dropped).to_have_count(1)
    name = dropped.evaluate("disc => getComputedStyle(disc).animationName")
    assert (name != "none") == moves
    context.close()


@needs_browser
def test_a_puzzle_of_chess_is_solved_on_the_page(page: Any, server: Server) -> None:
    visit(page, server, "game=chess&mode=puzzle&puzzle=mate2/1")
    expect(page.locator("#puzzle-title")).to_have_text("Mate 2, problem 1")
    page.locator("[data-square='6,2']").click()
    page.locator("[data-square='5,4']").click()
    expect(page.locator(".verdict.right")).to_contain_text("Black answers ")
    expect(page.locator("#book-card .page")).to_have_count(85)
    # Another game has puzzles of its own, or says how it gets some.
    page.select_option("#game", "hex")
    expect(page.locator("#puzzle-title")).to_have_text("No puzzles yet")


@needs_browser
def test_sliders_of_a_game_change_its_advice(page: Any, server: Server) -> None:
    visit(page, server, "game=chess")
    page.click("#weights-card > summary")
    page.fill("#weight-search", "check")
    row = page.locator(".weight-row", has=page.locator("code", has_text=re.compile("^check$")))
    with page.expect_request("**/api/suggest") as asked:
        row.locator("input[type=number]").fill("77")
        row.locator("input[type=number]").press("Enter")
    assert json.loads(asked.value.post_data)["weights"] == "extends: default\nmoves: {check: 77}\n"
    expect(page).to_have_url(re.compile(r"weights=default,moves\.check:77"))
    page.select_option("#game", "hex")
    expect(page.locator("#weights-card")).to_be_hidden()


@needs_browser
def test_a_position_of_chess_is_set_up_by_clicking(page: Any, server: Server) -> None:
    visit(page, server, "game=chess")
    page.keyboard.press("e")
    page.click("#editor-clear")
    expect(page.locator("#notice")).to_contain_text("kings")
    expect(page.locator("#editor-done")).to_be_disabled()
    for brush, square in (("K", "5,1"), ("k", "5,8"), ("R", "1,7"), ("R", "2,7"), ("R", "2,7")):
        page.keyboard.press(brush)
        page.locator(f"[data-square='{square}']").press("Enter")
    page.select_option("#editor-turn", "black")
    expect(page.locator("#status")).to_have_text("Setting up: black to move")
    page.click("#editor-done")
    expect(page).to_have_url(re.compile(r"start=4k3/R7/8/8/8/8/8/4K3\+b"))
    expect(page.locator("#status")).to_have_text("Black to move.")


@needs_browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_pages_to_take_away_are_used_without_a_server(
    browser: Any, client: httpx.Client, width: int, scheme: str, tmp_path: Path
) -> None:
    axe = looking()
    said = {"game": "tictactoe", "title": "Noughts"}
    moves = ["b2", "a2", "a1", "c3"]
    asked = {"question": "Find it.", "answers": ["a1", "c1"], "moves": moves[:1]}
    for name, more in (("review", {"moves": moves, "review": True}), ("puzzle", asked)):
        html = ask(client, "export", **said, **more)["html"]
        (tmp_path / f"{name}.html").write_text(html, encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
    )
    page = context.new_page()
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(error))
    boards = page.locator("#boards > figure:visible")
    page.goto((tmp_path / "review.html").as_uri())
    expect(boards).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(boards).to_contain_text("2. o plays a2: ")
    page.locator("[data-ply='4']").click()
    expect(boards).to_contain_text("4. ")
    expect(page.locator("#forth")).to_be_disabled()
    look(axe, page)
    page.goto((tmp_path / "puzzle.html").as_uri())
    expect(page.locator("#line")).to_be_hidden()
    page.locator("#answers button", has_text="a2").click()
    expect(page.locator("#verdict")).to_have_text("Not a2. Try another move.")
    page.locator("#answers button", has_text="c1").click()
    expect(page.locator("#verdict")).to_have_text("c1 is right.")
    expect(page.locator("#line")).to_be_visible()
    look(axe, page)
    assert errors == []
    context.close()


def look(axe: Any, page: Any) -> None:
    """What axe finds, and whether it fits."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page, axe) == []
