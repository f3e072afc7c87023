"""Compiled Python functions that need no Python to run: compiled once on a computer, then loaded.

Their source modules are compiled by `compiling`, which takes seconds.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from aspcircuits import code_cache, llvm
from aspcircuits.llvm import Library


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of one module, compiled together; an `aspcircuits.tiers.Recipe`.

    Attributes:
        module, names: their module, and their names in it.
        what, seconds: see `Recipe`.
    """

    module: str
    names: tuple[str, ...]
    what: str
    seconds: float = 2.0

    def key(self) -> str:
        return code_cache.key(self.module, (llvm.host(), version("numba"), self.names))

    def build(self) -> bytes:
        compiling = import_module("aspcircuits.compiling")
        module = import_module(self.module)
        made: bytes = compiling.object_code(getattr(module, name) for name in self.names)
        return made

    def load(self, made: bytes) -> Library:
        return Library(made)
