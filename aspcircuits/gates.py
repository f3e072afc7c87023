"""From a ground program to gates: the logic of the compiler, without a single bit-plane.

A stratified program without choices has one answer set for each set of input atoms, and "which
atoms are in it?" is a question that a circuit answers. The rules of an atom are alternatives, and
a rule wants all of its body: an atom is an OR of ANDs. Since ``a or b`` is ``not (not a and not
b)``, there is one kind of gate while the circuit is built, the AND of literals (which makes equal
gates easy to find and nested ones easy to merge), and a second one for counting, "at least so many
of these literals". Only at the end `Netlist.gates` turns ANDs back into ORs where that
saves an inverter.

Atoms are clingo's numbers; nodes are ours. A literal is the number of either, negative if negated.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from math import gcd
from operator import itemgetter, neg
from typing import NamedTuple

from aspcircuits.clingo_api import Body, GroundProgram, Sum
from aspcircuits.loops import components, depends_on

TRUE = 1
FALSE = -TRUE


class Op(Enum):
    """What a gate does with its operands."""

    AND = "and"
    OR = "or"
    COUNT = "count"


class Gate(NamedTuple):
    """A gate of the finished circuit.

    Attributes:
        result: the literal that the gate computes: the node, or its negation for an OR.
        operands: literals; those of equal COUNT gates with different bounds are equal too.
        bound: how many operands a COUNT needs.
        level: 1 + the highest level among its operands; inputs are on level 0.
    """

    result: int
    op: Op
    operands: tuple[int, ...]
    bound: int
    level: int


class Netlist:
    """Nodes, each defined by earlier ones; equal definitions are one node."""

    def __init__(self, inputs: int) -> None:
        self.inputs = range(TRUE + 1, TRUE + 1 + inputs)
        # The definition of a node: its members, and the bound of a count (0: all of them).
        self._nodes: list[tuple[tuple[int, ...], int]] = [((), 0)] * self.inputs.stop
        self._known: dict[tuple[tuple[int, ...], int], int] = {}

    def all_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if all of these do."""
        members = set(literals)
        members.discard(TRUE)
        if len(members) == 1:
            return members.pop()
        if FALSE in members or not members.isdisjoint(map(neg, members)):
            return FALSE
        return self._node(tuple(sorted(members)), 0) if members else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal that holds if one of these does."""
        return -self.all_of(map(neg, literals))

    def any_of_all(self, conjunctions: Collection[frozenset[int]]) -> int:
        """The literal that holds if all literals of one of these do.

        What many of them share is asked once: ``a b + a c`` is ``a (b + c)``.
        """
        users: dict[int, list[frozenset[int]]] = {}
        for conjunction in conjunctions:
            if FALSE not in conjunction:
                for literal in conjunction:
                    users.setdefault(literal, []).append(conjunction)
        left = {conjunction for conjunction in conjunctions if FALSE not in conjunction}
        found = []
        for literal, using in sorted(users.items(), key=lambda item: (-len(item[1]), item[0])):
            shared = [conjunction for conjunction in using if conjunction in left]
            if len(shared) > 1:
                left.difference_update(shared)
                rest = self.any_of_all({conjunction - {literal} for conjunction in shared})
                found.append(self.all_of((literal, rest)))
        return self.any_of([*found, *map(self.all_of, left)])

    def at_least(self, bound: int, weights: Mapping[int, int]) -> int:
        """The literal that holds if the weights (not negative) of those that hold reach the bound.

        Weights are taken apart into binary digits, and the literals of a digit are sorted: the
        number of those that hold, written as a row of ones and then zeros. Every second place of
        the sorted row is a carry to the next digit (Een and Sorensson, "Translating
        pseudo-Boolean constraints into SAT", 2006). A constant is added to sum and bound, so that
        only the highest digit has to be compared.
        """
        bound -= weights.get(TRUE, 0)
        terms = {
            literal: min(weight, bound)
            for literal, weight in weights.items()
            if weight and abs(literal) != TRUE
        }
        if bound <= 0 or sum(terms.values()) < bound:
            return TRUE if bound <= 0 else FALSE
        divisor = gcd(*terms.values())
        terms = {literal: weight // divisor for literal, weight in terms.items()}
        bound = -(-bound // divisor)
        top = max(terms.values()).bit_length() - 1
        filler = -bound % (1 << top)
        carries: list[int] = []
        for digit in range(top + 1):
            members = carries + [t for t, weight in terms.items() if weight >> digit & 1]
            one = filler >> digit & 1
            if digit < top:
                carries = [
                    self.count(2 * pair - one, members)
                    for pair in range(1, (len(members) + one) // 2 + 1)
                ]
        return self.count((bound + filler) >> top, members)

    def count(self, bound: int, members: Sequence[int]) -> int:
        """The literal that holds if so many of these do."""
        bound -= members.count(TRUE)
        members = [member for member in members if abs(member) != TRUE]
        if bound <= 0:
            return TRUE
        if bound >= len(members):
            return self.all_of(members) if bound == len(members) else FALSE
        if bound == 1:
            return self.any_of(members)
        return self._node(tuple(sorted(members)), bound)

    def nodes(self) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Every node that is no input, after those it uses: it, its members, and how many of them
        it needs (0: all of them)."""
        first = self.inputs.stop
        for node, (members, bound) in enumerate(self._nodes[first:], first):
            yield node, members, bound

    def members(self, literal: int) -> tuple[int, ...]:
        """The literals of which a literal is the AND; none if it is something else."""
        members, bound = self._nodes[literal] if literal > 0 else ((), 0)
        return () if bound else members

    def _node(self, members: tuple[int, ...], bound: int) -> int:
        definition = members, bound
        node = self._known.get(definition)
        if node is None:
            node = self._known[definition] = len(self._nodes)
            self._nodes.append(definition)
        return node

    def gates(self, outputs: Iterable[int]) -> list[Gate]:
        """The gates that the outputs need, operands before those that use them.

        An AND that only one other AND uses becomes part of it. A node that is only ever wanted
        negated is computed as the OR of its negated members.
        """
        uses = Counter(map(abs, chain.from_iterable(map(itemgetter(0), self._nodes))))
        wanted = set(outputs)
        uses.update(abs(output) for output in wanted)
        chosen: list[tuple[int, Op, tuple[int, ...], int]] = []
        for node in range(len(self._nodes) - 1, self.inputs.stop - 1, -1):
            positive, negative = node in wanted, -node in wanted
            if not positive and not negative:
                continue
            operands, bound = self._nodes[node]
            result, op = node, Op.COUNT
            if not bound:
                operands, op = self._merged(operands, uses), Op.AND
                falling = 2 * sum(operand < 0 for operand in operands)
                if not positive or (negative and falling > len(operands)):
                    result, op, operands = -node, Op.OR, tuple(-operand for operand in operands)
            wanted.update(operands)
            chosen.append((result, op, operands, bound))
        level = dict.fromkeys(range(self.inputs.stop), 0)
        gates = []
        for result, op, operands, bound in reversed(chosen):
            height = level[abs(result)] = 1 + max(level[abs(operand)] for operand in operands)
            gates.append(Gate(result, op, operands, bound, height))
        return gates

    def _merged(self, members: tuple[int, ...], uses: Counter[int]) -> tuple[int, ...]:
        """The members of an AND, with those of the ANDs among them that nothing else uses."""
        merged: list[int] = []
        pending = list(members)
        while pending:
            member = pending.pop()
            inner = self.members(member)
            if inner and uses[member] == 1:
                pending.extend(inner)
            else:
                merged.append(member)
        return tuple(merged)


def translate(
    program: GroundProgram,
    inputs: Sequence[int],
    outputs: Iterable[int],
    opposites: Mapping[int, int] | None = None,
) -> tuple[Netlist, dict[int, int]]:
    """The nodes of all atoms that the outputs depend on.

    Args:
        program: stratified; loops without ``not`` become gates for their least fixpoint.
        inputs: its open atoms.
        outputs: the atoms to compute.
        opposites: inputs that hold where another input does not; the other one is read for them.

    Returns:
        The netlist, whose inputs are in the given order, and our literal for each of clingo's.

    Raises:
        LoopError: see `aspcircuits.loops.components`.
    """
    order = components(program)
    needed = set(outputs)
    for component in reversed(order):
        if component.rounds != 1 and not needed.isdisjoint(component.atoms):
            needed.update(component.atoms)
        for atom in reversed(component.atoms):
            if atom in needed:
                needed.update(depends_on(program.rules[atom]))
    netlist = Netlist(len(inputs))
    value = _Values()
    for atom, node in zip(inputs, netlist.inputs, strict=True):
        value[atom], value[-atom] = node, -node
    for atom, other in (opposites or {}).items():
        value[atom], value[-atom] = -value[other], value[other]
    for component in order:
        atoms = [atom for atom in component.atoms if atom in needed]
        if atoms and not component.rounds:
            _eliminate(netlist, program, atoms, value)
        for _ in range(component.rounds):
            before = [value[atom] for atom in atoms]
            for atom in atoms:
                node = _defined(netlist, program.rules[atom], value)
                value[atom], value[-atom] = node, -node
            if before == [value[atom] for atom in atoms]:
                break
    return netlist, value


def _eliminate(
    netlist: Netlist, program: GroundProgram, atoms: Sequence[int], value: "_Values"
) -> None:
    """Defines atoms that depend on each other, no two of them in one body, by elimination."""
    known: dict[int, list[int]] = {atom: [] for atom in atoms}
    others: dict[int, dict[int, list[int]]] = {atom: {} for atom in atoms}
    above: dict[int, set[int]] = {atom: set() for atom in atoms}
    for atom in atoms:
        for body in program.rules[atom]:
            assert not isinstance(body, Sum)
            factor = netlist.all_of([value[literal] for literal in body if literal not in known])
            inner = [literal for literal in body if literal in known]
            if not inner:
                known[atom].append(factor)
            elif inner != [atom]:
                others[atom].setdefault(inner[0], []).append(factor)
                above[inner[0]].add(atom)
    solved = []
    for atom in atoms:
        rest = netlist.any_of(known[atom])
        factors = {other: netlist.any_of(options) for other, options in others[atom].items()}
        solved.append((atom, rest, factors))
        for user in above[atom]:
            by = netlist.any_of(others[user].pop(atom))
            known[user].append(netlist.all_of((by, rest)))
            for other, factor in factors.items():
                above[other].discard(atom)
                if other != user:
                    others[user].setdefault(other, []).append(netlist.all_of((by, factor)))
                    above[other].add(user)
        for other in factors:
            above[other].discard(atom)
    for atom, rest, factors in reversed(solved):
        products = [netlist.all_of((factor, value[other])) for other, factor in factors.items()]
        node = netlist.any_of([rest, *products])
        value[atom], value[-atom] = node, -node


def _defined(netlist: Netlist, rules: Sequence[Body | Sum], value: Mapping[int, int]) -> int:
    """Our literal for an atom with such rules."""
    if len(rules) == 1 and not isinstance(rules[0], Sum):
        return netlist.all_of([value[literal] for literal in rules[0]])
    bodies: set[frozenset[int]] = set()
    sums = []
    for body in rules:
        if isinstance(body, Sum):
            weights: Counter[int] = Counter()
            for term, weight in body.terms:
                weights[value[term]] += weight
            sums.append(netlist.at_least(body.bound, weights))
        else:
            bodies.add(frozenset(value[literal] for literal in body) - {TRUE})
    return netlist.any_of([*sums, netlist.any_of_all(bodies)])


class _Values(dict[int, int]):
    """Our literal for each of clingo's; an atom without rules never holds."""

    def __missing__(self, literal: int) -> int:
        return FALSE if literal > 0 else TRUE
