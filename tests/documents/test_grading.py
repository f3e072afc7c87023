"""The course as students get it, and the points that notebooks get."""

import csv
import importlib
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from commands import ROOT, environment

TEACH = ROOT / "teach"
MODULES = ("checks", "grading", "handing_out", "notebooks")


@pytest.fixture(scope="module")
def course() -> Iterator[dict[str, ModuleType]]:
    """The modules of the course."""
    with pytest.MonkeyPatch.context() as changed:
        changed.syspath_prepend(TEACH)
        changed.setenv("PYTHONPATH", environment()["PYTHONPATH"])
        yield {name: importlib.import_module(name) for name in MODULES}


@pytest.fixture(scope="module")
def written(course: dict[str, ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the students' edition, `course`, and nbgrader's, `nbgrader`."""
    folder = tmp_path_factory.mktemp("build")
    course["handing_out"].write_course(folder / "course")
    course["handing_out"].write_nbgrader(folder / "nbgrader")
    return folder


def solved(written: Path, name: str) -> Path:
    """A notebook with the right answers."""
    return next((written / "nbgrader" / "source").glob(f"{name}-*/*.ipynb"))


def test_students_get_no_solution(written: Path) -> None:
    """The notebooks are the same; no file holds a right answer that is longer than a word."""
    notebooks = sorted(TEACH.glob("*.ipynb"))
    assert notebooks
    for notebook in notebooks:
        assert (written / "course" / notebook.name).read_text() == notebook.read_text()
    files = [file for file in (written / "course").rglob("*") if file.is_file()]
    assert not [file for file in files if file.suffix == ".pyc"]
    text = "\n".join(file.read_text() for file in files)
    handed = yaml.safe_load((TEACH / "solutions" / "1.yaml").read_text())
    handed |= yaml.safe_load((TEACH / "solutions" / "0a.yaml").read_text())
    assert all(answer["right"].strip() not in text for answer in handed.values())
    assert "BEGIN SOLUTION" not in text.replace((TEACH / "handing_out.py").read_text(), "")


def test_what_students_get_is_complete(written: Path) -> None:
    """The grading runs in their folder, with nothing of the checkout but the package."""
    done = subprocess.run(
        [sys.executable, "grading.py", "0a-first-rules.ipynb"],
        cwd=written / "course",
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("0a-first-rules.ipynb: 0 of 6 points\n  0.1 corners: 0 (there is")


@pytest.mark.parametrize(("name", "points"), [("0a", 6), ("1", 3)])
def test_right_answers_get_all_points(
    name: str, points: int, written: Path, course: dict[str, ModuleType], tmp_path: Path
) -> None:
    """Files of JUnit and JSON say this, too."""
    grading = course["grading"]
    right = grading.grade(solved(written, name))
    handed = grading.grade(next(TEACH.glob(f"{name}-*.ipynb")))
    assert (right.points, handed.points) == (points, 0)
    assert [result.number for result in right.results][:2] == [f"{name[0]}.1", f"{name[0]}.2"]
    grading.write_junit([right, handed], tmp_path / "report.xml")
    suites = ET.parse(tmp_path / "report.xml").getroot()
    assert [suite.get("failures") for suite in suites] == ["0", str(points)]
    assert all(suite.get("tests") == str(points) for suite in suites)
    assert len(suites.findall(".//failure")) == points
    grading.write_json([right, handed], tmp_path / "report.json")
    told = json.loads((tmp_path / "report.json").read_text())["notebooks"]
    assert [(each["points"], each["of"]) for each in told] == [(points, points), (0, points)]
    assert told[1]["exercises"][0]["says"].startswith("there is no rule here yet")


@pytest.mark.slow
def test_a_function_is_run_only_if_asked(written: Path, course: dict[str, ModuleType]) -> None:
    lesson = solved(written, "4")
    first, _ = course["grading"].grade(lesson).results
    assert first.says == (
        "probability has no plain value in the cell of this exercise (a function needs --run)"
    )
    assert first.points == 0
    first, _ = course["grading"].grade(lesson, run=True).results
    assert first.points == 1


def test_a_changed_notebook_gains_nothing(
    written: Path, course: dict[str, ModuleType], tmp_path: Path
) -> None:
    """Code of a notebook is not run, other checks do not count, and a missing cell has no point."""
    held = json.loads(solved(written, "1").read_text())
    marker = tmp_path / "run"
    cells = [each for each in held["cells"] if "checks.mirrored" not in "".join(each["source"])]
    code = {"cell_type": "code", "id": "x", "metadata": {}, "execution_count": None, "outputs": []}
    cells.insert(1, {**code, "source": f"open({str(marker)!r}, 'w')\nchecks = None"})
    cells.append({**code, "source": "full_column = 'a' + 'b'\nchecks.full_column(full_column)"})
    (tmp_path / "1-anna.ipynb").write_text(json.dumps({**held, "cells": cells}))
    results = course["grading"].grade(tmp_path / "1-anna.ipynb", run=False).results
    assert [(result.check, result.points) for result in results] == [
        ("full_column", 0),
        ("mirrored", 0),
        ("two_plies", 1),
    ]
    assert results[1].says == "its cell is missing"
    assert not marker.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file or directory"),
        ("{", "is no notebook (it holds no JSON)"),
        ("[]", "is no notebook (it holds no list of cells)"),
        ('{"cells": []}', "has no exercise of this course"),
    ],
)
def test_other_files_are_refused(
    content: str | None, says: str, course: dict[str, ModuleType], tmp_path: Path
) -> None:
    file = tmp_path / "a.ipynb"
    if content is not None:
        file.write_text(content)
    with pytest.raises(course["notebooks"].NotebookError) as refused:
        course["grading"].grade(file)
    assert str(refused.value) == f"{file}: {says}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nbgrader") is None, reason="needs nbgrader and ipykernel")
@pytest.mark.parametrize("name", ["0b", "1", "7"])
def test_nbgrader_gives_the_points(
    name: str, written: Path, course: dict[str, ModuleType], tmp_path: Path
) -> None:
    """It generates an assignment without solutions, and marks right and empty answers."""
    place = tmp_path / "class"
    shutil.copytree(written / "nbgrader", place)
    source = solved(written, name)
    assignment = source.parent.name
    environ = {**environment(), "HOME": str(tmp_path)}
    environ["JUPYTER_PATH"] = os.pathsep.join([str(Path(sys.prefix) / "share" / "jupyter")])

    def command(*arguments: str) -> None:
        done = subprocess.run(
            ["nbgrader", *arguments],
            cwd=place,
            env=environ,
            text=True,
            capture_output=True,
            check=False,
        )
        assert not done.returncode, done.stderr

    command("generate_assignment", assignment, "--create")
    released = place / "release" / assignment
    text = (released / source.name).read_text()
    assert "SOLUTION" not in text
    assert "Complete the answer above" in text
    shutil.copytree(released, place / "submitted" / "empty" / assignment)
    shutil.copytree(released, place / "submitted" / "right" / assignment)
    shutil.copy(source, place / "submitted" / "right" / assignment)
    command("autograde", assignment)
    command("export")
    with (place / "grades.csv").open() as file:
        marks = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {name: float(row["raw_score"]) for name, row in marks.items()} == {
        "empty": 0,
        "right": float(marks["right"]["max_score"]),
    }
    assert float(marks["right"]["max_score"]) == len(course["grading"].grade(source).results)
