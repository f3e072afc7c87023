"""The commands suggest, puzzle, puzzles and weights: outputs, exit codes, errors."""

import json
import os
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from advisor.cli import _code_of
from aspcircuits import llvm
from command import advisor
from commands import ENTRY, MEASURED, ROOT, environment, run

PUZZLE = "puzzles/chapter3/30.yaml"


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def output(*arguments: str, stdin: bytes = b"", code: int = 0) -> str:
    """What a command prints, which must be fit for a pipe."""
    done = advisor(*arguments, stdin=stdin)
    assert (done.code, done.err) == (code, "")
    assert "\x1b" not in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    return done.out


def object_of(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The JSON object that a command prints on one line."""
    done = advisor(*arguments, "--json")
    assert (done.code, done.err) == (code, "")
    assert done.out.count("\n") == 1
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found


# suggest


def check_score(score: dict[str, Any]) -> None:
    kinds = {"win": {"in"}, "loss": {"in"}, "draw": set(), "heuristic": {"value"}}
    assert score.keys() - {"kind", "proved"} == kinds[score["kind"]]
    assert all(isinstance(score[key], int) for key in ("in", "value") if key in score)


def check_suggestion(found: dict[str, Any]) -> None:
    """The contract with other programs."""
    # There is a chance only where something tells it.
    assert [key for key in found if key != "chance"] == [
        *("game", "turn", "best", "best_names", "score", "depth", "nodes", "leaves", "seconds"),
        *("machine_code", "pv", "plan", "moves"),
    ]
    assert (found["game"], found["best_names"]) == ("connect4", [*map(str, found["best"])])
    assert found["turn"] in ("x", "o")
    for key in ("depth", "nodes", "leaves"):
        assert isinstance(found[key], int)
    assert isinstance(found["seconds"], float)
    for key in ("best", "pv"):
        assert all(isinstance(column, int) for column in found[key])
    check_score(found["score"])
    for move in found["moves"]:
        ahead = [move.pop("ahead")] if "ahead" in move else []
        traced = [move.pop("trace")["value"]] if "trace" in move else ahead
        assert traced == ahead
        assert list(move) == ["column", "row", "score", "fires"]
        check_score(move["score"])
        if move["score"]["kind"] == "heuristic":
            told = ahead or [sum(firing["weight"] for firing in move["fires"])]
            assert [move["score"]["value"]] == told
        for firing in move["fires"]:
            assert list(firing) == ["strategy", "weight", "squares"]
            assert isinstance(firing["strategy"], str)
            assert isinstance(firing["weight"], int)
            assert all(len(square) == 2 for square in firing["squares"])


def test_a_suggestion_as_json() -> None:
    found = object_of("suggest", PUZZLE)
    check_suggestion(found)
    assert (found["turn"], found["best"]) == ("x", [6])
    assert found["score"] == {"kind": "win", "in": 3}
    assert found["pv"][0] == 6
    assert [(move["column"], move["row"]) for move in found["moves"]] == [
        *((1, 1), (2, 4), (3, 1), (4, 4), (5, 4), (6, 3), (7, 2))
    ]


@pytest.mark.parametrize("asked", [("4453",), ("", "--game", "breakthrough")])
def test_a_suggestion_by_several_threads_is_the_same(asked: tuple[str, ...]) -> None:
    options = ("--depth", "4", "--json", "--jobs")
    found, alone = (json.loads(advisor("suggest", *asked, *options, n).out) for n in (3, 1))
    for effort in ("seconds", "nodes", "leaves", "added", "machine_code"):
        found.pop(effort, None)
        alone.pop(effort, None)
    assert found == alone


def test_exact_scores_by_several_threads_are_the_same() -> None:
    asked = ("solve", "44554433", "--size", "6x5", "--columns", "--json", "--jobs")
    both, alone = (advisor(*asked, jobs) for jobs in (2, 1))
    found, expected = json.loads(both.out), json.loads(alone.out)
    assert (found["score"], found["columns"]) == (expected["score"], expected["columns"])
    assert ("note: --jobs 2" in both.err) != llvm.available()
    assert alone.err == ""


def test_a_suggestion_without_looking_ahead_as_json() -> None:
    found = object_of("suggest", "112233", "--depth", "0")
    check_suggestion(found)
    assert (found["depth"], found["nodes"], found["leaves"]) == (0, 0, 0)
    assert found["best"] == [4]
    (win,) = (f for f in found["moves"][3]["fires"] if f["strategy"] == "win")
    assert win["squares"] == [[1, 1], [1, 2], [1, 3], [1, 4]]


def test_a_finished_game_as_json_suggests_nothing() -> None:
    found = object_of("suggest", "1122334")
    assert found.pop("winner") == "x"
    check_suggestion(found)
    assert (found["best"], found["moves"], found["score"]) == ([], [], {"kind": "loss", "in": 0})


def test_a_suggestion_shows_the_board_the_move_and_the_reasons() -> None:
    shown = output("suggest", PUZZLE, "--explain")
    assert "x (red) to move" in shown
    assert "  3 . x . x x . .\n" in shown
    assert "    1 2 3 4 5 6 7\n    a b c d e f g\n" + 14 * " " + "^\n" in shown
    assert "\nPlay column 6: wins in 3.\n" in shown
    header = ["column", "row", "score", "outcome", "strategies"]
    assert header in [line.split() for line in shown.splitlines()]
    assert "\nColumn 6 wins in 3 moves" in shown


def test_ties_are_all_named() -> None:
    shown = output("suggest", "44444", "--depth", "0", "--weights", "original")
    # Column 4 has one square left, in the middle.
    assert "\nPlay column 4.\n" in shown
    shown = output("suggest", "444444", "--depth", "0", "--weights", "original")
    assert "\nPlay column 1, 2, 3, 5, 6 or 7 (equally good).\n" in shown


def test_no_color_is_taken() -> None:
    assert output("suggest", "4", "--depth", "1", "--no-color").startswith("'4': o (yellow)")


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("1122334", "x (red) has won on a1-d1."),
        ("112233", None),
        ("7172737", "x (red) has won on g1-g4."),
    ],
)
def test_a_finished_game_says_who_won_with_which_line(moves: str, line: str | None) -> None:
    shown = output("suggest", moves, "--depth", "1")
    assert ("The game is over" in shown) == (line is not None)
    assert ("Play column" in shown) == (line is None)
    if line:
        assert line in shown


def test_a_drawn_game() -> None:
    picture = b"width: 2\nheight: 2\nmoves: '1122'\n"
    shown = output("suggest", "-", stdin=picture)
    assert "The game is over: a draw." in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    "stdin", [b"4453", b"...../x....\n", b"board: |\n  .......\n" + 5 * b"  .......\n"]
)
def test_boards_come_from_standard_input_too(stdin: bytes) -> None:
    done = run("suggest", "-", "--depth", "1", stdin=stdin)
    if b"/" in stdin:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: stdin: 2 rows (expected 6")
    else:
        assert (done.returncode, done.stderr) == (0, "")


def test_a_board_wider_than_the_terminal_keeps_its_rows() -> None:
    picture = b"width: 30\nheight: 4\nmoves: '1,2,3'\n"
    done = run("suggest", "-", "--depth", "0", stdin=picture)
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("  1 "))
    assert row.split() == ["1", "x", "o", "x", *(27 * ["."])]


# puzzle and puzzles


def test_the_hardest_puzzle_is_replayed() -> None:
    shown = output("puzzle", "chapter5/15")
    lines = shown.splitlines()
    assert lines[0] == "chapter5/15: x (red) to move and win in 5"
    assert lines[-1] == "solved in 5 moves (book: 5)"
    boards = [i for i, line in enumerate(lines) if line == "    1 2 3 4 5 6 7"]
    assert len(boards) == 1 + (2 * 5 - 1)
    moves = [line for line in lines if " plays column " in line]
    assert [move.split()[0] for move in moves] == [
        *("1.", "1...", "2.", "2...", "3.", "3...", "4.", "4...", "5.")
    ]
    assert moves[0].startswith("1. red plays column 4: wins in 5")
    assert all(": " in move for move in moves)
    assert "completes a line" in moves[-1]


def test_a_puzzle_as_json() -> None:
    found = object_of("puzzle", "chapter1/15")
    assert list(found) == [
        *("id", "win_in", "solved", "moves_used", "first_move", "line", "seconds")
    ]
    assert (found["id"], found["solved"]) == ("chapter1/15", True)
    assert found["moves_used"] == found["win_in"] == 1
    assert found["line"] == [found["first_move"]]


def test_a_puzzle_that_is_not_solved_exits_with_1() -> None:
    found = object_of("puzzle", "chapter3/30", "--depth", "0", "--weights", "original", code=1)
    assert found["solved"] is False
    shown = output("puzzle", "chapter3/30", "--depth", "0", "--weights", "original", code=1)
    assert shown.splitlines()[-1].startswith("not solved: ")


def test_the_puzzles_of_a_chapter() -> None:
    shown = output("puzzles", "--chapter", "1")
    rows = [line.split() for line in shown.splitlines()]
    assert rows[0] == ["chapter", "puzzles", "solved", "seconds", "missed"]
    assert rows[1][:3] == ["chapter1", "15", "15"]
    assert rows[1][-1] == "none"
    assert shown.splitlines()[-1].startswith("15 of 15 solved in ")


def test_the_puzzles_as_json_with_the_extra_ones() -> None:
    found = object_of("puzzles", "--chapter", "1", "--extra")
    assert list(found) == ["total", "solved", "seconds", "puzzles"]
    assert (found["total"], found["solved"]) == (30, 30)
    assert {tuple(puzzle) for puzzle in found["puzzles"]} == {
        ("id", "win_in", "solved", "moves_used", "first_move", "line", "seconds")
    }


def test_one_missed_puzzle_exits_with_1() -> None:
    found = object_of("puzzles", "--chapter", "3", "--depth", "1", code=1)
    assert found["solved"] < found["total"] == 30


# Errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["suggest", "44444445"], "'44444445': move 7: column 4 is full (6 discs)"),
        (["suggest", "48"], "'48': move 2: column 8 is out of range (use 1 to 7)"),
        (["suggest", "none.yaml"], "none.yaml: no such file"),
        (["suggest", "puzzles"], None),
        (["suggest", PUZZLE, "--weights", "nope"], None),
        (["solve"], None),
        (["weights", "4"], None),
        (
            ["suggest", "4", "--depth", "x"],
            "Invalid value for '--depth': 'x' found, should be a whole number",
        ),
        (
            ["play", "--first", "z"],
            "Invalid value for '--first': 'z' is not one of 'me', 'advisor'.",
        ),
        (
            ["play", "--level", "21"],
            "Invalid value for '--level': '21' found, should be less than or equal to 20",
        ),
        (["suggest", "4", "--depth", "-1"], None),
        (["suggest", "4", "--nope"], None),
        (
            ["sugest", "4"],
            "advisor: no command 'sugest' (did you mean suggest? advisor --help lists all)",
        ),
        (
            ["game", "chek"],
            "advisor game: no command 'chek' (did you mean check? advisor game --help lists all)",
        ),
        (
            ["suggest", "", "--game", "hex", "--const", "size=1234567"],
            "--const: expected NAME=NUMBER such as size=5, not 'size=1234567' "
            "(numbers from 0 to 999999)",
        ),
        (["puzzle", "chapter6/1"], None),
        (["puzzles", "--chapter", "6"], "no chapter 6 (use 1, 2, 3, 4, 5)"),
        (["weights", "--weights", "none.yaml"], "none.yaml: no such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_earns_one_line_and_code_2(arguments: list[str], message: str | None) -> None:
    done = advisor(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("error: ")
    if message:
        assert done.err == f"error: {message}\n"


def test_an_encoding_that_is_no_program_exits_with_3(tmp_path: Path) -> None:
    (tmp_path / "bad.lp").write_text("fires(corner, move(R, C)) :- valid_move(R, C)\n")
    (tmp_path / "my.yaml").write_text("extends: default\nencodings: {extra: [bad.lp]}\n")
    done = run("suggest", "4", "--weights", "my.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(
        "error: bad.lp:1: the statement that begins here has no full stop"
    )
    assert done.stderr.count("\n") == 1


def test_an_encoding_that_breaks_the_contract_exits_with_3(tmp_path: Path) -> None:
    (tmp_path / "own.lp").write_text("{ guess }.\nfeature(lucky, 1, guess) :- guess.\n")
    (tmp_path / "my.yaml").write_text(
        "extends: default\nencodings: {extra: [own.lp]}\nfeatures: {lucky: 1}\n"
    )
    done = run("suggest", "4", "--weights", "my.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: own.lp:1: '{ guess }.': a choice would leave open")


def test_a_process_of_its_own_ends_with_the_same_codes_and_outputs() -> None:
    for arguments, code in ((["suggest", PUZZLE, "--json"], 0), (["sugest", "4"], 2)):
        own, here = run(*arguments), advisor(*arguments)
        assert own.returncode == here.code == code
        assert own.stderr == here.err
        differs = rf'("(?:{"|".join(MEASURED)})": )[\w.]+'
        shown, expected = (re.sub(differs, r"\1", o) for o in (own.stdout, here.out))
        assert shown == expected


@pytest.mark.parametrize("group", ["bench", "game"])
def test_a_group_without_a_command_asks_for_its_help(group: str) -> None:
    assert advisor(group) == advisor(group, "--help")
    assert advisor(group).code == 0


def test_no_arguments_ask_for_the_help() -> None:
    shown = output()
    assert shown.startswith("Usage: ")
    assert {"suggest", "puzzle", "puzzles", "weights"} <= set(shown.split())


@pytest.mark.parametrize("arguments", [["suggest", "4", "--depth", "1"], ["weights"]], ids=" ".join)
def test_a_closed_pipe_is_no_failure(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*ENTRY, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment(),
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("closed", "arguments", "expected"),
    [
        (">&-", ["moves"], (0, "", "")),
        (">&-", ["draw", "44", "-o", "-"], (0, "", "")),
        ("<&-", ["moves", "-"], (2, "", "error: stdin: is empty\n")),
        ("2>&-", ["moves", "8"], (2, "", "")),
    ],
)
def test_a_stream_that_is_closed_is_an_empty_one(
    closed: str, arguments: list[str], expected: tuple[int, str, str]
) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *ENTRY, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment(), check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == expected


def test_what_a_terminal_has_no_bytes_for_is_printed_all_the_same() -> None:
    command = [*ENTRY, "moves", "--game", "chess", "7k/8/6KP/8/8/8/8/8 w - - 0 1", "--boards"]
    environ = {**environment(), "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, cwd=ROOT, env=environ, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u265a" in done.stdout  # the black king


def test_no_name_puts_a_table_out_of_line(tmp_path: Path) -> None:
    for name in ("a", "b\nc", "\u265a"):
        (tmp_path / f"{name}.yaml").write_text("extends: default\n")
    command = [*ENTRY, "tournament", tmp_path, "--depth", "0", "--games", "2"]
    environ = {**environment(), "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, cwd=ROOT, env=environ, check=False)
    table, _, alike = done.stdout.rpartition(b"\n\n")
    assert alike.endswith(b": these files say the same.\n")
    _, _, head, *rows = table.splitlines()
    names = {row.split()[1]: row[: head.index(b"points")] for row in rows}
    assert names.keys() == {b"a", rb"b\nc", rb"\u265a"}
    assert all(beginning.endswith(b"  ") for beginning in names.values())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["weights"], ["solve", "44", "--size", "4x4"]], ids=" ".join)
def test_a_full_disk_earns_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*ENTRY, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            # Without it Python writes at once; with a buffer it tries again when it exits.
            env={k: v for k, v in environment().items() if k != "PYTHONUNBUFFERED"},
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"error: output: No space left on device\n"


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_a_folder_that_takes_no_files_is_told_before_the_work() -> None:
    done = advisor("quiz", "chapter1/1", "--progress", "/proc/mine")
    told = "error: /proc/mine: cannot be written (No such file or directory)\n"
    assert (done.code, done.out, done.err) == (2, "", told)


def test_a_server_that_cannot_start_says_so() -> None:
    # Its workers are started by the program that Python says it is.
    program = "import sys; sys.executable = '/bin/false'; from advisor.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "error: the page cannot be served: its workers do not start"
    )


@pytest.mark.parametrize(("code", "expected"), [(3, 3), ("broken", 1), (None, 0)])
def test_an_exit_keeps_its_code(
    code: int | str | None, expected: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _code_of(SystemExit(code)) == expected
    assert capsys.readouterr().err == ("error: broken\n" if code == "broken" else "")


def test_the_empty_board_is_solved_where_a_size_or_a_time_is_given() -> None:
    assert "score 0: draws" in output("solve", "--size", "4x4")
    done = advisor("solve", "--time", "0.1")
    assert (done.code in (0, 1), done.err.count("error")) == (True, 0)
    done = advisor("solve")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: BOARD is missing (use '' for the empty board")


def test_a_width_of_0_is_none() -> None:
    environ = {**environment(), "COLUMNS": "0"}
    command = [*ENTRY, "suggest", "4453", "--depth", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environ)
    assert "Play column 3, 6 or 7" in done.stdout


def test_weights_of_a_game_without_any_are_called_the_default() -> None:
    told = output("weights", "--game", "tictactoe")
    assert told.startswith("# The effective settings of default.\n")


def test_the_version() -> None:
    done = advisor("--version")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"advisor \d+\.\d+\.\d+\n", done.out)


@pytest.mark.parametrize("group", [[], ["bench"]])
def test_the_lists_of_commands_fit_a_terminal(group: list[str]) -> None:
    done = advisor(*group, "--help")
    assert done.code == 0
    listed = done.out.partition("--help")[2]
    assert listed
    assert "..." not in listed


def has_all_plugins() -> bool:
    """Whether no plugin is missing that the documents know of."""
    known = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "plugins.md").read_text(), re.MULTILINE)
    return all((ROOT / "advisor" / "plugins" / name).is_dir() for name in known)


def test_the_page_of_commands_is_what_help_prints() -> None:
    spec = spec_from_file_location("commands_page", ROOT / "docs" / "commands.py")
    assert spec is not None
    assert spec.loader is not None
    pages = module_from_spec(spec)
    spec.loader.exec_module(pages)
    text, printed = pages.PAGE.read_text(), pages.page()
    if has_all_plugins():
        assert text == printed, "run: python docs/commands.py"
    told, known = ({" ".join(x.split()) for x in each.splitlines()} for each in (printed, text))
    assert told <= known
    assert advisor("solve", "--help").out.strip() in text
    assert not re.search(r"\w\.\.\.$", text, re.MULTILINE), "a summary is cut off"


@pytest.mark.slow
def test_a_shell_completes_commands_and_options() -> None:
    for words, expected in (("advisor su", "suggest"), ("advisor suggest --we", "--weights")):
        asked = {
            "_ADVISOR_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        }
        done = subprocess.run(
            ENTRY,
            env={**environment(), **asked},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.split() == [expected], done.stderr


def test_facts_come_on_standard_input_too() -> None:
    facts = b"% mine\ncell(1,1,4).\ncell(2,2,4). turn(1).\n"
    done = advisor("suggest", "-", "--depth", "1", "--json", stdin=facts)
    assert (done.code, done.err) == (0, "")
    same = advisor("suggest", "44", "--depth", "1", "--json")
    assert json.loads(done.out)["moves"] == json.loads(same.out)["moves"]


def test_moves_without_commas_on_a_wide_board_get_a_hint() -> None:
    done = advisor("draw", "44", "--size", "12x9", "-o", "-")
    assert done.code == 2
    assert done.err == (
        "error: '44': move 1: column 44 is out of range (use 1 to 12); commas separate the moves "
        "on a board wider than 9: 4,4\n"
    )


def test_a_strategy_without_weight_is_not_told(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("extends: default\nmoves: {center: {0: 0}}\n")
    done = advisor("suggest", "", "--depth", "0", "--weights", mine, "--json")
    fired = {each["strategy"] for move in json.loads(done.out)["moves"] for each in move["fires"]}
    assert fired
    assert "center(0)" not in fired
