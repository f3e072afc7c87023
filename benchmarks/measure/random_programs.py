"""Check on random stratified programs that clingo, NumPy, machine code, C, WASM and AIGER agree.

    python benchmarks/measure/random_programs.py [PROGRAMS] [ROWS]

Each program has recursion, `not` and `not not`, every aggregate with every relation, conditions,
signs inside terms, strings and tuples. It prints the number of compared answers, and every
difference.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import aspcircuits
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Program, Term
from aspcircuits.installed import is_installed

DOMAIN = """number(1..4). weight(1,-3). weight(2,2). weight(3,5). weight(4,0).
term(-a; "two words"; (1,2); f(-g(-3)); (-3,)).
#external in(X) : number(X).
#external of(X) : term(X).
#external edge(X,Y) : number(X), number(Y), X != Y, X + Y != 5.
"""
RELATIONS = "<", "<=", "=", "!=", ">=", ">"
FUNCTIONS = "#count", "#sum", "#sum+", "#min", "#max"
TERMS = "-a", '"two words"', "(1,2)", "f(-g(-3))", "#sup", "#inf", "2"
AT_ONCE = 50  # programs in one C file and one process of node


def make_program(rng: random.Random) -> str:
    """Write a program whose layers derive p<n> of numbers and t<n> of terms from lower layers."""
    numbers, terms, rules = ["in"], ["of"], list[str]()
    for layer in range(1, rng.randint(2, 5)):
        for _ in range(rng.randint(1, 3)):
            body = "; ".join(literal(rng, numbers, terms) for _ in range(rng.randint(1, 3)))
            rules.append(f"p{layer}(X) :- number(X); {body}.")
        rules += recursion(rng, layer, numbers)
        rules += on_terms(rng, layer, numbers, terms)
        numbers.append(f"p{layer}")
        terms.append(f"t{layer}")
    shown = [f"#show {name}/1." for name in (*numbers[1:], *terms[1:])]
    return "\n".join([DOMAIN, *rules, *shown])


def literal(rng: random.Random, numbers: list[str], terms: list[str]) -> str:
    """Write a condition on a number X."""
    p, q, t = rng.choice(numbers), rng.choice(numbers), rng.choice(terms)
    sign = rng.choice(["", "not ", "not not "])
    return rng.choice(
        [
            f"{sign}{p}(X)",
            f"{sign}{p}(X+1)",
            f"{sign}{p}(Y) : edge(X,Y)",
            f"{sign}{p}(Y) : {q}(Y), Y >= X",
            f"{sign}{t}({rng.choice(TERMS[:4])})",
            f"{sign}edge(X,Y) : {p}(Y), Y != X, X + Y != 5",
            f"{sign}{aggregate(rng, p, q, t)}",
            f"{sign}{aggregate(rng, p, q, t)}",
        ]
    )


def aggregate(rng: random.Random, p: str, q: str, t: str) -> str:
    function, relation = rng.choice(FUNCTIONS), rng.choice(RELATIONS)
    elements = [
        rng.choice(
            [
                f"Y : {p}(Y)",
                f"Y : {p}(Y), not {q}(Y), Y != X",
                f"{rng.randint(-3, 7)},Y : {p}(Y)",
                f"W*{rng.randint(-9, 9)},Y : {p}(Y), weight(Y,W)",
                f"Z : {t}(Z)",
                f"-{rng.randint(1, 3)},Z : {t}(Z), not {p}(X)",
            ]
        )
        for _ in range(rng.randint(1, 3))
    ]
    bound = rng.choice(TERMS) if function in FUNCTIONS[3:] else str(rng.randint(-4, 8))
    text = f"{function} {{ {'; '.join(elements)} }} {relation} {bound}"
    if rng.random() < 0.2:
        text = f"{rng.randint(-3, 2)} {rng.choice(['<', '<=', '!='])} {text}"
    return text


def recursion(rng: random.Random, layer: int, numbers: list[str]) -> Iterator[str]:
    """Write rules for reachability, by an atom, a condition or a count with a lower bound."""
    if rng.random() < 0.7:
        p = rng.choice(numbers)
        yield f"p{layer}(Y) :- p{layer}(X), edge(X,Y), {rng.choice(['', 'not '])}{p}(X)."
    if rng.random() < 0.3:
        yield f"p{layer}(X) :- number(X), {rng.randint(1, 3)} #count {{ Y : p{layer}(Y) }}."
    if rng.random() < 0.3:
        yield f"p{layer}(X) :- number(X); p{layer}(Y) : edge(X,Y), Y > X; in(X)."


def on_terms(rng: random.Random, layer: int, numbers: list[str], terms: list[str]) -> Iterator[str]:
    p, t = rng.choice(numbers), rng.choice(terms)
    made = rng.choice(["Z", "(Z,-a)", "f(-b,Z)", "(Z,)", '(Z,"x y")'])
    sign = rng.choice(["not ", "not not "])
    yield f"t{layer}({made}) :- {t}(Z), {sign}{p}({rng.randint(1, 4)})."
    other = rng.choice(["", "not "])
    yield f"t{layer}(Z) :- term(Z), {sign}{t}(Z), {other}{p}({rng.randint(1, 4)})."
    yield f"t{layer}((N,-X)) :- number(X), {p}(X), N = #sum {{ Y : {p}(Y), Y <= X }}."


def clingo_answers(program: str, circuit: Circuit, rows: np.ndarray) -> np.ndarray:
    known = [*circuit.inputs]
    closed = "\n".join(x for x in program.splitlines() if not x.startswith("#external"))
    solver = Program((), choices=known, rules=closed)
    found = np.zeros((len(rows), len(circuit.outputs)), bool)
    for number, row in enumerate(rows):
        model = solver.solve(zip(known, row.tolist(), strict=True), shown=False)
        assert model is not None
        atoms: frozenset[Term] = model.atoms
        found[number] = [atom in atoms for atom in circuit.outputs]
    return found


def aiger_answers(circuit: Circuit, rows: np.ndarray) -> np.ndarray:
    """Evaluate the AIGER file of a circuit by an independent reader."""
    head, *lines = circuit.to_aiger().splitlines()
    _, inputs, _, outputs, ands = map(int, head.split()[1:])
    value = {0: np.zeros(len(rows), bool), 1: np.ones(len(rows), bool)}
    for number in range(inputs):
        literal_ = int(lines[number])
        value[literal_], value[literal_ ^ 1] = rows[:, number], ~rows[:, number]
    for line in lines[inputs + outputs :][:ands]:
        made, left, right = map(int, line.split())
        value[made] = value[left] & value[right]
        value[made ^ 1] = ~value[made]
    return np.array([value[int(line)] for line in lines[inputs:][:outputs]]).T


def words(rows: np.ndarray, count: int) -> np.ndarray:
    """Pack the columns of rows into 64-bit words, padded to a number of words."""
    padded = np.zeros((64 * count, rows.shape[1]), bool)
    padded[: len(rows)] = rows
    packed = np.packbits(padded.T, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64)


def from_words(found: np.ndarray, count: int) -> np.ndarray:
    octets = np.ascontiguousarray(found).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").T[:count].astype(bool)


def c_answers(circuits: list[Circuit], rows: list[np.ndarray]) -> list[np.ndarray]:
    """Evaluate many circuits in one C program, whose functions are numbered."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "all.c")
        parts = [circuit.to_c(f"circuit{n}") for n, circuit in enumerate(circuits)]
        calls = "".join(
            f"read_all(in, {len(c.inputs)}); circuit{n}(in, out);"
            f" write_all(out, {len(c.outputs)});\n"
            for n, c in enumerate(circuits)
        )
        most = max(max(len(c.inputs), len(c.outputs)) for c in circuits) + 1
        file.write_text(
            "\n".join(parts)
            + "\n#include <stdio.h>\n#include <inttypes.h>\n"
            + "static void read_all(uint64_t *w, int n)"
            + ' { for (int i = 0; i < n; i++) if (scanf("%" SCNu64, &w[i]) != 1) return; }\n'
            + "static void write_all(const uint64_t *w, int n)"
            + ' { for (int i = 0; i < n; i++) printf("%" PRIu64 " ", w[i]); puts(""); }\n'
            + f"int main(void) {{ static uint64_t in[{most}], out[{most}];\n{calls} return 0; }}\n"
        )
        program = Path(folder, "all")
        subprocess.run(("cc", "-std=c99", "-O1", "-o", program, file), check=True)
        given = " ".join(str(w) for each in rows for w in words(each, 1).ravel())
        ran = subprocess.run((program,), input=given, capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    return [
        from_words(np.array(line.split(), np.uint64)[:, None], len(each))
        for line, each in zip(lines, rows, strict=True)
    ]


NODE = """
const asked = JSON.parse(require("fs").readFileSync(0));
console.log(JSON.stringify(asked.map(({ module, planes, outputs }) => {
  const made = new WebAssembly.Module(Buffer.from(module, "hex"));
  const { memory, run } = new WebAssembly.Instance(made).exports;
  const octets = new Uint8Array(memory.buffer);
  octets.set(planes);
  run();
  return [...octets.slice(planes.length, planes.length + 16 * outputs)];
})));
"""


def node_answers(circuits: list[Circuit], rows: list[np.ndarray]) -> list[np.ndarray]:
    asked = [
        {
            "module": circuit.to_wasm().hex(),
            "planes": words(each, 2).view(np.uint8).ravel().tolist(),
            "outputs": len(circuit.outputs),
        }
        for circuit, each in zip(circuits, rows, strict=True)
    ]
    command = ("node", "-e", NODE)
    ran = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return [
        from_words(np.array(found, np.uint8).reshape(-1, 16), len(each))
        for found, each in zip(json.loads(ran.stdout), rows, strict=True)
    ]


def main(count: int = 500, height: int = 40) -> int:
    compared: Counter[str] = Counter()
    different: Counter[str] = Counter()
    began, seed, done = time.time(), 0, 0
    gates, outputs, varying = list[int](), 0, 0
    while done < count:
        programs, circuits, rows = [], list[Circuit](), list[np.ndarray]()
        while len(circuits) < min(AT_ONCE, count - done):
            seed += 1
            rng = random.Random(seed)
            text = make_program(rng)
            circuit = aspcircuits.compile(text)
            programs.append((seed, text))
            circuits.append(circuit)
            rows.append(np.random.default_rng(seed).random((height, len(circuit.inputs))) < 0.5)
        expected = [
            clingo_answers(text, circuit, each)
            for (_, text), circuit, each in zip(programs, circuits, rows, strict=True)
        ]
        pairs = [*zip(circuits, rows, strict=True)]
        found = {
            "NumPy": [circuit.evaluate(each) for circuit, each in pairs],
            "AIGER": [aiger_answers(circuit, each) for circuit, each in pairs],
        }
        if is_installed("llvmlite"):
            found["machine code"] = [circuit.native().evaluate(each) for circuit, each in pairs]
        if shutil.which("cc"):
            found["C"] = c_answers(circuits, rows)
        if shutil.which("node"):
            found["WebAssembly"] = node_answers(circuits, rows)
        for name, answers in found.items():
            for (number, text), right, answer in zip(programs, expected, answers, strict=True):
                compared[name] += right.size
                if not np.array_equal(right, answer):
                    different[name] += int((right != answer).sum())
                    print(f"{name} differs on seed {number}:\n{text}")
        outputs += sum(len(circuit.outputs) for circuit in circuits)
        varying += sum(int((each.any(0) & ~each.all(0)).sum()) for each in expected)
        gates += [len(circuit.gates) for circuit in circuits]
        done += len(circuits)
        print(f"{done} programs, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    print(
        f"{count} programs x {height} inputs: {outputs} outputs ({varying} neither always true nor "
        f"always false), {np.median(gates):.0f} gates in the median and {max(gates)} at most, "
        f"{time.time() - began:.0f} s"
    )
    for name, number in compared.items():
        print(f"{name}: {number:,} answers equal to clingo's but {different[name]}")
    return min(1, different.total())


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
