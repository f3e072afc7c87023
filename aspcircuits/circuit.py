"""A ground program as a circuit: thousands of answer sets at once, 64 to a machine word.

An encoding without choices of its own is a function: from the input atoms that hold to the output
atoms that hold. `compile` grounds it once with every input left open and turns each ground rule
into a gate (see `aspcircuits.gates`). A `Circuit` evaluates the gates level by level on bit planes:
row i of a plane array says where atom i holds, one bit for each position of the batch. NumPy is all
it needs, and it knows neither boards nor weights.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from aspcircuits import bitplanes, code_cache, own_process, source
from aspcircuits.arguments import whole
from aspcircuits.bitplanes import Planes
from aspcircuits.clingo_api import (
    Body,
    GroundProgram,
    Sum,
    Term,
    as_term,
    literals_of,
    render,
)
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import FALSE, TRUE, Gate, translate
from aspcircuits.loops import LoopError, depends_on
from aspcircuits.scanning import LARGEST
from aspcircuits.stopping import Stop
from aspcircuits.texts import list_names
from aspcircuits.truth_tables import BLOCK, RowSums, TruthTable, as_rows, blocks

if TYPE_CHECKING:
    from aspcircuits.counting import Counted
    from aspcircuits.native import NativeCircuit

CONSISTENT = "consistent"
"""The output that holds if no constraint is violated."""

Asked = tuple[Sequence[Path], Sequence[Term], Sequence[tuple[str, int]], Mapping[str, int]]
"""Arguments of `compile_files`: files, inputs, outputs and constants."""


def compile_files(
    files: Iterable[Path],
    inputs: Sequence[Term] | None,
    outputs: Iterable[tuple[str, int]],
    constants: Mapping[str, int] | None = None,
    *,
    consistent: bool = False,
    costs: bool = False,
) -> "Circuit":
    """Compile encodings into a circuit; see `aspcircuits.compile`, which accepts texts as well.

    Args:
        inputs: the atoms that are left open; no rule may derive them. None means the atoms of
            ``#external`` statements.
        outputs: name and arity of the predicates to compute, shown or not.
        consistent, costs: see `compile_program`.

    Raises:
        InputError: an input is given twice or as the text of an atom, or an output is no pair.
        EncodingError: see `aspcircuits.compile`.
    """
    files, outputs = [*files], [*outputs]
    for output in outputs:
        if not isinstance(output, tuple):
            raise InputError(f"output {output!r} is not a pair such as ('reach', 1)")
    program = ground(files, inputs, constants, consistent)
    for name, arity in outputs:
        told = f"{name}/{arity}"
        # If no rule could derive such atoms, a ``#defined`` may say that none has to.
        if not program.atoms(name, arity) and all(
            x.signature != told for s in source.statements(files) for x in s.heads
        ):
            raise EncodingError(
                f"{', '.join(map(str, files))}: no rule derives the output '{told}'"
            )
    if inputs is None:
        inputs = [program.names[atom] for atom in program.externals]
    return compile_program(program, inputs, outputs, consistent=consistent, costs=costs)


def compile_program(
    program: GroundProgram,
    inputs: Sequence[Term],
    outputs: Iterable[tuple[str, int]],
    *,
    consistent: bool = False,
    costs: bool = False,
) -> "Circuit":
    """Compile a ground program into a circuit.

    Args:
        consistent: constraints forbid nothing but become one more output, ``consistent``, which
            holds if none of them is violated.
        costs: make the sums to minimise available, see `Circuit.costs`; otherwise optimisation,
            which does not change which atoms hold, is ignored.

    Raises:
        EncodingError: the program already has an atom ``consistent``, or an atom depends on its own
            negation.
    """
    wanted: dict[Term, int] = {}
    for pair in outputs:
        wanted |= program.atoms(*pair)
    named = sorted(wanted, key=repr)
    numbers = [wanted[atom] for atom in named]
    violated = 0
    if consistent:
        if program.number(CONSISTENT):
            raise EncodingError(f"the program has an atom '{CONSISTENT}' of its own (rename it)")
        violated = program.define(program.constraints)
        named.append(CONSISTENT)
        numbers.append(-violated)
    summed = program.minimised if costs else {}
    literals_summed = [literal for terms in summed.values() for literal, _ in terms]
    asked = {abs(number) for number in (*numbers, *literals_summed)}
    open_atoms = [program.number(atom) for atom in inputs]
    netlist, literals = translate(program, open_atoms, asked)

    def ours(number: int) -> int:
        found = literals.get(abs(number), FALSE)
        return found if number > 0 else -found

    results = [ours(number) for number in numbers]
    terms = {
        priority: tuple((ours(literal), weight) for literal, weight in summed[priority])
        for priority in sorted(summed, reverse=True)
    }
    gates = netlist.gates([*results, *(lit for each in terms.values() for lit, _ in each)])
    origin = partial(Origin, program, literals)
    return Circuit(tuple(inputs), tuple(named), results, gates, origin, program.messages, terms)


def compile_and_keep(*asked: *Asked) -> "Circuit":
    """Compile and cache a circuit; see `load_kept`.

    The cache key covers the text of the listed files only, so they must not #include others.
    """
    made = compile_files(*asked)
    if not made.messages:
        # Store neither the program, which may be large, nor the paths of its files.
        stored = copy(made)
        stored.origin = _nowhere
        code_cache.store(_key(*asked), stored)
    return _with_origin(made, asked)


def load_kept(*asked: *Asked) -> "Circuit | None":
    """Load the circuit that an earlier run has cached, if any: a tenth of the time of compiling."""
    found = code_cache.load(_key(*asked), Circuit)
    return None if found is None else _with_origin(found, asked)


def name(maker: str, files: Iterable[Path], asked: object) -> str:
    """Return the cache key of a result, from the texts that it is made of, not their paths.

    Args:
        maker: the module that makes it.
        asked: everything else it depends on, by its `repr`.
    """
    return code_cache.key(maker, ([file.read_bytes() for file in files], asked))


def _key(*asked: *Asked) -> str:
    files, inputs, outputs, constants = asked
    return name(__name__, files, ([*inputs], [*outputs], sorted(constants.items())))


def _with_origin(made: "Circuit", asked: Asked) -> "Circuit":
    """Give a circuit an origin that grounds the program again, from the files at their paths."""
    what = ", ".join(file.name for file in asked[0])
    made.origin = partial(own_process.run, _named_origin, *asked, what=what)
    return made


def _nowhere() -> "Origin":
    raise LookupError("a saved circuit has no source to ask")


def _named_origin(*asked: *Asked) -> "Origin":
    origin = compile_files(*asked).origin()
    origin.program.ask_all()
    return origin


def ground(
    files: Iterable[Path],
    inputs: Sequence[Term] | None,
    constants: Mapping[str, int] | None = None,
    consistent: bool = False,
) -> GroundProgram:
    """Ground encodings with some atoms left open, for one circuit or several.

    Args, Raises: as `compile_files`; an atom that depends on itself is found later, with the gates.
    """
    if isinstance(inputs, str):
        raise InputError(f"inputs: {inputs!r} is one text (give a list of atoms)")
    for atom, times in Counter(inputs or ()).items():
        if times > 1:
            raise InputError(f"input '{render(atom)}' is given twice")
        if isinstance(atom, str) and not atom.isidentifier():
            raise InputError(
                f"input {atom!r} is a text (aspcircuits.clingo_api.parse makes an atom)"
            )
    files = [*files]
    program = GroundProgram.of(files, inputs or (), constants or {})
    refuse(program, inputs, consistent)
    return program


def refuse(program: GroundProgram, inputs: Sequence[Term] | None, consistent: bool) -> None:
    """Raise an `EncodingError` for the first statement that a circuit cannot take."""
    files = program.files
    for name, arity in program.negated:
        there = (f"{s.file}:{s.line}: " for s in source.statements(files) if name in s.text)
        raise EncodingError(
            f"{next(there, '')}'{name}/{arity}' has a sign of classical negation, which a circuit "
            f"does not take (use a name such as not_{name[1:]})"
        )
    # An external atom that a rule makes a fact has lost its name.
    is_open = {number: program.names.get(number, "#external") for number in program.externals}
    if inputs is not None:
        is_open = {program.number(atom): atom for atom in inputs}
    for atom in is_open.keys() & program.rules.keys():
        place = source.place(program.files, "rule", is_open[atom])
        raise EncodingError(f"{place}'{render(is_open[atom])}' is an input, but a rule derives it")
    for heads, body in program.choices:
        for atom in heads:
            if atom not in is_open or body:
                place = source.place(program.files, "choice", program.names.get(atom))
                name = literal_text(program, atom)
                raise EncodingError(f"{place}'{name}' is a choice; only the inputs are open")
    external = [("external", [atom]) for atom in program.externals if atom not in is_open]
    violated = [("constraint", literals_of(body)) for body in program.constraints]
    for kind, atoms in (*program.others, *external, *(() if consistent else violated)):
        if summed := _atoms_in_sums(program, atoms):
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


def _atoms_in_sums(program: GroundProgram, atoms: Iterable[int]) -> list[int]:
    """Return the derived atoms in a sum that clingo makes a disjunction because of a loop."""
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
    "constraint": "':- {}.' is a constraint, which would forbid some inputs (constraints="
    '"output" makes an output of it)',
    "external": "'{}' is external; only the inputs are open",
    "edge": "an #edge statement (when {}) would forbid some inputs",
    "theory": "theory atom '{}'; a circuit takes plain rules only",
}


class Origin(NamedTuple):
    """Origin of a circuit: the ground program, and the circuit's literal for each of clingo's."""

    program: GroundProgram
    literals: Mapping[int, int]


_SUMS = 8
"""Number of weighted sums for which a circuit stays prepared."""


@dataclass(eq=False, repr=False)
class Circuit:
    """A compiled program; see `aspcircuits.compile`. Several threads may call it.

    It can be pickled, so that another process may compile it. Rows are truth values, bool of shape
    (n, inputs) or (n, outputs). Planes are the same packed, 64 rows to a word: uint64 of shape
    (inputs, words), where bit b of word w of plane i says whether atom i holds in row 64 w + b.

    >>> circuit = aspcircuits.compile("b :- not a.", ["a"], ["b/0"])
    >>> circuit.evaluate([[False], [True]]).tolist()
    [[True], [False]]

    Attributes:
        inputs: the input atoms, in the order of a row's columns.
        outputs: the atoms of the output predicates that can hold, in the order of the columns of a
            result.
        results: the literals of the outputs.
        gates: operands before the gates that use them.
        origin: returns the origin of the circuit, which only explanations need.
        messages: clingo's warnings about rules that can never apply, each with its place.
        minimised: for each priority the terms of the sum, as (circuit literal, weight) pairs.
        nodes: the nodes of the inputs.
    """

    inputs: tuple[Term, ...]
    outputs: tuple[Term, ...]
    results: Sequence[int]
    gates: Sequence[Gate]
    origin: Callable[[], Origin]
    messages: Sequence[str] = ()
    minimised: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes = range(TRUE + 1, TRUE + 1 + len(self.inputs))
        self._evaluation = Evaluation(self.nodes, self.gates, self.results)
        self._sums: dict[tuple[tuple[int, int], ...], tuple[Evaluation, bitplanes.WeightedSum]] = {}

    def planes(self, planes: Planes) -> Planes:
        """Evaluate packed rows: planes of the outputs, uint64 of shape (outputs, words).

        Args:
            planes: uint64 of shape (inputs, words).

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

    __call__ = planes

    def evaluate(self, holds: npt.ArrayLike, *, stop: Stop | None = None) -> TruthTable:
        """Evaluate rows of truth values.

        Args:
            holds: bool of shape (n, inputs): which inputs hold in each of n cases.
            stop: ends it early, for instance `Stop(seconds)`.

        Returns:
            bool of shape (n, outputs).

        Raises:
            InputError: another shape, or values that are neither true nor false.
            TimeoutError: the time of `stop` is up.
            KeyboardInterrupt: `stop` was set.
        """
        bits = as_rows(holds, len(self.inputs))
        found = np.empty((len(bits), len(self.outputs)), np.bool_)
        for start in blocks(len(bits), stop):
            some = bits[start : start + BLOCK]
            packed = self._evaluation(bitplanes.pack(some))
            found[start : start + BLOCK] = bitplanes.unpack(packed, len(some))
        return found

    def pack(self, holds: npt.ArrayLike) -> Planes:
        """Pack rows of inputs, bool of shape (n, inputs), into planes.

        Raises:
            InputError: as `evaluate`.
        """
        return bitplanes.pack(as_rows(holds, len(self.inputs)))

    def unpack(self, planes: Planes, rows: int) -> TruthTable:
        """Unpack planes into `rows` rows of outputs, bool of shape (rows, outputs)."""
        return bitplanes.unpack(planes, rows)

    def weighted(self, holds: npt.ArrayLike, weights: Mapping[str | Term, int]) -> RowSums:
        """Return the sum of the weights of the outputs that hold in each row: int64 of shape (n,).

        Args:
            weights: by output, as a term or its text; each below 2^31 in size.

        Raises:
            InputError: as `evaluate`; an atom is no output, or a weight is out of range.
        """
        pairs = [
            (self._output(atom), whole(f"weight of {atom}", weight, -LARGEST, LARGEST))
            for atom, weight in weights.items()
        ]
        return self._add(tuple((self.results[place], weight) for place, weight in pairs), holds)

    def costs(self, holds: npt.ArrayLike) -> dict[int, RowSums]:
        """Return the sums of ``#minimize`` and ``#maximize`` statements, for each row, by priority.

        As in clingo's costs, the value of a ``#maximize`` statement has its sign changed. The
        result is empty for a circuit that was compiled without ``optimisation="output"``.

        Returns:
            int64 of shape (n,) by priority, the highest first.
        """
        return {p: self._add(tuple(terms), holds) for p, terms in self.minimised.items()}

    def _add(self, terms: tuple[tuple[int, int], ...], holds: npt.ArrayLike) -> RowSums:
        """Add up the weights of literals; the preparation is cached for the terms used last."""
        bits = as_rows(holds, len(self.inputs))
        made = self._sums.pop(terms, None)
        if made is None:
            literals, weights = [literal for literal, _ in terms], [weight for _, weight in terms]
            made = (
                Evaluation(self.nodes, self.gates, literals),
                bitplanes.WeightedSum(weights),
            )
        self._sums[terms] = made
        for old in [*self._sums][:-_SUMS]:  # another thread may drop it first
            self._sums.pop(old, None)
        evaluation, add = made
        found = np.zeros(len(bits), np.int64)
        for start in blocks(len(bits)) if terms else ():
            some = bits[start : start + BLOCK]
            found[start : start + BLOCK] = add(evaluation(bitplanes.pack(some)))[: len(some)]
        return found

    def count(self, atom: str | Term | None = None, *, stop: Stop | None = None) -> "Counted":
        """Count the sets of inputs for which an output holds.

        Args:
            atom: the output, as a term or its text; may be left out if there is only one.
            stop: ends it early.

        Returns:
            The number of sets. It is exact for up to 26 inputs; for more it is estimated from
            random sets, and `Counted.error` is half the width of a 95 % interval.

        Raises:
            InputError: no such output.
            TimeoutError: the time of `stop` is up before all sets of up to 26 inputs are counted.
        """
        from aspcircuits import counting  # as below: most programs do without

        return counting.count(self, self._output(atom), stop or Stop())

    def probability(
        self,
        chances: Mapping[str | Term, float] | None = None,
        atom: str | Term | None = None,
        *,
        stop: Stop | None = None,
    ) -> "Counted":
        """Return the probability of an output if inputs hold at random, independently.

        Args:
            chances: probabilities of inputs, from 0 to 1; all others hold with one half.
            atom, stop: see `count`.

        Raises:
            InputError: no such output or input, or a chance that is not from 0 to 1.
            TimeoutError: as `count`.
        """
        given = dict.fromkeys(self.inputs, 0.5)
        for each, chance in (chances or {}).items():
            name = as_term(each)
            if name not in given:
                raise InputError(f"'{render(name)}' is not an input")
            if not isinstance(chance, Real) or not 0 <= chance <= 1:
                raise InputError(f"chance {chance!r} of '{render(name)}' is not from 0 to 1")
            given[name] = float(chance)
        from aspcircuits import counting

        return counting.probability(self, [*given.values()], self._output(atom), stop or Stop())

    def native(self) -> "NativeCircuit":
        """Compile the circuit to machine code, with the extra ``fast`` (llvmlite).

        It takes seconds for a large circuit and is cached for the next run.

        Raises:
            InputError: llvmlite is not installed.
            EncodingError: the code cannot be made.
        """
        from aspcircuits import native  # which needs llvmlite

        return native.NativeCircuit.of(
            self.inputs, self.outputs, self.nodes, self.gates, self.results
        )

    def to_aiger(self) -> str:
        """Write the circuit in the ASCII format of AIGER, with a symbol table."""
        from aspcircuits import formats

        return formats.to_aiger(self)

    def to_blif(self) -> str:
        """Write the circuit in BLIF, for tools such as ABC and Yosys."""
        from aspcircuits import formats

        return formats.to_blif(self)

    def to_dimacs(self) -> str:
        """Write the circuit as clauses for a SAT solver, with a map of names in comments."""
        from aspcircuits import formats

        return formats.to_dimacs(self)

    def to_c(self, name: str = "circuit") -> str:
        """Write the circuit as a C99 file: a function over words of 64 rows.

        Args:
            name: of the function.

        Raises:
            InputError: the name is no identifier.
        """
        if not (name.isidentifier() and name.isascii()):
            raise InputError(f"name {name!r} is not an identifier of C")
        from aspcircuits import formats

        return formats.to_c(self, name)

    def to_numpy(self) -> str:
        """Write the circuit as a Python module that needs NumPy alone."""
        from aspcircuits import formats

        return formats.to_numpy(self)

    def to_wasm(self) -> bytes:
        """Write the circuit as a WebAssembly module; see `aspcircuits.wasm`."""
        from aspcircuits import wasm

        return wasm.to_wasm(self)

    def _output(self, atom: str | Term | None) -> int:
        """Return the index of an output."""
        if atom is None and len(self.outputs) == 1:
            return 0
        name = None if atom is None else as_term(atom)
        if name is None or name not in self.outputs:
            known = list_names([*map(render, self.outputs)])
            told = "no output is named" if name is None else f"'{render(name)}' is not an output"
            raise InputError(f"{told} (use {known})")
        return self.outputs.index(name)

    def __repr__(self) -> str:
        sizes = len(self.inputs), len(self.outputs), len(self.gates)
        return "<Circuit of {} inputs, {} outputs, {} gates>".format(*sizes)

    @property
    def levels(self) -> list[int]:
        """The number of gates on each level, the first level first."""
        sizes = Counter(gate.level for gate in self.gates)
        return [sizes[level] for level in sorted(sizes)]

    def cost(self, key: Callable[[Term], str]) -> dict[str, tuple[int, int]]:
        """Return for each group of outputs how many gates it needs, and how many only it needs.

        Args:
            key: returns the name of an output's group.
        """
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
        """Return the ground rules that derive an atom, and what became of it in the circuit.

        Args:
            atom: as a term or its text.

        Returns:
            Lines of a logic program; the last one is a comment about the gate.

        Raises:
            InputError: the program has no such atom.
        """
        atom = as_term(atom)
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
                negated = "" if gate.result == literal else "not "
                what = f"{negated}the {gate.op.name} of {len(gate.operands)}"
                return f"a gate of level {gate.level}: {what}"
        return "part of the only gate that uses it"


def rules_of(program: GroundProgram, atom: int) -> list[str]:
    """Return the rules that derive an atom, one line each, with auxiliary atoms unfolded."""
    head = literal_text(program, atom)
    bodies = [_body_text(program, body) for body in program.rules.get(atom, ())]
    return [f"{head} :- {body}." if body else f"{head}." for body in bodies]


def literals_text(program: GroundProgram, literals: Iterable[int], separator: str = ", ") -> str:
    """Return a conjunction as text."""
    return separator.join(literal_text(program, literal) for literal in literals)


def literal_text(program: GroundProgram, literal: int) -> str:
    """Return a literal as text; an auxiliary atom is replaced by the bodies of its rules."""
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
