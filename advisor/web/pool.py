"""Worker processes behind a queue: look-aheads never run in the server's own process.

Each client has one job at a time; a newer one supersedes the older, waiting or running. Besides the
workers for all jobs, one worker takes only short jobs, which therefore never wait for long ones. A
job that turns out long there starts again in another worker.
"""

import asyncio
import json
import logging
import os
import signal
import time
from typing import Any

from advisor.web.jobs import STANDARD, Job, Waiting, is_last
from advisor.web.limits import MAX_MAKING, MAX_PROVED, TOO_LARGE
from advisor.web.models import Json
from aspcircuits.child import command

_SHORT = 1.0
"""Seconds after which a job counts as long."""

_SHORT_MAKING = 4.0
"""Seconds for the first job of a game or board size, which compiles it; chess takes two seconds."""

_SLOW = 600.0
"""Seconds for which a board or game that took longer gets no short jobs."""

_LAST_WORD = 5.0
"""Seconds to end a job on request before its worker is replaced; usually 0.1 s is enough."""

_LAST_WORD_SHORT = 0.5
"""Seconds to end a job on request before the worker for short jobs is replaced."""

_PAUSE = 1.0
"""Seconds before a worker that failed to start is started again."""

_NICE, _NICE_SHORT = 10, 5
"""Niceness of workers, so that the server answers first and short jobs come next."""

_BOARDS_A_WORKER = 8
"""Number of games and board sizes that a worker may compile, since it keeps them all.

One worker takes more and is then replaced.
"""

_BOARDS_SHORT = 24
"""Games and board sizes that the worker for short jobs may compile; they are small."""

_LINE = 1 << 24
"""Maximum bytes of an answer: a batch of the largest boards has a third of that."""

_BY_WORK = ("review", "export")
"""Tasks limited by processor time, which their worker counts; the pool only checks for progress."""

_SLOWED = 2
"""Factor by which other work may slow such a task, from one sign of progress to the next."""

STOPPED = "stopped"
"""The error code of jobs that end because the server stops."""

_STOPPED = "the server has been stopped"

_TOO_LONG = (
    f"no answer within {MAX_MAKING} s beside the time of the request: the server is busy, or the "
    "board or the game is too large here"
)

_INSTEAD = "try again later; the command line has no such limit"

_BUSY = "the server is too busy to go on (try again later)"


