"""Test sets: the format of their lines."""

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.games.connect4.board import geometry
from test_sets import read_test_set

PONS = Path(__file__).parents[1] / "data" / "pons"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_moves_and_scores() -> None:
    cases = read_test_set(PONS / "Test_L3_R1")
    assert len(cases) == 1000
    first = cases[0]
    assert (first.line, first.score, first.position.discs) == (1, -1, 37)
    assert first.moves == "2252576253462244111563365343671351441"


def test_skips_comments_and_empty_lines(tmp_path: Path) -> None:
    cases = read_test_set(written(tmp_path, "# source\n\n  44 +2\n12 -1\n"))
    assert [(case.line, case.moves, case.score) for case in cases] == [(3, "44", 2), (4, "12", -1)]


def test_wide_boards_have_moves_between_commas(tmp_path: Path) -> None:
    (case,) = read_test_set(written(tmp_path, "10,1,10 0\n"), geometry(12, 5, 4))
    assert sorted(case.position.geometry.squares_of(case.position.mask)) == [
        (1, 1),
        (1, 10),
        (2, 10),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4455", "'4455': no score after the moves (a line is: moves score, for instance 4455 1)"),
        ("44 5 5 1", "'44 5 5 1': 4 words (a line is: moves score, for instance 4455 1)"),
        (
            "4455 x",
            "'x' is not a score (use an integer; a line is: moves score, for instance 4455 1)",
        ),
        (
            "4455 1.5",
            "'1.5' is not a score (use an integer; a line is: moves score, for instance 4455 1)",
        ),
        ("4855 1", "'4855': move 2: column 8 is out of range (use 1 to 7)"),
        ("40 1", "'40': move 2: column 0 is out of range (use 1 to 7)"),
        ("4²5 1", "'4²5': move 2: column '²' is not a whole number (use 1 to 7)"),
        ("4444444 1", "'4444444': move 7: column 4 is full (6 discs)"),
        (
            "12121213 1",
            "'12121213': move 8: the game is over, x (red) has won",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path, f"44 2\n{line}\n")
    with pytest.raises(InputError) as error:
        read_test_set(path)
    assert str(error.value) == f"{path}: line 2: {message}"


def test_a_move_on_a_full_board(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="move 3: the game is over, the board is full"):
        read_test_set(written(tmp_path, "121 0\n"), geometry(2, 1, 3))


def test_a_file_without_positions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no positions"):
        read_test_set(written(tmp_path, "# nothing\n"))
    with pytest.raises(InputError, match="no such file"):
        read_test_set(tmp_path / "missing.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        read_test_set(tmp_path / "binary")
