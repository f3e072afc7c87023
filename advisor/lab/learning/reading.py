"""A game's ground program, read by what rules mean and not by what predicates are called."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from advisor.asp.clingo_api import GroundProgram, Program, Sum, Term
from advisor.asp.source import statements
from advisor.circuits import circuit
from advisor.errors import EncodingError
from advisor.games.rules import CONTRACT, Rules, numbers
from advisor.lab.learning.symmetry import Supports, colours, supports

Row = tuple[Term, ...]


class Reading:
    """A ground program with what is said of its atoms.

    Attributes:
        rules: the game.
        names: of atoms, by number.
        number: of atoms, by name.
        facts, derived: the arguments of atoms that always hold and of all others, by signature.
        statements: the rules as they are written.
        constants: of the rules, with their values.
        turns: the base atoms that say whose turn it is, one a role; empty if there are none.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        open_atoms: list[Term] = [("true", atom) for atom in rules.base]
        open_atoms += [("does", *pair) for pair in sorted(rules.inputs, key=repr)]
        self._program: GroundProgram = circuit.ground(rules.files, open_atoms, rules.constants)
        self.names: Mapping[int, Term] = self._program.names
        self.number = {atom: number for number, atom in self.names.items()}
        self.facts: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        self.derived: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        for number, atom in self.names.items():
            name, *arguments = atom if isinstance(atom, tuple) else (atom,)
            fact = any(len(body) == 0 for body in self.bodies(number))
            (self.facts if fact else self.derived)[name, len(arguments)].append(tuple(arguments))
        self.statements = statements(rules.files)
        self.constants = {**numbers(rules.files), **rules.constants}
        self.turns = self._turns()

    def bodies(self, number: int) -> list[Sequence[int]]:
        """The bodies of an atom's rules, but for those that count."""
        found = self._program.rules.get(number, [])
        return [body for body in found if not isinstance(body, Sum)]

    def meant(self, literal: int) -> int:
        """The base atom that an atom stands for."""
        bodies = self._program.rules.get(abs(literal), [])
        if len(bodies) == 1 and not isinstance(bodies[0], Sum) and len(bodies[0]) == 1:
            (only,) = bodies[0]
            if only > 0:
                return self.meant(only) * (1 if literal > 0 else -1)
        return literal

    def fact(self, rows: set[Row]) -> str:
        """The predicate of which exactly these rows are facts; empty if there is none."""
        arity = len(next(iter(rows)))
        known = (n for (n, a), found in self.facts.items() if a == arity and {*found} == rows)
        return next((n for n in sorted(known) if n not in CONTRACT), "")

    def aliased(self, atoms: Sequence[Term]) -> bool:
        """Whether rules read base atoms by their own name, as a rule ``a :- true(a)`` has it."""
        return all(
            self.bodies(self.number.get(atom, 0)) == [[self.number["true", atom]]] for atom in atoms
        )

    def read_as(self, name: str, atoms: Sequence[Term]) -> str:
        """How rules read base atoms of a predicate: by their own name, or inside ``true``."""
        return name if self.aliased(atoms) else f"true({name}"

    def follows(self, constant: str, name: str, argument: int) -> bool:
        """Whether an argument of base atoms grows as a constant of the rules does."""
        grown = self.constants[constant] + 2
        constants = {**self.rules.constants, constant: grown}
        try:
            program = Program(self.rules.files, constants=constants, options=("--warn=none",))
        except EncodingError:
            return False
        found = [a[1][argument] for a, _ in program.atoms("base", 1) if a[1][0] == name]
        return max(found, default=0) == grown

    def makers(self, atom: Term) -> set[Term]:
        """The roles whose moves make a base atom hold that has not held."""
        held = self.number["true", atom]
        found: set[Term] = set()
        for body in self.bodies(self.number.get(("next", atom), 0)):
            if held not in map(self.meant, body):
                found |= {*self.movers(x for x in body if x > 0)}
        return found

    def movers(self, literals: Iterable[int]) -> Iterator[Term]:
        """The roles of the moves that some atoms depend on."""
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
        """Those without which the most moves are not legal."""
        names = sorted({a[0] for a in self.rules.base if isinstance(a, tuple) and len(a) == 2})
        pairs = [tuple((name, role) for role in self.rules.roles) for name in names]
        found = [(self._bound(pair), pair) for pair in pairs if {*pair} <= {*self.rules.base}]
        most, turns = max(found, default=(0, ()))
        return turns if most else ()

    def _bound(self, turns: Row) -> int:
        """How many moves are legal only where a role's own of some base atoms holds."""
        held = {
            role: self.number["true", turn]
            for role, turn in zip(self.rules.roles, turns, strict=True)
        }
        count = 0
        for role, move in self.rules.inputs:
            bodies = self.bodies(self.number.get(("legal", role, move), 0))
            count += bool(bodies) and all(held[role] in map(self.meant, body) for body in bodies)
        return count

    # What is alike, and what is enough for what

    @cached_property
    def sets(self) -> Supports:
        """Which base atoms are enough for what."""
        turns = {self.number["true", turn] for turn in self.turns}
        given = {self.number["true", atom] for atom in self.rules.base} - turns
        return supports(self._program, given, turns)

    @cached_property
    def colours(self) -> Sequence[int]:
        """By number: atoms of different colours are not alike."""
        begin: dict[int, Any] = {}
        for number, atom in self.names.items():
            if isinstance(atom, tuple) and atom[0] in ("true", "next"):
                begin[number] = atom[0], signature(atom[1])[0]
            elif isinstance(atom, tuple) and atom[0] in ("legal", "does"):
                begin[number] = atom[0], signature(atom[2])[0]
            elif isinstance(atom, tuple) and atom[0] == "goal":
                begin[number] = atom[0], atom[2]
            elif atom == "terminal":
                begin[number] = atom
        whole = {
            number: sets
            for number, sets in self.sets.items()
            if any(len(each) > 1 for each in sets)
            and all(x > 0 for body in self.bodies(number) for x in body)
        }
        return colours(self._program, begin, whole)


def signature(term: Term) -> tuple[str, int]:
    """The name of a term and how many arguments it has."""
    return (term[0], len(term) - 1) if isinstance(term, tuple) else (str(term), 0)
