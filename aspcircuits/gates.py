"""From a ground program to gates: the logic of the compiler, without bit planes.

A stratified program without choices has one answer set for each set of input atoms, and a circuit
computes which atoms are in it. The rules of an atom are alternatives, and a rule needs all of its
body: an atom is an OR of ANDs. Since ``a or b`` is ``not (not a and not b)``, there is one kind of
gate while the circuit is built, the AND of literals (so equal gates are easy to find and nested
ones easy to merge). Counts and sums become full adders here, for every backend: these add XOR and
majority gates. Only at the end `Netlist.gates` turns ANDs back into ORs where that saves an
inverter.

Atoms have clingo's numbers, nodes have the circuit's. A literal is the number of either, negative
if negated.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    """The operation of a gate."""

    AND = "and"
    OR = "or"
    XOR = "xor"
    MAJORITY = "majority"


class Gate(NamedTuple):
    """A gate of the finished circuit.

    Attributes:
        result: the literal that the gate computes: the node, or its negation for an OR.
        operands: literals; an XOR has two or three, a MAJORITY three.
        level: 1 + the highest level among its operands; inputs are on level 0.
    """

    result: int
    op: Op
    operands: tuple[int, ...]
    level: int


_Definition = tuple[Op, tuple[int, ...]]
"""An operation other than OR, and its operands."""


class Netlist:
    """Nodes, each defined by earlier ones; equal definitions share one node."""

    def __init__(self, inputs: int) -> None:
        self.inputs = range(TRUE + 1, TRUE + 1 + inputs)
        self._nodes: list[_Definition] = [(Op.AND, ())] * self.inputs.stop
        self._known: dict[_Definition, int] = {}

    def all_of(self, literals: Iterable[int]) -> int:
        """Return the literal that holds if all of these do."""
        members = set(literals)
        members.discard(TRUE)
        if len(members) == 1:
            return members.pop()
        if FALSE in members or not members.isdisjoint(map(neg, members)):
            return FALSE
        return self._node(Op.AND, members) if members else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        """Return the literal that holds if one of these does."""
        return -self.all_of(map(neg, literals))

    def any_of_all(self, conjunctions: Collection[frozenset[int]]) -> int:
        """Return the literal that holds if all literals of one conjunction do.

        Shared literals are factored out: ``a b + a c`` is ``a (b + c)``.
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

    def xor(self, literals: Iterable[int]) -> int:
        """Return the literal that holds if an odd number of these (two or three) do."""
        odd, sign = set[int](), 1
        for literal in literals:
            odd ^= {abs(literal)}
            sign = sign if literal > 0 else -sign
        if TRUE in odd:
            odd, sign = odd - {TRUE}, -sign
        if len(odd) < 2:
            return sign * (odd.pop() if odd else FALSE)
        return sign * self._node(Op.XOR, odd)

    def majority(self, a: int, b: int, c: int) -> int:
        """Return the literal that holds if at least two of these do."""
        for x, y, z in ((a, b, c), (b, c, a), (c, a, b)):
            if abs(x) == abs(y):
                return x if x == y else z
            if abs(z) == TRUE:
                return self.any_of((x, y)) if z == TRUE else self.all_of((x, y))
        if sum(literal < 0 for literal in (a, b, c)) > 1:
            return -self._node(Op.MAJORITY, (-a, -b, -c))
        return self._node(Op.MAJORITY, (a, b, c))

    def add(self, a: int, b: int, c: int) -> tuple[int, int]:
        """Return the sum and the carry of a full adder."""
        return self.xor((a, b, c)), self.majority(a, b, c)

    def gate(self, op: Op, members: Sequence[int]) -> int:
        """Return the literal of a node with this definition."""
        if op is Op.AND:
            return self.all_of(members)
        return self.xor(members) if op is Op.XOR else self.majority(*members)

    def at_least(self, bound: int, weights: Mapping[int, int]) -> int:
        """Return the literal that holds if the weights of the literals that hold reach the bound.

        Weights are not negative. They are split into binary digits, which full adders add up. A
        constant is added to sum and bound, so that the bound is a power of two. Then it is reached
        if any term for its digit holds, and the digits below it only produce carries.
        """
        bound -= weights.get(TRUE, 0)
        terms = {
            literal: min(weight, bound)
            for literal, weight in weights.items()
            if weight and abs(literal) != TRUE
        }
        if bound <= 0 or sum(terms.values()) < bound:
            return TRUE if bound <= 0 else FALSE
        if sum(terms.values()) == bound:
            return self.all_of(terms)
        divisor = gcd(*terms.values())
        terms = {literal: weight // divisor for literal, weight in terms.items()}
        bound = -(-bound // divisor)
        top = (bound - 1).bit_length()
        constant = (1 << top) - bound
        carries: list[int] = []
        late: list[int] = []
        for place in range(top):
            column = sorted(literal for literal, weight in terms.items() if weight >> place & 1)
            left, carries = add_up([*column, *carries], self.add, 2)
            # The part that depends on the constant comes last, so that other bounds share the
            # adders.
            _, late = add_up([*left, *late, *[TRUE] * (constant >> place & 1)], self.add)
        reached = [literal for literal, weight in terms.items() if weight >> top]
        return self.any_of([*reached, *carries, *late])

    def nodes(self) -> Iterator[tuple[int, Op, tuple[int, ...]]]:
        """Yield every node but the inputs, after those it uses, with its operation and members."""
        first = self.inputs.stop
        for node, (op, members) in enumerate(self._nodes[first:], first):
            yield node, op, members

    def members(self, literal: int) -> tuple[int, ...]:
        """Return the literals whose AND a literal is; none if it is something else."""
        op, members = self._nodes[literal] if literal > 0 else (Op.OR, ())
        return members if op is Op.AND else ()

    def _node(self, op: Op, members: Iterable[int]) -> int:
        definition = op, tuple(sorted(members))
        node = self._known.get(definition)
        if node is None:
            node = self._known[definition] = len(self._nodes)
            self._nodes.append(definition)
        return node

    def gates(self, outputs: Iterable[int]) -> list[Gate]:
        """Return the gates that the outputs need, operands before the gates that use them.

        An AND that only one other AND uses is merged into it. A node that is only used negated is
        computed as the OR of its negated members.
        """
        uses = Counter(map(abs, chain.from_iterable(map(itemgetter(1), self._nodes))))
        wanted = set(outputs)
        uses.update(abs(output) for output in wanted)
        chosen: list[tuple[int, Op, tuple[int, ...]]] = []
        for node in range(len(self._nodes) - 1, self.inputs.stop - 1, -1):
            positive, negative = node in wanted, -node in wanted
            if not positive and not negative:
                continue
            result, (op, operands) = node, self._nodes[node]
            if op is Op.AND:
                operands = self._merge_members(operands, uses)
                falling = 2 * sum(operand < 0 for operand in operands)
                if not positive or (negative and falling > len(operands)):
                    result, op, operands = -node, Op.OR, tuple(-operand for operand in operands)
            wanted.update(operands)
            chosen.append((result, op, operands))
        level = dict.fromkeys(range(self.inputs.stop), 0)
        gates = []
        for result, op, operands in reversed(chosen):
            height = level[abs(result)] = 1 + max(level[abs(operand)] for operand in operands)
            gates.append(Gate(result, op, operands, height))
        return gates

    def _merge_members(self, members: tuple[int, ...], uses: Counter[int]) -> tuple[int, ...]:
        """Return the members of an AND, with ANDs that only it uses replaced by their members."""
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


def add_up(
    column: Iterable[int], add: Callable[[int, int, int], tuple[int, int]], most: int = 1
) -> tuple[list[int], list[int]]:
    """Add up literals of the same weight by full adders.

    Args:
        add: makes an adder of three literals.
        most: how many literals may remain.

    Returns:
        The literals that remain, and carries, which have twice the weight.
    """
    waiting, carries = deque(column), []
    while len(waiting) > most:
        first, second = waiting.popleft(), waiting.popleft()
        total, carry = add(first, second, waiting.popleft() if waiting else FALSE)
        waiting.append(total)
        carries.append(carry)
    return [*waiting], carries


def translate(
    program: GroundProgram,
    inputs: Sequence[int],
    outputs: Iterable[int],
    opposites: Mapping[int, int] | None = None,
) -> tuple[Netlist, dict[int, int]]:
    """Return the nodes of all atoms that the outputs depend on.

    Args:
        program: stratified; loops without ``not`` become gates for their least fixpoint.
        inputs: its open atoms.
        outputs: the atoms to compute.
        opposites: inputs that hold if and only if another input does not; the other one replaces
            them.

    Returns:
        The netlist, whose inputs are in the given order, and its literal for each of clingo's.

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
                node = _define_atom(netlist, program.rules[atom], value)
                value[atom], value[-atom] = node, -node
            if before == [value[atom] for atom in atoms]:
                break
    return netlist, value


def _eliminate(
    netlist: Netlist, program: GroundProgram, atoms: Sequence[int], value: "_Values"
) -> None:
    """Define atoms that depend on each other, no two of them in one body, by elimination."""
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


def _define_atom(netlist: Netlist, rules: Sequence[Body | Sum], value: Mapping[int, int]) -> int:
    """Return the circuit's literal for an atom with these rules."""
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
    """The circuit's literal for each of clingo's; an atom without rules never holds."""

    def __missing__(self, literal: int) -> int:
        return FALSE if literal > 0 else TRUE
