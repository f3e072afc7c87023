"""From NumPy to machine code during the work, once that pays.

Short work is done sooner by NumPy alone: importing LLVM takes longer than all of it. So `Tiers`
counts the time that the work has taken without machine code. After a little of it, code that an
earlier run has cached is loaded; after about as much as compiling would take, another process makes
the code, while NumPy goes on. The time of earlier runs counts as well, so that code also comes if
every run is short. A run that ends while its code is made leaves that process alone, which caches
the code for later runs; only the processes of one run stay, for a minute at most. If code cannot be
made or run, one message says so and NumPy does all of the work.

Only this module decides which code is loaded and made, for all kinds of code.
"""

import atexit
import os
import sys
import threading
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakSet

from aspcircuits import child, code_cache, llvm, own_process
from aspcircuits.errors import EncodingError
from aspcircuits.llvm import NativeError
from aspcircuits.stopping import POLL, Stop

_WORTH_LOADING = 0.05
"""Seconds of work after which cached code is loaded: about half of what loading takes, in parallel.

Work that has lasted this long mostly goes on for longer; shorter work waits for no code.
"""

_LASTING = 0.2
"""Expected seconds of work for which cached code is loaded at once: twice the time to load it."""

_AT_SERVICE = 2.0
"""Seconds of work after which a long-running server makes code, whatever that takes."""

_PATIENCE = 55.0
"""Seconds that making code may go on after its run; with the end itself, below a minute."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Recipe(Protocol[T_co]):
    """A description of machine code, and how to make it."""

    @property
    def seconds(self) -> float:
        """Seconds of work without the code after which it is worth making."""

    @property
    def what(self) -> str:
        """A name for the code in messages to the user."""

    def key(self) -> str:
        """Return a name for the code on this machine: equal if and only if the code would be."""

    def build(self) -> bytes:
        """Return the code; called in another process, for which the recipe is pickled."""

    def load(self, made: bytes) -> T_co:
        """Return the code, ready to run."""


class Tiers(Generic[T]):
    """Some machine code, if there is any yet; several threads may use it.

    Attributes:
        recipe: description of the code.
        function: the code; None as long as NumPy does the work.
        failure: why it cannot be made or run; empty if no failure is known.
    """

    def __init__(self, recipe: Recipe[T]) -> None:
        self.function: T | None = None
        self.recipe = recipe
        self.failure = ""
        self._lock = threading.Lock()
        self._seconds = self._earlier = 0.0
        self._asked = _NOTHING if llvm.available() else _TO_MAKE
        self._key = ""
        with _adding:
            _all.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the recipe: another process loads its own code."""
        return Tiers, (self.recipe,)

    def count_seconds(self, seconds: float) -> None:
        """Report that the work has taken some more seconds without the code."""
        with self._lock:
            self._seconds += seconds
            enough = min(self.recipe.seconds, _enough[0])
            worth = self._seconds + self._earlier >= enough
            wanted = _TO_MAKE if worth else _TO_LOAD
            if self.function is not None or self._seconds < _WORTH_LOADING or self._asked >= wanted:
                return
            self._asked = wanted
        self._start(wanted == _TO_MAKE)

    def get_now(self) -> T | None:
        """Return the machine code, made at once if need be; None if that is not possible.

        Raises:
            KeyboardInterrupt: it was stopped.
        """
        self._asked = _TO_MAKE
        return self.get_cached(make=True)

    def get_cached(self, make: bool = False) -> T | None:
        """Return the machine code, if it is loaded or an earlier run has cached it."""
        if self.function is None and llvm.available() and not self.failure:
            self._get(make)
        return self.function

    def lasting(self, seconds: float) -> T | None:
        """Return the machine code, loaded from the cache only if the work will last long enough."""
        return self.get_cached() if seconds >= _LASTING else self.function

    def get_soon(self, stop: Stop) -> T | None:
        """Return the machine code, if it is there or can be made before the stop is set.

        Otherwise it is made while the work goes on without it; other code may have to be made
        first.
        """
        with self._lock:
            before, self._asked = self._asked, _TO_MAKE
        if self.function is None and before < _TO_MAKE:
            making = self._start(make=True)
            while making.is_alive() and not stop.is_set():
                making.join(POLL)
        return self.function

    def _start(self, make: bool) -> threading.Thread:
        def get() -> None:
            with suppress(KeyboardInterrupt):  # the process ends, and nothing waits for the code
                self._get(make)

        thread = threading.Thread(target=get, daemon=True)
        _threads[:] = [other for other in _threads if other.is_alive()]
        _threads.append(thread)
        thread.start()
        return thread

    def _get(self, make: bool) -> None:
        try:
            self._load_or_make(make)
        except Exception as error:  # Numba and LLVM raise errors of many kinds
            if _stop.is_set():  # Python starts no more threads at its end, so the next run makes it
                return
            usual = isinstance(error, NativeError | RuntimeError | OSError | ImportError)
            told = str(error) if usual else f"{type(error).__name__}: {error}"
            self._asked, self.failure = _TO_MAKE, told
            _say(f"no machine code ({told}); NumPy does the work")

    def _load_or_make(self, make: bool) -> None:
        key = self._key = self._key or self.recipe.key()
        self._load_kept(key)
        if self.function is None and make:
            # If making it is interrupted, the next run need not work as long again.
            code_cache.spend(key, self.recipe.seconds)
            made = self._make_code(key)
            if self.function is None:
                self.function = self.recipe.load(made)
        elif self.function is None:
            self._earlier = code_cache.seconds_spent(key)

    def _load_kept(self, key: str) -> None:
        """Load what an earlier run has cached; code that cannot be loaded is made again."""
        kept = code_cache.read(key)
        if kept is None or self.function is not None:
            return
        try:
            self.function = self.recipe.load(kept)
        except Exception:  # as above
            code_cache.drop(key)

    def _make_code(self, key: str) -> bytes:
        """Return new code, made by another process."""
        if sys.stderr.isatty():
            _say(f"compiling {self.recipe.what} for this processor, which takes some 10 seconds")
        what, run = "machine code", os.getpid()
        try:
            return own_process.run(
                _make, self.recipe, key, run, what=what, stop=_stop, patience=_PATIENCE
            )
        except EncodingError as error:
            raise NativeError(f"the process that makes it failed: {error}") from None


