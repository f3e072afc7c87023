"""From NumPy to machine code while the work goes on, once that pays.

Short work is done sooner without: importing LLVM takes longer than the whole of it. So `Tiers`
counts the time that NumPy, or Python, has spent on what the code is for. After a little of it, code
that an earlier run has kept is loaded; after about as much as compiling would take, code is made,
by another process, while the work goes on. Where code cannot be made or run, that is said once and
all of the work is done without.
"""

import atexit
import sys
import threading
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from advisor.asp import apart, code_cache, native
from advisor.asp.native import NativeError
from advisor.errors import EncodingError
from advisor.limits import Stop

_WORTH_LOADING = 0.2
"""Seconds of NumPy after which kept code is loaded; that takes a third of them."""

F_co = TypeVar("F_co", covariant=True)
"""What runs the code."""


class Source(Protocol[F_co]):
    """What code is made of: the value of a circuit, or a kernel."""

    @property
    def worth_making(self) -> float:
        """Seconds of work without the code after which it is made."""

    def key(self) -> str:
        """A name for its code on this machine."""

    def build(self) -> bytes:
        """New code, by whatever process."""

    def load(self, made: bytes) -> F_co:
        """The code in this process."""


class Tiers(Generic[F_co]):
    """The machine code of something, if there is any yet.

    Attributes:
        source: what the code is made of.
        function: None as long as the work is done without.
    """

    def __init__(self, source: Source[F_co]) -> None:
        self.function: F_co | None = None
        self.source = source
        self._seconds = 0.0
        self._next = _WORTH_LOADING if native.available() else float("inf")
        self._making = max(_WORTH_LOADING, source.worth_making)

    def spent(self, seconds: float) -> None:
        """Some more seconds of work were spent without the code."""
        self._seconds += seconds
        if self._seconds < self._next:
            return
        make = self._seconds >= self._making
        self._next = float("inf") if make else self._making
        thread = threading.Thread(target=self._get_quietly, args=(make,), daemon=True)
        _threads[:] = [other for other in _threads if other.is_alive()]
        _threads.append(thread)
        thread.start()

    def now(self) -> F_co | None:
        """The machine code, made at once if need be; None where that is not possible.

        Raises:
            KeyboardInterrupt: it was to stop.
        """
        if self.function is None and native.available():
            self._next = float("inf")
            self._get(make=True)
        return self.function

    def _get_quietly(self, make: bool) -> None:
        with suppress(KeyboardInterrupt):  # the process ends, and nobody waits for the code
            self._get(make)

    def _get(self, make: bool) -> None:
        try:
            key = self.source.key()
            kept = code_cache.read(key)
            if kept is None and make:
                try:
                    kept = apart.run(_made, self.source, key, what="machine code", stop=_stop)
                except EncodingError:
                    raise NativeError("the process that makes it died") from None
            if kept is not None:
                self.function = self.source.load(kept)
        except (NativeError, RuntimeError, OSError, ImportError) as error:
            self._next = float("inf")
            _say(str(error))


def _made(source: Source[F_co], key: str) -> bytes:
    """New code, kept for later runs; done by another process."""
    with code_cache.alone():
        made = code_cache.read(key)
        if made is None:
            made = source.build()
            code_cache.write(key, made)
    return made


def _say(reason: str) -> None:
    if not _said:
        _said.append(reason)
        line = " ".join(reason.split())
        print(f"note: no machine code ({line}); work that lasts takes longer", file=sys.stderr)


_said: list[str] = []
_threads: list[threading.Thread] = []
_stop = Stop()


@atexit.register
def _end() -> None:
    """No thread may be inside LLVM when the process ends."""
    _stop.set()
    for thread in _threads:
        thread.join()
