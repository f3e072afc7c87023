"""Counts and probabilities over all sets of a circuit's inputs, or over random ones."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from aspcircuits.bitplanes import OCTETS, Planes, pack
from aspcircuits.evaluation import Evaluation
from aspcircuits.stopping import Stop

MOST = 26
"""Inputs up to which all sets are evaluated: 67 million take some seconds."""

_LOW = 18
"""Inputs of which all sets are evaluated in one call."""

_SAMPLE = 1 << 22
"""Random sets for an estimate, with an error of at most a thousandth of all sets."""

_NORMAL = 1.96
"""Standard deviations to each side that hold 95 % of a normal distribution."""

_COUNTS = OCTETS.sum(axis=1, dtype=np.int64)
"""The number of set bits of an octet."""


class Counted(NamedTuple):
    """A number and its possible error.

    Attributes:
        error: half the width of a 95 % interval; 0 if the value is exact.
    """

    value: float
    error: float = 0.0


def count(circuit: Any, place: int, stop: Stop) -> Counted:
    """Count the sets of inputs for which the output at a place holds; see `Circuit.count`."""
    wide = len(circuit.inputs)
    if wide > MOST:
        share = _estimate_share(circuit, [0.5] * wide, place, stop)
        return Counted(share.value * 2.0**wide, share.error * 2.0**wide)
    found = sum(_ones(planes) for _, planes in _all_sets(circuit, place, stop))
    # With fewer than six inputs, each set occupies several bits of a word.
    return Counted(found >> max(0, 6 - wide))


def probability(circuit: Any, chances: Sequence[float], place: int, stop: Stop) -> Counted:
    """Return the probability of an output; see `Circuit.probability`."""
    wide = len(chances)
    if wide > MOST:
        return _estimate_share(circuit, chances, place, stop)
    low = np.ones(1)
    for chance in chances[:_LOW]:
        low = np.concatenate((low * (1 - chance), low * chance))
    found = 0.0
    for high, planes in _all_sets(circuit, place, stop):
        holds = np.unpackbits(planes.view(np.uint8), bitorder="little")[: len(low)]
        weight = 1.0
        for number, chance in enumerate(chances[_LOW:]):
            weight *= chance if high >> number & 1 else 1 - chance
        found += weight * float(holds @ low)
    return Counted(min(1.0, found))


def _all_sets(circuit: Any, place: int, stop: Stop) -> Iterator[tuple[int, Planes]]:
    """Yield planes of one output for all sets of inputs, block by block.

    Each block comes with the number that its values of the inputs after the first `_LOW` stand for.

    Raises:
        TimeoutError: the time is up.
        KeyboardInterrupt: `stop` was set.
    """
    wide = len(circuit.inputs)
    low = min(wide, _LOW)
    words = max(1, 1 << low >> 6)
    numbers = np.arange(words, dtype=np.uint64)
    planes = np.empty((wide, words), np.uint64)
    for number in range(low):
        if number < 6:  # in the order of a word's bits
            pattern = sum(1 << bit for bit in range(64) if bit >> number & 1)
            planes[number] = pattern
        else:
            planes[number] = -(numbers >> np.uint64(number - 6) & np.uint64(1)).astype(np.int64)
    evaluation = Evaluation(circuit.nodes, circuit.gates, [circuit.results[place]])
    for high in range(1 << (wide - low)):
        stop.check()
        if stop.is_set():
            raise TimeoutError(f"the time is up after {high << low} of {1 << wide} sets")
        for number in range(wide - low):
            planes[low + number] = (1 << 64) - 1 if high >> number & 1 else 0
        yield high, evaluation(planes)[0]


def _estimate_share(circuit: Any, chances: Sequence[float], place: int, stop: Stop) -> Counted:
    """Return the share of random sets for which an output holds; fewer sets if the time is up."""
    rng, bounds = np.random.default_rng(1), np.array(chances)
    evaluation = Evaluation(circuit.nodes, circuit.gates, [circuit.results[place]])
    tried = held = 0
    while tried < _SAMPLE and not (tried and stop.is_set()):
        stop.check()
        rows = rng.random((1 << 14, len(chances))) < bounds
        held += _ones(evaluation(pack(rows))[0])
        tried += len(rows)
    share = held / tried
    return Counted(share, _NORMAL * sqrt(max(share * (1 - share), 1 / tried) / tried))


def _ones(planes: Planes) -> int:
    return int(_COUNTS[np.ascontiguousarray(planes).view(np.uint8)].sum())
