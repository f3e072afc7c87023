"""`advisor doctor`: what it says of packages, of machine code and of itself."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from advisor import extras
from advisor.cli import screen
from advisor.files.resources import ENCODINGS
from advisor.lab import doctor
from command import advisor
from commands import ENTRY, ROOT, environment, run
from ctrl_c import ctrl_c

needs_fast = pytest.mark.skipif(find_spec("numba") is None, reason="needs the extra fast")


def diagnosed(
    *arguments: str, before: str = "", without: tuple[str, ...] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command in surroundings of its own, looking at the smallest game."""
    surroundings = environment() | variables
    return subprocess.run(
        [*ENTRY[:2], before + ENTRY[2], "doctor", "--game", "tictactoe", *arguments],
        env={name: value for name, value in surroundings.items() if name not in without},
        cwd=ROOT,
        text=True,
        capture_output=True,
        check=False,
    )


def test_the_extras_are_those_that_can_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {
        extra: {name.partition(">")[0] for name in names}
        for extra, names in {
            "": project["dependencies"],
            **project["optional-dependencies"],
        }.items()
        if extra not in ("dev", "site")  # for developers
    }
    assert wanted.pop("") == {*doctor.PACKAGES.values()}
    found = {extra: {*packages.values()} for extra, packages in extras.EXTRAS.items()}
    assert found.pop("fast") - {"llvmlite"} == wanted.pop("fast")  # which numba brings along
    assert found == wanted


@pytest.mark.parametrize("name", ["bitbully", "scipy"])
@pytest.mark.parametrize("made", ["folder", "package", "module"])
def test_nothing_in_the_current_folder_is_an_optional_package(
    tmp_path: Path, name: str, made: str
) -> None:
    if made == "module":
        (tmp_path / f"{name}.py").touch()
    else:
        (tmp_path / name).mkdir()
        if made == "package":
            (tmp_path / name / "__init__.py").touch()
    code = "import sys, aspcircuits.installed as i; print(i.is_installed(sys.argv[1]))"
    there = find_spec(name) is not None and made == "folder"  # to Python the package comes first
    for folder in (tmp_path, tmp_path.parent):
        done = subprocess.run(
            [sys.executable, "-c", code, name],
            env=environment(),
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert (done.stdout, done.stderr) == (f"{there}\n", "")
        there = find_spec(name) is not None


@pytest.mark.slow
def test_kept_files_that_are_not_read_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "asp-advisor"
    folder.mkdir(mode=0o700)
    (folder / ("0" * 64)).write_bytes(b"by an older version")
    (folder / ".temporary").write_bytes(b"half")
    done = diagnosed(XDG_CACHE_HOME=str(tmp_path))
    assert "\nNot read, and removed or made again in time: 1 of other versions, 1 damaged\n" in (
        done.stdout
    )


@pytest.mark.slow
def test_a_package_that_does_not_work_is_told_with_its_reason(tmp_path: Path) -> None:
    metadata = tmp_path / "cairosvg-9.9.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: cairosvg\nVersion: 9.9\n")
    (tmp_path / "cairosvg.py").write_text("raise OSError('no library called cairo')\n")
    path = os.pathsep.join((str(tmp_path), environment()["PYTHONPATH"]))
    done = diagnosed(PYTHONPATH=path, XDG_CACHE_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r"^png +cairosvg 9.9 +does not work *$", done.stdout, re.MULTILINE)
    assert "\ncairosvg: OSError: no library called cairo\n" in done.stdout
    assert "wrong" not in done.stdout
    lines = [line for line in done.stdout.splitlines() if str(tmp_path) not in line]
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_without_the_extra_it_says_how_to_install_it() -> None:
    gone = "import sys; sys.modules['llvmlite'] = None; "
    done = diagnosed("--json", before=gone, without=("HOME", "XDG_CACHE_HOME"))
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert done.returncode == any(each["failure"] for each in found["packages"])
    assert found["machine_code"] == []
    assert [each["failure"] for each in found["tests"]] == ["", "", ""]
    refused = diagnosed("--compile", before=gone)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == ("error: --compile: needs the extra fast (pip install numba)\n")


@needs_fast
def test_nothing_is_made_that_cannot_be_kept() -> None:
    done = diagnosed("--compile", XDG_CACHE_HOME="/proc")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing can be kept" in done.stderr


@needs_fast
def test_what_is_missing_is_made_and_found_afterwards(tmp_path: Path) -> None:
    text = (ENCODINGS / "tictactoe" / "rules.lp").read_text()
    (tmp_path / "rules.lp").write_text(f"% {tmp_path}\n{text}")  # not in the cache yet
    *_, wanted = doctor.codes([str(tmp_path)])
    states = [doctor.look(wanted, make) for make in (False, True, False)]
    assert [code and code.state for code in states] == ["missing", "there", "there"]


def test_what_did_long_work_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert screen.name_code(True, 0.1) == screen.name_code(False, 0.1) == ""
    assert screen.name_code(True, 2) == " by machine code"
    assert screen.name_code(False, 2).startswith(" by NumPy")
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert screen.name_code(False, 2) == " by NumPy (the extra fast is not installed)"


def test_there_is_no_such_game() -> None:
    done = run("doctor", "--game", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("error: 'nowhere' is neither a game")


@pytest.mark.slow
@needs_fast
def test_ctrl_c_tells_what_is_known() -> None:
    with ctrl_c("_find_values"):
        done = advisor("doctor", "--game", "tictactoe")
    assert done.code == 130
    assert re.fullmatch(
        r"error: interrupted: \d of 14 kinds of machine code are there\n", done.err
    ), done.err
    assert re.search(r"^the look-ahead +(there|missing) *$", done.out, re.MULTILINE)
    assert "self-test" not in done.out
