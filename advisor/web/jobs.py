"""Jobs, and the order in which waiting jobs are taken.

Workers are shared fairly: first between addresses, then between the clients of an address. The next
job always belongs to the address and client with the least worker time. A new client, or one that
has not waited for a while, counts like the next in line. So no client can save up time, and none
waits for ever.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator

from advisor.web.limits import MAX_EACH, MAX_WAITING
from advisor.web.models import USUAL, Json

THIS_MACHINE = "this machine"
"""The address of requests from the server's own machine.

They come from its owner, or from a proxy that hides its clients' addresses.
"""

STANDARD = str([USUAL])
"""The board that every worker compiles at its start."""

_SHORT_DEPTH = 8
_SHORT_SECONDS = 0.5
"""Seconds of look-ahead up to which a request is expected to be short."""

_SHORT_TASKS = ("book", "puzzle", "attempt", "position", "setup", "tree", "record")


class BusyError(Exception):
    """Raised if too many jobs are waiting."""


def is_last(answer: Json) -> bool:
    """Return whether an answer ends its job."""
    return not answer.keys() & {"progress", "note"}


class Job:
    """One piece of work; iterating it yields its answers, the last of which ends it.

    Answers are ``{"progress": ...}`` and ``{"note": text}``, then one of ``{"result": ...}``,
    ``{"error": message, "code": its kind}`` (an error of None, without a code, is not the
    client's fault), ``{"superseded": True}``.

    Attributes:
        request: the task and its arguments; its game says what a worker must compile.
        address: where the request comes from.
        client: name of the client at that address; empty if it gave none.
        board: game and board size.
        short: whether the job is expected to take well below a second.
        background: whether it starts after all others, and ends once another one waits.
        number: number of the job in its worker.
        ended: whether the last answer has been given.
        note: the last note of the worker; empty if there is none.
    """

    def __init__(self, request: Json, client: str | None, address: str) -> None:
        self.request = request
        self.address = address
        self.client = client or ""
        self.board = str(request["game"])
        self.background = bool(request.get("background"))
        self.short = not self.background and _is_short(request)
        self.number: int | None = None
        self.ended = False
        self.note = ""
        self._answers: asyncio.Queue[Json] = asyncio.Queue()
        self._told = 0
        self._again = 0

    def answer(self, message: Json) -> None:
        """Pass on an answer, unless the job has already ended."""
        if self.ended:
            return
        if "progress" in message:
            self._again += 1
            if self._again <= self._told:
                return  # passed on before the job started again
            self._told = self._again
        self.note = message.get("note", self.note)
        self.ended = is_last(message)
        self._answers.put_nowait(message)

    def begin_again(self) -> None:
        """Mark the job as long, so that another worker starts it again."""
        self.short = False
        self._again = 0

    async def __aiter__(self) -> AsyncIterator[Json]:
        while True:
            message = await self._answers.get()
            yield message
            if is_last(message):
                return


def _is_short(request: Json) -> bool:
    """Whether a job is expected to be short: by its task, its time or its depth."""
    if request["task"] in _SHORT_TASKS or request["seconds"] <= _SHORT_SECONDS:
        return True
    depth = request.get("depth")
    return request["task"] == "advise" and depth is not None and depth <= _SHORT_DEPTH


class Waiting:
    """The jobs that wait for a worker."""

    def __init__(self) -> None:
        self._jobs: dict[Job, None] = {}  # in order of arrival
        self._addresses = _Shares()
        self._clients: defaultdict[str, _Shares] = defaultdict(_Shares)

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def check(self, job: Job, leaving: Job | None) -> None:
        """Check that there is room for one more job, after another one has left.

        Short and long jobs have separate queues, so that short ones never wait for long ones.

        Raises:
            BusyError: too many jobs of its kind are waiting, in all or from its address.
        """
        others = [each for each in self._jobs if each.short == job.short and each is not leaving]
        if len(others) >= MAX_WAITING:
            raise BusyError("too many requests are waiting")
        of_address = sum(each.address == job.address for each in others)
        if job.address != THIS_MACHINE and of_address >= MAX_EACH:
            raise BusyError("too many requests from your address are waiting")

    def add(self, job: Job) -> None:
        """Add a job."""
        self._jobs[job] = None

    def drop(self, job: Job) -> None:
        """Remove a job, if it still waits."""
        self._jobs.pop(job, None)

    def take(self, short: bool, fits: Callable[[Job], bool] = lambda _: True) -> Job | None:
        """Take the next job that fits; with `short`, only jobs that are expected to be short."""
        fitting = [job for job in self._jobs if (job.short or not short) and fits(job)]
        if not fitting:
            return None
        addresses = {job.address for job in self._jobs}
        self._addresses.rise(addresses)
        for address in addresses:
            self._clients[address].rise(job.client for job in self._of(address))
        found = min(fitting, key=lambda job: (job.background, self._had(job)))
        self.drop(found)
        return found

    def charge(self, job: Job, seconds: float) -> None:
        """Charge the time that a worker has spent on a job to its client and address."""
        self._addresses.charge(job.address, seconds)
        if self._of(job.address):
            self._clients[job.address].charge(job.client, seconds)
        else:  # no other job of this address waits
            self._clients.pop(job.address, None)

    def _of(self, address: str) -> list[Job]:
        return [job for job in self._jobs if job.address == address]

    def _had(self, job: Job) -> tuple[float, float]:
        return self._addresses.had(job.address), self._clients[job.address].had(job.client)


class _Shares:
    """Worker time per name; names that have not waited for a while count as having had `_least`."""

    def __init__(self) -> None:
        self._had: dict[str, float] = {}  # only names above `_least`
        self._least = 0.0

    def had(self, name: str) -> float:
        return self._had.get(name, self._least)

    def charge(self, name: str, seconds: float) -> None:
        self._had[name] = self.had(name) + seconds

    def rise(self, waiting: Iterable[str]) -> None:
        """Raise every name's time to at least the minimum among the waiting names."""
        self._least = min(map(self.had, waiting))
        self._had = {name: had for name, had in self._had.items() if had > self._least}
