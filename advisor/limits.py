"""How far to look and when to stop: one way for everything that may take long.

Whoever asks for long work makes a `Stop` and passes it down. A time limit, Ctrl-C and a request
that nobody waits for any more are all heard through it: the work looks at it often and, once it is
set, ends with what it knows. Where nothing is worth telling before all is done, `Stop.check` ends
the work with a KeyboardInterrupt, at a place of its own choosing.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from numbers import Integral
from types import FrameType
from typing import Any, TypeGuard

POLL = 0.02
"""Seconds between two looks at a `Stop` while some other thread or process does the work."""

MAX_DEPTH = 100
"""Plies that somebody may ask to look ahead."""

MAX_WIN = MAX_DEPTH // 2
"""Own moves in which somebody may be asked to win."""

LEVELS = range(1, 21)
"""Levels of play; the last one is full strength. `Limit.of_level` says what each one thinks, and
`advisor.advice.choice` what it plays."""

_ROUNDS, _ROUNDS_GROW = 6, 1.3
"""Rounds of random games at the lowest level, and how many times as many each next level plays."""

MAX_GAMES = 1_000_000
"""Games of a run; of a match the openings are chosen before the first one, in a minute or so."""

MATCH_GAMES, TOURNAMENT_GAMES = 20, 4
"""Games where nobody says how many; of a tournament those of a pair."""

PLAN_SECONDS = 5.0
"""Seconds to look for a plan where nobody says how many."""

MAX_JOBS = 1024
"""Processes or threads that somebody may ask for."""

MAX_SEED = 2**64 - 1
"""Of random choices, the least being 0."""


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, of NumPy's kinds too, and no boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Limit:
    """How far to look ahead, and for how long.

    Attributes:
        depth: plies; 0 asks for the answer set of the position alone, None is as deep as the time
            allows.
        seconds: None is as long as it takes.
        rounds: of random games, where these decide: a round is a game for every legal move, and
            some more. None: as many as go with a depth, or with the time.
        before_games: plies of the look-ahead before these random games; by default the depth.
    """

    depth: int | None = None
    seconds: float | None = None
    rounds: float | None = None
    before_games: int | None = None

    @classmethod
    def of_level(cls, level: int, seconds: float | None = None) -> "Limit":
        """The work of a level of play, the same on every machine; at most for some seconds."""
        rounds = _ROUNDS * _ROUNDS_GROW ** (level - LEVELS[0])
        # Before random games two plies are enough: a win, and a reply that wins.
        return cls(2 + level // 2, seconds, rounds, before_games=2)

    def otherwise(self, depth: int | None) -> "Limit":
        """This limit or, where it names neither depth nor time, that depth."""
        return replace(self, depth=depth) if self == NO_LIMIT else self


NO_LIMIT = Limit()
"""None of its own: the one who is asked has a depth for this."""


class Stop:
    """What tells long work to end: somebody has set it, or its time is up.

    It may be set by any thread and by a signal.

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
