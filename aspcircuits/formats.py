"""Circuits in formats of other tools, and as programs in C and Python.

All are written from the same look-up tables of three inputs (`aspcircuits.luts`), in which counts
and sums are already gates.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aspcircuits.clingo_api import render
from aspcircuits.gates import TRUE
from aspcircuits.luts import Tables, output_tables
from aspcircuits.vector_code import LutExpression, expressions


def tables_of(circuit: Any) -> Tables:
    """Return the look-up tables of a circuit."""
    return output_tables(circuit.nodes, circuit.gates, circuit.results)


def needed_tables(tables: Tables) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return the tables that outputs depend on, in order: node, table, operands."""
    first = tables.inputs.stop
    wanted = {abs(output) for output in tables.outputs}
    found = []
    for place in range(len(tables.luts) - 1, -1, -1):
        table, operands = tables.luts[place]
        if first + place in wanted:
            wanted.update(operands)
            found.append((first + place, table, operands))
    return found[::-1]


def names(circuit: Any) -> tuple[list[str], list[str]]:
    """Return the names of inputs and outputs as text."""
    return [*map(render, circuit.inputs)], [*map(render, circuit.outputs)]


class _Ands:
    """AND gates with inverters, numbered as in AIGER: an even literal, plus one if inverted."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.gates: list[tuple[int, int, int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def both(self, a: int, b: int) -> int:
        low, high = sorted((a, b))
        if low == 0 or low == high ^ 1:
            return 0
        if low == 1 or low == high:
            return high
        if (low, high) not in self._known:
            made = 2 * (self.inputs + len(self.gates) + 1)
            self.gates.append((made, high, low))
            self._known[low, high] = made
        return self._known[low, high]

    def expression(self, expression: LutExpression, values: Mapping[str, int]) -> int:
        if isinstance(expression, str):
            return values.get(expression, 0)
        name, left, right = expression
        a, b = self.expression(left, values), self.expression(right, values)
        if name == "and":
            return self.both(a, b)
        if name == "andn":
            return self.both(a, b ^ 1)
        if name == "or":
            return self.both(a ^ 1, b ^ 1) ^ 1
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)


def to_aiger(circuit: Any) -> str:
    """Write a circuit in the ASCII format of AIGER (aag), with a symbol table.

    The format is described by Biere, "The AIGER and-inverter graph format" (2007).
    """
    tables = tables_of(circuit)
    ands = _Ands(len(circuit.inputs))
    value = {TRUE: 1} | {node: 2 * (i + 1) for i, node in enumerate(tables.inputs)}
    for node, table, operands in needed_tables(tables):
        inputs = dict(zip("abc", (value[o] for o in operands), strict=False))
        value[node] = ands.expression(expressions()[table], inputs)
    outputs = [value[abs(o)] ^ (o < 0) for o in tables.outputs]
    count = len(circuit.inputs), len(ands.gates)
    lines = [f"aag {sum(count)} {count[0]} 0 {len(outputs)} {count[1]}"]
    lines += [str(value[node]) for node in tables.inputs]
    lines += map(str, outputs)
    lines += [" ".join(map(str, gate)) for gate in ands.gates]
    given, made = names(circuit)
    lines += [f"i{number} {name}" for number, name in enumerate(given)]
    lines += [f"o{number} {name}" for number, name in enumerate(made)]
    return "\n".join(lines) + "\n"


def to_blif(circuit: Any) -> str:
    """Write a circuit in the Berkeley Logic Interchange Format, a table for each gate.

    Names are ``i0``, ``i1``, ... and ``o0``, ``o1``, ...; comments say which atoms these are.
    """
    tables = tables_of(circuit)
    name = {node: f"i{number}" for number, node in enumerate(tables.inputs)}
    given, made = names(circuit)
    lines = [f"# i{number} = {atom}" for number, atom in enumerate(given)]
    lines += [f"# o{number} = {atom}" for number, atom in enumerate(made)]
    lines += [".model circuit"]
    lines.append(" ".join([".inputs", *name.values()]))
    lines.append(" ".join([".outputs", *(f"o{n}" for n in range(len(made)))]))
    for node, table, operands in needed_tables(tables):
        name[node] = f"n{node}"
        lines.append(" ".join([".names", *(name[o] for o in operands), name[node]]))
        lines += [f"{row} 1" for row in _rows(table, len(operands))]
    for number, output in enumerate(tables.outputs):
        if abs(output) == TRUE:
            lines += [f".names o{number}", *(["1"] if output > 0 else [])]
        else:
            lines += [f".names {name[abs(output)]} o{number}", "1 1" if output > 0 else "0 1"]
    return "\n".join([*lines, ".end"]) + "\n"


def _rows(table: int, operands: int) -> Iterator[str]:
    """Yield the values of the inputs for which a table's value is one."""
    for row in range(1 << operands):
        bits = f"{row:0{operands}b}"
        if _value(table, bits):
            yield bits


def _value(table: int, bits: str) -> int:
    a, b, c = (int(bit) for bit in (bits + bits[-1] * 2)[:3])
    return table >> (4 * a + 2 * b + c) & 1


