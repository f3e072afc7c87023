"""The command `aspcircuits`."""

import subprocess
import sys
from pathlib import Path

import pytest

from aspcircuits.__main__ import main

TEXT = """
#external in(1..3).
two :- 2 { in(X) }.
:- in(1), in(2).
#show two/0.
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "program.lp").write_text(TEXT)
    return str(tmp_path / "program.lp")


def test_rows_of_a_file_are_evaluated(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.csv").write_text("in(2),in(1),in(3)\n1,1,0\n0,0,1\n0,1,1\n")
    asked = ["eval", program, "--consistent", "--rows", str(tmp_path / "rows.csv")]
    assert main(asked) == 0
    assert capsys.readouterr().out == "two,consistent\n1,0\n0,1\n1,1\n"


def test_the_circuit_is_described_and_written(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", program, "--consistent"]) == 0
    assert capsys.readouterr().out.startswith("3 inputs, 2 outputs\n")
    for name, begin in (("aiger", b"aag "), ("wasm", b"\0asm"), ("blif", b"# i0 = in(1)")):
        target = tmp_path / name
        asked = ["compile", program, "--consistent", "--to", name, "-o", str(target)]
        assert main(asked) == 0
        assert target.read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["compile", "{}"], 3, "is a constraint"),
        (["compile", "{}", "--const", "n=x"], 2, "--const n=x: is not NAME=NUMBER"),
        (["compile", "none.lp"], 2, "none.lp: no such file"),
        (["eval", "{}", "--consistent", "--rows", "none.csv"], 2, "none.csv: cannot be read"),
        (["compile", "{}", "--consistent", "--to", "c", "-o", "no/where"], 2, "cannot be written"),
    ],
)
def test_a_mistake_is_one_line(
    program: str, capsys: pytest.CaptureFixture[str], words: list[str], code: int, told: str
) -> None:
    assert main([word.format(program) for word in words]) == code
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("in(1),in(2)\n", "line 1: 'in(3)' is missing (use the header in(1),in(2),in(3))"),
        ("in(1),in(2),in(4)\n", "line 1: 'in(4)' is no input"),
        ("in(1),in(2),in(3),in(3)\n", "line 1: an input stands there twice"),
        ("in(1),in(2),in(3)\n1,1\n", "line 2: expected 3 values of 0 or 1"),
        ("in(1),in(2),in(3)\n1,1,1\n1,2,1\n", "line 3: expected 3 values of 0 or 1"),
        ("", "line 1: 'in(1)' is missing"),
    ],
)
def test_wrong_rows_are_named_by_their_line(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, told: str
) -> None:
    (tmp_path / "rows.csv").write_text(rows)
    assert main(["eval", program, "--consistent", "--rows", str(tmp_path / "rows.csv")]) == 2
    assert f"rows.csv: {told}" in capsys.readouterr().err


def test_the_module_is_a_command(program: str) -> None:
    asked = (sys.executable, "-P", "-m", "aspcircuits", "compile", program, "--consistent")
    ran = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert "gates on" in ran.stdout


def test_why_is_asked_of_a_file(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", program, "--atom", "two", "--given", "in(2)", "in(3)"]) == 0
    assert main(["why", program, "--atom", "two", "--given", "in(2)", "--given", "in(3)"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("two holds:\n  two :- 2 { in(X) }.")
    assert told.count("two holds:") == 2
    assert main(["why", program, "--given", "in(1)", "in(2)", "--json"]) == 0
    assert '"answer": "no answer set"' in capsys.readouterr().out
