"""Grounding that goes on for ever says which rule grows."""

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import clingo
import pytest

import aspcircuits
from aspcircuits import own_process, sizes
from aspcircuits.growth import describe_growth
from aspcircuits.sizes import Growth
from commands import environment

ENDLESS = "% a rule\nn(0) :- a.\nn(X+1) :- n(X).\n"
GROWS = r"n/1 has [\d,]{5,} instances \(my\.lp:3\)"


def test_sizes_are_those_that_clingo_s_own_atoms_have() -> None:
    rng = random.Random(7)
    for _ in range(30):
        many = [rng.choice([0, 1, 2, 3, rng.randrange(5000)]) for _ in range(6)]
        rules = "".join(f"{{p{i}(1..{n})}}. -q(X) :- p{i}(X), {i} = 0." for i, n in enumerate(many))
        control = clingo.Control(logger=lambda _code, _text: None)
        control.add("base", [], f"{rules} r. n(1..7). n(1..7, 1..3).")
        control.ground([("base", [])])
        counted: dict[str, int] = {}
        for name, arity, positive in control.symbolic_atoms.signatures:
            found = control.symbolic_atoms.by_signature(name, arity, positive)
            counted[f"{'' if positive else '-'}{name}/{arity}"] = sum(1 for _ in found)
        earlier = {name: rng.randint(0, size) for name, size in counted.items()}
        assert sizes._sizes(control, {}) == sizes._sizes(control, earlier) == counted


def test_the_rule_that_grows_is_the_one_with_most_variables(tmp_path: Path) -> None:
    file = tmp_path / "my.lp"
    file.write_text(ENDLESS)
    grown = Growth([file], {"n/1": 1_204_331}, "n/1")
    assert describe_growth(grown) == "n/1 has 1,204,331 instances (my.lp:3)"
    file.unlink()
    assert describe_growth(grown) == "n/1 has 1,204,331 instances"


def test_where_no_predicate_grows_it_is_the_rule_with_most_instances(tmp_path: Path) -> None:
    file = tmp_path / "my.lp"
    file.write_text("n(1..300).\nm(A) :- n(A), not n(0).\n:- n(A), n(B), n(C), n(D), A+B+C+D=0.\n")
    told = "constraint may have 8,100,000,000 instances (my.lp:3)"
    assert describe_growth(Growth([file], {"n/1": 300, "m/1": 300}, None)) == told
    assert describe_growth(Growth([file], {"n/1": 3, "m/1": 3}, None)) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bound", "least", "told"),
    [("MAX_SECONDS", 6, "6 s"), ("MAX_BYTES", 512 << 20, "512 MB of memory")],
)
def test_the_error_names_what_grew_and_the_process_is_gone(
    bound: str, least: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_process, bound, least)
    process = own_process.run(os.getpid, what="it")
    file = tmp_path / "my.lp"
    file.write_text(ENDLESS)
    with pytest.raises(aspcircuits.EncodingError) as error:
        aspcircuits.compile(file, ["a"], ["n/1"])
    assert error.value.code == "encoding"
    assert re.search(
        rf"my\.lp: is too large to ground: more than {told}; {GROWS}", str(error.value)
    )
    if bound == "MAX_SECONDS":
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    own_process._end_all()


ON_A_TERMINAL = """
import sys, time
from pathlib import Path
import aspcircuits
from aspcircuits import own_process
own_process._FIRST_NOTE, own_process.MAX_SECONDS = float(sys.argv[1]), 60
own_process.run(time.sleep, 2, what="nothing that grounds")
aspcircuits.compile(Path("my.lp"), ["a"], ["n/1"])
"""


def on_a_terminal(folder: Path, rules: str, first: float) -> str:
    """What a terminal shows of a program, which gets Ctrl-C once it has shown something."""
    pty = pytest.importorskip("pty")
    (folder / "my.lp").write_text(rules)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", ON_A_TERMINAL, str(first)]
    program = subprocess.Popen(command, cwd=folder, env=environment(), stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while more := os.read(ours, 1 << 16):
            if not shown:
                program.send_signal(signal.SIGINT)
            shown += more
    except OSError:  # so ends a terminal
        pass
    program.wait()
    os.close(ours)
    return shown.decode()


@pytest.mark.slow
def test_a_terminal_is_told_what_grows_and_once_more_at_ctrl_c(tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, ENDLESS, 3.0)
    notes = [line for line in shown.splitlines() if line.startswith("note: ")]
    assert len(notes) == 2
    for note in notes:
        assert re.fullmatch(rf"note: my\.lp is still being grounded: {GROWS}", note)


@pytest.mark.slow
def test_a_terminal_is_told_nothing_of_what_grounds_at_once(tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, "n(1..99). m(X, Y) :- n(X), n(Y). n(0) :- m(2, 1), a.", 0.5)
    assert shown == ""
