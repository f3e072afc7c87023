"""Games with variations on the page, and over HTTP: read, stepped through, changed, written."""

import re
from pathlib import Path
from typing import Any

import pytest

from asking import ask, refusal, serving
from browser import Server, column, expect, needs_browser, visit

GAME = """[Event "Casual game"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Karl"]
[Result "1-0"]

{In the opera house.} 1. e4 {King's pawn} (1. d4 d5 (1... Nf6 $1 2. c4) 2. c4) 1... e5 2. Nf3 d6
$6 {Philidor's defence} 3. d4 Bg4?! ({Better} 3... exd4 4. Nxd4) {Pins} 4. dxe5 1-0
"""


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_a_game_with_variations_is_read_and_written() -> None:
    with serving() as (client, _):
        tree = ask(client, "tree", game="chess", board=GAME)
        assert [move["name"] for move in tree["moves"]][:4] == ["e4", "d4", "d5", "Nf6"]
        assert tree["tags"]["White"] == "Morphy"
        assert (tree["result"], tree["left_out"]) == ("1-0", [])
        moves = [dict(move) for move in tree["moves"]]
        names = [move.pop("name") for move in moves]
        told = {"board": tree["begun"], "remarks": tree["remarks"], "result": tree["result"]}
        written = ask(client, "record", game="chess", moves=moves, **told)
        assert bare(written["text"]) == bare(GAME)
        assert written["names"] == names
        # Another game has one line.
        tree = ask(client, "tree", game="tictactoe", board="b2 a1")
        assert [(move["move"], move["follows"]) for move in tree["moves"]] == [
            ("put(2,2)", 0),
            ("put(1,1)", 1),
        ]
        # Errors name the move and its place; one in a variation only ends that.
        wrong = ask(client, "tree", game="chess", board="1. e4 e5\n(1... Ke5) 2. Nf3")
        assert wrong["left_out"][0].startswith("line 2: 1... 'Ke5' is not legal")
        said = refusal(client, "tree", game="chess", board="1. e4\n1... Ke5")
        assert said.startswith("board: line 2: 1... 'Ke5' is not legal")
        said = refusal(client, "record", game="chess", moves=[{"move": "e5", "follows": 0}])
        assert said.startswith("moves: move 1: 'e5' is not legal")


def steps(page: Any) -> Any:
    return page.locator("#moves-card .step")


def square(page: Any, column: int, row: int) -> Any:
    return page.locator(f"[data-square='{column},{row}']")


def here(page: Any) -> Any:
    return page.locator("#moves-card [aria-current]")


def download(page: Any) -> str:
    with page.expect_download() as saved:
        page.click("#download-board")
    return Path(saved.value.path()).read_text()


@needs_browser
@pytest.mark.slow
def test_a_game_with_comments_is_stepped_through_and_tried(page: Any, server: Server) -> None:
    visit(page, server, "game=chess")
    page.click("#position-card summary")
    page.fill("#board-source", GAME)
    page.click("#load")
    expect(here(page)).to_have_text("dxe5")
    card = page.locator("#moves-card")
    for comment in ("In the opera house.", "King's pawn", "Philidor's defence", "Pins"):
        expect(card.locator("li.comment", has_text=comment)).to_have_count(1)
    expect(card.locator(".line-name")).to_have_text("Better")
    # The text has all of it, too, and so has the file.
    expect(page.locator("#board-source")).to_have_value(re.compile("King's pawn"))
    page.click("#share-card summary")
    assert bare(download(page)) == bare(GAME)
    # Arrows step, and a move of a variation leads there.
    page.locator("#share-card summary").blur()
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_contain_text("Bg4")
    page.keyboard.press("Home")
    expect(here(page)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("e4")
    # Another move is a line of its own; the old one stays.
    before = steps(page).count()
    square(page, 7, 8).click()
    square(page, 6, 6).click()
    expect(here(page)).to_have_text("Nf6")
    expect(steps(page)).to_have_count(before + 1)
    # A click has led to the board, so that arrows go on stepping.
    page.keyboard.press("ArrowLeft")
    expect(here(page)).to_have_text("e4")
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("Nf6")
    page.click("#name-line")
    page.fill("#line-name", "Alekhine")
    page.keyboard.press("Enter")
    expect(card.locator(".line-name")).to_have_text(["Alekhine", "Better"])
    assert bare("({Alekhine} 1... Nf6)") in bare(download(page))
    # It is there after a reload, and its moves are where only the address is known.
    page.reload()
    expect(card.locator(".line-name")).to_have_text(["Alekhine", "Better"])
    expect(here(page)).to_have_text("Nf6")
    fragment = page.url.partition("#")[2]
    page.click("#delete-line")
    expect(here(page)).to_have_text("e4")
    expect(steps(page)).to_have_count(before)
    page.click("#share-card summary")
    assert bare(download(page)) == bare(GAME)
    visit(page, server, fragment)
    expect(steps(page)).to_have_count(before + 1)
    expect(card.locator(".variation .step").first).to_have_text("d4")
    page.click("#promote-line")
    expect(page.locator("#moves-card .pairs > li:not([class]) .step")).to_have_text(["e4", "Nf6"])


@needs_browser
@pytest.mark.slow
def test_the_comment_of_a_move_is_written_and_kept(page: Any, server: Server) -> None:
    visit(page, server, "game=chess&moves=e4+e5&level=1")
    comments = page.locator("#moves-card .comment")
    page.click("#comment-move")
    page.fill("#move-comment", "<b>Solid</b> }")
    page.keyboard.press("Enter")
    expect(comments).to_have_text(["<b>Solid</b>"])
    # Another move on the board has a comment of its own.
    page.click("#moves-card .step >> nth=0")
    expect(here(page)).to_have_text("e4")
    page.click("#comment-move")
    expect(page.locator("#move-comment")).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.locator("#move-comment")).to_have_count(0)
    page.reload()
    expect(comments).to_have_text(["<b>Solid</b>"])
    page.click("#share-card summary")
    assert bare("1. e4 e5 {<b>Solid</b>}") in bare(download(page))
    page.click("#moves-card .step >> nth=1")
    expect(here(page)).to_have_text("e5")
    page.click("#comment-move")
    page.fill("#move-comment", "")
    page.keyboard.press("Enter")
    expect(comments).to_have_count(0)


@needs_browser
@pytest.mark.slow
def test_columns_have_variations_and_several_lines(page: Any, server: Server) -> None:
    visit(page, server, "moves=4453&level=3&exact=off")
    # Steps that come quicker than the server's answers all count.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves-card .count")).to_have_text("2 of 4")
    page.keyboard.press("ArrowRight")
    expect(here(page)).to_have_text("5")
    page.keyboard.press("2")
    expect(here(page)).to_have_text("2")
    expect(page.locator(".variation .step")).to_have_text("2")
    expect(page).to_have_url(re.compile(r"moves=4452&lines=4\+4\+5\+3\+\(\+2\+\)"))
    page.click("#share-card summary")
    assert download(page) == 'moves: "4453"\n'  # all of the main line
    page.click("#many-lines")
    lines = page.locator(".other-line")
    expect(lines).to_have_count(3)
    lines.nth(1).click()
    expect(page.locator("#status")).to_have_text("After 1 of the expected moves")
    # Where the keyboard has led to the board, arrows walk over it.
    page.keyboard.press("Escape")
    column(page, 1).focus()
    page.keyboard.press("ArrowRight")
    expect(column(page, 2)).to_be_focused()
    expect(here(page)).to_have_text("2")
