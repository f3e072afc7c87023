"""What can serve one thread at a time: memory to work in, a program that clingo holds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Spares(Generic[T]):
    """Things alike, each for one thread at a time: as many as threads have needed at once.

    Args:
        make: makes one, which takes long; picklable, if whoever has these is to be pickled.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._idle: list[T] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes its own."""
        return Spares, (self._make,)

    @contextmanager
    def one(self) -> Iterator[T]:
        """One that nobody else has until the context ends."""
        try:
            thing = self._idle.pop()
        except IndexError:  # asked first, another thread could take the last one meanwhile
            thing = self._make()
        try:
            yield thing
        finally:
            self._idle.append(thing)
