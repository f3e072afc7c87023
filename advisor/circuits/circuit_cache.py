"""Circuits that are kept for the user's next run: reading one takes a tenth of compiling it."""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from advisor.asp import apart, clingo_api
from advisor.asp.clingo_api import Term
from advisor.circuits import circuit, code_cache, imports
from advisor.circuits.circuit import Circuit, Origin
from advisor.circuits.gates import Gate, Op


def compile(
    files: Iterable[Path],
    inputs: Sequence[Term],
    outputs: Iterable[tuple[str, int]],
    constants: Mapping[str, int],
) -> Circuit:
    """The circuit of `circuit.compile`, for those who have not found it with `kept`.

    It is kept for them. Args, Raises: as there; no file includes another one, which the name of
    what is kept would not tell.
    """
    asked = [*files], inputs, [*outputs], constants
    made = circuit.compile(*asked)
    if not made.messages:
        code_cache.write(_key(*asked), _text(made))
    made.origin = partial(_origin, *asked)  # what it was made from may be large
    return made


def kept(
    files: Sequence[Path],
    inputs: Sequence[Term],
    outputs: Sequence[tuple[str, int]],
    constants: Mapping[str, int],
) -> Circuit | None:
    """The circuit as an earlier run has kept it, if one has; see `compile`."""
    text = code_cache.read(_key(files, inputs, outputs, constants))
    if text is None:
        return None
    return _circuit(text, inputs, partial(_origin, files, inputs, outputs, constants))


def _key(
    files: Sequence[Path],
    inputs: Sequence[Term],
    outputs: Sequence[tuple[str, int]],
    constants: Mapping[str, int],
) -> str:
    return name(__name__, files, ([*inputs], [*outputs], sorted(constants.items())))


def name(maker: str, files: Iterable[Path], asked: object) -> str:
    """A name for what is compiled: the same one only if the same would be made of the same texts.

    Args:
        maker: the module that makes it.
        files: the encodings.
        asked: what else it depends on, by its `repr`.
    """
    texts = [file.read_bytes() for file in files]
    told = clingo_api.VERSION, imports.fingerprint(maker), texts, asked
    return sha256(repr(told).encode()).hexdigest()


def _text(made: Circuit) -> bytes:
    """All of a circuit but what it was made from."""
    found = [(g.result, g.op.value, g.bound, g.level, g.operands) for g in made.gates]
    return zlib.compress(json.dumps([made.outputs, made.results, found]).encode(), 1)


def _circuit(text: bytes, inputs: Sequence[Term], origin: Callable[[], Origin]) -> Circuit:
    """The circuit of a `_text`."""
    outputs, results, found = json.loads(zlib.decompress(text))
    read = [
        Gate(result, _OPS[op], tuple(operands), bound, level)
        for result, op, bound, level, operands in found
    ]
    return Circuit(inputs, map(_term, outputs), results, read, origin)


_OPS = {op.value: op for op in Op}


def _term(read: Term) -> Term:
    """A term, of which JSON has made a list."""
    return tuple(map(_term, read)) if isinstance(read, list) else read


def _origin(
    files: Sequence[Path],
    inputs: Sequence[Term],
    outputs: Sequence[tuple[str, int]],
    constants: Mapping[str, int],
) -> Origin:
    """What a circuit was made from, made once more."""
    what = ", ".join(file.name for file in files)
    return apart.run(_named_origin, files, inputs, outputs, constants, what=what)


def _named_origin(
    files: Sequence[Path],
    inputs: Sequence[Term],
    outputs: Sequence[tuple[str, int]],
    constants: Mapping[str, int],
) -> Origin:
    origin = circuit.compile(files, inputs, outputs, constants).origin()
    origin.program.ask_all()
    return origin
