"""Compiled Python functions that need no Python to run: made once a computer, then loaded.

They are written in modules that `advisor.asp.compiling` translates. Making them takes seconds and
is meant for a process of its own (`advisor.asp.apart`); loading what was kept takes milliseconds.
"""

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from advisor.asp import llvm

_COMPILER = "advisor.asp.compiling"

_ROOT = Path(__file__).parents[2]
"""Where the package is."""

_IMPORT = re.compile(r"^from (advisor[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of one module, to be made together.

    Attributes:
        module: where they are written.
        names: of the functions.
        what: they are, for who has to wait.
        seconds: of other work after which they are worth making.
    """

    module: str
    names: tuple[str, ...]
    what: str
    seconds: float

    def key(self) -> str:
        """A name for their code on this machine: equal if and only if the code would be."""
        sources = texts_of(self.module, _COMPILER)
        made_by = llvm.host(), version("numba"), self.names
        return sha256(repr((made_by, sources)).encode()).hexdigest()

    def maker(self) -> Callable[[], bytes]:
        """See `build`."""
        return self.build

    def build(self) -> bytes:
        """Their code; takes seconds.

        Raises:
            NativeError: it cannot be made.
        """
        try:
            compiling = import_module(_COMPILER)
            module = import_module(self.module)
            made: bytes = compiling.object_code(getattr(module, name) for name in self.names)
        except (ImportError, RuntimeError) as error:
            raise llvm.NativeError(str(error)) from None
        return made

    def load(self, made: bytes) -> "Library":
        """See `Library`."""
        return Library(made, self.names)


def texts_of(*modules: str) -> list[str]:
    """The texts of some modules of this package and of all that they import of it.

    What code is made of follows from them, so that code that was kept is never older.
    """
    found: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        file = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
        if not file.is_file():
            continue  # a folder, or a name in a module, whose own text is among these
        found[module] = file.read_text("utf-8")
        for where, names in _IMPORT.findall(found[module]):
            waiting.append(where)
            waiting += [f"{where}.{name}" for name in re.findall(r"\w+", names)]
    return [text for _, text in sorted(found.items())]


class Library:
    """Loaded functions of integers; other threads go on while one runs.

    Attributes:
        addresses: where they are, by name.

    Raises:
        RuntimeError, OSError: they cannot be loaded.
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
