"""How many atoms of each predicate there are while clingo grounds.

clingo hears nothing meanwhile and an observer would cost as much as grounding itself, so another
thread of the same process looks.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic

import clingo
from clingo._internal import _ffi, _lib  # type: ignore[attr-defined]  # they are imported there

from aspcircuits.child import reporting

_SETTLED = 1.0
"""Seconds after which clingo adds no predicate any more, so that a thread can ask for them."""

_HELD = 10
"""Looks for which a predicate counts as growing: clingo stands still while it moves its tables."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How far a grounding has come.

    Attributes:
        files: the encodings.
        sizes: the number of atoms of each predicate, such as ``cell/3``.
        grew: the predicate that got most atoms of late, None if none gets any.
    """

    files: Sequence[Path]
    sizes: Mapping[str, int]
    grew: str | None


@contextmanager
def watched(control: clingo.Control, files: Sequence[Path]) -> Iterator[None]:
    """While clingo grounds, tell the process that asked for it what grows."""
    with reporting(_looking(control, files)):
        yield


def _looking(control: clingo.Control, files: Sequence[Path]) -> Callable[[], Growth | None]:
    """What returns how far a grounding has come that begins now, None at its beginning."""
    began = monotonic()
    before: dict[str, int] = {}
    grew: deque[str | None] = deque([None], maxlen=_HELD)

    def look() -> Growth | None:
        if monotonic() - began < _SETTLED:
            return None
        begins, sizes = not before, _sizes(control, before)
        grown = {name: size - before.get(name, 0) for name, size in sizes.items()}
        before.update(sizes)
        if begins or not grown:
            return None
        most = max(grown, key=grown.__getitem__)
        grew.append(most if grown[most] else None)
        return Growth(files, sizes, next((name for name in reversed(grew) if name), None))

    return look


def _sizes(control: clingo.Control, least: Mapping[str, int]) -> dict[str, int]:
    """The number of atoms of each predicate, which is at least the one known before.

    clingo tells it in no other way than by the iterators that it takes for valid. To ask whether
    one is valid reads no atom, so that clingo may add some meanwhile.
    """
    atoms = control.symbolic_atoms
    sizes = {}
    for name, arity, positive in atoms.signatures:
        first, signed = _first(atoms, name, arity, positive), name if positive else f"-{name}"
        known = f"{signed}/{arity}"
        low = least.get(known, 0)
        step = 1
        while _is_valid(atoms, first + (low + step - 1) * _stride()):
            low += step
            step *= 2
        while step > 1:
            step //= 2
            if _is_valid(atoms, first + (low + step - 1) * _stride()):
                low += step
        sizes[known] = low
    return sizes


def _first(atoms: clingo.SymbolicAtoms, name: str, arity: int, positive: bool) -> int:
    """The iterator of a predicate's first atom."""
    signature = _ffi.new("clingo_signature_t*")
    _lib.clingo_signature_create(name.encode(), arity, positive, signature)
    found = _ffi.new("clingo_symbolic_atom_iterator_t*")
    _lib.clingo_symbolic_atoms_begin(atoms._rep, signature, found)
    return int(found[0])


def _is_valid(atoms: clingo.SymbolicAtoms, iterator: int) -> bool:
    answer = _ffi.new("bool*")
    _lib.clingo_symbolic_atoms_is_valid(atoms._rep, iterator, answer)
    return bool(answer[0])


@cache
def _stride() -> int:
    """How far the iterators of two atoms are apart."""
    control = clingo.Control()
    control.add("base", [], "a(1..2).")
    control.ground([("base", [])])
    one, other = (each._it for each in control.symbolic_atoms)
    return int(other - one)
