"""Compiled Python functions that need no Python to run: made once a computer, then loaded.

They are written in modules that `compiling` translates, which takes seconds.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any

from advisor.circuits import code_cache, llvm


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of one module, made together; they are an `advisor.circuits.tiers.Recipe`.

    Attributes:
        module, names: where they are written, and what they are called there.
        what, seconds: see `Recipe`.
    """

    module: str
    names: tuple[str, ...]
    what: str
    seconds: float = 2.0

    def key(self) -> str:
        told = llvm.host(), version("numba"), self.names
        return code_cache.key(told, self.module, __name__)

    def maker(self) -> Callable[[], bytes]:
        return self._build

    def _build(self) -> bytes:
        try:
            compiling = import_module("advisor.circuits.compiling")
            module = import_module(self.module)
            made: bytes = compiling.object_code(getattr(module, name) for name in self.names)
        except (ImportError, RuntimeError) as error:
            raise llvm.NativeError(str(error)) from None
        return made

    def load(self, made: bytes) -> "Library":
        return Library(made, self.names)


class Library:
    """Loaded functions of integers, see `llvm.Loaded`; other threads go on while one runs.

    Attributes:
        addresses: where they are, by name.
    """

    def __init__(self, made: bytes, names: tuple[str, ...]) -> None:
        self._code = llvm.Loaded(made)
        self.addresses = {name: self._code.address(name) for name in names}

    def function(self, name: str, arguments: int) -> Callable[..., int]:
        """One of them, to be called with so many integers."""
        word = ctypes.c_int64
        call: Any = ctypes.CFUNCTYPE(word, *[word] * arguments)(self.addresses[name])
        call.library = self  # its memory is where the code lies
        found: Callable[..., int] = call
        return found
