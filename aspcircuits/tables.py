"""Part of a circuit as a table: nodes that depend on a choice alone are looked up by its number.

A circuit may have inputs that only ever take a few patterns: of all moves a player makes one. A
node that depends on such inputs alone is then a column of bits, one for each pattern; and a state
and a row of the table replace the state and the choice. While columns are made they are sets of
patterns, since there may be a hundred thousand moves, and an input may hold in only one of them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aspcircuits.bitplanes import pack
from aspcircuits.gates import FALSE, TRUE, Gate, Netlist, Op


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A netlist whose last inputs come from a table.

    Attributes:
        netlist: its inputs are the kept ones, then the table's columns.
        outputs: the requested literals, in this netlist.
        table: shape (patterns, ceil(columns / 64)), uint64; bit b of word w of a row is column
            64 w + b.
    """

    netlist: Netlist
    outputs: list[int]
    table: npt.NDArray[np.uint64]


class _Column(NamedTuple):
    """The patterns in which something holds: those listed, or all others, whichever are fewer."""

    listed: frozenset[int]
    rest: bool


def tabulate(
    netlist: Netlist,
    outputs: Sequence[int],
    kept: int,
    room: int,
    choices: Mapping[int, Collection[int]],
    patterns: int,
) -> Tabulated:
    """Replace the nodes that depend on some inputs alone by columns of a table.

    Args:
        outputs: the literals to compute.
        kept: how many of the first inputs stay inputs.
        room: number of inputs before the columns, at least `kept`; the rest stays unused.
        choices: for each other input the patterns in which it holds.
        patterns: number of patterns.
    """
    columns: dict[int, _Column] = {}  # of literals

    def define(node: int, column: _Column) -> None:
        columns[node], columns[-node] = column, _negate_column(column)

    define(TRUE, _column(frozenset(), True, patterns))
    for node, held in choices.items():
        define(node, _column(frozenset(held), False, patterns))
    needed = cone(netlist, outputs)
    parts: list[tuple[int, Op, list[int], list[_Column]]] = []
    for node, op, members in netlist.nodes():
        if node not in needed:
            continue
        ours = [m for m in members if m not in columns]
        theirs = [columns[m] for m in members if m in columns]
        if len(theirs) > 1 and (op is not Op.MAJORITY or not ours):
            theirs = [_JOINED[op](theirs, patterns)]
        if ours:
            parts.append((node, op, ours, theirs))
        else:
            define(node, theirs[0])
    # The number of columns is known only now, so their inputs come last.
    plain = (columns[literal] for literal in outputs if literal in columns)
    listed = (x.listed for x in chain(*(theirs for *_, theirs in parts), plain) if x.listed)
    wanted = {each: number for number, each in enumerate(dict.fromkeys(listed))}

    made = Netlist(room + len(wanted))
    first = made.inputs.start

    def literal_of(found: _Column) -> int:
        literal = first + room + wanted[found.listed] if found.listed else FALSE
        return -literal if found.rest else literal

    value = {first + i: first + i for i in range(kept)}

    def translate(literal: int) -> int:
        if literal in columns:
            return literal_of(columns[literal])
        return value[literal] if literal > 0 else -value[-literal]

    for node, op, ours, theirs in parts:
        value[node] = made.gate(op, [*map(translate, ours), *map(literal_of, theirs)])
    table = np.zeros((len(wanted), patterns), np.bool_)
    for held, column in wanted.items():
        table[column, [*held]] = True
    return Tabulated(made, [*map(translate, outputs)], pack(table))


def cone(netlist: Netlist, outputs: Iterable[int]) -> set[int]:
    """Return every node that the outputs depend on."""
    needed = {abs(literal) for literal in outputs}
    for node, _, members in reversed([*netlist.nodes()]):
        if node in needed:
            needed.update(map(abs, members))
    return needed


def each_alone(gates: Iterable[Gate], outputs: Sequence[int], own: Sequence[int]) -> bool:
    """Return whether each output depends on no other output's own input.

    Args:
        own: the input of each output; other inputs do not matter.
    """
    several = FALSE
    source = {node: node for node in own}
    for gate in gates:
        met = {source[abs(x)] for x in gate.operands if abs(x) in source}
        if met:
            source[abs(gate.result)] = met.pop() if len(met) == 1 else several
    return all(source.get(abs(x), mine) == mine for x, mine in zip(outputs, own, strict=True))


def _column(listed: frozenset[int], rest: bool, patterns: int) -> _Column:
    """Return a column of these patterns or of all others; equal columns have the same form."""
    most = patterns - len(listed)
    if len(listed) > most or (len(listed) == most and 0 in listed):
        return _Column(frozenset(range(patterns)) - listed, not rest)
    return _Column(listed, rest)


def _all(columns: Iterable[_Column], patterns: int) -> _Column:
    """Return the column of the patterns in which all columns hold."""
    held: list[frozenset[int]] = []
    missed: list[frozenset[int]] = []
    for column in columns:
        (missed if column.rest else held).append(column.listed)
    if held:
        return _column(min(held, key=len).intersection(*held).difference(*missed), False, patterns)
    return _column(frozenset().union(*missed), True, patterns)


def _odd(columns: Iterable[_Column], patterns: int) -> _Column:
    """Return the column of the patterns in which an odd number of columns hold."""
    listed, rest = frozenset[int](), False
    for column in columns:
        listed, rest = listed ^ column.listed, rest != column.rest
    return _column(listed, rest, patterns)


def _most(columns: Iterable[_Column], patterns: int) -> _Column:
    """Return the column of the patterns in which two of three columns hold."""
    both = (_all(pair, patterns) for pair in combinations(columns, 2))
    return _negate_column(_all(map(_negate_column, both), patterns))


def _negate_column(column: _Column) -> _Column:
    return _Column(column.listed, not column.rest)


_JOINED = {Op.AND: _all, Op.XOR: _odd, Op.MAJORITY: _most}
