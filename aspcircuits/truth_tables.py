"""Rows of truth values from callers, checked and split into blocks."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from aspcircuits.errors import InputError
from aspcircuits.stopping import Stop

BLOCK = 1 << 14
"""Rows that are packed and evaluated at a time, so that they stay in the processor's caches."""

TruthTable = npt.NDArray[np.bool_]
RowSums = npt.NDArray[np.int64]


def as_rows(holds: npt.ArrayLike, wide: int) -> TruthTable:
    """Check rows of truth values, and return them as bool.

    Raises:
        InputError: another shape, or values that are neither true nor false.
    """
    try:
        given = np.asarray(holds)
    except ValueError:
        raise InputError("inputs: rows of different lengths") from None
    if given.ndim != 2 or given.shape[1] != wide:
        raise InputError(f"inputs of shape {given.shape}, expected (n, {wide})")
    bits = given.astype(np.bool_, copy=False)
    if given.dtype != np.bool_ and not np.array_equal(bits, given):
        raise InputError("inputs: expected an array of bool, or of 0 and 1")
    return bits


def blocks(rows: int, stop: Stop | None = None) -> Iterator[int]:
    """Yield the first row of each block; see `Circuit.evaluate` for the errors."""
    for start in range(0, rows, BLOCK):
        if stop is not None:
            stop.check()
            if stop.is_set():
                raise TimeoutError(f"the time is up after {start} of {rows} rows")
        yield start
