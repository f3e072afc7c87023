"""Look-up tables as machine code: the only module that imports llvmlite, of the extra ``fast``.

`build` may take seconds and is meant for a process of its own (`advisor.asp.apart`); what it
returns can be kept, and `Function` loads it within milliseconds. It is for this very processor.
"""

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.asp import bitplanes, luts, vector_code
from advisor.asp.gates import Gate
from advisor.asp.luts import Tables

Words = npt.NDArray[np.uint64]

_VERSION = 1
"""To be counted up when the same tables become other code, or code is to be called differently."""

_QUICK = 40_000
"""Beyond so many tables LLVM is asked not to optimise: a third of the time, half the speed."""

_WORTH_MAKING = 4e-4
"""Seconds of NumPy, for each gate, after which code is made: about what making it takes."""

_CHECKED = 4096
"""Random states on which new code is compared with its tables."""


class NativeError(Exception):
    """Machine code cannot be made, or is wrong; says why."""


@dataclass(frozen=True, slots=True)
class Value:
    """A circuit and weights: what a state is worth, see `advisor.asp.luts.value_tables`.

    Attributes:
        inputs, gates: the circuit.
        weights: pairs of a literal and its weight.
        certain: pairs of a literal that decides the value and that value.
        bits: where each input is found, see `advisor.asp.vector_code.generate`.
        words: of a state.
    """

    inputs: range
    gates: Sequence[Gate]
    weights: Sequence[tuple[int, int]]
    certain: Sequence[tuple[int, int]]
    bits: Sequence[int]
    words: int

    def key(self) -> str:
        """A name for its code on this machine: equal if and only if the code would be."""
        gates = [(g.result, g.op.name, g.operands, g.bound) for g in self.gates]
        rest = self.inputs, self.weights, self.certain, self.bits, self.words
        return key(gates, *rest)

    def build(self) -> bytes:
        """See the function `build`."""
        return build(self)

    def load(self, made: bytes) -> "Function":
        """See `Function`."""
        return Function(made)

    @property
    def worth_making(self) -> float:
        """Seconds of NumPy after which code is made."""
        return _WORTH_MAKING * len(self.gates)


@dataclass(frozen=True, slots=True)
class _Host:
    """What code depends on; `lanes` are the words of a vector."""

    llvmlite: str
    llvm: tuple[int, ...]
    triple: str
    cpu: str
    features: str
    lanes: int
    ternary: bool


def available() -> bool:
    """Whether the extra ``fast`` is installed."""
    return find_spec("llvmlite") is not None


def key(*parts: object) -> str:
    """A name for code on this machine: equal if and only if the parts are, as they are printed."""
    return sha256(repr((_VERSION, _host(), *parts)).encode()).hexdigest()


def build(value: Value) -> bytes:
    """Machine code for this processor, compared with its tables on random states.

    Raises:
        NativeError: LLVM cannot make it, or it is wrong.
    """
    tables = luts.value_tables(value.inputs, value.gates, value.weights, value.certain)
    made = compile_tables(tables, value.bits, value.words)
    try:
        check(Function(made), tables, value.bits)
    except (OSError, RuntimeError) as error:
        raise NativeError(str(error)) from None
    return made


def compile_tables(tables: Tables, bits: Sequence[int], words: int) -> bytes:
    """Machine code that is not checked.

    Args:
        tables, bits, words: as for `advisor.asp.vector_code.generate`.

    Raises:
        NativeError: LLVM cannot make it.
    """
    host = _host()
    code = vector_code.generate(tables, bits, words, host.lanes, host.ternary)
    compiled = emit(code.text, 0 if len(tables.luts) > _QUICK else 1)
    return _HEADER.pack(code.lanes, code.words, code.results, code.planes) + compiled


_HEADER = struct.Struct("<4I")


def emit(text: str, optimisation: int, but: str | None = None) -> bytes:
    """Object code of a program of LLVM.

    Args:
        text: the program.
        optimisation: 0 to 3.
        but: what the names of functions begin with that the program has and does not need.

    Raises:
        NativeError: LLVM cannot make it.
    """
    try:
        module = _llvm().parse_assembly(text)
        for function in module.functions:
            if but and function.name.startswith(but) and not function.is_declaration:
                function.linkage = "available_externally"
        return bytes(_machine(optimisation).emit_object(module))
    except RuntimeError as error:
        raise NativeError(str(error)) from None


class Loaded:
    """Object code that can be run as long as this object lives.

    Attributes:
        address: of its entry.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, code: bytes, entry: str) -> None:
        llvm = _llvm()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(1))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.address: int = self._engine.get_function_address(entry)
        if not self.address:
            raise RuntimeError("it has no entry")


class Function:
    """Loaded machine code. One object is not to be called by two threads at once.

    Attributes:
        words: of a state.

    Args:
        made: by `build` on a machine like this one.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, made: bytes) -> None:
        lanes, self.words, self._results, planes = _HEADER.unpack_from(made)
        self._block = 64 * lanes
        self._loaded = Loaded(made[_HEADER.size :], vector_code.ENTRY)
        pointer, word = ctypes.c_void_p, ctypes.c_int64
        prototype = ctypes.CFUNCTYPE(None, pointer, word, word, pointer, pointer, word)
        self._run = prototype(self._loaded.address)
        memory = np.zeros(lanes * (planes + 1), np.uint64)
        start = -memory.ctypes.data % (8 * lanes) // 8
        self._scratch = memory[start : start + lanes * planes]

    def __call__(self, rows: Words, shared: int) -> Words:
        """Evaluates a batch.

        Args:
            rows: shape (states, words).
            shared: the word whose bits are the same for all states.

        Returns:
            shape (results, states).
        """
        count = len(rows)
        blocks = -(-count // self._block)
        columns = np.zeros((self.words, blocks * self._block), np.uint64)
        columns[:, :count] = rows.T
        results = np.empty((self._results, blocks * self._block), np.uint64)
        self._run(
            columns.ctypes.data,
            blocks * self._block,
            shared,
            results.ctypes.data,
            self._scratch.ctypes.data,
            blocks,
        )
        return results[:, :count]


def check(function: Function, tables: Tables, bits: Sequence[int]) -> None:
    """Compares code with its tables; the shared word is all zeros for one half, then all ones."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 1 << 64, (_CHECKED, function.words), np.uint64)
    rows[::2] &= rng.integers(0, 1 << 64, rows[::2].shape, np.uint64)
    shared = np.repeat([0, -1], _CHECKED // 128).astype(np.int64).view(np.uint64)
    planes = np.concatenate((bitplanes.transpose(rows), np.tile(shared, (64, 1))))[list(bits)]
    expected = bitplanes.rows(luts.evaluate(tables, planes)).view(np.uint64).T
    halves = np.split(rows, 2)
    found = np.concatenate((function(halves[0], 0), function(halves[1], -1)), axis=1)
    if not np.array_equal(found, expected):
        raise NativeError("it disagrees with the circuit")


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _host() -> _Host:
    llvm = _llvm()
    from llvmlite import __version__

    found = llvm.get_host_cpu_features()
    wide = found.get("avx512f", False)
    return _Host(
        __version__,
        tuple(llvm.llvm_version_info),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        found.flatten(),
        8 if wide else 4 if found.get("avx2", False) else 2,
        wide,
    )


def _machine(optimisation: int) -> Any:
    """A new one each time: the compiler that it is given to owns it."""
    host = _host()
    return (
        _llvm()
        .Target.from_triple(host.triple)
        .create_target_machine(
            cpu=host.cpu,
            features=host.features,
            opt=optimisation,
            reloc="pic",
            codemodel="jitdefault",
        )
    )
