"""Batch runs: one function over many tasks, in this process, in several, or on a cluster.

Whatever the workers, the results come in the order of the tasks, each once, and no more than a few
parts are ahead of the result that is waited for, so a stream may be of any length. A part is one
task or, if tasks are quick, as many as take a second: a cluster hands out some thousand parts a
second, however many workers it has. A worker that dies is replaced, and its unfinished work is done
again. With a journal, every result is on disk before the caller gets it.

This is the only module that imports `distributed`, the package of the optional extra ``cluster``.
"""

import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from advisor import extras
from advisor.errors import BatchError, InputError
from advisor.lab.journal import Journal
from advisor.limits import MAX_JOBS
from aspcircuits.arguments import is_whole
from aspcircuits.child import Child, pack_work
from aspcircuits.stopping import Stop, interruptible

R = TypeVar("R")

Work = Callable[[str, Stop], R]
"""The function that is applied to each task.

Tasks are strings, so they are small and can be written down. When stopped, it may return anything,
since the result is discarded, or raise a KeyboardInterrupt.
"""

_AHEAD = 4
"""Parts in flight for each worker: enough that none waits while one part takes long."""

_PART_SECONDS, _LARGEST, _GROWS = 1.0, 200, 4
"""Seconds that a part should take, its most tasks, and its most growth over the last one."""

_WAIT = 0.1
"""Seconds after which a part that still waits for tasks is begun as it is."""

_ATTEMPTS = 3
"""Workers may die this many times in a row before a single result."""

_CONNECT_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a batch run.

    Attributes:
        open: makes any `concurrent.futures.Executor`, which its context ends; called again after
            workers have died.
        in_flight: number of parts that they may hold at a time.
    """

    open: Callable[[], AbstractContextManager[Executor]]
    in_flight: int


@dataclass(frozen=True, slots=True)
class Sharing:
    """How work is distributed, and where finished results are kept.

    >>> work = advisor.analyse(["44", "4453"], depth=1, sharing=advisor.Sharing(jobs=1))
    >>> [row["best"] for row in work]
    [[4], [3, 6, 7]]

    Attributes:
        jobs: processes of this machine, or the number of an executor's workers.
        dask: the address of a cluster that does the work instead.
        resume: the file of finished results.
        executor: does the work instead; it stays open. Its workers must be able to import the
            advisor. A process pool needs no ``jobs``.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     sharing = advisor.Sharing(executor=executor, jobs=2)
    ...     [found["best"] for found in advisor.analyse(["4453"], depth=2, sharing=sharing)]
    [[3, 6, 7]]
    """

    jobs: int = 1
    dask: str | None = None
    resume: Path | None = None
    executor: Executor | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.jobs) or not 1 <= self.jobs <= MAX_JOBS:
            raise InputError(f"jobs {self.jobs!r} is not a whole number from 1 to {MAX_JOBS}")

    @property
    def workers(self) -> Workers | None:
        """The workers to use; None for this process.

        Raises:
            InputError: both jobs and a cluster are given.
            BatchError: no such cluster.
        """
        if self.executor is not None:
            return self._check_executor(self.executor)
        if self.dask is None:
            return local(self.jobs)
        if self.jobs > 1:
            raise InputError("`dask` brings its own workers: give `dask` or `jobs`, not both")
        return cluster(self.dask)

    def _check_executor(self, executor: Executor) -> Workers:
        if not isinstance(executor, Executor):
            raise InputError(f"executor {executor!r} is no concurrent.futures.Executor")
        if self.dask is not None:
            raise InputError("`executor` does the work: leave out `dask`")
        width = max(self.jobs, getattr(executor, "_max_workers", 1))
        return Workers(lambda: nullcontext(executor), _AHEAD * width)

    def journal(self, command: str, settings: Mapping[str, Any]) -> Journal | None:
        """Return the file for a command with these settings."""
        settings = {"command": command, **settings}
        return None if self.resume is None else Journal(self.resume, settings)

    def ready(
        self, command: str, settings: Mapping[str, Any]
    ) -> tuple[Workers | None, Journal | None]:
        """Return the workers of a command, and its file; errors as in `workers`."""
        return self.workers, self.journal(command, settings)


def check_sharing(sharing: object) -> Sharing:
    """Check a caller's `Sharing`; None means this process."""
    if not isinstance(sharing, Sharing | None):
        raise InputError(f"sharing {sharing!r} is not an advisor.Sharing")
    return sharing or Sharing()


def local(jobs: int) -> Workers | None:
    """Return processes on this machine; for one job None, which is this process itself."""
    return None if jobs == 1 else Workers(lambda: _Processes(jobs), _AHEAD * jobs)


def cluster(address: str) -> Workers:
    """Return the workers of a Dask cluster, by its scheduler's address, as ``tcp://host:8786``.

    They must have the advisor, and a user's own encodings, at the same paths.

    Raises:
        BatchError: there is no answer, or `distributed` is not installed.
    """
    if not extras.has_extra("cluster"):
        raise BatchError(f"`dask`: not installed ({extras.install('cluster')})")
    with _connect(address) as client:
        cores = sum(client.ncores().values())
    if not cores:
        raise BatchError(f"`dask`: {address}: the cluster has no workers")
    return Workers(lambda: _cluster(address), _AHEAD * cores)


