"""From NumPy to machine code while the work goes on, once that pays.

Short work is done sooner by NumPy alone: importing LLVM takes longer than the whole of it. So
`Tiers` counts the time that NumPy has spent on a circuit. After a little of it, code that an
earlier run has kept is loaded; after about as much as compiling would take, code is made, by
another process, while NumPy goes on. Where code cannot be made or run, that is said once and NumPy
does all of the work.
"""

import atexit
import sys
import threading
from contextlib import suppress

from advisor.asp import apart, code_cache, native
from advisor.asp.native import Function, NativeError, Value
from advisor.errors import EncodingError
from advisor.limits import Stop

_WORTH_LOADING = 0.2
"""Seconds of NumPy after which kept code is loaded; that takes a third of them."""

_WORTH_MAKING = 4e-4
"""Seconds of NumPy, for each gate, after which code is made."""


class Tiers:
    """The machine code of a circuit, if there is any yet.

    Attributes:
        value: what the code is made of.
        function: None as long as NumPy does the work.
    """

    def __init__(self, value: Value) -> None:
        self.function: Function | None = None
        self.value = value
        self._seconds = 0.0
        self._next = _WORTH_LOADING if native.available() else float("inf")
        self._making = max(_WORTH_LOADING, _WORTH_MAKING * len(value.gates))

    def spent(self, seconds: float) -> None:
        """NumPy has spent some more seconds on the circuit."""
        self._seconds += seconds
        if self._seconds < self._next:
            return
        make = self._seconds >= self._making
        self._next = float("inf") if make else self._making
        thread = threading.Thread(target=self._get_quietly, args=(make,), daemon=True)
        _threads[:] = [other for other in _threads if other.is_alive()]
        _threads.append(thread)
        thread.start()

    def now(self) -> Function | None:
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
            key = self.value.key()
            kept = code_cache.read(key)
            if kept is None and make:
                try:
                    kept = apart.run(_made, self.value, key, what="machine code", stop=_stop)
                except EncodingError:
                    raise NativeError("the process that makes it died") from None
            if kept is not None:
                self.function = Function(kept)
        except (NativeError, RuntimeError, OSError, ImportError) as error:
            self._next = float("inf")
            _say(str(error))


def _made(value: Value, key: str) -> bytes:
    """New code, kept for later runs; done by another process."""
    with code_cache.alone():
        made = code_cache.read(key)
        if made is None:
            made = native.build(value)
            code_cache.write(key, made)
    return made


def _say(reason: str) -> None:
    if not _said:
        _said.append(reason)
        line = " ".join(reason.split())
        print(f"note: no machine code ({line}); NumPy does the work", file=sys.stderr)


_said: list[str] = []
_threads: list[threading.Thread] = []
_stop = Stop()


@atexit.register
def _end() -> None:
    """No thread may be inside LLVM when the process ends."""
    _stop.set()
    for thread in _threads:
        thread.join()
