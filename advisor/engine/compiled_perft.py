"""The compiled counting of ways to play as `advisor.engine.rows.perft` is given it.

The code is that of `advisor.engine.perft_kernel`; here is the memory that it works in.
"""

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine.control import Perft
from advisor.engine.machine import PAD, Machine, Words
from advisor.engine.rows import Rows

PERFT = Tiers(Functions("advisor.engine.perft_kernel", ("count_ways",), "counting ways to play"))
"""The code of counting, for all games."""

_BATCH = 512
"""States of a level that are looked at together."""

_PLIES = 3
"""Plies of one call, in which nothing else is heard: some hundredths of a second in chess."""


class CompiledPerft:
    """Counts ways to play one game; see `advisor.engine.rows.Counter`. Not for two threads at once.

    Args:
        machine: the game; its states say all, so that they share no word.
        library: the code of `PERFT`.
    """

    plies = _PLIES

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine  # whose code is called
        self._count = library.function("count_ways", 3)
        self._batch = machine.whole_blocks(_BATCH)
        self._control = Perft()
        machine.tell(self._control)

        def levels(columns: int) -> Words:
            return np.zeros((_PLIES + 1, columns, self._batch + PAD), np.int64)

        self._states = levels(machine.words + machine.table.shape[1])
        self._control.put(
            batch=self._batch,
            stride=self._batch + PAD,
            states=self._states,
            looks=levels(machine.look_words),
            chosen=levels(2),
        )

    def count(self, rows: Rows, plies: int) -> int:
        found = 0
        states = self._states[plies]
        for start in range(0, len(rows), self._batch):
            part = rows[start : start + self._batch]
            states[: part.shape[1], : len(part)] = part.view(np.int64).T
            found += self._count(self._control.address, plies, len(part))
        return found
