"""Find the men of a game, which of their places are alike, and how moves name the places.

Men are base atoms with a player and a place. The owner of a man is an argument of its atom, or a
mark as in ``cell(1, 1, x)`` that only the moves of one player make true. Random games show which
arguments of moves are the places that a man leaves, comes to or takes.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Rows
from advisor.engine.rows import firsts
from advisor.games.circuits import Circuits
from advisor.plugins.learn.learning.reading import Reading, Row
from aspcircuits.clingo_api import Term, render, signature

VARIABLES = ("X", "Y", "Z")
_BOARD = ("column", "row", "layer")

_GAMES, _PLIES = 64, 120
"""Number of random games, and of their plies: enough to see every kind of move."""
_NEARLY = 0.9
"""Share of moves that must fit a kind; castling, for example, moves two men and does not."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One coordinate of places.

    Attributes:
        variable: X, Y or Z, as on the board.
        called: column, row or layer.
        low, high: the bounds, as constants of the rules where these have any.
        size: number of values.
        kind: ``folded`` if mirrored places are alike, ``advancing`` if they are alike once the
            players are exchanged, ``plain`` otherwise.
        rising: for ``advancing``, the number of the player whose men go up.
    """

    variable: str
    called: str
    low: str
    high: str
    size: int
    kind: str
    rising: int = 0


@dataclass(frozen=True, slots=True)
class Men:
    """The men of a game.

    Attributes:
        name: of the relation between players and places.
        form: template of an atom in rules: ``{P}``, perhaps ``{T}``, and the place's variables.
        defined: rules that define this relation, if the game has marks in place of players.
        base: template of the base atom of a place, with the place's variables.
        place: the variables of a place.
        kinds: the types of men; empty if there is only one.
        axes: the coordinates; empty if places are terms.
        transposed: whether both coordinates are alike.
        spots: groups of places that are alike, if places are terms.
        owned: the number of the player and the place of each base atom.
    """

    name: str
    form: str
    defined: tuple[str, ...]
    base: str
    place: tuple[str, ...]
    kinds: tuple[str, ...]
    axes: tuple[Axis, ...]
    transposed: bool
    spots: tuple[tuple[str, ...], ...]
    owned: Mapping[Term, tuple[int, Row]] = field(repr=False)


@dataclass(frozen=True)
class Shape:
    """The arguments of a base predicate that are a player, a type and a place.

    Attributes:
        name: of the predicate.
        role: argument for the player, or for a mark of a player.
        kind: argument for the type; None if there is none.
        place: arguments for the place.
        marks: the role of each mark; empty if the predicate names players.
        atoms: base atoms of all types, by role and place.
    """

    name: str
    role: int
    kind: int | None
    place: tuple[int, ...]
    marks: Mapping[Term, Term]
    atoms: Mapping[Row, list[Term]]

    @cached_property
    def places(self) -> list[Row]:
        return sorted({key[1:] for key in self.atoms}, key=repr)

    @cached_property
    def numeric(self) -> bool:
        """Whether places have coordinates."""
        return all(isinstance(n, int) for place in self.places for n in place)

    @cached_property
    def every(self) -> list[Term]:
        """All base atoms."""
        return [atom for same in self.atoms.values() for atom in same]

    def form(self, places: Sequence[str], player: str = "{P}", kind: str = "{T}") -> str:
        """Write a base atom, from texts of its arguments."""
        told = dict(zip(self.place, places, strict=True))
        told |= {self.role: player} | ({} if self.kind is None else {self.kind: kind})
        return f"{self.name}({', '.join(told[i] for i in sorted(told))})"


def find_shapes(reading: Reading) -> list[Shape]:
    """Find base predicates with a player and a place that moves name, most places first."""
    rules, found = reading.rules, list[Shape]()
    by: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
    for atom in rules.base:
        if isinstance(atom, tuple) and atom not in reading.turns:
            by[atom[0], len(atom) - 1].append(atom[1:])
    moved = {
        move[i : i + k]
        for _, move in rules.inputs
        if isinstance(move, tuple)
        for k in range(1, len(VARIABLES) + 1)
        for i in range(1, len(move) - k + 1)
    }
    for (name, arity), rows in by.items():
        columns = [{row[i] for row in rows} for i in range(arity)]
        role = next((i for i, c in enumerate(columns) if {*rules.roles} == c), None)
        names = [all(isinstance(term, str) for term in c) for c in columns]
        named = [i for i, is_name in enumerate(names) if is_name and i != role]
        marks: Mapping[Term, Term] = {}
        if role is None:
            role = next((i for i in named if (marks := _marks(reading, name, rows, i))), None)
            named = [i for i in named if i != role]
        place = tuple(i for i in range(arity) if i not in (role, *named))
        if role is None or not place or len(place) > len(VARIABLES) or len(named) > 1:
            continue
        atoms: defaultdict[Row, list[Term]] = defaultdict(list)
        for row in rows:
            owner = marks.get(row[role]) if marks else row[role]
            if owner is not None:
                atoms[(owner, *(row[i] for i in place))].append((name, *row))
        shape = Shape(name, role, named[0] if named else None, place, marks, dict(atoms))
        if _is_named(shape.places, moved):
            found.append(shape)
    return sorted(
        found,
        key=lambda s: (len(s.places), sum(a in rules.start for a in s.every), len(s.atoms)),
        reverse=True,
    )


def _is_named(places: Sequence[Row], moved: set[Row]) -> bool:
    """Whether moves name most places, or one coordinate of each, as in games where men fall."""
    whole = 2 * sum(place in moved for place in places) > len(places)
    return whole or (
        len(places[0]) > 1
        and any({(place[i],) for place in places} <= moved for i in range(len(places[0])))
    )


def _marks(reading: Reading, name: str, rows: Sequence[Row], argument: int) -> dict[Term, Term]:
    """Return the role of each mark; empty unless both roles have marks."""
    makers: defaultdict[Term, set[Term]] = defaultdict(set)
    for row in rows:
        makers[row[argument]] |= reading.makers((name, *row))
    found = {mark: next(iter(roles)) for mark, roles in makers.items() if len(roles) == 1}
    return found if {*found.values()} == {*reading.rules.roles} else {}


def describe_men(reading: Reading, shape: Shape) -> Men:
    """Describe the men of one shape."""
    roles, colours = reading.rules.roles, reading.colours
    seen = {k: tuple(colours[reading.true[a]] for a in same) for k, same in shape.atoms.items()}
    columns = _on_board(reading, shape) if shape.numeric else ()
    axes = tuple(_axis(reading, shape, seen, i, column) for i, column in enumerate(columns))
    place = tuple(axis.variable for axis in axes) or ("A",)
    spots: defaultdict[Any, list[str]] = defaultdict(list)
    for each in shape.places if not axes else ():
        spots[seen.get((roles[0], *each))].append(", ".join(map(render, each)))
    kinds, defined, form = _write_attributes(reading, shape, place)
    braces = [f"{{{v}}}" for v in place]
    some = shape.every[0]
    return Men(
        name="man" if shape.marks else shape.name,
        form=form,
        defined=defined,
        base=shape.form(
            braces,
            render(some[shape.role + 1]),
            "" if shape.kind is None else render(some[shape.kind + 1]),
        ),
        place=place,
        kinds=kinds,
        axes=axes,
        transposed=len(axes) == 2
        and axes[0].size == axes[1].size
        and all(seen.get((roles[0], x, y)) == seen.get((roles[0], y, x)) for x, y in shape.places),
        spots=tuple(tuple(spots[key]) for key in sorted(spots, key=lambda k: spots[k])),
        owned={
            atom: (roles.index(key[0]), key[1:])
            for key, same in shape.atoms.items()
            for atom in same
        },
    )


def _write_attributes(
    reading: Reading, shape: Shape, place: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Write the attributes `kinds`, `defined` and `form` of `Men`."""
    braces = [f"{{{v}}}" for v in place]
    if not shape.marks:
        kind = shape.kind
        names = set() if kind is None else {render(a[kind + 1]) for a in shape.every}
        return tuple(sorted(names)), (), reading.read_as(shape.form(braces), shape.every)
    typed = len(shape.marks) > 2
    form = f"man({', '.join(['{P}', *['{T}'] * typed, *braces])})"
    variables = dict(zip(place, place, strict=True))
    rules = [
        f"{form.format(P=render(role), T=render(mark), **variables)} :- "
        f"true({shape.form(place, render(mark), '_')})."
        for mark, role in shape.marks.items()
    ]
    return tuple(sorted(map(render, shape.marks))) if typed else (), tuple(rules), form


