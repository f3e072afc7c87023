"""Processes with limits of time and memory, for untrusted or unfinished programs.

On a system without such limits (Windows) only the clock bounds them; `has_bounds` tells.
"""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from advisor.errors import AdvisorError, InputError
from aspcircuits.child import Child, pack_work, send_note
from aspcircuits.watching import tell_slow_groundings

try:
    import resource
except ImportError:  # on Windows
    has_bounds = False
else:
    has_bounds = True

TellLine = Callable[[str], object]
"""Takes a line for whoever waits for the work."""

_ADVICE = "write fewer or smaller rules"

LONGEST = 2_000
"""Maximum letters of an error message that is passed on."""


def ignore(_text: str) -> None:
    """Do nothing with a text."""


@dataclass(frozen=True, slots=True)
class ProcessBounds:
    """Limits of a process.

    Attributes:
        seconds: processor time, which does not depend on the load of the machine.
        patience: seconds by the clock for one piece of work, in case a process waits for ever.
        memory: bytes, shared libraries included.
        file: bytes of a file that the process writes, such as a cached circuit.
    """

    seconds: int = 30
    patience: float = 300.0
    memory: int = 3 << 30
    file: int = 64 << 20

    @property
    def halved(self) -> "ProcessBounds":
        """These limits with half of the processor time."""
        return replace(self, seconds=max(1, self.seconds // 2))


BOUNDS = ProcessBounds()


class Confined:
    """A process with limits that does one piece of work after another, for one thread at a time.

    Args:
        bounds: the limits of the process.
        folder: if given, its full path is the first argument of all work; messages omit it.
        tell: is called with a line if the work takes long to ground a program.
    """

    def __init__(
        self, bounds: ProcessBounds, folder: Path | None = None, tell: TellLine = ignore
    ) -> None:
        self._folder, self._bounds, self._tell = folder, bounds, tell
        self._child = Child()
        self._note = ""
        self._late = False
        self._renewed = True

    def renew(self) -> None:
        """Grant the full processor time again, beginning with the next piece of work."""
        self._renewed = True

    def do(self, work: Callable[..., Any], *arguments: object) -> Any:
        """Call a function of a module in the process; its arguments and result are pickled.

        Raises:
            InputError: the work raised an error, or needs too much time or memory. After that the
                process may be dead.
        """
        timer = threading.Timer(self._bounds.patience, self._give_up)
        timer.start()
        bounds = self._bounds if self._renewed else None
        self._renewed = False
        self._note = ""
        place = () if self._folder is None else (str(self._folder),)
        packed = pack_work(_work_within, (bounds, work, place + arguments))
        try:
            done, found = self._child.do(packed, self._receive)
        except (EOFError, ValueError):
            raise self._refusal(self._exceeded()) from None
        finally:
            timer.cancel()
        if done:
            return found
        if isinstance(found, AdvisorError):
            raise InputError(self._without_folder(str(found)[:LONGEST]))
        if isinstance(found, MemoryError):
            raise self._refusal(f"{self._bounds.memory >> 20} MB")
        raise InputError(
            "cannot be used (the advisor itself failed, with "
            f"{type(found).__name__}; tell who runs it)"
        )

    def kill(self) -> None:
        """End the process even amid its work; any thread may call this."""
        self._child.kill()

    def end(self) -> None:
        """End the process, which is idle."""
        self._child.end()

    def _receive(self, note: object) -> None:
        """Pass on a text; the process may also report what it grounds itself."""
        if isinstance(note, str):
            self._note = self._without_folder(note)
            self._tell(self._note)

    def _give_up(self) -> None:
        self._late = True
        self._child.kill()

    def _exceeded(self) -> str:
        """Name the limit that a dead process has exceeded."""
        if self._late:
            return f"{self._bounds.patience:g} s"
        if "SIGXCPU" in self._child.death():
            return f"{self._bounds.seconds} s of processor time"
        return f"{self._bounds.memory >> 20} MB"

    def _refusal(self, bound: str) -> InputError:
        return InputError(f"needs more than {bound} ({self._note or _ADVICE})")

    def _without_folder(self, text: str) -> str:
        if self._folder is None:
            return text
        return text.replace(f"{self._folder}/", "").replace(str(self._folder), "the same folder")


def run(
    work: Callable[..., Any],
    *arguments: object,
    folder: Path | None = None,
    tell: TellLine = ignore,
) -> Any:
    """Do one piece of work in a process with the default limits; see `Confined`.

    >>> run(len, "abc")
    3
    """
    process = Confined(BOUNDS, folder, tell)
    try:
        return process.do(work, *arguments)
    finally:
        process.end()


def peak_memory(*_: object) -> int:
    """Return the most bytes of memory that this process has used, 0 where that is not known."""
    if not has_bounds:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _work_within(
    bounds: ProcessBounds | None, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> Any:
    """Do the work in the child, within new limits if any are given."""
    if bounds is not None and has_bounds:
        until = int(time.process_time()) + 1 + bounds.seconds
        # The soft limit ends the process; the hard one only caps later rises of the soft limit.
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
        for limit, most in (
            (resource.RLIMIT_AS, bounds.memory),
            (resource.RLIMIT_FSIZE, bounds.file),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(limit, (most, most))
    with tell_slow_groundings(lambda slow: send_note(str(slow))):
        return work(*arguments)
