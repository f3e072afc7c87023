"""A ground program as a circuit: thousands of answer sets at once, 64 to a machine word.

An encoding without choices of its own is a function: from the input atoms that hold to the output
atoms that hold. `compile` grounds it once with every input left open and turns each ground rule
into a gate (see `aspcircuits.gates`). A `Circuit` evaluates the gates level by level on
bit-planes: row i of a plane array tells where atom i holds, one bit for each position of the
batch. NumPy is all it needs, and it knows neither boards nor weights.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from aspcircuits import bitplanes, code_cache, own_process, source
from aspcircuits.bitplanes import Planes
from aspcircuits.clingo_api import Body, GroundProgram, Sum, Term, parse, render
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import FALSE, TRUE, Gate, Op, translate
from aspcircuits.loops import LoopError, depends_on

Asked = tuple[Sequence[Path], Sequence[Term], Sequence[tuple[str, int]], Mapping[str, int]]
"""What `compile` takes: files, inputs, outputs and constants."""


def compile_files(
    files: Iterable[Path],
    inputs: Sequence[Term],
    outputs: Iterable[tuple[str, int]],
    constants: Mapping[str, int] | None = None,
) -> "Circuit":
    """Turns encodings into a circuit; see `aspcircuits.compile`, which reads texts as well.

    Optimisation statements do not change which atoms hold and are ignored.

    Args:
        inputs: the atoms that are left open; no rule may derive them.
        outputs: name and arity of the predicates to compute, shown or not.

    Raises:
        InputError: an input is given twice or as the text of an atom, or an output is no pair.
        EncodingError: as there.
    """
    files, outputs = [*files], [*outputs]
    for output in outputs:
        if not isinstance(output, tuple):
            raise InputError(f"output {output!r} is not a pair such as ('reach', 1)")
    program = ground(files, inputs, constants)
    wanted: dict[Term, int] = {}
    for name, arity in outputs:
        found = dict(program.atoms(name, arity))
        told = f"{name}/{arity}"
        # Where no rule could derive such atoms a ``#defined`` may say that none has to.
        if not found and all(
            x.signature != told for s in source.statements(files) for x in s.heads
        ):
            raise EncodingError(
                f"{', '.join(map(str, files))}: no rule derives the output '{told}'"
            )
        wanted |= found
    named = sorted(wanted, key=repr)
    numbers = [wanted[atom] for atom in named]
    netlist, literals = translate(program, [program.number(atom) for atom in inputs], numbers)
    results = [literals.get(number, FALSE) for number in numbers]
    origin = partial(Origin, program, literals)
    gates = netlist.gates(results)
    return Circuit(tuple(inputs), tuple(named), results, gates, origin, program.messages)


def compile_and_keep(*asked: *Asked) -> "Circuit":
    """Compile a circuit, and keep it for the next run; see `load_kept`.

    The files must include no others: the name of the kept file tells their texts alone.
    """
    made = compile_files(*asked)
    if not made.messages:
        # Neither the program, which may be large, nor where its files lie.
        stored = copy(made)
        stored.origin = _nowhere
        code_cache.store(_key(*asked), stored)
    return _with_origin(made, asked)


def load_kept(*asked: *Asked) -> "Circuit | None":
    """Load the circuit that an earlier run has kept, if any: a tenth of the time of compiling."""
    found = code_cache.load(_key(*asked), Circuit)
    return None if found is None else _with_origin(found, asked)


def name(maker: str, files: Iterable[Path], asked: object) -> str:
    """Name a result by the texts that it is made of, wherever their files lie.

    Args:
        maker: the module that makes it.
        asked: what else it depends on, by its `repr`.
    """
    return code_cache.key(maker, ([file.read_bytes() for file in files], asked))


def _key(*asked: *Asked) -> str:
    files, inputs, outputs, constants = asked
    return name(__name__, files, ([*inputs], [*outputs], sorted(constants.items())))


def _with_origin(made: "Circuit", asked: Asked) -> "Circuit":
    """A circuit whose program is made once more by who asks for it, of the files where they are."""
    what = ", ".join(file.name for file in asked[0])
    made.origin = partial(own_process.run, _named_origin, *asked, what=what)
    return made


def _nowhere() -> "Origin":
    raise LookupError("a kept circuit is loaded without its origin")


def _named_origin(*asked: *Asked) -> "Origin":
    origin = compile_files(*asked).origin()
    origin.program.ask_all()
    return origin


def ground(
    files: Iterable[Path], inputs: Sequence[Term], constants: Mapping[str, int] | None = None
) -> GroundProgram:
    """Grounds encodings with some atoms left open, for one circuit or several.

    Args, Raises: as `compile`; that an atom depends on itself is found later, with the gates.
    """
    if isinstance(inputs, str):
        raise InputError(f"inputs: {inputs!r} is one text (give a list of atoms)")
    for atom, times in Counter(inputs).items():
        if times > 1:
            raise InputError(f"input '{render(atom)}' is given twice")
        if isinstance(atom, str) and not atom.isidentifier():
            raise InputError(
                f"input {atom!r} is a text (aspcircuits.clingo_api.parse makes an atom)"
            )
    files = [*files]
    program = GroundProgram(files, inputs, constants or {})
    for name, arity in program.negated:
        there = (f"{s.file}:{s.line}: " for s in source.statements(files) if name in s.text)
        raise EncodingError(
            f"{next(there, '')}'{name}/{arity}' has a sign of classical negation, which a circuit "
            f"does not take (use a name such as not_{name[1:]})"
        )
    _refuse(program, {program.number(atom): atom for atom in inputs})
    return program


def _refuse(program: GroundProgram, inputs: Mapping[int, Term]) -> None:
    """Raises an `EncodingError` for what is neither a rule nor the choice of the inputs."""
    for atom in inputs.keys() & program.rules.keys():
        place = source.place(program.files, "rule", inputs[atom])
        raise EncodingError(f"{place}'{render(inputs[atom])}' is an input, but a rule derives it")
    for heads, body in program.choices:
        for atom in heads:
            if atom not in inputs or body:
                place = source.place(program.files, "choice", program.names.get(atom))
                name = literal_text(program, atom)
                raise EncodingError(f"{place}'{name}' is a choice; only the inputs are open")
    for kind, atoms in program.others:
        if summed := _summed(program, atoms):
            atom = program.names[summed[0]]
            place = source.place(program.files, "rule", atom)
            raise LoopError(
                f"{place}'{render(atom)}' depends on itself through a sum with weights of both "
                "signs (a circuit takes weights of one sign only)"
            )
        named = kind in ("disjunction", "external")
        place = source.place(program.files, kind, program.names.get(atoms[0]) if named else None)
        what = literals_text(program, atoms, "; " if kind == "disjunction" else ", ")
        raise EncodingError(place + _REFUSALS[kind].format(what))


def _summed(program: GroundProgram, atoms: Iterable[int]) -> list[int]:
    """The derived atoms that are summed up where clingo makes a disjunction of a sum in a loop."""
    pending = [atom for atom in atoms if atom not in program.names]
    seen, found, sums = {*pending}, [], False
    for atom in pending:
        bodies = program.rules.get(atom, [])
        sums |= any(isinstance(body, Sum) for body in bodies)
        for below in sorted(depends_on(bodies) - seen):
            seen.add(below)
            if below not in program.names:
                pending.append(below)
            elif below in program.rules:
                found.append(below)
    return found if sums else []


_REFUSALS = {
    "disjunction": "'{}' is a disjunction; a circuit takes rules with one head",
    "constraint": "':- {}.' is a constraint, which would forbid some inputs",
    "external": "'{}' is external; only the inputs are open",
    "edge": "an #edge statement (when {}) would forbid some inputs",
    "theory": "theory atom '{}'; a circuit takes plain rules only",
}


class Origin(NamedTuple):
    """What a circuit was made from: the ground program, and our literal for each of clingo's."""

    program: GroundProgram
    literals: Mapping[int, int]


