"""One thread of compiled search: the game as it is told, and how it hears that it is to stop."""

import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Generic

import numpy as np

from advisor.engine import control as c
from advisor.engine.below import P
from advisor.engine.machine import Machine, Reader, Words
from advisor.engine.recurrences import Recurrences
from advisor.limits import POLL, Stop

DEEPEST = 120
"""Plies that a search has room for."""

_MOMENT = 0.001
"""Seconds: so late the end of the time may be noticed."""

PAD = 8
"""Words between columns: those that are 4,096 octets apart share few lines of the cache."""


class Thread(Generic[P]):
    """What searches of one game by compiled code have in common. Not for two threads at once.

    Args:
        search: the code, called with the address of its memory, a depth and bounds.
        memory: shape (a power of two, 4), the transposition table, which others may share.

    Attributes:
        counts: of all its work: nodes, leaves, heuristic values, states scored after noisy moves.
    """

    _control: Words

    def __init__(
        self,
        machine: Machine,
        reader: Reader[P],
        search: Callable[..., int],
        memory: Words,
    ) -> None:
        self.counts = np.zeros(c.ADDED + 1 - c.NODES, np.int64)
        self._machine, self._reader, self._memory = machine, reader, memory
        self._search = search
        self._certain = _certain(machine.results)
        self._kept = ~machine.counters
        self._results = np.array([value for value, _ in machine.results], np.int64)
        self._again: tuple[frozenset[bytes], frozenset[bytes]] | None = None
        self._arrays: list[Words] = []

    def _told(self, size: int) -> Words:
        """So many words, of which those say what the game is that do so."""
        machine = self._machine
        control = np.zeros(size, np.int64)
        control[c.WORDS], control[c.MASKS] = machine.words, machine.masks
        control[c.LOOK_WORDS] = machine.look_words
        control[c.MOVE_WORDS] = machine.table.shape[1]
        control[c.EXCHANGES] = machine.exchanges
        control[c.SHARED : c.SHARED + 2] = machine.shared
        for i, circuit in enumerate(machine.circuits):
            control[c.LOOK + i] = circuit.address
            control[c.LOOK_SCRATCH + i] = circuit.scratch.ctypes.data
            control[c.LOOK_BLOCK + i] = circuit.block
        control[c.NOISY_PLIES] = machine.noisy_plies
        control[c.KEPT] = self._kept.ctypes.data
        control[c.RESULTS] = self._results.ctypes.data
        control[c.CERTAIN] = self._certain.ctypes.data
        control[c.SECOND_ROWS] = machine.second_rows
        control[c.TABLE] = machine.table.ctypes.data
        control[c.MEMORY], control[c.MEMORY_MASK] = self._memory.ctypes.data, len(self._memory) - 1
        return control

    def _put(self, positions: Sequence[P], columns: Words) -> None:
        """Makes positions at the same ply the ones that are asked about."""
        for i, position in enumerate(positions):
            for column, word in zip(columns, self._reader.state(position), strict=True):
                column[i] = word
        self._control[c.TURN] = self._reader.second(positions[0])
        self._draw_again(self._reader.recurrences(positions[0]))
        self._control[c.NODES : c.ADDED + 1] = 0

    def _draw_again(self, recurrences: Recurrences | None) -> None:
        """Tells the code which states are a draw.

        What is remembered of others does not hold for these, so that keys are told apart.
        """
        pair = (recurrences.here, recurrences.there) if recurrences else (frozenset(), frozenset())
        if pair == self._again:
            return
        self._again = pair
        control = self._control
        self._drawn = [
            np.array([np.frombuffer(state, np.int64) for state in sorted(states, key=_first)])
            for states in pair
        ]
        for parity, states in enumerate(self._drawn):
            control[c.AGAIN + parity] = states.ctypes.data
            control[c.AGAIN_COUNT + parity] = len(states)
        control[c.SALT : c.SALT + 2] = _salt(*pair), _salt(*pair[::-1])

    def _watched(self, stop: Stop, *arguments: int) -> int:
        """Runs the code in another thread, so that this one hears when it is to stop."""
        found: list[int] = []
        thread = threading.Thread(target=lambda: found.append(self._search(*arguments)))
        thread.start()
        try:
            while thread.is_alive():
                thread.join(min(POLL, stop.seconds_left + _MOMENT))
                if stop.is_set():
                    self._control[c.STOP] = 1
        finally:
            self._control[c.STOP] = 1
            thread.join()
        return found[0]

    def _columns(self, length: int, *counts: int) -> list[int]:
        """The addresses of arrays of so many columns each."""
        made = [np.zeros(length * count, np.int64) for count in counts]
        self._arrays += made
        return [int(array.ctypes.data) for array in made]


def _certain(results: Sequence[tuple[int, int]]) -> Words:
    """For each depth the bits of those results that are at most so many plies away."""
    return np.array(
        [
            sum(1 << bit for bit, (_, plies) in enumerate(results) if plies <= depth)
            for depth in range(DEEPEST + 1)
        ],
        np.int64,
    )


def _first(state: bytes) -> int:
    """The first word of a state."""
    return int(np.frombuffer(state, np.int64)[0])


def _salt(here: frozenset[bytes], there: frozenset[bytes]) -> int:
    """A word that tells sets of states from others; 0 for no states."""
    if not here and not there:
        return 0
    told = b"".join(sorted(here)) + b"".join(sorted(there)) + len(here).to_bytes(8, "little")
    return int.from_bytes(sha256(told).digest()[:8], "little", signed=True)
