"""A stream of positions: one JSON object a line, in order, the same whoever works them out."""

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import advisor as library
from advisor.errors import InputError
from advisor.files.linefile import LONGEST, entries
from command import advisor
from commands import without_measures

POSITIONS = [
    "4453",
    "",
    "......./......./......./......./...o.../...x...",
    "444x4",
    "1212121",
    "  33 44 ",
    "4444444",
    "225257625346224411156336534367135144",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "positions"
    path.write_text("\n".join(POSITIONS) + "\n")
    return path


def objects(printed: str) -> list[dict[str, Any]]:
    """What was printed, without what differs from run to run and what only `suggest` tells."""
    found = [without_measures(json.loads(line)) for line in printed.splitlines()]
    for each in found:
        for move in each.get("moves", ()):
            move.pop("trace", None)
    return found


def test_each_line_gives_what_suggest_gives(file: Path) -> None:
    done = advisor("analyse", file, "--depth", 3)
    found = objects(done.out)
    assert len(found) == len(POSITIONS)
    for number, (position, analysed) in enumerate(zip(POSITIONS, found, strict=True), 1):
        suggested = advisor("suggest", "--depth", 3, "--json", "--", position)
        assert analysed.pop("line") == number
        assert analysed.pop("position") == position.strip()
        if suggested.code == 0:
            assert objects(suggested.out) == [analysed]
        else:
            assert list(analysed) == ["error", "code"]
    assert done.code == 2
    assert done.err.splitlines() == [
        f"error: {file}: line 4: move 4: column 'x' is not a whole number (use 1 to 7)",
        f"error: {file}: line 7: move 7: column 4 is full (6 discs)",
    ]


def test_a_row_that_failed_is_the_same_everywhere(tmp_path: Path) -> None:
    """In the library, on the command line, from its journal, and by the tasks of a server."""
    lines = ["44", " 4x ", "9"]
    rows = [*library.analyse(lines, depth=0)][1:]
    error = "move 2: column 'x' is not a whole number (use 1 to 7)"
    assert rows[0] == {"line": 2, "position": "4x", "error": error, "code": "input"}
    given, journal = "\n".join(lines).encode(), tmp_path / "kept"
    for _ in range(2):
        printed = advisor("analyse", "-", "--depth", 0, "--resume", journal, stdin=given)
        assert objects(printed.out)[1:] == rows
    game = library.load_game("connect4")
    for row, line in zip(rows, lines[1:], strict=True):
        del row["line"]  # of a line alone, as over HTTP
        assert library.analysed(game, line, library.suggest) == row


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 4])
def test_one_job_or_two_give_the_same(file: Path, depth: int) -> None:
    alone = advisor("analyse", file, "--depth", depth)
    shared = advisor("analyse", file, "--depth", depth, "--jobs", 2)
    for one, two in zip(objects(alone.out), objects(shared.out), strict=True):
        assert one == two, {
            key: (one[key], two.get(key)) for key in one if one[key] != two.get(key)
        }
    assert (shared.code, shared.err) == (alone.code, alone.err)


def test_standard_input(file: Path) -> None:
    given = file.read_bytes().replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    done = advisor("analyse", "-", "--depth", 2, stdin=given)
    assert objects(done.out) == objects(advisor("analyse", file, "--depth", 2).out)
    assert done.err.startswith("error: stdin: line 4: ")


def test_good_lines_only_end_well() -> None:
    done = advisor("analyse", "-", "--time", 0.01, stdin=b"44\n4\n")
    assert (done.code, done.err, len(objects(done.out))) == (0, "", 2)
    assert advisor("analyse", "-", stdin=b"").out == ""


def test_exact_results() -> None:
    moves = "225257625346224411156336534367135144"
    done = advisor("analyse", "-", "--exact", "--depth", 1, stdin=moves.encode())
    (found,) = objects(done.out)
    assert (done.code, found["position"]) == (0, moves)
    assert all(move["score"]["proved"] for move in found["moves"])
    solved = json.loads(advisor("solve", moves, "--columns", "--json").out)["columns"]
    best = max(solved.values())
    assert found["best"] == [int(c) for c, score in solved.items() if score == best]


