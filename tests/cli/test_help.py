"""What `--help` says: commands under headings, and an example for each, which runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

from command import advisor, all_commands

PREPARED = {
    "game import": "sheet",
    "tournament": "class",
}
"""What an example needs to be in its folder."""

SHORTENED = {"review": ("--time", 1)}
"""Options with which an example ends soon."""

ONLY_READ = {
    "serve": "goes on until it is stopped",
    "uci": "grounds chess",
    "tune": "learns for minutes",
    "learn": "learns for minutes",
    "bench quality": "wants a file",
    "puzzles make": "looks for puzzles for seconds",
    "solution build": "grows for seconds",
    "solution shrink": "shrinks for seconds",
    "solution check": "tries everything for seconds",
}
"""Examples whose words are read as the command would, and no more; and why."""

DATA = Path(__file__).parents[1] / "data"


COMMANDS = all_commands()


def example(words: str) -> tuple[list[str], bytes]:
    """Return the words of a command's example, and its piped input.

    Redirections of its output are left out.
    """
    said = COMMANDS[words].epilog
    assert said is not None, f"advisor {words} --help has no example"
    before, line, _ = re.fullmatch(
        r"Example: (?:echo (\w+) \| )?advisor ([^|>]+)([|>].*)?", said
    ).groups()
    return shlex.split(line), f"{before or ''}\n".encode()


def prepare(folder: Path, what: str | None) -> None:
    if what == "sheet":
        copy(DATA / "gdl" / "nim.kif", folder)
    elif what == "class":
        (folder / "class").mkdir()
        for name in ("anna", "ben"):
            (folder / "class" / f"{name}.yaml").write_text("extends: default\n")


@pytest.mark.parametrize("words", COMMANDS)
def test_the_help_of_every_command_ends_with_an_example_that_runs(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, read = example(words)
    assert " ".join(arguments).startswith(words)
    assert advisor(*words.split(), "--help").out.endswith(f"\n\n  {COMMANDS[words].epilog}\n")
    if words in ONLY_READ:
        COMMANDS[words].make_context(words, arguments[len(words.split()) :])
        return
    prepare(tmp_path, PREPARED.get(words))
    monkeypatch.chdir(tmp_path)
    done = advisor(*arguments, *SHORTENED.get(words, ()), stdin=read)
    assert done.code == 0, done.err


def test_the_commands_stand_under_headings() -> None:
    shown = advisor("--help").out
    headings = [line for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    assert len(headings) >= 6
    assert "Commands:" not in headings


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bench", "quality", "--game", "x"), "advisor bench quality has no --game "),
        (("suggest", "--game", "chess", "no-such.pgn"), "no-such.pgn: no such file\n"),
        (("facts", "4", "--plan", "3"), "--plan: '3' is not a player (use x or red, o or yellow)"),
    ],
)
def test_what_is_out_of_place_is_said_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = advisor(*arguments)
    assert done.code == 2
    assert done.err.startswith(f"error: {told}")
    assert done.err.count("\n") == 1


def test_moves_may_be_words_of_their_own() -> None:
    apart = advisor("moves", "4", "4", "5", "--boards")
    assert apart.code == 0
    assert apart.out == advisor("moves", "445", "--boards").out
    assert advisor("suggest", "--depth", "0", "--no-book").code == 0
    game = ("moves", "--game", "tictactoe")
    two = "put(2,2)", "put(1,1)"
    assert advisor(*game, *two).out == advisor(*game, " ".join(two)).out


def test_a_deep_look_ahead_without_a_limit_is_announced() -> None:
    arguments = ("suggest", "2252576253462244111563365343671351441", "--json", "--depth")
    assert advisor(*arguments, 40).err.startswith("note: looking 40 plies ahead, for as long as")
    assert advisor(*arguments, 40, "--time", 1).err == ""
    assert advisor(*arguments, 8).err == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (None, {"advisor"}),
        ("advisor tou", {"tournament"}),
        ("advisor suggest --game he", {"hex"}),
        ("advisor suggest --game chess --weights spe", {"speybroeck"}),
        ("advisor match --spr", {"--sprt"}),
    ],
)
def test_versions_and_names_need_no_numpy(line: str | None, told: set[str]) -> None:
    """Its import fails here, so it must not be needed."""
    run = "import sys; sys.modules['numpy'] = None; from advisor.cli import main; main()"
    completed = {"_ADVISOR_COMPLETE": "complete_bash", "COMP_WORDS": line or ""}
    completed["COMP_CWORD"] = str(completed["COMP_WORDS"].count(" "))
    done = subprocess.run(
        [sys.executable, "-c", run, *([] if line else ["--version"])],
        capture_output=True,
        text=True,
        env={**os.environ, **(completed if line else {})},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert told <= {*done.stdout.split()}
