"""Gates as look-up tables of three inputs, for processors with such an instruction.

A table is a number of eight bits: bit 4 a + 2 b + c is its value for the inputs a, b and c. So
``A & B | C`` of the three patterns below is the table of that expression. Any function of three
planes costs the same, and inverters are free, so there are fewer tables than operands of gates.
Numbers are added up in tables too, so that planes go in and a value comes out.

As in `gates`, nodes are numbered upwards from TRUE and a literal is the number of a node, negative
if negated. `evaluate` runs tables in plain Python, as a reference.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import neg

import numpy as np

from aspcircuits.bitplanes import Planes
from aspcircuits.gates import FALSE, TRUE, Gate, Op, add_up

A, B, C = 0xF0, 0xCC, 0xAA
"""The tables that return their first, second, or third input."""

_ALL = 0xFF
_AND = A & B & C
_XOR = A ^ B ^ C
_MAJORITY = A & B | A & C | B & C

Lut = tuple[int, tuple[int, ...]]
"""A table and the two or three nodes that it is applied to."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A circuit of look-up tables.

    Attributes:
        luts: the tables of the nodes after the inputs; each reads earlier nodes.
        outputs: literals.
    """

    inputs: range
    luts: Sequence[Lut]
    outputs: Sequence[int]


class Mapper:
    """Converter from gates to tables, in the order of requests.

    Literals that are used together should be requested together: then they are computed together
    and stay in the processor's registers.
    """

    def __init__(self, inputs: range, gates: Iterable[Gate]) -> None:
        self.inputs = inputs
        self.luts: list[Lut] = []
        self._known: dict[Lut, int] = {}
        self._gates: dict[int, Gate] = {}
        self._uses: Counter[int] = Counter()
        for gate in gates:
            self._gates[abs(gate.result)] = gate
            self._uses.update(map(abs, gate.operands))
        self._value = {TRUE: TRUE, **{node: node for node in inputs}}

    def tables(self, outputs: Sequence[int]) -> Tables:
        """Return all tables made so far, with some of their literals as outputs."""
        return Tables(self.inputs, self.luts, outputs)

    def literal(self, literal: int) -> int:
        """Return the table literal for a literal of the gates."""
        pending = [abs(literal)]
        while pending:
            if pending[-1] in self._value:
                pending.pop()
                continue
            gate = self._gates[pending[-1]]
            missing = [abs(o) for o in gate.operands if abs(o) not in self._value]
            if missing:
                pending += reversed(missing)
            else:
                self._make(gate)
        return self._translate_literal(literal)

    def lut(self, table: int, *operands: int) -> int:
        """Return the literal of a table of one to three literals."""
        nodes = sorted({abs(operand) for operand in operands if abs(operand) != TRUE})
        where = {node: i for i, node in enumerate(nodes, TRUE + 1)}
        where[TRUE] = TRUE
        local = tuple(where[o] if o > 0 else -where[-o] for o in operands)
        table, kept, sign = _normal(table, local)
        if not kept:
            return sign * FALSE
        chosen = tuple(nodes[i] for i in kept)
        if len(chosen) == 1:
            return sign * chosen[0]
        lut = table, chosen
        node = self._known.get(lut, 0)
        if not node:
            node = self._known[lut] = self.inputs.stop + len(self.luts)
            self.luts.append(lut)
        return sign * node

    def all_of(self, literals: Iterable[int]) -> int:
        """Return the literal that holds if all of these do."""
        waiting = deque(literals)
        while len(waiting) > 1:
            some = [waiting.popleft() for _ in range(min(3, len(waiting)))]
            waiting.append(self.lut(_AND, *some, *[TRUE] * (3 - len(some))))
        return waiting[0] if waiting else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        """Return the literal that holds if one of these does."""
        return -self.all_of(map(neg, literals))

    def add(self, a: int, b: int, c: int) -> tuple[int, int]:
        """Return the sum and the carry of a full adder."""
        return self.lut(_XOR, a, b, c), self.lut(_MAJORITY, a, b, c)

    def sum(self, terms: Iterable[tuple[int, int]]) -> list[int]:
        """Return the sum of the weights of the literals that hold, in two's complement.

        Three literals of weight w are replaced by one of weight w and one of weight 2 w, as in
        `aspcircuits.bitplanes.WeightedSum`, as soon as there are three.

        Args:
            terms: table literals with their weights; a generator is consumed one by one.

        Returns:
            Literals of the digits, lowest first; the last one is the sign.
        """
        constant, size = 0, 0
        alike: defaultdict[int, list[int]] = defaultdict(list)
        for literal, weight in terms:
            size += abs(weight)
            if weight < 0:
                constant, literal, weight = constant + weight, -literal, -weight
            while weight:
                if abs(literal) == TRUE:
                    constant += weight if literal == TRUE else 0
                    break
                alike[weight].append(literal)
                if len(alike[weight]) < 3:
                    break
                total, carry = self.add(*alike[weight])
                alike[weight] = [] if abs(total) == TRUE else [total]
                constant += weight if total == TRUE else 0
                literal, weight = carry, 2 * weight
        length = size.bit_length() + 1
        columns: list[list[int]] = [[] for _ in range(length)]
        for weight, literals in alike.items():
            for literal in literals:
                for place, digit in _signed_digits(weight):
                    columns[place].append(digit * literal)
                    constant -= (digit < 0) << place
        for place in range(length):
            if constant >> place & 1:
                columns[place].append(TRUE)
        digits: list[int] = []
        carries: list[int] = []
        for column in columns:
            left, carries = add_up([*sorted(column), *carries], self.add)
            digits += left or [FALSE]
        return digits

    def _translate_literal(self, literal: int) -> int:
        return self._value[literal] if literal > 0 else -self._value[-literal]

    def _make(self, gate: Gate) -> None:
        operands = [self._translate_literal(o) for o in gate.operands]
        if gate.op is Op.XOR:
            value = self.lut(_XOR, *operands, *[FALSE] * (3 - len(operands)))
        elif gate.op is Op.MAJORITY:
            value = self.lut(_MAJORITY, *operands)
        else:
            sign = 1 if gate.op is Op.AND else -1
            literals = [sign * operand for operand in operands]
            if len(literals) % 2 == 0:
                self._absorb(gate, literals)
            value = sign * self.all_of(literals)
        self._value[abs(gate.result)] = value if gate.result > 0 else -value

    def _absorb(self, gate: Gate, literals: list[int]) -> None:
        """Merge a table of two literals into that of an AND gate that alone uses it.

        With an even number of literals, one table of the gate has room for a third.
        """
        for place, operand in enumerate(gate.operands):
            node = abs(literals[place]) - self.inputs.stop
            if self._uses[abs(operand)] == 1 and node >= 0:
                table, inner = self.luts[node]
                if len(inner) == 2:
                    held = table if literals.pop(place) > 0 else _ALL ^ table
                    literals.append(self.lut(held & C, *inner, literals.pop(0)))
                    return


def output_tables(inputs: range, gates: Iterable[Gate], outputs: Iterable[int]) -> Tables:
    """Return the tables of a circuit with all of these outputs."""
    mapper = Mapper(inputs, gates)
    return mapper.tables([mapper.literal(output) for output in outputs])


def value_tables(
    inputs: range,
    gates: Iterable[Gate],
    weights: Iterable[tuple[int, int]],
    certain: Sequence[tuple[int, int]],
) -> Tables:
    """Return tables for the value of a state as one word: twice the value, plus one if certain.

    Args:
        inputs, gates: a circuit.
        weights: (literal, weight) pairs to add up, grouped by weight.
        certain: literals that decide the value, with that value; at most one of them holds.

    Returns:
        Tables with 64 outputs.
    """
    mapper = Mapper(inputs, gates)
    digits = mapper.sum((mapper.literal(literal), weight) for literal, weight in weights)
    results = [(mapper.literal(literal), value) for literal, value in certain]
    known = mapper.any_of(literal for literal, _ in results)
    outputs = [known]
    for place in range(63):
        guess = mapper.lut(A & ~B, digits[min(place, len(digits) - 1)], known)
        decided = [literal for literal, value in results if value >> place & 1]
        outputs.append(mapper.any_of([guess, *decided]))
    return mapper.tables(outputs)


def evaluate(tables: Tables, planes: Planes) -> Planes:
    """Evaluate tables on planes, shape (inputs, words); return planes, shape (outputs, words)."""
    octets = planes.dtype.itemsize * planes.shape[1]
    everywhere = (1 << 8 * octets) - 1
    # Whole planes as integers of any length are much faster here than arrays.
    value = [everywhere] * tables.inputs.stop
    for node, plane in zip(tables.inputs, planes, strict=True):
        value[node] = int.from_bytes(plane.tobytes(), "little")
    for table, nodes in tables.luts:
        # A table of two inputs ignores the third one.
        three = value[nodes[0]], value[nodes[1]], value[nodes[-1]]
        value.append(_apply_table(table, three, everywhere))
    found = [value[o] if o > 0 else everywhere ^ value[-o] for o in tables.outputs]
    joined = b"".join(plane.to_bytes(octets, "little") for plane in found)
    return np.frombuffer(joined, np.uint64).reshape(len(found), planes.shape[1])


def _apply_table(table: int, inputs: Sequence[int], everywhere: int) -> int:
    """Apply a table to three planes, given as integers of any length."""
    a, b, c = inputs
    result = 0
    for row in range(8):
        if table >> row & 1:
            first, second = a if row & 4 else a ^ everywhere, b if row & 2 else b ^ everywhere
            result |= first & second & (c if row & 1 else c ^ everywhere)
    return result


@cache
def _normal(table: int, operands: tuple[int, ...]) -> tuple[int, Sequence[int], int]:
    """Normalise a table of literals; return a table of nodes, the operands that matter, and a sign.

    The table has value 0 if none of its inputs holds; the sign is -1 if it had to be negated.
    """
    column = dict(enumerate((_ALL, A, B, C), TRUE))
    given = [column[o] if o > 0 else _ALL ^ column[-o] for o in operands]
    made = _apply_table(table, [*given, 0, 0][:3], _ALL)
    inputs = enumerate(((4, A), (2, B), (1, C)))
    kept = [i for i, (distance, holding) in inputs if (made ^ made << distance) & holding]
    if kept != [*range(len(kept))]:  # inputs that matter come first
        place = {i: n for n, i in enumerate(kept, TRUE + 1)}
        found = [place.get(abs(o) - TRUE - 1, TRUE) * (1 if o > 0 else -1) for o in operands]
        made, _, sign = _normal(table, tuple(found))
        return made, kept, sign
    return (made ^ _ALL, kept, -1) if made & 1 else (made, kept, 1)


def _signed_digits(number: int) -> list[tuple[int, int]]:
    """Return the fewest signed powers of two that add up to a number (the non-adjacent form)."""
    found, place = [], 0
    while number:
        digit = 2 - (number & 3) if number & 1 else 0
        if digit:
            found.append((place, digit))
        number, place = (number - digit) >> 1, place + 1
    return found
