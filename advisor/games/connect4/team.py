"""Several threads that search for the same answer, each as `compiled_search` does.

They share one table, whose entries are one word each, so that none is ever half written. Whoever is
done first ends the others.
"""

import threading
from contextlib import suppress

from advisor.circuits.functions import Library
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.compiled_search import CompiledSearch, StoppedError
from advisor.limits import POLL, Stop


class Team:
    """Answers questions about positions of one board; what it proves about one serves the next.

    Args:
        geometry, code, table_bytes: see `CompiledSearch`.
        jobs: how many threads.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int, jobs: int) -> None:
        self._searches = [CompiledSearch(geometry, code, table_bytes) for _ in range(jobs)]
        first, *others = self._searches
        first.grow()
        for number, search in enumerate(others, 1):
            search.join(first, number)

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all of them."""
        return sum(search.nodes for search in self._searches)

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `CompiledSearch.bound`.

        Raises:
            StoppedError: it was to stop.
        """
        if stop.is_set():
            raise StoppedError
        found: list[int] = []
        done = Stop()

        def work(search: CompiledSearch) -> None:
            with suppress(StoppedError):
                found.append(search.bound(mover, mask, threats, left, limit, done))
                done.set()

        threads = [threading.Thread(target=work, args=(search,)) for search in self._searches]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(min(POLL, stop.seconds_left))
                    if stop.is_set():
                        done.set()
        finally:
            done.set()
        if not found:
            raise StoppedError
        return found[0]
