"""Read a game's ground program by the meaning of its rules, whatever its predicates are called."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from advisor.errors import EncodingError
from advisor.games.rules import CONTRACT, Rules, numbers
from aspcircuits import circuit
from aspcircuits.clingo_api import (
    GroundProgram,
    Program,
    Sum,
    Term,
    functor,
    literals_of,
    signature,
)
from aspcircuits.source import statements

Row = tuple[Term, ...]

Supports = Mapping[int, frozenset[frozenset[int]]]
"""The minimal sets of other atoms that imply each atom."""

_ROUNDS = 30
_MOST_OF_ONE, _MOST, _LARGEST = 4000, 60_000, 6
"""Bounds: supports of one atom, supports of all atoms, atoms of one support."""


class Reading:
    """A ground program with indexes of its atoms.

    Attributes:
        rules: the game.
        names: name of each atom, by number.
        number: number of each atom, by name.
        true: number of ``true(atom)``, by base atom.
        facts, derived: arguments of atoms that always hold, and of all others, by signature;
            without the predicates that all games share.
        statements: the rules as they are written.
        constants: of the rules, with their values.
        turns: the base atoms that say whose turn it is, one for each role; empty if there are none.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._program = circuit.ground(rules.files, rules.open_atoms, rules.constants)
        self.names: Mapping[int, Term] = self._program.names
        self.number = {atom: number for number, atom in self.names.items()}
        self.true = {atom: self.number["true", atom] for atom in rules.base}
        self.facts: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        self.derived: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        for number, atom in self.names.items():
            if functor(atom) in CONTRACT:
                continue
            fact = any(len(body) == 0 for body in self.bodies(number))
            row = atom[1:] if isinstance(atom, tuple) else ()
            (self.facts if fact else self.derived)[signature(atom)].append(row)
        self.statements = statements(rules.files)
        self.constants = {**numbers(rules.files), **rules.constants}
        self.turns = self._turns()

    def bodies(self, number: int) -> list[Sequence[int]]:
        """Return the bodies of an atom's rules, except counting ones."""
        found = self._program.rules.get(number, [])
        return [body for body in found if not isinstance(body, Sum)]

    def base_literal(self, literal: int) -> int:
        """Return the end of a chain of atoms that are each defined by one literal."""
        match self._program.rules.get(abs(literal), []):
            case [[int(only)]] if only > 0:
                return self.base_literal(only) * (1 if literal > 0 else -1)
        return literal

    def fact(self, rows: set[Row]) -> str:
        """Return the predicate whose facts are exactly these rows; empty if there is none."""
        arity = len(next(iter(rows)))
        known = (n for (n, a), found in self.facts.items() if a == arity and {*found} == rows)
        return min(known, default="")

    def read_as(self, atom: str, atoms: Sequence[Term]) -> str:
        """Write base atoms as rules do: bare if rules define ``a :- true(a)``, else in ``true``."""
        aliased = all(self.bodies(self.number.get(a, 0)) == [[self.true[a]]] for a in atoms)
        return atom if aliased else f"true({atom})"

    def follows(self, constant: str, name: str, argument: int) -> bool:
        """Whether the largest value of an argument of base atoms follows a constant."""
        grown = self.constants[constant] + 2
        constants = {**self.rules.constants, constant: grown}
        try:
            program = Program(self.rules.files, constants=constants, options=("--warn=none",))
        except EncodingError:
            return False
        found = [a[1][argument] for a, _ in program.atoms("base", 1) if a[1][0] == name]
        return max(found, default=0) == grown

    def makers(self, atom: Term) -> set[Term]:
        """Return the roles whose moves make a base atom true that was false."""
        found: set[Term] = set()
        for body in self.bodies(self.number.get(("next", atom), 0)):
            if self.true[atom] not in map(self.base_literal, body):
                found |= {*self.movers(x for x in body if x > 0)}
        return found

    def movers(self, literals: Iterable[int]) -> Iterator[Term]:
        """Yield the roles of the moves that some atoms depend on, once for each move."""
        waiting, met = [*literals], set[int]()
        while waiting:
            number = abs(waiting.pop())
            name = self.names.get(number)
            if number in met:
                continue
            met.add(number)
            if isinstance(name, tuple) and name[0] == "does":
                yield name[1]
            elif not (isinstance(name, tuple) and name[0] == "true"):
                waiting += [other for body in self.bodies(number) for other in body]

    def _turns(self) -> tuple[Term, ...]:
        """Find `turns`: the pair of base atoms that the largest number of legal moves require."""
        names = sorted({a[0] for a in self.rules.base if isinstance(a, tuple) and len(a) == 2})
        pairs = [tuple((name, role) for role in self.rules.roles) for name in names]
        found = [(self._count_bound(pair), pair) for pair in pairs if {*pair} <= {*self.rules.base}]
        most, turns = max(found, default=(0, ()))
        return turns if most else ()

    def _count_bound(self, turns: Row) -> int:
        """Count the moves whose every rule requires the atom of `turns` for the move's role."""
        held = dict(zip(self.rules.roles, map(self.true.get, turns), strict=True))
        count = 0
        for role, move in self.rules.inputs:
            bodies = self.bodies(self.number.get(("legal", role, move), 0))
            count += bool(bodies) and all(
                held[role] in map(self.base_literal, body) for body in bodies
            )
        return count

    # Symmetry and implication

    @cached_property
    def sets(self) -> Supports:
        """The sets of base atoms that imply each atom, ignoring negation, counts and turns.

        Atoms with too many sets, for example by recursion over a board, are missing.
        """
        found = defaultdict[int, set[frozenset[int]]](set)
        for atom, number in self.true.items():
            found[number] = {frozenset(() if atom in self.turns else [number])}
        rules = [
            (head, [literal for literal in body if literal > 0])
            for head in self._program.rules
            for body in self.bodies(head)
        ]
        users: defaultdict[int, list[int]] = defaultdict(list)
        for number, (_, body) in enumerate(rules):
            for atom in body:
                users[atom].append(number)
        lost: set[int] = set()
        total, waiting = 0, {*range(len(rules))}
        while waiting:
            changed: set[int] = set()
            for number in sorted(waiting):
                head, body = rules[number]
                if head in lost or not lost.isdisjoint(body):
                    lost.add(head)
                    continue
                ways = [found[atom] for atom in body]
                if prod(map(len, ways)) > _MOST_OF_ONE or total > _MOST:
                    lost.add(head)
                    changed.add(head)
                    continue
                for parts in product(*ways):
                    union = frozenset[int]().union(*parts)
                    known = found[head]
                    if len(union) > _LARGEST or any(other <= union for other in known):
                        continue
                    total += 1
                    found[head] = {other for other in known if not union < other} | {union}
                    changed.add(head)
            waiting = {number for head in changed for number in users[head]}
        return {a: frozenset(sets) for a, sets in found.items() if sets and a not in lost}

    @cached_property
    def colours(self) -> Sequence[int]:
        """The colour of each atom, by number; no symmetry maps atoms of different colours."""
        begin: dict[int, Hashable] = {}
        for number, atom in self.names.items():
            match atom:
                case ("true" | "next" as kind, term) | ("legal" | "does" as kind, _, term):
                    begin[number] = kind, functor(term)
                case ("goal", _, worth):
                    begin[number] = "goal", worth
                case "terminal":
                    begin[number] = atom
        whole = {
            number: sets
            for number, sets in self.sets.items()
            if any(len(each) > 1 for each in sets)
            and all(x > 0 for body in self.bodies(number) for x in body)
        }
        return _colour_atoms(self._program, begin, whole)


