"""The course: its notebooks run, its checks tell right from wrong, and nothing in it is a copy.

Notebooks are run in this process, cell by cell, each in a namespace of its own: a kernel for each
would take longer to start than most of them take to run, and would need three more packages. What
Jupyter adds is small: the last expression of a cell is shown, and a line that begins with ``!`` is
a command, in which ``{name}`` stands for a variable.
"""

import ast
import importlib
import json
import re
import shlex
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from advisor.files.resources import ENCODINGS
from commands import ENTRY, ROOT, environment

pytestmark = pytest.mark.slow

TEACH = ROOT / "teach"
NOTEBOOKS = sorted(TEACH.glob("*.ipynb"))
LADDER = sorted(TEACH.glob("0*.ipynb"))
"""The notebooks before the lessons; `test_ladder` has the answers to their drills."""
LESSONS = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
SMALL = 16_000
"""Characters of a notebook: text to read and code to run, no outputs."""


@pytest.fixture(scope="module")
def checks() -> Iterator[ModuleType]:
    """The checks of the exercises, in the folder of the notebooks, as a notebook has them."""
    with pytest.MonkeyPatch.context() as changed:
        changed.chdir(TEACH)
        changed.syspath_prepend(TEACH)
        changed.setenv("PYTHONPATH", environment()["PYTHONPATH"])
        yield importlib.import_module("checks")


def number(notebook: Path) -> str:
    """The number of a lesson, as 1; the two halves of the ladder are 0a and 0b."""
    return notebook.stem.partition("-")[0]


def answers(notebook: Path) -> dict[str, Any]:
    """Right and wrong answers to the exercises of a notebook, by the names of their checks."""
    solutions = TEACH / "solutions" / f"{number(notebook)}.yaml"
    found: dict[str, Any] = yaml.safe_load(solutions.read_text())
    return found


def cells(notebook: Path, kind: str) -> list[str]:
    """The texts of the cells of a kind, ``code`` or ``markdown``."""
    held = json.loads(notebook.read_text())["cells"]
    return ["".join(cell["source"]) for cell in held if cell["cell_type"] == kind]


