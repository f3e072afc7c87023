"""Random games, and trees of them, as compiled code, as `playouts` and `uct` use it.

The code is in `playout_kernel` and `uct_kernel`; this module owns the memory in which it works.
"""

import numpy as np

from advisor.engine import control as c
from advisor.engine.machine import PAD, WITHOUT_END, ControlWords, Machine, columns, side_by_side
from advisor.engine.nodes import Rows
from advisor.engine.playouts import MAX_PLIES, Playouts
from advisor.engine.uct import SLOTS, UctSearch, UctTree, explore
from advisor.engine.uct_control import Trees
from aspcircuits.functions import Functions
from aspcircuits.llvm import Library
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers

PLAYOUTS = Tiers(Functions("advisor.engine.playout_kernel", ("play",), "random games"))
UCT = Tiers(Functions("advisor.engine.uct_kernel", ("grow",), "trees of random games"))
"""The code of random games and of trees, shared by all games."""

_SLOTS = 1024
"""Random games that are played side by side."""

_PLIES, _TICKS = 16, 8
"""Plies of all slots between two looks at the clock, without a tree and with one.

They take some milliseconds for large games.
"""

_UNFINISHED = 2


def _begin(machine: Machine, control: c.PlayoutWords, slots: int) -> int:
    """Fill in the description of a game and allocate room for its slots; return the column stride.

    States share no word: each one is complete by itself.
    """
    machine.tell(control)
    stride = machine.whole_blocks(slots) + PAD
    of_slots = "owner", "age", "left", "nth", "bits", "move", "over"
    control.set_words(
        slots=slots,
        stride=stride,
        states=columns(machine.words + machine.table.shape[1], stride),
        looks=columns(machine.look_words, stride),
        earlier=columns(machine.masks, stride),
        longest=MAX_PLIES,
        **{name: columns(1, stride) for name in of_slots},
    )
    return stride


class CompiledPlayouts:
    """Random games of one game whose states share no word. Not thread-safe."""

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine  # owns the code that is called
        self._play = library.function("play", 2)
        self._control = c.PlayoutWords()
        _begin(machine, self._control, machine.whole_blocks(_SLOTS))

    def play_out(self, rows: Rows, seed: int, stop: Stop) -> Playouts:
        """Play a random game from each state; see `advisor.engine.playouts.play_out`."""
        results = np.full(len(rows), _UNFINISHED, np.int64)
        self._control.set_words(
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


class CompiledUct:
    """Grower of trees of one game whose states share no word; see `advisor.engine.uct.Grower`.

    Not for two searches at once.
    """

    def __init__(self, machine: Machine, library: Library) -> None:
        self._machine = machine
        self._grow = library.function("grow", 2)
        self._threads: list[_Slots] = []

    def grow(self, tree: UctTree, search: UctSearch) -> None:
        """Grow a tree; if the number of games is given, each thread plays its share of it."""
        while len(self._threads) < search.jobs:
            self._threads.append(_Slots(self._machine))
        threads = self._threads[: search.jobs]
        for number, thread in enumerate(threads):
            thread.begin(tree, search, number)

        def work(thread: _Slots) -> None:
            control = thread.control
            while not search.should_stop(control.finished) and self._grow(control.address, _TICKS):
                pass

        side_by_side(work, threads)
        for thread in threads:
            tree.give_up(thread.leaves)


class _Slots:
    """Memory of one thread."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine  # owns the code that is called
        self.control = Trees()
        stride = _begin(machine, self.control, SLOTS)
        self.control.set_words(
            leaf=columns(1, stride),
            side=columns(1, stride),
            other=columns(1, stride),
            played=columns(2 * machine.masks, stride),
            tried=columns(machine.words + machine.table.shape[1], stride),
            tried_looks=columns(machine.look_words, stride),
            scores=np.zeros(64 * machine.masks, np.float32),
            explore=explore,
        )

    def begin(self, tree: UctTree, search: UctSearch, number: int) -> None:
        """Prepare for a search, as thread `number` of several."""
        self.control.set_words(
            tree=tree.columns,
            nodes=tree.nodes,
            node_words=tree.nodes.shape[1],
            shared_counters=tree.counters,
            means=tree.means,
            room=tree.columns.shape[1],
            most_nodes=len(tree.nodes),
            games=WITHOUT_END if search.games is None else -(-search.games // search.jobs),
            seed=search.seed + number * c.MIX_1,
            asked=0 if search.asked is None else tree.entry(search.asked),
            proves=search.proves,
            **dict.fromkeys(("count", "begun", "finished"), 0),
        )

    @property
    def leaves(self) -> ControlWords:
        """The entries from which unfinished games began."""
        found: ControlWords = self.control.array("leaf")[0, : self.control.count]
        return found
