"""Circuits in other formats say what `evaluate` says."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from test_circuit import PREDICATES, programs

import aspcircuits
from aspcircuits.circuit import Circuit
from aspcircuits.installed import is_installed

PROGRAMS = {
    "reach": """
        #external edge(X,Y) : X = 1..4, Y = 1..4, X < Y.
        joined(X,Y) :- edge(X,Y).  joined(Y,X) :- edge(X,Y).
        reach(1).  reach(Y) :- reach(X), joined(X,Y).
        connected :- reach(X) : X = 1..4.
        #show reach/1.  #show connected/0.
    """,
    "counts": """
        #external in(1..9).
        few :- #count { X : in(X) } < 4.
        sum(B) :- B = 5..12, #sum { X : in(X); -3, out : in(1) } >= B.
        odd(X) :- in(X), not in(X+1), not not in(X-1), X > 1.
        alone(X) :- in(X), not in(Y) : Y = 1..9, Y != X.
        #show few/0.  #show sum/1.  #show odd/1.  #show alone/1.
    """,
    "terms": """
        #external of(-a;"two words";(1,2);f(-g(-3))).
        is(X) :- of(X), not of(-a).
        never :- of(-a), not of(-a).
        fact.
        #show is/1.  #show never/0.  #show fact/0.
    """,
}


@pytest.fixture(scope="module", params=PROGRAMS)
def circuit(request: pytest.FixtureRequest) -> Circuit:
    return aspcircuits.compile(PROGRAMS[request.param])


@pytest.fixture
def rows(circuit: Circuit) -> np.ndarray:
    return np.random.default_rng(3).random((128, len(circuit.inputs))) < 0.5


def planes(rows: np.ndarray) -> np.ndarray:
    packed = np.packbits(rows.T, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64)


def test_aiger(circuit: Circuit, rows: np.ndarray) -> None:
    """Read back by a reader of its own."""
    head, *lines = circuit.to_aiger().splitlines()
    most, inputs, latches, outputs, ands = map(int, head.split()[1:])
    assert (most, latches) == (inputs + ands, 0)
    value = {0: np.zeros(len(rows), bool), 1: np.ones(len(rows), bool)}

    def put(literal: int, bits: np.ndarray) -> None:
        value[literal], value[literal ^ 1] = bits, ~bits

    for number in range(inputs):
        put(int(lines[number]), rows[:, number])
    for line in lines[inputs + outputs :][:ands]:
        made, left, right = map(int, line.split())
        assert made > left >= right
        put(made, value[left] & value[right])
    found = [value[int(line)] for line in lines[inputs:][:outputs]]
    assert (circuit.evaluate(rows) == np.array(found).T).all()
    assert f"i0 {aspcircuits.render(circuit.inputs[0])}" in lines
    assert f"o0 {aspcircuits.render(circuit.outputs[0])}" in lines


def test_blif(circuit: Circuit, rows: np.ndarray) -> None:
    tables: dict[str, tuple[list[str], list[str]]] = {}
    for line in circuit.to_blif().splitlines():
        if line.startswith(".names "):
            *inputs, made = line.split()[1:]
            tables[made] = inputs, []
        elif line.endswith(" 1") or line == "1":
            tables[made][1].append(line[:-2])

    def value(name: str, row: np.ndarray, known: dict[str, bool]) -> bool:
        if name not in known:
            if name.startswith("i"):
                known[name] = bool(row[int(name[1:])])
            else:
                inputs, ones = tables[name]
                bits = "".join(str(int(value(each, row, known))) for each in inputs)
                known[name] = bits in ones
        return known[name]

    for row, expected in zip(rows, circuit.evaluate(rows), strict=True):
        known: dict[str, bool] = {}
        assert [value(f"o{n}", row, known) for n in range(len(expected))] == expected.tolist()


def test_dimacs_defines_each_output(circuit: Circuit, rows: np.ndarray) -> None:
    """Unit propagation from the inputs, which decides all."""
    clauses, outputs = [], []
    for line in circuit.to_dimacs().splitlines():
        if line.startswith("c o "):
            outputs.append(int(line.split()[2]))
        elif not line.startswith(("c ", "p ")):
            clauses.append([*map(int, line.split())][:-1])
    for row, expected in zip(rows[:20], circuit.evaluate(rows), strict=False):
        true = {n if bit else -n for n, bit in enumerate(row.tolist(), 1)}
        for clause in clauses:  # in an order in which one pass is enough
            open_ones = [literal for literal in clause if -literal not in true]
            assert open_ones
            if len(open_ones) == 1:
                true.add(open_ones[0])
        assert [output in true for output in outputs] == expected.tolist()


MAIN = """
#include <stdio.h>
int main(void) {
    uint64_t in[CIRCUIT_INPUTS + 1], out[CIRCUIT_OUTPUTS];
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < CIRCUIT_INPUTS; i++) scanf("%lu", &in[i]);
        circuit(in, out);
        for (int i = 0; i < CIRCUIT_OUTPUTS; i++) printf("%lu ", out[i]);
    }
}
"""


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_c(circuit: Circuit, rows: np.ndarray, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text(circuit.to_c() + MAIN)
    strict = ("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-Wno-format")
    subprocess.run((*strict, "-o", tmp_path / "main", source), check=True)
    words = " ".join(str(word) for word in planes(rows).T.ravel())
    ran = subprocess.run((tmp_path / "main",), input=words, capture_output=True, text=True)
    found = np.array(ran.stdout.split(), np.uint64).reshape(2, -1).T
    assert (np.ascontiguousarray(found) == circuit.planes(planes(rows))).all()


def test_numpy(circuit: Circuit, rows: np.ndarray) -> None:
    module: dict[str, object] = {}
    exec(circuit.to_numpy(), module)
    found = module["evaluate"](rows)  # type: ignore[operator]
    assert (found == circuit.evaluate(rows)).all()


NODE = """
const fs = require("fs");
const asked = JSON.parse(fs.readFileSync(0));
const module_ = new WebAssembly.Module(Buffer.from(asked.module, "hex"));
const { memory, run } = new WebAssembly.Instance(module_).exports;
const octets = new Uint8Array(memory.buffer);
octets.set(asked.planes);
run();
const [atoms] = WebAssembly.Module.customSections(module_, "atoms");
const start = asked.planes.length;
console.log(JSON.stringify({
  atoms: JSON.parse(new TextDecoder().decode(atoms)),
  planes: [...octets.slice(start, start + 16 * asked.outputs)],
}));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_wasm(circuit: Circuit, rows: np.ndarray) -> None:
    asked = {
        "module": circuit.to_wasm().hex(),
        "planes": planes(rows).view(np.uint8).ravel().tolist(),
        "outputs": len(circuit.outputs),
    }
    command = ("node", "-e", NODE)
    ran = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    assert not ran.stderr
    told = json.loads(ran.stdout)
    found = np.array(told["planes"], np.uint8).view(np.uint64).reshape(-1, 2)
    assert (found == circuit.planes(planes(rows))).all()
    assert told["atoms"]["outputs"] == [*map(aspcircuits.render, circuit.outputs)]


