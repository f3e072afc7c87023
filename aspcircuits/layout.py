"""Memory that Python and compiled code share: words by their names, each declared once."""

import ctypes
from inspect import get_annotations
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T", bound="type[Layout]")
L = TypeVar("L", bound="Layout")


class Layout(ctypes.Structure):
    """Words of 64 bits, side by side: those of the base class first.

    A subclass declares them, ``words: int``, and is decorated with `layout`. Compiled code has them
    by the same names (`aspcircuits.compiling.record_at`).
    """

    def put(self, **words: Any) -> None:
        """Sets some words by their names.

        An array, or a list that `several` has made, is kept and given by its address.
        """
        for name, word in words.items():
            if isinstance(word, np.ndarray | list):
                vars(self)[f"_{name}"] = word
                word = word.ctypes.data if isinstance(word, np.ndarray) else word[0].address
            setattr(self, name, int(word))

    def array(self, name: str) -> Any:
        """What a word was set to, by whose address it was."""
        return vars(self)[f"_{name}"]

    @property
    def address(self) -> int:
        """Where the words are."""
        return ctypes.addressof(self)

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        """The same as NumPy and Numba call it."""
        fields = [vars(each).get("_fields_", ()) for each in reversed(cls.__mro__)]
        return np.dtype([(name, np.int64) for some in fields for name, _ in some])


def layout(declared: T) -> T:
    """Makes words of what a subclass of `Layout` declares."""
    names = get_annotations(declared)
    declared._fields_ = [(name, ctypes.c_int64) for name in names]
    return declared


def several(kind: type[L], count: int) -> list[L]:
    """So many of them, side by side in memory."""
    return [*(kind * count)()]
