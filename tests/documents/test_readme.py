"""Run the commands of the README and of six pages, and compare what they print with what the
pages say.

In a block of the kind ``console`` a line that begins with ``$ `` is a command for a shell in the
root of the repository; the lines up to the next command are what it prints. A line ``...`` stands
for any number of lines. Times, and counts of what was looked at in them, may differ, and so may
scores, weights and the moves that these prefer, which learning changes. A block whose first line is
``# slow`` is not run.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from command import advisor, is_missing
from commands import ENTRY, ROOT, environment

README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
STRATEGY = ROOT / "docs" / "strategy.md"
ADVICE = ROOT / "docs" / "advice.md"
CHESS = ROOT / "docs" / "chess.md"
REVIEW = ROOT / "docs" / "review.md"
SOLUTION = ROOT / "docs" / "solution.md"
OWN_GAME = ROOT / "docs" / "own-game.md"
FIRST_STRATEGY = ROOT / "docs" / "first-strategy.md"
SLOW = "# slow"

PARTS = {"advisor puzzles --all-defences": "--chapter 2"}
"""Commands of which only a part is run, which must print a part of what the page shows.

`make bench` runs them whole.
"""


def blocks(text: str) -> Iterator[list[str]]:
    """The lines of each ``console`` block."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield block.splitlines()


