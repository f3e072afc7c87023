"""Jobs, and the order in which those that wait are taken.

Workers are shared fairly: first by the addresses that ask, then by the clients of an address. Next
is always a job of whoever has had least of the workers' time. Who comes new, or has waited for
nothing for a while, counts like the one who is next, so that nobody saves time up and nobody
waits for ever.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator

from advisor.web.limits import MAX_EACH, MAX_WAITING
from advisor.web.models import USUAL, Json

THIS_MACHINE = "this machine"
"""The address of whoever asks from the server's own machine: its owner, or a proxy that tells
nobody's address."""

STANDARD = str([USUAL])
"""The board that every worker knows from the start."""

_SHORT_DEPTH = 8
_SHORT_SECONDS = 0.5
"""Up to which a request is expected to be short: its look-ahead takes some tenths of a second."""

_SHORT_TASKS = ("book", "puzzle", "attempt", "position", "setup")


class BusyError(Exception):
    """Too many jobs are waiting."""


class Job:
    """A piece of work; iterating it yields its answers, the last of which ends it.

    Answers are ``{"progress": ...}``, then one of ``{"result": ...}``, ``{"error": message,
    "code": its kind}`` (an error of None, without a code, is not the client's failure),
    ``{"superseded": True}``.

    Attributes:
        request: with a game, so that it is known what a worker compiles.
        address: where it comes from.
        client: the name that the client goes by there; all who give none share the empty one.
        board: which game and size it is.
        short: it is expected to take well below a second.
        number: under which a worker has it.
        ended: it has been answered.
    """

    def __init__(self, request: Json, client: str | None, address: str) -> None:
        self.request = request
        self.address = address
        self.client = client or ""
        self.board = str(request["game"])
        self.short = _is_short(request)
        self.number: int | None = None
        self.ended = False
        self._answers: asyncio.Queue[Json] = asyncio.Queue()
        self._told = 0
        self._again = 0

    def answer(self, message: Json) -> None:
        """Passes an answer on, unless the job has ended before."""
        if self.ended:
            return
        if "progress" in message:
            self._again += 1
            if self._again <= self._told:
                return  # told before the job began again
            self._told = self._again
        self.ended = "progress" not in message
        self._answers.put_nowait(message)

    def begin_again(self) -> None:
        """It was not short: it will be done by a worker for long ones, from the beginning."""
        self.short = False
        self._again = 0

    async def __aiter__(self) -> AsyncIterator[Json]:
        while True:
            message = await self._answers.get()
            yield message
            if "progress" not in message:
                return


def _is_short(request: Json) -> bool:
    """Whether a job is expected to be short; what is not known, it is as long as its time."""
    if request["task"] in _SHORT_TASKS or request["seconds"] <= _SHORT_SECONDS:
        return True
    depth = request.get("depth")
    return request["task"] == "advise" and depth is not None and depth <= _SHORT_DEPTH


class Waiting:
    """The jobs that wait for a worker."""

    def __init__(self) -> None:
        self._jobs: dict[Job, None] = {}  # in the order in which they came
        self._addresses = _Shares()
        self._clients: defaultdict[str, _Shares] = defaultdict(_Shares)

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def check(self, job: Job, leaving: Job | None) -> None:
        """Whether there is room for one more, if another one leaves.

        Short and long jobs have a queue each, since short ones do not wait for long ones.

        Raises:
            BusyError: too many of its kind are waiting, of all or of its address.
        """
        others = [each for each in self._jobs if each.short == job.short and each is not leaving]
        if len(others) >= MAX_WAITING:
            raise BusyError("too many requests are waiting")
        of_address = sum(each.address == job.address for each in others)
        if job.address != THIS_MACHINE and of_address >= MAX_EACH:
            raise BusyError("too many requests of your address are waiting")

    def add(self, job: Job) -> None:
        """One more."""
        self._jobs[job] = None

    def drop(self, job: Job) -> None:
        """A job that nobody waits for any more, if it still waits for a worker."""
        self._jobs.pop(job, None)

    def take(self, short: bool, fits: Callable[[Job], bool] = lambda _: True) -> Job | None:
        """The next one that fits; if ``short`` of those alone that are expected to be."""
        fitting = [job for job in self._jobs if (job.short or not short) and fits(job)]
        if not fitting:
            return None
        addresses = {job.address for job in self._jobs}
        self._addresses.rise(addresses)
        for address in addresses:
            self._clients[address].rise(job.client for job in self._of(address))
        found = min(fitting, key=self._had)
        self.drop(found)
        return found

    def charge(self, job: Job, seconds: float) -> None:
        """A worker has spent so much time on a job."""
        self._addresses.charge(job.address, seconds)
        if self._of(job.address):
            self._clients[job.address].charge(job.client, seconds)
        else:  # nobody of this address has to wait for another one
            self._clients.pop(job.address, None)

    def _of(self, address: str) -> list[Job]:
        return [job for job in self._jobs if job.address == address]

    def _had(self, job: Job) -> tuple[float, float]:
        return self._addresses.had(job.address), self._clients[job.address].had(job.client)


class _Shares:
    """How much time each of some names has had, or is taken to have had."""

    def __init__(self) -> None:
        self._had: dict[str, float] = {}  # of those who have had more than `_least`
        self._least = 0.0

    def had(self, name: str) -> float:
        return self._had.get(name, self._least)

    def charge(self, name: str, seconds: float) -> None:
        self._had[name] = self.had(name) + seconds

    def rise(self, waiting: Iterable[str]) -> None:
        """Takes everybody to have had as much as who has had least of those that wait."""
        self._least = min(map(self.had, waiting))
        self._had = {name: had for name, had in self._had.items() if had > self._least}
