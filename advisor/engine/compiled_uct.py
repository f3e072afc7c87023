"""Trees of random games by compiled code: the memory that `advisor.engine.uct_kernel` works in."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine import control as c
from advisor.engine.compiled_playouts import side_by_side
from advisor.engine.machine import ControlWords, Machine
from advisor.engine.uct import SLOTS, UctSearch, UctTree, explore
from advisor.engine.uct_control import Trees

UCT = Tiers(Functions("advisor.engine.uct_kernel", ("grow",), "trees of random games"))
"""The code of trees, for all games."""

_TICKS = 8
"""Plies of all slots between two looks at the clock."""

_WITHOUT_END = 1 << 60


class CompiledUct:
    """Lets trees of one game grow; see `advisor.engine.uct.Grower`. Not for two searches at once.

    Args:
        machine: the game; see `side_by_side`.
        library: the code of `UCT`.
    """

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine
        self._grow = library.function("grow", 2)
        self._threads: list[_Thread] = []

    def grow(self, tree: UctTree, search: UctSearch) -> None:
        """See `advisor.engine.uct.Grower`. Each thread plays its share of the games, if they are
        given."""
        while len(self._threads) < search.jobs:
            self._threads.append(_Thread(self._machine))
        threads = self._threads[: search.jobs]
        for number, thread in enumerate(threads):
            thread.begin(tree, search, number)

        def work(thread: _Thread) -> None:
            while not search.over(thread.control.finished) and self._grow(
                thread.control.address, _TICKS
            ):
                pass

        if len(threads) == 1:
            work(threads[0])
        else:
            with ThreadPoolExecutor(len(threads)) as pool:
                list(pool.map(work, threads))
        for thread in threads:
            tree.give_up(thread.leaves)


class _Thread:
    """What one thread has for itself."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine  # whose code is called
        self.control = Trees()
        stride = side_by_side(machine, self.control, SLOTS)
        self._leaf = np.zeros(stride, np.int64)
        self.control.put(
            leaf=self._leaf,
            side=np.zeros(stride, np.int64),
            other=np.zeros(stride, np.int64),
            played=np.zeros((2 * machine.masks, stride), np.int64),
            tried=np.zeros((machine.words + machine.table.shape[1], stride), np.int64),
            tried_looks=np.zeros((machine.look_words, stride), np.int64),
            scores=np.zeros(64 * machine.masks, np.float32),
            explore=explore,
        )

    def begin(self, tree: UctTree, search: UctSearch, number: int) -> None:
        """Makes it ready for a search of which it is one of several threads."""
        self.control.put(
            tree=tree.columns,
            nodes=tree.nodes,
            node_words=tree.nodes.shape[1],
            shared_counters=tree.counters,
            means=tree.means,
            room=tree.columns.shape[1],
            most_nodes=len(tree.nodes),
            games=_WITHOUT_END if search.games is None else -(-search.games // search.jobs),
            seed=search.seed + number * c.MIX_1,
            asked=0 if search.asked is None else tree.entry(search.asked),
            proves=search.proves,
            **dict.fromkeys(("count", "begun", "finished"), 0),
        )

    @property
    def leaves(self) -> ControlWords:
        """The entries from which games began that have not ended."""
        return self._leaf[: self.control.count]
