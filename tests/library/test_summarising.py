"""Summaries of many games: what errors have in common, whose they are, and puzzles from them."""

import json
from pathlib import Path

import pytest

import advisor as library
from advisor.files.outfile import make_folder
from command import advisor

GAMES = ["4453443355", "44444433", "4455333"]
"""Two blunders each of the first and the last game are known by exact scores."""


@pytest.fixture(scope="module")
def summary() -> library.Summary:
    found = library.Summary(GAMES)
    assert len([*found]) == 3
    return found


def test_a_summary_counts_what_reviews_grade(summary: library.Summary) -> None:
    reviews = [library.review(library.position(game)) for game in GAMES]
    errors = [move for each in reviews for move in each.moves if move.error]
    assert summary.moves == sum(len(each.moves) for each in reviews) == 25
    for grade, count in summary.grades.items():
        assert count == sum(move.mark.grade == grade for each in reviews for move in each.moves)
    for blamed in ("missed", "allowed"):
        kinds = summary.kinds(blamed)
        assert sum(len(kind.errors) for kind in kinds) == len(errors)
        assert all(sum(kind.phases.values()) == len(kind.errors) for kind in kinds)
    won = [move for move in errors if move.best.kind == "win" and move.prospect.kind != "win"]
    missed = {kind.event: kind for kind in summary.kinds("missed")}
    assert len(missed["a forced win"].errors) == len(won) == 4


def test_an_error_misses_and_allows_events_of_its_lines(summary: library.Summary) -> None:
    (error,) = (e for kind in summary.kinds("allowed") if kind.event == "win" for e in kind.errors)
    assert error["position"] == "4444443"
    assert error["allowed"]["text"].endswith("2 completes a line on b1-e1")
    assert error["missed"]["event"] == "build"
    assert (error["phase"], error["side"]) == ("end", 1)


def test_a_position_that_came_twice_is_told_once(summary: library.Summary) -> None:
    for kind in summary.kinds("missed"):
        places = [error["position"] for error in kind.clearest]
        assert len(places) == len({*places}) <= 3


def test_only_a_players_errors_count() -> None:
    games = library.Summary(GAMES[:1], player="O")
    assert len([*games]) == 1
    assert games.moves == 5
    assert all(error["side"] == 1 for kind in games.kinds("missed") for error in kind.errors)
    nobody = library.Summary(GAMES[:1], player="Morphy")
    assert len([*nobody]) == 1
    with pytest.raises(library.InputError, match=r"no game of 'Morphy' \(use o, x\)"):
        nobody.to_json()


def test_errors_are_exported_as_puzzles(summary: library.Summary, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    files = summary.export(folder)
    texts = [file.read_text() for file in files]
    assert len(texts) == len({*texts}) > 2
    posed = [library.puzzle(str(file)) for file in files]
    assert {each.win_in for each in posed} == {0}  # the wins that were missed are long ones
    first = posed[0]
    assert first.task.endswith("to move: find the best move")
    attempt = library.Attempt(first.position, 0, solution=first.solution)
    wrong = next(move for move in first.position.moves if move not in first.solution)
    assert attempt.play(wrong).verdict == "wrong"
    assert attempt.hint().kind == "not"
    assert attempt.play(first.solution[0]).verdict == "solved"
    with pytest.raises(library.InputError, match="holds files already"):
        summary.export(folder)
    done = advisor("puzzle", files[0])
    assert done.code == 2
    assert "asks for the best move alone, not for a win (quiz poses it)" in done.err


def test_a_short_win_that_was_missed_is_posed_as_a_win(tmp_path: Path) -> None:
    games = library.Summary(["b2 a1 c1 b1 b3"], game="tictactoe")
    assert len([*games]) == 1
    assert "a forced win" in [kind.event for kind in games.kinds("missed")]
    posed = [library.puzzle(str(file)) for file in games.export(tmp_path / "mine")]
    assert (1, ("a3",)) in [(each.win_in, each.solution) for each in posed]


def test_a_folder_of_games_is_summed_up_and_gone_on_with(tmp_path: Path) -> None:
    folder, kept = tmp_path / "games", tmp_path / "kept"
    make_folder(folder)
    (folder / "1.txt").write_text("4455333\n\n")
    (folder / "2.yaml").write_text("moves: '4459'\n")
    (folder / "10.yaml").write_text("moves: '44'\n")
    options = "review", folder, "--summary", "--json", "--resume", kept
    done = advisor(*options)
    assert done.code == 2
    assert "column 9 is out of range" in done.err
    told = json.loads(done.out)
    assert (told["games"], told["moves"]) == (2, 9)
    before = kept.read_text()
    again = advisor(*options, "--player", "x", "--puzzles", tmp_path / "mine")
    assert kept.read_text() == before
    assert json.loads(again.out)["moves"] == 5
    assert "in " in again.err


def test_options_of_a_summary_need_one() -> None:
    for options, said in (
        (["--player", "x"], "--player goes with --summary"),
        (["--puzzles", "mine"], "--puzzles goes with --summary"),
        (["--resume", "kept"], "--resume goes with --summary"),
        (["--jobs", "2"], "--jobs and --dask go with --summary"),
        (["--summary", "--time", "3"], "--summary has no --html and no --time"),
    ):
        done = advisor("review", "4453", *options)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
