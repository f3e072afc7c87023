"""Worker processes behind a queue: look-aheads never run in the server's own process.

Every client has one job at a time; its newer one supersedes the older, waiting or running. Besides
the workers for all jobs there is one for short jobs alone, which therefore never wait for long
ones. A job that turns out long there is begun again by another worker.
"""

import asyncio
import json
import logging
import os
import signal
import time
from typing import Any

from advisor.web.jobs import STANDARD, Job, Waiting
from advisor.web.limits import MAX_MAKING, MAX_PROVED, TOO_LARGE
from advisor.web.models import Json
from aspcircuits.child import command

_SHORT = 1.0
"""Seconds after which a job is no short one."""

_SHORT_MAKING = 4.0
"""The same for the first job of a game or a size of board, which compiles it. Chess takes two."""

_SLOW = 600.0
"""Seconds for which no short job is tried of a board or a game that has taken longer."""

_LAST_WORD = 5.0
"""Seconds until a worker that is told to end a job, which takes it a tenth of one, is replaced."""

_LAST_WORD_SHORT = 0.5
"""The same where short jobs wait."""

_PAUSE = 1.0
"""Seconds until a worker that did not start is started again."""

_NICE, _NICE_SHORT = 10, 5
"""Of the workers: the server answers first, then short jobs, however many look-aheads run."""

_BOARDS_A_WORKER = 8
"""A worker keeps what it compiles for each game and size of board. One of them takes more, and is
replaced then."""

_BOARDS_SHORT = 24
"""The same for what was compiled in a short time, and is small."""

_LINE = 1 << 24
"""Bytes of an answer: a batch of the largest boards has a third of that."""

_BY_WORK = ("review", "export")
"""Tasks whose time is processor time, which their worker counts; here they only have to go on."""

_SLOWED = 2
"""How many times as long work may take beside other work, from one sign of progress to the next."""

STOPPED = "stopped"
"""The code of the error that ends the jobs of a server which stops."""

_STOPPED = "the server has been stopped"

_TOO_LONG = (
    f"the board or the game is too large here: more than {MAX_MAKING} s beside the time of the "
    "request (choose a smaller one; the command line has no such limit)"
)

_BUSY = "the server is too busy to go on (try again later)"


