"""`advisor play` through a real pseudo-terminal and through pipes, and the games behind it."""

import os
import random
import re
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advising import advise
from advisor.advice.choice import near_best
from advisor.errors import InputError
from advisor.games import rooms
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import parse_line, read_board
from advisor.limits import LEVELS
from advisor.settings import reading
from commands import ENTRY

ROOT = Path(__file__).parents[2]
DEFAULT = reading.load()
COMMAND = [*ENTRY, "play"]
QUICK = ("--level", "1", "--seed", "1", "--time", "0.3")
AGAIN = "advisor play --level 1 --time 0.3 --seed 1"
"""How such a game goes on."""


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "TERM": "xterm", **more}


def piped(lines, *arguments, cwd=None):
    """A game through pipes: what was printed; it must end well."""
    run = subprocess.run(
        [*COMMAND, *arguments],
        input=lines if isinstance(lines, bytes) else lines.encode(),
        capture_output=True,
        cwd=cwd,
        env=environment(),
        timeout=300,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout.decode()


@pytest.fixture
def terminal(tmp_path):
    """Starts a game on a pseudo-terminal."""
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*arguments, **more):
        child = pexpect.spawn(
            COMMAND[0], [*COMMAND[1:], *arguments],
            cwd=tmp_path, env=environment(**more), encoding="utf-8", timeout=300, echo=True,
        )  # fmt: skip
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def finish(child):
    """What is printed until the program ends, and its exit code."""
    import pexpect

    child.expect(pexpect.EOF)
    rest = child.before
    child.close()
    return rest, child.exitstatus


# Through a pseudo-terminal


@pytest.mark.slow
def test_a_game_on_a_terminal(terminal, tmp_path):
    child = terminal(*QUICK)
    child.expect_exact("x> ")
    for nonsense in ("zebra", "8", "0", "-1", "4 4", "s", "\x1b[A", "\u2603", "9" * 50):
        child.sendline(nonsense)
        child.expect_exact("x> ")
        assert re.search(r"neither a column|out of range|file name", child.before), nonsense
    child.sendline("4")
    child.expect(r"o \(yellow\) plays column (\d)")
    reply = int(child.match.group(1))
    child.expect_exact("x> ")
    child.sendline("e")
    child.expect_exact(f"o (yellow) played column {reply}.")
    child.expect_exact("x> ")
    child.sendline("s game.yaml")
    child.expect_exact("Saved as game.yaml.")
    child.expect_exact("x> ")
    assert read_board(str(tmp_path / "game.yaml")).moves == (4, reply)
    child.sendline("h")
    child.expect(r"Columns? \d")
    child.expect_exact("x> ")
    child.sendintr()
    rest, status = finish(child)
    assert status == 0
    assert f"Moves: 4{reply}\r\nGo on with: {AGAIN} 4{reply}\r\n" in rest


def test_a_ctrl_c_is_heard_that_comes_before_the_line_is_waited_for(tmp_path):
    """As a signal that has come before the wait it does not end the wait by itself."""
    pexpect = pytest.importorskip("pexpect")
    soon = "import _thread, threading; threading.Timer(6, _thread.interrupt_main).start(); "
    python, option, code = ENTRY
    child = pexpect.spawn(
        python, [option, soon + code, "play", *QUICK],
        cwd=tmp_path, env=environment(), encoding="utf-8", timeout=300,
    )  # fmt: skip
    child.expect_exact("x> ")
    rest, status = finish(child)
    assert (status, "Moves: none" in rest or "Go on with" in rest) == (0, True)


def test_a_game_goes_on_where_it_was_left(terminal):
    child = terminal(*QUICK, "--first", "advisor", "4453")
    child.expect_exact("o (yellow)")
    child.expect(r"x \(red\) plays column (\d)")
    reply = child.match.group(1)
    child.expect_exact("o> ")
    child.sendeof()
    rest, status = finish(child)
    assert status == 0
    assert f"Moves: 4453{reply}" in rest
    assert f"advisor play --level 1 --first advisor --time 0.3 --seed 1 4453{reply}" in rest


def test_the_end_of_a_game_can_be_taken_back(terminal):
    child = terminal(str(ROOT / "puzzles/chapter1/1.yaml"))
    child.expect_exact("x> ")
    child.sendline("3")
    child.expect_exact("You have won on c1-c4.")
    child.expect_exact("x> ")
    child.sendline("1")
    child.expect_exact("the game is over")
    child.sendline("u")
    child.expect_exact("x> ")
    child.sendline("1")
    child.expect_exact("You have won on a2-d2.")
    child.sendline("q")
    rest, status = finish(child)
    assert status == 0
    assert "Moves since the start: 1\r\n" in rest


def test_ctrl_c_ends_a_long_thought(terminal):
    child = terminal("--level", "20", "--time", "600", "--first", "advisor")
    child.expect(r"thinking: depth \d")
    child.sendintr()
    rest, status = finish(child)
    assert status == 0
    assert "Moves: none\r\n" in rest