def _colour_atoms(
    program: GroundProgram, begin: Mapping[int, Hashable], whole: Supports
) -> list[int]:
    """Colour the atoms of a program by colour refinement.

    Args:
        program: rules by head.
        begin: first colours; all other atoms share one.
        whole: atoms that follow from these sets in one step, in place of their rules.

    Returns:
        A colour for each atom, by number; -1 for an irrelevant atom.
    """
    rules: list[tuple[int, tuple[int, ...], int]] = []
    for head, bodies in program.rules.items():
        if head in whole:
            rules += [(head, tuple(part), 0) for part in whole[head]]
            continue
        for body in bodies:
            bound = body.bound if isinstance(body, Sum) else 0
            rules.append((head, tuple(literals_of(body)), bound))
    # Atoms that nothing needs would give equivalent atoms different colours.
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for head, body, _ in rules:
        parts[head] += map(abs, body)
    needed, waiting = set[int](), [*begin]
    while waiting:
        if (atom := waiting.pop()) not in needed:
            needed.add(atom)
            waiting += parts[atom]
    rules = [rule for rule in rules if rule[0] in needed]
    atoms = {*begin, *(abs(a) for head, body, _ in rules for a in (head, *body))}
    uses: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (head, body, _) in enumerate(rules):
        uses[head].append((number, 0))
        for literal in body:
            uses[abs(literal)].append((number, 1 if literal > 0 else 2))
    colour = dict(
        zip(atoms, _number_values([repr(begin.get(atom)) for atom in atoms]), strict=True)
    )
    count = len({*colour.values()})
    for _ in range(_ROUNDS):
        kinds = _number_values(
            [
                (bound, colour[head], *sorted((colour[abs(x)], x > 0) for x in body))
                for head, body, bound in rules
            ]
        )
        told = [
            (colour[atom], *sorted((kinds[number], how) for number, how in uses[atom]))
            for atom in atoms
        ]
        colour = dict(zip(atoms, _number_values(told), strict=True))
        if count == (count := len({*colour.values()})):
            break
    return [colour.get(atom, -1) for atom in range(max(atoms, default=0) + 1)]


def _number_values(told: Sequence[Hashable]) -> list[int]:
    """Number values so that equal ones share a number; sorted by text, so equal in every run."""
    numbers = {each: i for i, each in enumerate(sorted({*told}, key=repr))}
    return [numbers[each] for each in told]