class _Process:
    """One worker process, from start to end."""

    def __init__(self, process: asyncio.subprocess.Process, short: bool) -> None:
        self._process = process
        self.short = short
        self.boards = {STANDARD}  # the boards that it has compiled
        self._most = _BOARDS_SHORT if short else _BOARDS_A_WORKER
        self.proved = 0  # `WorkerPool._proofs` when it last received the proofs

    def has_room(self, board: str) -> bool:
        """Whether the process may compile another board."""
        return len(self.boards | {board}) <= self._most

    @classmethod
    async def start(cls, short: bool) -> "_Process":
        """Start a process, and wait until it has compiled the standard board.

        Args:
            short: whether it is for short jobs alone.

        Raises:
            EOFError, OSError, ValueError: the process does not start.
        """
        process = await asyncio.create_subprocess_exec(
            *command("advisor.web.worker"),
            str(_NICE_SHORT if short else _NICE),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            process_group=0,  # Ctrl-C reaches only the server, which ends its workers
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
        """Read the next line.

        Raises:
            EOFError: there is none.
            ValueError: it cannot be parsed.
        """
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError
        message: Json = json.loads(line)
        return message

    async def answer(self, number: int | None) -> Json:
        """Read the next answer to a job; drop late answers to earlier jobs."""
        while True:
            message = await self.receive()
            if message.pop("job") == number:
                return message

    async def leaves(self, number: int) -> bool:
        """Make the process cancel a job; return whether it does so in time."""
        self.send({"cancel": number})
        try:
            async with asyncio.timeout(_LAST_WORD_SHORT):
                while not is_last(await self.answer(number)):
                    pass
        except TimeoutError:
            return False
        return True

    async def out_of_memory(self) -> bool:
        """Whether the process seems to have run out of memory: C++ aborts, Python reports it."""
        return await self._process.wait() == -signal.SIGABRT

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class WorkerPool:
    """The worker processes, and the jobs that wait for one."""

    def __init__(self, size: int | None = None) -> None:
        """Plan `size` workers, by default one per processor up to four, and one for short jobs."""
        self.size = size or min(4, os.cpu_count() or 1)
        self.failed = False  # whether not even the first worker started
        self._waiting = Waiting()
        self._came = asyncio.Event()
        self._latest: dict[tuple[str, str], Job] = {}  # by address and client
        self._running: dict[Job, tuple[_Process, asyncio.Timeout]] = {}
        self._slow: dict[str, float] = {}  # by board, the time until which it counts as slow
        self._tasks: list[asyncio.Task[None]] = []
        self._count = 0
        self._proved: dict[str, Any] = {}  # bounds of moves proved by reviews, by position
        self._proofs = 0  # number of proofs received so far

    async def start(self) -> None:
        """Start the workers without waiting for them; requests wait, but a page can be loaded."""
        self._tasks = [asyncio.create_task(self._begin())]

    def dismiss(self) -> None:
        """End all jobs with an error, so that no client waits for a server that stops."""
        for job in (*self._waiting, *self._running):
            job.answer({"error": _STOPPED, "code": STOPPED})

    async def stop(self) -> None:
        """End the workers, even amid a job."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def load(self) -> Json:
        """Numbers of workers, of busy workers and of waiting jobs."""
        return {
            "workers": self.size + 1,
            "busy": len(self._running),
            "waiting": len(self._waiting),
        }

    def submit(self, request: Json, client: str | None, address: str) -> Job:
        """Queue a job; an older job of the same client ends as superseded.

        Args:
            request: the task and its arguments.
            client: a name, unique only within one address.
            address: where the request comes from.

        Raises:
            BusyError: too many jobs of its kind are waiting, in all or from this address.
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
        """End a job that no client waits for any more."""
        job.answer({"superseded": True})
        self._waiting.drop(job)
        self._forget(job)
        if job in self._running:
            process, timeout = self._running[job]
            process.send({"cancel": job.number})
            last_word = _LAST_WORD_SHORT if process.short else _LAST_WORD
            timeout.reschedule(asyncio.get_running_loop().time() + last_word)

    def enough(self, client: str, address: str) -> bool:
        """End a client's job with its results so far; return whether there was such a job."""
        job = self._latest.get((address, client))
        if job is None or job not in self._running or not job.request.get("partial"):
            return False
        self._running[job][0].send({"enough": job.number})
        return True

    def _wait(self, job: Job) -> None:
        self._waiting.add(job)
        self._came.set()
        if not job.background and not job.short:
            self._end_background()

    def _end_background(self) -> None:
        """Make room for a job: if no worker is free, the oldest background job ends its search."""
        if sum(not process.short for process, _ in self._running.values()) < self.size:
            return
        for job, (process, _) in self._running.items():
            if job.background and not job.ended:
                process.send({"enough": job.number})
                return

    def _forget(self, job: Job) -> None:
        if self._latest.get((job.address, job.client)) is job:
            del self._latest[job.address, job.client]

    async def _begin(self) -> None:
        """Start the worker for short jobs, then the others; serve short jobs."""
        try:
            first = await _Process.start(short=True)
        except (EOFError, OSError, ValueError):
            self.failed = True
            return
        # Only one worker grows: many board sizes, even from one client, wear out only that one.
        self._tasks += [asyncio.create_task(self._serve(grows=n == 0)) for n in range(self.size)]
        await self._serve(first)

    async def _serve(self, first: _Process | None = None, grows: bool = True) -> None:
        """Feed one worker with jobs; replace it if it fails or has no room.

        Args:
            first: the worker; a new one is started if it is None.
            grows: whether it takes jobs for which it has no room, and is replaced for them.
        """
        process = first or await self._start_process(short=False)

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
        """Do a job, or make another worker start it again; return whether this one can go on."""
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
            too_long = f"{_TOO_LONG} ({job.note or _INSTEAD})"
            job.answer({"error": _BUSY if late else too_long, "code": code})
        except EOFError:
            large = await process.out_of_memory()
            job.answer({"error": TOO_LARGE, "code": "too_large"} if large else {"error": None})
        except Exception:  # a bad answer must not end the pool
            logging.getLogger(__name__).exception("a worker is replaced")
            job.answer({"error": None})
        finally:
            if job.ended:
                self._forget(job)
        return False

    def _remember(self, proved: Json) -> None:
        """Keep the proofs of a review, for later advice by any worker."""
        for position, bounds in proved.items():
            self._proofs += 1
            self._proved.pop(position, None)
            self._proved[position] = bounds
            if len(self._proved) > MAX_PROVED:
                del self._proved[next(iter(self._proved))]

    async def _replace(self, process: _Process) -> _Process:
        await process.end()
        return await self._start_process(process.short)

    async def _start_process(self, short: bool) -> _Process:
        while True:
            try:
                return await _Process.start(short)
            except (EOFError, OSError, ValueError) as error:
                # Memory is exhausted, or an encoding is being edited.
                logging.getLogger(__name__).warning("a worker does not start: %r", error)
                await asyncio.sleep(_PAUSE)

    async def _run(self, process: _Process, job: Job, seconds: float) -> None:
        """Pass on a worker's answers until the job ends or its time is up."""
        async with asyncio.timeout(seconds) as timeout:
            self._running[job] = process, timeout
            try:
                if job.request["task"] == "advise" and process.proved < self._proofs:
                    process.send({"proved": self._proved})
                    process.proved = self._proofs
                process.send({"job": job.number, **job.request})
                while not is_last(message := await process.answer(job.number)):
                    self._remember(message.pop("proved", {}))
                    job.answer(message)
                    if job.request["task"] in _BY_WORK and not job.ended:
                        timeout.reschedule(asyncio.get_running_loop().time() + seconds)
                job.answer(message)
            finally:
                del self._running[job]
