"""The program that scores positions: what it writes, leaves out and refuses."""

import subprocess
import sys
from pathlib import Path

import pytest

import label
from ctrl_c import ctrl_c

GAME = "2252576253462244111563365343671351441"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Its exit code, and what it says of errors; it prints nothing."""
    code = label.main([*map(str, arguments)])
    out, err = capsys.readouterr()
    assert out == ""
    return code, err


def test_processes_share_the_work(tmp_path: Path) -> None:
    source, out = tmp_path / "positions", tmp_path / "labelled"
    source.write_text(f"{GAME} -1\n" * 3)
    command = [sys.executable, label.__file__, source, "-o", out, "--jobs", "2"]
    subprocess.run(command, check=True)
    head, *lines = [line for line in out.read_text().splitlines() if line[0] != "#"]
    assert lines == [head, head]
    assert head.split() == [GAME, *"-----", "-1", "-2"]


def test_finished_games_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "positions", tmp_path / "out"
    file.write_text(f"1212121\n{GAME}\n")
    assert run(capsys, file, "-o", out) == (0, f"note: {file}: line 1: the game is over\n")
    (line,) = [line for line in out.read_text().splitlines() if not line.startswith("#")]
    assert line.startswith(f"{GAME} ")
    out.unlink()
    file.write_text("1212121\n")
    code, err = run(capsys, file, "-o", out)
    assert code == 2
    assert err.splitlines()[-1] == (
        f"error: {file}: every game is over, so there is nothing to score"
    )
    assert not out.exists()


def test_positions_and_another_file_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "positions", tmp_path / "out"
    file.write_text("44\n48\n")
    code, err = run(capsys, file, "-o", out)
    assert code == 2
    assert err.startswith(f"error: {file}: line 2: '48': move 2: column 8 is out of range")
    assert not out.exists()
    file.write_text("121212")
    same = f"error: {file}: is both input and output (choose another file)\n"
    assert run(capsys, file, "-o", file) == (2, same)
    assert file.read_text() == "121212"
    same = f"error: {out}: is both output and resume (choose another file)\n"
    assert run(capsys, file, "-o", out, "--resume", out) == (2, same)
    assert not out.exists()


def test_nothing_is_lost_to_a_journal_of_another_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, journal = tmp_path / "positions", tmp_path / "out", tmp_path / "journal"
    file.write_text(f"{GAME}\n")
    assert run(capsys, file, "-o", out, "--resume", journal) == (0, "")
    before = out.read_text()
    assert before.splitlines()[-1].startswith(f"{GAME} ")
    file.write_text("7422341735647741166133573473242566\n")
    code, err = run(capsys, file, "-o", out, "--resume", journal)
    assert (code, out.read_text()) == (2, before)
    assert "holds a run over other input" in err


def test_ctrl_c_keeps_the_lines_that_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "positions", tmp_path / "labelled"
    source.write_text(f"{GAME}\n" * 3000)
    with ctrl_c("write", lambda local: out.exists() and local.get("head") == ""):
        assert run(capsys, source, "-o", out) == (130, "error: interrupted\n")
    head, *lines = [line for line in out.read_text().splitlines() if line[0] != "#"]
    assert set(lines) <= {head}
    assert len(lines) < 2999
