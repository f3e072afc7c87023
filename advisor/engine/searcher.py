"""One thread of the compiled search: the memory that `advisor.engine.kernel` works in.

How positions get there and values back, and how the code hears that it is to stop.
"""

from collections.abc import Sequence

import numpy as np

from advisor.circuits.functions import Library
from advisor.engine import control as c
from advisor.engine.below import P, StoppedError
from advisor.engine.machine import Machine, Reader, Words
from advisor.engine.thread import DEEPEST, PAD, Thread
from advisor.limits import Stop

_ROOM, _MOST = 512, 1 << 13
"""States that there is room for at first: children that are made together, a level of a batch."""

_TOO_MANY = 1 << 20
"""Room that no batch has needed."""

_LEAVES_OF_ONE = 512
"""The last plies below one position are looked ahead at once if they have no more leaves."""

_BATCHES = (512, 512), (1, 2048)
"""Leaves, about, of a node's first batch and of its later ones: of one ply, where what fills a
block costs no more than a few; of several, where the most promising child alone often cuts off the
others."""

_FEW = 350
"""Leaves, about, of a node that are looked at together where it has a few likely replies to each
child: fewer than fill a block, whose other costs grow with them."""

_SETTLED = 512
"""Leaves of a node, or of several, whose noisy moves are followed together."""

_ORDERED = 3
"""From so many plies on children are ordered by their own values, where batches have one ply."""

_AT_FIRST = 128
"""Nodes that are searched without a look at the clock: a few thousandths of a second."""

_WITHOUT_END = 1 << 60


