"""The circuit against clingo itself: one stable model for each set of inputs."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.asp.bitplanes import pack, unpack
from advisor.asp.circuit import Circuit, compile
from advisor.asp.clingo_api import Program, Term, parse
from advisor.errors import EncodingError, InputError

DATA = Path(__file__).parent / "data"
INPUTS: list[Term] = [("in", number) for number in range(1, 6)]


def evaluate(circuit: Circuit, inputs: np.ndarray) -> list[set[Term]]:
    """The outputs that hold for each row of truth values."""
    table = unpack(circuit(pack(inputs)), len(inputs))
    return [{circuit.outputs[i] for i in np.flatnonzero(row)} for row in table]


def stable_models(
    files: Sequence[Path], atoms: Sequence[Term], inputs: np.ndarray, **constants: int
) -> list[frozenset[Term]]:
    """What clingo says: one program with open inputs, solved under assumptions."""
    program = Program(files, constants=constants, choices=atoms)
    models = []
    for row in inputs:
        model = program.solve(zip(atoms, row.tolist(), strict=True))
        assert model is not None
        models.append(model.atoms)
    return models


# Random stratified programs. Layer n derives p<n>(X) and q<n>(X, N) from the layers below.


def body_literals(below: Sequence[str]) -> st.SearchStrategy[str]:
    atom = st.sampled_from(below)
    bound = st.integers(-4, 6)
    relation = st.sampled_from(["<", "<=", "=", "!=", ">=", ">"])
    sign = st.sampled_from(["", "not ", "not not "])
    element = st.one_of(
        st.builds("Y : {}(Y)".format, atom),
        st.builds("Y : {}(Y), not {}(Y), Y != X".format, atom, atom),
        st.builds("{},Y : {}(Y)".format, st.integers(-3, 7), atom),
        st.builds("W*{},Y : {}(Y), weight(Y, W)".format, st.integers(-20, 20), atom),
    )
    elements = st.lists(element, min_size=1, max_size=3).map("; ".join)
    return st.one_of(
        st.builds("{}{}(X)".format, sign, atom),
        st.builds("{}{}(Y) : number(Y), Y != X".format, sign, atom),
        st.builds("{}{}(Y) : {}(Y), Y >= X".format, sign, atom, atom),
        st.builds("{}{}(X+1)".format, sign, atom),
        st.builds("{}#count {{ {} }} {} {}".format, sign, elements, relation, bound),
        st.builds("{}#sum {{ {} }} {} {}".format, sign, elements, relation, bound),
        st.builds("{} <= #sum {{ {} }} <= {}".format, bound, elements, bound),
        st.builds("#min {{ {} }} > {}".format, elements, bound),
    )


@st.composite
def programs(draw: st.DrawFn) -> str:
    rules = ["number(1..3). weight(1, -3). weight(2, 2). weight(3, 5).", "in(1) :- in(1), in(2)."]
    rules = rules[:1]
    below = ["in"]
    for layer in range(1, draw(st.integers(1, 4)) + 1):
        literals = st.lists(body_literals(below), min_size=1, max_size=3)
        for body in draw(st.lists(literals, min_size=1, max_size=4)):
            rules.append(f"p{layer}(X) :- number(X), {'; '.join(body)}.")
        counted = draw(st.sampled_from(below))
        count = draw(st.sampled_from(["Y : {}(Y)", "Y*Y-3,Y : {}(Y)"]))
        rules.append(f"q{layer}(X, N) :- p{layer}(X), N = #sum {{ {count.format(counted)} }}.")
        below.append(f"p{layer}")
        if draw(st.booleans()):
            rules.append(f"r{layer}(N) :- q{layer}(_, N).")
            below.append(f"r{layer}")
    return "\n".join(rules)


PREDICATES = [(f"{name}{layer}", arity) for layer in range(1, 5) for name, arity in
              (("p", 1), ("q", 2), ("r", 1))]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=programs())
def test_random_stratified_programs(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "random.lp"
    file.write_text(text)
    inputs = np.array(list(product([False, True], repeat=len(INPUTS))))
    circuit = compile([file], INPUTS, PREDICATES)
    names = {name for name, _ in PREDICATES}
    expected = [{a for a in model if a[0] in names}
                for model in stable_models([file], INPUTS, inputs)]
    assert evaluate(circuit, inputs) == expected
