"""The compiled counting of ways to play as `advisor.engine.rows.perft` is given it.

The code is that of `advisor.engine.perft_kernel`; here is the memory that it works in.
"""

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine import perft_control as c
from advisor.engine import playout_control as g
from advisor.engine.compiled_playouts import PAD, game_words, whole_blocks
from advisor.engine.machine import Machine, Words
from advisor.engine.rows import Rows

PERFT = Tiers(
    Functions(
        module="advisor.engine.perft_kernel",
        names=("count_ways",),
        what="counting ways to play",
        seconds=2.0,
    )
)
"""The code of counting, for all games."""

_BATCH = 512
"""States of a level that are looked at together."""

_PLIES = 3
"""Plies of one call, in which nothing else is heard: some hundredths of a second in chess."""


class CompiledPerft:
    """Counts ways to play one game. Not for two threads at once.

    Args:
        machine: the game; see `game_words`.
        library: the code of `PERFT`.
    """

    plies = _PLIES

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine  # whose code is called
        self._count = library.function("count_ways", 3)
        control = np.zeros(c.SIZE, np.int64)
        control[: g.GAME] = game_words(machine)
        self._batch = whole_blocks(machine, _BATCH)
        self._stride = stride = self._batch + PAD
        control[c.BATCH], control[c.STRIDE] = self._batch, stride
        columns = control[g.WORDS] + control[g.MOVE_WORDS], control[g.LOOK_WORDS], 2
        self._arrays = [np.zeros((_PLIES + 1, many, stride), np.int64) for many in columns]
        control[c.STATES : c.CHOSEN + 1] = [array.ctypes.data for array in self._arrays]
        self._control: Words = control

    def count(self, rows: Rows, plies: int) -> int:
        """See `advisor.engine.rows.Counter`."""
        found = 0
        states = self._arrays[0][plies]
        for start in range(0, len(rows), self._batch):
            part = rows[start : start + self._batch]
            states[: part.shape[1], : len(part)] = part.view(np.int64).T
            found += self._count(self._control.ctypes.data, plies, len(part))
        return found
