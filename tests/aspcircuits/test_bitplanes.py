"""Bit-planes against plain arithmetic on tables of truth values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from aspcircuits import bitplanes

WORD = st.integers(0, 2**64 - 1)
PLANES = arrays(np.uint64, array_shapes(min_dims=2, max_dims=2, max_side=30), elements=WORD)


def table(planes: np.ndarray) -> np.ndarray:
    """Shape (positions, planes), taken apart with shifts."""
    bits = planes[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return bits.reshape(len(planes), -1).T.astype(np.bool_)


@given(PLANES, st.integers(0, 63))
def test_pack_and_unpack(planes: np.ndarray, missing: int) -> None:
    positions = 64 * planes.shape[1] - missing
    bits = table(planes)[:positions]
    assert (bitplanes.unpack(planes, positions) == bits).all()
    packed = bitplanes.pack(bits)
    assert packed.shape == planes.shape
    assert (table(packed)[:positions] == bits).all()
    assert not table(packed)[positions:].any()


@given(arrays(np.uint64, st.tuples(st.integers(1, 200), st.integers(1, 3)), elements=WORD))
def test_rows_undo_transpose(words: np.ndarray) -> None:
    octets = bitplanes.rows(bitplanes.transpose(words))
    assert (octets[: len(words)].copy().view(np.uint64) == words).all()


@given(arrays(np.uint64, st.tuples(st.integers(0, 200), st.integers(1, 3)), elements=WORD))
def test_transposed_bitboards(words: np.ndarray) -> None:
    planes = bitplanes.transpose(words)
    assert planes.shape == (64 * words.shape[1], -(-len(words) // 64))
    for position, row in enumerate(table(planes)[: len(words)]):
        assert (row == table(words[position][None, :]).T[0]).all()
    assert not table(planes)[len(words) :].any()


@given(st.data())
def test_weighted_sum(data: st.DataObject) -> None:
    planes = data.draw(PLANES)
    few = st.sampled_from([-6, -3, 0, 3, 12])
    wide = st.integers(-(2**31) + 1, 2**31 - 1)
    weights = data.draw(arrays(np.int64, len(planes), elements=st.one_of(few, wide)))
    assert_sum(planes, weights)


@pytest.mark.parametrize("words", [0, 1, 2, 5, 16, 63, 64, 65, 200])
@pytest.mark.parametrize("weights", [[7], [-7, 7], [1, 2, 4, -8, 20, 0]])
def test_weighted_sum_of_many_planes(words: int, weights: list[int]) -> None:
    """Enough alike for all rounds of additions; more words than are worked on at a time."""
    rng = np.random.default_rng(words)
    planes = rng.integers(0, 2**64, (500, words), np.uint64)
    assert_sum(planes, rng.choice(np.array(weights), 500))


def test_weighted_sum_of_nothing() -> None:
    assert (bitplanes.WeightedSum([])(np.zeros((0, 2), np.uint64)) == np.zeros(128)).all()
    assert (bitplanes.WeightedSum([0])(np.ones((1, 1), np.uint64)) == np.zeros(64)).all()


def test_largest_weights_are_exact() -> None:
    planes = np.full((1001, 1), 2**64 - 1, np.uint64)
    assert_sum(planes, np.array([2**31 - 1] * 1000 + [-1]))
    assert_sum(planes, np.array([1 - 2**31] * 1000 + [1]))


def assert_sum(planes: np.ndarray, weights: np.ndarray) -> None:
    weigh = bitplanes.WeightedSum(weights)
    expected = table(planes).astype(np.int64) @ weights
    # Twice: nothing is left behind by the first call.
    for _ in range(2):
        sums = weigh(planes)
        assert sums.dtype == np.int64
        assert (sums == expected).all()
