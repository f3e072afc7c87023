"""The logic of the compiler by itself."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from aspcircuits.gates import FALSE, TRUE, Netlist

INPUTS = 4
LITERALS = [sign * node for node in range(1, TRUE + 1 + INPUTS) for sign in (1, -1)]


def holds(netlist: Netlist, literal: int, inputs: tuple[bool, ...]) -> bool:
    """Whether a literal holds, from the definition of its node."""
    value = {TRUE: True, **dict(zip(netlist.inputs, inputs, strict=True))}
    for node, members, bound in netlist.nodes():
        found = [value[abs(member)] == (member > 0) for member in members]
        value[node] = sum(found) >= (bound or len(found))
    return value[abs(literal)] == (literal > 0)


@given(st.sets(st.frozensets(st.sampled_from(LITERALS))))
def test_one_of_several_conjunctions(conjunctions: set[frozenset[int]]) -> None:
    netlist = Netlist(INPUTS)
    literal = netlist.any_of_all(conjunctions)
    for inputs in product([False, True], repeat=INPUTS):
        expected = any(all(holds(netlist, x, inputs) for x in some) for some in conjunctions)
        assert holds(netlist, literal, inputs) == expected


def test_what_conjunctions_share_is_asked_once() -> None:
    netlist = Netlist(INPUTS)
    a, *others = netlist.inputs
    literal = netlist.any_of_all([frozenset({a, other}) for other in others])
    assert literal == netlist.all_of([a, netlist.any_of(others)])
    assert len(netlist.gates([literal])) == 2
    assert netlist.any_of_all([frozenset({a}), frozenset({a, others[0]})]) == a
    assert netlist.any_of_all([]) == FALSE
    assert netlist.any_of_all([frozenset()]) == TRUE
