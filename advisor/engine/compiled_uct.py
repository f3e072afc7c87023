"""Trees of random games by compiled code: the memory that `advisor.engine.uct_kernel` works in."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine import playout_control as c
from advisor.engine import uct_control as u
from advisor.engine.compiled_playouts import PAD, game_words, whole_blocks
from advisor.engine.machine import Machine, Words
from advisor.engine.playouts import MAX_PLIES
from advisor.engine.uct import SLOTS, Search, Tree, explore

UCT = Tiers(
    Functions(
        module="advisor.engine.uct_kernel",
        names=("grow",),
        what="trees of random games",
        seconds=2.0,
    )
)
"""The code of trees, for all games."""

_TICKS = 8
"""Plies of all slots between two looks at the clock."""

_WITHOUT_END = 1 << 60


class CompiledUct:
    """Lets trees of one game grow; see `advisor.engine.uct.Grower`. Not for two searches at once.

    Args:
        machine: the game; see `game_words`.
        library: the code of `UCT`.
    """

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine
        self._grow = library.function("grow", 2)
        self._threads: list[_Thread] = []

    def grow(self, tree: Tree, search: Search) -> None:
        """See `advisor.engine.uct.Grower`. Each thread plays its share of the games, if they are
        given."""
        while len(self._threads) < search.jobs:
            self._threads.append(_Thread(self._machine.again()))
        threads = self._threads[: search.jobs]
        for number, thread in enumerate(threads):
            thread.begin(tree, search, number)

        def work(thread: _Thread) -> None:
            while not search.over(thread.finished) and self._grow(thread.where, _TICKS):
                pass

        if len(threads) == 1:
            work(threads[0])
        else:
            with ThreadPoolExecutor(len(threads)) as pool:
                list(pool.map(work, threads))
        for thread in threads:
            tree.give_up(thread.leaves)


class _Thread:
    """What one thread has for itself.

    Attributes:
        where: its memory lies.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine  # whose code is called
        control: Words = np.zeros(u.SIZE, np.int64)
        control[: c.GAME] = game_words(machine)
        slots, masks = whole_blocks(machine, SLOTS), machine.masks
        stride = slots + PAD
        columns = control[c.WORDS] + control[c.MOVE_WORDS], control[c.LOOK_WORDS], *[1] * 7
        self._arrays = [np.zeros(stride * many, np.int64) for many in columns]
        self._leaf, self._side, self._other = (np.zeros(stride, np.int64) for _ in range(3))
        own = [self._leaf, self._side, np.zeros(2 * masks * stride, np.int64), self._other]
        scores = np.zeros(64 * masks, np.float32)
        control[c.SLOTS], control[c.STRIDE] = SLOTS, stride
        control[c.STATES : c.ENDED + 1] = [array.ctypes.data for array in self._arrays]
        control[u.LEAF : u.OTHER + 1] = [array.ctypes.data for array in own]
        control[u.SCORES], control[u.EXPLORE] = scores.ctypes.data, explore.ctypes.data
        control[c.LONGEST] = MAX_PLIES
        self._kept = own, scores
        self._control = control
        self.where = control.ctypes.data

    def begin(self, tree: Tree, search: Search, number: int) -> None:
        """Makes it ready for a search of which it is one of several threads."""
        control = self._control
        control[u.TREE], control[u.NODES] = tree.columns.ctypes.data, tree.states.ctypes.data
        control[u.SHARED], control[u.MEANS] = tree.counters.ctypes.data, tree.means.ctypes.data
        control[u.ROOM], control[u.MOST_NODES] = tree.columns.shape[1], len(tree.states)
        share = _WITHOUT_END if search.games is None else -(-search.games // search.jobs)
        control[c.GAMES] = share
        control[c.SEED] = (search.seed + number * c.MIX_1 + (1 << 63)) % (1 << 64) - (1 << 63)
        control[u.ASKED] = 0 if search.asked is None else tree.entry(search.asked)
        control[u.PROVES] = search.proves
        control[c.COUNT] = control[c.BEGUN] = control[u.FINISHED] = 0

    @property
    def finished(self) -> int:
        """Games that have ended in this search."""
        return int(self._control[u.FINISHED])

    @property
    def leaves(self) -> Words:
        """The entries from which games began that have not ended."""
        return self._leaf[: self._control[c.COUNT]]
