"""Every reader answers hostile texts with one line, within bounds of memory and time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import ROOT, environment
from hostile import READERS, texts


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
    endings = [json.loads(line) for line in done.stdout.splitlines()]
    assert [ending["text"] for ending in endings] == [*texts(reader.valid)]
    for ending in endings:
        assert ending["code"] in (0, 2, 3), ending
        assert "Traceback" not in ending["told"], ending
        told = [line for line in ending["told"].splitlines() if not line.startswith("note: ")]
        assert len(told) == (ending["code"] != 0), ending
