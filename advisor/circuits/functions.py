"""Compiled Python functions that need no Python to run: made once a computer, then loaded.

They are written in modules that `compiling` translates, which takes seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from advisor.circuits import code_cache, llvm
from advisor.circuits.llvm import Library


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

    def load(self, made: bytes) -> Library:
        return Library(made)
