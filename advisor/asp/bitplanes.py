"""Bit-planes: one bit a position, 64 positions to a machine word.

An array of planes is uint64 of shape (planes, words): bit b of word w of row i belongs to plane i
and position 64 w + b. Everything here works on all positions at once.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.uint64]

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function and the arguments to call it with."""


def sort_planes(source: Planes, spare: Planes, size: int, kept: int) -> tuple[list[Call], Planes]:
    """The calls that sort sets of planes: ones first, position by position.

    After them, row i of a set tells where more than i of the set's planes had a one. This is
    Batcher's bitonic sorting network: each step compares all pairs of all sets in two calls,
    writing from one array into the other. Once the sorted runs are `kept` long, merging two of
    them drops the lower half.

    Args:
        source: shape (size * sets, words), first the first planes of all sets, then the second
            ones; overwritten.
        spare: as large; overwritten.
        size: planes in a set, a power of two.
        kept: how many planes of each sorted set are wanted, a power of two, at most `size`.

    Returns:
        The calls, and the part of `source` or `spare` that holds the `kept` planes of all sets
        afterwards, in the order of rows of `source`.
    """
    calls: list[Call] = []
    sets = source.shape[0] // size
    run = 1
    while size > kept or run < kept:
        distance = run
        while distance:
            low, high = _halves(source, sets, distance)
            if distance == run:
                high = high[:, ::-1]
            if run == kept and distance == run:
                size //= 2
                source, spare = source[: sets * size], spare[: sets * size]
                calls.append((np.bitwise_or, (low, high, spare.reshape(low.shape))))
            else:
                least, most = _halves(spare, sets, distance)
                calls.append((np.bitwise_or, (low, high, least)))
                calls.append((np.bitwise_and, (low, high, most)))
            source, spare = spare, source
            distance //= 2
        run = min(2 * run, kept)
    return calls, source


def _halves(planes: Planes, sets: int, distance: int) -> tuple[Planes, Planes]:
    """Views of the rows of a set of which bit `distance` of the number is 0 and 1."""
    rows, words = planes.shape
    pairs = planes.reshape(rows // (2 * distance * sets), 2, distance, sets * words)
    return pairs[:, 0], pairs[:, 1]


def pack(bits: NDArray[np.bool_]) -> Planes:
    """Planes from a table of truth values, shape (positions, planes)."""
    positions, planes = bits.shape
    padded = np.zeros((planes, -(-positions // 64) * 64), np.bool_)
    padded[:, :positions] = bits.T
    return np.packbits(padded, axis=1, bitorder="little").view("<u8")


def unpack(planes: Planes, positions: int) -> NDArray[np.bool_]:
    """The inverse of `pack`: a table of truth values, shape (positions, planes)."""
    octets = np.ascontiguousarray(planes, "<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=positions, bitorder="little").T.view(np.bool_)


def weighted_sum(planes: Planes, weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """PROVISIONAL"""
    used = weights.nonzero()[0]
    bits = np.unpackbits(
        np.ascontiguousarray(planes[used]).view(np.uint8), axis=1, bitorder="little"
    )
    return (weights[used].astype(np.float64) @ bits).astype(np.int64)
