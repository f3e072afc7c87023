"""Work in a process of its own, which can be killed at any moment.

clingo cannot be interrupted while it grounds, and a rule with many variables may keep it busy for
hours or take all memory. So a child process does such work: a Ctrl-C and a request that is
cancelled kill it, and so does reaching one of the limits below. The child is started when it is
first needed and waits for more work.
"""

import atexit
import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

from aspcircuits.child import Child, pack_work
from aspcircuits.clingo_api import parse
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.stopping import POLL, Stop, ctrl_c, interruptible
from aspcircuits.watching import GroundingWatch

R = TypeVar("R")

MAX_SECONDS = 300
"""Seconds for one piece of work; boards of 20x20 take about five."""

_HANDING_OVER = 2.0
"""Seconds for a process to receive its work, before it is left alone with it."""

MAX_BYTES = 4 << 30
"""Bytes of memory; boards of 20x20 take a quarter of a GB."""

_ADVICE = (
    " (use fewer variables in a rule, or a smaller board; "
    "where numbers or terms grow without bound, as by n(X+1) :- n(X), a rule never ends)"
)


def run(
    function: Callable[..., R],
    *arguments: Any,
    what: str,
    here: bool = False,
    stop: Stop | None = None,
    in_time: bool = False,
    patience: float = 0.0,
) -> R:
    """Run a function in another process; return its result or raise its error.

    Args:
        function: a function of a module; it, its arguments and its result are pickled.
        what: prefix of the error if the work takes too much, such as the names of the files.
        here: the work takes a small part of a second and is done in this process.
        stop: cancels the work when set.
        in_time: the time limit of `stop` counts too, even if the work is done elsewhere.
        patience: seconds that the work may go on after this process, for the results that it
            caches:
            the stop does not affect it, only Ctrl-C and the limits end it.

    Raises:
        EncodingError: it took too much time or memory, or its process died. If it was grounding,
            the error names the rule that was tried most often.
        KeyboardInterrupt: it was stopped, so there is no result.
    """
    with interruptible() as interrupt:
        # If the work is done here, a KeyboardInterrupt amid clingo's callbacks would be lost.
        if here:
            result = function(*arguments)
        else:
            message = pack_work(_run_bounded, (MAX_BYTES, function, arguments), patience)
            stops = interrupt, stop or Stop()
            result = _watch_child(message, what, stops, in_time, patience > 0)
    interrupt.check()
    return result


def share(
    function: Callable[..., R], task: Callable[[int], tuple[Any, ...]], count: int, what: str
) -> list[R]:
    """Run a function on several tasks, as many at a time as there are processors; see `run`.

    Args:
        task: returns the arguments of a call, by its number, when its turn comes.
        count: number of tasks.
    """
    made: dict[int, R] = {}
    waiting, stop = iter(range(count)), Stop()

    def work(here: bool) -> None:
        for number in waiting:  # all threads share this iterator
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
def pause_collector() -> Iterator[None]:
    """Switch off the search for garbage cycles.

    Among a million terms there is none, and the search takes a fifth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


_idle: list[Child] = []
"""Children that wait for work: never more than threads that have used one at the same time."""

if hasattr(os, "register_at_fork"):
    # A copy of this process must not communicate with the same children.
    os.register_at_fork(after_in_child=_idle.clear)


@atexit.register
def end_idle() -> None:
    """End the processes that wait for work; later work starts others."""
    with suppress(IndexError):  # with a test before it, a running thread could take the last one
        while True:
            _idle.pop().end()


def _watch_child(
    message: bytes, what: str, stops: Sequence[Stop], in_time: bool, outlives: bool
) -> Any:
    try:
        child = _idle.pop()
    except IndexError:  # with a test before it, another thread could take the last one
        child = Child()
    watch = GroundingWatch(what)
    answers: list[tuple[bool, Any]] = []

    def ask() -> None:
        try:
            answers.append(child.do(message, watch.receive))
        except EOFError:
            return
        except ValueError as error:
            answers.append((False, EncodingError(f"{what}: {error}")))

    asked = threading.Thread(target=ask, daemon=True)
    deadline = monotonic() + MAX_SECONDS
    left_alone = False

    def check_stops() -> None:
        nonlocal left_alone
        if any(stop.is_set() if in_time else stop.is_interrupted for stop in stops):
            left_alone = outlives and not ctrl_c.is_set() and child.handed_over.wait(_HANDING_OVER)
            raise KeyboardInterrupt

    def describe(fault: str, advice: str = "") -> EncodingError:
        child.kill()
        return EncodingError(watch.find_slow(check_stops).describe(fault, advice))

    def refuse(limit: str) -> EncodingError:
        return describe(f"is too large to ground: more than {limit}", _ADVICE)

    try:
        asked.start()
        while asked.is_alive():
            asked.join(POLL)
            check_stops()
            watch.follow()
            if monotonic() > deadline:
                raise refuse(f"{MAX_SECONDS} s")
        if not answers:
            death = child.death()
            if death == "SIGXCPU":  # a limit of this process, which its children inherit
                raise refuse("the processor time that it may take")
            raise describe(f"the process that grounds it died ({death})")
        done, result = answers[0]
        if isinstance(result, MemoryError):
            raise refuse(f"{MAX_BYTES >> 20} MB of memory")
    except BaseException:
        if left_alone:
            raise
        child.kill()
        if asked.ident is not None:  # it has begun, and nothing keeps it waiting any more
            asked.join()
        child.end()
        raise
    finally:
        watch.end()
    _idle.append(child)
    if not done:
        raise result
    return result


def _run_bounded(memory: int, function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
    """Run the work in the child, within a limit on the process's memory."""
    # clingo's first exception allocates memory of its thread. If there is none left for that,
    # the C library ends the process instead of throwing bad_alloc.
    with suppress(InputError):
        parse("(")
    with pause_collector(), _room_of(memory):
        return function(*arguments)


@contextmanager
def _room_of(memory: int) -> Iterator[None]:
    """Limit this process's memory; lift the limit on a MemoryError, so that it can be reported."""
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
    except (ImportError, ValueError, OSError):  # systems without such limits
        yield
        return
    try:
        yield
    except MemoryError:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        raise