def serve() -> None:
    """Declare this process a long-running server, so that code soon pays."""
    _enough[0] = _AT_SERVICE


def reason() -> str:
    """Return why NumPy does the work; empty if code has not been worth it yet."""
    if not llvm.available():
        return "the extra fast is not installed"
    if any(tiers.failure for tiers in _everything()):
        return "machine code does not work, see advisor doctor"
    if any(thread.is_alive() for thread in _threads):
        return "machine code is on its way"
    return ""


def _make(recipe: Recipe[Any], key: str, run: int) -> bytes:
    """Make and cache new code; one process at a time, and only if no other one has made it.

    Args:
        run: the process that needs it.
    """
    child.go_on_while(partial(code_cache.is_free_for, run))
    with code_cache.exclude_others(run):
        made = code_cache.read(key)
        if made is None:
            made = recipe.build()
            code_cache.write(key, made)
    return made


def _everything() -> list[Tiers[Any]]:
    with _adding:
        return [*_all]


def _say(text: str) -> None:
    line = f"note: {' '.join(text.split())}"
    if line not in _said:
        _said.append(line)
        print(line, file=sys.stderr)


_NOTHING, _TO_LOAD, _TO_MAKE = range(3)
"""States of some code: nothing requested, loading requested, making requested."""

_all: "WeakSet[Tiers[Any]]" = WeakSet()
_adding = threading.Lock()
_said: list[str] = []
_threads: list[threading.Thread] = []
_stop = Stop()
_enough = [inf]  # seconds of work after which code is made in any case


@atexit.register
def _end() -> None:
    """Stop all threads at exit, since none may be inside LLVM; processes that make code go on."""
    for tiers in _everything():
        # The time of short runs adds up, unless the code is there or being made.
        missing = tiers.function is None and not tiers.failure
        if tiers._key and missing and tiers._asked == _TO_LOAD:
            code_cache.spend(tiers._key, tiers._seconds)
    _stop.set()
    with suppress(KeyboardInterrupt):
        for thread in _threads:
            thread.join()
