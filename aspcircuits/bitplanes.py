"""Bit planes: one bit a position, 64 positions to a machine word.

An array of planes is uint64 of shape (planes, words): bit b of word w of row i belongs to plane i
and position 64 w + b. Everything here works on all positions at once, on little-endian machines.

Small batches spend their time in the overhead of NumPy calls rather than in the work. Functions
that are called often therefore prepare their calls, operands included, once for each number of
words, and then only run them.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aspcircuits.spares import Spares

Planes = NDArray[np.uint64]

RowIndices = NDArray[np.intp]
"""Indices of planes in an array of planes."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function and the arguments to call it with."""

OCTETS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
"""The bits of every byte value, shape (256, 8), the lowest one first."""

_CHUNK = 64
"""Words that a weighted sum processes at a time, at most, so that they stay in the caches."""

_PRODUCT = 1 << 18
"""Numbers that a weighted sum multiplies at a time, at most.

NumPy's BLAS keeps a product of this size in one thread. Sharing it among threads would take a
hundred times longer than the product itself if the other processors are busy.
"""

_OCTETS = 1 << 17
"""Bytes whose bits are separated at a time; each takes eight bytes meanwhile."""

_TURNED = 1 << 12
"""Rows that are packed at a time."""

_WORTH_ADDING = 200
"""Least number of triples of words for which adding bits is faster than expanding them."""


