"""A pool of objects that serve one thread at a time, such as work space or a program in clingo."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Spares(Generic[T]):
    """Interchangeable objects, each for one thread at a time: as many as threads need at once.

    Args:
        make: makes one, which takes long; picklable, if the owner is pickled.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._idle: list[T] = []

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the maker: another process makes its own objects."""
        return Spares, (self._make,)

    @contextmanager
    def one(self) -> Iterator[T]:
        """Lend an object that no other thread has until the context ends."""
        try:
            thing = self._idle.pop()
        except IndexError:  # with a test before it, another thread could take the last one
            thing = self._make()
        try:
            yield thing
        finally:
            self._idle.append(thing)
