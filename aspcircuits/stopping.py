"""When to stop: one way to end everything that may take long.

The caller of long work makes a `Stop` and passes it down. A time limit, Ctrl-C and a request that
was abandoned all reach the work through it: the work checks it often and, once it is set, returns
what it has so far. If an unfinished result is worthless, `Stop.check` ends the work with a
KeyboardInterrupt, at a place of the work's own choosing.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType
from typing import Any

POLL = 0.02
"""Seconds between two checks of a `Stop` while another thread or process does the work."""


class Stop:
    """A request to end long work: it is set by a caller, or its time is up.

    Any thread and a signal may set it.

    >>> stop = aspcircuits.Stop(60)
    >>> stop.set()
    >>> stop.is_set(), stop.is_interrupted
    (True, True)

    Args:
        seconds: how long the work may take from now on; None for ever.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._asked: list[
            None
        ] = []  # shared with the results of `with_limit`; empty until it is set
        self._deadline = inf if seconds is None else time.monotonic() + seconds
        self._work = inf  # the deadline in processor time
        self._unheard = False  # the work checks no stop, see `at_once`

    def with_limit(self, seconds: float | None) -> "Stop":
        """Return a stop that is also set `seconds` from now; setting either one sets both."""
        sooner = Stop(seconds)
        sooner._asked = self._asked
        sooner._deadline = min(sooner._deadline, self._deadline)
        sooner._work = self._work
        return sooner

    def within_work(self, seconds: float) -> "Stop":
        """Return a stop that also limits processor time; setting either one sets both.

        The limit is `seconds` of this process, so other processes cannot use it up.
        """
        sooner = self.with_limit(None)
        sooner._work = min(self._work, time.process_time() + seconds)
        return sooner

    @property
    def without_limit(self) -> "Stop":
        """Return this stop without a time limit, for the minimum of work that gives a result."""
        endless = Stop()
        endless._asked = self._asked
        return endless

    def set(self) -> None:
        """Request the end of the work."""
        self._asked.append(None)

    @property
    def is_interrupted(self) -> bool:
        """Whether it was set by a caller or Ctrl-C; a time limit is no interruption."""
        return bool(self._asked)

    @property
    def seconds_left(self) -> float:
        """Seconds until the time is up, at least: infinite without a limit, never negative."""
        left = self._deadline - time.monotonic()
        if self._work < inf:
            left = min(left, self._work - time.process_time())
        return max(0.0, left)

    def is_set(self) -> bool:
        """Return whether the work has to end."""
        return bool(self._asked) or self.seconds_left <= 0

    def check(self) -> None:
        """End work whose partial result is worthless, if the stop was set.

        Raises:
            KeyboardInterrupt: the stop was set; a time limit alone does not raise it.
        """
        if self._asked:
            raise KeyboardInterrupt

    def _hear(self, _signal: int, _frame: FrameType | None) -> None:
        twice = bool(self._asked)  # so something does not check its stop
        self.set()
        ctrl_c.set()
        if twice or self._unheard:
            raise KeyboardInterrupt


ctrl_c = Stop()
"""Set after a Ctrl-C: nothing that only later work would use is worth waiting for."""


@contextmanager
def interruptible() -> Iterator[Stop]:
    """Provide a stop that Ctrl-C sets, instead of raising a KeyboardInterrupt at any place.

    Only this function changes the effect of Ctrl-C. In a thread other than the main one, and if
    Ctrl-C is ignored or has a handler of another kind, nothing changes, and only the caller can set
    the stop. Nested contexts share one stop.
    """
    before, outer = _handler()
    if before is not signal.default_int_handler:
        yield outer or Stop()
        return
    stop = Stop()
    signal.signal(signal.SIGINT, stop._hear)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def at_once() -> Iterator[None]:
    """Let Ctrl-C raise a KeyboardInterrupt in this context, even inside `interruptible`.

    For preparations that check no `Stop` for long. They must not run inside clingo's callbacks,
    which would lose the exception.
    """
    stop = _handler()[1] or Stop()
    before, stop._unheard = stop._unheard, True
    try:
        yield
    finally:
        stop._unheard = before


def _handler() -> tuple[Any, Stop | None]:
    """Return the handler of Ctrl-C in this thread, and the stop that it sets, if it is ours."""
    if threading.current_thread() is not threading.main_thread():
        return None, None
    handler = signal.getsignal(signal.SIGINT)
    stop = getattr(handler, "__self__", None)
    return handler, stop if isinstance(stop, Stop) else None
