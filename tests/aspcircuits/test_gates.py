"""The logic of the compiler by itself."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from aspcircuits.gates import FALSE, TRUE, Netlist, Op

INPUTS = 4
LITERALS = [sign * node for node in range(1, TRUE + 1 + INPUTS) for sign in (1, -1)]


def holds(netlist: Netlist, literal: int, inputs: tuple[bool, ...]) -> bool:
    """Whether a literal holds, from the definition of its node."""
    value = {TRUE: True, **dict(zip(netlist.inputs, inputs, strict=True))}
    for node, op, members in netlist.nodes():
        found = sum(value[abs(member)] == (member > 0) for member in members)
        held = {Op.AND: found == len(members), Op.XOR: found % 2 == 1, Op.MAJORITY: found > 1}
        value[node] = held[op]
    return value[abs(literal)] == (literal > 0)


@given(st.sets(st.frozensets(st.sampled_from(LITERALS))))
def test_one_of_several_conjunctions(conjunctions: set[frozenset[int]]) -> None:
    netlist = Netlist(INPUTS)
    literal = netlist.any_of_all(conjunctions)
    for inputs in product([False, True], repeat=INPUTS):
        expected = any(all(holds(netlist, x, inputs) for x in some) for some in conjunctions)
        assert holds(netlist, literal, inputs) == expected


@given(st.dictionaries(st.sampled_from(LITERALS), st.integers(0, 9)), st.integers(-1, 40))
def test_weights_reach_a_bound(weights: dict[int, int], bound: int) -> None:
    netlist = Netlist(INPUTS)
    literal = netlist.at_least(bound, weights)
    for inputs in product([False, True], repeat=INPUTS):
        total = sum(w for x, w in weights.items() if holds(netlist, x, inputs))
        assert holds(netlist, literal, inputs) == (total >= bound)


def test_small_counts_take_few_gates_and_share_them() -> None:
    netlist = Netlist(INPUTS)
    members = dict.fromkeys(netlist.inputs, 1)
    assert len(netlist.gates([netlist.at_least(2, dict.fromkeys(netlist.inputs[:3], 1))])) == 1
    two, three = netlist.at_least(2, members), netlist.at_least(3, members)
    assert [len(netlist.gates(x)) for x in ([two], [three], [two, three])] == [4, 4, 6]


def test_what_conjunctions_share_is_asked_once() -> None:
    netlist = Netlist(INPUTS)
    a, *others = netlist.inputs
    literal = netlist.any_of_all([frozenset({a, other}) for other in others])
    assert literal == netlist.all_of([a, netlist.any_of(others)])
    assert len(netlist.gates([literal])) == 2
    assert netlist.any_of_all([frozenset({a}), frozenset({a, others[0]})]) == a
    assert netlist.any_of_all([]) == FALSE
    assert netlist.any_of_all([frozenset()]) == TRUE
