"""What a notebook shows of answers, and the line that a prompt shows."""

import re
from html import unescape
from pathlib import Path

import pytest

import advisor

LONG = "225257625346224411156336534367135144"


@pytest.mark.parametrize(
    ("game", "text", "begins", "ends"),
    [
        ("connect4", "443355", "connect4 443355: column 2 or 6", "win 1"),
        ("connect4", "363224242233", "connect4 363224242233: column 4", r"[+-]\d+"),
        ("connect4", "1212121", "connect4 1212121", r"x \(red\) has won"),
        ("connect4", "x../ox.", "connect4 x../ox.", "column 2, draw"),
        ("connect4", LONG, "connect4 2252", ".*"),
        pytest.param(
            *("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "chess 6k1/5ppp", "Re8#, win 1"),
            marks=pytest.mark.slow,
        ),
        ("tictactoe", "a1 b2 a2 c3", "tictactoe a1 b2 a2 c3: a3", "win 1"),
        ("hex", "", "hex: ", r"\d+ % of random games"),
    ],
)
def test_an_advice_is_one_line_and_a_picture_with_a_table(
    game: str, text: str, begins: str, ends: str
) -> None:
    sized = {"width": 3, "height": 2} if "/" in text and game == "connect4" else None
    position = advisor.load_game(game, constants=sized).position(text)
    advice = advisor.suggest(position, depth=1 if game != "hex" else None, seconds=0.3)
    line = repr(advice)
    assert str(advice) == line
    assert len(line) < 100
    assert re.fullmatch(rf"<Advice {re.escape(begins)}.*[:,] {ends}>", line)
    shown = advice._repr_html_()
    assert position.svg(advice) in shown
    cells = [unescape(each) for each in re.findall("<tr><td>(.*?)</td>", shown)]
    assert cells == [str(position.play(move).played[-1]) for move in advice.scores][:10]


def test_a_review_is_one_line_and_a_table_with_its_worst_moment() -> None:
    review = advisor.review(advisor.position("4453"))
    assert repr(review) == str(review) == "<Review 4453: 4 moves, x 50 %, o 100 %>"
    (worst,) = (move for move in review.moves if move.error)
    shown = review._repr_html_()
    assert (worst.before.svg() or "none") in shown
    assert "<td>blunder</td><td>1</td><td>0</td>" in shown


def test_a_match_is_one_line_and_a_table(tmp_path: Path) -> None:
    file = tmp_path / "<i>&.yaml"
    file.write_text("extends: default")
    match = advisor.Match(f"{file}:depth=1", "random", games=2)
    assert repr(match).endswith("<i>&.yaml:depth=1 against random: 0 of 2 games>")
    assert [*match]
    assert str(match).endswith("2 of 2 games, 2 won, 0 drawn, 0 lost: 100.0 % of the points>")
    shown = match._repr_html_()
    assert "&lt;i&gt;&amp;.yaml:depth=1</td><td>2</td><td>0</td><td>0</td>" in shown
    assert "<i>" not in shown
