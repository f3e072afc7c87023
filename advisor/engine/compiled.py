"""The compiled search below a position, as `advisor.engine.search` uses it.

The code is in `advisor.engine.kernel`. This module owns the memory in which it works: it describes
the game, copies positions in and values out, and signals when to stop.
"""

import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Generic

import numpy as np

from advisor.engine import control as c
from advisor.engine.machine import (
    PAD,
    SPACE,
    WITHOUT_END,
    ControlWords,
    Machine,
    Reader,
    Space,
    columns,
    side_by_side,
)
from advisor.engine.nodes import (
    INFINITE,
    Chooser,
    LeafEvaluator,
    P,
    StoppedError,
    Wanted,
    from_node,
    plies_within,
    with_results,
)
from advisor.engine.recurrences import Recurrences
from aspcircuits.functions import Functions
from aspcircuits.layout import several
from aspcircuits.llvm import Library
from aspcircuits.stopping import POLL, Stop
from aspcircuits.tiers import Tiers

KERNEL = Tiers(Functions("advisor.engine.kernel", ("search", "score_states"), "the look-ahead"))
"""The code of the search, shared by all games."""

DEEPEST = 120
"""Greatest depth of a search, in plies; a deeper one is interrupted."""

_MOMENT = 0.001
"""Seconds by which the end of the time may be noticed late."""

_LEAVES_OF_ONE = 512
"""Most leaves, about, for which the last plies below one position become one batch."""

_BATCHES = (512, 512), (1, 2048)
"""Leaves, about, of a node's first batch and of later ones; batches of one ply and of several.

One ply: a full block costs no more than a few states. Several plies: the most promising child
alone often causes a cutoff.
"""

_FEW = 350
"""Leaves, about, of a batch with a few likely replies to each child of a node.

Fewer than fill a block, since the other costs of a block grow with them.
"""

_ORDERED = 3
"""Least depth at which children are ordered by their static values, if batches have one ply."""

_AT_FIRST = 128
"""Nodes that are searched without a look at the clock: a few milliseconds."""

_OF_PLY = "values", "move", "order", "rank", "first_child", "children", "owner"
_OF_LEVEL = "values", "parent", "copy", "low", "high", "start", "end"
"""Columns for each state of a ply, and for each state of a level of a batch, besides the state."""


class Thread(Generic[P]):
    """Common part of the compiled searches of one game. Not thread-safe.

    The games of the positions are not over. Values are from the view of the side to move in the
    position; forced values count plies from the position.

    Args:
        search: the code, called with the address of its memory, a depth and bounds.
        memory: shape (a power of two, 4), the transposition table; several searchers may share it.
        control: the words of memory that the code reads and writes.
    """

    _first_state: ControlWords
    _unwatched = 0
    """Nodes that a search first visits without a look at the clock."""

    def __init__(
        self,
        machine: Machine,
        reader: Reader[P],
        search: Callable[..., int],
        memory: ControlWords,
        control: c.SearchWords,
    ) -> None:
        self.machine, self._reader, self._search = machine, reader, search
        self._control = control
        self._again: tuple[frozenset[bytes], frozenset[bytes]] | None = None
        machine.tell(control)
        control.set_words(
            noisy_plies=machine.noisy_plies,
            kept=~machine.counters,
            results=np.array([value for value, _ in machine.results], np.int64),
            certain=_certain(machine.results),
            memory=memory,
            memory_mask=len(memory) - 1,
        )

    def value(self, position: P, depth: int, alpha: int, beta: int, stop: Stop) -> int:
        """Return the fail-soft alpha-beta value; at full width, for depths beyond a batch.

        Raises:
            StoppedError: `stop` is set, or there is no room.
        """
        if depth > DEEPEST:
            raise StoppedError
        control = self._control
        arguments = control.address, depth, alpha, beta
        budget = self._unwatched or WITHOUT_END
        while True:
            self._set_positions([position], self._first_state)
            control.stop, control.budget = stop.is_set(), budget
            watched = budget == WITHOUT_END
            value = self._search_watched(stop, *arguments) if watched else self._search(*arguments)
            self._handle_end(position)
            if control.ended == 0:
                return value
            if control.ended == c.STOPPED:
                raise StoppedError
            if control.ended == c.SPENT:
                budget = WITHOUT_END
            else:
                self._make_room()

    def counts(self) -> tuple[int, int, int, int]:
        """Return nodes, leaves, heuristic values and added states, counted since the last call."""
        control = self._control
        found = control.nodes, control.leaves, control.guesses, control.added
        control.nodes = control.leaves = control.guesses = control.added = 0
        return found

    def _handle_end(self, position: P) -> None:
        """Handle the end of a run of the code, with or without a value."""

    def _make_room(self) -> None:
        """Enlarge the memory, or need less of it; raise StoppedError if neither is possible."""
        raise NotImplementedError

    def _set_positions(self, positions: Sequence[P], states: ControlWords) -> None:
        """Make these positions, all at the same ply, the ones to search."""
        for i, position in enumerate(positions):
            for column, word in zip(states, self._reader.state(position), strict=True):
                column[i] = word
        self._control.turn = self._reader.second(positions[0])
        self._draw_again(self._reader.recurrences(positions[0]))

    def _draw_again(self, recurrences: Recurrences | None) -> None:
        """Give the code the states that are a draw, and the salt that they add to its keys."""
        pair = (recurrences.here, recurrences.there) if recurrences else (frozenset(), frozenset())
        if pair == self._again:
            return
        self._again = pair
        words = ([np.frombuffer(state, np.int64) for state in states] for states in pair)
        self._drawn = [np.array(sorted(each, key=lambda state: int(state[0]))) for each in words]
        self._control.set_words(
            drawn=np.array([states.ctypes.data for states in self._drawn]),
            drawn_count=np.array([len(states) for states in self._drawn]),
            salt=np.array([_salt(*pair), _salt(*pair[::-1])], np.int64),
        )

    def _search_watched(self, stop: Stop, *arguments: int) -> int:
        """Run the code in another thread, while this one watches for the stop."""
        found: list[int] = []
        thread = threading.Thread(target=lambda: found.append(self._search(*arguments)))
        thread.start()
        try:
            while thread.is_alive():
                thread.join(min(POLL, stop.seconds_left + _MOMENT))
                if stop.is_set():
                    self._control.stop = 1
        finally:
            self._control.stop = 1
            thread.join()
        return found[0]


