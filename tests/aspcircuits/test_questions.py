"""Questions to a circuit besides `evaluate`, against brute force and against clingo."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import clingo
import numpy as np
import pytest

import aspcircuits
from aspcircuits import installed
from aspcircuits.circuit import Circuit

VOTES = """
#external yes(1..7).
#external veto.
passed :- 4 { yes(X) }, not veto.
unanimous :- yes(X) : X = 1..7.
:- yes(1), yes(2), not veto.
:- #count { X : yes(X) } > 6.
#minimize { X@2,X : yes(X) ; -3@1 : veto }.
#maximize { 5,X : yes(X), X > 5 }.
#show passed/0.  #show unanimous/0.
"""
ALL = np.array(list(product([False, True], repeat=8)))


@pytest.fixture(scope="module")
def votes() -> Circuit:
    return aspcircuits.compile(VOTES, constraints="output", optimisation="output")


def test_constraints_are_an_output_and_costs_are_clingos(votes: Circuit) -> None:
    assert votes.outputs == ("passed", "unanimous", "consistent")
    found, costs = votes.evaluate(ALL), votes.costs(ALL)
    assert [*costs] == [2, 1, 0]
    control = clingo.Control(["--opt-mode=enum", "0"])
    control.add("base", [], VOTES)
    control.ground([("base", [])])
    for row, holds, *cost in zip(ALL, found, *costs.values(), strict=True):
        for atom, value in zip(votes.inputs, row.tolist(), strict=True):
            control.assign_external(clingo.parse_term(aspcircuits.render(atom)), value)
        with control.solve(yield_=True) as handle:
            model = handle.model()
            assert (model is not None) == holds[2]
            if model is not None:
                shown = {str(symbol) for symbol in model.symbols(shown=True)}
                assert ("passed" in shown, "unanimous" in shown) == tuple(holds[:2])
                assert model.cost == cost


def test_sets_of_inputs_are_counted(votes: Circuit) -> None:
    found = votes.evaluate(ALL)
    for place, atom in enumerate(votes.outputs):
        assert votes.count(atom) == (found[:, place].sum(), 0)
    small = aspcircuits.compile("a :- b(1), not b(2). #external b(1..2). #show a/0.")
    assert small.count() == (1, 0)


def test_chances_are_those_of_all_sets(votes: Circuit) -> None:
    chances = {"yes(1)": 0.9, ("yes", 7): 0.0, "veto": 0.25}
    each = np.array([0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0, 0.25])
    order = [votes.inputs.index(atom) for atom in [*(("yes", n) for n in range(1, 8)), "veto"]]
    rows = ALL[:, order]
    weight = np.where(rows, each, 1 - each).prod(axis=1)
    for place, atom in enumerate(votes.outputs):
        expected = float(weight[votes.evaluate(ALL)[:, place]].sum())
        assert votes.probability(chances, atom).value == pytest.approx(expected)


def test_many_inputs_are_sampled_and_the_error_holds_the_truth() -> None:
    text = "#external in(1..40). odd :- in(1), not in(2). odd :- in(2), not in(1). #show odd/0."
    circuit = aspcircuits.compile(text)
    found = circuit.probability()
    assert 0 < found.error < 0.01
    assert abs(found.value - 0.5) < 2 * found.error
    sets = circuit.count()
    assert abs(sets.value - 2.0**39) < 2 * sets.error


def test_weights_of_outputs_are_added_up(votes: Circuit) -> None:
    found = votes.evaluate(ALL).astype(int)
    weights = {"passed": 7, "consistent": -2}
    assert (votes.weighted(ALL, weights) == 7 * found[:, 0] - 2 * found[:, 2]).all()
    with pytest.raises(aspcircuits.InputError, match="'veto' is not an output"):
        votes.weighted(ALL, {"veto": 1})


def test_a_call_stops_when_its_time_is_up(votes: Circuit) -> None:
    over = aspcircuits.Stop(0)
    with pytest.raises(TimeoutError, match="the time is up after 0 of"):
        votes.evaluate(ALL, stop=over)
    with pytest.raises(TimeoutError):
        votes.count("passed", stop=over)
    asked = aspcircuits.Stop()
    asked.set()
    with pytest.raises(KeyboardInterrupt):
        votes.evaluate(ALL, stop=asked)


@pytest.mark.skipif(not installed.is_installed("llvmlite"), reason="needs llvmlite")
def test_machine_code_says_the_same(votes: Circuit) -> None:
    native = votes.native()
    rows = np.random.default_rng(2).random((1000, 8)) < 0.5
    assert (native.evaluate(rows) == votes.evaluate(rows)).all()
    packed = votes.pack(rows)
    assert (votes.unpack(native.planes(packed), 1000) == votes.evaluate(rows)).all()


# Ground programs


def grounded(text: str, folder: Path) -> str:
    """A program in aspif, as clingo writes it."""
    file = folder / "text.lp"
    file.write_text(text)
    command = (sys.executable, "-m", "clingo", "--mode=gringo", str(file))
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_ground_program_is_the_same_circuit(votes: Circuit, tmp_path: Path) -> None:
    with pytest.raises(aspcircuits.EncodingError, match="has no name"):
        aspcircuits.compile(grounded(VOTES, tmp_path), constraints="output")
    text = grounded(VOTES + "fact. #show fact/0. #show yes/1. #show veto/0.", tmp_path)
    read = aspcircuits.compile(text, constraints="output", optimisation="output")
    assert read.inputs == votes.inputs
    assert {*read.outputs} == {*votes.outputs, "fact"}
    rows = ALL
    for atom in votes.outputs:
        column = votes.evaluate(rows)[:, votes.outputs.index(atom)]
        assert (read.evaluate(rows)[:, read.outputs.index(atom)] == column).all()
    for found, expected in zip(read.costs(rows).values(), votes.costs(rows).values(), strict=True):
        assert (found == expected).all()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("asp 1 0 0\n1 0 1 1 0\n0\n", "program.lp:2: no statement of aspif"),
        ("asp 1 0 0\n77 1\n0\n", "program.lp:2: no statement of aspif"),
        ("asp 1 0 0\n1 0 1 1 0 0\n", "program.lp:2: the last line should be 0"),
        ("asp 1 0 0\n4 9 a(1) 1 1\n0\n", "program.lp:2: no statement of aspif"),
        ("asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n0\n", "'a' is a choice"),
        ("asp 1 0 0\n1 0 2 1 2 0 0\n4 1 a 1 1\n4 1 b 1 2\n0\n", "is a disjunction"),
    ],
)
def test_a_broken_ground_program_is_refused(text: str, told: str) -> None:
    with pytest.raises(aspcircuits.EncodingError) as refused:
        aspcircuits.compile(text)
    assert told in str(refused.value)


def test_inputs_are_texts_terms_or_symbols() -> None:
    given = ["q(1)", ("q", "b"), clingo.parse_term("q(-a)"), 'q("x y")', "q((1,2))", "q(f(-g(2)))"]
    made = aspcircuits.compile("p(X) :- q(X).", given, ["p/1"])
    symbols = [clingo.parse_term(aspcircuits.render(atom)) for atom in made.inputs]
    assert symbols[2] == clingo.Function("q", [clingo.Function("a", [], False)])
    assert {atom[1] for atom in made.outputs} == {atom[1] for atom in made.inputs}


def test_what_is_not_told_is_refused() -> None:
    for text, told in (
        ("a :- b. #external b.", "outputs: none given"),
        ("p(1). #external q. #show X : p(X).", "shows a term"),
        ("#external a. a :- b. #external b. #show a/0. b.", "is an input, but a rule derives it"),
    ):
        with pytest.raises(aspcircuits.UserError, match=told):
            aspcircuits.compile(text)
    with pytest.raises(aspcircuits.InputError, match="constraints: 'keep' is neither"):
        aspcircuits.compile("#show a/0.", constraints="keep")  # type: ignore[arg-type]
