"""Measure one program's rows a second: by repeated calls of clingo, and as a circuit in five ways.

    python benchmarks/measure/circuits.py

Each way gets the same random rows. clingo grounds once and sets ``#external`` atoms before each
call. It prints medians of five runs. WebAssembly needs node, C needs a compiler.
"""

import ctypes
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import clingo
import numpy as np

import aspcircuits
from aspcircuits.circuit import Circuit

LINES = Path(__file__).parents[2] / "tests" / "aspcircuits" / "lines.lp"
PROGRAMS = {
    "reachability, 7 vertices": """
        vertex(1..7).  #external edge(X,Y) : vertex(X), vertex(Y), X < Y.
        joined(X,Y) :- edge(X,Y).  joined(Y,X) :- edge(X,Y).
        reach(1).  reach(Y) :- reach(X), joined(X,Y).
        connected :- reach(X) : vertex(X).  #show connected/0.
    """,
    "a majority of 40": "#external in(1..40). more :- 21 { in(X) }. #show more/0.",
    "a sum of 30 weights": """
        #external in(1..30).  heavy :- #sum { X*X-200,X : in(X) } > 500.  #show heavy/0.
    """,
    "a chain of 300 rules": """
        #external in(1..20).  on(0).
        on(N) :- on(N-1), not in(N \\ 20 + 1), N = 1..300.
        on(N) :- in(N \\ 20 + 1), in((N * 7) \\ 20 + 1), N = 1..300.
        end :- on(300).  #show end/0.
    """,
    "features of a board of 7x6": LINES.read_text()
    + "#external cell(1..2,1..height,1..width). #external turn(1). #show feature/3.",
}
ASKED, ROWS, RUNS = 300, 1 << 18, 5

LOOP = """
#include <stddef.h>
void rows(const uint64_t *in, uint64_t *out, size_t words) {
    for (size_t w = 0; w < words; w++)
        circuit(in + w * CIRCUIT_INPUTS, out + w * CIRCUIT_OUTPUTS);
}
"""
NODE = """
const fs = require("fs");
const made = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { run } = new WebAssembly.Instance(made).exports;
for (let n = 0; n < 20000; n++) run();
const start = performance.now();
for (let n = 0; n < 20000; n++) run();
console.log(128 * 20000 / (performance.now() - start) * 1000);
"""


def rate(work: Callable[[], object], rows: int) -> float:
    """Return rows a second, the median of some runs."""
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return rows / median(times)


def asked_again(text: str, circuit: Circuit, rows: np.ndarray) -> float:
    """Measure clingo, row after row."""
    control = clingo.Control()
    control.add("base", [], text)
    control.ground([("base", [])])
    atoms = [clingo.parse_term(aspcircuits.render(atom)) for atom in circuit.inputs]

    def work() -> None:
        for row in rows.tolist():
            for atom, value in zip(atoms, row, strict=True):
                control.assign_external(atom, value)
            control.solve(on_model=lambda model: model.symbols(shown=True))

    return rate(work, len(rows))


def in_c(circuit: Circuit, packed: np.ndarray, folder: Path) -> float:
    source, library = folder / "circuit.c", folder / "circuit.so"
    source.write_text(circuit.to_c() + LOOP)
    subprocess.run(("cc", "-O2", "-shared", "-fPIC", "-o", library, source), check=True)
    run = ctypes.CDLL(str(library)).rows
    words = packed.shape[1]
    given = np.ascontiguousarray(packed.T)
    made = np.empty((words, len(circuit.outputs)), np.uint64)
    pointers = ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(made.ctypes.data)
    return rate(lambda: run(*pointers, ctypes.c_size_t(words)), 64 * words)


def in_wasm(circuit: Circuit, folder: Path) -> float:
    (folder / "circuit.wasm").write_bytes(circuit.to_wasm())
    command = ("node", "-e", NODE, folder / "circuit.wasm")
    told = [
        json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(RUNS)
    ]
    return median(told)


def main() -> None:
    ways = "clingo", "evaluate", "planes", "native", "C", "WebAssembly"
    print(f"{'rows a second':28}" + "".join(f"{way:>14}" for way in ways))
    for name, text in PROGRAMS.items():
        circuit = aspcircuits.compile(text)
        rows = np.random.default_rng(1).random((ROWS, len(circuit.inputs))) < 0.5
        packed, native = circuit.pack(rows), circuit.native()
        found = [
            asked_again(text, circuit, rows[:ASKED]),
            rate(lambda c=circuit, r=rows: c.evaluate(r), ROWS),  # type: ignore[misc]
            rate(lambda c=circuit, p=packed: c.planes(p), ROWS),  # type: ignore[misc]
            rate(lambda n=native, r=rows: n.evaluate(r), ROWS),  # type: ignore[misc]
        ]
        with tempfile.TemporaryDirectory() as folder:
            found.append(in_c(circuit, packed, Path(folder)) if shutil.which("cc") else 0)
            found.append(in_wasm(circuit, Path(folder)) if shutil.which("node") else 0)
        print(f"{name:28}" + "".join(f"{each:14,.0f}" if each else f"{'-':>14}" for each in found))


if __name__ == "__main__":
    main()
