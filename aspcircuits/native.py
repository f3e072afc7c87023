"""Look-up tables as machine code, with the extra ``fast``.

`build` may take seconds and is meant for a process of its own (`aspcircuits.own_process`), which
shares LLVM's part of the work with others. Its result can be cached, and `load` takes milliseconds.
The code is for this processor only.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from aspcircuits import bitplanes, code_cache, llvm, luts, own_process, vector_code
from aspcircuits.clingo_api import Term
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.gates import FALSE, Gate
from aspcircuits.llvm import NativeError
from aspcircuits.luts import Tables
from aspcircuits.spares import Spares
from aspcircuits.stopping import Stop
from aspcircuits.truth_tables import BLOCK, TruthTable, as_rows, blocks

WordArray = npt.NDArray[np.uint64]

Made = tuple[int, int, int, int, list[bytes]]
"""Lanes, words, results and planes of a `vector_code.Program`, and its object files."""

QUICK = 40_000
"""Number of tables beyond which LLVM does not optimise.

That takes a fifth of the time or less; the code is 10 to 20 % slower.
"""

SECONDS = 4e-4
"""Time to compile a gate."""

_CHECKED = 4096
"""Random states on which new code is compared with its tables."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """A circuit with all of its outputs: 64 of them are a word of a state's result.

    Attributes:
        outputs: literals, as many as fill words.
        bits: the place of each input, see `aspcircuits.vector_code.VectorProgram`.
        words: the words of a state that it reads.
    """

    inputs: range
    gates: Sequence[Gate]
    outputs: Sequence[int]
    bits: Sequence[int]
    words: int

    def tables(self) -> Tables:
        return luts.output_tables(self.inputs, self.gates, self.outputs)

    def key(self) -> str:
        return _key(self.gates, (self.inputs, [*self.outputs], self.bits, self.words))


@dataclass(frozen=True, slots=True)
class Value:
    """A circuit and weights that give the value of a state. An `aspcircuits.tiers.Recipe`.

    Attributes:
        weights, certain: see `aspcircuits.luts.value_tables`.
    """

    inputs: range
    gates: Sequence[Gate]
    weights: Sequence[tuple[int, int]]
    certain: Sequence[tuple[int, int]]
    bits: Sequence[int]
    words: int
    what: ClassVar = "what positions are worth"

    def tables(self) -> Tables:
        return luts.value_tables(self.inputs, self.gates, self.weights, self.certain)

    @property
    def seconds(self) -> float:
        return SECONDS * len(self.gates)

    def key(self) -> str:
        others = self.inputs, self.weights, self.certain, self.bits, self.words
        return _key(self.gates, others)

    def build(self) -> bytes:
        return build(self)

    @staticmethod
    def load(made: bytes) -> "Function":
        (function,) = load(made)
        return function


def _key(gates: Sequence[Gate], others: object) -> str:
    told = [(g.result, g.op.name, g.operands) for g in gates]
    return code_cache.key(__name__, (llvm.host(), told, others))


def build(*circuits: Value | Outputs) -> bytes:
    """Compile a function for each circuit, for this processor, and check it on random states.

    Raises:
        NativeError: LLVM cannot make it, or it is wrong.
    """
    tables = [each.tables() for each in circuits]
    optimisation = 0 if sum(len(its.luts) for its in tables) > QUICK else 1
    made = []
    for each, its in zip(circuits, tables, strict=True):
        made.append(compile_tables(its, each.bits, each.words, optimisation))
        try:
            check(Function(made[-1]), its, each.bits)
        except (OSError, RuntimeError) as error:
            raise NativeError(str(error)) from None
    return pickle.dumps(made)


def load(made: bytes) -> list["Function"]:
    """Load the functions of a `build`; see `Function`."""
    return [Function(each) for each in pickle.loads(made)]


def compile_tables(tables: Tables, bits: Sequence[int], words: int, optimisation: int = 1) -> Made:
    """Compile tables at one of LLVM's levels of optimisation, unchecked; see `vector_code.Program`.

    Raises:
        NativeError: LLVM cannot make it.
    """
    here = llvm.host()
    code = vector_code.VectorProgram(tables, bits, words, here.lanes, here.ternary)

    def task(number: int) -> tuple[str, int]:
        return code.module(number), optimisation

    try:
        objects = own_process.share(llvm.assemble_module, task, code.modules, what="machine code")
    except (EncodingError, RuntimeError) as error:
        raise NativeError(str(error)) from None
    return code.lanes, code.words, code.results, code.planes, objects


class Function:
    """Loaded machine code; several threads may call it.

    Attributes:
        words: of a state.
        block: states that it works on at once.
        address: of the code; see `aspcircuits.vector_code.ENTRY` for how to call it.
        scratch: allocates the memory with which one thread calls it.

    Args:
        made: by `compile_tables` on a machine like this one.

    Raises:
        RuntimeError, OSError: it cannot be loaded.
    """

    def __init__(self, made: Made) -> None:
        lanes, self.words, self._results, planes, objects = made
        self.block = 64 * lanes
        code = llvm.Library(*objects)
        self.address = code.address(vector_code.ENTRY)
        self._run = code.function(vector_code.ENTRY, 6)
        self.scratch = partial(_scratch, lanes, planes)
        self._scratches = Spares(self.scratch)

    def __call__(self, rows: WordArray, shared: int) -> WordArray:
        """Return results, shape (results, states), for rows of shape (states, words).

        All states have the bits of the shared word.
        """
        count = len(rows)
        blocks = max(1, -(-count // self.block))  # the code works on at least one
        size = blocks * self.block
        columns = np.zeros((self.words, size), np.uint64)
        columns[:, :count] = rows.T
        results = np.empty((self._results, size), np.uint64)
        given, made = columns.ctypes.data, results.ctypes.data
        with self._scratches.one() as scratch:
            self._run(given, size, shared, made, scratch.ctypes.data, blocks)
        return results[:, :count]


def _scratch(lanes: int, planes: int) -> WordArray:
    """Allocate `planes` planes, aligned like vectors."""
    memory = np.zeros(lanes * (planes + 1), np.uint64)
    start = -memory.ctypes.data % (8 * lanes) // 8
    return memory[start : start + lanes * planes]


def check(function: Function, tables: Tables, bits: Sequence[int]) -> None:
    """Compare code with its tables; the shared word is all zeros for one half, then all ones."""
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


class NativeCircuit:
    """A circuit as machine code; see `aspcircuits.circuit.Circuit.native`.

    Attributes:
        inputs, outputs: as in the circuit.
    """

    def __init__(
        self, inputs: Sequence[Term], outputs: Sequence[Term], function: "Function"
    ) -> None:
        self.inputs, self.outputs = inputs, outputs
        self._function = function

    @classmethod
    def of(
        cls,
        inputs: Sequence[Term],
        outputs: Sequence[Term],
        nodes: range,
        gates: Sequence[Gate],
        results: Sequence[int],
    ) -> "NativeCircuit":
        """Load the code that an earlier run has cached, or make it.

        Args: see `Circuit`.

        Raises:
            InputError: llvmlite is not installed.
            EncodingError: the code cannot be made.
        """
        if not llvm.available():
            raise InputError("machine code needs llvmlite (pip install llvmlite)")
        wide = 64 * _words(len(outputs))
        padded = [*results, *[FALSE] * wide][:wide]
        asked = Outputs(nodes, gates, padded, range(len(inputs)), _words(len(inputs)))
        made = code_cache.read(key := asked.key())
        if made is None:
            try:
                made = own_process.run(build, asked, what="machine code")
            except NativeError as error:
                raise EncodingError(f"machine code cannot be made ({error})") from None
            code_cache.write(key, made)
        (function,) = load(made)
        return cls(inputs, outputs, function)

    def evaluate(self, holds: npt.ArrayLike, *, stop: Stop | None = None) -> TruthTable:
        """Evaluate rows of truth values; see `Circuit.evaluate`."""
        bits, wide = as_rows(holds, len(self.inputs)), len(self.outputs)
        found = np.empty((len(bits), wide), np.bool_)
        for start in blocks(len(bits), stop):
            words = self._function(_as_words(bits[start : start + BLOCK]), 0)
            octets = np.ascontiguousarray(words.T).view(np.uint8)
            bits_of = np.unpackbits(octets.ravel(), bitorder="little").reshape(len(octets), -1)
            found[start : start + BLOCK] = bits_of[:, :wide]
        return found

    def planes(self, planes: bitplanes.Planes) -> bitplanes.Planes:
        """Evaluate packed rows; see `Circuit.planes`. Rows of truth values are faster here."""
        rows = 64 * planes.shape[1]
        return bitplanes.pack(self.evaluate(bitplanes.unpack(planes, rows)))


def _words(bits: int) -> int:
    return max(1, -(-bits // 64))


def _as_words(bits: TruthTable) -> WordArray:
    """Pack rows of truth values into words, shape (rows, words)."""
    rows, wide = bits.shape
    padded = np.zeros((rows, 64 * _words(wide)), np.bool_)
    padded[:, :wide] = bits
    return np.packbits(padded.ravel(), bitorder="little").view(np.uint64).reshape(rows, -1)