class _Process:
    """One worker process, from start to end."""

    def __init__(self, process: asyncio.subprocess.Process, short: bool) -> None:
        self._process = process
        self.short = short
        self.boards = {STANDARD}  # those that it has compiled
        self._most = _BOARDS_SHORT if short else _BOARDS_A_WORKER
        self.proved = 0  # how many things were proved when it was last told of them

    def has_room(self, board: str) -> bool:
        """Whether it may compile another board."""
        return len(self.boards | {board}) <= self._most

    @classmethod
    async def start(cls, short: bool) -> "_Process":
        """Starts one, for short jobs alone or not, and waits until it has compiled the standard
        board; an EOFError, OSError or ValueError if it does not start."""
        process = await asyncio.create_subprocess_exec(
            *command("advisor.web.worker"),
            str(_NICE_SHORT if short else _NICE),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            process_group=0,  # Ctrl-C is for the server alone, which then ends its workers
        )
        found = cls(process, short)
        try:
            await found.receive()
        except BaseException:
            await found.end()
            raise
        return found

    def send(self, message: Json) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def receive(self) -> Json:
        """The next line; an EOFError if there is none, a ValueError if it cannot be read."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError
        message: Json = json.loads(line)
        return message

    async def answer(self, number: int | None) -> Json:
        """The next answer to a job; what comes late to an earlier one is nobody's."""
        while True:
            message = await self.receive()
            if message.pop("job") == number:
                return message

    async def leaves(self, number: int) -> bool:
        """Makes it leave a job; whether it does so in time."""
        self.send({"cancel": number})
        try:
            async with asyncio.timeout(_LAST_WORD_SHORT):
                while "progress" in await self.answer(number):
                    pass
        except TimeoutError:
            return False
        return True

    async def out_of_memory(self) -> bool:
        """Whether it has died of that, as far as can be told: C++ aborts, Python says so."""
        return await self._process.wait() == -signal.SIGABRT

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class WorkerPool:
    """The worker processes and the jobs that wait for one."""

    def __init__(self, size: int | None = None) -> None:
        """With one worker to a processor, at most four, and one for short jobs."""
        self.size = size or min(4, os.cpu_count() or 1)
        self.failed = False  # not even the first worker has started
        self._waiting = Waiting()
        self._came = asyncio.Event()
        self._latest: dict[tuple[str, str], Job] = {}  # of each client of each address
        self._running: dict[Job, tuple[_Process, asyncio.Timeout]] = {}
        self._slow: dict[str, float] = {}  # boards, each with the time until which it is so
        self._tasks: list[asyncio.Task[None]] = []
        self._count = 0
        self._proved: dict[str, Any] = {}  # by position, what reviews have proved of its moves
        self._proofs = 0  # how many came

    async def start(self) -> None:
        """Starts the workers; requests that come meanwhile wait, and a page can be loaded."""
        self._tasks = [asyncio.create_task(self._begin())]

    def dismiss(self) -> None:
        """Answers every job that the server ends, so that nobody waits for it."""
        for job in (*self._waiting, *self._running):
            job.answer({"error": _STOPPED, "code": STOPPED})

    async def stop(self) -> None:
        """Ends the workers, whatever they are at."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def load(self) -> Json:
        """How many workers there are, how many of them work, and how many jobs wait."""
        return {
            "workers": self.size + 1,
            "busy": len(self._running),
            "waiting": len(self._waiting),
        }

    def submit(self, request: Json, client: str | None, address: str) -> Job:
        """Queues a job; an older one of the same client ends as superseded.

        Args:
            request: the job's task and what belongs to it.
            client: a name, which counts for one address only.

        Raises:
            BusyError: too many of its kind are waiting, of all or of this address.
        """
        job = Job(request, client, address)
        now = time.monotonic()
        self._slow = {board: until for board, until in self._slow.items() if until > now}
        if job.board in self._slow:
            job.short = False
        older = None if client is None else self._latest.get((address, client))
        self._waiting.check(job, older)
        if older is not None:
            self.cancel(older)
        if client is not None:
            self._latest[address, client] = job
        self._wait(job)
        return job

    def cancel(self, job: Job) -> None:
        """Ends a job that nobody waits for any more."""
        job.answer({"superseded": True})
        self._waiting.drop(job)
        self._forget(job)
        if job in self._running:
            process, timeout = self._running[job]
            process.send({"cancel": job.number})
            last_word = _LAST_WORD_SHORT if process.short else _LAST_WORD
            timeout.reschedule(asyncio.get_running_loop().time() + last_word)

    def enough(self, client: str, address: str) -> bool:
        """Ends a client's job with what is known by then; whether there was one that can."""
        job = self._latest.get((address, client))
        if job is None or job not in self._running or not job.request.get("partial"):
            return False
        self._running[job][0].send({"enough": job.number})
        return True

    def _wait(self, job: Job) -> None:
        self._waiting.add(job)
        self._came.set()

    def _forget(self, job: Job) -> None:
        if self._latest.get((job.address, job.client)) is job:
            del self._latest[job.address, job.client]

    async def _begin(self) -> None:
        """Starts the worker for short jobs, then the others, and feeds it."""
        try:
            first = await _Process.start(short=True)
        except (EOFError, OSError, ValueError):
            self.failed = True
            return
        # Many sizes of board, even of one client, therefore wear out only the first of them.
        self._tasks += [asyncio.create_task(self._serve(grows=n == 0)) for n in range(self.size)]
        await self._serve(first)

    async def _serve(self, first: _Process | None = None, grows: bool = True) -> None:
        """Feeds one worker, a new one if none is given; replaces it if it fails or has grown.

        Args:
            grows: it takes jobs for which it has no room; it is replaced for these.
        """
        process = first or await self._started(short=False)

        def fits(job: Job) -> bool:
            return grows or process.has_room(job.board)

        try:
            while True:
                while (job := self._waiting.take(process.short, fits)) is None:
                    self._came.clear()
                    await self._came.wait()
                started = time.monotonic()
                if not process.has_room(job.board):
                    process = await self._replace(process)
                if not job.ended and not await self._done(process, job):
                    process = await self._replace(process)
                self._waiting.charge(job, time.monotonic() - started)
        finally:
            await process.end()

    async def _done(self, process: _Process, job: Job) -> bool:
        """Has a job done, or begun again elsewhere; whether the worker can go on."""
        self._count += 1
        job.number = number = self._count
        known = job.board in process.boards
        seconds = job.request["seconds"] + MAX_MAKING
        if job.request["task"] in _BY_WORK:
            seconds *= _SLOWED
        if process.short:
            seconds = _SHORT if known else _SHORT_MAKING
        process.boards.add(job.board)
        try:
            await self._run(process, job, seconds)
            return True
        except TimeoutError:
            if process.short and not job.ended:
                if not known:
                    self._slow[job.board] = time.monotonic() + _SLOW
                job.begin_again()
                self._wait(job)
                return await process.leaves(number)
            late = job.request["task"] in _BY_WORK
            code = "too_late" if late else "too_large"
            job.answer({"error": _BUSY if late else _TOO_LONG, "code": code})
        except EOFError:
            large = await process.out_of_memory()
            job.answer({"error": TOO_LARGE, "code": "too_large"} if large else {"error": None})
        except Exception:  # whatever a worker answers, another one goes on
            logging.getLogger(__name__).exception("a worker is replaced")
            job.answer({"error": None})
        finally:
            if job.ended:
                self._forget(job)
        return False

    def _remember(self, proved: Json) -> None:
        """Keeps what a review has proved for advice by any worker."""
        for position, bounds in proved.items():
            self._proofs += 1
            self._proved.pop(position, None)
            self._proved[position] = bounds
            if len(self._proved) > MAX_PROVED:
                del self._proved[next(iter(self._proved))]

    async def _replace(self, process: _Process) -> _Process:
        await process.end()
        return await self._started(process.short)

    async def _started(self, short: bool) -> _Process:
        while True:
            try:
                return await _Process.start(short)
            except (EOFError, OSError, ValueError) as error:
                # There is no memory, or an encoding is being edited.
                logging.getLogger(__name__).warning("a worker does not start: %r", error)
                await asyncio.sleep(_PAUSE)

    async def _run(self, process: _Process, job: Job, seconds: float) -> None:
        """Passes on what a worker answers, until the job ends or its time is up."""
        async with asyncio.timeout(seconds) as timeout:
            self._running[job] = process, timeout
            try:
                if job.request["task"] == "advise" and process.proved < self._proofs:
                    process.send({"proved": self._proved})
                    process.proved = self._proofs
                process.send({"job": job.number, **job.request})
                while "progress" in (message := await process.answer(job.number)):
                    self._remember(message.pop("proved", {}))
                    job.answer(message)
                    if job.request["task"] in _BY_WORK and not job.ended:
                        timeout.reschedule(asyncio.get_running_loop().time() + seconds)
                job.answer(message)
            finally:
                del self._running[job]
