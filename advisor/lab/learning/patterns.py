"""Sets of places whose men are enough for something: rows, mills and the like."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from advisor.asp.clingo_api import Term, render
from advisor.games.rules import CONTRACT
from advisor.lab.learning.men import Men, Shape, bound
from advisor.lab.learning.reading import Reading, Row

_OTHER = ("true", "legal", "next", "at", "terminal")
"""What is no aim."""

Sets = set[frozenset[Row]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Sets of places whose men are enough for something.

    Attributes:
        name: of the predicate that holds then.
        size: the places of one set; ``length`` is that as text.
        rule: derives ``<pattern>(W, place)``, with that token in place of a name; empty if the
            rules have such a relation, and ``own`` is its name then.
        key: the variables of W.
        lined: the places of each set stand in line.
    """

    name: str
    size: int
    length: str
    rule: str
    own: str
    key: tuple[str, ...]
    lined: bool


def patterns(reading: Reading, shape: Shape, men: Men) -> Iterator[Pattern]:
    """What men of one player are enough for, if they are at least three: what wins first."""
    owner = {
        reading.number["true", atom]: key for key, same in shape.atoms.items() for atom in same
    }
    groups: defaultdict[str, defaultdict[Term, Sets]] = defaultdict(lambda: defaultdict(set))
    for number, sets in reading.sets.items():
        atom = reading.names.get(number)
        name = atom[0] if isinstance(atom, tuple) else atom
        if not isinstance(name, str) or name in _OTHER:
            continue
        for each in sets:
            keys = [owner[n] for n in each if n in owner]
            if len(keys) == len(each) > 2 and len({key[0] for key in keys}) == 1:
                groups[name][keys[0][0]].add(frozenset(key[1:] for key in keys))
    first, second = reading.rules.roles
    done: list[Sets] = []
    for name in sorted(groups, key=lambda n: (n != "goal", n)):
        ways = groups[name][first]
        alike = ways == groups[name][second] and len({*map(len, ways)}) == 1
        if alike and not any(ways <= before for before in done):
            done.append(ways)
            yield _pattern(reading, shape, men, name, ways)


def _pattern(reading: Reading, shape: Shape, men: Men, name: str, ways: Sets) -> Pattern:
    size = len(next(iter(ways)))
    named = {n for n, value in reading.constants.items() if value == size}
    if shape.numeric:
        named -= {bound(reading, shape, i) for i in range(len(shape.place))}
    length = named.pop() if len(named) == 1 else str(size)
    steps = _steps(ways)
    lined = steps is not None
    if relation := _own_sets(reading, shape, ways):
        predicate, width = relation
        key = tuple(f"W{i}" for i in range(1, width + 1)) if width > 1 else ("W",)
        return Pattern(name, size, length, "", predicate, key, lined)
    rule = _listed(ways) if steps is None else _rows(reading, men, steps, size, length)
    return Pattern(name, size, length, rule, "", ("W",), lined)


def _listed(ways: Sets) -> str:
    """A fact for each set."""
    rules = []
    for number, places in enumerate(sorted(sorted(way, key=repr) for way in ways), 1):
        told = "; ".join(", ".join(map(render, place)) for place in places)
        rules.append(f"pattern({number}, ({told})).")
    return "\n".join(rules)


def _rows(reading: Reading, men: Men, steps: set[tuple[int, int]], size: int, length: str) -> str:
    """A rule for the places of each row, which its first and its last one name."""
    named = reading.fact({*steps}) or reading.fact({*steps, *((-x, -y) for x, y in steps)})
    by = ", ".join(f"D{v}" for v in men.place)
    listed = "; ".join(f"{x}, {y}" for x, y in sorted(steps, reverse=True))
    which = f"{named}({by})" if named else f"({by}) = ({listed})"
    last = str(size - 1) if length == str(size) else f"{length} - 1"
    end = last if last.isdigit() else f"({last})"
    first = ", ".join(men.place)
    on = ", ".join(f"{v} + K * D{v}" for v in men.place)
    far = ", ".join(f"{v}'" for v in men.place)
    reach = ", ".join(f"{v}' = {v} + {end} * D{v}" for v in men.place)
    return (
        f"pattern((({first}), ({far})), {on}) :- place({first}), {which},\n"
        f"    {reach}, place({far}), K = 0..{last}."
    )


def _steps(ways: Sets) -> set[tuple[int, int]] | None:
    """The steps from one place to the next if each set stands in line; None otherwise."""
    steps = set()
    for way in ways:
        places: list[Any] = sorted(way)
        if not all(len(p) == 2 and all(isinstance(n, int) for n in p) for p in places):
            return None
        found = {(x2 - x, y2 - y) for (x, y), (x2, y2) in pairwise(places)}
        if len(found) != 1:
            return None
        steps |= found
    return steps


def _own_sets(reading: Reading, shape: Shape, ways: Sets) -> tuple[str, int] | None:
    """A predicate of facts whose last arguments are the places of each set; and its others."""
    size = len(shape.place)
    for (name, arity), rows in sorted(reading.facts.items(), key=lambda f: (f[0][1], f[0][0])):
        if arity > size and name not in CONTRACT:
            sets: defaultdict[Row, set[Row]] = defaultdict(set)
            for row in rows:
                sets[row[:-size]].add(row[-size:])
            if {*map(frozenset, sets.values())} == ways:
                return name, arity - size
    return None
