"""The puzzle book as it is shipped, against the published list."""

import json
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.games import puzzles

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "zeilberger_puzzles.json").read_text())


def test_every_published_problem_is_there_and_no_other() -> None:
    ours = [name for name in puzzles.ids() if not name.startswith("second/")]
    assert ours == [problem["id"] for problem in PUBLISHED]


@pytest.mark.parametrize("problem", PUBLISHED, ids=lambda problem: problem["id"])
def test_a_puzzle_file_says_what_was_published(problem: dict[str, object]) -> None:
    puzzle = puzzles.load(str(problem["id"]))
    rows = "\n".join(puzzle.position.rows()).translate(str.maketrans(".xo", "012")).split("\n")
    assert rows == problem["rows"]
    assert puzzle.position.turn == problem["to_move"]
    assert puzzle.win_in == problem["win_in"]
    assert list(puzzle.solution) == problem["fastest_columns"]
    assert puzzle.extra is not problem["in_book"]
    assert "Zeilberger" in puzzle.source


def test_the_book_has_120_problems_in_five_chapters() -> None:
    in_book = [problem["id"] for problem in PUBLISHED if problem["in_book"]]
    assert [puzzle.id for puzzle in puzzles.book()] == in_book
    assert len(in_book) == 120
    assert len(puzzles.book(extra=True)) == 135
    assert [len(puzzles.book(chapter)) for chapter in range(1, 6)] == [15, 30, 30, 30, 15]
    assert [puzzle.id for puzzle in puzzles.book(1, extra=True)][14:17] == [
        "chapter1/15",
        "chapter1/16",
        "chapter1/17",
    ]


def test_the_problems_of_a_chapter_take_as_many_moves_as_its_number() -> None:
    for chapter in range(1, 6):
        assert {puzzle.win_in for puzzle in puzzles.book(chapter, extra=True)} == {chapter}


def test_a_user_may_pose_a_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("moves: 414243\nwin_in: 1\n")
    puzzle = puzzles.load(str(file))
    assert (puzzle.id, puzzle.win_in, puzzle.solution) == (str(file), 1, ())


@pytest.mark.parametrize(
    ("puzzle_id", "near"),
    [
        ("chapter5/16", "chapter5/15, chapter5/14, chapter5/13"),
        ("chapter6/3", "chapter5/3, chapter5/2, chapter5/4"),
        ("5/15", "chapter5/15, chapter5/14, chapter5/13"),
        ("chapter1/15.lp", "chapter1/15, chapter1/5, chapter1/1"),
    ],
)
def test_an_unknown_id_names_the_nearest(puzzle_id: str, near: str) -> None:
    with pytest.raises(InputError) as caught:
        puzzles.load(puzzle_id)
    assert str(caught.value) == f"no puzzle '{puzzle_id}' (nearest: {near})"


@pytest.mark.parametrize("puzzle_id", ["", "../x", "²/²", "a" * 5000, "nul\0", "9" * 5000 + "/1"])
def test_whatever_is_typed_as_an_id_gets_one_line(puzzle_id: str) -> None:
    with pytest.raises(InputError) as caught:
        puzzles.load(puzzle_id)
    assert str(caught.value).isprintable()


def test_an_unknown_chapter_names_those_there_are() -> None:
    with pytest.raises(InputError) as caught:
        puzzles.book(6)
    assert str(caught.value) == "no chapter 6 (use 1, 2, 3, 4, 5)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "moves: 4",
            "is not a puzzle (win_in says how many moves the win takes, or solution "
            "which moves are best)",
        ),
        ("moves: 1212121\nwin_in: 1", "is not a puzzle (the game is over)"),
        ("moves: 444444\nwin_in: 2\nsolution: [3, 4]", "solution: column 4 is full"),
        ("moves: 449\nwin_in: 2", "move 3: column 9 is out of range (use 1 to 7)"),
    ],
)
def test_a_file_that_is_no_puzzle_gets_one_line(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        puzzles.load("mine.yaml")
    assert str(caught.value) == f"mine.yaml: {expected}"


def test_a_missing_puzzle_file_gets_one_line() -> None:
    with pytest.raises(InputError, match=r"^no/such\.yaml: no such file$"):
        puzzles.load("no/such.yaml")
