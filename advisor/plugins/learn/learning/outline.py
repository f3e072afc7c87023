"""Outline a game from its rules alone: its men, places, patterns and moves.

The outline uses the meaning of ground rules, not the names of predicates. Men are base atoms with a
player and a place that moves name; a place is free if no man stands there; columns and rows come
from the text board; a bound gets the name of the `#const` that it follows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from advisor.games.rules import CONTRACT, Rules
from advisor.plugins.learn.learning.men import Men, Shape, describe_men, find_shapes, upper_bound
from advisor.plugins.learn.learning.reading import Reading, Row
from aspcircuits import own_process
from aspcircuits.clingo_api import Term, functor, render, signature
from aspcircuits.stopping import Stop

_SAY = re.compile(r"^\s*%\s*say:\s*(\w+)\s*=\s*([^,\n]+?)\s*(?:,\s*([^\n]+?)\s*)?$", re.MULTILINE)
_NEIGHBOURS = 12
"""Maximum of a place's neighbours on average; larger relations say little about a place."""
_NO_AIM = ("true", "legal", "next", "at", "terminal")
"""Predicates that are never patterns."""

Sets = set[frozenset[Row]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Sets of places that make a predicate true once one player has men on them.

    Attributes:
        name: of the predicate.
        size: number of places of one set.
        length: `size` as text, perhaps a constant.
        rule: derives ``pattern(W, place)``; empty if the game has such a relation.
        own: name of the game's own relation; empty if it has none.
        key: the variables of W.
        lined: whether the places of each set stand in line.
    """

    name: str
    size: int
    length: str
    rule: str
    own: str
    key: tuple[str, ...]
    lined: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of places, given by facts.

    Attributes:
        name: of its predicate.
        symmetric: whether it holds both ways.
        degrees: the numbers of neighbours that places have.
    """

    name: str
    symmetric: bool
    degrees: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a game that its rules show; names of missing predicates are empty.

    Attributes:
        roles: both players.
        turn: ``turn({})`` or ``true(turn({}))``; empty if states are seen by the side to move.
        begins: number of the first player; None if unknown.
        other: predicate that holds of each player and the opponent.
        men: the men with the most places; None if there are none.
        place, free: predicates of each place, and of each empty place.
        relations: relations of places.
        claims: predicates of a player and a place that rules derive.
        patterns: patterns of men.
        counters: base predicates with a player and a number, each with its template, as `turn`.
        also: other men, each with its template for a player ``{P}`` and a place ``{A}``.
        options: rules for legal moves, whoever's turn it is: player, move, conditions.
        moves: names of moves with their number of arguments.
        words: singular and plural for predicates, from ``% say:`` comments.
        known: every predicate of the rules.
    """

    roles: tuple[str, str]
    turn: str
    begins: int | None
    other: str
    men: Men | None
    place: str
    free: str
    relations: tuple[Relation, ...]
    claims: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    counters: tuple[tuple[str, str], ...]
    also: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str, tuple[str, ...]], ...]
    moves: tuple[tuple[str, int], ...]
    words: Mapping[str, tuple[str, str]]
    known: frozenset[str] = field(repr=False)

    @property
    def square(self) -> bool:
        """Whether the columns and rows of the board are alike."""
        return self.men is not None and self.men.transposed


def outline_rules(rules: Rules, stop: Stop | None = None) -> Outline:
    """Outline a game, in a process of its own.

    Raises:
        EncodingError: the rules are too large to ground once more.
        KeyboardInterrupt: the run was stopped.
    """
    return own_process.run(_outline, rules.without_program, what=rules.name, stop=stop)


def _outline(rules: Rules) -> Outline:
    reading = Reading(rules)
    found = find_shapes(reading)
    shape = found[0] if found else None
    whose = describe_men(reading, shape) if shape else None
    heads = {head.name for s in reading.statements for head in s.heads}
    turns = reading.turns
    text = "\n".join(file.read_text(encoding="utf-8") for file in rules.files)
    return Outline(
        roles=(render(rules.roles[0]), render(rules.roles[1])),
        turn=reading.read_as(f"{turns[0][0]}({{}})", turns) if turns else "",
        begins=next((i for i, turn in enumerate(turns) if turn in rules.start), None),
        other=reading.fact({rules.roles, rules.roles[::-1]}),
        men=whose,
        place=reading.fact({*shape.places}) if shape else "",
        free=_free(reading, shape) if shape else "",
        relations=tuple(_relations(reading, shape)) if shape else (),
        claims=tuple(_claims(reading, shape)) if shape else (),
        patterns=tuple(_patterns(reading, shape, whose)) if shape and whose else (),
        counters=tuple(_counters(reading, found)),
        also=tuple(_also(reading, found[1:])),
        options=tuple(_options(reading)),
        moves=tuple(sorted({signature(move) for _, move in rules.inputs})),
        words={m[1]: (m[2], m[3] or plural(m[2])) for m in _SAY.finditer(text)},
        known=frozenset({*heads, *CONTRACT}),
    )


def _also(reading: Reading, others: Iterable[Shape]) -> Iterator[tuple[str, str]]:
    """Find other men that have one type."""
    for shape in others:
        if shape.kind is None and not shape.marks and shape.role in (0, len(shape.place)):
            arguments = "{P}, {A}" if shape.role == 0 else "{A}, {P}"
            yield shape.name, reading.read_as(f"{shape.name}({arguments})", shape.every)


def _free(reading: Reading, shape: Shape) -> str:
    """Find the predicate that holds of a place exactly if no man is there."""
    nobody = defaultdict[Row, set[int]](set)
    for (_, *place), same in shape.atoms.items():
        nobody[tuple(place)] |= {-reading.true[atom] for atom in same}
    for (name, arity), rows in sorted(reading.derived.items()):
        if arity == len(shape.place) and {*rows} == {*nobody}:
            bodies = {row: reading.bodies(reading.number[name, *row]) for row in rows}
            if all(
                [{*map(reading.base_literal, b)} for b in bodies[r]] == [nobody[r]] for r in rows
            ):
                return name
    return ""


def _relations(reading: Reading, shape: Shape) -> Iterator[Relation]:
    """Find relations of two places."""
    known, size = {*shape.places}, len(shape.place)
    for (name, arity), rows in sorted(reading.facts.items()):
        if arity != 2 * size or len(rows) > _NEIGHBOURS * len(known):
            continue
        pairs = {(row[:size], row[size:]) for row in rows}
        if all(one in known and other in known and one != other for one, other in pairs):
            count = Counter(one for one, _ in pairs)
            symmetric = all((other, one) in pairs for one, other in pairs)
            yield Relation(name, symmetric, tuple(sorted({*count.values()})))


def _claims(reading: Reading, shape: Shape) -> Iterator[str]:
    """Find predicates of most places and both players that do not only say who stands there."""
    known, roles = {*shape.places}, {*reading.rules.roles}
    own = {k: {frozenset([reading.true[a]]) for a in same} for k, same in shape.atoms.items()}
    for (name, arity), rows in sorted(reading.derived.items()):
        if arity != len(shape.place) + 1 or name.startswith("_"):
            continue
        places = {row[1:] for row in rows}
        if {row[0] for row in rows} != roles or not places <= known or 2 * len(places) < len(known):
            continue
        numbers = {row: reading.number[name, *row] for row in rows}
        more = any({*reading.sets.get(n, ())} != own.get(row) for row, n in numbers.items())
        if more and next(reading.movers(numbers.values()), None) is None:
            yield name


def _patterns(reading: Reading, shape: Shape, men: Men) -> Iterator[Pattern]:
    """Find patterns of at least three men of one player; a pattern that wins comes first."""
    owner = {reading.true[a]: key for key, same in shape.atoms.items() for a in same}
    groups: defaultdict[str, defaultdict[Term, Sets]] = defaultdict(lambda: defaultdict(set))
    for number, sets in reading.sets.items():
        atom = reading.names.get(number)
        name = functor(atom)
        if atom is None or name in _NO_AIM:
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
        named -= {upper_bound(reading, shape, i) for i in range(len(shape.place))}
    length = named.pop() if len(named) == 1 else str(size)
    steps = _steps(ways)
    lined = steps is not None
    if relation := _own_sets(reading, shape, ways):
        predicate, width = relation
        key = tuple(f"W{i}" for i in range(1, width + 1)) if width > 1 else ("W",)
        return Pattern(name, size, length, "", predicate, key, lined)
    rule = _list_sets(ways) if steps is None else _rows(reading, men, steps, size, length)
    return Pattern(name, size, length, rule, "", ("W",), lined)


def _list_sets(ways: Sets) -> str:
    """Write a fact for each set."""
    rules = []
    for number, places in enumerate(sorted(sorted(way, key=repr) for way in ways), 1):
        told = "; ".join(", ".join(map(render, place)) for place in places)
        rules.append(f"pattern({number}, ({told})).")
    return "\n".join(rules)


def _rows(reading: Reading, men: Men, steps: set[tuple[int, int]], size: int, length: str) -> str:
    """Write a rule for the places of each row, whose first and last place are its key."""
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
    """Find the steps between neighbours if the places of each set are in line; otherwise None."""
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
    """Find a predicate whose facts list the sets: a key of the returned width, then the place."""
    size = len(shape.place)
    for (name, arity), rows in sorted(reading.facts.items(), key=lambda f: (f[0][1], f[0][0])):
        if arity > size:
            sets: defaultdict[Row, set[Row]] = defaultdict(set)
            for row in rows:
                sets[row[:-size]].add(row[-size:])
            if {*map(frozenset, sets.values())} == ways:
                return name, arity - size
    return None


def _counters(reading: Reading, found: Iterable[Shape]) -> Iterator[tuple[str, str]]:
    """Find base predicates with a player and a number."""
    known = {shape.name for shape in found}
    by: defaultdict[str, list[Term]] = defaultdict(list)
    for atom in reading.rules.base:
        match atom:
            case (str(name), role, int(_)) if role in reading.rules.roles and name not in known:
                by[name].append(atom)
    for name, atoms in by.items():
        if len(atoms) > 2:
            yield name, reading.read_as(f"{name}({{}})", atoms)


def _options(reading: Reading) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the rules for legal moves, without conditions on the turn and on the game's end."""

    def space_commas(text: str) -> str:
        return re.sub(r",(?=\S)", ", ", text)

    turn = re.escape(str(reading.turns[0][0])) if reading.turns else "turn"
    dropped = re.compile(rf"(not )?terminal|(true\()?{turn}\([^()]*\)\)?")
    for statement in reading.statements:
        for head in statement.heads:
            if statement.kind != "rule" or head.signature != "legal/2":
                continue
            role, move = map(space_commas, head.texts)
            kept = [
                space_commas(text) for text in statement.literals if not dropped.fullmatch(text)
            ]
            if role[0].isupper() and not any(
                re.search(rf"\b{role}(?!['\w])", text) and not text.startswith("not ")
                for text in kept
            ):
                kept.insert(0, f"role({role})")
            if "(" in move:
                yield role, move, tuple(kept)


def plural(noun: str) -> str:
    """Return the plural of an English noun.

    >>> [plural(noun) for noun in ("man", "disc", "cross", "city", "key")]
    ['men', 'discs', 'crosses', 'cities', 'keys']
    """
    if noun.endswith("man"):
        return noun[:-2] + "en"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
