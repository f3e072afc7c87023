"""The ladder: each drill tells right from wrong, and says what is wrong."""

import importlib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import yaml

from aspcircuits import watching
from commands import ROOT, environment

TEACH = ROOT / "teach"
ANSWERS: dict[str, Any] = {
    name: answer
    for half in ("0a", "0b")
    for name, answer in yaml.safe_load((TEACH / "solutions" / f"{half}.yaml").read_text()).items()
}


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The modules of the course, as a notebook in its folder has them."""
    with pytest.MonkeyPatch.context() as changed:
        changed.syspath_prepend(TEACH)
        changed.setenv("PYTHONPATH", environment()["PYTHONPATH"])
        yield {name: importlib.import_module(name) for name in ("checks", "course", "ladder")}


def test_there_are_twelve_drills() -> None:
    assert len(ANSWERS) == 12
    assert all(len(answer["wrong"]) >= 3 for answer in ANSWERS.values())


@pytest.mark.parametrize("name", ANSWERS)
def test_a_drill_tells_right_from_wrong(name: str, modules: dict[str, ModuleType]) -> None:
    check = getattr(modules["checks"], name)
    verdict = check(ANSWERS[name]["right"])
    assert verdict.right, verdict
    for wrong in ANSWERS[name]["wrong"]:
        verdict = check(wrong["answer"])
        assert not verdict.right, wrong["answer"]
        assert wrong["says"] in verdict.says, wrong["answer"]
        assert "\n" not in verdict.says
        if "on this board" in verdict.says:
            assert "asked for" in repr(verdict)
            assert "<svg" in verdict._repr_html_()
            ET.fromstring(f"<div>{verdict._repr_html_()}</div>")


@pytest.mark.parametrize("name", ANSWERS)
def test_the_right_answer_of_another_drill_is_wrong(
    name: str, modules: dict[str, ModuleType]
) -> None:
    check = getattr(modules["checks"], name)
    for other, answer in ANSWERS.items():
        if other != name:
            assert not check(answer["right"]).right, other


def test_a_square_outside_the_board_is_said_to_be_there(modules: dict[str, ModuleType]) -> None:
    verdict = modules["checks"].corners(
        "mark(1, 1). mark(1, 7). mark(6, 1). mark(6, 7). mark(7, 4)."
    )
    assert "mark(7,4) should not hold: it lies outside this board" in repr(verdict)


def test_the_mistake_is_traced_and_drawn(modules: dict[str, ModuleType]) -> None:
    """Marked squares stand in brackets, beside the expected ones."""
    verdict = modules["checks"].corners("mark(1, 1). mark(1, 7). mark(6, 1). mark(5, 7).")
    assert repr(verdict) == (
        "Not yet: mark(5,7) should not hold on this board\n"
        "mark(5,7) holds:\n"
        "  mark(5,7).                                              line 1\n"
        "yours                      asked for\n"
        " 6 [.] .  .  .  .  .  .     6 [.] .  .  .  .  . [.]\n"
        " 5  .  .  .  .  .  . [.]    5  .  .  .  .  .  .  .\n"
        " 4  .  .  .  .  .  .  .     4  .  .  .  .  .  .  .\n"
        " 3  .  .  .  .  .  .  .     3  .  .  .  .  .  .  .\n"
        " 2  .  .  .  .  .  .  .     2  .  .  .  .  .  .  .\n"
        " 1 [.] .  .  .  .  . [.]    1 [.] .  .  .  .  . [.]\n"
        "    1  2  3  4  5  6  7        1  2  3  4  5  6  7"
    )


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (
            "mark(1, 1).\nmark(R + 1, C + 1) :- mark(R, C).",
            "line 2: `mark(R + 1, C + 1) :- mark(R, C).`",
        ),
        ("p(1..3000). {q(X, Y) : p(X), p(Y)}.", "line 1: `{q(X, Y) : p(X), p(Y)}.`"),
    ],
)
def test_a_rule_that_never_ends_is_named(
    program: str,
    says: str,
    modules: dict[str, ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(modules["course"], "SECONDS", 6)
    monkeypatch.setattr(watching, "_LOOKED_AFTER", 0)
    verdict = modules["checks"].one_colour(program).says
    assert verdict.startswith(f"your program: is not ground after 6 s: {says} was tried ")
    told = capsys.readouterr().err
    assert told.startswith(f"your program: still grounding after 5 s: {says} was tried ")
    assert told.count("\n") == 1


def test_all_is_said_within_20_seconds(modules: dict[str, ModuleType]) -> None:
    """The time to ground or to solve a program; the rule that grows is known before its end."""
    course = modules["course"]
    assert course.SECONDS + course._HANDING_BACK <= 20
    assert watching._LOOKED_AFTER + 2 * watching._LOOKING <= course.SECONDS


@pytest.mark.parametrize("program", ["#program step.\nmark(1, 1).", "#show.", "mark(1).", "a\rb."])
def test_a_strange_program_is_wrong_and_no_error(
    program: str, modules: dict[str, ModuleType]
) -> None:
    assert not modules["checks"].corners(program).right


def test_marks_are_drawn_for_each_answer_set(modules: dict[str, ModuleType]) -> None:
    drawn = modules["ladder"].marks("1 { mark(R, C) : valid_move(R, C), C < 3 } 1.", "11")
    assert drawn.answers == (
        ("answer set 1 of 2", frozenset({(1, 2)})),
        ("answer set 2 of 2", frozenset({(3, 1)})),
    )
