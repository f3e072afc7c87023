"""Programs that grow between one answer set and the next: guess, see what is wrong, guess again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Protocol, TypeVar

from advisor.asp.clingo_api import Program
from advisor.limits import POLL, Stop

T = TypeVar("T")


class NoAnswer(Enum):
    """Why there is no answer set."""

    NONE = "none is left"
    UNKNOWN = "none was found within the limits"


class Adding(Protocol):
    """What is added to a program: atoms by numbers, rules; without a head these are constraints."""

    def add_atom(self) -> int: ...

    def add_rule(self, head: Sequence[int], body: Sequence[int], choice: bool) -> None: ...


class GrowingProgram(Program):
    """A program that gets more atoms and constraints after it has been solved; see `Program`."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        # Atoms that are named by numbers only must not be simplified away before they are used.
        self._control.enable_cleanup = False

    @contextmanager
    def adding(self) -> Iterator[Adding]:
        """What adds to the program, until the context ends."""
        with self._control.backend() as backend:
            yield backend

    def guess(
        self, assumed: Sequence[int], read: Callable[[Callable[[int], bool]], T], stop: Stop
    ) -> T | NoAnswer:
        """What is read of an answer set, given the literals that are assumed.

        With the option ``--solve-limit`` clingo may give up; so it does when it is to stop.

        Args:
            read: gets a function that tells whether a literal holds.
        """
        with self._control.solve(assumed, yield_=True, async_=True) as handle:
            while not handle.wait(POLL):
                if stop.is_set():
                    handle.cancel()
                    return NoAnswer.UNKNOWN
            model = handle.model()
            if model is not None:
                return read(model.is_true)
            return NoAnswer.NONE if handle.get().unsatisfiable else NoAnswer.UNKNOWN
