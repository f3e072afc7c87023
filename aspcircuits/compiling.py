"""Python functions as machine code, by Numba: its only import, of the extra ``fast``.

Functions take and return only 64-bit integers, some of which are addresses; so their code needs
neither Python nor Numba to run. A module that uses `function` is compiled when it is imported,
which takes seconds: `aspcircuits.functions` lets another process do that.
"""

import os
from collections import namedtuple
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any, Protocol, TypeVar

# Numba only translates: this module optimises the whole code once, not each part repeatedly.
os.environ["NUMBA_OPT"] = "0"

from llvmlite import ir
from numba import float32, from_dtype, int32, int64, njit, types, uint64
from numba.core import cgutils
from numba.extending import intrinsic

from aspcircuits import llvm
from aspcircuits.layout import Layout

L = TypeVar("L", bound=Layout)
F = TypeVar("F", bound=Callable[..., Any])


class Words(Protocol):
    """An array of 64-bit integers at an address, with indexing only."""

    def __getitem__(self, _number: int) -> int: ...

    def __setitem__(self, _number: int, _word: int) -> None: ...


_WORD = ir.IntType(64)
_SMALL, _BYTES = ir.IntType(32), ir.IntType(8).as_pointer()


def function(python: Callable[..., int]) -> Callable[..., int]:
    """Compile a function of integers; it may call itself and other compiled functions."""
    count = python.__code__.co_argcount
    compiled: Callable[..., int] = njit(
        int64(*[int64] * count),
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
    )(python)
    return compiled


def inline(python: F) -> F:
    """Mark a function as part of compiled functions: its code is inserted at each call."""
    part: F = njit(inline="always", error_model="numpy")(python)
    return part


def object_code(functions: Iterable[Any]) -> bytes:
    """Return the object code of some compiled functions, which C finds by their names."""
    binding = llvm.binding()
    module = binding.parse_assembly("")
    for each in functions:
        (made,) = each.overloads.values()
        module.link_in(binding.parse_assembly(str(made.library._final_module)))
        count, name = each.py_func.__code__.co_argcount, made.fndesc.llvm_func_name
        module.link_in(binding.parse_assembly(_entry(each.__name__, name, count)))
    for each in module.functions:
        if not each.is_declaration and each.name.startswith("_"):
            each.linkage = "internal"
    tuning = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(llvm.target_machine(3), tuning)
    passes.getModulePassManager().run(module, passes)
    return llvm.object_file(module, 3)


def _entry(name: str, inner: str, count: int) -> str:
    """Return a wrapper that C can call: Numba's functions return a status, not the result."""
    arguments = ", ".join(f"i64 %a{i}" for i in range(count))
    types_ = ", ".join(["ptr", "ptr", *["i64"] * count])
    return f"""
        declare i32 @"{inner}"({types_})
        define i64 @{name}({arguments}) {{
            %result = alloca i64
            %error = alloca ptr
            %status = call i32 @"{inner}"(ptr %result, ptr %error, {arguments})
            %value = load i64, ptr %result
            ret i64 %value
        }}
    """


def record_at(layout: type[L]) -> Callable[..., L]:
    """Return a function that makes a record of an address, or of the n-th record from there."""
    kind, size = from_dtype(layout.dtype()), layout.dtype().itemsize

    def record(_typing: Any, _address: Any, _number: Any = 0) -> Any:
        def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            address, number = arguments
            offset = builder.mul(number, ir.Constant(_WORD, size))
            return builder.inttoptr(builder.add(address, offset), context.get_value_type(kind))

        return kind(int64, int64), code

    made: Callable[..., L] = intrinsic(record)
    return made


def _on_words(count: int, emit: Callable[..., Any], returns: Any = int64) -> Any:
    """Return an intrinsic that emits LLVM instructions on `count` words."""

    def emitter(_typing: Any, *_words: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, words: Any) -> Any:
            made = emit(builder, *words)
            return context.get_dummy_value() if returns is types.void else made

        return returns(*[int64] * count), code

    names = ["typing", *(f"word{i}" for i in range(count))]  # Numba takes no *words
    either = Parameter.POSITIONAL_OR_KEYWORD
    vars(emitter)["__signature__"] = Signature([Parameter(name, either) for name in names])
    return intrinsic(emitter)


def values_at(layout: type[L]) -> Callable[[int], L]:
    """Return a function that reads a record once: later writes to its words are not seen."""
    names = layout.dtype().names or ()
    kind, stored = namedtuple(layout.__name__, names), ir.ArrayType(_WORD, len(names)).as_pointer()

    def read(builder: Any, address: Any) -> Any:
        return builder.load(builder.inttoptr(address, stored))

    made: Callable[[int], L] = _on_words(1, read, types.NamedUniTuple(int64, len(names), kind))
    return made


def _numbers_at(kind: Any, stored: ir.Type) -> Any:
    """Return a function that makes an array of an address."""

    def pointer(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, stored.as_pointer())

    return _on_words(1, pointer, types.CPointer(kind))


def _exchange(builder: Any, address: Any, new: Any) -> Any:
    where = builder.inttoptr(address, _SMALL.as_pointer())
    there = builder.atomic_rmw("xchg", where, builder.trunc(new, _SMALL), "seq_cst")
    return builder.sext(there, _WORD)


def _prefetch(builder: Any, address: Any) -> None:
    kind = ir.FunctionType(ir.VoidType(), [_BYTES, _SMALL, _SMALL, _SMALL])
    there = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(there, [builder.inttoptr(address, _BYTES), _SMALL(0), _SMALL(3), _SMALL(1)])


def _call(builder: Any, target: Any, *words: Any) -> None:
    kind = ir.FunctionType(ir.VoidType(), [_BYTES, _WORD, _WORD, _BYTES, _BYTES, _WORD])
    given = [
        builder.inttoptr(word, _BYTES) if wanted == _BYTES else word
        for word, wanted in zip(words, kind.args, strict=True)
    ]
    builder.call(builder.inttoptr(target, kind.as_pointer()), given)


at: Callable[[int], Words] = _numbers_at(int64, _WORD)
"""The words at an address."""

unsigned_at: Callable[[int], Words] = _numbers_at(uint64, _WORD)
"""The words at an address, as unsigned integers."""

small_at: Callable[[int], Words] = _numbers_at(int32, _SMALL)
"""The 32-bit integers at an address."""

floats_at: Callable[[int], Any] = _numbers_at(float32, ir.FloatType())
"""The single-precision numbers at an address."""

single: Callable[[int], float] = float32
"""An integer as a single-precision number."""

exchange: Callable[[int, int], int] = _on_words(2, _exchange)
"""Exchange the 32-bit integer at an address, atomically; return the old one.

Earlier writes become visible to other threads before it.
"""

prefetch: Callable[[int], None] = _on_words(1, _prefetch, types.void)
"""Prefetch the memory at an address that is going to be read."""

call: Callable[..., None] = _on_words(7, _call, types.void)
"""Call a function of `vector_code`: its address, then its arguments."""

lowest: Callable[[int], int] = _on_words(
    1, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1))
)
"""The number of the lowest set bit of a word that is not 0."""

ones: Callable[[int], int] = _on_words(1, lambda builder, word: builder.ctpop(word))
"""The number of set bits."""
