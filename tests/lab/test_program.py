"""Other programs as players of a match: what is said to them, and what goes wrong with them."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from command import advisor

PROGRAM = """
import sys
squares = [f"put({x},{y})" for y in (1, 2, 3) for x in (1, 2, 3)]
log = open(sys.argv[1], "a")
for line in sys.stdin:
    print(line, end="", file=log, flush=True)
    words = line.split()
    if words[0] == "uci":
        print("id name first\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        free = [square for square in squares if square not in words]
    elif words[0] == "go":
        print("info depth 1\\nbestmove", free[0], flush=True)
"""


def program(folder: Path, text: str = PROGRAM) -> str:
    """A player that runs a program."""
    file = folder / "player.py"
    file.write_text(text)
    words = sys.executable, str(file), str(folder / "log")
    return f"program:{shlex.join(words)}"


def test_a_program_plays_whole_games(tmp_path: Path) -> None:
    saved = tmp_path / "games"
    player = f"{program(tmp_path)};Skill Level=3;Hash=16:time=0.25"
    done = advisor(
        *("match", player, "random", "--game", "tictactoe", "--games", 4, "--plies", 1),
        *("--save", saved, "--json"),
    )
    assert done.code == 0
    assert json.loads(done.out)["games"] == 4
    written = [line.split() for line in saved.read_text().splitlines()]
    first, *_ = games = [[f"put({' abc'.index(x)},{y})" for x, y in game] for game in written]
    said = (tmp_path / "log").read_text().splitlines()
    options = ["setoption name Skill Level value 3", "setoption name Hash value 16"]
    assert said[:4] == ["uci", *options, "isready"]
    assert {*said[5::2]} == {"go movetime 250"}
    # After the opening of the first game it was the turn of the player that is named second.
    assert said[4] == f"position startpos moves {first[0]} {first[1]}"
    squares = [f"put({x},{y})" for y in (1, 2, 3) for x in (1, 2, 3)]
    for number, moves in enumerate(games):
        for ply in range(1, len(moves)):
            if ply % 2 == number % 2:
                assert moves[ply] == next(s for s in squares if s not in moves[:ply])


def test_a_program_is_told_a_beginning_that_is_not_the_usual_one(tmp_path: Path) -> None:
    begun = "true(mark(o,2,2)) true(mark(x,3,3)) true(turn(o))"
    command = program(tmp_path).removeprefix("program:")
    done = advisor("suggest", f"{begun} put(2,1)", "--game", "tictactoe", "--engine", command)
    assert done.code == 0
    assert "Play a1" in done.out
    said = (tmp_path / "log").read_text().splitlines()
    assert f"position fen {begun} moves put(2,1)" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has ended without uciok"),
        (PROGRAM.replace("free[0]", "'put(9,9)'"), "'put(9,9)' is not legal for "),
        (
            PROGRAM.replace('print("info depth 1', 'sys.exit("info depth 1'),
            "ended without bestmove",
        ),
    ],
)
def test_what_a_program_does_wrong_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    done = advisor(
        *("match", program(tmp_path, text), "random", "--game", "tictactoe", "--games", 2)
    )
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_who_is_no_program_cannot_be_started() -> None:
    done = advisor("match", "program:no-such-program", "random", "--game", "hex", "--games", 2)
    assert (done.code, done.out) == (2, "")
    assert "'no-such-program' cannot be started (No such file or directory)" in done.err


@pytest.mark.slow
def test_depth_is_said_to_a_program_and_moves_of_chess_in_coordinates(tmp_path: Path) -> None:
    text = PROGRAM.replace("free[0]", "'e2e4'")
    text = text.replace("free = [square for square in squares if square not in words]", "pass")
    done = advisor(
        *("match", f"{program(tmp_path, text)}:depth=2", "random", "--game", "chess"),
        *("--games", 2, "--plies", 0),
    )
    assert done.code == 2  # it knows no second move
    said = (tmp_path / "log").read_text().splitlines()
    assert said[3] == "go depth 2"
    assert said[4].startswith("position startpos moves e2e4 ")
