"""Processes with bounds: who takes too much is ended, and the bound is named."""

import time
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.plugins.classroom import bounded


def burn() -> None:
    while True:
        pass


def rest(seconds: float) -> str:
    time.sleep(seconds)
    return "rested"


def write(folder: str, size: int) -> None:
    (Path(folder) / "written").write_bytes(bytes(size))


def test_bounds_are_of_the_processor_and_name_who_takes_too_much() -> None:
    """A machine that is busy with others shortens nobody's time; each player has its own."""
    slow = bounded.Confined(bounded.ProcessBounds(seconds=1, patience=60))
    with pytest.raises(InputError, match="needs more than 1 s of processor time"):
        slow.do(burn)
    slow.end()
    waiting = bounded.Confined(bounded.ProcessBounds(seconds=1, patience=60))
    assert waiting.do(rest, 2.5) == "rested"
    waiting.end()
    patient = bounded.Confined(bounded.ProcessBounds(patience=1))
    with pytest.raises(InputError, match="needs more than 1 s "):
        patient.do(rest, 60)
    patient.end()


def test_a_process_with_bounds_writes_no_large_file(tmp_path: Path) -> None:
    process = bounded.Confined(bounded.ProcessBounds(file=1_000), tmp_path)
    with pytest.raises(InputError, match="cannot be used"):
        process.do(write, 10_000)
    process.end()
    assert (tmp_path / "written").stat().st_size <= 1_000