def pack(bits: NDArray[np.bool_]) -> Planes:
    """Pack a table of truth values, shape (positions, planes), into planes.

    For bitboards use `transpose`.
    """
    positions, planes = bits.shape
    octets = np.zeros((planes, -(-positions // 64) * 8), np.uint8)
    for start in range(0, positions, _TURNED):  # each transposed block fits into the caches
        some = np.ascontiguousarray(bits[start : start + _TURNED].T)
        packed = np.packbits(some, axis=1, bitorder="little")
        octets[:, start // 8 : start // 8 + packed.shape[1]] = packed
    return octets.view(np.uint64)


def unpack(planes: Planes, positions: int) -> NDArray[np.bool_]:
    """Unpack planes into a table of truth values, shape (positions, planes); inverse of `pack`."""
    octets = np.ascontiguousarray(np.ascontiguousarray(planes).view(np.uint8).T)
    bits = np.empty((len(octets), 8, octets.shape[1]), np.uint8)
    for bit in range(8):
        np.bitwise_and(octets >> bit, 1, out=bits[:, bit])
    return bits.reshape(8 * len(octets), octets.shape[1])[:positions].view(np.bool_)


def transpose(words: NDArray[np.uint64]) -> Planes:
    """Turn words, such as k bitboards a position, uint64 of shape (positions, k), into planes.

    Returns:
        uint64 of shape (64 k, ceil(positions / 64)); plane 64 i + b is bit b of word i.
    """
    positions, kinds = words.shape
    octets = np.zeros((8 * kinds, -(-positions // 64) * 64), np.uint8)
    octets[:, :positions] = np.ascontiguousarray(words).view(np.uint8).T
    return _bits(octets).view(np.uint64)


def rows(planes: Planes) -> NDArray[np.uint8]:
    """Return the bits of each position side by side: the inverse of `transpose`.

    Returns:
        for 8 k planes, uint8 of shape (64 * words, k); bit b of octet i of a row is plane 8 i + b.
    """
    return _bits(np.ascontiguousarray(np.ascontiguousarray(planes).view(np.uint8).T))


def _bits(octets: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return eight rows for each row of octets: the lowest bit of each, the next one, and so on."""
    count, length = octets.shape
    some = max(1, _OCTETS // max(1, length))
    parts = [  # packbits only tests whether an octet is 0, so nothing has to be shifted
        np.packbits(octets[start : start + some, None] & _BITS, bitorder="little")
        for start in range(0, max(1, count), some)
    ]
    return np.concatenate(parts).reshape(8 * count, length // 8)


_BITS = 1 << np.arange(8, dtype=np.uint8)[:, None]


_Prepared = tuple[Planes, list[Call], NDArray[Any], NDArray[Any]]
"""The rows for planes, the calls to make, and the two factors of the product after them."""


class WeightedSum:
    """Weighted sum of planes: the sum, for each position, of the weights of the planes with a one.

    Three planes of the same weight w are added as bits: their sum is one plane of weight w and the
    carry one of weight 2 w (a carry-save adder). That replaces three planes by two in five calls
    for all such triples at once, and is repeated until it is cheaper to expand the remaining planes
    into numbers and multiply. A negative weight is replaced by its absolute value on the inverted
    plane, so that it can be added together with positive ones.

    Several threads may call it.
    """

    def __init__(self, weights: Sequence[int] | NDArray[np.int64]) -> None:
        """Prepare for planes with these weights, each below 2**31 in size."""
        signed = np.asarray(weights, np.int64)
        self._order = np.concatenate(((signed > 0).nonzero()[0], (signed < 0).nonzero()[0]))
        self._flipped = slice(int((signed > 0).sum()), len(self._order))
        self._constant = int(signed[signed < 0].sum())
        # All sums up to this size are exact in floating point, in any order.
        self._type = np.float32 if np.abs(signed).sum() < 1 << 24 else np.float64
        self._octets = OCTETS.astype(self._type)
        self._stages = _adders(np.abs(signed[self._order]).tolist())
        self._rows = self._stages[-1].first
        products = 64 * max(1, len(self._stages[-1].left))
        self._chunk = max(1, min(_CHUNK, _PRODUCT // products))
        widest = max(max(len(stage.left), len(stage.operands)) for stage in self._stages)
        self._words = (self._rows + widest) * self._chunk
        self._prepared = Spares(self._preparing)

    def __call__(self, planes: Planes) -> NDArray[np.int64]:
        """Return the sums, int64 of shape (64 * words,), for planes of shape (weights, words)."""
        words = planes.shape[1]
        sums = np.empty(64 * words, np.int64)
        with self._prepared.one() as prepare:
            for start in range(0, words, self._chunk):
                part = planes[:, start : start + self._chunk]
                table, calls, weights, numbers = prepare(part.shape[1])
                part.take(self._order, 0, table, "clip")
                for function, arguments in calls:
                    function(*arguments)
                found = weights @ numbers + self._constant
                sums[64 * start : 64 * (start + self._chunk)] = found
        return sums

    def _preparing(self) -> Callable[[int], _Prepared]:
        """Return a function that binds one thread's memory to a number of words, cached."""
        octets = 8 * len(self._stages[0].left) * self._chunk
        numbers = np.empty((octets, 8), self._type)
        return cache(partial(self._bind, np.empty(self._words, np.uint64), numbers))

    def _bind(self, memory: Planes, room: NDArray[Any], words: int) -> _Prepared:
        table = memory[: self._rows * words].reshape(self._rows, words)
        scratch = memory[self._rows * words :]
        flipped = table[self._flipped]
        calls: list[Call] = [(np.invert, (flipped, flipped))]
        for stage in self._stages:
            count = len(stage.operands) // 3
            if count * words < _WORTH_ADDING:
                break
            gathered = scratch[: 3 * count * words].reshape(3 * count, words)
            a, b, c = gathered.reshape(3, count, words)
            total = table[stage.first : stage.first + count]
            carry = table[stage.first + count : stage.first + 2 * count]
            calls += [
                (table.take, (stage.operands, 0, gathered, "clip")),
                (np.bitwise_and, (a, b, carry)),
                (np.bitwise_xor, (a, b, a)),
                (np.bitwise_xor, (a, c, total)),
                (np.bitwise_and, (a, c, c)),
                (np.bitwise_or, (carry, c, carry)),
            ]
        left = scratch[: len(stage.left) * words]
        octets = left.view(np.uint8)
        numbers = room[: len(octets)]
        calls.append((table.take, (stage.left, 0, left.reshape(len(stage.left), words), "clip")))
        calls.append((self._octets.take, (octets, 0, numbers, "clip")))
        weights = stage.weights.astype(self._type)
        return table[: len(self._order)], calls, weights, numbers.reshape(len(weights), 64 * words)


@dataclass(frozen=True, slots=True)
class _Stage:
    """A round of additions."""

    left: RowIndices  # rows still to be added up before this round
    weights: NDArray[np.int64]  # weights of those rows
    operands: RowIndices  # rows to add now: the first of all triples, then the second, the third
    first: int  # the row of the first sum; the carries follow after all sums


def _adders(weights: Sequence[int]) -> list[_Stage]:
    """Return all rounds of carry-save additions, until no three rows have the same weight."""
    alike: defaultdict[int, list[int]] = defaultdict(list)
    for row, weight in enumerate(weights):
        alike[weight].append(row)
    stages: list[_Stage] = []
    rows = len(weights)
    while not stages or len(stages[-1].operands):
        left = [(row, weight) for weight, members in alike.items() for row in members]
        triples = [
            (weight, members[i : i + 3])
            for weight, members in alike.items()
            for i in range(0, len(members) - 2, 3)
        ]
        operands = np.array([triple for _, triple in triples], np.intp).T.ravel()
        there = np.array(left, np.int64).reshape(-1, 2)
        stages.append(_Stage(there[:, 0].astype(np.intp), there[:, 1].copy(), operands, rows))
        for members in alike.values():
            del members[: len(members) // 3 * 3]
        for number, (weight, _) in enumerate(triples, rows):
            alike[weight].append(number)
            alike[2 * weight].append(number + len(triples))
        rows += 2 * len(triples)
    return stages
