"""The order in which the atoms of a ground program can be computed, and the treatment of loops.

Atoms that depend on each other, as in "connected to something connected", form a component (Tarjan,
"Depth-first search and linear graph algorithms", 1972). Without ``not`` in it, a component has a
least fixpoint: all its atoms are false at first, and each round of all its rules makes more of them
true until nothing changes. This also holds for counts and sums with a lower bound, since clingo
leaves no weight negative. If no body has two atoms of the component, as in this example, the atoms
can be eliminated one after the other instead, as in Gaussian elimination (Backhouse and Carré,
"Regular algebra applied to path-finding problems", 1975), which takes far fewer gates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from aspcircuits import source
from aspcircuits.clingo_api import Body, GroundProgram, Sum, literals_of, render, signature
from aspcircuits.errors import EncodingError

_MOST = 4_000_000
"""The most literals of all rounds of a component together."""


class LoopError(EncodingError):
    """A program in which an atom depends on itself in a way that no circuit can compute."""


@dataclass(frozen=True, slots=True)
class Component:
    """Atoms that depend on each other, or a group of atoms without such loops.

    Attributes:
        atoms: in the order in which a round computes them, or in which they are eliminated.
        rounds: number of rounds that reach the fixpoint for all inputs: one more than the atoms
            that a round reads before it computes them. (A derivation needs no atom twice, and
            continues within a round except at such atoms.) 0 if atoms are eliminated, 1 if none
            depends on itself.
    """

    atoms: Sequence[int]
    rounds: int


def components(program: GroundProgram) -> list[Component]:
    """Return the derived atoms, each component after everything that its rules mention.

    Raises:
        LoopError: an atom depends on itself through ``not``, or through a count with an upper
            bound, which amounts to the same, or the computation would be too large.
    """
    if program.order is None:  # a game compiles several circuits from one program
        program.order = [*_order_components(program)]
    return program.order


def _order_components(program: GroundProgram) -> Iterator[Component]:
    plain: list[int] = []
    for atoms, loops in _strongly_connected(program):
        if not loops:
            plain += atoms
            continue
        if plain:
            yield Component(plain, 1)
            plain = []
        yield _unroll_loop(program, atoms)
    yield Component(plain, 1)


def depends_on(bodies: Iterable[Body | Sum]) -> set[int]:
    """Return the atoms that some bodies mention."""
    atoms: set[int] = set()
    for body in bodies:
        atoms.update(map(abs, literals_of(body)))
    return atoms


def _strongly_connected(program: GroundProgram) -> Iterator[tuple[list[int], bool]]:
    """Yield the strongly connected components, and whether each contains a loop."""
    rules = program.rules
    left = {*rules}  # in no component yet
    looped: set[int] = set()
    number: dict[int, int] = {}  # in the order of discovery
    low: dict[int, int] = {}  # the first discovered atom that can be reached from it
    pending: list[int] = []  # discovered, but not yet in a component
    for root in rules:
        if root not in left:
            continue
        below_root = depends_on(rules[root])
        if left.isdisjoint(below_root):  # true of most atoms, as clingo orders them
            left.discard(root)
            yield [root], False
            continue
        path = [(root, iter(below_root))]
        number[root] = low[root] = len(number)
        pending.append(root)
        while path:
            atom, rest = path[-1]
            for below in rest:
                if below not in left:
                    continue
                if below not in number:
                    number[below] = low[below] = len(number)
                    pending.append(below)
                    path.append((below, iter(depends_on(rules[below]))))
                    break
                low[atom] = min(low[atom], low[below])
                if below == atom:
                    looped.add(atom)
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[atom])
                if low[atom] == number[atom]:
                    found = [pending.pop()]
                    while found[-1] != atom:
                        found.append(pending.pop())
                    left.difference_update(found)
                    yield found, len(found) > 1 or atom in looped


def _unroll_loop(program: GroundProgram, atoms: Sequence[int]) -> Component:
    place = {atom: i for i, atom in enumerate(atoms)}
    early: set[int] = set()
    size = 0
    linear = True
    for atom in atoms:
        for body in program.rules[atom]:
            literals = literals_of(body)
            inner = sum(literal in place for literal in literals)
            linear &= inner < 1 + (not isinstance(body, Sum))
            if any(-literal in place for literal in literals):
                why = "through 'not' or a count with an upper bound"
                raise _error(program, atoms, atom, why)
            early.update(literal for literal in literals if place.get(literal, -1) >= place[atom])
            size += len(literals)
    rounds = len(early) + 1
    most = min(rounds * size, _MOST)
    order = _elimination(program, atoms, most) if linear else []
    if order:
        return Component(order, 0)
    if rounds * size > most:
        raise _error(program, atoms, atoms[0], f"with {len(atoms)} atoms, too many to unroll")
    return Component(atoms, rounds)


def _elimination(program: GroundProgram, atoms: Sequence[int], most: int) -> list[int]:
    """Return an order in which to eliminate atoms; empty if that takes more than `most` literals.

    The next atom is always the one that creates the fewest new dependencies (Markowitz, "The
    elimination form of the inverse", 1957), the first by name among equals. So components that
    differ in one argument only, such as the squares connected to each square, share gates.
    """
    names = sorted(atoms, key=lambda atom: repr(program.names.get(atom, atom)))
    by_name = {atom: i for i, atom in enumerate(names)}
    below = {atom: depends_on(program.rules[atom]) & by_name.keys() - {atom} for atom in atoms}
    above: dict[int, set[int]] = {atom: set() for atom in atoms}
    for atom, others in below.items():
        for other in others:
            above[other].add(atom)

    def rank(atom: int) -> tuple[int, int, int]:
        return len(below[atom]) * len(above[atom]), by_name[atom], atom

    waiting = [rank(atom) for atom in atoms]
    heapify(waiting)
    order: list[int] = []
    while waiting:
        *_, atom = found = heappop(waiting)
        if atom not in below or found != rank(atom):
            continue
        most -= 2 * (len(above[atom]) + 1) * (len(below[atom]) + 1)
        if most < 0:
            return []
        order.append(atom)
        users, others = above.pop(atom), below.pop(atom)
        for user in users:
            below[user] = (below[user] | others) - {user, atom}
        for other in others:
            above[other] = (above[other] | users) - {other, atom}
        for touched in users | others:
            heappush(waiting, rank(touched))
    return order


def _error(program: GroundProgram, atoms: Sequence[int], atom: int, why: str) -> LoopError:
    """Return the error for a component that is refused; auxiliary atoms stay unnamed."""
    named = [program.names[a] for a in _way_back(program, {*atoms}, atom) if a in program.names]
    path = " <- ".join(map(render, [*named, named[0]]))
    place = source.place(program.files, "rule", named[0])
    advice = "count the steps instead: reach(P, N+1) :- reach(Q, N), N < 9, ..."
    if len({*map(signature, named)}) > 1:
        advice = "leave one of these conditions out"
    return LoopError(f"{place}'{render(named[0])}' depends on itself ({path}) {why}; {advice}")


def _way_back(program: GroundProgram, atoms: set[int], start: int) -> list[int]:
    """Return a shortest cycle through an atom, which comes first."""
    came_from = {start: start}
    pending = [start]
    for atom in pending:
        below = depends_on(program.rules[atom]) & atoms
        if start in below:
            way = [atom]
            while way[-1] != start:
                way.append(came_from[way[-1]])
            return way[::-1]
        fresh = sorted(below - came_from.keys())
        came_from.update(dict.fromkeys(fresh, atom))
        pending += fresh
    return [start]
