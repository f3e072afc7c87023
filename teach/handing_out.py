"""Builds the students' edition of the course, also as assignments for nbgrader.

    python handing_out.py ../build/course ../build/nbgrader

The first folder holds the notebooks without outputs and what they import, but no solutions. The
second one is a course of nbgrader: an assignment for each notebook, with the right answers between
nbgrader's marks for solutions, and a cell after each exercise that gives a point. It is written
only if it is named.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

import notebooks
from notebooks import FOLDER, Exercise

_SHARED = ("course.py", "ladder.py", "notebooks.py", "grading.py", "checks", "found")
"""What the notebooks need beside them."""

_README = """\
# The course

Install the packages `asp-advisor` and `notebook`, then run `jupyter notebook` in this folder and
open `0a-first-rules.ipynb`, or `1-one-rule.ipynb` if you have met answer set programming before.

`python grading.py 1-one-rule.ipynb` says how many points your answers to a lesson get.
"""

_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "answer-set-programming"
# The skeleton of an answer stays above this line, for the student to complete.
c.ClearSolutions.code_stub = {"python": "# Complete the answer above this line."}
c.ClearSolutions.enforce_metadata = True
"""


def write_course(folder: Path) -> None:
    """Write the students' edition; a folder that is there is replaced.

    Args:
        folder: gets the notebooks without outputs, what they import, and a README.md.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _copy_shared(folder)
    for file in notebooks.handed_out():
        _write_notebook(_without_outputs(notebooks.read_notebook(file)), folder / file.name)
    (folder / "README.md").write_text(_README)


def write_nbgrader(folder: Path) -> None:
    """Write a course of nbgrader; a folder that is there is replaced.

    Args:
        folder: gets ``nbgrader_config.py``, and in ``source`` a folder for each notebook.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(_CONFIG)
    for file in notebooks.handed_out():
        assignment = folder / "source" / file.stem
        assignment.mkdir(parents=True)
        _copy_shared(assignment)
        held = _without_outputs(notebooks.read_notebook(file))
        number = file.stem.partition("-")[0]
        right = yaml.safe_load((FOLDER / "solutions" / f"{number}.yaml").read_text())
        cells = [made for cell in held["cells"] for made in _convert_cell(cell, right)]
        _write_notebook({**held, "cells": cells}, assignment / file.name)


def _copy_shared(folder: Path) -> None:
    for name in _SHARED:
        if (FOLDER / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(FOLDER / name, folder / name, ignore=ignored)
        else:
            shutil.copy(FOLDER / name, folder)


def _without_outputs(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook without outputs and numbers of runs."""
    empty = {"execution_count": None, "outputs": []}
    is_code = [cell["cell_type"] == "code" for cell in notebook["cells"]]
    pairs = zip(notebook["cells"], is_code, strict=True)
    return {**notebook, "cells": [{**cell, **empty} if code else cell for cell, code in pairs]}


def _write_notebook(notebook: dict[str, Any], file: Path) -> None:
    text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
    file.write_text(f"{text}\n", encoding="utf-8")


def _convert_cell(cell: dict[str, Any], answers: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a cell as nbgrader needs it: an exercise gets its solution, and a test after it."""
    found = [*notebooks.list_exercises({"cells": [cell]})]
    if not found:
        return [cell]
    (exercise,) = found
    lines = exercise.source.rstrip().splitlines()
    call = len(lines) - 1  # the call of the check is the last line of an exercise
    solved = [*lines[:call], *_solution(exercise, answers[exercise.check]["right"]), lines[call]]
    name = exercise.check
    test = [f"verdict = {lines[call]}", "assert verdict.right, verdict"]
    return [
        {**cell, "metadata": _metadata(name, solution=True), "source": _split_lines(solved)},
        {
            **cell,
            "id": f"{cell['id']}-test",
            "metadata": _metadata(f"check-{name}", grade=True),
            "source": _split_lines(test),
        },
    ]


def _split_lines(lines: list[str]) -> list[str]:
    """Return lines as a notebook stores them."""
    return "\n".join(lines).splitlines(keepends=True)


def _solution(exercise: Exercise, right: Any) -> list[str]:
    """Return the lines of the solution, between nbgrader's marks."""
    is_listed = isinstance(right, dict) and "arguments" in right
    values = right["arguments"] if is_listed else [right]
    lines = ["### BEGIN SOLUTION"]
    for name, value in zip(exercise.names, values, strict=True):
        if value != "matches":  # the rules that the notebook itself has made
            lines += f"{name} = {_literal(value)}".splitlines()
    return [*lines, "### END SOLUTION"]


def _literal(value: Any) -> str:
    """Return a right answer as Python writes it; a function stands there as a text."""
    if not isinstance(value, str):
        return repr(value)
    if value.startswith("lambda "):
        return value
    raw = "r" if "\\" in value else ""
    return f'{raw}"""\n{value}"""' if "\n" in value else repr(value)


def _metadata(name: str, grade: bool = False, solution: bool = False) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell: one to answer in, or one that gives a point."""
    points = {"points": 1} if grade else {}
    held = {
        "cell_type": "code",
        "grade": grade,
        "grade_id": name,
        "locked": grade,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": {**held, **points}}


def main() -> None:
    """Write the folders named on the command line; the second one may be missing."""
    course, *nbgrader = map(Path, sys.argv[1:])
    write_course(course)
    print(f"{course}: the notebooks for students")
    for folder in nbgrader:
        write_nbgrader(folder)
        print(f"{folder}: a course of nbgrader, with solutions")


if __name__ == "__main__":
    main()
