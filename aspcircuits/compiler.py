"""Compilation of a program without choices of its own to a circuit: from open inputs to outputs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from aspcircuits import arguments, aspif, circuit, own_process
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Program, Term, as_term, render, signature
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.programs import Source, as_files
from aspcircuits.scanning import find_fault
from aspcircuits.source import Statement, statements
from aspcircuits.texts import file_name, nearest, quote_text


def compile(
    program: Source,
    inputs: Iterable[str | Term] | None = None,
    outputs: Iterable[str] | None = None,
    constants: Mapping[str, int] | None = None,
    *,
    constraints: Literal["refuse", "output"] = "refuse",
    optimisation: Literal["ignore", "output"] = "ignore",
) -> Circuit:
    """Compile a program to a function of the inputs that hold, for many sets of inputs at once.

    The program may have rules, default negation, conditional literals, aggregates, and recursion
    that goes neither through ``not`` nor through a count or sum with an upper bound or negative
    weights. Then each set of inputs has one answer set, and the circuit says which outputs are in
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

    A program can declare its inputs and outputs itself.

    >>> c = aspcircuits.compile("#external in(1..3). two :- 2 { in(1..3) }. #show two/0.")
    >>> c.count("two").value
    4

    Args:
        program: the text of a program, a file (`pathlib.Path`) or several; or a ground program in
            aspif, as text or file.
        inputs: the atoms that are left open, in the order of an input array's columns; no rule may
            derive them. Each is a text, a term or a `clingo.Symbol`; intervals and pools stand for
            several, as ``"edge(1..3,1..3)"``. By default the atoms of ``#external`` statements.
        outputs: predicates to compute, as ``"reach/1"``; by default the predicates of ``#show``
            statements.
        constants: values for ``#const`` statements.
        constraints: "output" turns them into one more output, ``consistent``, which holds if none
            is violated. Otherwise they are refused, since in a circuit every set of inputs has an
            answer.
        optimisation: "output" makes `Circuit.costs` return the sums to minimise. Otherwise it is
            ignored, since it does not change which atoms hold.

    Returns:
        A `Circuit`, whose `evaluate` takes and returns arrays. An atom ``edge(1,2)`` is
        ``("edge", 1, 2)`` in its `inputs` and `outputs`; a sign is part of a name, as in ``"-a"``.

    Raises:
        InputError: an input is no atom or given twice, an output is no predicate, a constant is
            none of the program, or there are no outputs.
        EncodingError: clingo cannot ground it, no rule derives an output or an atom in a rule's
            body, or it has a choice, a disjunction, a constraint, or an atom that depends on its
            own negation.
    """
    for name, given in (("inputs", inputs), ("outputs", outputs)):
        if given is not None:
            arguments.several(name, given)
    numbers = arguments.constants(constants)
    for name, chosen, known in (
        ("constraints", constraints, ("refuse", "output")),
        ("optimisation", optimisation, ("ignore", "output")),
    ):
        if chosen not in known:
            raise InputError(f"{name}: {quote_text(str(chosen))} is neither {' nor '.join(known)}")
    asked = _Asked(
        None if inputs is None else [_input_text(each) for each in inputs],
        None if outputs is None else [_signature(output) for output in outputs],
        numbers,
        constraints == "output",
        optimisation == "output",
    )
    with as_files(program) as files:
        return own_process.run(_compile_program, files.paths, asked, what=files.names)


class _Asked(NamedTuple):
    """Arguments of `compile`; inputs and outputs are None if the program declares them."""

    inputs: Sequence[str] | None
    outputs: Sequence[tuple[str, int]] | None
    constants: Mapping[str, int]
    consistent: bool
    costs: bool


def _compile_program(files: list[Path], asked: _Asked) -> Circuit:
    """Return the circuit, in another process: grounding may take any time and memory."""
    if len(files) == 1 and files[0].read_bytes().startswith(aspif.HEADER.encode()):
        return _of_ground(files[0], asked)
    program = statements(files)
    defined = {s.name: s.text for s in program if s.kind == "#const"}
    for name in asked.constants:
        if name not in defined:
            there = f"it has #const {', '.join(defined)}" if defined else "it has none"
            raise InputError(f"constants: the program has no #const '{name}' ({there})")
    found = None
    if asked.inputs is not None:
        values = defined.values(), asked.constants
        found = [atom for each in asked.inputs for atom in _atoms(each, *values)]
    outputs = _shown_predicates(program) if asked.outputs is None else asked.outputs
    if not outputs and not asked.consistent:
        raise InputError(
            f"outputs: none given, and {files[0].name} has no #show such as #show p/1."
        )
    made = circuit.compile_files(
        files, found, outputs, asked.constants, consistent=asked.consistent, costs=asked.costs
    )
    _refuse_strangers(program, made.inputs)
    made.origin().program.ask_all()
    return made


def _of_ground(file: Path, asked: _Asked) -> Circuit:
    """Return the circuit of a program in aspif."""
    program = aspif.read(file.read_text("utf-8"), f"{file_name(file)}:")
    inputs = None
    if asked.inputs is not None:
        inputs = [atom for each in asked.inputs for atom in _atoms(each, (), {})]
        for atom in inputs:
            if not program.number(atom):
                raise InputError(f"input '{render(atom)}' is not an atom of {file_name(file)}")
    circuit.refuse(program, inputs, asked.consistent)
    if inputs is None:
        for number in program.externals:
            if number not in program.names:
                told = f"external atom {number} has no name (show it when grounding)"
                raise EncodingError(f"{file_name(file)}: {told}")
        inputs = [program.names[number] for number in program.externals]
    open_ones = {signature(atom) for atom in inputs}
    outputs = asked.outputs or [each for each in program.signatures() if each not in open_ones]
    return circuit.compile_program(
        program, inputs, outputs, consistent=asked.consistent, costs=asked.costs
    )


def _shown_predicates(program: Iterable[Statement]) -> list[tuple[str, int]]:
    """Return the predicates that a program shows.

    Raises:
        EncodingError: it shows a term.
    """
    found = []
    for statement in program:
        if statement.kind == "#show" and statement.text.rstrip(". ") != "#show":
            shown = re.fullmatch(r"#show (-?[_\w']+)/(\d+)\.", statement.text)
            if shown is None:
                raise statement.error(
                    f"'{statement.text}' shows a term (outputs are predicates, as #show p/1.)"
                )
            found.append((shown[1], int(shown[2])))
    return found


def _refuse_strangers(program: Sequence[Statement], inputs: Iterable[Term]) -> None:
    """Refuse atoms in rule bodies that no rule derives, which clingo takes for false."""
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


def _input_text(given: str | Term) -> str:
    """Return an input as text that is safe for clingo."""
    try:
        text = given if isinstance(given, str) else render(as_term(given))
    except RecursionError:
        raise InputError("input: a term is nested too deep") from None
    if fault := find_fault(text):
        raise InputError(f"input {quote_text(text)} is not an atom such as edge(1,2): {fault[1]}")
    return text


def _atoms(written: str, defined: Iterable[str], constants: Mapping[str, int]) -> list[Term]:
    """Return the atoms that an input stands for, in their order."""
    refusal = InputError(
        f"input {quote_text(written)} is not an atom such as edge(1,2) or edge(1..3,1)"
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
    """Return a sort key: numbers before names before compound terms, each in order."""
    if isinstance(term, tuple):
        name, *arguments = term
        return 2, len(arguments), name, tuple(map(_order, arguments))
    return (0, term) if isinstance(term, int) else (1, term)
