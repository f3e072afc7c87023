"""What the rules of a game show of its men, places and moves, without knowing the game.

Everything is found by what ground rules mean, not by what their predicates are called: men are
base atoms with a player and a place that moves name, a free place is where no rule finds anybody,
columns and rows are those of the text board, bounds have the name of the `#const` that moves them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from advisor.asp import apart
from advisor.asp.clingo_api import GroundProgram, Program, Sum, Term, render
from advisor.asp.source import statements
from advisor.circuits import circuit
from advisor.errors import EncodingError
from advisor.games.rules import CONTRACT, Rules, numbers
from advisor.lab.learning.symmetry import Supports, colours, supports
from advisor.limits import Stop

_SAY = re.compile(r"^\s*%\s*say:\s*(\w+)\s*=\s*([^,\n]+?)\s*(?:,\s*([^\n]+?)\s*)?$", re.MULTILINE)
_BOARD = ("column", "row", "layer")
_VARIABLES = ("X", "Y", "Z")
_NEIGHBOURS = 12
"""A relation of places in which one has more of them on the average says little of where it is."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One coordinate of places.

    Attributes:
        variable: X, Y or Z, as the board has it.
        called: column, row or layer.
        low, high: the bounds, as the rules' own constants where they have any.
        size: how many there are.
        kind: ``folded`` where mirrored places are alike, ``advancing`` where they are once the
            players are exchanged, ``plain`` otherwise.
        rising: with ``advancing``, the player who goes up, by number.
    """

    variable: str
    called: str
    low: str
    high: str
    size: int
    kind: str
    rising: int = 0


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of places that is a fact.

    Attributes:
        name: of its predicate.
        symmetric: it holds both ways.
        degrees: how many neighbours places have: each number that there is.
    """

    name: str
    symmetric: bool
    degrees: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class Men:
    """A base predicate with a player and a place.

    Attributes:
        name: of the predicate.
        aliased: rules read it under its own name, not only inside ``true``.
        arguments: ``P``, perhaps ``T``, and the place's variables, in their order.
        kinds: the types of men, empty where there is one.
        axes: the coordinates; empty where places are terms.
        transposed: both coordinates are alike.
        spots: places by what is alike, where they are terms.
        owned: the number of the player and the place of each base atom.
    """

    name: str
    aliased: bool
    arguments: tuple[str, ...]
    kinds: tuple[str, ...]
    axes: tuple[Axis, ...]
    transposed: bool
    spots: tuple[tuple[str, ...], ...]
    owned: Mapping[Term, tuple[int, tuple[Term, ...]]] = field(repr=False)

    @property
    def place(self) -> tuple[str, ...]:
        """The variables of a place."""
        return tuple(a for a in self.arguments if a not in ("P", "T"))


@dataclass(frozen=True, slots=True)
class Outline:
    """What is known of a game.

    Attributes:
        roles: both players.
        turn: ``turn`` or ``true(turn`` with its bracket open; empty where states are seen by the
            side to move.
        other: the predicate of two players; empty if there is none.
        men: those with the most places; None where there are none.
        place, free: predicates that hold of each place and of each empty one; empty if there are
            none.
        relations: of places.
        patterns: of men.
        counters: base predicates with a player and a number, and how rules read them, as ``turn``.
        also: other men, with how rules read them of a player ``{P}`` and a place ``{A}``.
        options: the rules for legal moves without whose turn it is: player, move, conditions.
        moves: names of moves with the number of their arguments.
        words: what predicates are called, from ``% say:`` comments, in the singular and the plural.
        known: every predicate of the rules.
    """

    roles: tuple[str, str]
    turn: str
    other: str
    men: Men | None
    place: str
    free: str
    relations: tuple[Relation, ...]
    patterns: tuple[Pattern, ...]
    counters: tuple[tuple[str, str], ...]
    also: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str, tuple[str, ...]], ...]
    moves: tuple[tuple[str, int], ...]
    words: Mapping[str, tuple[str, str]]
    known: frozenset[str] = field(repr=False)


