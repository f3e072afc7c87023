"""Gates as NumPy calls on bit planes.

All planes are rows of one table. On each level one call gathers the operands of all gates, and a
few more combine them: the gates of a group have the same operation and number of operands. Their
operands are gathered operand by operand, so that the first operands of all gates are adjacent, then
the second ones. Folding the upper half of that block onto the lower half until one row per gate is
left takes log2(operands) calls, whatever the number of gates.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

import numpy as np

from aspcircuits.bitplanes import Call, Planes, RowIndices
from aspcircuits.gates import FALSE, TRUE, Gate, Op
from aspcircuits.spares import Spares

_WORKING_SET = 1 << 21
"""Bytes of planes to work on at a time, so that they stay in the processor's caches."""

_LEAST_WORDS = 16
"""Words to work on at a time for boards so large that the cache holds fewer."""

_CALL_COST = 150
"""Cost of a NumPy call, in gathered planes; it decides how finely the gates are grouped."""

_CONSTANTS = np.array([[0], [~0]]).astype(np.uint64)
"""The first two rows of the table, for FALSE and TRUE."""

_UFUNCS = {Op.AND: np.bitwise_and, Op.OR: np.bitwise_or, Op.XOR: np.bitwise_xor}


@dataclass(frozen=True, slots=True)
class _Level:
    """A step of the evaluation, which fills consecutive rows of the table from `first` on."""

    first: int
    operands: RowIndices
    groups: Sequence[tuple[Op, int, int]]
    """Operation, operands of each gate (see `_pad_operands`), number of gates."""
    inverted: RowIndices
    """Rows, of this level or the inputs, whose negation is needed too."""


