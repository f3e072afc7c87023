"""Any program without choices of its own as a circuit: from open inputs to outputs."""

import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aspcircuits import arguments, circuit, own_process
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Program, Term, render
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.scanning import find_fault
from aspcircuits.source import Statement, statements
from aspcircuits.texts import file_name, nearest, quoted


def compile(
    program: str | os.PathLike[str] | Sequence[os.PathLike[str]],
    inputs: Iterable[str | Term],
    outputs: Iterable[str],
    constants: Mapping[str, int] | None = None,
) -> Circuit:
    """A program as a function of the inputs that hold, for many sets of inputs at once.

    The program may have rules, default negation, conditional literals, aggregates, and recursion
    that goes neither through ``not`` nor through a count or sum with an upper bound or negative
    weights. Each set of inputs has then one answer set, and the circuit says which outputs are in
    it.

    >>> reach = '''
    ... reach(1).
    ... reach(Y) :- reach(X), edge(X, Y).
    ... '''
    >>> c = aspcircuits.compile(reach, ["edge(1,2)", "edge(2,3)"], ["reach/1"])
    >>> c.inputs
    (('edge', 1, 2), ('edge', 2, 3))
    >>> c.outputs
    (('reach', 1), ('reach', 2), ('reach', 3))
    >>> c.evaluate([[True, False], [False, True], [True, True]]).astype(int).tolist()
    [[1, 1, 0], [1, 0, 0], [1, 1, 1]]

    Args:
        program: the text of a program, a file (`pathlib.Path`) or several.
        inputs: the atoms that are left open, in the order of an input array's columns; no rule may
            derive them. Intervals and pools stand for several, as ``"edge(1..3,1..3)"``.
        outputs: predicates to compute, as ``"reach/1"``.
        constants: values for ``#const`` statements.

    Returns:
        A `Circuit`, whose `evaluate` takes and returns arrays. An atom ``edge(1,2)`` is
        ``("edge", 1, 2)`` in its `inputs` and `outputs`.

    Raises:
        InputError: an input is no atom or given twice, an output no predicate, or a constant none
            of the program.
        EncodingError: clingo cannot ground it, no rule derives an output or an atom that a rule
            asks for, or it has a choice, a disjunction, a constraint, or an atom that depends on
            its own negation.
    """
    for name, given in (("inputs", inputs), ("outputs", outputs)):
        arguments.several(name, given)
    numbers = arguments.constants(constants)
    asked = [_written(each) for each in inputs], [_signature(output) for output in outputs], numbers
    if isinstance(program, str):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "program.lp")  # clingo names places by their file
            file.write_text(program, "utf-8")
            try:
                return own_process.run(_compiled, [file], *asked, what=file.name)
            except EncodingError as error:
                raise EncodingError(str(error).replace(f"{folder}{os.sep}", "")) from None
    files = program if isinstance(program, Sequence) else [program]
    paths = [Path(arguments.path("program", file)) for file in files]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: no such file (a program's text is given as a str)")
    return own_process.run(_compiled, paths, *asked, what=", ".join(map(file_name, paths)))


def _compiled(
    files: list[Path],
    inputs: Iterable[str],
    outputs: list[tuple[str, int]],
    constants: Mapping[str, int],
) -> Circuit:
    """The circuit, for another process: grounding may take any time and memory."""
    program = statements(files)
    defined = {s.name: s.text for s in program if s.kind == "#const"}
    for name in constants:
        if name not in defined:
            there = f"it has #const {', '.join(defined)}" if defined else "it has none"
            raise InputError(f"constants: the program has no #const '{name}' ({there})")
    found = [atom for each in inputs for atom in _atoms(each, defined.values(), constants)]
    made = circuit.compile_files(files, found, outputs, constants)
    _refuse_strangers(program, found)
    made.origin().program.ask_all()
    return made


def _refuse_strangers(program: Sequence[Statement], inputs: Iterable[Term]) -> None:
    """Refuses atoms that a rule asks for and that never hold, which clingo takes for false."""
    known = {head.signature for statement in program for head in statement.heads}
    for atom in inputs:
        known.add(f"{atom[0]}/{len(atom) - 1}" if isinstance(atom, tuple) else f"{atom}/0")
    for statement in program:
        for atom in statement.body:
            if atom.signature not in known:
                guess = nearest(atom.signature, sorted(known))
                raise EncodingError(
                    f"{statement.file}:{statement.line}: '{atom.signature}' is not an input, and no"
                    f" rule derives it (did you mean '{guess}'? '#defined {atom.signature}.' says"
                    " that it may be so)"
                )


def _signature(text: str) -> tuple[str, int]:
    name, _, arity = str(text).partition("/")
    if not name.lstrip("_").isidentifier() or not arity.isdecimal():
        raise InputError(f"output '{text}' is not a predicate (write it as reach/1)")
    return name, int(arity)


def _written(given: str | Term) -> str:
    """An input as text that clingo may get."""
    try:
        text = render(given)
    except RecursionError:
        raise InputError("input: a term is nested too deep") from None
    if fault := find_fault(text):
        raise InputError(f"input {quoted(text)} is not an atom such as edge(1,2): {fault[1]}")
    return text


def _atoms(written: str, defined: Iterable[str], constants: Mapping[str, int]) -> list[Term]:
    """The atoms that an input stands for, in their order."""
    refusal = InputError(
        f"input {quoted(written)} is not an atom such as edge(1,2) or edge(1..3,1)"
    )
    rules = "".join([*(f"{text}\n" for text in defined), f"input(({written}))."])
    try:
        program = Program((), constants=constants, rules=rules)
    except EncodingError:
        raise refusal from None
    atoms = [atom[1] for atom, _ in program.atoms("input", 1)]
    if not all(re.match("_*[a-z]", render(atom)) for atom in atoms):
        raise refusal
    return sorted(atoms, key=_order)


def _order(term: Term) -> tuple[Any, ...]:
    """Numbers before words before what has arguments, each in order."""
    if isinstance(term, tuple):
        name, *arguments = term
        return 2, len(arguments), name, tuple(map(_order, arguments))
    return (0, term) if isinstance(term, int) else (1, term)
