"""The names of openings: every line is legal, and a game has the name of its longest one."""

from pathlib import Path

import pytest

import advisor
from advisor.errors import InputError
from advisor.games.opening_names import opening_name, read_names

FILE = Path("encodings/chess/opening_names.txt")


def test_every_line_is_written_as_python_chess_writes_it() -> None:
    chess = pytest.importorskip("chess")
    names = read_names(FILE)
    assert len(names) > 100
    for line in names:
        board = chess.Board()
        for san in line:
            move = board.parse_san(san)
            assert board.san(move) == san, line
            board.push(move)


def test_no_line_stands_there_twice() -> None:
    lines = [text for text in FILE.read_text().splitlines() if text and text[0] != "#"]
    assert len(lines) == len(read_names(FILE))


def test_a_game_has_the_name_of_its_longest_line() -> None:
    ruy = ("e4", "e5", "Nf3", "Nc6", "Bb5")
    assert opening_name(FILE.parent, ruy) == "Ruy Lopez"
    assert opening_name(FILE.parent, (*ruy, "a6", "Bxc6")) == "Ruy Lopez: Exchange Variation"
    assert opening_name(FILE.parent, ()) == ""
    assert opening_name(FILE.parent, ("h3",)) == ""


def test_a_position_tells_its_opening_unless_it_was_set_up() -> None:
    start = advisor.load_game("chess").position()
    assert start.play("e4", "c5").to_json()["opening"] == "Sicilian Defence"
    set_up = start.put({(1, 1): ""}).play("e4")
    assert set_up.to_json()["opening"] == ""


def test_a_line_without_a_name_is_an_error_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "opening_names.txt"
    file.write_text("# names\ne4 c5\n")
    with pytest.raises(InputError, match=r"opening_names\.txt: line 2: .e4 c5. has not the form"):
        read_names(file)
