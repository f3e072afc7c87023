"""Watches a grounding in another process: says that it takes long, and which rule is to blame."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from aspcircuits.child import Child, pack_work
from aspcircuits.errors import InputError
from aspcircuits.stopping import POLL
from aspcircuits.texts import file_name

if TYPE_CHECKING:
    from aspcircuits.growth import BusyRule

TOLD_AFTER = 5.0
"""Seconds of grounding after which a listener is told."""

_LOOKED_AFTER = 2.0
"""Seconds of grounding after which the rule is looked for, so that it is known in time."""

_LOOKING = 3.0
"""Seconds for finding the rule at first; one without variables cannot be counted."""

_LOOKED_LONGEST = 24.0
"""Seconds for finding it at last, where other work slows everything down."""


@dataclass(frozen=True, slots=True)
class SlowGrounding:
    """A program that clingo still grounds after some time, or that has reached a limit.

    Attributes:
        what: names of its files.
        rule: the rule that is tried most often, if one is.
    """

    what: str
    rule: "BusyRule | None"

    def __str__(self) -> str:
        return self.describe(f"still grounding after {TOLD_AFTER:g} s")

    def describe(self, fault: str, advice: str = "") -> str:
        """Say what is the matter with the program, in one line that begins with the place.

        Args:
            fault: the predicate of the sentence.
            advice: what else to say if no rule is known.
        """
        if self.rule is None:
            return f"{self.what}: {fault}{advice}"
        if not self.rule.file:
            return f"{self.what}: {fault}: {self.rule}"
        line = self.rule.line
        for name in self.what.split(", "):
            if Path(name).name == Path(self.rule.file).name:
                return f"{name}:{line}: {fault}: {self.rule}"
        return f"{self.what}: {fault}: {file_name(self.rule.file)}:{line}: {self.rule}"


Tell = Callable[[SlowGrounding], object]

_listener: ContextVar[Tell | None] = ContextVar("listener", default=None)


@contextmanager
def tell_slow_groundings(tell: Tell) -> Iterator[None]:
    """Call a function for each piece of work that grounds for longer than `TOLD_AFTER`.

    It is called again if the rule is found only later. This holds for work of `own_process.run` in
    this context, in this thread.
    """
    before = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(before)


class GroundingWatch:
    """Watches what another process grounds, for one piece of work.

    Args:
        what: names of the files for errors.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._tell = _listener.get()
        self._told = False
        self._under_way: tuple[Any, float] | None = None  # a grounding and when it began
        self._look: _Look | None = None

    def receive(self, note: Any) -> None:
        """Take a note of the process: the `Grounding` that begins, None at its end."""
        self._under_way = None if note is None else (note, monotonic())

    def follow(self) -> None:
        """Tell the listener if the grounding takes long; to be called again and again."""
        under_way = self._under_way  # another thread may change it at any time
        if self._tell is None or under_way is None:
            return
        grounding, begun = under_way
        took = monotonic() - begun
        if took < _LOOKED_AFTER:
            return
        look = self._look_at(grounding)
        if took < TOLD_AFTER or not look.is_over:
            return
        if look.rule is not None or not self._told:
            self._tell(SlowGrounding(self._what, look.rule))
            self._told = True
        if look.rule is None and look.seconds < _LOOKED_LONGEST:
            look.end()
            self._look = _Look(grounding, 2 * look.seconds)
        else:
            self._tell = None

    def find_slow(self, check: Callable[[], object]) -> SlowGrounding:
        """Find the rule after a limit was reached, perhaps amid a grounding.

        Args:
            check: is called again and again; it may raise an error.
        """
        under_way = self._under_way
        if under_way is None:
            return SlowGrounding(self._what, None)
        look = self._look_at(under_way[0])
        while not look.is_over:
            sleep(POLL)
            check()
        return SlowGrounding(self._what, look.rule)

    def end(self) -> None:
        """End the search for the rule."""
        if self._look is not None:
            self._look.end()
            self._look = None

    def _look_at(self, grounding: Any) -> "_Look":
        if self._look is None or self._look.grounding is not grounding:
            self.end()
            self._look = _Look(grounding, _LOOKING)
        return self._look


class _Look:
    """A search for the busiest rule of a program, in another process.

    Attributes:
        grounding: the program.
        seconds: time for the search.
        rule: the rule, once it is found.
    """

    def __init__(self, grounding: Any, seconds: float) -> None:
        self.grounding = grounding
        self.seconds = seconds
        self.rule: BusyRule | None = None
        self._until = inf
        self._child = Child()
        self._thread = threading.Thread(target=self._find, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        return not self._thread.is_alive() or monotonic() > self._until

    def end(self) -> None:
        self._child.kill()
        self._thread.join()
        self._child.end()

    def _find(self) -> None:
        """Do the work of the thread; a rule that cannot be found is no error."""
        from aspcircuits.growth import find_busiest  # which most programs never need

        if self.grounding.has_functions:
            return
        with suppress(EOFError, ValueError, InputError):
            nothing = replace(self.grounding, files=(), given="", rules="")
            self._child.do(pack_work(find_busiest, (nothing,)))  # now it has all modules
            self._until = monotonic() + self.seconds
            done, found = self._child.do(pack_work(find_busiest, (self.grounding,)))
            self.rule = found if done else None
