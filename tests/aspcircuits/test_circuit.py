"""The circuit against clingo itself: one stable model for each set of inputs."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aspcircuits.bitplanes import pack, unpack
from aspcircuits.circuit import Circuit, compile_files, ground
from aspcircuits.clingo_api import Program, Term, parse, render
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.loops import components

DATA = Path(__file__).parent
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
    rules = ["number(1..3). weight(1, -3). weight(2, 2). weight(3, 5)."]
    below = ["in"]
    for layer in range(1, draw(st.integers(1, 4)) + 1):
        literals = st.lists(body_literals(below), min_size=1, max_size=3)
        for body in draw(st.lists(literals, min_size=1, max_size=4)):
            rules.append(f"p{layer}(X) :- number(X), {'; '.join(body)}.")
        counted = draw(st.sampled_from([name for name in below if name[0] != "r"]))
        count = draw(st.sampled_from(["Y : {}(Y)", "Y*Y-3,Y : {}(Y)"]))
        rules.append(f"q{layer}(X, N) :- p{layer}(X), N = #sum {{ {count.format(counted)} }}.")
        below.append(f"p{layer}")
        if draw(st.booleans()):
            rules.append(f"r{layer}(N) :- q{layer}(_, N).")
            below.append(f"r{layer}")
    return "\n".join(rules)


PREDICATES = [
    (f"{name}{layer}", arity)
    for layer in range(1, 5)
    for name, arity in (("p", 1), ("q", 2), ("r", 1))
]


@pytest.mark.slow
@settings(max_examples=75, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=programs())
def test_random_stratified_programs(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "random.lp"
    declared = "".join(f"\n#defined {name}/{arity}." for name, arity in PREDICATES)
    file.write_text(text + declared)
    inputs = np.array(list(product([False, True], repeat=len(INPUTS))))
    circuit = compile_files([file], INPUTS, PREDICATES)
    names = {name for name, _ in PREDICATES}
    expected = [
        {a for a in model if a[0] in names} for model in stable_models([file], INPUTS, inputs)
    ]
    assert evaluate(circuit, inputs) == expected


GEOMETRIES = [(7, 6, 4), (5, 4, 3), (8, 7, 5), (4, 4, 4), (9, 6, 4)]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "connect"), GEOMETRIES)
def test_boards_of_several_sizes(width: int, height: int, connect: int) -> None:
    constants = {"width": width, "height": height, "connect": connect}
    cells = product((1, 2), range(1, height + 1), range(1, width + 1))
    atoms: list[Term] = [*(("cell", *cell) for cell in cells), ("turn", 1)]
    rng = np.random.default_rng(width)
    # Discs may hang in the air or share a square: the circuit has to agree all the same.
    inputs = rng.random((70, len(atoms))) < rng.random((70, 1))
    circuit = compile_files([DATA / "lines.lp"], atoms, [("feature", 3)], constants)
    expected = stable_models([DATA / "lines.lp"], atoms, inputs, **constants)
    assert evaluate(circuit, inputs) == expected


@pytest.fixture
def lines() -> Circuit:
    cells = [("cell", *cell) for cell in product((1, 2), range(1, 7), range(1, 8))]
    return compile_files([DATA / "lines.lp"], [*cells, ("turn", 1)], [("feature", 3)])


def test_batches_of_any_size(lines: Circuit) -> None:
    """A large batch is worked off in chunks; small ones before and after do not disturb it."""
    rng = np.random.default_rng(5)
    planes = rng.integers(0, 2**64, (len(lines.inputs), 301), np.uint64)
    whole = lines(planes)
    assert whole.shape == (len(lines.outputs), 301)
    for start, stop in [(0, 1), (1, 3), (3, 20), (20, 301), (300, 301)]:
        assert (lines(planes[:, start:stop]) == whole[:, start:stop]).all()
    assert lines(planes[:, :0]).shape == (len(lines.outputs), 0)


def test_results_are_not_overwritten_by_the_next_call(lines: Circuit) -> None:
    nothing = np.zeros((len(lines.inputs), 1), np.uint64)
    first = lines(nothing)
    kept = first.copy()
    lines(~nothing)
    assert (first == kept).all()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def write_file(text: str) -> Path:
        file = tmp_path / "program.lp"
        file.write_text(text)
        return file

    return write_file


def test_outputs_that_are_facts_inputs_or_impossible(write: Callable[[str], Path]) -> None:
    file = write(
        """
        o(fact). o(derived_fact) :- o(fact).
        o(same) :- in(1). o(negated) :- not in(1). o(double) :- not not in(1).
        o(tautology) :- in(1). o(tautology) :- not in(1).
        o(never) :- in(1), not in(1). o(underivable) :- missing.
        o(sum) :- #sum { 3 : in(1); 2 : in(2); -4 : in(3) } >= 2147483647.
        """
    )
    circuit = compile_files([file], INPUTS, [("o", 1), ("in", 1)])
    inputs = np.array(list(product([False, True], repeat=len(INPUTS))))
    assert evaluate(circuit, inputs) == [
        {
            ("o", "fact"),
            ("o", "derived_fact"),
            ("o", "tautology"),
            *((("o", "same"), ("o", "double")) if row[0] else (("o", "negated"),)),
            *(atom for atom, holds in zip(INPUTS, row, strict=True) if holds),
        }
        for row in inputs
    ]
    assert ("o", "underivable") not in circuit.outputs
    assert list(circuit.outputs) == sorted(circuit.outputs, key=repr)


def test_an_atom_that_clingo_mentions_but_never_derives(write: Callable[[str], Path]) -> None:
    """The two predicates depend on each other, the ground atoms do not."""
    file = write("o(X) :- in(X), not p(X). p(X) :- o(X), nothing.")
    circuit = compile_files([file], INPUTS, [("o", 1), ("p", 1)])
    assert evaluate(circuit, np.eye(5, dtype=np.bool_)) == [{("o", i)} for i in range(1, 6)]


def test_shown_or_not_and_optimised_or_not_makes_no_difference(
    write: Callable[[str], Path],
) -> None:
    file = write("o(X) :- in(X), X > 3. #show. #show x : in(1). #maximize { X : in(X) }.")
    circuit = compile_files([file], INPUTS, [("o", 1)])
    assert circuit.outputs == (("o", 4), ("o", 5))
    assert evaluate(circuit, np.ones((1, 5), np.bool_)) == [set(circuit.outputs)]


def test_an_output_that_no_rule_derives_is_refused(write: Callable[[str], Path]) -> None:
    file = write("#defined p/2. o(X) :- in(X).")
    with pytest.raises(EncodingError, match=r"program\.lp: no rule derives the output 'o/2'"):
        compile_files([file], INPUTS, [("o", 1), ("o", 2)])
    assert compile_files([file], INPUTS, [("p", 2)]).outputs == ()


def test_an_input_has_to_be_an_atom(write: Callable[[str], Path]) -> None:
    with pytest.raises(InputError, match=r"input 'in\(1\)' is a text"):
        compile_files([write("o(X) :- in(X).")], ["in(1)"], [("o", 1)])


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        ([("in", 1), ("in", 2), ("in", 1)], [("o", 1)], r"input 'in\(1\)' is given twice"),
        ("in", [("o", 1)], "inputs: 'in' is one text"),
        ([("in", 1)], "o/1", "output 'o' is not a pair such as"),
        ([("in", 1)], ["o/1"], "output 'o/1' is not a pair such as"),
    ],
)
def test_inputs_and_outputs_are_lists_without_repetition(
    write: Callable[[str], Path], inputs: Any, outputs: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        compile_files([write("o(X) :- in(X).")], inputs, outputs)


@pytest.mark.parametrize(
    "planes",
    [np.ones((1, 4), np.uint64), np.ones(2, np.uint64), np.ones((2, 4), np.int8), [[1], [2]]],
)
def test_planes_of_another_shape_or_type_are_refused(
    write: Callable[[str], Path], planes: Any
) -> None:
    circuit = compile_files([write("o(X) :- in(X).")], [("in", 1), ("in", 2)], [("o", 1)])
    with pytest.raises(InputError, match=r"^planes of shape .*, expected \(2, words\) and uint64$"):
        circuit(planes)


REFUSALS = [
    (
        "o :- in(1).\n{ a(X) : in(X) }.",
        "program.lp:2: 'a(1)' is a choice; only the inputs are open",
    ),
    ("{ in(1) } :- in(2).", "program.lp:1: 'in(1)' is a choice; only the inputs are open"),
    ("a(1).\na(X) ; b(X+1) :- in(X).", "program.lp:2: 'a("),
    ("a(X) ; b(X) :- in(X).", "is a disjunction; a circuit takes rules with one head"),
    ("a :- in(1).\n:- a, not in(2).", "program.lp:2: ':- "),
    ("a :- in(1).\n:- a, not in(2).", "is a constraint, which would forbid some inputs"),
    (":- #sum { X : in(X) } > 7.", "is a constraint"),
    ("#external e(1..2).\no :- e(1).", "program.lp:1: 'e(1)' is external"),
    ("a :- in(1).\no :- not o.", "program.lp:2: 'o' depends on itself (o <- o) through 'not'"),
    ("o :- a, in(1).\na :- in(2), not b.\nb :- o.", "itself (a <- b <- o <- a) through 'not'"),
    ("o :- not b, in(1).\nb :- not o.", "depends on itself ("),
    (
        "o :- #count { X : in(X); 9 : o } < 2.",
        "'o' depends on itself (o <- o) through 'not' or",
    ),
    (
        "o :- in(1).\no :- #sum { 2 : o; -1 : in(2) } >= 1.",
        "program.lp:1: 'o' depends on itself through a sum with weights of both signs",
    ),
    ("o.\n-q(X) :- in(X).", "program.lp:2: '-q/1' has a sign of classical negation"),
    ("a.\nin(3) :- in(4).", "program.lp:2: 'in(3)' is an input, but a rule derives it"),
    ("in(3).", "program.lp:1: 'in(3)' is an input, but a rule derives it"),
    ("#edge (1, 2) : in(1).", "program.lp:1: an #edge statement (when in(1))"),
    (
        "#theory t { x { }; &diff/0 : x, {<=}, x, any }.\n&diff { 1 } <= 3 :- in(1).",
        "program.lp:2: theory atom",
    ),
    ("#script (lua) print(1) #end.", "program.lp:1:1-29: error: lua support not available"),
    ("#script (python) print(1) #end.", "program.lp:1:1-32: error: python support not available"),
    ("o :- in(X.", "program.lp:1:10-11: error: syntax error"),
]


@pytest.mark.parametrize(("text", "message"), REFUSALS)
def test_refusals(write: Callable[[str], Path], text: str, message: str) -> None:
    file = write(f"{text}\n#defined o/0.")
    with pytest.raises(EncodingError) as refusal:
        compile_files([file], INPUTS, [("o", 0)])
    assert message in str(refusal.value)
    assert str(file) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@st.composite
def loops(draw: st.DrawFn) -> str:
    """Rules that go in circles, one or two steps or a count a rule, above and below others."""
    atom = st.builds("r({})".format, st.integers(1, 6))
    given = st.builds("{}in({})".format, st.sampled_from(["", "not "]), st.integers(1, 5))
    begun = st.builds("{} :- {}.".format, atom, given)
    step = st.builds("{} :- {}, {}.".format, atom, atom, given | atom)
    some = st.builds("{},{}: {}".format, st.integers(1, 3), st.integers(1, 2), given | atom)
    bound = st.builds(" >= {}.".format, st.integers(1, 4))
    heads = st.builds("{} :- #{} {{ ".format, atom, st.sampled_from(["count", "sum"]))
    step |= st.builds("{}{}; {}; {} }}{}".format, heads, some, some, some, bound)
    rules = draw(st.lists(begun, min_size=1, max_size=2)) + draw(st.lists(step, max_size=14))
    return "\n".join([*rules, "#defined r/1.", "o(X) :- r(X).", "few :- #count { X : r(X) } < 3."])


@given(text=loops())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_loops_have_the_least_fixpoint(write: Callable[[str], Path], text: str) -> None:
    file = write(text)
    rows = np.array([*product([False, True], repeat=5)])
    circuit = compile_files([file], INPUTS, [("o", 1), ("few", 0)])
    wanted = stable_models([file], INPUTS, rows)
    for found, model in zip(evaluate(circuit, rows), wanted, strict=True):
        assert found == {atom for atom in model if atom == "few" or atom[0] == "o"}


def test_a_refusal_of_a_loop_is_the_same_again(write: Callable[[str], Path]) -> None:
    program = ground([write("a :- in(1).\no :- not o.")], INPUTS)
    for _ in range(2):
        with pytest.raises(EncodingError, match="'o' depends on itself"):
            components(program)


def test_an_input_may_have_a_tuple_of_one(write: Callable[[str], Path]) -> None:
    atom = parse("in((1,))")
    circuit = compile_files([write("o(X) :- in((X,)).")], [atom], [("o", 1)])
    assert render(atom) == "in((1,))"
    assert evaluate(circuit, np.array([[True], [False]])) == [{("o", 1)}, set()]


def test_a_way_round_is_found_whatever_its_length(write: Callable[[str], Path]) -> None:
    """A ring of 40 in which each two neighbours may be joined; what is joined to the first one."""
    joins: list[Term] = [("in", i) for i in range(1, 41)]
    file = write(
        "next(I, I+1) :- I = 1..39. next(40, 1). o(1).\n"
        "o(Y) :- o(X), next(X, Y), in(X).\no(X) :- o(Y), next(X, Y), in(X)."
    )
    circuit = compile_files([file], joins, [("o", 1)])
    rng = np.random.default_rng(1)
    cut = rng.integers(0, 40, (200, 2))
    rows = np.ones((200, 40), bool)
    rows[np.arange(200)[:, None], cut] = False
    for row, found in zip(rows.tolist(), evaluate(circuit, rows), strict=True):
        first, last = row.index(False), 39 - row[::-1].index(False)
        joined = {*range(1, first + 2), *range(last + 2, 41)}
        assert found | {("o", 1)} == {("o", i) for i in joined}


def test_what_is_joined_to_each_square(write: Callable[[str], Path]) -> None:
    """From every square of 5x5, by way of stones: of all squares what is joined to them."""
    squares = [*product(range(1, 6), repeat=2)]
    file = write(
        "near(X, Y, X+A, Y+B) :- X = 1..5, Y = 1..5, A = -1..1, B = -1..1, |A| + |B| > 0, "
        "X+A = 1..5, Y+B = 1..5.\n"
        "o(S, T) :- in(S), S = (X, Y), T = (V, W), near(X, Y, V, W), in(T).\n"
        "o(S, T) :- o(S, R), R = (X, Y), T = (V, W), near(X, Y, V, W), in(T)."
    )
    circuit = compile_files([file], [("in", ("", *square)) for square in squares], [("o", 2)])
    # 5,864 gates on 61 levels; round by round it takes 27,491 on 1,144.
    assert len(circuit.gates) < 9_000
    assert max(gate.level for gate in circuit.gates) < 200
    rows = np.random.default_rng(1).random((300, 25)) < np.linspace(0.1, 0.9, 300)[:, None]
    for row, found in zip(rows, evaluate(circuit, rows), strict=True):
        stones = {square for square, lies in zip(squares, row, strict=True) if lies}
        joined = set()
        for start in stones:
            seen, waiting = set(), [start]
            while waiting:
                x, y = waiting.pop()
                near = {(x + a, y + b) for a, b in product((-1, 0, 1), repeat=2)} - {(x, y)}
                waiting += (near & stones) - seen
                seen |= near & stones
            joined |= {("o", ("", *start), ("", *square)) for square in seen}
        assert found == joined


def test_what_is_too_much_to_unroll_is_refused(write: Callable[[str], Path]) -> None:
    file = write("o(X) :- o(Y), X = 1..200, Y = 1..200, in(1). o(1) :- in(2).")
    with pytest.raises(EncodingError, match=r"program.lp:1: .* with 200 atoms, too many to unroll"):
        compile_files([file], INPUTS, [("o", 1)])


def test_a_refusal_names_the_file_that_is_to_blame(tmp_path: Path) -> None:
    good, bad, main = (tmp_path / name for name in ("good.lp", "bad.lp", "main.lp"))
    good.write_text("o(X) :- in(X).")
    bad.write_text("% mine\n{ extra }.")
    main.write_text('#include "good.lp". #include "bad.lp".')
    for files in ([good, bad], [main]):
        with pytest.raises(EncodingError, match=r"bad\.lp:2: 'extra' is a choice"):
            compile_files(files, INPUTS, [("o", 1)])


def test_from_a_rule_to_its_gate(write: Callable[[str], Path]) -> None:
    file = write(
        """
        fact(1..2).
        a(X) :- fact(X), in(X), not in(X+1).
        a(1) :- in(4) : in(5).
        many :- 2 <= #count { X : in(X) }.
        few :- not 3 <= #sum { X : in(X), X < 4 }, not a(2).
        o(1) :- many, a(1).
        o(2) :- few.
        unused :- in(1), in(2).
        """
    )
    circuit = compile_files([file], INPUTS, [("o", 1)])
    assert circuit.explain(parse("a(2)")) == [
        "a(2) :- in(2), not in(3).",
        "% a gate of level 1: not the OR of 2",
    ]
    assert circuit.explain(parse("a(1)")) == [
        "a(1) :- in(1), not in(2).",
        "a(1) :- (in(4); not in(5)).",
        "% a gate of level 2: the OR of 3",
    ]
    assert circuit.explain("many") == [
        "many :- 2 <= #count {in(1); in(2); in(3); in(4); in(5)}.",
        "% a gate of level 3: the OR of 2",
    ]
    assert (
        circuit.explain("few")[0]
        == "few :- not a(2), not 3 <= #sum+ {1: in(1); 2: in(2); 3: in(3)}."
    )
    assert circuit.explain("unused")[1] == "% no output needs it, so it has no gate"
    assert circuit.explain(parse("fact(1)")) == [
        "fact(1).",
        "% no output needs it, so it has no gate",
    ]
    assert circuit.explain(parse("in(5)")) == ["{in(5)}.", "% an input"]
    with pytest.raises(InputError, match=r"'a\(3\)' is not an atom"):
        circuit.explain(parse("a(3)"))
    with pytest.raises(InputError, match=r"'a\(X' is not an atom"):
        parse("a(X")


def test_what_features_cost(write: Callable[[str], Path]) -> None:
    file = write(
        """
        base :- in(1), in(2).
        o(x, 1) :- base, not in(3).
        o(x, 2) :- base, in(4).
        o(y, 1) :- base.
        o(free, 1) :- in(5).
        """
    )
    circuit = compile_files([file], INPUTS, [("o", 2)])
    assert circuit.cost(lambda atom: atom[1]) == {"free": (0, 0), "x": (3, 2), "y": (1, 0)}
    assert circuit.levels == [1, 2]
    assert sum(circuit.levels) == len(circuit.gates)