@dataclass(eq=False, repr=False)
class Circuit:
    """A compiled program; see `compile`. Several threads may call it.

    It can be pickled, so that another process may compile it.

    Attributes:
        inputs: the input atoms, in the order of the rows that a call takes.
        outputs: the atoms of the output predicates that can hold, in the order of the rows that a
            call returns.
        results: the literals of the outputs.
        gates: operands before those that use them.
        origin: tells what it was made from, which only an explanation needs.
        messages: what clingo had to say of rules that cannot be used, each with its place.
        nodes: the nodes of the inputs.
    """

    inputs: tuple[Term, ...]
    outputs: tuple[Term, ...]
    results: Sequence[int]
    gates: Sequence[Gate]
    origin: Callable[[], Origin]
    messages: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.nodes = range(TRUE + 1, TRUE + 1 + len(self.inputs))
        self._evaluation = Evaluation(self.nodes, self.gates, self.results)

    def __call__(self, planes: Planes) -> Planes:
        """Evaluates a batch: planes of the outputs, shape (outputs, words).

        Args:
            planes: uint64 of shape (inputs, words); bit b of word w of row i says whether input i
                holds in position 64 w + b.

        Raises:
            InputError: an array of another shape or type.
        """
        planes = np.asarray(planes)
        if planes.dtype != np.uint64 or planes.ndim != 2 or len(planes) != len(self.inputs):
            raise InputError(
                f"planes of shape {planes.shape} and type {planes.dtype}, expected "
                f"({len(self.inputs)}, words) and uint64"
            )
        return self._evaluation(planes)

    def evaluate(self, holds: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """The same for a table of truth values.

        Args:
            holds: bool of shape (n, inputs): which inputs hold in each of n cases.

        Returns:
            bool of shape (n, outputs).

        Raises:
            InputError: another shape, or values that are neither true nor false.
        """
        try:
            given = np.asarray(holds)
        except ValueError:
            raise InputError("inputs: rows of different lengths") from None
        wide = len(self.inputs)
        if given.ndim != 2 or given.shape[1] != wide:
            raise InputError(f"inputs of shape {given.shape}, expected (n, {wide})")
        bits = given.astype(np.bool_)
        if given.dtype != np.bool_ and not np.array_equal(bits, given):
            raise InputError("inputs hold or do not: expected an array of bool, or of 0 and 1")
        return bitplanes.unpack(self(bitplanes.pack(bits)), len(bits))

    def __repr__(self) -> str:
        sizes = len(self.inputs), len(self.outputs), len(self.gates)
        return "<Circuit of {} inputs, {} outputs, {} gates>".format(*sizes)

    @property
    def levels(self) -> list[int]:
        """The number of gates on each level, the first level first."""
        sizes = Counter(gate.level for gate in self.gates)
        return [sizes[level] for level in sorted(sizes)]

    def cost(self, key: Callable[[Term], str]) -> dict[str, tuple[int, int]]:
        """What groups of outputs, named by a key, cost: the gates they need, and those that no
        other group needs."""
        users: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
        for atom, literal in zip(self.outputs, self.results, strict=True):
            users[abs(literal)] |= {key(atom)}
        total: Counter[str] = Counter()
        alone: Counter[str] = Counter()
        for gate in reversed(self.gates):
            groups = users[abs(gate.result)]
            for operand in gate.operands:
                users[abs(operand)] |= groups
            total.update(groups)
            if len(groups) == 1:
                alone.update(groups)
        return {name: (total[name], alone[name]) for name in sorted(map(key, self.outputs))}

    def explain(self, atom: Term) -> list[str]:
        """From rules to gate: the ground rules that derive an atom, and what became of them.

        Args:
            atom: as a term or its text.

        Returns:
            Lines of a logic program; the last one is a comment about the gate.

        Raises:
            InputError: the program has no such atom.
        """
        atom = parse(atom) if isinstance(atom, str) else atom
        program, literals = self.origin()
        number = next((n for n, name in program.names.items() if name == atom), None)
        if number is None:
            raise InputError(f"'{render(atom)}' is not an atom of the ground program")
        if atom in self.inputs:
            return [f"{{{render(atom)}}}.", "% an input"]
        return [*rules_of(program, number), f"% {self._fate(literals.get(number))}"]

    def _fate(self, literal: int | None) -> str:
        if literal is None:
            return "no output needs it, so it has no gate"
        if abs(literal) == TRUE:
            return "always holds" if literal == TRUE else "never holds"
        if abs(literal) <= TRUE + len(self.inputs):
            return "an input" if literal > 0 else "the negation of an input"
        for gate in self.gates:
            if abs(gate.result) == abs(literal):
                of = f"{gate.bound} or more of" if gate.op is Op.COUNT else f"the {gate.op.name} of"
                negated = "" if gate.result == literal else "not "
                return f"a gate of level {gate.level}: {negated}{of} {len(gate.operands)}"
        return "part of the only gate that uses it"


def rules_of(program: GroundProgram, atom: int) -> list[str]:
    """The rules that derive an atom, one line each, with clingo's auxiliary atoms unfolded."""
    head = literal_text(program, atom)
    bodies = [_body_text(program, body) for body in program.rules.get(atom, ())]
    return [f"{head} :- {body}." if body else f"{head}." for body in bodies]


def literals_text(program: GroundProgram, literals: Iterable[int], separator: str = ", ") -> str:
    """A conjunction as text."""
    return separator.join(literal_text(program, literal) for literal in literals)


def literal_text(program: GroundProgram, literal: int) -> str:
    """A literal as text; an auxiliary atom is replaced by the bodies of its rules."""
    atom = abs(literal)
    if atom in program.names:
        text = render(program.names[atom])
    else:
        bodies = program.rules.get(atom, [])
        text = "; ".join(_body_text(program, body) for body in bodies)
        one = len(bodies) == 1
        if not one or (literal < 0 and not isinstance(bodies[0], Sum) and len(bodies[0]) != 1):
            text = f"({text})"
    return f"not {text}" if literal < 0 else text


def _body_text(program: GroundProgram, body: Body | Sum) -> str:
    if not isinstance(body, Sum):
        return literals_text(program, body)
    counting = all(weight == 1 for _, weight in body.terms)
    terms = [
        ("" if counting else f"{weight}: ") + literal_text(program, literal)
        for literal, weight in body.terms
    ]
    return f"{body.bound} <= {'#count' if counting else '#sum+'} {{{'; '.join(terms)}}}"