class Searcher(Thread[P]):
    """Looks ahead from positions of one game. Not for two threads at once.

    Positions' games go on; values are from the view of who moves there, and forced ones count from
    there.

    Args:
        memory: shape (a power of two, 4), the transposition table, which others may share.

    Attributes:
        counts: of all its work: nodes, leaves, heuristic values, states scored after noisy moves.
    """

    def __init__(
        self, machine: Machine, reader: Reader[P], library: Library, memory: Words
    ) -> None:
        super().__init__(machine, reader, library.function("search", 4), memory)
        self._scored = library.function("scored", 2)
        self._history = np.zeros(machine.moves, np.int64)
        self._refuting = np.zeros(machine.moves, np.int64)
        self._answers = np.full(machine.moves + 1, -1, np.int64)
        self._likely = np.zeros((2, machine.moves), np.int64)
        self._room, self._most = _ROOM, _MOST
        self._lay_out()

    @property
    def at_once(self) -> int:
        """Plies of a batch; `value` looks further ahead."""
        return int(self._control[c.AT_ONCE])

    def forget(self) -> None:
        """As if nothing had been searched yet, but for the table."""
        self._history[:] = 0
        self._refuting[:] = 0
        self._answers[:] = -1

    def value(self, position: P, depth: int, alpha: int, beta: int, stop: Stop) -> int:
        """Fail-soft alpha-beta, deeper than a batch.

        Raises:
            StoppedError: it was to stop.
        """
        if depth > DEEPEST:
            raise StoppedError
        control = self._control
        arguments = control.ctypes.data, depth, alpha, beta
        budget = _AT_FIRST
        while True:
            self._put([position], self._first_state)
            control[c.STOP], control[c.BUDGET] = stop.is_set(), budget
            if budget == _AT_FIRST:
                value = self._search(*arguments)
            else:
                value = self._watched(stop, *arguments)
            self.counts += control[c.NODES : c.ADDED + 1]
            ended = control[c.ENDED]
            if ended == 0:
                return value
            if ended == c.STOPPED:
                raise StoppedError
            if ended == c.SPENT:
                budget = _WITHOUT_END
            else:
                self._make_room()
                control = self._control
                arguments = control.ctypes.data, depth, alpha, beta

    def values(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        """Exact values of positions at the same ply, so many plies ahead as a batch has or fewer.

        Raises:
            StoppedError: it was to stop.
        """
        found: list[int] = []
        size = max(1, _MOST // (4 * self._machine.branching**plies))
        for start in range(0, len(positions), size):
            found += self._batch(positions[start : start + size], plies, stop)
        return found

    def _batch(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        while True:
            if stop.is_set():
                raise StoppedError
            self._put(positions, self._level_states)
            self._tables[1][0, c.COUNT] = len(positions)
            self._scored(self._control.ctypes.data, plies)
            self.counts += self._control[c.NODES : c.ADDED + 1]
            if self._control[c.ENDED] == 0:
                values: list[int] = self._level_values[: len(positions)].tolist()
                return values
            self._make_room()

    # Memory

    def _make_room(self) -> None:
        """There was too little room: twice as much."""
        self._room, self._most = 2 * self._room, 2 * self._most
        if self._most > _TOO_MANY:
            raise StoppedError
        self._lay_out()

    def _lay_out(self) -> None:
        """Puts the memory in order; what was remembered stays."""
        machine = self._machine
        looks = machine.most_looks
        into = machine.words + machine.table.shape[1]
        block = machine.block
        room = -(-self._room // block) * block
        stride, long = room + PAD, self._most + block + PAD
        at_once = 1 if machine.noisy_plies else _plies_at_once(machine.branching)
        levels = at_once + 1 + machine.noisy_plies + 1

        self._arrays: list[Words] = []
        columns = self._columns
        plies = [
            [
                *columns(stride, machine.words, looks, 1),
                *columns(room, 1, 1, 1, 1, 1, 1),
            ]
            for _ in range(DEEPEST + 2)
        ]
        self._first_state = self._arrays[0].reshape(machine.words, stride)
        self._arrays[c.MOVE][0] = machine.moves  # none that is known has led there
        level = len(self._arrays)
        batches = [columns(long, machine.words, looks, *[1] * 7) for _ in range(levels)]
        self._level_states = self._arrays[level].reshape(machine.words, long)
        self._level_values = self._arrays[level + 2]
        buckets = 1 << (2 * self._most - 1).bit_length()
        control = self._told(c.SIZE)
        control[c.ROOM], control[c.STRIDE] = room, stride
        control[c.MOST], control[c.LONG] = self._most, long
        control[c.CANDIDATES_FROM] = machine.candidates
        control[c.HISTORY] = self._history.ctypes.data
        control[c.FEW] = 0 if at_once > 1 or machine.noisy_plies else _FEW
        control[c.REFUTING] = self._refuting.ctypes.data
        control[c.ANSWERS] = self._answers.ctypes.data
        control[c.LIKELY], control[c.LIKELY_RANK] = (row.ctypes.data for row in self._likely)
        control[c.AT_ONCE], control[c.SETTLED] = at_once, _SETTLED
        control[c.FIRST], control[c.TARGET] = _BATCHES[at_once > 1]
        control[c.ORDERED] = _ORDERED if at_once == 1 else DEEPEST
        # Where batches have several plies, one child's leaves fill a block already.
        control[c.TOGETHER] = 3 if at_once == 1 else 0
        (control[c.STEP_IN],) = columns(stride, into)
        (control[c.LONG_STEP_IN],) = columns(long, into)
        (control[c.BUCKETS],) = columns(buckets, 2)
        control[c.BUCKETS_MASK] = buckets - 1
        self._tables = (
            _entries(plies, c.PLY_SIZE),
            _entries(batches, c.LEVEL_SIZE),
        )
        control[c.PLIES], control[c.LEVELS] = (table.ctypes.data for table in self._tables)
        self._tables[0][:, c.KILLER] = -1
        self._control = control
        self._again = None


def _entries(rows: Sequence[Sequence[int]], size: int) -> Words:
    """A table of entries that begin with some words."""
    table = np.zeros((len(rows), size), np.int64)
    table[:, : len(rows[0])] = rows
    return table


def _plies_at_once(branching: int) -> int:
    """Plies of a batch."""
    plies = 1
    while max(2, branching) ** (plies + 1) <= _LEAVES_OF_ONE:
        plies += 1
    return plies