def run(
    function: Work[R],
    tasks: Iterable[str],
    workers: Workers | None = None,
    journal: Journal | None = None,
) -> Generator[R, None, None]:
    """Yield the results of a function for all tasks, in their order.

    Args:
        function: must be picklable unless it runs in this process; with a journal its results must
            be JSON.
        tasks: taken a few ahead of the results that the caller has consumed. The iterator may end,
            and have more tasks once all results so far have been taken.
        workers: None for this process.
        journal: results in it are not worked out again; new ones are added.

    Raises:
        BatchError: workers keep dying; the journal is of another run or cannot be written.
        KeyboardInterrupt: Ctrl-C; every result until then has been yielded.
        Exception: whatever the function raises for the first task for which it does.
    """
    tasks = iter(tasks)
    with journal or nullcontext():
        if journal is not None:
            yield from journal.replay(tasks)
        computed = (
            _compute_elsewhere(function, tasks, workers) if workers else _here(function, tasks)
        )
        with closing(computed):
            for done in computed:
                if journal is not None:
                    journal.add(done)
                for _, result in done:
                    yield result


_Computed = Generator[Sequence[tuple[str, R]], None, None]
"""Tasks with their results, a part or less at a time."""


def _here(function: Work[R], tasks: Iterator[str]) -> _Computed[R]:
    for task in tasks:
        # Waiting for a task, or for the consumer of the result, reacts to Ctrl-C by itself.
        with interruptible() as stop:
            result = function(task, stop)
        stop.check()
        yield [(task, result)]


class PartDone(NamedTuple, Generic[R]):
    """A worker's results of a part.

    Attributes:
        results: of its first tasks.
        error: raised by the next one; None if all are done.
        seconds: time taken.
    """

    results: Sequence[R]
    error: Exception | None
    seconds: float


def do_part(function: Work[R], tasks: Sequence[str], stop: Stop) -> PartDone[R]:
    """Do the tasks of a part, up to the first one that fails."""
    begun, results, error = monotonic(), list[R](), None
    for task in tasks:
        try:
            results.append(function(task, stop))
        except Exception as raised:
            error = raised
            break
    return PartDone(results, error, monotonic() - begun)


@dataclass(slots=True)
class _InFlight(Generic[R]):
    tasks: Sequence[str]
    future: Future[PartDone[R]] | None = None

    def must_be_submitted(self) -> bool:
        """Return whether the part is not submitted, or was given to a worker that died."""
        if self.future is None or self.future.cancelled():
            return True
        return self.future.done() and isinstance(self.future.exception(), BrokenExecutor)


def _compute_elsewhere(function: Work[R], tasks: Iterator[str], workers: Workers) -> _Computed[R]:
    in_flight: list[_InFlight[R]] = []
    deaths, size = 0, 1
    while True:
        with workers.open() as executor:
            try:
                while True:
                    while len(in_flight) < workers.in_flight and (part := _part(tasks, size)):
                        in_flight.append(_InFlight(part))
                    if not in_flight:
                        return
                    for each in in_flight:
                        if each.must_be_submitted():
                            # Ctrl-C is for this process, which ends its workers.
                            each.future = executor.submit(do_part, function, each.tasks, Stop())
                    first = in_flight[0]
                    assert first.future is not None
                    done = first.future.result()
                    del in_flight[0]
                    deaths = 0
                    yield [*zip(first.tasks, done.results, strict=False)]
                    if done.error is not None:
                        raise done.error
                    fitting = len(first.tasks) * _PART_SECONDS / max(done.seconds, 1e-6)
                    size = round(max(1, min(_LARGEST, _GROWS * len(first.tasks), fitting)))
            except (BrokenExecutor, CancelledError):
                deaths += 1
                if deaths == _ATTEMPTS:
                    raise BatchError(
                        f"workers died {deaths} times in a row (out of memory?)"
                    ) from None
                for each in in_flight:
                    if each.future is not None and not each.future.done():
                        each.future = None
            finally:
                for each in in_flight:  # an executor that stays open need not do them
                    if each.future is not None:
                        each.future.cancel()


def _part(tasks: Iterator[str], size: int) -> list[str]:
    """Return the next tasks; of a slow stream only those in time, but at least one."""
    part, begun = list[str](), monotonic()
    for task in islice(tasks, size):
        part.append(task)
        if monotonic() > begun + _WAIT:
            break
    return part


class _Processes(ThreadPoolExecutor):
    """Children of this process, each with a thread that waits for its answers."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._children: list[Child] = []
        self._free: list[Child] = []

    def submit(self, function: Callable[..., R], /, *arguments: Any, **_named: Any) -> Future[R]:
        if len(self._children) < self._jobs:
            self._children.append(Child())
            self._free.append(self._children[-1])
        return super().submit(self._ask, pack_work(function, arguments))

    def _ask(self, work: bytes) -> Any:
        child = self._free.pop()  # there is a child for every thread at work
        try:
            done, result = child.do(work)
        except EOFError:
            raise BrokenExecutor from None
        finally:
            self._free.append(child)
        if not done:
            raise result
        return result

    def __exit__(self, *_: object) -> None:
        for child in self._children:  # results of running work would be discarded
            child.kill()
        self.shutdown(cancel_futures=True)
        for child in self._children:
            child.end()


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    from distributed import KilledWorker

    with _connect(address) as client:
        try:
            yield client.get_executor()
        except KilledWorker:
            # Dask has already given the task to several workers, and lost them all.
            raise BatchError(f"`dask`: {address}: workers keep dying (out of memory?)") from None


@contextmanager
def _connect(address: str) -> Iterator[Any]:
    """Open a `distributed.Client` of a cluster.

    It first checks that a scheduler answers, because a client without one goes on trying.
    """
    import asyncio

    from distributed import Client
    from distributed.core import connect

    async def knock() -> None:
        comm = await connect(address, timeout=_CONNECT_SECONDS)
        await comm.close()

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(knock())
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # whatever a peer that is no scheduler may answer
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BatchError(f"`dask`: {address}: no cluster answers ({reason})") from None
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler itself may be gone
            client.close()
