"""The package as it is installed: a wheel that needs no checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from commands import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def run(*command: object, cwd: Path = ROOT) -> str:
    """Runs a command that must succeed, with nothing of the checkout in its surroundings."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


def test_the_wheel_holds_the_encodings_the_puzzles_the_presets_and_the_solution(
    wheel: Path,
) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (
        ("encodings", "advisor/_data/encodings"),
        ("puzzles", "advisor/_data/puzzles"),
        ("solutions", "advisor/_data/solutions"),
        ("advisor", "advisor"),
    ):
        files = [
            f
            for f in (ROOT / folder).rglob("*")
            if f.suffix in (".lp", ".yaml", ".py", ".txt", ".checked")
        ]
        assert files
        assert {f"{inside}/{file.relative_to(ROOT / folder)}" for file in files} <= names
    assert all(name.startswith(("advisor/", "asp_advisor-")) for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    scripts = tmp_path / "venv" / "bin"
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python")
    run(*pip, "install", "--quiet", "--no-compile", wheel)
    shown = run(scripts / "advisor", "puzzle", "chapter1/15", cwd=Path("/"))
    assert shown.splitlines()[-1] == "solved in 1 move (book: 1)"
