"""CheckQueue to be checked: a few at a time, fair to addresses, and one for each student."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from advisor.web.jobs import BusyError


class CheckQueue:
    """Gives turns to those who wait, for one event loop.

    The next turn goes to the address that has the fewest at the moment, then to whoever came
    first. Behind one address may be a whole class or one attacker, so each student waits only once
    and no address waits with all the others behind it.

    Args:
        beside: turns at a time.
        most: students who wait or have a turn, in all.
        of_address: the same, of one address.
    """

    def __init__(self, beside: int, most: int, of_address: int) -> None:
        self._free, self._most, self._of_address = beside, most, of_address
        self._waiting: deque[tuple[str, str, asyncio.Future[None]]] = deque()
        self._here: dict[str, str] = {}  # addresses of all students who wait or have a turn
        self._running = Counter[str]()  # by address

    def has(self, student: str) -> bool:
        """Return whether a student waits or has a turn."""
        return student in self._here

    def ahead_of(self, student: str) -> int:
        """Return how many came earlier than a student who waits; 0 if the student does not."""
        names = [name for name, *_ in self._waiting]
        return names.index(student) if student in names else 0

    @property
    def count(self) -> int:
        """Number of students who wait or have a turn."""
        return len(self._here)

    @asynccontextmanager
    async def turn(self, student: str, address: str, *, trusted: bool) -> AsyncIterator[None]:
        """Wait for a turn, and keep it.

        Args:
            student: any text; the same student waits only once.
            address: of the client.
            trusted: whether the address may wait as often as it likes.

        Raises:
            BusyError: the student waits already, or too many others do.
        """
        if student in self._here:
            raise BusyError("your last strategy is still being checked")
        if len(self._here) >= self._most:
            raise BusyError("too many strategies wait to be checked")
        if not trusted and [*self._here.values()].count(address) >= self._of_address:
            raise BusyError("too many strategies of your address wait to be checked")
        self._here[student] = address
        try:
            await self._wait(student, address)
            try:
                yield
            finally:
                self._free += 1
                self._running[address] -= 1
                self._serve()
        finally:
            del self._here[student]

    async def _wait(self, student: str, address: str) -> None:
        ready = asyncio.get_running_loop().create_future()
        entry = (student, address, ready)
        self._waiting.append(entry)
        self._serve()
        try:
            await ready
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
            else:  # the turn has come meanwhile
                self._free += 1
                self._running[address] -= 1
                self._serve()
            raise

    def _serve(self) -> None:
        while self._free and self._waiting:
            entry = min(self._waiting, key=lambda each: self._running[each[1]])
            self._waiting.remove(entry)
            self._free -= 1
            self._running[entry[1]] += 1
            entry[2].set_result(None)
