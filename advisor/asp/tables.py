"""Part of a circuit as a table: what depends on a choice alone is looked up by the choice's number.

A circuit may have inputs of which only a few patterns ever occur: of all moves a player makes one.
A node that depends on such inputs alone is then a column of bits, one for each pattern, and a state
and a row of the table take the place of the state and the choice. Columns are Python integers while
they are made: bit i belongs to pattern i.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.asp.gates import FALSE, TRUE, Netlist


@dataclass(frozen=True, slots=True)
class Tabulated:
    """A netlist whose last inputs come from a table.

    Attributes:
        netlist: its inputs are the kept ones, then the table's columns.
        outputs: the literals that were asked for, in this netlist.
        table: shape (patterns, ceil(columns / 64)), uint64; bit b of word w of a row is column
            64 w + b.
    """

    netlist: Netlist
    outputs: list[int]
    table: npt.NDArray[np.uint64]


def tabulate(
    netlist: Netlist,
    outputs: Sequence[int],
    kept: int,
    room: int,
    choices: Mapping[int, int],
    patterns: int,
) -> Tabulated:
    """Replaces what depends on some inputs alone by columns of a table.

    Args:
        netlist: the circuit.
        outputs: the literals to compute.
        kept: how many of its first inputs stay inputs.
        room: how many inputs come before the columns, at least `kept`; the rest stays unused.
        choices: for each other input the column of the patterns in which it holds.
        patterns: how many there are.
    """
    everywhere = (1 << patterns) - 1
    columns: dict[int, int] = {TRUE: everywhere, **choices}

    def column(literal: int) -> int | None:
        found = columns.get(abs(literal))
        return found if found is None or literal > 0 else found ^ everywhere

    needed = cone(netlist, outputs)
    mixed: list[tuple[int, tuple[int, ...], int]] = []
    for node, members, bound in netlist.nodes():
        if node not in needed:
            continue
        known = [column(member) for member in members]
        if None in known:
            mixed.append((node, members, bound))
        else:
            pure = [bits for bits in known if bits is not None]
            columns[node] = _count(pure, bound, patterns) if bound else _all(pure, everywhere)

    # How many columns there will be is known only at the end, so that their inputs come last.
    wanted: dict[int, int] = {}

    def placeholder(bits: int) -> int:
        """The number of a column, negative for its negation; 0 for what always or never holds."""
        flipped = bits & 1
        number = wanted.setdefault(bits ^ everywhere if flipped else bits, len(wanted))
        return -(number + 1) if flipped else number + 1

    parts: list[tuple[int, list[int], list[int], int]] = []
    for node, members, bound in mixed:
        ours = [m for m in members if column(m) is None]
        theirs = [bits for m in members if (bits := column(m)) is not None]
        if not bound:
            theirs = [_all(theirs, everywhere)] if theirs else []
        parts.append((node, ours, theirs, bound))
    plain = [column(literal) for literal in outputs]
    for bits in (*(b for _, _, theirs, _ in parts for b in theirs), *plain):
        if bits is not None and bits not in (0, everywhere):
            placeholder(bits)

    made = Netlist(room + len(wanted))
    first = made.inputs.start

    def literal_of(bits: int) -> int:
        if bits in (0, everywhere):
            return TRUE if bits else FALSE
        number = placeholder(bits)
        return (first + room + abs(number) - 1) * (1 if number > 0 else -1)

    value = {first + i: first + i for i in range(kept)}

    def translated(literal: int) -> int:
        bits = column(literal)
        if bits is not None:
            return literal_of(bits)
        return value[literal] if literal > 0 else -value[-literal]

    for node, ours, theirs, bound in parts:
        literals = [*map(translated, ours), *map(literal_of, theirs)]
        value[node] = made.count(bound, literals) if bound else made.all_of(literals)
    return Tabulated(made, [*map(translated, outputs)], _packed(list(wanted), patterns))


def cone(netlist: Netlist, outputs: Iterable[int]) -> set[int]:
    """Every node that the outputs depend on."""
    needed = {abs(literal) for literal in outputs}
    for node, members, _ in reversed([*netlist.nodes()]):
        if node in needed:
            needed.update(map(abs, members))
    return needed


def _all(columns: Iterable[int], everywhere: int) -> int:
    result = everywhere
    for bits in columns:
        result &= bits
    return result


def _count(columns: Sequence[int], bound: int, patterns: int) -> int:
    sums = sum(_bits(bits, patterns).astype(np.int64) for bits in columns)
    held = np.packbits(np.asarray(sums) >= bound, bitorder="little")
    return int.from_bytes(held.tobytes(), "little")


def _bits(bits: int, patterns: int) -> npt.NDArray[np.uint8]:
    octets = np.frombuffer(bits.to_bytes(-(-patterns // 8), "little"), np.uint8)
    return np.unpackbits(octets, count=patterns, bitorder="little")


def _packed(columns: Sequence[int], patterns: int) -> npt.NDArray[np.uint64]:
    table = np.zeros((patterns, -(-len(columns) // 64) * 64), np.uint8)
    for i, bits in enumerate(columns):
        table[:, i] = _bits(bits, patterns)
    return np.packbits(table, axis=1, bitorder="little").view(np.uint64)
