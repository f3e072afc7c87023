"""Work in a process of its own, which can be ended at any moment.

clingo hears nothing while it grounds, and a rule with many variables may keep it busy for hours or
take all memory. Such work is therefore done by a child: a Ctrl-C and a request that is cancelled
kill it, and so does reaching one of the bounds below. The child is started when it is first needed,
waits for more work, and ends with its parent.
"""

import atexit
import gc
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

from advisor.errors import EncodingError
from advisor.limits import POLL, Stop, interruptible

R = TypeVar("R")

_Work = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function and its arguments."""

MAX_SECONDS = 300
"""For one piece of work; boards of 20x20 take about five."""

MAX_BYTES = 4 << 30
"""Of memory; boards of 20x20 take a quarter of a GB."""

_REFUSAL = (
    "{}: is too large to ground: more than {} (use fewer variables in a rule, or a smaller board)"
)


def run(
    function: Callable[..., R],
    *arguments: Any,
    what: str,
    here: bool = False,
    stop: Stop | None = None,
) -> R:
    """What a function returns, or raises.

    Args:
        function: of a module; it, its arguments and what it returns are pickled.
        what: begins the error if it takes too much, as the names of the files.
        here: it is known to take a small part of a second and is done in this process.
        stop: somebody may set it; its time limit does not count.

    Raises:
        EncodingError: it took too much time or memory, or its process died.
        KeyboardInterrupt: it was to stop, so there is no result.
    """
    with interruptible() as ctrl_c:
        # Where it is done here, a KeyboardInterrupt amid clingo's callbacks would be lost.
        stops = (ctrl_c, stop or Stop())
        result = function(*arguments) if here else _elsewhere((function, arguments), what, stops)
    ctrl_c.check()
    return result


def share(
    function: Callable[..., R], task: Callable[[int], tuple[Any, ...]], count: int, what: str
) -> list[R]:
    """What a function makes of some tasks: as many at a time as there are processors.

    Args:
        function: of a module; it, its arguments and what it returns are pickled.
        task: makes the arguments of each call, by its number, when its turn comes.
        count: how many there are.
        what: see `run`.

    Raises:
        EncodingError: see `run`.
    """
    made: dict[int, R] = {}
    waiting, stop = iter(range(count)), Stop()

    def work(here: bool) -> None:
        for number in waiting:  # the same for all threads
            made[number] = run(function, *task(number), what=what, here=here, stop=stop)

    others = min(count, os.cpu_count() or 1) - 1
    with ThreadPoolExecutor(max(1, others)) as pool:
        running = [pool.submit(work, False) for _ in range(others)]
        try:
            work(True)
            for each in running:
                each.result()
        except BaseException:
            stop.set()
            raise
    return [made[number] for number in range(count)]


@contextmanager
def uncollected() -> Iterator[None]:
    """Looks for no cycles: among a million terms there is none, and looking takes a fifth of the
    time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _Child:
    """A process that does one piece of work after the other."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            # -P: a file in the current directory must not stand for a module of the same name.
            [sys.executable, "-P", "-m", "advisor.asp.apart", str(MAX_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # the terminal's Ctrl-C is for the parent
        )

    def do(self, message: bytes) -> bytes:
        """The answer to a message, itself pickled; EOFError if the child died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(message)
        stdin.flush()
        answer: bytes = pickle.load(stdout)
        return answer

    def death(self) -> str:
        """How the process ended, once it has closed its answers."""
        code = self._process.wait()
        if code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        """Once nobody waits for its answer."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()


_idle: list[_Child] = []
"""Children that wait for work: never more than threads that have asked at the same time."""


@atexit.register
def _end_all() -> None:
    while _idle:
        _idle.pop().end()


def _elsewhere(work: _Work, what: str, stops: Iterable[Stop]) -> Any:
    child = _idle.pop() if _idle else _Child()
    try:
        done, result = _watched(child, work, what, stops)
    except BaseException:
        child.end()
        raise
    _idle.append(child)
    if not done:
        raise result
    return result


def _watched(child: _Child, work: _Work, what: str, stops: Iterable[Stop]) -> tuple[bool, Any]:
    """Whether the work was done, and its result or the error; raises if there is no answer."""
    # Work and answers are wrapped, so that what cannot be read is an error of the work, not of the
    # reader. Files are named as from here, wherever the child was started.
    message = pickle.dumps((os.getcwd(), pickle.dumps(work)))
    answers: list[tuple[bool, Any]] = []

    def ask() -> None:
        try:
            answer = child.do(message)
        except (EOFError, OSError, pickle.UnpicklingError):  # it died
            return
        try:
            answers.append(pickle.loads(answer))
        except Exception as error:  # whatever it is, nobody waits for this thread's own errors
            told = f"{what}: what its process answered cannot be read ({error!r})"
            answers.append((False, EncodingError(told)))

    asked = threading.Thread(target=ask, daemon=True)
    deadline = monotonic() + MAX_SECONDS
    asked.start()
    try:
        while asked.is_alive():
            asked.join(POLL)
            for stop in stops:
                stop.check()
            if monotonic() > deadline:
                raise EncodingError(_REFUSAL.format(what, f"{MAX_SECONDS} s"))
    except BaseException:
        child.kill()
        asked.join()  # which has nothing to wait for any more
        raise
    if not answers:
        raise EncodingError(f"{what}: the process that grounds it died ({child.death()})")
    if isinstance(answers[0][1], MemoryError):
        raise EncodingError(_REFUSAL.format(what, f"{MAX_BYTES >> 20} MB of memory"))
    return answers[0]


def _serve(memory: int) -> None:
    """The child's life: reads work, writes answers; within so many bytes of memory."""
    with suppress(ImportError, ValueError, OSError):  # where there are no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not come between the answers
    came: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()

    def listen() -> None:
        """In a thread of its own, so that the parent's end is noticed amid the work."""
        with suppress(EOFError):
            while True:
                came.put(pickle.load(source))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        try:
            folder, work = came.get()
            os.chdir(folder)
            with uncollected():
                function, arguments = pickle.loads(work)
                answer = pickle.dumps((True, function(*arguments)))
        except Exception as error:  # whatever it is, it belongs to whoever asked
            answer = pickle.dumps((False, error))
        pickle.dump(answer, target)
        target.flush()


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
