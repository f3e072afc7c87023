"""Count ways to play in machine code: `advisor.engine.rows.perft`, many times as fast.

Look and step define the game, as in `advisor.engine.kernel`. Each level has room for a batch of
states; a full level is counted before more of its states are made. Importing this module takes
seconds, in which its functions are translated.
"""

from functools import cache

import numpy as np

from advisor.engine import control as c
from advisor.engine.machine import PAD, ControlWords, Machine
from advisor.engine.nodes import Rows
from advisor.engine.rows import expand
from advisor.engine.states import rows_of, run, statuses
from advisor.games.circuits import Circuits
from aspcircuits import native
from aspcircuits.compiling import at, function, lowest, object_code, ones, record_at
from aspcircuits.layout import layout
from aspcircuits.llvm import Library

PLIES = 3
"""Plies of one call, which cannot be interrupted: some hundredths of a second in chess."""

_BATCH = 512
"""Number of states of a level that are looked at together."""


@layout
class Perft(c.GameWords):
    """The memory of a count. Arrays have a part for each number of remaining plies."""

    batch: int  # maximum number of states of a level
    stride: int  # distance between columns of a level
    states: int  # columns of states, then columns of their moves
    looks: int  # columns of looks
    chosen: int  # for each move to be made, the index of its state and its row of the table


perft_at = record_at(Perft)


@function
def level(m: int, array: int, columns: int, plies: int) -> int:
    """Return where the columns of a level begin; its number is that of the remaining plies."""
    return array + 8 * columns * perft_at(m).stride * plies


@function
def counted(m: int, looks: int, count: int) -> int:
    """Return the total number of moves of `count` states."""
    b, found = perft_at(m), 0
    for w in range(b.masks):
        bits = at(looks + 8 * w * b.stride)
        for i in range(count):
            found += ones(bits[i])
    return found


@function
def made(m: int, plies: int, count: int) -> int:
    """Make the chosen moves of a level's states; return the number of states of the next level."""
    b = perft_at(m)
    words, extra, stride = b.words, b.move_words, b.stride
    above = level(m, b.states, words + extra, plies)
    below = level(m, b.states, words + extra, plies - 1)
    chosen = level(m, b.chosen, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    for q in range(words):
        source, target = at(above + 8 * q * stride), at(below + 8 * q * stride)
        for i in range(count):
            target[i] = source[parent[i]]
    for q in range(extra):
        table, target = at(b.table + 8 * q), at(below + 8 * (words + q) * stride)
        for i in range(count):
            target[i] = table[extra * row[i]]
    run(m, c.STEP, below, stride, below, 0, count)
    return count


@function
def count_ways(m: int, plies: int, count: int) -> int:
    """Count the ways to play `plies` plies, at least one, from `count` states."""
    b = perft_at(m)
    stride = b.stride
    states = level(m, b.states, b.words + b.move_words, plies)
    looks = level(m, b.looks, b.look_words, plies)
    run(m, c.LOOK, states, stride, looks, 0, count)
    if plies == 1:
        return counted(m, looks, count)
    chosen = level(m, b.chosen, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    status = statuses(m, looks, stride)
    found = many = 0
    for i in range(count):
        first = rows_of(m, status[i])
        for w in range(b.masks):
            bits = at(looks + 8 * w * stride)[i]
            while bits:
                parent[many], row[many] = i, first + 64 * w + lowest(bits)
                bits &= bits - 1
                many += 1
                if many == b.batch:
                    found += count_ways(m, plies - 1, made(m, plies, many))
                    many = 0
    if many:
        found += count_ways(m, plies - 1, made(m, plies, many))
    return found


@cache
def _library() -> Library:
    return Library(object_code([count_ways]))


def counter(game: Circuits) -> "Counter":
    """Make the counter of a game, with code compiled for it."""
    return Counter(game.tree.machine(native.load(game.tree.code.build())))


class Counter:
    """Counts ways to play one game whose states are complete, so that they share no words."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine  # owns the code
        self._count = _library().function("count_ways", 3)
        self._batch = machine.whole_blocks(_BATCH)
        self._control = Perft()
        machine.tell(self._control)

        def levels(columns: int) -> ControlWords:
            return np.zeros((PLIES + 1, columns, self._batch + PAD), np.int64)

        self._states = levels(machine.words + machine.table.shape[1])
        self._control.set_words(
            batch=self._batch,
            stride=self._batch + PAD,
            states=self._states,
            looks=levels(machine.look_words),
            chosen=levels(2),
        )

    def perft(self, game: Circuits, rows: Rows, plies: int) -> int:
        """Count like `advisor.engine.rows.perft`, for at least one ply."""
        if plies > PLIES:
            parts = np.array_split(rows, -(-len(rows) // (16 * self._batch)))
            return sum(self.perft(game, expand(game, part).rows, plies - 1) for part in parts)
        found = 0
        states = self._states[plies]
        for start in range(0, len(rows), self._batch):
            part = rows[start : start + self._batch]
            states[: part.shape[1], : len(part)] = part.view(np.int64).T
            found += self._count(self._control.address, plies, len(part))
        return found