def outline(rules: Rules, stop: Stop | None = None) -> Outline:
    """What a game's rules show.

    Raises:
        EncodingError: they are too large to ground once more.
        KeyboardInterrupt: it was to stop.
    """
    return apart.run(_outlined, rules.said, what=rules.name, stop=stop)


def _outlined(rules: Rules) -> Outline:
    return _Reader(rules).outline()


@dataclass(frozen=True)
class _Shape:
    """Which arguments of a base predicate are a player, a type and a place."""

    name: str
    role: int
    kind: int | None
    place: tuple[int, ...]
    atoms: Mapping[tuple[Term, ...], list[Term]]
    """By player and place, the base atoms of all types."""

    @property
    def places(self) -> list[tuple[Term, ...]]:
        return sorted({key[1:] for key in self.atoms}, key=repr)


class _Reader:
    """Reads a ground program."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        open_atoms: list[Term] = [("true", atom) for atom in rules.base]
        open_atoms += [("does", *pair) for pair in sorted(rules.inputs, key=repr)]
        self._program: GroundProgram = circuit.ground(rules.files, open_atoms, rules.constants)
        self._names = self._program.names
        self._number = {atom: number for number, atom in self._names.items()}
        self._facts: defaultdict[tuple[str, int], list[tuple[Term, ...]]] = defaultdict(list)
        self._derived: defaultdict[tuple[str, int], list[tuple[Term, ...]]] = defaultdict(list)
        for number, atom in self._names.items():
            name, *arguments = atom if isinstance(atom, tuple) else (atom,)
            fact = any(len(body) == 0 for body in self._bodies(number))
            (self._facts if fact else self._derived)[name, len(arguments)].append(tuple(arguments))
        self._statements = statements(rules.files)
        self._constants = {**numbers(rules.files), **rules.constants}
        self._turns = [("turn", r) for r in rules.roles if ("turn", r) in rules.base]
        self._sets = self._supported()

    def outline(self) -> Outline:
        rules = self._rules
        shapes = sorted(self._shapes(), key=self._standing, reverse=True)
        shape = shapes[0] if shapes else None
        heads = {head.name for s in self._statements for head in s.heads}
        return Outline(
            roles=(render(rules.roles[0]), render(rules.roles[1])),
            turn=self._read_as("turn", self._turns) if self._turns else "",
            other=self._fact({rules.roles, rules.roles[::-1]}),
            men=self._men(shape) if shape else None,
            place=self._fact({*shape.places}) if shape else "",
            free=self._free(shape) if shape else "",
            relations=tuple(self._relations(shape)) if shape else (),
            patterns=tuple(self._patterns(shape)) if shape else (),
            counters=tuple(self._counters()),
            also=tuple(self._also(shapes[1:])),
            options=tuple(self._options()),
            moves=tuple(sorted({_signature(move) for _, move in rules.inputs})),
            words=self._words(),
            known=frozenset({*heads, *CONTRACT}),
        )

    def _bodies(self, number: int) -> list[Sequence[int]]:
        """The bodies of an atom's rules, but for those that count."""
        found = self._program.rules.get(number, [])
        return [body for body in found if not isinstance(body, Sum)]

    def _words(self) -> Mapping[str, tuple[str, str]]:
        text = "\n".join(file.read_text(encoding="utf-8") for file in self._rules.files)
        return {m[1]: (m[2], m[3] or plural(m[2])) for m in _SAY.finditer(text)}

    def _fact(self, rows: set[tuple[Term, ...]]) -> str:
        """The predicate of which exactly these rows are facts; empty if there is none."""
        arity = len(next(iter(rows)))
        known = (n for (n, a), found in self._facts.items() if a == arity and {*found} == rows)
        return next((n for n in sorted(known) if n not in CONTRACT), "")

    def _read_as(self, name: str, atoms: Sequence[Term]) -> str:
        """How rules read base atoms: by their own name if a rule says ``a :- true(a)``."""
        aliased = all(
            self._bodies(self._number.get(atom, 0)) == [[self._number["true", atom]]]
            for atom in atoms
        )
        return name if aliased else f"true({name}"

    def _canonical(self, literal: int) -> int:
        """The base atom that an atom stands for."""
        number = abs(literal)
        bodies = self._program.rules.get(number, [])
        if len(bodies) == 1 and not isinstance(bodies[0], Sum) and len(bodies[0]) == 1:
            (only,) = bodies[0]
            if only > 0:
                return self._canonical(only) * (1 if literal > 0 else -1)
        return literal

    # Men and their places

    def _shapes(self) -> Iterator[_Shape]:
        """Base predicates with a player and a place that moves name."""
        rules = self._rules
        by: defaultdict[tuple[str, int], list[tuple[Term, ...]]] = defaultdict(list)
        for atom in rules.base:
            if isinstance(atom, tuple) and atom not in self._turns:
                by[atom[0], len(atom) - 1].append(atom[1:])
        moved = {
            move[i : i + k]
            for _, move in rules.inputs
            if isinstance(move, tuple)
            for k in range(1, len(_VARIABLES) + 1)
            for i in range(1, len(move) - k + 1)
        }
        for (name, arity), rows in by.items():
            columns = [{row[i] for row in rows} for i in range(arity)]
            role = next((i for i, c in enumerate(columns) if {*rules.roles} == c), None)
            if role is None:
                continue
            kinds = [i for i, c in enumerate(columns) if i != role and all(map(_is_name, c))]
            place = tuple(i for i in range(arity) if i not in (role, *kinds))
            if not place or len(place) > len(_VARIABLES) or len(kinds) > 1:
                continue
            atoms: defaultdict[tuple[Term, ...], list[Term]] = defaultdict(list)
            for row in rows:
                atoms[(row[role], *(row[i] for i in place))].append((name, *row))
            places = {key[1:] for key in atoms}
            if 2 * len(places & moved) > len(places):
                yield _Shape(name, role, kinds[0] if kinds else None, place, dict(atoms))

    def _standing(self, shape: _Shape) -> tuple[int, int]:
        """How many of such men stand there at the start, and could ever."""
        begin = sum(atom in self._rules.start for same in shape.atoms.values() for atom in same)
        return begin, len(shape.atoms)

    def _also(self, shapes: Iterable[_Shape]) -> Iterator[tuple[str, str]]:
        """Other men of one type."""
        for shape in shapes:
            if shape.kind is None and shape.role in (0, len(shape.place)):
                atoms = [atom for same in shape.atoms.values() for atom in same]
                read = self._read_as(shape.name, atoms)
                arguments = "{P}, {A}" if shape.role == 0 else "{A}, {P}"
                yield shape.name, f"{read}({arguments})" + ")" * read.count("(")

    def _men(self, shape: _Shape) -> Men:
        rules, kind = self._rules, shape.kind
        atoms = [atom for same in shape.atoms.values() for atom in same]
        colour = self._colours()
        seen = {
            key: tuple(colour[self._number["true", atom]] for atom in same)
            for key, same in shape.atoms.items()
        }
        numeric = all(isinstance(n, int) for place in shape.places for n in place)
        on_board = self._on_board(shape) if numeric else ()
        axes = tuple(self._axis(shape, seen, i, on_board[i]) for i in range(len(on_board)))
        variables = dict.fromkeys(shape.place, "A")
        variables |= {i: axis.variable for i, axis in zip(shape.place, axes, strict=False)}
        variables |= {shape.role: "P"} | ({} if kind is None else {kind: "T"})
        first = rules.roles[0]
        spots: defaultdict[Any, list[str]] = defaultdict(list)
        for place in shape.places if not axes else ():
            spots[seen[first, *place]].append(", ".join(map(render, place)))
        return Men(
            name=shape.name,
            aliased=self._read_as(shape.name, atoms) == shape.name,
            arguments=tuple(variables[i] for i in range(len(atoms[0]) - 1)),
            kinds=() if kind is None else tuple(sorted({render(a[kind + 1]) for a in atoms})),
            axes=axes,
            transposed=len(axes) == 2
            and axes[0].size == axes[1].size
            and all(seen[first, x, y] == seen.get((first, y, x)) for x, y in shape.places),
            spots=tuple(tuple(spots[key]) for key in sorted(spots, key=lambda k: spots[k])),
            owned={
                atom: (rules.roles.index(key[0]), key[1:])
                for key, same in shape.atoms.items()
                for atom in same
            },
        )

    def _on_board(self, shape: _Shape) -> tuple[int, ...]:
        """For each coordinate of places its number on the text board, 0 for the column."""
        usual = tuple(range(len(shape.place)))
        if len(usual) != 2:
            return usual
        swapped = 0
        for x, y, _ in self._derived["at", 3]:
            for body in self._bodies(self._number["at", x, y, _]):
                base = {self._names.get(self._canonical(n)) for n in body if n > 0}
                places = {
                    tuple(atom[1][i + 1] for i in shape.place)
                    for atom in base
                    if isinstance(atom, tuple) and atom[0] == "true" and atom[1][0] == shape.name
                }
                swapped += ((y, x) in places) - ((x, y) in places)
        return (1, 0) if swapped > 0 else usual

    def _axis(
        self,
        shape: _Shape,
        seen: Mapping[tuple[Term, ...], Any],
        number: int,
        on_board: int,
    ) -> Axis:
        first, second = self._rules.roles
        values = [place[number] for place in shape.places]
        low, high = min(values), max(values)

        def mirrored(place: tuple[Term, ...]) -> tuple[Term, ...]:
            return (*place[:number], low + high - place[number], *place[number + 1 :])

        kind, rising, known = "plain", 0, {*shape.places}
        if all(mirrored(place) in known for place in known):
            if self._rules.view:
                across = {
                    self._rules.seen(atom, True)[shape.place[number] + 1]
                    == low + high - atom[shape.place[number] + 1]
                    for same in shape.atoms.values()
                    for atom in same
                }
                kind = "advancing" if across == {True} else "plain"
            elif all(seen[first, *p] == seen[first, *mirrored(p)] for p in known):
                kind = "folded"
            elif all(seen[first, *p] == seen[second, *mirrored(p)] for p in known):
                kind = "advancing"
        if kind == "advancing":
            own = [
                a[shape.place[number] + 1]
                for a in self._rules.start
                if isinstance(a, tuple) and a[0] == shape.name and a[shape.role + 1] == first
            ]
            rising = int(2 * sum(own) > len(own) * (low + high))
        return Axis(
            variable=_VARIABLES[on_board],
            called=_BOARD[on_board],
            low=str(low),
            high=self._bound(shape, number, high),
            size=high - low + 1,
            kind=kind,
            rising=rising,
        )

    def _bound(self, shape: _Shape, number: int, high: int) -> str:
        """The constant that the greatest coordinate follows, or the number."""
        for name, value in self._constants.items():
            if value != high:
                continue
            constants = {**self._rules.constants, name: high + 2}
            try:
                program = Program(self._rules.files, constants=constants, options=("--warn=none",))
            except EncodingError:
                continue
            place = shape.place[number] + 1
            found = [a[1][place] for a, _ in program.atoms("base", 1) if a[1][0] == shape.name]
            if max(found, default=0) == high + 2:
                return name
        return str(high)

    def _free(self, shape: _Shape) -> str:
        """The predicate that holds of a place wherever nobody is there."""
        nobody = {
            place: {
                -self._number["true", atom]
                for role in self._rules.roles
                for atom in shape.atoms.get((role, *place), [])
            }
            for place in shape.places
        }
        for (name, arity), rows in sorted(self._derived.items()):
            if arity == len(shape.place) and name not in CONTRACT and {*rows} == {*nobody}:
                bodies = ((self._bodies(self._number[name, *row]), row) for row in rows)
                if all(
                    len(found) == 1 and {*map(self._canonical, found[0])} == nobody[row]
                    for found, row in bodies
                ):
                    return name
        return ""

    # What is alike, and what is enough for what

    def _supported(self) -> Supports:
        """Which base atoms are enough for what."""
        turns = {self._number["true", turn] for turn in self._turns}
        given = {self._number["true", atom] for atom in self._rules.base} - turns
        return supports(self._program, given, turns)

    def _colours(self) -> list[int]:
        begin: dict[int, Any] = {}
        for number, atom in self._names.items():
            if isinstance(atom, tuple) and atom[0] in ("true", "next"):
                begin[number] = atom[0], _signature(atom[1])[0]
            elif isinstance(atom, tuple) and atom[0] in ("legal", "does"):
                begin[number] = atom[0], _signature(atom[2])[0]
            elif isinstance(atom, tuple) and atom[0] == "goal":
                begin[number] = atom[0], atom[2]
            elif atom == "terminal":
                begin[number] = atom
        whole = {
            number: sets
            for number, sets in self._sets.items()
            if any(len(each) > 1 for each in sets)
            and all(x > 0 for body in self._bodies(number) for x in body)
        }
        return colours(self._program, begin, whole)

    def _relations(self, shape: _Shape) -> Iterator[Relation]:
        """Facts of two places."""
        known, size = {*shape.places}, len(shape.place)
        for (name, arity), rows in sorted(self._facts.items()):
            if arity != 2 * size or name in CONTRACT or len(rows) > _NEIGHBOURS * len(known):
                continue
            pairs = {(row[:size], row[size:]) for row in rows}
            if all(one in known and other in known and one != other for one, other in pairs):
                count = Counter(one for one, _ in pairs)
                symmetric = all((other, one) in pairs for one, other in pairs)
                yield Relation(name, symmetric, tuple(sorted({*count.values()})))

    def _patterns(self, shape: _Shape) -> Iterator[Pattern]:
        """What men of one player are enough for, if they are at least three: lines and the like."""
        owner = {
            self._number["true", atom]: key for key, same in shape.atoms.items() for atom in same
        }
        groups: defaultdict[str, defaultdict[Term, set[frozenset[Any]]]]
        groups = defaultdict(lambda: defaultdict(set))
        for number, sets in self._sets.items():
            atom = self._names.get(number)
            name = atom[0] if isinstance(atom, tuple) else atom
            if name is None or name in ("true", "legal", "next", "at", "terminal"):
                continue
            for each in sets:
                keys = [owner[n] for n in each if n in owner]
                if len(keys) == len(each) > 2 and len({key[0] for key in keys}) == 1:
                    groups[name][keys[0][0]].add(frozenset(key[1:] for key in keys))
        first, second = self._rules.roles
        done: list[set[frozenset[Any]]] = []
        for name in sorted(groups, key=lambda n: (n != "goal", n)):
            ways = groups[name][first]
            if ways != groups[name][second] or len({*map(len, ways)}) != 1:
                continue
            if any(ways <= before for before in done):
                continue
            done.append(ways)
            yield self._pattern(shape, name, ways)

    def _pattern(self, shape: _Shape, name: str, ways: set[frozenset[Any]]) -> Pattern:
        size = len(next(iter(ways)))
        named = {n for n, v in self._constants.items() if v == size}
        named -= self._bounds(shape)
        length = named.pop() if len(named) == 1 else str(size)
        steps = _steps(ways)
        if relation := self._own_sets(shape, ways):
            predicate, width = relation
            key = tuple(f"W{i}" for i in range(1, width + 1)) if width > 1 else ("W",)
            return Pattern(name, size, length, "", predicate, key, steps is not None)
        if steps is None:
            listed = [
                f"pattern({number}, ({'; '.join(', '.join(map(render, p)) for p in places)}))."
                if len(shape.place) > 1
                else f"pattern({number}, ({'; '.join(render(p[0]) for p in places)}))."
                for number, places in enumerate(sorted(sorted(w, key=repr) for w in ways), 1)
            ]
            return Pattern(name, size, length, "\n".join(listed), "", ("W",), False)
        named_steps = self._fact(steps) or self._fact(steps | {(-x, -y) for x, y in steps})
        variables = [_VARIABLES[i] for i in self._on_board(shape)]
        steps_of = ", ".join(f"D{v}" for v in variables)
        listed_steps = "; ".join(f"{x}, {y}" for x, y in sorted(steps, reverse=True))
        which = f"{named_steps}({steps_of})" if named_steps else f"({steps_of}) = ({listed_steps})"
        last = str(size - 1) if length == str(size) else f"{length} - 1"
        end = last if last.isdigit() else f"({last})"
        first = ", ".join(variables)
        on = ", ".join(f"{v} + K * D{v}" for v in variables)
        far = ", ".join(f"{v}'" for v in variables)
        reach = ", ".join(f"{v}' = {v} + {end} * D{v}" for v in variables)
        rule = (
            f"pattern((({first}), ({far})), {on}) :- place({first}), {which},\n"
            f"    {reach}, place({far}), K = 0..{last}."
        )
        return Pattern(name, size, length, rule, "", ("W",), True)

    def _bounds(self, shape: _Shape) -> set[str]:
        if not all(isinstance(n, int) for place in shape.places for n in place):
            return set()
        highest = [max(place[i] for place in shape.places) for i in range(len(shape.place))]
        return {self._bound(shape, i, high) for i, high in enumerate(highest)}

    def _own_sets(self, shape: _Shape, ways: set[frozenset[Any]]) -> tuple[str, int] | None:
        """A predicate of facts whose last arguments are the places of each set; and its others."""
        size = len(shape.place)
        fewest = sorted(self._facts.items(), key=lambda found: (found[0][1], found[0][0]))
        for (name, arity), rows in fewest:
            if arity <= size or name in CONTRACT:
                continue
            sets: defaultdict[tuple[Term, ...], set[tuple[Term, ...]]] = defaultdict(set)
            for row in rows:
                sets[row[:-size]].add(row[-size:])
            if {*map(frozenset, sets.values())} == ways:
                return name, arity - size
        return None

    # The rest

    def _counters(self) -> Iterator[tuple[str, str]]:
        """Base predicates with a player and a number."""
        found: defaultdict[str, list[Term]] = defaultdict(list)
        for atom in self._rules.base:
            match atom:
                case (str(name), role, int(_)) if role in self._rules.roles:
                    found[name].append(atom)
        for name, atoms in found.items():
            if len(atoms) > 2 and not any(s.name == name for s in self._shapes()):
                yield name, self._read_as(name, atoms)

    def _options(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """The rules for legal moves, without whose turn it is and without the game's end."""
        for statement in self._statements:
            for head in statement.heads:
                if statement.kind != "rule" or head.signature != "legal/2":
                    continue
                role, move = (_spaced(text) for text in head.texts)
                kept = [
                    _spaced(literal)
                    for literal in statement.literals
                    if not re.fullmatch(r"(not )?terminal|(true\()?turn\([^()]*\)\)?", literal)
                ]
                if role[0].isupper() and not any(
                    re.search(rf"\b{role}(?!['\w])", text) and not text.startswith("not ")
                    for text in kept
                ):
                    kept.insert(0, f"role({role})")
                if "(" in move:
                    yield role, move, tuple(kept)


def plural(noun: str) -> str:
    """The plural of an English noun.

    >>> [plural(noun) for noun in ("man", "disc", "cross")]
    ['men', 'discs', 'crosses']
    """
    if noun.endswith("man"):
        return noun[:-2] + "en"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _is_name(term: Term) -> bool:
    return isinstance(term, str)


def _signature(move: Term) -> tuple[str, int]:
    return (move[0], len(move) - 1) if isinstance(move, tuple) else (str(move), 0)


def _spaced(text: str) -> str:
    return re.sub(r",(?=\S)", ", ", text)


def _steps(ways: set[frozenset[Any]]) -> set[tuple[int, int]] | None:
    """The steps from one place to the next if each set stands in line; None otherwise."""
    steps = set()
    for way in ways:
        places = sorted(way)
        if not all(len(p) == 2 and all(isinstance(n, int) for n in p) for p in places):
            return None
        found = {(x2 - x, y2 - y) for (x, y), (x2, y2) in pairwise(places)}
        if len(found) != 1:
            return None
        steps |= found
    return steps
