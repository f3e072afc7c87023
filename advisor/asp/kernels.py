"""Functions in numba's part of Python as machine code, for `advisor.asp.tiers`.

numba is only imported by the process that makes code: what it makes is kept as LLVM's object code,
which is loaded without numba, and sooner.
"""

import ctypes
import struct
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path

from advisor.asp import native
from advisor.asp.native import NativeError

_HEADER = struct.Struct("<2I")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A function that takes addresses, raises nothing and needs nothing of Python's.

    Attributes:
        modules: names of those whose text it depends on. The first has the function, and
            `ARGUMENTS`, numba's types of its arguments; it imports numba, so nothing imports it
            but `build`.
        name: of the function.
        worth_making: seconds of work without it after which it is made.
    """

    modules: tuple[str, ...]
    name: str
    worth_making: float

    def key(self) -> str:
        """A name for its code on this machine: another one if the text of its modules changes."""
        return native.key(_numba(), self.name, *map(_text, self.modules))

    def build(self) -> bytes:
        """Code for this processor; takes seconds.

        Raises:
            NativeError: numba or LLVM cannot make it.
        """
        module, numba = import_module(self.modules[0]), import_module("numba")
        signature = numba.types.void(*module.ARGUMENTS)
        # numpy's way with errors is to raise none.
        function = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(
            getattr(module, self.name)
        )
        try:
            function.compile(signature)
        except numba.core.errors.NumbaError as error:
            raise NativeError(str(error)) from None
        entry: str = function.overloads[signature.args].fndesc.llvm_func_name
        code = native.emit(function.inspect_llvm(signature.args), 3, but="NRT_")
        made = _HEADER.pack(len(signature.args), len(entry)) + entry.encode() + code
        self.load(made)  # what cannot be loaded ends this process, not the one that asked
        return made

    def load(self, made: bytes) -> "Function":
        """See `Function`."""
        return Function(made)


class Function:
    """A loaded kernel.

    Threads may call it at the same time, with memory of their own; meanwhile it holds no lock of
    Python's.

    Args:
        made: by `Kernel.build` on a machine like this one.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, made: bytes) -> None:
        arguments, length = _HEADER.unpack_from(made)
        start = _HEADER.size + length
        self._loaded = native.Loaded(made[start:], made[_HEADER.size : start].decode())
        # numba's functions begin with where to put their result and what they raise.
        pointers = [ctypes.c_void_p] * (2 + arguments)
        self._run = ctypes.CFUNCTYPE(ctypes.c_int32, *pointers)(self._loaded.address)
        self._nothing = (ctypes.c_void_p * 2)()
        self._result = ctypes.addressof(self._nothing)

    def __call__(self, *addresses: int) -> None:
        self._run(self._result, self._result + 8, *addresses)


def available() -> bool:
    """Whether the extra ``fast`` is installed."""
    return find_spec("numba") is not None and native.available()


def _numba() -> str:
    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        raise NativeError("numba is not installed") from None


def _text(module: str) -> bytes:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_bytes()
