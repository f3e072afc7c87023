"""Worker processes behind a queue: look-aheads never run in the server's own process.

Every client has one job at a time; its newer one supersedes the older, waiting or running.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

from advisor.web.limits import MAX_WAITING

Json = dict[str, Any]

_GRACE = 60.0
"""Seconds beyond a job's own limit, for compiling beside other work; then its worker hangs."""

_LAST_WORD = 5.0
"""Seconds until a worker that is told to end a job, which takes it a tenth of one, is replaced."""

_PAUSE = 1.0
"""Seconds until a worker that did not start is started again."""

_BOARDS_A_WORKER = 8
"""A worker keeps what it compiles for each game and size of board; one that has seen more is
replaced."""

_LINE = 1 << 22

_PARTIAL = ("advise", "exact", "prove", "game_advise")
"""Tasks of which is worth telling what is known so far."""


class BusyError(Exception):
    """Too many jobs are waiting."""


class Job:
    """A piece of work; iterating it yields its answers, the last of which ends it.

    Answers are ``{"progress": ...}``, then one of ``{"result": ...}``, ``{"error": message}``
    (None for a failure that is not the client's), ``{"superseded": True}``.

    Attributes:
        request: with a game, a size or a position, so that it is known what a worker compiles.
        client: who asks, if it is said.
        board: which game and size it is.
        number: under which a worker has it.
        ended: it has been answered.
    """

    def __init__(self, request: Json, client: str | None) -> None:
        self.request = request
        self.client = client
        self.board = str(request.get("game") or request.get("size") or request["position"][:3])
        self.number: int | None = None
        self.ended = False
        self._answers: asyncio.Queue[Json] = asyncio.Queue()

    def answer(self, message: Json) -> None:
        """Passes an answer on, unless the job has ended before."""
        if not self.ended:
            self.ended = "progress" not in message
            self._answers.put_nowait(message)

    async def __aiter__(self) -> AsyncIterator[Json]:
        while True:
            message = await self._answers.get()
            yield message
            if "progress" not in message:
                return


class _Process:
    """One worker process, from start to end."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.boards: set[str] = set()

    @classmethod
    async def start(cls) -> "_Process":
        process = await asyncio.create_subprocess_exec(
            # -P: a file in the current directory must not stand for a module of the same name.
            *(sys.executable, "-P", "-m", "advisor.web.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            process_group=0,  # Ctrl-C is for the server alone, which then ends its workers
        )
        found = cls(process)
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
        """The next line; EOFError if the process has ended."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError
        message: Json = json.loads(line)
        return message

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class Pool:
    """The worker processes and the jobs that wait for one."""

    def __init__(self, size: int | None = None) -> None:
        """With one worker to a processor, at most four."""
        self.size = size or min(4, os.cpu_count() or 1)
        self._waiting: dict[Job, None] = {}  # in the order in which they came
        self._came = asyncio.Semaphore(0)
        self._latest: dict[str, Job] = {}
        self._running: dict[Job, _Process] = {}
        self._timeouts: dict[Job, asyncio.Timeout] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._count = 0

    async def start(self) -> None:
        """Starts the workers and waits until they have compiled the standard board."""
        processes = await asyncio.gather(*(_Process.start() for _ in range(self.size)))
        self._tasks = [asyncio.create_task(self._serve(process)) for process in processes]

    async def stop(self) -> None:
        """Ends the workers, whatever they are at."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def load(self) -> Json:
        """How many workers there are, how many of them work, and how many jobs wait."""
        waiting = len(self._waiting)
        return {"workers": self.size, "busy": len(self._running), "waiting": waiting}

    def submit(self, request: Json, client: str | None) -> Job:
        """Queues a job; an older one of the same client ends as superseded.

        Raises:
            BusyError: too many are waiting.
        """
        older = None if client is None else self._latest.get(client)
        if len(self._waiting) - (older in self._waiting) >= MAX_WAITING:
            raise BusyError
        if older is not None:
            self.cancel(older)
        job = Job(request, client)
        if client is not None:
            self._latest[client] = job
        self._waiting[job] = None
        self._came.release()
        return job

    def cancel(self, job: Job) -> None:
        """Ends a job that nobody waits for any more."""
        job.answer({"superseded": True})
        self._waiting.pop(job, None)
        self._forget(job)
        if job in self._running:
            self._running[job].send({"cancel": job.number})
            self._timeouts[job].reschedule(asyncio.get_running_loop().time() + _LAST_WORD)

    def enough(self, client: str) -> bool:
        """Ends a client's job with what is known by then; whether there was one that can."""
        job = self._latest.get(client)
        if job is None or job not in self._running or job.request["task"] not in _PARTIAL:
            return False
        self._running[job].send({"enough": job.number})
        return True

    def _forget(self, job: Job) -> None:
        if job.client is not None and self._latest.get(job.client) is job:
            del self._latest[job.client]

    async def _serve(self, process: _Process) -> None:
        """Feeds one worker, and replaces it when it fails or has grown."""
        try:
            while True:
                await self._came.acquire()
                if not self._waiting:
                    continue  # it has been cancelled
                job = next(iter(self._waiting))
                del self._waiting[job]
                try:
                    async with asyncio.timeout(job.request["seconds"] + _GRACE) as timeout:
                        self._timeouts[job] = timeout
                        if len(process.boards | {job.board}) > _BOARDS_A_WORKER:
                            process = await self._replace(process)
                        process.boards.add(job.board)
                        await self._run(process, job)
                except (TimeoutError, EOFError, OSError):
                    job.answer({"error": None})
                    process = await self._replace(process)
                finally:
                    self._running.pop(job, None)
                    self._timeouts.pop(job, None)
                    self._forget(job)
        finally:
            await process.end()

    async def _replace(self, process: _Process) -> _Process:
        await process.end()
        while True:
            try:
                return await _Process.start()
            except (EOFError, OSError):  # no memory, or an encoding that is being edited
                await asyncio.sleep(_PAUSE)

    async def _run(self, process: _Process, job: Job) -> None:
        self._count += 1
        job.number = self._count
        self._running[job] = process
        process.send({"job": job.number, **job.request})
        while True:
            message = await process.receive()
            if message.pop("job") != job.number:
                continue
            if "cancelled" in message:
                message = {"superseded": True}
            job.answer(message)
            if "progress" not in message:
                return