def to_dimacs(circuit: Any) -> str:
    """Write a circuit as clauses (Tseitin's translation) in DIMACS, for a SAT solver.

    Comments map variables to atoms: ``c i 1 edge(1,2)``, ``c o 9 reach(3)``. The clauses leave
    inputs open and define all others; a unit clause requires an output to hold.
    """
    tables = tables_of(circuit)
    number = {node: place for place, node in enumerate(tables.inputs, 1)}
    clauses: list[list[int]] = []
    for node, table, operands in needed_tables(tables):
        number[node] = made = len(number) + 1
        for row in range(1 << len(operands)):
            bits = f"{row:0{len(operands)}b}"
            outside = [
                -number[o] if bit == "1" else number[o]
                for o, bit in zip(operands, bits, strict=True)
            ]
            clauses.append([*outside, made if _value(table, bits) else -made])
    top = len(number)
    outputs = []
    for output in tables.outputs:
        if abs(output) == TRUE:
            top += 1
            clauses.append([top if output > 0 else -top])
            outputs.append(top)
        else:
            outputs.append(number[abs(output)] * (1 if output > 0 else -1))
    given, made_names = names(circuit)
    lines = [f"c i {place} {atom}" for place, atom in enumerate(given, 1)]
    lines += [f"c o {place} {atom}" for place, atom in zip(outputs, made_names, strict=True)]
    lines.append(f"p cnf {top} {len(clauses)}")
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join(lines) + "\n"


_C_OPERATIONS = {"and": "({} & {})", "or": "({} | {})", "xor": "({} ^ {})", "andn": "({} & ~{})"}


def _formula(
    expression: LutExpression, values: Mapping[str, str], operations: Mapping[str, str], zero: str
) -> str:
    if isinstance(expression, str):
        return values.get(expression, zero)
    name, left, right = expression
    sides = (_formula(side, values, operations, zero) for side in (left, right))
    return operations[name].format(*sides)


def _program(
    circuit: Any, read: Callable[[int], str], one: str, zero: str, line: str
) -> tuple[list[str], list[str]]:
    """Return the lines that compute a circuit, and an expression for each output.

    Args:
        read: returns the text of an input, given its number.
        line: template of a node's line, for its number and formula.
    """
    tables = tables_of(circuit)
    value = {TRUE: one} | {node: read(number) for number, node in enumerate(tables.inputs)}
    lines = []
    for node, table, operands in needed_tables(tables):
        inputs = dict(zip("abc", (value[o] for o in operands), strict=False))
        lines.append(line.format(node, _formula(expressions()[table], inputs, _C_OPERATIONS, zero)))
        value[node] = f"n{node}"
    return lines, [value[abs(o)] if o > 0 else f"~{value[abs(o)]}" for o in tables.outputs]


def to_c(circuit: Any, name: str = "circuit") -> str:
    """Write a circuit as a C99 file without dependencies.

    Its function takes a word of 64 rows for each input and computes one for each output.
    """
    lines, outputs = _program(
        circuit, "in[{}]".format, "(~UINT64_C(0))", "UINT64_C(0)", "    const uint64_t n{} = {};"
    )
    given, made = names(circuit)
    return "\n".join(
        [
            f"/* {len(given)} inputs, {len(made)} outputs; bit b of a word belongs to row b.",
            *(f"   in[{number}]: {_comment(atom)}" for number, atom in enumerate(given)),
            *(f"   out[{number}]: {_comment(atom)}" for number, atom in enumerate(made)),
            "*/",
            "#include <stdint.h>",
            "",
            f"#define {name.upper()}_INPUTS {len(given)}",
            f"#define {name.upper()}_OUTPUTS {len(made)}",
            "",
            f"void {name}(const uint64_t *in, uint64_t *out)",
            "{",
            "    (void)in;",
            *lines,
            *(f"    out[{number}] = {each};" for number, each in enumerate(outputs)),
            "}",
            "",
        ]
    )


def _comment(atom: str) -> str:
    """Return a text that does not end a comment of C."""
    return atom.replace("*/", "* /")


def to_numpy(circuit: Any) -> str:
    """Write a circuit as a Python module that needs NumPy alone.

    Its function `evaluate` takes bool of shape (n, inputs) and returns bool of shape (n, outputs).
    """
    lines, outputs = _program(circuit, "x[:, {}]".format, "one", "~one", "    n{} = {}")
    given, made = names(circuit)
    return "\n".join(
        [
            '"""A circuit that was compiled from an answer set program."""',
            "",
            "import numpy as np",
            "",
            f"INPUTS = {json.dumps(given)}",
            f"OUTPUTS = {json.dumps(made)}",
            "",
            "",
            "def evaluate(rows):",
            '    """Tell which outputs hold, bool of shape (n, outputs), for rows of inputs."""',
            "    x = np.asarray(rows, dtype=bool)",
            "    one = np.ones(len(x), dtype=bool)",
            *lines,
            "    found = np.empty((len(x), len(OUTPUTS)), dtype=bool)",
            *(f"    found[:, {number}] = {each}" for number, each in enumerate(outputs)),
            "    return found",
            "",
        ]
    )
