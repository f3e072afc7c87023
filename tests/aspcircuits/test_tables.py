"""Circuits with a table in place of some inputs, against the circuits themselves."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aspcircuits import bitplanes
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import FALSE, TRUE, Netlist
from aspcircuits.tables import cone, each_alone, tabulate

KEPT, CHOICES = 4, 6


@st.composite
def netlists(draw: st.DrawFn) -> tuple[Netlist, list[int]]:
    """Random nodes over the given inputs and the chosen ones, and some of them as outputs."""
    net = Netlist(KEPT + CHOICES)
    literals = [TRUE, *net.inputs]
    for _ in range(draw(st.integers(1, 25))):
        signed = st.sampled_from(literals).flatmap(lambda x: st.sampled_from([x, -x]))
        members = draw(st.lists(signed, min_size=1, max_size=5))
        bound = draw(st.integers(0, len(members)))
        counted = net.at_least(bound, Counter(members))
        literals.append(counted if bound else net.all_of(members))
    wanted = draw(st.lists(st.sampled_from(literals), min_size=1, max_size=6))
    return net, [*wanted, FALSE, -wanted[0]]


@given(netlists(), st.data())
def test_a_table_takes_the_place_of_inputs(
    made: tuple[Netlist, list[int]], data: st.DataObject
) -> None:
    net, outputs = made
    patterns = data.draw(st.integers(1, 20))
    column = st.frozensets(st.integers(0, patterns - 1))
    columns = data.draw(st.lists(column, min_size=CHOICES, max_size=CHOICES))
    room = data.draw(st.sampled_from([KEPT, 7]))
    chosen = dict(zip(net.inputs[KEPT:], columns, strict=True))
    found = tabulate(net, outputs, KEPT, room, chosen, patterns)

    # Every state with every pattern.
    state, pattern = (
        index.ravel() for index in np.meshgrid(np.arange(1 << KEPT), np.arange(patterns))
    )
    kept = state[:, None] >> np.arange(KEPT) & 1 == 1
    theirs = np.array([[int(p) in c for c in columns] for p in pattern])
    plain = Evaluation(net.inputs, net.gates(outputs), outputs)
    expected = plain(bitplanes.pack(np.concatenate((kept, theirs), axis=1)))

    table = bitplanes.transpose(found.table.take(pattern, 0)) if found.table.shape[1] else None
    inputs = np.zeros((len(found.netlist.inputs), expected.shape[1]), np.uint64)
    inputs[:KEPT] = bitplanes.pack(kept)
    if table is not None:
        inputs[room:] = table[: len(inputs) - room]
    gates = found.netlist.gates(found.outputs)
    got = Evaluation(found.netlist.inputs, gates, found.outputs)(inputs)
    count = len(state)
    assert (bitplanes.unpack(got, count) == bitplanes.unpack(expected, count)).all()


@given(netlists(), st.data())
def test_what_depends_on_its_own_input_alone_is_told(
    made: tuple[Netlist, list[int]], data: st.DataObject
) -> None:
    net, found = made
    own = net.inputs[:KEPT]
    # Of random outputs few depend on one input; these all do.
    simple = [net.all_of([x, data.draw(st.sampled_from(net.inputs[KEPT:]))]) for x in own]
    outputs = [data.draw(st.sampled_from([x, -x, *found])) for x in simple]
    expected = all(cone(net, [x]) & {*own} <= {mine} for x, mine in zip(outputs, own, strict=True))
    assert each_alone(net.gates(outputs), outputs, own) == expected