def shown(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell; return the output that Jupyter would show."""
    names["_command"] = lambda line: print(command(line, names))
    cell = re.sub(r"^!(.*)$", lambda found: f"_command({found[1]!r})", cell, flags=re.MULTILINE)
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def command(line: str, names: dict[str, Any]) -> str:
    """What a command line prints, errors too."""
    line = re.sub(r"\{(\w+)\}", lambda found: str(names[found[1]]), line)
    line = re.sub(r"^advisor\b", lambda _: shlex.join(ENTRY), line)
    done = subprocess.run(
        ["bash", "-c", line],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def picture(value: Any) -> str | None:
    """What a notebook shows of a value instead of its text, if there is such a thing."""
    for kind in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, kind):
            drawn: str = getattr(value, kind)()
            return drawn
    return None


@LESSONS
def test_notebooks_are_clean(notebook: Path) -> None:
    """Without outputs, and written as Jupyter writes them: `ruff format teach` sees to the code,
    "Clear outputs of all cells" to the rest.
    """
    text = notebook.read_text()
    held = json.loads(text)
    assert text == json.dumps(held, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert len(text) < SMALL
    assert set(held) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (held["nbformat"], held["nbformat_minor"]) == (4, 5)
    assert set(held["metadata"]) == {"kernelspec", "language_info"}
    ids = [cell["id"] for cell in held["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in held["cells"]:
        code = cell["cell_type"] == "code"
        assert code or cell["cell_type"] == "markdown"
        extra = {"execution_count", "outputs"} if code else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | extra
        assert cell["metadata"] == {}
        if code:
            assert (cell["execution_count"], cell["outputs"]) == (None, [])


@LESSONS
def test_a_lesson_begins_with_a_question_and_ends_with_exercises(notebook: Path) -> None:
    first, *_ = cells(notebook, "markdown")
    assert first.startswith(f"# {number(notebook)}. ")
    assert re.search(r"^\*\*[^*]+\?[^*]*\*\*$", first, re.MULTILINE)
    assert "You need: " in first
    asked = re.findall(r"checks\.(\w+)\(", "\n".join(cells(notebook, "code")))
    assert 2 <= len(asked) == len(set(asked)) <= (6 if notebook in LADDER else 4)
    assert set(asked) == set(answers(notebook))
    assert "## Exercises" in "\n".join(cells(notebook, "markdown"))


@LESSONS
def test_a_lesson_runs(notebook: Path, checks: ModuleType) -> None:
    """Every cell; and as it is handed out no exercise is solved."""
    names: dict[str, Any] = {"__name__": "__main__"}
    verdicts, drawn, printed = [], 0, StringIO()
    with redirect_stdout(printed):
        for cell in cells(notebook, "code"):
            value = shown(cell, names)
            if isinstance(value, checks.Verdict):
                verdicts.append(value)
            elif value is not None:
                repr(value)
            if made := picture(value):
                ET.fromstring(f"<div>{made}</div>")
                drawn += "<svg" in made
    assert len(verdicts) == len(answers(notebook))
    for verdict in verdicts:
        assert not verdict.right
        assert repr(verdict).startswith(f"Not yet: {verdict.says}")
    told = printed.getvalue()
    assert "Traceback" not in told
    # The tournament shows what is said of one wrong file.
    assert told.count("error:") == (1 if "tournament" in notebook.stem else 0)


def rules_of_the_lesson(notebook: Path) -> str:
    """What ``matches`` stands for in answers: the rules that the notebook makes."""
    made = re.search(r'MATCHES = """(.*?)"""', "\n".join(cells(notebook, "code")), re.DOTALL)
    assert made
    return made[1]


def checked(notebook: Path, check: Any, answer: Any) -> Any:
    """Return a check's verdict on an answer from a file of solutions."""
    given = answer["arguments"] if isinstance(answer, dict) and "arguments" in answer else [answer]
    given = [rules_of_the_lesson(notebook) if each == "matches" else each for each in given]
    return check(*(eval(each) if str(each).startswith("lambda ") else each for each in given))


@pytest.mark.parametrize(
    ("notebook", "name"),
    [
        pytest.param(notebook, name, id=f"{number(notebook)}-{name}")
        for notebook in NOTEBOOKS
        if notebook not in LADDER
        for name in answers(notebook)
    ],
)
def test_checks_tell_right_from_wrong(notebook: Path, name: str, checks: ModuleType) -> None:
    """A right answer passes; a wrong one gets a line that says what is wrong with it."""
    check, answer = getattr(checks, name), answers(notebook)[name]
    verdict = checked(notebook, check, answer["right"])
    assert verdict.right, verdict
    assert len(answer["wrong"]) >= 2
    for wrong in answer["wrong"]:
        verdict = checked(notebook, check, wrong["answer"])
        assert not verdict.right, wrong["answer"]
        assert wrong["says"] in verdict.says
        assert "\n" not in verdict.says
        if verdict.at is not None:
            assert "<svg" in verdict._repr_html_()


@pytest.mark.parametrize("sign", ["\xfc", "\ufeff", "\u201c"])
def test_a_letter_that_clingo_cannot_read_is_told_with_its_line(
    sign: str, checks: ModuleType
) -> None:
    verdict = checks.full_column(f'% {sign} "{sign}"\nfull_column({sign}) :- x.')
    told = f"line 2: {sign!r} is in no comment and no quoted text (use ASCII)"
    assert (verdict.right, verdict.says) == (False, told)


@pytest.mark.parametrize("name", ["full_column", "posts", "lesson", "tower", "answered"])
@pytest.mark.parametrize("answer", [None, b"x.", ""])
def test_what_is_no_text_is_no_answer_yet(name: str, answer: Any, checks: ModuleType) -> None:
    assert repr(getattr(checks, name)(answer)).startswith("Not yet: there is no rule here yet")


def test_grounding_that_never_ends_is_ended(
    checks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("course"), "SECONDS", 2)
    verdict = checks.full_column("full_column(1). full_column(X + 1) :- full_column(X).")
    # The rule is named after five seconds; test_ladder.py reads its name.
    assert verdict.says == "your program: is not ground after 2 s (use fewer variables in a rule)"


def test_lessons_load_encodings_and_copy_none() -> None:
    """A rule that is in the advisor's files for Connect Four is in none of the course's."""
    ours = {
        line.strip()
        for file in (ENCODINGS / "connect4").rglob("*.lp")
        for line in file.read_text().splitlines()
        if len(line.strip()) > 30 and not line.startswith("%")
    }
    texts = [cell for notebook in NOTEBOOKS for cell in cells(notebook, "code")]
    texts += [file.read_text() for file in (*TEACH.rglob("*.py"), *TEACH.glob("solutions/*.yaml"))]
    copied = {line.strip(' "') for text in texts for line in text.splitlines()} & ours
    assert not copied


@pytest.mark.parametrize(
    ("name", "answer", "told"),
    [
        ("mirrored", "mirrored(P, R, C) :- cell(P, R, C).", "mirrored(1,1,1) :- cell(1,1,1)."),
        ("tower", "tower(P, C) :- cell(P, 1, C).", "tower(1,1) :- cell(1,1,1)."),
        ("answered", "answered(G) :- open(G), claim(0).", "lacks claim(0)"),
        ("two_heaps", "role(one).", ""),
        ("posts", "{ post(R, C) : square(R, C) }.", ""),
    ],
)
def test_what_is_wrong_is_traced_to_the_rules(
    name: str, answer: str, told: str, checks: ModuleType
) -> None:
    """Only where there is one answer set, and it is not the one that is asked for."""
    verdict = getattr(checks, name)(answer)
    assert not verdict.right
    assert told in verdict.why
    assert bool(verdict.why) == bool(told)
    assert "given" not in verdict.why
    assert "program.lp" not in verdict.why


def test_the_page_of_the_course_is_true(checks: ModuleType) -> None:
    """It names all lessons, and shows what a check says of the answer that it quotes."""
    page = (TEACH / "README.md").read_text()
    assert all(f"]({notebook.name})" in page for notebook in NOTEBOOKS)
    quoted = re.search(r"`(full_column.*\.)`", page)
    assert quoted
    assert f"```\n{checks.full_column(quoted[1])!r}\n```" in page
