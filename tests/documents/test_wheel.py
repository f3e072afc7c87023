"""The package as it is installed: sdist and wheel, which need no checkout."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from commands import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def run(*command: object, cwd: Path = ROOT) -> str:
    """Runs a command that must succeed, with nothing of the checkout in its surroundings."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout


def newest_python() -> str:
    """The newest Python beside the one that runs the tests, or a skipped test."""
    names = [found for minor in range(11, 30) if (found := shutil.which(f"python3.{minor}"))]
    names += map(str, Path.home().glob(".pyenv/versions/3.*/bin/python"))
    versions = {}
    for name in names:
        ask = (name, "-c", "import sys, venv; print(*sys.version_info[:2])")
        done = subprocess.run(ask, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            versions[tuple(map(int, done.stdout.split()))] = name
    newest = max(versions, default=(0, 0))
    if newest <= sys.version_info[:2]:
        pytest.skip("no newer Python is installed")
    return versions[newest]


def test_version_is_said_alike_everywhere(built: Path) -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    released = re.findall(r"^## (\d\S*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation["version"] == version == released[0]
    assert {file.name for file in built.iterdir()} == {
        f"asp_advisor-{version}.tar.gz",
        f"asp_advisor-{version}-py3-none-any.whl",
    }


def test_sdist_holds_what_the_tests_need(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "Makefile",
        "README.md",
        "advisor/cli/suggest.py",
        "tests/documents/test_wheel.py",
    ):
        assert needed in names
    assert not [name for name in names if name.startswith((".venv", ".git/", ".ci"))]


def test_the_wheel_holds_the_encodings_the_puzzles_the_presets_and_the_solution(
    wheel: Path,
) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (
        ("encodings", "advisor/_data/encodings"),
        ("puzzles", "advisor/_data/puzzles"),
        ("solutions", "advisor/_data/solutions"),
        ("advisor", "advisor"),
        ("aspcircuits", "aspcircuits"),
    ):
        files = [
            f
            for f in (ROOT / folder).rglob("*")
            if f.suffix in (".lp", ".yaml", ".py", ".txt", ".checked")
        ]
        assert files
        assert {f"{inside}/{file.relative_to(ROOT / folder)}" for file in files} <= names
    assert {"advisor/py.typed", "aspcircuits/py.typed", "aspcircuits/README.md"} <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {
        "advisor",
        "asp_advisor",
        "aspcircuits",
    }
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


@pytest.mark.parametrize(
    "find_python", [lambda: sys.executable, newest_python], ids=["this", "newest"]
)
def test_the_wheel_works_in_an_empty_environment(
    wheel: Path, tmp_path: Path, find_python: Callable[[], str]
) -> None:
    python = find_python()
    run(python, "-m", "venv", "--without-pip", tmp_path / "venv")
    scripts = tmp_path / "venv" / "bin"
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python")
    run(*pip, "install", "--quiet", "--no-compile", wheel)
    shown = run(scripts / "advisor", "puzzle", "chapter1/15", cwd=Path("/"))
    assert shown.splitlines()[-1] == "solved in 1 move (book: 1)"
    assert "shrink" in run(scripts / "advisor", "solution", "--help", cwd=Path("/"))


ALONE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "aspcircuits"
version = "0"
dependencies = ["clingo>=5.8,<6", "numpy>=1.26"]
"""


UNTIMED = """
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
"""


def test_the_compiler_passes_its_tests_with_clingo_and_numpy_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "aspcircuits", tmp_path / "package" / "aspcircuits")
    (tmp_path / "package" / "pyproject.toml").write_text(ALONE)
    built = tmp_path / "built"
    run(
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--wheel",
        "-o",
        built,
        cwd=tmp_path / "package",
    )
    (wheel,) = built.glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--quiet", "--no-compile", wheel, "pytest", "hypothesis")
    shutil.copytree(ROOT / "tests" / "aspcircuits", tmp_path / "tests")
    (tmp_path / "tests" / "conftest.py").write_text(UNTIMED)
    quick = "-m", "not slow", "-o", "markers=slow: takes long"
    told = run(python, "-m", "pytest", "-q", *quick, tmp_path / "tests", cwd=tmp_path)
    assert "passed" in told
    installed = run(*pip, "list", "--format=freeze").lower()
    assert "aspcircuits" in installed
    assert not re.search("asp-advisor|llvmlite|numba|pyyaml|pydantic", installed)