def test_a_large_circuit_is_split_into_several_functions_of_wasm() -> None:
    random = Random(5)
    rules = ["#external in(1..60).\nn(0,X) :- in(X).\n#show n(20,X) : n(20,X).\n"]
    for level in range(1, 21):
        for x in range(1, 61):
            a, b, c = random.sample(range(1, 61), 3)
            rules.append(f"n({level},{x}) :- n({level - 1},{a}), not n({level - 1},{b}).\n")
            rules.append(f"n({level},{x}) :- n({level - 1},{c}), n({level - 1},{b}).\n")
    text = "".join(rules).replace("#show n(20,X) : n(20,X).", "out(X) :- n(20,X). #show out/1.")
    circuit = aspcircuits.compile(text)
    if shutil.which("node"):
        rows = np.random.default_rng(4).random((128, 60)) < 0.5
        test_wasm(circuit, rows)


def test_a_name_that_is_none_of_c_is_refused(circuit: Circuit) -> None:
    with pytest.raises(aspcircuits.InputError, match="is not an identifier of C"):
        circuit.to_c("two words")


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("yosys") and shutil.which("berkeley-abc")),
    reason="needs yosys and berkeley-abc",
)
def test_tools_of_others_find_both_formats_equivalent(circuit: Circuit, tmp_path: Path) -> None:
    lines = circuit.to_aiger().splitlines()
    (tmp_path / "a.aag").write_text("".join(f"{x}\n" for x in lines if x[0] not in "io"))
    (tmp_path / "a.blif").write_text(circuit.to_blif())
    script = "read_aiger -module_name a a.aag; write_blif b.blif"
    subprocess.run(("yosys", "-q", "-p", script), cwd=tmp_path, check=True)
    command = ("berkeley-abc", "-c", "cec -n a.blif b.blif")
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "Networks are equivalent" in ran.stdout


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[*HealthCheck])
@given(text=programs())
def test_random_programs(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """`evaluate` is held against clingo elsewhere; here the formats are held against `evaluate`."""
    predicates = [each for each in PREDICATES if f"{each[0]}(" in text]
    shown = "".join(f"\n#show {name}/{arity}." for name, arity in predicates)
    circuit = aspcircuits.compile(f"#external in(1..5).\n{text}{shown}")
    assume(circuit.outputs)
    rows = np.random.default_rng(3).random((128, 5)) < 0.5
    test_aiger(circuit, rows)
    test_blif(circuit, rows[:8])
    test_dimacs_defines_each_output(circuit, rows)
    test_numpy(circuit, rows)
    if shutil.which("cc"):
        test_c(circuit, rows, tmp_path_factory.mktemp("c"))
    if shutil.which("node"):
        test_wasm(circuit, rows)
    if is_installed("llvmlite"):
        assert (circuit.native().evaluate(rows) == circuit.evaluate(rows)).all()
