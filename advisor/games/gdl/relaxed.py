"""What can hold at all: a sheet's rules, grounded as if every possible state and move were there.

They come without what they deny of the state (`rewrite.joined_by_and_by`), so that whatever can
hold in some state holds here. The program has no choices left: its one answer set lists the atoms
of states, the moves, and how much there is of everything else.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import inf, prod

from advisor.asp import apart
from advisor.asp.clingo_api import Program, Term
from advisor.games.gdl.language import (
    Rule,
    Signature,
    Variable,
    arguments,
    cone,
    defined,
    in_order,
    matches,
    signature,
    substitute,
    variables_of,
)

MANY = 4
"""Variables of a rule whose number of instances may matter."""

DECLARED: set[Signature] = {("base", 1), ("input", 2)}
"""What states and moves may be said to be; then there is nothing else."""

_GROWTH = 8
"""How much deeper than the sheet's own terms those of a state may be nested."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many atoms there can be that look like one in a rule, and values of its variables."""

    atoms: int
    values: dict[Variable, int]


@dataclass(frozen=True, slots=True)
class Survey:
    """What can hold.

    Attributes:
        base: the atoms that states are made of.
        start: those of them that hold at the beginning.
        inputs: roles and moves.
        extents: of atoms in rules.
        too_deep: a fact of a state that grows without bound, None if there is none.
    """

    base: tuple[Term, ...]
    start: tuple[Term, ...]
    inputs: tuple[tuple[Term, Term], ...]
    extents: dict[Term, Extent]
    too_deep: Term | None

    def instances(self, rule: Rule) -> float:
        """About how many ground rules a rule has: the usual estimate of a join's size.

        Infinite where one of its predicates was not looked at.
        """
        if any(x.binds and x.atom not in self.extents for x in rule.body):
            return inf
        found = [self.extents[x.atom] for x in rule.body if x.binds]
        size = float(prod(extent.atoms for extent in found))
        for variable in variables_of(rule.body):
            counts = sorted(e.values[variable] for e in found if variable in e.values)
            size /= prod(counts[1:]) or 1
        return size


def wide_atoms(rules: Iterable[Rule]) -> set[Term]:
    """The conditions of the rules whose number of instances may matter."""
    return {
        x.atom
        for rule in rules
        if len(variables_of(rule.body)) >= MANY
        for x in rule.body
        if x.binds
    }


def survey(rules: Sequence[Rule], atoms: set[Term], what: str) -> Survey:
    """Looks at everything that can hold.

    Args:
        rules: those of `rewrite.joined_by_and_by`.
        atoms: conditions whose extents are wanted.
        what: how errors call the sheet.

    Raises:
        EncodingError: it takes too much time or memory.
    """
    return apart.run(_survey, *_relaxed(rules, ()), atoms, what=what)


def possible(rules: Sequence[Rule], wanted: Sequence[Signature], what: str) -> tuple[Term, ...]:
    """The atoms of some predicates that can hold; see `survey`."""
    return apart.run(_possible, *_relaxed(rules, wanted), [*wanted], what=what)


def _relaxed(rules: Sequence[Rule], wanted: Iterable[Signature]) -> tuple[str, int]:
    """The program of everything that can hold, and how deep its terms may be."""
    wanted = [("legal", 2), ("next", 1), ("init", 1), ("role", 1), *wanted]
    guarded = {*defined(rules)} >= DECLARED
    program = cone(rules, [*wanted, *DECLARED] if guarded else wanted)
    base, given = (", base(A)", ", input(P, M)") if guarded else ("", "")
    text = "".join(dict.fromkeys(f"{rule}\n" for rule in program)) + (
        f"true(A) :- init(A), @shallow(A) = 1{base}.\n"
        f"true(A) :- next(A), @shallow(A) = 1{base}.\n"
        f"does(P, M) :- legal(P, M){given}.\n"
    )
    deepest = max(_depth(x) for r in rules for x in (r.head, *(x.atom for x in r.body)))
    return text, deepest + _GROWTH


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term[1:]), default=0) if isinstance(term, tuple) else 0


def _possible(text: str, deepest: int, wanted: Sequence[Signature]) -> tuple[Term, ...]:
    program, _ = _grounded(text, deepest)
    return tuple(atom for name in wanted for atom in _atoms(program, name))


def _survey(text: str, deepest: int, atoms: set[Term]) -> Survey:
    program, too_deep = _grounded(text, deepest)
    known = cache(partial(_atoms, program))
    # What begins the game or follows declared states is part of a state, declared or not.
    states: list[Signature] = [("true", 1), ("init", 1), ("next", 1)]
    return Survey(
        base=tuple(dict.fromkeys(atom[1] for name in states for atom in known(name))),
        start=tuple(atom[1] for atom in known(("init", 1))),
        inputs=tuple((role, move) for _, role, move in known(("does", 2))),
        extents=_extents(atoms, known),
        too_deep=next(iter(too_deep), None),
    )


def _grounded(text: str, deepest: int) -> tuple[Program, list[Term]]:
    """The program, and the atoms of states with which it stopped since they were too deep."""
    too_deep: list[Term] = []

    def shallow(term: Term) -> int:
        if _depth(term) > deepest:
            too_deep.append(term)
        return int(_depth(term) <= deepest)

    functions = {"shallow": shallow}
    return Program([], rules=text, options=("--warn=none",), functions=functions), too_deep


def _atoms(program: Program, name: Signature) -> list[Term]:
    return [atom for atom, _ in program.atoms(*name)]


def _extents(atoms: Iterable[Term], known: Callable[[Signature], list[Term]]) -> dict[Term, Extent]:
    """How many atoms look like each; variables may have any names, and are counted once."""
    found: dict[Term, Extent] = {}
    counted: dict[Term, tuple[int, list[int]]] = {}
    for atom in atoms:
        if not known(signature(atom)):
            continue  # it is about the end or the goals only
        own = [*dict.fromkeys(in_order(atom))]
        plain = [Variable(f"V{i}") for i in range(len(own))]
        pattern = substitute(atom, dict(zip(own, plain, strict=True)))
        if pattern not in counted:
            rows = _values(pattern, plain, known(signature(atom)))
            counted[pattern] = len(rows), [len({*column}) for column in zip(*rows, strict=True)]
        count, sizes = counted[pattern]
        found[atom] = Extent(count, dict(zip(own, sizes or [0] * len(own), strict=True)))
    return found


def _values(
    pattern: Term, wanted: Sequence[Variable], known: Iterable[Term]
) -> list[Sequence[Term]]:
    """The values of the variables in each atom that looks like a pattern."""
    if [*arguments(pattern)] == [*wanted]:
        return [arguments(atom) for atom in known]
    found: list[Sequence[Term]] = []
    for atom in known:
        match: dict[Variable, Term] = {}
        if matches(pattern, atom, match):
            found.append([match[variable] for variable in wanted])
    return found
