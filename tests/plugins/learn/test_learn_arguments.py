"""Arguments of `learn` and `tune` that cannot be used, for the library and on the command line."""

from pathlib import Path
from typing import Any

import pytest

import advisor
from command import advisor as command


@pytest.mark.parametrize("name", ["learn", "tune"])
@pytest.mark.parametrize(
    ("seed", "told"), [(-1, "seed -1 is out"), (2**64, "is out of range"), (0.5, "seed 0.5")]
)
def test_a_seed_is_a_whole_number_within_bounds(
    name: str, seed: Any, told: str, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"folder": tmp_path / "new"} if name == "learn" else {}
    with pytest.raises(advisor.InputError, match=told):
        getattr(advisor, name)(game="tictactoe", seed=seed, **given)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("games 0 is out of range", "tune(game='tictactoe', games=0)"),
        ("rounds 0 is out of range", "tune(game='tictactoe', rounds=0)"),
        ("only: 'row' is one text", "learn('tictactoe', new, only='row')"),
        ("without: 'row' is one text", "learn('tictactoe', new, without='row')"),
        ("seconds -1 must be positive", "learn('tictactoe', new, seconds=-1)"),
        ("seconds 'x' must be positive", "learn('tictactoe', new, seconds='x')"),
        ("games -5 is out of range", "learn('tictactoe', new, games=-5)"),
        ("folder 3 is neither", "learn('tictactoe', 3)"),
    ],
)
def test_a_wrong_argument_is_refused_before_the_work(told: str, asked: str, tmp_path: Path) -> None:
    with pytest.raises(advisor.InputError, match=told):
        eval(f"advisor.{asked}", {"advisor": advisor, "new": tmp_path / "new"})
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "line",
    [
        "tune --game tictactoe --games 10 --rounds 1 -o",
        "learn tictactoe --time 1 --games 64 -o",
    ],
)
def test_a_folder_that_takes_no_files_is_refused_before_the_work(line: str) -> None:
    done = command(*line.split(), "/proc/mine")
    told = "error: /proc/mine: cannot be written (No such file or directory)\n"
    assert (done.code, done.out, done.err) == (2, "", told)


def test_learn_refuses_a_game_that_is_over_before_a_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules.lp").write_text(
        "role(a). role(b). base(done). input(P, go) :- role(P). legal(P, go) :- role(P).\n"
        "init(done). next(done). goal(P, 50) :- role(P).\n"
        "terminal :- true(done).\n"
    )
    done = command("learn", "-o", "learned", ".")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        "error: rules.lp:3: terminal holds at the start (it must not hold before a move)\n"
    )
