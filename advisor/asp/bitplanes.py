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
    Batcher's bitonic sorting network: each step compares all pairs of all sets at once, writing
    from one array into the other. Once the sorted runs are `kept` long, merging two of them drops
    the lower half.

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
    length, runs = 1, size
    while runs > 1:
        # First the first planes of all runs, then the second ones: the merged runs are the first
        # and the second half of each. The lower run is read backwards.
        low, high = _halves(source, length)
        high = high[::-1]
        half = len(source) // 2
        calls += _each(np.bitwise_or, low, high, spare[:half].reshape(low.shape))
        if length < kept:
            calls += _each(np.bitwise_and, low, high, spare[half:].reshape(low.shape))
            merged = 2 * length
        else:
            source, spare = source[:half], spare[:half]
            merged = length
        source, spare = spare, source
        distance = length // 2
        while distance:
            low, high = _halves(source, merged // (2 * distance))
            most, least = _halves(spare, merged // (2 * distance))
            calls += _each(np.bitwise_or, low, high, most)
            calls += _each(np.bitwise_and, low, high, least)
            source, spare = spare, source
            distance //= 2
        length, runs = merged, runs // 2
    return calls, source


def _halves(planes: Planes, blocks: int) -> tuple[Planes, Planes]:
    """Views, shape (blocks, ...), of the first and the second half of so many blocks of rows."""
    view = planes.reshape(blocks, 2, planes.size // (2 * blocks))
    return view[:, 0], view[:, 1]


def _each(ufunc: np.ufunc, low: Planes, high: Planes, target: Planes) -> list[Call]:
    """One call, or one a row: three calls on contiguous memory are faster than one that strides."""
    if len(low) > 3:
        return [(ufunc, (low, high, target))]
    return [(ufunc, operands) for operands in zip(low, high, target, strict=True)]


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
