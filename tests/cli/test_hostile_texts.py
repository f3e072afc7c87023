"""Every reader answers hostile texts with one line, within bounds of memory and time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import ROOT, environment
from hostile import LINES, MEGABYTES, READERS, given


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_hostile_text_ends_in_one_line(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "hostile.py", name],
        cwd=tmp_path,
        env=environment() | paths,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    *lines, megabytes = done.stdout.splitlines()
    assert int(megabytes) < MEGABYTES
    endings = [json.loads(line) for line in lines]
    assert [ending["text"] for ending in endings] == [*given(reader)]
    for ending in endings:
        assert ending["code"] in (0, 2, 3), ending
        assert "Traceback" not in ending["told"], ending
        told = [line for line in ending["told"].splitlines() if not line.startswith("note: ")]
        assert bool(told) == (ending["code"] != 0), ending
        assert len(told) <= (LINES if reader.converses else 1), ending
