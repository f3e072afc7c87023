"""The compiled random games as `advisor.engine.playouts` sees them.

The code is that of `advisor.engine.playout_kernel`; here is the memory that it works in.
"""

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine import playout_control as c
from advisor.engine.machine import Machine, Words
from advisor.engine.playouts import MAX_PLIES, Played
from advisor.engine.rows import Rows
from advisor.limits import Stop

PLAYOUTS = Tiers(
    Functions(
        module="advisor.engine.playout_kernel",
        names=("play",),
        what="random games",
        seconds=2.0,
    )
)
"""The code of random games, for all games."""

_SLOTS = 1024
"""Games that are played side by side."""

_PLIES = 16
"""Plies of all of these between two looks at the clock: some milliseconds for large games."""

_UNFINISHED = 2

PAD = 8
"""Words between columns: those that are 4,096 octets apart share few lines of the cache."""


def game_words(machine: Machine) -> Words:
    """The words that tell a game whose states say all, so that they share no word."""
    words = np.zeros(c.GAME, np.int64)
    words[c.WORDS], words[c.MASKS] = machine.words, machine.masks
    words[c.LOOK_WORDS] = machine.look_words
    words[c.MOVE_WORDS] = machine.table.shape[1]
    words[c.EXCHANGES] = machine.exchanges
    words[c.TABLE] = machine.table.ctypes.data
    words[c.SECOND_ROWS] = machine.second_rows
    for i, circuit in enumerate((machine.look, machine.step)):
        words[c.LOOK + i] = circuit.address
        words[c.LOOK_SCRATCH + i] = circuit.scratch.ctypes.data
        words[c.LOOK_BLOCK + i] = circuit.block
    return words


def whole_blocks(machine: Machine, states: int) -> int:
    """So many states, or some more that look and step work on at once."""
    block = max(machine.look.block, machine.step.block)
    return -(-states // block) * block


class CompiledPlayouts:
    """Random games of one game. Not for two threads at once.

    Args:
        machine: the game; see `game_words`.
        library: the code of `PLAYOUTS`.
    """

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine  # whose code is called
        self._play = library.function("play", 2)
        control = np.zeros(c.SIZE, np.int64)
        control[: c.GAME] = game_words(machine)
        slots = whole_blocks(machine, _SLOTS)
        stride = slots + PAD
        columns = control[c.WORDS] + control[c.MOVE_WORDS], control[c.LOOK_WORDS], *[1] * 7
        self._arrays = [np.zeros(stride * many, np.int64) for many in columns]
        control[c.SLOTS], control[c.STRIDE] = slots, stride
        control[c.STATES : c.ENDED + 1] = [array.ctypes.data for array in self._arrays]
        control[c.LONGEST] = MAX_PLIES
        self._control: Words = control

    def play_out(self, rows: Rows, seed: int, stop: Stop) -> Played:
        """A random game from each state; see `advisor.engine.playouts.play_out`."""
        control, rows = self._control, np.ascontiguousarray(rows)
        results = np.full(len(rows), _UNFINISHED, np.int64)
        control[c.ROWS], control[c.RESULTS] = rows.ctypes.data, results.ctypes.data
        control[c.GAMES], control[c.SEED] = len(rows), seed
        control[c.BEGUN] = control[c.COUNT] = control[c.PLIES] = 0
        where = control.ctypes.data
        while not stop.is_set() and self._play(where, _PLIES):
            pass
        finished = results != _UNFINISHED
        return Played(
            np.where(finished, results, 0).astype(np.int8), finished, int(control[c.PLIES])
        )
