"""A ground program as a circuit: thousands of answer sets at once, 64 to a machine word.

An encoding without choices of its own is a function: from the input atoms that hold to the output
atoms that hold. `compile` grounds it once with every input left open and turns each ground rule
into a gate (see `advisor.asp.gates`). A `Circuit` evaluates the gates level by level on
bit-planes: row i of a plane array tells where atom i holds, one bit for each position of the
batch. NumPy is all it needs, and it knows neither boards nor weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from advisor.asp.bitplanes import Planes
from advisor.asp.clingo_api import GroundProgram, Term, render
from advisor.asp.evaluation import Evaluation
from advisor.asp.gates import FALSE, translate
from advisor.asp.listing import literal_text, literals_text
from advisor.errors import EncodingError


def compile(
    files: Iterable[Path],
    inputs: Sequence[Term],
    outputs: Iterable[tuple[str, int]],
    constants: Mapping[str, int] | None = None,
) -> "Circuit":
    """Turns encodings into a circuit.

    The program may have normal rules, default negation, conditional literals and aggregates, in
    any number of layers. Optimisation statements do not change which atoms hold and are ignored.

    Args:
        files: the encodings.
        inputs: the atoms that are left open; no rule may derive them.
        outputs: name and arity of the predicates to compute, shown or not.
        constants: values for ``#const`` statements.

    Raises:
        EncodingError: clingo cannot ground it, or it has not one answer set for each set of
            inputs: it has a choice, a disjunction, a constraint, an external or theory atom, or
            an atom that depends on itself.
    """
    program = GroundProgram(files, inputs, constants or {})
    numbers = [program.number(atom) for atom in inputs]
    _refuse(program, dict(zip(numbers, inputs, strict=True)))
    wanted = [found for name, arity in outputs for found in program.atoms(name, arity)]
    return Circuit(program, dict(zip(inputs, numbers, strict=True)), dict(wanted))


def _refuse(program: GroundProgram, inputs: Mapping[int, Term]) -> None:
    """Raises an `EncodingError` for what is neither a rule nor the choice of the inputs."""
    for atom in inputs.keys() & program.rules.keys():
        place = program.place("rule", inputs[atom])
        raise EncodingError(f"{place}'{render(inputs[atom])}' is an input, but a rule derives it")
    for heads, body in program.choices:
        for atom in heads:
            if atom not in inputs or body:
                place = program.place("choice", program.names.get(atom))
                name = literal_text(program, atom)
                raise EncodingError(f"{place}'{name}' is a choice; only the inputs are open")
    for kind, atoms in program.others:
        named = kind in ("disjunction", "external")
        place = program.place(kind, program.names.get(atoms[0]) if named else None)
        what = literals_text(program, atoms, "; " if kind == "disjunction" else ", ")
        raise EncodingError(place + _REFUSALS[kind].format(what))


_REFUSALS = {
    "disjunction": "'{}' is a disjunction; a circuit takes rules with one head",
    "constraint": "':- {}.' is a constraint, which would forbid some inputs",
    "external": "'{}' is external; only the inputs are open",
    "edge": "an #edge statement (when {}) would forbid some inputs",
    "theory": "theory atom '{}'; a circuit takes plain rules only",
}


class Circuit:
    """A compiled program; see `compile`. One object is not to be called by two threads at once.

    Attributes:
        inputs: the input atoms, in the order of the rows that a call takes.
        outputs: the atoms of the output predicates that can hold, in the order of the rows that a
            call returns.
        gates: the gates, operands before those that use them.
    """

    def __init__(
        self, program: GroundProgram, inputs: Mapping[Term, int], outputs: Mapping[Term, int]
    ) -> None:
        self.inputs = tuple(inputs)
        self.outputs = tuple(sorted(outputs, key=repr))
        self._program = program
        numbers = [outputs[atom] for atom in self.outputs]
        netlist, self._literals = translate(program, list(inputs.values()), numbers)
        self._results = [self._literals.get(number, FALSE) for number in numbers]
        self.gates = netlist.gates(self._results)
        self._evaluation = Evaluation(netlist.inputs, self.gates, self._results)

    def __call__(self, planes: Planes) -> Planes:
        """Evaluates a batch.

        Args:
            planes: uint64 of shape (inputs, words); bit b of word w of row i says whether input i
                holds in position 64 w + b.

        Returns:
            The same for the outputs: uint64 of shape (outputs, words).
        """
        return self._evaluation(planes)
