"""When to stop: one way to end everything that may take long.

Whoever wants long work done makes a `Stop` and passes it down. A time limit, Ctrl-C and a request
that nobody waits for any more all reach the work through it: the work looks at it often and, once
it is set, ends with what it knows. Where an unfinished result is worth nothing, `Stop.check` ends
the work with a KeyboardInterrupt, at a place of its own choosing.
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
"""Seconds between two looks at a `Stop` while some other thread or process does the work."""


class Stop:
    """What tells long work to end: somebody has set it, or its time is up.

    It may be set by any thread and by a signal.

    >>> stop = aspcircuits.Stop(60)
    >>> stop.set()
    >>> stop.is_set(), stop.interrupted
    (True, True)

    Args:
        seconds: how long the work may take from now on; None for ever.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._asked: list[None] = []  # shared with what `within` makes; empty until it is set
        self._deadline = inf if seconds is None else time.monotonic() + seconds
        self._work = inf  # the same in processor time
        self._unheard = False  # the work looks at nothing, see `at_once`

    def within(self, seconds: float | None) -> "Stop":
        """The same, but so many seconds from now at the latest; whoever sets one sets both."""
        sooner = Stop(seconds)
        sooner._asked = self._asked
        sooner._deadline = min(sooner._deadline, self._deadline)
        sooner._work = self._work
        return sooner

    def within_work(self, seconds: float) -> "Stop":
        """The same, but after so many seconds of this process's processor time at the latest, which
        others cannot use up; whoever sets one sets both."""
        sooner = self.within(None)
        sooner._work = min(self._work, time.process_time() + seconds)
        return sooner

    @property
    def untimed(self) -> "Stop":
        """The same without a limit of time: for the least without which there is no result."""
        endless = Stop()
        endless._asked = self._asked
        return endless

    def set(self) -> None:
        """Asks the work to end."""
        self._asked.append(None)

    @property
    def interrupted(self) -> bool:
        """Whether somebody has set it; that the time is up is no interruption."""
        return bool(self._asked)

    @property
    def seconds_left(self) -> float:
        """Until the time is up, at least: infinite without a limit, never negative."""
        left = self._deadline - time.monotonic()
        if self._work < inf:
            left = min(left, self._work - time.process_time())
        return max(0.0, left)

    def is_set(self) -> bool:
        """Whether the work is to end."""
        return bool(self._asked) or self.seconds_left <= 0

    def check(self) -> None:
        """For work of which a part is worth nothing.

        Raises:
            KeyboardInterrupt: somebody has set it.
        """
        if self._asked:
            raise KeyboardInterrupt

    def _hear(self, _signal: int, _frame: FrameType | None) -> None:
        twice = bool(self._asked)  # so something does not listen
        self.set()
        ctrl_c.set()
        if twice or self._unheard:
            raise KeyboardInterrupt


ctrl_c = Stop()
"""Set once Ctrl-C is heard: nothing is worth waiting for that only later work would use."""


@contextmanager
def interruptible() -> Iterator[Stop]:
    """What Ctrl-C sets, meanwhile, in place of raising a KeyboardInterrupt somewhere.

    The only place that changes what Ctrl-C does. In a thread other than the main one, and where
    Ctrl-C is ignored or somebody else's, nothing changes, and the stop is the caller's alone to
    set. Inside another one it is the same stop.
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
    """Ctrl-C raises a KeyboardInterrupt meanwhile, inside `interruptible` too.

    For what is made before there is anything to tell, and looks at no `Stop` for long. It must not
    be inside clingo's callbacks, which would lose the exception.
    """
    stop = _handler()[1] or Stop()
    before, stop._unheard = stop._unheard, True
    try:
        yield
    finally:
        stop._unheard = before


def _handler() -> tuple[Any, Stop | None]:
    """What Ctrl-C does in this thread, and the stop that it sets if it is one of ours."""
    if threading.current_thread() is not threading.main_thread():
        return None, None
    handler = signal.getsignal(signal.SIGINT)
    stop = getattr(handler, "__self__", None)
    return handler, stop if isinstance(stop, Stop) else None
