"""What clingo grounds for ever is named: the rule, whatever its form, and the process ends."""

import os
import threading
import time
from pathlib import Path

import pytest
from test_own_process import settings

from advisor.errors import EncodingError
from aspcircuits import own_process, watching
from aspcircuits.clingo_api import Grounding, Program
from aspcircuits.growth import BusyRule, find_busiest
from aspcircuits.stopping import Stop
from aspcircuits.watching import SlowGrounding, tell_slow_groundings
from command import advisor

OPEN = "{p(1..300)}.\nr(5).\n"

ENDLESS = [
    "n(0).\nn(X+1) :- n(X).",
    "n(0).\nm(X) :- n(X).\nn(X+1) :- m(X).",
    "a(z).\na(s(X)) :- a(X).",
    "n(0).\n{n(X+1)} :- n(X).",
]
"""Programs that grow without end."""

LARGE = {
    "q(A,B,C,D) :- p(A), p(B), p(C), p(D).": 4,
    "q(A) :- p(A), p(B), p(C), p(D), A + B + C + D > 9999, A != B, not r(A).": 4,
    "q(A) :- p(A), p(B), p(C), D = 1..A.": 4,
    "{q(A,B,C) : p(A), p(B), p(C)}.": 3,
    "q :- 5 <= #count{A,B,C : p(A), p(B), p(C)}.": 3,
    "q :- r(X), p(A) : p(A), p(B), p(C).": 4,
    ":- p(A), p(B), p(C), p(D).": 4,
    "q(1..9999,1..9999).": 0,
    "{q(1..9999,1..9999)}.": 0,
    "q(X) :- X = 1..9999999.": 1,
}
"""Rules with too many instances, and the numbers of their variables."""


def busiest(tmp_path: Path, program: str) -> BusyRule | None:
    """The rule that a program keeps clingo busy with."""
    file = tmp_path / "mine.lp"
    file.write_text(program)
    return find_busiest(Grounding([str(file)], (), "", "", has_functions=False))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts for a short time, which is enough for small programs."""
    monkeypatch.setattr("aspcircuits.growth._WARMING", 0.2)
    monkeypatch.setattr("aspcircuits.growth._COUNTING", 0.2)
    monkeypatch.setattr("aspcircuits.growth._LEAST", 400)


@pytest.mark.parametrize("program", ENDLESS)
@pytest.mark.usefixtures("soon")
def test_a_rule_that_never_ends_is_found(program: str, tmp_path: Path) -> None:
    found = busiest(tmp_path, program)
    assert found is not None
    assert found.can_grow
    assert found.text == program.split("\n")[found.line - 1]
    assert str(found).endswith(" times in a second (do its numbers or terms grow without end?)")


@pytest.mark.parametrize("rule", LARGE)
@pytest.mark.usefixtures("soon")
def test_a_rule_with_too_many_instances_is_found(rule: str, tmp_path: Path) -> None:
    found = busiest(tmp_path, f"{OPEN}{rule}\n")
    assert found is not None
    assert (found.text, found.line) == (rule, 3)
    assert (found.variables, found.can_grow) == (LARGE[rule], False)


@pytest.mark.usefixtures("soon")
def test_what_ends_soon_is_not_named(tmp_path: Path) -> None:
    assert busiest(tmp_path, f"{OPEN}q(A) :- p(A).\n") is None
    busy = busiest(tmp_path, f"{OPEN}q(A) :- p(A), r(B).\nn(0).\nn(X+1) :- n(X), q(1).\n")
    assert busy is not None
    assert busy.line == 5


@pytest.mark.usefixtures("soon")
def test_counting_changes_no_answer(tmp_path: Path) -> None:
    """A program whose rules are counted grounds like the program itself: the loop ends at 60."""
    rules = "n(0).\nn(X+1) :- n(X), X < 60, X != 70.\nq(1..3) :- 2 { n(A) : n(A), A > 5 } 60.\n"
    assert busiest(tmp_path, rules) is None


def test_the_place_of_a_rule_is_named_as_its_file_is() -> None:
    def told(what: str, file: str, line: int = 3) -> str:
        rule = BusyRule(file, line, "a(X) :- b(X).", 1234567, 1, False)
        return str(SlowGrounding(what, rule))

    words = "`a(X) :- b(X).` was tried 1,234,567 times in a second"
    still = "still grounding after 5 s"
    assert told("mine.lp", "/tmp/x/mine.lp") == f"mine.lp:3: {still}: {words}"
    assert told("a.lp, sub/mine.lp", "/y/mine.lp") == f"sub/mine.lp:3: {still}: {words}"
    assert told("mine.lp", "/y/board.lp") == f"mine.lp: {still}: /y/board.lp:3: {words}"
    assert told("mine.lp", "") == f"mine.lp: {still}: {words}"
    assert str(SlowGrounding("mine.lp", None)) == f"mine.lp: {still}"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks for the rule at once, and tells it when it is found."""
    monkeypatch.setattr(watching, "_LOOKED_AFTER", 0)
    monkeypatch.setattr(watching, "TOLD_AFTER", 0.1)
    monkeypatch.setattr(watching, "_LOOKING", 9)


@pytest.mark.usefixtures("at_once")
def test_a_command_tells_the_rule_once_while_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_process, "MAX_SECONDS", 10)
    file = settings(tmp_path, "moves", "fires(mine, X) :- n(X).\nn(0).\nn(X+1) :- n(X).\n")
    done = advisor("suggest", "44", "--depth", 0, "--weights", file)
    assert (done.code, done.out) == (3, "")
    note, error = done.err.splitlines()
    rule = "`n(X+1) :- n(X).` was tried "
    assert note.startswith(f"note: mine.lp:3: still grounding after 0.1 s: {rule}")
    assert error.startswith(f"error: mine.lp:3: is too large to ground: more than 10 s: {rule}")


@pytest.mark.usefixtures("at_once")
def test_without_a_listener_nothing_is_looked_for_before_the_end(tmp_path: Path) -> None:
    stop, children = Stop(1), threading.active_count()
    (tmp_path / "mine.lp").write_text("n(0). n(X+1) :- n(X).")
    asked = [tmp_path / "mine.lp"], (), {}
    with pytest.raises(KeyboardInterrupt):
        own_process.run(ground, *asked, what="mine.lp", stop=stop, in_time=True)
    assert threading.active_count() == children


def ground(*arguments: object) -> None:
    """Grounds a program."""
    Program(*arguments)  # type: ignore[arg-type]


@pytest.mark.usefixtures("at_once")
def test_a_grounding_that_is_over_is_told_no_more() -> None:
    told: list[SlowGrounding] = []
    with tell_slow_groundings(told.append):
        own_process.run(ground_and_sleep, what="it")
    assert not told


def ground_and_sleep() -> None:
    """Grounds a small program; the work then goes on."""
    Program((), rules="a.")
    time.sleep(1)


def test_a_process_that_dies_amid_a_grounding_is_told_with_the_rule(tmp_path: Path) -> None:
    file = tmp_path / "mine.lp"
    file.write_text("n(0). n(X+1) :- n(X).")
    with pytest.raises(EncodingError, match=r"^mine\.lp:1: the process .* \(exit code 3\): `n\(X"):
        own_process.run(ground_and_die, [file], what="mine.lp")


def ground_and_die(files: list[Path]) -> None:
    """Ends the process while it grounds."""
    threading.Timer(0.5, os._exit, [3]).start()
    Program(files)