def test_colours_are_for_terminals_that_want_them(terminal):
    red, yellow = "\x1b[1;37;41m", "\x1b[1;30;43m"
    child = terminal("44")
    child.expect_exact("x> ")
    assert red in child.before
    assert yellow in child.before
    for child in (terminal("44", "--no-color"), terminal("44", NO_COLOR="1")):
        child.expect_exact("x> ")
        assert not re.search(r"\x1b\[[0-9;]*[34]\dm", child.before)
        assert "2 .  .  .  o  .  .  . \r\n" in re.sub(r"\x1b\[[0-9;]*m", "", child.before)


# Through pipes


def test_a_full_column_is_answered_and_nothing_is_lost():
    told = piped("1\n2\n", *QUICK, "111111")
    assert "column 1 is full (6 discs)" in told
    assert re.search(r"Moves: 1111112\d\n", told)
    assert "\x1b" not in told


@pytest.mark.slow
def test_the_end_of_input_ends_the_game():
    assert piped("", *QUICK).endswith(f"Moves: none\nGo on with: {AGAIN}\n")
    assert piped("4", *QUICK).endswith("\n")
    assert "neither a column" in piped(b"\xff\x00\xfe\n\n", *QUICK)


def test_a_saved_game_keeps_its_moves_and_is_not_overwritten(tmp_path):
    (tmp_path / "notes.yaml").write_text("shopping: milk\n")
    (tmp_path / "text.txt").write_text("text")
    lines = "4\ns game.yaml\ns notes.yaml\ns text.txt\ns game.yaml\nn\ns no/such/game.yaml\n"
    told = piped(lines, *QUICK, cwd=tmp_path)
    assert told.count("Saved as game.yaml.") == 1
    assert "notes.yaml exists and is not a board file (nothing saved)" in told
    assert "give a file name in .yaml or .yml, as in: s game.yaml" in told
    assert "game.yaml is a board file; replace it? [y/N] n\nNothing saved." in told
    assert "no/such/game.yaml: cannot be written" in told
    assert (tmp_path / "notes.yaml").read_text() == "shopping: milk\n"
    assert sorted(os.listdir(tmp_path)) == ["game.yaml", "notes.yaml", "text.txt"]
    saved = read_board(str(tmp_path / "game.yaml")).moves
    assert len(saved) == 2

    told = piped("u\nu\n5\ns game.yaml\ny\n", *QUICK, "game.yaml", cwd=tmp_path)
    assert "there is no move of yours to take back" in told
    assert read_board(str(tmp_path / "game.yaml")).moves[:1] == (5,)


def test_a_wide_board_takes_numbers_of_two_digits():
    told = piped("12\n", *QUICK, "--size", "12x4", "11,2")
    moves = re.search(r"Moves: (11,2,12,\d+)\n", told).group(1)
    assert f"{AGAIN} --const width=12 --const height=4 {moves}\n" in told


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("-",), ("44z",), ("--level", "21"), ("--first", "you")])
def test_bad_arguments_are_one_line(arguments):
    run = subprocess.run(
        [*COMMAND, *arguments], input=b"", capture_output=True, env=environment(), timeout=300
    )
    assert (run.returncode, run.stdout) == (2, b"")
    assert re.fullmatch(rb"error: .*\n", run.stderr)


# The game


CONNECT4 = rooms.load()

SIZES = [(7, 6, 4), (4, 5, 3), (12, 2, 3), (1, 1, 1)]


@given(st.sampled_from(SIZES), st.lists(st.integers(1, 12), max_size=50))
def test_games_are_saved_and_taken_back_as_they_were_played(size, columns):
    game = CONNECT4.on(Board(geometry(*size)))
    played = []
    for column in columns:
        try:
            game = game.after(game.read_move(column))
        except InputError:
            continue
        played.append(column)
    assert game.path == tuple(played)
    text = game.record.encode()

    class Stream:
        def read(self, size):
            return text

    board = read_board("-", stdin=Stream())
    assert CONNECT4.on(board.position, board.moves) == game
    assert [len(earlier.path) for earlier in game.positions] == [*range(len(played) + 1)]
    assert [*game.positions][-1].board == game.board


def test_a_game_from_a_picture_is_saved_as_one():
    position = parse_line("......./......./......./......./...o.../...x...")
    game = CONNECT4.on(position).after(4)
    assert "board: |" in game.record
    assert "...x..." in game.record


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=34),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_weak_levels_neither_miss_a_win_in_one_nor_let_one_happen(columns, level, source):
    position = parse_line("")
    for column in columns:
        after = position.play((moves := position.moves())[column % len(moves)])
        if after.result() is not None:
            break
        position = after
    column = source.choice(near_best(advise(position, DEFAULT, depth=level), level))
    after = position.play(column)
    if position.wins_at_once():
        assert after.winner == position.turn
    elif after.result() is None and after.wins_at_once():
        assert all(position.play(c).wins_at_once() for c in position.moves())


def test_weak_levels_vary_and_strong_ones_do_not():
    advice = advise(parse_line("1234"), replace(DEFAULT, book=False), depth=2)
    assert near_best(advice, LEVELS[-1]) == sorted(advice.best)
    choices = [set(near_best(advice, level)) for level in LEVELS]
    assert len(choices[0]) > len(advice.best)
    assert all(weaker >= stronger for weaker, stronger in pairwise(choices))
    picked = {random.Random(seed).choice(near_best(advice, 1)) for seed in range(30)}
    assert picked == choices[0]