class Searcher(Thread[P]):
    """Full-width look-ahead from positions of one game; see `Thread`.

    Attributes:
        at_once: plies of a batch; `value` looks further ahead. It shrinks when a batch has taken
            more room than is allowed.
    """

    _control: c.FullWidth
    _unwatched = _AT_FIRST

    def __init__(
        self,
        machine: Machine,
        reader: Reader[P],
        library: Library,
        memory: ControlWords,
        space: Space,
    ) -> None:
        super().__init__(machine, reader, library.function("search", 4), memory, c.FullWidth())
        self._score_states = library.function("score_states", 2)
        self._history, self._refuting, likely, rank = columns(4, machine.moves)
        self._answers = np.full(machine.moves + 1, -1, np.int64)
        self._room, self._most, self._limit = space.children, space.level, space.most
        several_plies = 0 if machine.noisy_plies else _LEAVES_OF_ONE
        self.at_once = plies_within(machine.branching, several_plies)
        self._control.set_words(
            candidates_from=machine.candidates,
            history=self._history,
            refuting=self._refuting,
            answers=self._answers,
            likely=likely,
            likely_rank=rank,
        )
        self._lay_out()

    def forget(self) -> None:
        """Forget all earlier searches, except for the table."""
        self._history[:] = 0
        self._refuting[:] = 0
        self._answers[:] = -1

    def values(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        """Return exact values of positions at the same ply, at most the plies of a batch ahead.

        Raises:
            StoppedError: `stop` is set, or there is no room.
        """
        found: list[int] = []
        size = max(1, self._most // (4 * self.machine.branching**plies))
        for start in range(0, len(positions), size):
            found += self._batch(positions[start : start + size], plies, stop)
        return found

    def _batch(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        while plies <= self.at_once:
            if stop.is_set():
                raise StoppedError
            level = self._first_level
            self._set_positions(positions, level.array("states"))
            level.count = len(positions)
            self._score_states(self._control.address, plies)
            if self._control.ended == 0:
                values: list[int] = level.array("values")[0, : len(positions)].tolist()
                return values
            if len(positions) > 1 and 2 * self._most > self._limit:
                half = len(positions) // 2
                parts = positions[:half], positions[half:]
                return [value for part in parts for value in self._batch(part, plies, stop)]
            self._make_room()
        return [self.value(p, plies, -INFINITE, INFINITE, stop) for p in positions]

    def _make_room(self) -> None:
        more_children = self._room < self.machine.moves
        if more_children:
            self._room *= 2
        if 2 * self._most <= self._limit:
            self._most *= 2
        elif self.at_once > 1:
            self.at_once -= 1
        elif not more_children:
            raise StoppedError
        self._lay_out()

    def _lay_out(self) -> None:
        """Allocate the memory; the table and the move statistics stay."""
        machine = self.machine
        into = machine.words + machine.table.shape[1]
        one_ply = self.at_once == 1
        first, target = (min(leaves, self._most // 2) for leaves in _BATCHES[not one_ply])
        room = machine.whole_blocks(self._room)
        # A batch begins with children that were made together.
        long = machine.whole_blocks(max(self._most, room) + 1) + PAD
        stride = room + PAD

        def allocate(length: int, names: Sequence[str]) -> dict[str, ControlWords]:
            states, looks = columns(machine.words, length), columns(machine.most_looks, length)
            return {"states": states, "looks": looks} | {x: columns(1, length) for x in names}

        plies = several(c.Ply, DEEPEST + 2)
        for ply in plies:
            ply.set_words(**allocate(stride, _OF_PLY), killer=-1)
        levels = several(c.Level, self.at_once + 1 + machine.noisy_plies + 1)
        for level in levels:
            level.set_words(**allocate(long, _OF_LEVEL))
        plies[0].array("move")[0, 0] = machine.moves  # no known move has led there
        self._first_state, self._first_level = plies[0].array("states"), levels[0]
        buckets = 1 << (2 * self._most - 1).bit_length()
        self._control.set_words(
            few=min(_FEW, self._most // 4) if one_ply and not machine.noisy_plies else 0,
            at_once=self.at_once,
            first=first,
            target=target,
            ordered=_ORDERED if one_ply else DEEPEST,
            # If batches have several plies, one child's leaves already fill a block.
            together=3 if one_ply else 0,
            room=room,
            stride=stride,
            most=self._most,
            long=long,
            plies=plies,
            levels=levels,
            step_in=columns(into, stride),
            long_step_in=columns(into, long),
            buckets=columns(2, buckets),
            buckets_mask=buckets - 1,
        )


class CompiledTree(Generic[P]):
    """Compiled search below positions of one game; see `advisor.engine.nodes.Below`.

    Remembers positions from one search to the next. Not thread-safe.

    Attributes:
        evaluator: counts the leaves.
    """

    def __init__(
        self,
        machine: Machine,
        reader: Reader[P],
        evaluator: LeafEvaluator[P],
        library: Library,
        space: Space = SPACE,
    ) -> None:
        self.stop, self.jobs = Stop(), 1
        self.nodes = self.guesses = 0
        self.evaluator = evaluator
        self._memory = np.zeros((space.remembered, 4), np.int64)
        self._made_of = machine, reader, library, self._memory, space
        self._searchers = [self._searcher()]

    def _searcher(self) -> Searcher[P]:
        """Return a searcher for one thread."""
        return Searcher(*self._made_of)

    @property
    def chooser(self) -> Chooser[P] | None:
        return None

    @property
    def at_once(self) -> int:
        return self._searchers[0].at_once

    def value(self, position: P, depth: int, alpha: int, beta: int, ply: int) -> int:
        """See `Below`.

        Raises:
            StoppedError: `stop` is set, or there is no room.
        """
        if depth <= self.at_once:
            return self.values([position], depth, ply)[0]
        low, high = from_node(alpha, -ply), from_node(beta, -ply)

        def search(going: Sequence[P]) -> list[int]:
            return [self._searchers[0].value(p, depth, low, high, self.stop) for p in going]

        return self._search_and_count([position], ply, search)[0]

    def values(
        self, positions: Sequence[P], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        """See `Below`. The values are exact, whatever `wanted` is."""

        def search(going: Sequence[P]) -> list[int]:
            if plies <= self.at_once:
                return self._searchers[0].values(going, plies, self.stop)
            return self._side_by_side(going, plies)

        return self._search_and_count(positions, ply, search)

    def forget(self) -> None:
        """Forget all earlier searches."""
        self._memory[:] = 0
        for searcher in self._searchers:
            searcher.forget()

    def _side_by_side(self, positions: Sequence[P], plies: int) -> list[int]:
        """Search positions in parallel, each in one thread, as many at a time as there are jobs."""
        threads = max(1, min(self.jobs, len(positions)))
        while len(self._searchers) < threads:
            self._searchers.append(self._searcher())
        found = [0] * len(positions)
        waiting = iter(range(len(positions)))

        def work(searcher: Searcher[P]) -> None:
            for number in waiting:  # all threads share this iterator
                position = positions[number]
                found[number] = searcher.value(position, plies, -INFINITE, INFINITE, self.stop)

        side_by_side(work, self._searchers[:threads])
        return found

    def _search_and_count(
        self, positions: Sequence[P], ply: int, search: Callable[[Sequence[P]], list[int]]
    ) -> list[int]:
        """Run `with_results`, then add up the counts of the code."""
        try:
            return with_results(positions, ply, search)
        finally:
            self._count()

    def _count(self) -> None:
        for searcher in self._searchers:
            nodes, leaves, guesses, added = searcher.counts()
            self.nodes += nodes
            self.guesses += guesses
            self.evaluator.leaves += leaves
            self.evaluator.guesses += guesses
            self.evaluator.added += added


def _certain(results: Sequence[tuple[int, int]]) -> ControlWords:
    """Return, for each depth, the bits of the results that are at most that many plies away."""
    plies, bits = np.array([plies for _, plies in results]), 1 << np.arange(len(results))
    found: ControlWords = np.where(plies <= np.arange(DEEPEST + 1)[:, None], bits, 0).sum(1)
    return found


def _salt(here: frozenset[bytes], there: frozenset[bytes]) -> int:
    """Return a word that identifies these sets of states; 0 for no states."""
    if not here and not there:
        return 0
    told = b"".join(sorted(here)) + b"".join(sorted(there)) + len(here).to_bytes(8, "little")
    return int.from_bytes(sha256(told).digest()[:8], "little", signed=True)
