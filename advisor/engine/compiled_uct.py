"""Trees of random games by compiled code: the memory that `advisor.engine.uct_kernel` works in."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from advisor.asp.functions import Functions, Library
from advisor.asp.tiers import Tiers
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
        wheres = [thread.begin(tree, search, i) for i, thread in enumerate(threads)]

        def work(where: int) -> None:
            while not search.stop.is_set() and self._grow(where, _TICKS):
                pass

        if len(wheres) == 1:
            work(wheres[0])
        else:
            with ThreadPoolExecutor(len(wheres)) as pool:
                list(pool.map(work, wheres))
        for thread in threads:
            tree.give_up(thread.leaves)


class _Thread:
    """What one thread has for itself."""

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

    def begin(self, tree: Tree, search: Search, number: int) -> int:
        """Where its memory lies, ready for a search of which it is one of several threads."""
        control = self._control
        arrays = tree.columns, tree.states, tree.counters, tree.means
        names = u.TREE, u.NODES, u.SHARED, u.MEANS
        for name, array in zip(names, arrays, strict=True):
            control[name] = array.ctypes.data
        control[u.ROOM], control[u.MOST_NODES] = tree.columns.shape[1], len(tree.states)
        share = _WITHOUT_END if search.games is None else -(-search.games // search.jobs)
        control[c.GAMES] = share
        control[c.SEED] = (search.seed + number * c.MIX_1 + (1 << 63)) % (1 << 64) - (1 << 63)
        control[u.ASKED], control[u.PROVES] = search.asked, search.proves
        control[c.COUNT] = control[c.BEGUN] = control[u.FINISHED] = 0
        return control.ctypes.data

    @property
    def leaves(self) -> Words:
        """The entries from which games began that have not ended."""
        return self._leaf[: self._control[c.COUNT]]
