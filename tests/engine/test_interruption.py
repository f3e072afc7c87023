"""Ctrl-C amid a command: it ends at once, tells what it has found by then, and says so."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sized
from pathlib import Path
from typing import Any

import pytest

from advisor.games.connect4.board import geometry
from advisor.games.connect4.notation import parse_line
from advisor.settings import reading
from command import Done, advisor
from commands import environment
from ctrl_c import ctrl_c

LABELLED = "5512243243536 -3 4 12 13 8 -3 -2"


def pressed(
    inside: str,
    *arguments: object,
    found: Callable[[Mapping[str, Any]], Sized] = lambda _: (),
    length: int = 0,
    again: bool = False,
) -> Done:
    """Run a command, and press Ctrl-C inside a function, once a number of results has been
    found."""

    def when(variables: Mapping[str, Any]) -> bool:
        try:
            return len(found(variables)) >= length
        except KeyError:  # the function has not come that far
            return False

    with ctrl_c(inside, when, again):
        return advisor(*arguments)


def test_a_command_that_is_still_being_read_ends_in_one_line() -> None:
    pressing = (
        "import builtins, sys\n"
        "usual = builtins.__import__\n"
        "def press(name, *others):\n"
        "    if name == 'typer':\n"
        "        raise KeyboardInterrupt\n"
        "    return usual(name, *others)\n"
        "builtins.__import__ = press\n"
        "from advisor.__main__ import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", pressing, "suggest", "4"]
    done = subprocess.run(command, capture_output=True, env=environment(), check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


def test_suggest_tells_what_it_has_seen() -> None:
    done = pressed("iterate", "suggest", "4453", "--time", 3600, "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["interrupted"] is True
    assert told["best"]
    assert told["depth"] >= 1
    assert len(told["moves"]) == 7
    words = pressed("iterate", "suggest", "4453", "--time", 3600, "--no-book")
    assert words.code == 0
    assert "interrupted: depth " in words.out


def test_suggest_near_the_end_tells_what_is_proved() -> None:
    """From here on half of the time goes to a proof, before the look-ahead begins.

    The board has more than 64 bits, so that the proof takes long with machine code too.
    """
    moves = "1,5,9,13,17,21,25"
    assert parse_line(moves, geometry(33, 1)).plies_left <= reading.load().endgame
    done = pressed("bound", "suggest", moves, "--size", "33x1", "--time", 3600, "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["interrupted"] is True


@pytest.mark.parametrize("columns", [[], ["--columns"]])
def test_solve_tells_the_bounds(columns: list[str]) -> None:
    done = pressed("bound", "solve", "", "--size", "8x7", *columns, "--json")
    assert (done.code, done.err) == (130, "error: interrupted\n")
    told = json.loads(done.out)
    assert told["interrupted"] is True
    low, high = told["bounds"]
    assert low < high


def test_suggest_exact_tells_the_bounds() -> None:
    done = pressed("bound", "suggest", "", "--size", "8x7", "--depth", 2, "--exact", "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["interrupted"] is True


def test_rules_that_are_being_ground_end_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where nothing is kept
    done = pressed("_watch_child", "suggest", "--game", "chess", "", "--depth", 1)
    assert (done.code, done.out, done.err) == (130, "", "error: interrupted\n")


def test_circuits_that_are_being_made_end_at_once() -> None:
    done = pressed("_noisy", "suggest", "--game", "chess", "", "--depth", 1)
    assert (done.code, done.out, done.err) == (130, "", "error: interrupted\n")


def test_half_a_puzzle_is_none() -> None:
    done = pressed("iterate", "puzzle", "chapter5/15", "--depth", 30, again=True)
    assert (done.code, done.out, done.err) == (130, "", "error: interrupted\n")


@pytest.mark.parametrize("jobs", [1, 2])
def test_puzzles_tells_those_that_are_done(jobs: int) -> None:
    arguments = ("puzzles", "--chapter", 4, "--depth", 8, "--jobs", jobs)
    done = pressed(
        "book", *arguments, "--json", found=lambda here: here["replayed"].verdicts, length=2
    )
    told = json.loads(done.out)
    assert told["interrupted"] is True
    count = told["total"]
    assert 2 <= count == len(told["puzzles"]) < 30
    assert (done.code, done.err) == (130, f"error: interrupted: {count} of 30 puzzles\n")


def test_match_tells_the_games_that_are_played(tmp_path: Path) -> None:
    games = tmp_path / "games"
    arguments = ("match", "random", "default:depth=2", "--games", 400, "--save", games)
    done = pressed("match", *arguments, "--json", found=lambda here: here["match"].points, length=4)
    told = json.loads(done.out)
    assert told["interrupted"] is True
    assert 4 <= told["games"] == len(games.read_text().splitlines()) < 400
    assert (done.code, done.err) == (130, f"error: interrupted: {told['games']} of 400 games\n")


def test_quality_tells_the_moves_that_are_graded(tmp_path: Path) -> None:
    file = tmp_path / "labelled"
    file.write_text(f"{LABELLED}\n" * 2000)
    arguments = ("bench", "quality", file, "--depth", 4, "--json")
    done = pressed("quality", *arguments, found=lambda here: here["found"].grades, length=3)
    told = json.loads(done.out)
    assert told["interrupted"] is True
    assert 3 <= told["positions"] == told["rows"][0]["by_discs"]["13"]["positions"] < 2000
    count = told["positions"]
    assert (done.code, done.err) == (130, f"error: interrupted: {count} of 2000 positions\n")


def test_analyse_prints_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text("4453\n" * 3000)
    with ctrl_c("rows", lambda local: local.get("result", {}).get("line", 0) >= 2):
        done = advisor("analyse", file, "--depth", 3)
    assert (done.code, done.err) == (130, "error: interrupted\n")
    told = [json.loads(line) for line in done.out.splitlines()]
    assert 1 <= len(told) < 3000
    for each in told:
        assert "interrupted" not in each
        assert each["depth"] == 3


def test_draw_shows_what_is_seen() -> None:
    done = pressed("iterate", "draw", "4453", "--advice", "--depth", 30, "-o", "-")
    assert done.code == 0
    assert done.err.startswith("note: interrupted: the picture shows what depth ")
    assert done.out.startswith("<svg")
