"""Look-up tables as machine code: the only module that imports llvmlite, of the extra ``fast``.

`build` may take seconds and is meant for a process of its own (`advisor.asp.apart`); what it
returns can be kept, and `Function` loads it within milliseconds. It is for this very processor.
"""

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass, fields
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

_VERSION = 3
"""To be counted up when the same tables become other code, or code is to be called differently."""

QUICK = 40_000
"""Beyond so many gates or tables LLVM is asked not to optimise: that takes a third of the time, and
its code a quarter to a half more."""

SECONDS = 4e-4
"""To make the code of a gate."""

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
        return key(self)

    def tables(self) -> Tables:
        """See `advisor.asp.luts`."""
        return luts.value_tables(self.inputs, self.gates, self.weights, self.certain)

    @property
    def seconds(self) -> float:
        """What making the code takes, about."""
        return SECONDS * len(self.gates)

    @property
    def what(self) -> str:
        """Nothing that one would wait for."""
        return ""

    def build(self) -> bytes:
        """See `build`."""
        return build(self)

    @staticmethod
    def load(made: bytes) -> "Function":
        """See `Function`."""
        return Function(made)


@dataclass(frozen=True, slots=True)
class Outputs:
    """A circuit of which every output counts: 64 of them are a word of a state's result.

    Attributes:
        inputs, gates: the circuit.
        outputs: literals, as many as fill words.
        bits: where each input is found, as for `Value`.
        words: that it reads of each state.
    """

    inputs: range
    gates: Sequence[Gate]
    outputs: Sequence[int]
    bits: Sequence[int]
    words: int

    def tables(self) -> Tables:
        """See `advisor.asp.luts`."""
        mapper = luts.Mapper(self.inputs, self.gates)
        return mapper.tables([mapper.literal(output) for output in self.outputs])


@dataclass(frozen=True, slots=True)
class Host:
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


def key(*circuits: Value | Outputs) -> str:
    """A name for the code of circuits on this machine: equal if and only if the code would be."""
    parts: list[object] = [_VERSION, host()]
    for each in circuits:
        gates = [(g.result, g.op.name, g.operands, g.bound) for g in each.gates]
        others = [getattr(each, field.name) for field in fields(each) if field.name != "gates"]
        parts += [type(each).__name__, gates, others]
    return sha256(repr(parts).encode()).hexdigest()


def build(circuit: Value | Outputs, quick: bool = False) -> bytes:
    """Machine code for this processor, compared with its tables on random states.

    Args:
        circuit: what it computes.
        quick: LLVM is not to optimise, as it does not where there are very many tables.

    Raises:
        NativeError: LLVM cannot make it, or it is wrong.
    """
    tables = circuit.tables()
    quick = quick or len(tables.luts) > QUICK
    made = compile_tables(tables, circuit.bits, circuit.words, 0 if quick else 1)
    try:
        check(Function(made), tables, circuit.bits)
    except (OSError, RuntimeError) as error:
        raise NativeError(str(error)) from None
    return made


def compile_tables(tables: Tables, bits: Sequence[int], words: int, optimisation: int = 1) -> bytes:
    """Machine code that is not checked.

    Args:
        tables, bits, words: as for `advisor.asp.vector_code.generate`.
        optimisation: LLVM's level.

    Raises:
        NativeError: LLVM cannot make it.
    """
    here = host()
    code = vector_code.generate(tables, bits, words, here.lanes, here.ternary)
    try:
        module = binding().parse_assembly(code.text)
        compiled = target_machine(optimisation).emit_object(module)
    except RuntimeError as error:
        raise NativeError(str(error)) from None
    return _HEADER.pack(code.lanes, code.words, code.results, code.planes) + bytes(compiled)


_HEADER = struct.Struct("<4I")


class Loaded:
    """Machine code in memory, as long as this object lives.

    Args:
        code: an object file for this processor.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, code: bytes) -> None:
        llvm = binding()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(1))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function is.

        Raises:
            RuntimeError: there is none of this name.
        """
        found: int = self._engine.get_function_address(name)
        if not found:
            raise RuntimeError(f"it has no {name}")
        return found


class Function:
    """Loaded machine code. One object is not to be called by two threads at once.

    Attributes:
        words: of a state.
        block: states that it works on at once.
        address: where it is; called as `advisor.asp.vector_code.ENTRY` says.

    Args:
        made: by `build` on a machine like this one.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, made: bytes) -> None:
        lanes, self.words, self._results, planes = _HEADER.unpack_from(made)
        self.block = 64 * lanes
        self._code = Loaded(made[_HEADER.size :])
        self.address = self._code.address(vector_code.ENTRY)
        pointer, word = ctypes.c_void_p, ctypes.c_int64
        self._run = ctypes.CFUNCTYPE(None, pointer, word, word, pointer, pointer, word)(
            self.address
        )
        self._planes = planes
        self._scratch = self.scratch()

    def scratch(self) -> Words:
        """Memory for one thread to call it with."""
        lanes = self.block // 64
        memory = np.zeros(lanes * (self._planes + 1), np.uint64)
        start = -memory.ctypes.data % (8 * lanes) // 8
        return memory[start : start + lanes * self._planes]

    def __call__(self, rows: Words, shared: int) -> Words:
        """Evaluates a batch.

        Args:
            rows: shape (states, words).
            shared: the word whose bits are the same for all states.

        Returns:
            shape (results, states).
        """
        count = len(rows)
        blocks = -(-count // self.block)
        columns = np.zeros((self.words, blocks * self.block), np.uint64)
        columns[:, :count] = rows.T
        results = np.empty((self._results, blocks * self.block), np.uint64)
        self._run(
            columns.ctypes.data,
            blocks * self.block,
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
def binding() -> Any:
    """LLVM, ready for this processor."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def host() -> Host:
    """This processor and its compiler."""
    llvm = binding()
    from llvmlite import __version__

    found = llvm.get_host_cpu_features()
    wide = found.get("avx512f", False)
    return Host(
        __version__,
        tuple(llvm.llvm_version_info),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        found.flatten(),
        8 if wide else 4 if found.get("avx2", False) else 2,
        wide,
    )


def target_machine(optimisation: int) -> Any:
    """What makes code for this processor; a new one each time: a compiler owns what it is given."""
    here = host()
    return (
        binding()
        .Target.from_triple(here.triple)
        .create_target_machine(
            cpu=here.cpu,
            features=here.features,
            opt=optimisation,
            reloc="pic",
            codemodel="jitdefault",
        )
    )