def _on_board(reading: Reading, shape: Shape) -> tuple[int, ...]:
    """Return the axis of each coordinate on the text board, 0 for the column."""
    usual = tuple(range(len(shape.place)))
    if len(usual) != 2:
        return usual
    swapped = 0
    shown = [(n, at) for n, at in reading.names.items() if signature(at) == ("at", 3)]
    for number, (_, x, y, _) in shown:
        for body in reading.bodies(number):
            base = {reading.names.get(reading.base_literal(n)) for n in body if n > 0}
            places = {
                tuple(atom[1][i + 1] for i in shape.place)
                for atom in base
                if isinstance(atom, tuple) and atom[0] == "true" and atom[1][0] == shape.name
            }
            swapped += ((y, x) in places) - ((x, y) in places)
    return (1, 0) if swapped > 0 else usual


def _axis(
    reading: Reading, shape: Shape, seen: Mapping[Row, Any], number: int, column: int
) -> Axis:
    """Describe one coordinate; `seen` maps role and place to what distinguishes the place."""
    rules, argument = reading.rules, shape.place[number] + 1
    (first, second), known = rules.roles, {*shape.places}
    values = [place[number] for place in shape.places]
    low, high = min(values), max(values)

    def mirror_place(place: Row) -> Row:
        return (*place[:number], low + high - place[number], *place[number + 1 :])

    def alike(role: Term) -> bool:
        """Whether mirrored places are alike if this role replaces the first one."""
        return all(seen.get((first, *p)) == seen.get((role, *mirror_place(p))) for p in known)

    kind, rising = "plain", 0
    if all(mirror_place(place) in known for place in known):
        if rules.view:
            across = (low + high - atom[argument] for atom in shape.every)
            turned = (rules.seen(atom, True)[argument] for atom in shape.every)
            kind = "advancing" if [*across] == [*turned] else "plain"
        elif alike(first):
            kind = "folded"
        elif alike(second):
            kind = "advancing"
    if kind == "advancing":
        own = [
            atom[argument]
            for key, same in shape.atoms.items()
            for atom in same
            if key[0] == first and atom in rules.start
        ]
        rising = int(2 * sum(own) > len(own) * (low + high))
    return Axis(
        variable=VARIABLES[column],
        called=_BOARD[column],
        low=str(low),
        high=upper_bound(reading, shape, number),
        size=high - low + 1,
        kind=kind,
        rising=rising,
    )


