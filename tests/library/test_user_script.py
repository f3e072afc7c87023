"""A user's program that names all that is public: its types are right, and it runs."""

import re
import subprocess
import sys
import typing
from inspect import isfunction
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import advisor
from commands import ROOT, environment

SCRIPT = Path(__file__).with_name("user_script.py")

pytestmark = pytest.mark.skipif(
    "prove" not in advisor.__all__, reason="it names what plugins bring, too"
)


def named_types(annotation: Any) -> set[type]:
    """The types of the advisor in an annotation."""
    if parts := typing.get_args(annotation):
        return {each for part in parts for each in named_types(part)}
    module = getattr(annotation, "__module__", "")
    return {annotation} if module.partition(".")[0] in ("advisor", "aspcircuits") else set()


def test_what_a_public_function_returns_or_raises_is_public() -> None:
    public = {getattr(advisor, name) for name in advisor.__all__}
    for found in filter(isfunction, public):
        scope = {"Threats": advisor.Threats}
        assert named_types(typing.get_type_hints(found, scope)["return"]) <= public, found
        for error in re.findall(
            r"\b[A-Z]\w+Error\b", (found.__doc__ or "").partition("Raises:")[2]
        ):
            assert error in advisor.__all__, found


def test_the_script_names_all_that_is_public() -> None:
    named = {*re.findall(r"advisor\.(\w+)", SCRIPT.read_text())}
    assert named == {*advisor.__all__, "compile"}


@pytest.mark.slow
def test_the_script_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def answers(program: str) -> bool:
    """Whether a program runs, without waiting long for what it may have to fetch first."""
    try:
        return not subprocess.run(
            [program, "--version"], capture_output=True, timeout=90
        ).returncode
    except subprocess.TimeoutExpired:
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "checker", [["mypy", "--strict", "--no-incremental"], ["pyright", "--warnings"]]
)
def test_the_script_has_the_types_that_it_says(checker: list[str], tmp_path: Path) -> None:
    program = which(checker[0], path=str(Path(sys.executable).parent)) or which(checker[0])
    if program is None or not answers(program):
        pytest.skip(f"{checker[0]} is not installed")  # or pyright finds no node and no network
    told = ["--pythonpath", sys.executable] if checker[0] == "pyright" else []
    done = subprocess.run(
        [program, *checker[1:], *told, SCRIPT],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
