"""Memory that Python and compiled code share: named words, each declared once."""

import ctypes
from inspect import get_annotations
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T", bound="type[Layout]")
L = TypeVar("L", bound="Layout")


class Layout(ctypes.Structure):
    """Words of 64 bits, side by side, the base class's first.

    A subclass declares them as ``words: int`` and is decorated with `layout`. Compiled code uses
    the same names (`aspcircuits.compiling.record_at`).
    """

    def set_words(self, **words: Any) -> None:
        """Set some words by their names.

        An array, or a list made by `several`, is kept alive, and its address is stored.
        """
        for name, word in words.items():
            if isinstance(word, np.ndarray | list):
                vars(self)[f"_{name}"] = word
                word = word.ctypes.data if isinstance(word, np.ndarray) else word[0].address
            setattr(self, name, int(word))

    def array(self, name: str) -> Any:
        """Return the array, or the list, whose address a word holds."""
        return vars(self)[f"_{name}"]

    @property
    def address(self) -> int:
        """The address of the words."""
        return ctypes.addressof(self)

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        """Return the record type of the words for NumPy and Numba."""
        fields = [vars(each).get("_fields_", ()) for each in reversed(cls.__mro__)]
        return np.dtype([(name, np.int64) for some in fields for name, _ in some])


def layout(declared: T) -> T:
    """Turn the declarations of a subclass of `Layout` into words."""
    names = get_annotations(declared)
    declared._fields_ = [(name, ctypes.c_int64) for name in names]
    return declared


def several(kind: type[L], count: int) -> list[L]:
    """Return `count` of them, side by side in memory."""
    return [*(kind * count)()]
