"""What of a ground program is alike: colour refinement, and what is enough for an atom to hold."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from math import prod

from advisor.asp.clingo_api import GroundProgram, Sum

Supports = Mapping[int, frozenset[frozenset[int]]]
"""For atoms the sets of other atoms that are enough for them, none a part of another."""

_ROUNDS = 30
_MOST_OF_ONE, _MOST, _LARGEST = 4000, 60_000, 6
"""Of an atom's supports, of all atoms' supports, and of the atoms of one support."""


def supports(program: GroundProgram, given: Iterable[int], ignored: Iterable[int]) -> Supports:
    """Which sets of given atoms are enough for others, whatever is negated or counted.

    Args:
        program: the ground program.
        given: atoms that support themselves.
        ignored: atoms that may be taken to hold.

    Returns:
        the smallest sets, of atoms that have not too many of them, as with recursion over a board.
    """
    found: defaultdict[int, set[frozenset[int]]] = defaultdict(set)
    for atom in given:
        found[atom].add(frozenset([atom]))
    for atom in ignored:
        found[atom].add(frozenset())
    rules = [
        (head, [literal for literal in body if literal > 0])
        for head, bodies in program.rules.items()
        for body in bodies
        if not isinstance(body, Sum)
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


def colours(program: GroundProgram, begin: Mapping[int, Hashable], whole: Supports) -> list[int]:
    """Colours of atoms, by number: atoms of different colours are not alike.

    Args:
        program: the ground program.
        begin: what tells atoms apart from the start; all others begin alike.
        whole: atoms that follow from these sets at once, not step by step as the rules have it.
    """
    rules: list[tuple[int, tuple[int, ...], int]] = []
    for head, bodies in program.rules.items():
        if head in whole:
            rules += [(head, tuple(part), 0) for part in whole[head]]
            continue
        for body in bodies:
            if isinstance(body, Sum):
                rules.append((head, tuple(literal for literal, _ in body.terms), body.bound))
            else:
                rules.append((head, tuple(body), 0))
    # Steps that nothing needs any more would tell alike atoms apart.
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
    colour = dict(zip(atoms, _numbered([repr(begin.get(atom)) for atom in atoms]), strict=True))
    count = len({*colour.values()})
    for _ in range(_ROUNDS):
        kinds = _numbered(
            [
                (bound, colour[head], *sorted((colour[abs(x)], x > 0) for x in body))
                for head, body, bound in rules
            ]
        )
        told = [
            (colour[atom], *sorted((kinds[number], how) for number, how in uses[atom]))
            for atom in atoms
        ]
        colour = dict(zip(atoms, _numbered(told), strict=True))
        if count == (count := len({*colour.values()})):
            break
    return [colour.get(atom, -1) for atom in range(max(atoms, default=0) + 1)]


def _numbered(told: Sequence[Hashable]) -> list[int]:
    """The same number for the same, in the order of their texts: the same in every run."""
    numbers = {each: i for i, each in enumerate(sorted({*told}, key=repr))}
    return [numbers[each] for each in told]
