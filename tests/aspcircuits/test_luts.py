"""Look-up tables: they compute the gates' functions, and sums agree with Python's."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aspcircuits import bitplanes, luts
from aspcircuits.bitplanes import Planes
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import TRUE, Netlist
from aspcircuits.luts import Mapper

INPUTS = range(TRUE + 1, TRUE + 13)
LITERALS = st.sampled_from([sign * node for node in (TRUE, *INPUTS[:3]) for sign in (1, -1)])


def planes(words: int, seed: int = 1) -> Planes:
    return np.random.default_rng(seed).integers(0, 1 << 64, (len(INPUTS), words), np.uint64)


def of_literals(literals: list[int], given: Planes) -> Planes:
    everywhere = np.full((1, given.shape[1]), ~np.uint64(0))
    value = np.concatenate((everywhere, given))
    return np.array([value[o - TRUE] if o > 0 else ~value[-o - TRUE] for o in literals])


@given(st.integers(0, 255), st.lists(LITERALS, min_size=3, max_size=3))
def test_a_table_of_any_literals(table: int, operands: list[int]) -> None:
    mapper, random = Mapper(INPUTS, []), planes(2)
    found = luts.evaluate(mapper.tables([mapper.lut(table, *operands)]), random)
    a, b, c = bitplanes.unpack(of_literals(operands, random), 128).T.astype(int)
    assert np.array_equal(bitplanes.unpack(found, 128)[:, 0], table >> (4 * a + 2 * b + c) & 1)
    assert len(mapper.luts) <= 1


def test_equal_functions_are_one_table() -> None:
    mapper = Mapper(INPUTS, [])
    a, b, c = INPUTS[:3]
    both = mapper.all_of([a, b, c])
    assert mapper.all_of([c, a, b]) == both
    assert mapper.any_of([-b, -c, -a]) == -both
    assert len(mapper.luts) == 1


@pytest.mark.parametrize("seed", range(20))
def test_any_gates(seed: int) -> None:
    random, netlist = Random(seed), Netlist(len(INPUTS))
    literals = [*netlist.inputs]
    for _ in range(60):
        members = random.sample(literals, random.randint(2, min(9, len(literals))))
        members = [member * random.choice((1, -1)) for member in members]
        literals.append(
            netlist.at_least(random.randint(1, len(members)), dict.fromkeys(members, 1))
        )
    outputs = random.choices(literals, k=30)
    gates = netlist.gates(outputs)
    mapper, given = Mapper(netlist.inputs, gates), planes(3, seed)
    found = luts.evaluate(mapper.tables([mapper.literal(o) for o in outputs]), given)
    assert np.array_equal(found, Evaluation(netlist.inputs, gates, outputs)(given))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([s * n for n in (TRUE, *INPUTS) for s in (1, -1)]),
            st.integers(-(1 << 31), 1 << 31) | st.integers(-3, 3),
        ),
        max_size=40,
    )
)
def test_sums(terms: list[tuple[int, int]]) -> None:
    mapper, given = Mapper(INPUTS, []), planes(1)
    digits = mapper.sum(terms)
    bits = bitplanes.unpack(luts.evaluate(mapper.tables(digits), given), 64).astype(np.int64)
    place = 1 << np.arange(len(digits) - 1)
    held = bitplanes.unpack(of_literals([o for o, _ in terms] or [TRUE], given), 64)
    expected = held.astype(np.int64) @ np.array([w for _, w in terms] or [0])
    assert np.array_equal(bits[:, :-1] @ place - (bits[:, -1] << len(place)), expected)


def test_a_value_says_whether_it_is_certain() -> None:
    a, b, c = INPUTS[:3]
    tables = luts.value_tables(INPUTS, [], [(a, 5), (-b, -7)], [(c, -(1 << 40))])
    given = planes(4)
    holds = bitplanes.unpack(given, 256)[:, :3].astype(np.int64)
    words = bitplanes.rows(luts.evaluate(tables, given)).view(np.int64)[:, 0]
    guess = 5 * holds[:, 0] - 7 * (1 - holds[:, 1])
    assert np.array_equal(words >> 1, np.where(holds[:, 2], -(1 << 40), guess))
    assert np.array_equal(words & 1, holds[:, 2])