def test_other_boards() -> None:
    done = advisor("analyse", "-", "--size", "5x4", "--connect", 3, "--depth", 2, stdin=b"33\n")
    (found,) = objects(done.out)
    assert [move["column"] for move in found["moves"]] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"\xff\xfe", "is not a whole number"),
        (b"\0", "is not a whole number"),
        (b"4" * 3 * LONGEST, f"is longer than {LONGEST} characters"),
        (b"# comment", "is not a whole number"),
    ],
)
def test_whatever_a_line_holds_the_next_one_is_read(line: bytes, error: str) -> None:
    done = advisor("analyse", "-", "--depth", 1, stdin=line + b"\n44\n")
    bad, good = objects(done.out)
    assert error in bad["error"]
    assert good["depth"] == 1
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert done.err.removesuffix("\n").isprintable()


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_of_a_file_may_be_as_long_as_is_said(tmp_path: Path, end: bytes) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"a" * LONGEST + end + b"b" + end)
    assert [text for _, text in entries(file, str)] == ["a" * LONGEST, "b"]
    file.write_bytes(b"b" + end + b"a" * (LONGEST + 1) + end)
    with pytest.raises(InputError, match=rf"line 2: is too long \(at most {LONGEST} characters\)"):
        list(entries(file, str))


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "analyse", "-"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [*command, "--depth", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=buffered,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for position in ("4", "44"):
        process.stdin.write(position + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["depth"] == 1
    assert process.communicate(timeout=300) == ("", None)


def test_lines_end_as_they_like(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"1\r\n\n2\n3")
    with open(path, "rb") as stream:
        assert list(library.lines_of(stream)) == ["1", "", "2", "3"]
    assert list(library.lines_of(BytesIO("\ufeff4453\n44\n".encode()))) == ["4453", "44"]


def test_a_name_that_is_no_file(tmp_path: Path) -> None:
    assert advisor("analyse", tmp_path).err == f"error: {tmp_path}: is a directory (give a file)\n"
    assert advisor("analyse", "").err == "error: '': no such file\n"


def test_missing_file() -> None:
    done = advisor("analyse", "no/such")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: no/such: no such file\n"


def test_resumed_output_is_that_of_one_run(file: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    whole = advisor("analyse", file, "--depth", 2, "--resume", journal)
    journal.write_bytes(journal.read_bytes()[: len(journal.read_bytes()) // 2])
    again = advisor("analyse", file, "--depth", 2, "--resume", journal)
    assert objects(again.out) == objects(whole.out)
    assert (again.code, again.err) == (whole.code, whole.err)
    other = advisor("analyse", file, "--depth", 3, "--resume", journal)
    assert (other.code, other.out) == (2, "")
    assert other.err == f"error: {journal}: holds another run (depth: 2 there, 3 here)\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_gets_one_line(file: Path) -> None:
    command = [sys.executable, "-c", "from advisor.cli import main; main()", "analyse", str(file)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*command, "--depth", "1"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300
        )
    assert (done.returncode, done.stderr) == (2, "error: output: No space left on device\n")


def test_the_puzzles_run_in_the_same_way(tmp_path: Path) -> None:
    def told(*options: object) -> list[dict[str, Any]]:
        done = advisor("puzzles", "--chapter", 1, "--depth", 2, "--json", *options)
        assert done.code == 0, done.err
        verdicts: list[dict[str, Any]] = json.loads(done.out)["puzzles"]
        return [{k: v for k, v in verdict.items() if k != "seconds"} for verdict in verdicts]

    alone = told()
    journal = tmp_path / "journal"
    assert told("--jobs", 2, "--resume", journal) == alone
    journal.write_bytes(journal.read_bytes()[:-100])
    assert told("--resume", journal) == alone
