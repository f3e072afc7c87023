"""The compiled random games as `advisor.engine.playouts` sees them.

The code is that of `advisor.engine.playout_kernel`; here is the memory that it works in.
"""

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine.below import Rows
from advisor.engine.control import PlayoutWords
from advisor.engine.machine import PAD, Machine
from advisor.engine.playouts import MAX_PLIES, Playouts
from advisor.limits import Stop

PLAYOUTS = Tiers(Functions("advisor.engine.playout_kernel", ("play",), "random games"))
"""The code of random games, for all games."""

_SLOTS = 1024
"""Games that are played side by side."""

_PLIES = 16
"""Plies of all of these between two looks at the clock: some milliseconds for large games."""

_UNFINISHED = 2


def side_by_side(machine: Machine, control: PlayoutWords, slots: int) -> int:
    """Tells of a game whose states say all, so that they share no word, and of room for it.

    Returns:
        words from column to column.
    """
    machine.tell(control)
    stride = machine.whole_blocks(slots) + PAD
    of_slots = "owner", "age", "left", "nth", "bits", "move", "over"
    control.put(
        slots=slots,
        stride=stride,
        states=np.zeros((machine.words + machine.table.shape[1], stride), np.int64),
        looks=np.zeros((machine.look_words, stride), np.int64),
        earlier=np.zeros((machine.masks, stride), np.int64),
        longest=MAX_PLIES,
        **{name: np.zeros(stride, np.int64) for name in of_slots},
    )
    return stride


class CompiledPlayouts:
    """Random games of one game. Not for two threads at once.

    Args:
        machine: the game; see `side_by_side`.
        library: the code of `PLAYOUTS`.
    """

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine  # whose code is called
        self._play = library.function("play", 2)
        self._control = PlayoutWords()
        side_by_side(machine, self._control, machine.whole_blocks(_SLOTS))

    def play_out(self, rows: Rows, seed: int, stop: Stop) -> Playouts:
        """A random game from each state; see `advisor.engine.playouts.play_out`."""
        results = np.full(len(rows), _UNFINISHED, np.int64)
        self._control.put(
            rows=np.ascontiguousarray(rows),
            results=results,
            games=len(rows),
            seed=seed,
            **dict.fromkeys(("begun", "count", "plies"), 0),
        )
        while not stop.is_set() and self._play(self._control.address, _PLIES):
            pass
        finished = results != _UNFINISHED
        return Playouts(
            np.where(finished, results, 0).astype(np.int8), finished, self._control.plies
        )