class Evaluation:
    """The layout of planes in the table and the calls that fill it; several threads may call it.

    Args:
        gates: operands first.
        outputs: literals whose planes a call returns.
    """

    def __init__(self, inputs: range, gates: Sequence[Gate], outputs: Sequence[int]) -> None:
        self._row = {FALSE: 0, TRUE: 1}
        self._wanted = {operand for gate in gates for operand in gate.operands}.union(outputs)
        self._inputs = slice(2, 2 + len(inputs))
        self._give_rows(inputs)
        nothing = np.empty(0, np.intp)
        inverted = self._invert(inputs)
        self._levels = [_Level(self._inputs.stop, nothing, (), inverted)]
        by_level = sorted(gates, key=lambda gate: gate.level)
        for _, level in groupby(by_level, key=lambda gate: gate.level):
            self._levels.append(self._level(list(level)))
        self._outputs = self._rows(outputs)
        self._scratch = max(len(level.operands) for level in self._levels)
        plane_bytes = 8 * (len(self._row) + self._scratch)
        self._chunk = max(_LEAST_WORDS, _WORKING_SET // plane_bytes)
        self._room = self._chunk * plane_bytes // 8
        self._prepared = Spares(self._preparing)

    def __call__(self, planes: Planes) -> Planes:
        words = planes.shape[1]
        with self._prepared.one() as prepare:
            if words <= self._chunk:
                return self._evaluate(planes, *prepare(words))
            result = np.empty((len(self._outputs), words), np.uint64)
            for start in range(0, words, self._chunk):
                part = planes[:, start : start + self._chunk]
                found = self._evaluate(part, *prepare(part.shape[1]))
                result[:, start : start + self._chunk] = found
            return result

    def _evaluate(self, planes: Planes, table: Planes, calls: Sequence[Call]) -> Planes:
        table[:2] = _CONSTANTS
        table[self._inputs] = planes
        for function, arguments in calls:
            function(*arguments)
        return table.take(self._outputs, 0)

    def _preparing(self) -> Callable[[int], tuple[Planes, list[Call]]]:
        """Return a function that binds one thread's memory to a number of words, cached."""
        return cache(partial(self._bind, np.empty(self._room, np.uint64)))

    def _bind(self, memory: Planes, words: int) -> tuple[Planes, list[Call]]:
        """Return a table for this many words, and the calls with all their operands in place."""
        size = len(self._row) * words
        table = memory[:size].reshape(len(self._row), words)
        scratch = memory[size : size + self._scratch * words].reshape(self._scratch, words)
        calls: list[Call] = []
        for level in self._levels:
            row = level.first
            if len(level.operands):
                gathered = scratch[: len(level.operands)]
                calls.append((table.take, (level.operands, 0, gathered, "clip")))
                for op, width, count in level.groups:
                    block, gathered = gathered[: width * count], gathered[width * count :]
                    target = table[row : row + count]
                    if op is Op.MAJORITY:
                        calls += _most(block, count, target)
                    else:
                        calls += _fold(_UFUNCS[op], block, width, count, target)
                    row += count
            if len(level.inverted):
                target = table[row : row + len(level.inverted)]
                calls.append((table.take, (level.inverted, 0, target, "clip")))
                calls.append((np.invert, (target, target)))
        return table, calls

    def _level(self, gates: Sequence[Gate]) -> _Level:
        first = len(self._row)
        blocks: list[tuple[int, ...]] = []
        groups: list[tuple[Op, int, int]] = []
        for op in Op:
            alike = sorted((g for g in gates if g.op is op), key=lambda g: len(g.operands))
            for group in _group_gates(alike):
                width = len(group[-1].operands)
                padded = [_pad_operands(gate, width) for gate in group]
                blocks += zip(*padded, strict=True)
                groups.append((op, width, len(group)))
                self._give_rows(gate.result for gate in group)
        operands = self._rows(literal for block in blocks for literal in block)
        inverted = self._invert(gate.result for gate in gates)
        return _Level(first, operands, groups, inverted)

    def _give_rows(self, literals: Iterable[int]) -> None:
        for literal in literals:
            self._row[literal] = len(self._row)

    def _rows(self, literals: Iterable[int]) -> RowIndices:
        row = self._row
        return np.array([row[literal] for literal in literals], np.intp)

    def _invert(self, literals: Iterable[int]) -> RowIndices:
        wanted = [literal for literal in literals if -literal in self._wanted]
        self._give_rows(-literal for literal in wanted)
        return self._rows(wanted)


def _group_gates(gates: Sequence[Gate]) -> list[Sequence[Gate]]:
    """Return the cheapest groups of gates, sorted by number of operands (dynamic programming)."""
    widths = sorted(Counter(len(gate.operands) for gate in gates).items())
    best: list[tuple[int, list[int]]] = [(0, [])]
    for end in range(1, len(widths) + 1):
        width = widths[end - 1][0]
        options = []
        for start in range(end):
            count = sum(number for _, number in widths[start:end])
            cost = width * count + _CALL_COST * (width - 1).bit_length()
            options.append((best[start][0] + cost, [*best[start][1], count]))
        best.append(min(options))
    groups, begin = [], 0
    for count in best[-1][1]:
        groups.append(gates[begin : begin + count])
        begin += count
    return groups


def _pad_operands(gate: Gate, width: int) -> tuple[int, ...]:
    """Return the operands of a gate, padded with some that change nothing."""
    more = FALSE if gate.op is Op.XOR else gate.operands[-1]
    return gate.operands + (more,) * (width - len(gate.operands))


def _most(block: Planes, count: int, target: Planes) -> list[Call]:
    """Return the calls for the majority of three planes: b, unless both others differ from it."""
    a, b, c = block[:count], block[count : 2 * count], block[2 * count :]
    return [
        (np.bitwise_xor, (a, b, a)),
        (np.bitwise_xor, (b, c, c)),
        (np.bitwise_and, (a, c, a)),
        (np.bitwise_xor, (a, b, target)),
    ]


def _fold(ufunc: np.ufunc, block: Planes, width: int, count: int, target: Planes) -> list[Call]:
    """Return the calls that combine `width` times `count` rows into `count` rows."""
    calls: list[Call] = []
    while width > 2:
        half = width // 2
        low, high = block[: half * count], block[(width - half) * count : width * count]
        calls.append((ufunc, (low, high, low)))
        width -= half
    calls.append((ufunc, (block[:count], block[count : 2 * count], target)))
    return calls
