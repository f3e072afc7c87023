"""Grades notebooks: a point for each exercise whose check says "Right".

    python grading.py 1-one-rule.ipynb --junit report.xml --json report.json

A notebook is not run. Its answers are texts, numbers and the like, which are read as data; only an
answer that is a Python function needs ``--run``, which runs the cell of that exercise. The list of
exercises and everything else that a check needs come from the course itself, so changing a
notebook elsewhere gains nothing.
"""

import argparse
import ast
import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import checks
import notebooks
from notebooks import Exercise, NotebookError


@dataclass(frozen=True)
class Result:
    """The result of an exercise.

    Attributes:
        number: of the exercise, such as ``1.1``.
        check: the name of its check.
        points: 1 if the answer is right, otherwise 0.
        says: the check's verdict in one line.
    """

    number: str
    check: str
    points: int
    says: str


@dataclass(frozen=True)
class Grade:
    """The grade of a notebook.

    Attributes:
        file: the notebook.
        results: one for each exercise of the lesson, in order.
    """

    file: str
    results: tuple[Result, ...]

    @property
    def points(self) -> int:
        """The sum of the points."""
        return sum(result.points for result in self.results)

    def __repr__(self) -> str:
        lines = [f"{self.file}: {self.points} of {len(self.results)} points"]
        lines += [f"  {r.number} {r.check}: {r.points} ({r.says})" for r in self.results]
        return "\n".join(lines)


def grade(file: str | Path, run: bool = False) -> Grade:
    """Grade a notebook.

    >>> grading.grade("1-one-rule.ipynb").points
    0

    Args:
        file: a notebook of the course, with answers.
        run: whether to run the cells of exercises whose answers are Python functions.

    Raises:
        NotebookError: the file is no notebook, or has none of the course's exercises.
    """
    given = notebooks.read_notebook(Path(file))
    answers: dict[str, Exercise] = {}
    for found in notebooks.list_exercises(given):
        # A cell that only repeats the call of a check holds no answer.
        is_answer = any(_is_assigned(found.source, name) for name in found.names)
        if is_answer or found.check not in answers:
            answers[found.check] = found
    lesson = _lesson_with(set(answers), Path(file))
    results = [
        _result(asked, answers.get(asked.check), lesson, run)
        for asked in notebooks.list_exercises(lesson)
    ]
    return Grade(str(file), tuple(results))


def _lesson_with(names: set[str], file: Path) -> dict[str, Any]:
    """Return the notebook of the course that has most of these checks."""
    lessons = [notebooks.read_notebook(each) for each in notebooks.handed_out()]
    shared = [len(names & {e.check for e in notebooks.list_exercises(one)}) for one in lessons]
    if not shared or not max(shared):
        raise NotebookError(f"{file}: has no exercise of this course")
    return lessons[shared.index(max(shared))]


def _result(asked: Exercise, given: Exercise | None, lesson: dict[str, Any], run: bool) -> Result:
    """Return the result of an exercise; `given` is the cell with its answer, if there is one."""
    if given is None:
        return Result(asked.number, asked.check, 0, "its cell is missing")
    held = {**_values(lesson), **_values({"cells": [_code(asked.source)]})}
    mine = _values({"cells": [_code(given.source)]})
    if run:
        mine = {**_run_cell(given.source), **mine}
    arguments = []
    for name in asked.names:
        value = mine.get(name) if _is_assigned(asked.source, name) else held.get(name)
        if value is None:
            says = f"{name} has no plain value in the cell of this exercise"
            hint = "" if run else " (a function needs --run)"
            return Result(asked.number, asked.check, 0, f"{says}{hint}")
        arguments.append(value)
    try:
        verdict = getattr(checks, asked.check)(*arguments)
    except Exception as error:  # an answer of a kind that the check does not expect
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        return Result(asked.number, asked.check, 0, f"the check cannot read the answer ({told})")
    return Result(asked.number, asked.check, int(verdict.right), verdict.says)


def _code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "source": source}


def _is_assigned(source: str, name: str) -> bool:
    """Return whether a cell gives a value to a name: then it is part of the answer."""
    tree = notebooks.parse_cell(source)
    return any(name in _assigned_names(statement) for statement in tree.body) if tree else False


def _assigned_names(statement: ast.stmt) -> list[str]:
    """Return the names to which a statement gives values."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _values(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the variables of a notebook whose values are written as data."""
    found: dict[str, Any] = {}
    for cell in notebook["cells"]:
        is_code = cell.get("cell_type") == "code"
        tree = notebooks.parse_cell(notebooks.cell_text(cell)) if is_code else None
        for statement in tree.body if tree else ():
            if not isinstance(statement, ast.Assign | ast.AugAssign):
                continue
            try:
                value = ast.literal_eval(statement.value)
                for name in _assigned_names(statement):
                    is_new = isinstance(statement, ast.Assign)
                    found[name] = value if is_new else _join_values(found[name], value)
            except (ValueError, TypeError, KeyError, MemoryError, RecursionError):
                continue  # it is calculated, so it is no answer
    return found


def _join_values(before: Any, value: Any) -> Any:
    """Return what ``before |= value`` makes of two dictionaries or sets, or two added values."""
    return before | value if isinstance(before, dict | set) else before + value


def _run_cell(source: str) -> dict[str, Any]:
    """Run a cell without its calls; return its variables, or none if it fails."""
    tree = notebooks.parse_cell(source)
    body = [each for each in tree.body if not isinstance(each, ast.Expr)] if tree else []
    space: dict[str, Any] = {}
    try:
        exec(compile(ast.Module(body, []), "<answer>", "exec"), space)
    except Exception:  # an answer that fails defines nothing
        return {}
    return space


def write_junit(grades: Sequence[Grade], file: Path) -> None:
    """Write grades as JUnit's XML: a suite for each notebook, a test for each exercise."""
    suites = ET.Element("testsuites")
    for each in grades:
        count = {"tests": len(each.results), "failures": len(each.results) - each.points}
        attributes = {name: str(number) for name, number in count.items()}
        suite = ET.SubElement(suites, "testsuite", {"name": each.file, **attributes})
        for result in each.results:
            name = f"{result.number} {result.check}"
            case = ET.SubElement(suite, "testcase", {"classname": each.file, "name": name})
            if not result.points:
                ET.SubElement(case, "failure", {"message": result.says})
    ET.indent(suites)
    ET.ElementTree(suites).write(file, encoding="utf-8", xml_declaration=True)


def write_json(grades: Sequence[Grade], file: Path) -> None:
    """Write grades as JSON: the points of each notebook and of each exercise."""
    listed = [
        {
            "file": each.file,
            "points": each.points,
            "of": len(each.results),
            "exercises": [asdict(result) for result in each.results],
        }
        for each in grades
    ]
    text = json.dumps({"notebooks": listed}, indent=2, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8")


def main() -> int:
    """Grade the notebooks on the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Grade notebooks of the course.")
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="notebooks with answers")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the results as JUnit XML")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument("--run", action="store_true", help="run answers that are Python functions")
    given = parser.parse_args()
    try:
        grades = [grade(file, given.run) for file in given.notebooks]
    except NotebookError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for each in grades:
        print(each)
    if given.junit:
        write_junit(grades, given.junit)
    if given.json:
        write_json(grades, given.json)
    return 0 if all(each.points == len(each.results) for each in grades) else 1


if __name__ == "__main__":
    sys.exit(main())
