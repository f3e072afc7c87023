"""The compiled search as `advisor.engine.search` sees it: what lies below a position.

The code is that of `advisor.engine.kernel`; a `Searcher` runs it, several of them side by side.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine.below import INFINITE, WIN, Chooser, LeafEvaluator, P, Wanted, from_node
from advisor.engine.machine import Machine, Reader
from advisor.engine.searcher import Searcher
from advisor.limits import Stop

KERNEL = Tiers(Functions("advisor.engine.kernel", ("search", "scored"), "the look-ahead"))
"""The code of the search, for all games."""

_REMEMBERED = 1 << 20
"""Positions in the transposition table, of 32 octets each."""


class CompiledTree(Generic[P]):
    """What lies below positions of one game; see `advisor.engine.below.Below`.

    Remembers what it has seen from one search to the next. Not for two threads at once.

    Attributes:
        evaluator: counts the leaves.
    """

    def __init__(
        self, machine: Machine, reader: Reader[P], evaluator: LeafEvaluator[P], library: Library
    ) -> None:
        self.stop, self.jobs = Stop(), 1
        self.nodes = self.guesses = 0
        self.evaluator = evaluator
        self._memory = np.zeros((_REMEMBERED, 4), np.int64)
        self._made_of = machine, reader, library
        self._searchers: list[Searcher[P]] = []
        self._searchers.append(self._searcher(machine, reader, library))

    def _searcher(self, machine: Machine, reader: Reader[P], library: Library) -> Searcher[P]:
        """What one thread needs."""
        return Searcher(machine, reader, library, self._memory)

    @property
    def chooser(self) -> Chooser[P] | None:
        return None

    @property
    def at_once(self) -> int:
        return self._searchers[0].at_once

    def value(self, position: P, depth: int, alpha: int, beta: int, ply: int) -> int:
        """See `Below`.

        Raises:
            StoppedError: it was to stop.
        """
        if depth <= self.at_once:
            return self.values([position], depth, ply)[0]
        result = position.result()
        if result is not None:
            return from_node(result * WIN, ply)
        low, high = from_node(alpha, -ply), from_node(beta, -ply)
        try:
            found = self._searchers[0].value(position, depth, low, high, self.stop)
        finally:
            self._count()
        return from_node(found, ply)

    def values(
        self, positions: Sequence[P], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        """See `Below`. They are exact, whatever is wanted."""
        results = [position.result() for position in positions]
        going = [p for p, result in zip(positions, results, strict=True) if result is None]
        try:
            if plies <= self.at_once:
                found = self._searchers[0].values(going, plies, self.stop)
            else:
                found = self._side_by_side(going, plies)
        finally:
            self._count()
        scores = iter(found)
        return [
            from_node(next(scores) if result is None else result * WIN, ply) for result in results
        ]

    def forget(self) -> None:
        """As if nothing had been searched yet."""
        self._memory[:] = 0
        for searcher in self._searchers:
            searcher.forget()

    def _side_by_side(self, positions: Sequence[P], plies: int) -> list[int]:
        """As many at a time as there are jobs, each by one thread."""
        machine, reader, library = self._made_of
        threads = min(self.jobs, len(positions))
        while len(self._searchers) < threads:
            self._searchers.append(self._searcher(machine, reader, library))
        found = [0] * len(positions)
        waiting = iter(range(len(positions)))

        def work(searcher: Searcher[P]) -> None:
            for number in waiting:  # the same for all threads
                position = positions[number]
                found[number] = searcher.value(position, plies, -INFINITE, INFINITE, self.stop)

        if threads <= 1:
            work(self._searchers[0])
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, self._searchers[:threads]))
        return found

    def _count(self) -> None:
        """Adds up what the code has counted."""
        for searcher in self._searchers:
            nodes, leaves, guesses, added = searcher.counts()
            self.nodes += nodes
            self.guesses += guesses
            self.evaluator.leaves += leaves
            self.evaluator.guesses += guesses
            self.evaluator.added += added