def upper_bound(reading: Reading, shape: Shape, number: int) -> str:
    """Return the greatest value of a coordinate: the constant that it follows, or the number."""
    high = max(place[number] for place in shape.places)
    constants = [name for name, value in reading.constants.items() if value == high]
    follows = (n for n in constants if reading.follows(n, shape.name, shape.place[number] + 1))
    return next(follows, str(high))


@dataclass(frozen=True, slots=True)
class Slots:
    """Index of the first argument of each place in one kind of move; None if it names none."""

    leaves: int | None
    comes: int | None
    takes: int | None


def find_slots(game: Circuits, men: Men, seed: int) -> Mapping[str, Slots]:
    """Find the slots of each kind of move by random games; return them by the name of the move."""
    rng = np.random.default_rng(seed)
    base = game.rules.base
    number = {atom: i for i, atom in enumerate(base)}
    seen = [number[game.rules.seen(atom, game.exchanges)] for atom in base]
    owned = {i: men.owned[atom] for i, atom in enumerate(base) if atom in men.owned}
    met: defaultdict[str, list[tuple[Term, list[set[Term]]]]] = defaultdict(list)
    rows = np.repeat(game.start[None], _GAMES, 0)
    for _ in range(_PLIES):
        rows = rows[~game.look(rows).over]
        if not len(rows):
            break
        look = game.look(rows)
        state, numbers = look.moves()
        order = np.lexsort((rng.random(len(state)), state))
        chosen = numbers[order[firsts(state)]]  # stays sorted by state
        after = game.step(rows, chosen, look.turn)
        before, later = _bits(rows, len(base)), _bits(after, len(base))[:, seen]
        for i, number in enumerate(chosen.tolist()):
            move = game.rules.moves[number]
            if isinstance(move, tuple):
                changes = _changes(owned, before[i], later[i], int(look.turn[i]))
                met[move[0]].append((move, changes))
        rows = after
    size = len(men.place)
    return {name: _slots(found, size) for name, found in met.items()}


def _bits(rows: Rows, count: int) -> npt.NDArray[np.uint8]:
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, :count]


def _changes(
    owned: Mapping[int, tuple[int, Term]],
    before: npt.NDArray[np.uint8],
    later: npt.NDArray[np.uint8],
    turn: int,
) -> list[set[Term]]:
    """Find the places that the mover's men leave and come to, and where other men are taken."""
    changed = [i for i in np.flatnonzero(before != later).tolist() if i in owned]
    # Whether the man belongs to the mover, and whether it stands there now.
    told = [((owned[i][0] == turn, bool(later[i])), owned[i][1]) for i in changed]
    wanted = (True, False), (True, True), (False, False)
    return [{place for how, place in told if how == each} for each in wanted]


def _slots(found: Iterable[tuple[Term, list[set[Term]]]], size: int) -> Slots:
    """Find the arguments that name each place in nearly all moves that have one."""
    chosen: list[int | None] = []
    for which in range(3):
        relevant = [(move, places[which]) for move, places in found if places[which]]
        fitting = (
            i - 1
            for i in range(1, len(next(iter(found))[0]) - size + 1)
            if sum({move[i : i + size]} == places for move, places in relevant)
            > _NEARLY * len(relevant)
        )
        chosen.append(next(fitting, None))
    return Slots(*chosen)
