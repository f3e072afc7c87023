"""Circuits that are kept for the user's next run: reading one takes a tenth of compiling it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from advisor.asp import apart, clingo_api
from advisor.asp.clingo_api import Term
from advisor.circuits import circuit, code_cache, imports
from advisor.circuits.circuit import Circuit, Origin

Asked = tuple[Sequence[Path], Sequence[Term], Sequence[tuple[str, int]], Mapping[str, int]]
"""What `circuit.compile` takes: files, inputs, outputs and constants."""


def compile(*asked: *Asked) -> Circuit:
    """The circuit of `circuit.compile`, for those who have not found it with `kept`.

    It is kept for them. Args, Raises: as there; no file includes another one, which the name of
    what is kept would not tell.
    """
    made = circuit.compile(*asked)
    made.origin = partial(_origin, *asked)  # what it was made from may be large
    if not made.messages:
        code_cache.store(_key(*asked), made)
    return made


def kept(*asked: *Asked) -> Circuit | None:
    """The circuit as an earlier run has kept it, if one has; see `compile`."""
    found: Circuit | None = code_cache.load(_key(*asked))
    return found


def _key(*asked: *Asked) -> str:
    files, inputs, outputs, constants = asked
    return name(__name__, files, ([*inputs], [*outputs], sorted(constants.items())))


def name(maker: str, files: Iterable[Path], asked: object) -> str:
    """A name for what is compiled: the same one only if the same would be made of the same texts.

    Args:
        maker: the module that makes it.
        files: the encodings.
        asked: what else it depends on, by its `repr`.
    """
    texts = [file.read_bytes() for file in files]
    versions = clingo_api.VERSION, np.__version__  # arrays are kept as NumPy pickles them
    told = versions, imports.fingerprint(maker), texts, asked
    return sha256(repr(told).encode()).hexdigest()


def _origin(*asked: *Asked) -> Origin:
    """What a circuit was made from, made once more."""
    what = ", ".join(file.name for file in asked[0])
    return apart.run(_named_origin, *asked, what=what)


def _named_origin(*asked: *Asked) -> Origin:
    origin = circuit.compile(*asked).origin()
    origin.program.ask_all()
    return origin
