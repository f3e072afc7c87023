"""Bugs end in one line with an exit code of their own; lines end in any way."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.games import check
from command import advisor
from commands import ROOT, environment

FAULTY = "import advisor.cli as cli; cli.app = lambda name: {flaw}; cli.main()"


def test_a_bug_ends_in_one_line_and_not_in_the_answer_no() -> None:
    faulty = FAULTY.format(flaw="1 // 0")
    done = subprocess.run(
        [sys.executable, "-c", faulty, "draw"], capture_output=True, text=True, env=environment()
    )
    told = "error: ZeroDivisionError in <string>:1: 'integer division or modulo by zero' (a fault "
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
    shown = subprocess.run(
        [sys.executable, "-X", "dev", "-c", faulty], capture_output=True, text=True, cwd=ROOT
    )
    assert "Traceback" in shown.stderr


def test_a_disagreement_of_clingo_and_circuits_ends_the_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = check.answer
    monkeypatch.setattr(
        check,
        "answer",
        lambda *question: dataclasses.replace(asked(*question), following=frozenset()),
    )
    done = advisor("game", "check", "tictactoe", "--games", 5)
    assert (done.code, done.out) == (70, "")
    assert done.err.startswith("error: tictactoe: circuits and clingo disagree on 'next' where ")
    assert done.err.count("\n") == 1


def test_standard_input_has_the_bounds_of_files() -> None:
    done = advisor("moves", "-", stdin=b"44\n" * 400_000)
    assert (done.code, done.err) == (2, "error: stdin: is too large (at most 1000000 bytes)\n")
    done = advisor("review", "-", stdin=b"44\xff")
    assert done.err == "error: stdin: is not a text file (byte 0xff at position 2; use UTF-8)\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end: str, tmp_path: Path) -> None:
    def lines(*given: str) -> bytes:
        return "".join(line + end for line in given).encode()

    done = advisor("analyse", "-", "--depth", 0, stdin=lines("44", "4", "", "445"))
    assert (done.code, done.out.count("\n")) == (0, 4)
    board = tmp_path / "board.lp"
    board.write_bytes(lines("% a board", "cell(1,1,4).", "%* b", "*% cell(2,2,4)."))
    as_yaml = tmp_path / "board.yaml"
    as_yaml.write_bytes(lines("# a board", "moves: 44"))
    for source in (board, as_yaml):
        assert advisor("moves", "--boards", source) == advisor("moves", "--boards", "44")
    game = tmp_path / "game.pgn"
    game.write_bytes(lines("1. e4 ; the king's pawn", "e5", "*"))
    found = advisor("moves", game, "--game", "chess")
    assert found == advisor("moves", "1. e4 e5", "--game", "chess")
    assert found.code == 0
    played = advisor("play", "--seed", 1, "--level", 1, stdin=lines("4", "u", "q"))
    assert played == advisor("play", "--seed", 1, "--level", 1, stdin=b"4\nu\nq\n")
    assert played.code == 0