def sessions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Every command that is to be run, with the lines that it should print.

    Where a plugin is missing, the first command of it ends its block: what follows needs its files.
    """
    for lines in blocks(text):
        if lines[:1] == [SLOW]:
            continue
        assert lines[0].startswith("$ "), f"a block begins with {lines[0]!r}, no command"
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            if is_missing(lines[start][2:]):
                break
            yield lines[start][2:], lines[start + 1 : end]


def normal(line: str) -> str:
    """A line without what differs from run to run."""
    line = re.sub(r"\d+(\.\d+)?(?= s\b)", "#", line.rstrip())
    # Of long work the line says who did it.
    line = re.sub(r"(?<=# s) by (machine code|NumPy( \([^)]*\))?)(?=;|$)", "", line)
    line = re.sub(r"\b[\d,]+(?= (leaves|nodes)\b)", "#", line)
    # Machine code, once it is there, searches other positions.
    line = re.sub(r"(?<=engine solver: )\d+", "#", line)
    line = re.sub(r'("(?:seconds|leaves|nodes)": )[\d.]+', r"\1#", line)
    # A table's column of seconds is the only one with two decimals.
    line = re.sub(r" +\d+\.\d\d(?= |$)", " #", line)
    # A move's column, row and score, and what each strategy adds to it.
    line = re.sub(r"^( +\d+ +\d+) +-?\d+\b *", r"\1 # ", line)
    line = re.sub(r" [+-]\d+(?=,|$)", " #", line)
    # The move that a sum of weights prefers, and the sign below its column.
    line = re.sub(r"^Play column [^:]+\.$", "Play #.", line)
    return re.sub(r"^ +\^$", "^", line)


def alike(expected: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are those expected, ``...`` standing for any lines."""
    parts = [".*" if line.strip() == "..." else re.escape(normal(line)) for line in expected]
    text = "".join(normal(line) + "\n" for line in printed)
    pattern = "".join(part if part == ".*" else part + r"\n" for part in parts)
    return re.fullmatch(pattern, text, re.DOTALL) is not None


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an `advisor` that runs this checkout, installed or not."""
    folder = tmp_path_factory.mktemp("scripts")
    script = folder / "advisor"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(ENTRY)} "$@"\n')
    script.chmod(0o755)
    return folder


def run(command: str, scripts: Path, folder: Path = ROOT) -> list[str]:
    """Return the output of a command, errors included.

    The advisor runs in this process, which has loaded most modules. A command after a pipe, and any
    other command, runs in a shell.
    """
    first, _, rest = command.partition(" | ")
    if first.startswith("advisor ") and not set("><;&$`") & set(first):
        with chdir(folder):
            done = advisor(*shlex.split(first)[1:], together=not rest)
        printed = done.err + shell(rest, scripts, folder, done.out) if rest else done.out
    else:
        printed = shell(command, scripts, folder)
    return split_lines(printed)


def split_lines(printed: str) -> list[str]:
    """The lines of what was printed.

    Who did the work is left out by `normal`, line by line; here it may go over the end of one.
    """
    return re.sub(r"( by NumPy \([^)\n]*?) *\n", r"\1 ", printed).splitlines()


def shell(command: str, scripts: Path, folder: Path = ROOT, read: str = "") -> str:
    """Return the output of a command in a shell that finds these scripts and the scripts of this
    environment."""
    surroundings = environment()
    surroundings["PATH"] = os.pathsep.join(
        [str(scripts), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=surroundings,
        input=read.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(*session, id=session[0])
        for page in (README, TOUR, STRATEGY, ADVICE, CHESS, REVIEW, SOLUTION)
        for session in sessions(page.read_text())
    ],
)
def test_pages_show_what_their_commands_print(
    command: str, expected: list[str], scripts: Path
) -> None:
    printed = run(f"{command} {PARTS.get(command, '')}".strip(), scripts)
    if command in PARTS:
        *rows, empty, _in_all = map(normal, printed)
        assert len(rows) > 1
        assert not empty
        assert set(rows) <= set(map(normal, expected))
        return
    if not alike(expected, printed) and is_missing("advisor prove"):
        pytest.skip("the page says what only the plugin for proofs knows")
    assert alike(expected, printed), "\n".join(["it printed:", *printed])


@pytest.mark.parametrize("page", [README, STRATEGY], ids=["README", "strategy"])
def test_listings_are_the_files_that_they_name(page: Path) -> None:
    listings = re.findall(r"^```\w+\n[%#] (examples/\S+)\n(.*?)^```", page.read_text(), re.M | re.S)
    assert {Path(name).suffix for name, _ in listings} == {".lp", ".yaml"}
    for name, listing in listings:
        assert listing in (ROOT / name).read_text(), name


@pytest.mark.slow
@pytest.mark.parametrize("page", [OWN_GAME, FIRST_STRATEGY], ids=["own-game", "first-strategy"])
def test_a_page_that_is_followed_step_by_step_is_a_transcript(
    page: Path, scripts: Path, tmp_path: Path
) -> None:
    """Its files are written where it names them, in the first line; its commands are run there, in
    processes of their own: code that one of them makes is of files that the next step changes.
    """
    text, ran = page.read_text(), 0
    for kind, body in re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "console":
            for command, expected in sessions(f"```console\n{body}```\n"):
                printed = split_lines(shell(command, scripts, tmp_path))
                assert alike(expected, printed), "\n".join([command, "printed:", *printed])
                ran += 1
        else:
            file = tmp_path / body.split()[1]
            file.parent.mkdir(exist_ok=True)
            file.write_text(body)
    assert ran >= 6


# The mechanism itself

SAMPLE = """\
```console
$ printf 'depth 8, 1,234 leaves in 0.13 s\\n'
depth 8, 99 leaves in 2 s
$ printf 'one\\ntwo\\nthree\\nfour\\n'
one
...
four
```
```python
$ this is no shell
```
```console
# slow
$ sleep 1000
```
"""


def test_the_sample_is_read_and_run(scripts: Path) -> None:
    found = list(sessions(SAMPLE))
    assert [command.split()[0] for command, _ in found] == ["printf", "printf"]
    assert [len(expected) for _, expected in found] == [1, 3]
    assert all(alike(expected, run(command, scripts)) for command, expected in found)


def test_the_advisor_is_found(scripts: Path) -> None:
    told = "The game is over: x (red) has won on a1-d1."
    assert shell("advisor suggest 1122334 | tail -1", scripts) == f"{told}\n"
    assert run("advisor suggest 1122334 | tail -1", scripts) == [told]


@pytest.mark.parametrize(
    ("expected", "printed"),
    [
        (["depth 8, 5 leaves"], ["depth 9, 5 leaves"]),
        (["Play column 4: wins in 3."], ["Play column 3: wins in 3."]),
        (["one"], ["one", "two"]),
        (["one", "two"], ["one"]),
        (["one", "...", "four"], ["one", "two"]),
        ([], ["error: no such file"]),
        (["a.b"], ["axb"]),
    ],
)
def test_what_differs_is_seen(expected: list[str], printed: list[str]) -> None:
    assert not alike(expected, printed)


def test_scores_and_weights_may_differ_and_nothing_else_of_a_move() -> None:
    row = "     2    4   1576             center(2) +10, parity -3"
    assert alike([row], ["     2    4     -7             center(2) +9, parity +1120"])
    assert not alike([row], [row.replace("2    4", "2    3")])
    assert not alike([row], [row.replace("center(2)", "center(1)")])
    assert not alike([row], [row.replace("1576", "wins in 3")])


def test_times_and_counts_may_differ() -> None:
    assert alike(
        ["chapter1       15      15     0.03  none", '{"nodes": 7, "seconds": 0.25}'],
        ["chapter1       15      15     12.03  none", '{"nodes": 12, "seconds": 1.5}'],
    )
    assert alike(["trailing blanks do not count"], ["trailing blanks do not count  "])


def test_a_block_that_begins_without_a_command_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="no command"):
        list(sessions("```console\nPlay column 4.\n```\n"))
