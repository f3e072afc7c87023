"""LLVM: the only import of llvmlite apart from Numba's, of the extra ``fast``.

Importing this module is as cheap as possible, since other processes start with it.
"""

import atexit
import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any
from weakref import WeakSet

from aspcircuits.installed import is_installed


class NativeError(Exception):
    """Machine code that cannot be made, or is wrong; the message says why."""


@dataclass(frozen=True, slots=True)
class Host:
    """Everything that code depends on; `lanes` is the number of words in a vector."""

    llvmlite: str
    llvm: tuple[int, ...]
    triple: str
    cpu: str
    features: str
    lanes: int
    ternary: bool


def available() -> bool:
    """Return whether the extra ``fast`` is installed."""
    return is_installed("llvmlite")


def assemble_module(text: str, optimisation: int) -> bytes:
    """Return the object file of a module in LLVM's assembly; see `object_file`.

    Raises:
        RuntimeError: it cannot be assembled.
    """
    return object_file(binding().parse_assembly(text), optimisation)


def object_file(module: Any, optimisation: int) -> bytes:
    """Return a module's object file for this processor, at a level of optimisation."""
    # Without optimisation, each call of an intrinsic is selected and ordered alone, and the usual
    # way to order it takes half of the whole time. The option is for all of the process.
    order = "default" if optimisation else "linearize"
    binding().set_option("", f"-pre-RA-sched={order}")
    made: bytes = target_machine(optimisation).emit_object(module)
    return made


class Library:
    """Machine code in memory, as long as this object or one of its functions lives.

    Args:
        objects: object files for this processor.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, *objects: bytes) -> None:
        llvm = binding()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(1))
        with _adding:
            _loaded.add(self)
        for each in objects:
            self.engine.add_object_file(llvm.ObjectFileRef.from_data(each))
        self.engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a function; raise a RuntimeError if there is none of this name."""
        found: int = self.engine.get_function_address(name)
        if not found:
            raise RuntimeError(f"it has no {name}")
        return found

    def function(self, name: str, arguments: int) -> Callable[..., int]:
        """Return a function of `arguments` 64-bit integers; other threads run on during a call."""
        word = ctypes.c_int64
        call: Any = ctypes.CFUNCTYPE(word, *[word] * arguments)(self.address(name))
        call.library = self  # it owns the memory of the code
        found: Callable[..., int] = call
        return found


_loaded: WeakSet[Library] = WeakSet()
_adding = Lock()


@atexit.register
def _leave() -> None:
    """Detach loaded code at exit: a thread may still run it after LLVM is gone."""
    with _adding:
        for code in _loaded:
            code.engine.detach()


@cache
def binding() -> Any:
    """Return llvmlite's binding, initialised for this processor."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def host() -> Host:
    """Return a description of this processor and its compiler."""
    llvm = binding()
    from llvmlite import __version__

    found = llvm.get_host_cpu_features()
    wide = found.get("avx512f", False)
    lanes = 8 if wide else 4 if found.get("avx2", False) else 2
    version, triple = tuple(llvm.llvm_version_info), llvm.get_process_triple()
    cpu, features = llvm.get_host_cpu_name(), found.flatten()
    return Host(__version__, version, triple, cpu, features, lanes, wide)


def target_machine(optimisation: int) -> Any:
    """Return a new code generator for this processor: a compiler takes ownership of its own."""
    here = host()
    target = binding().Target.from_triple(here.triple)
    kind = {"reloc": "pic", "codemodel": "jitdefault", "opt": optimisation}
    return target.create_target_machine(cpu=here.cpu, features=here.features, **kind)
