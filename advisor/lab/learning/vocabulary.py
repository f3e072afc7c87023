"""The words of `encodings/proposals`, each as one game's own rules have it."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from advisor.lab.learning.men import Axis
from advisor.lab.learning.outline import Outline, plural
from advisor.lab.learning.patterns import Pattern
from advisor.lab.learning.slots import Slots
from advisor.lab.learning.terms import arguments as split

TRIED = ("axis", "rel", "grid", "act", "counter", "also", "claim")
"""What families are tried with each of."""

GRID, SQUARE_GRID, AROUND = ("beside", "behind", "diagonal"), ("touching", "diagonal"), "around"
"""Relations of places of a board with columns and rows; the second where these are alike."""
_PLACES = {"cell", "square", "at", "on", "place", "point", "position", "location"}
"""What men are not called, although rules may call so who stands where."""

WordOf = Callable[[list[str]], str]
RulesOf = Callable[[str], Sequence[str]]
"""The rules of a relation, by its name."""


class MissingError(Exception):
    """The game has nothing for a word of the vocabulary."""


class Vocabulary:
    """What words stand for in one game.

    Args:
        game, slots: what its rules and its moves show.
        relate: writes a relation of the templates down: its name there, another name for it, and
            what else stands in it for something; returns what it is called.
        made: the same for a relation whose rules the game's own are the source of.

    Attributes:
        chosen: what stands for each of `TRIED` just now.
        axes: coordinates by what they are called.
        said: words for people.
        atoms: the vocabulary: of each word, what an atom with some arguments becomes.
        constants: numbers and lists.
    """

    def __init__(
        self,
        game: Outline,
        slots: Mapping[str, Slots],
        relate: Callable[[str, str, Mapping[str, str]], str],
        made: Callable[[str, str, RulesOf], str],
    ) -> None:
        self._game, self._slots, self._relate, self._made = game, slots, relate, made
        self.chosen: dict[str, str] = {}
        self.axes = {axis.called: axis for axis in game.men.axes} if game.men else {}
        for axis in [a for a in self.axes.values() if a.kind == "advancing"]:
            self.axes["ahead"] = axis
        self.said = self._words()
        self.atoms: dict[str, WordOf] = {
            "man": self.men,
            "other": self._other,
            "turn": self._turn,
            "place": self._place,
            "rel": lambda a: f"{self.chosen['rel']}({', '.join(a)})",
            "claim": lambda a: f"{self.chosen['claim']}({', '.join(a)})",
            "can": self._can,
            "takes": partial(self._reaches, "takes"),
            "moves": partial(self._reaches, "leaves"),
            "guarded": self._guarded,
            "spot": self._spot,
            "comes": partial(self._has_move, "comes"),
            "leaves": partial(self._has_move, "leaves"),
            "pattern": self._pattern,
            "counter": lambda a: _closed(dict(game.counters)[self.chosen["counter"]], a),
            "also": lambda a: dict(game.also)[self.chosen["also"]].format(P=a[0], A=a[1]),
            "grid": lambda a: f"{self._relate(self.chosen['grid'], '', {})}({', '.join(a)})",
            "size": lambda a: _size(self.axis(a[0])),
            **{
                name: partial(self._coordinate, name) for name in ("axis", "ahead", "column", "row")
            },
        }
        if game.free:
            self.atoms["free"] = lambda a: f"{game.free}({', '.join(a)})"
        self.constants = self._constants()

    def options(self) -> Mapping[str, Sequence[str]]:
        """What the game has of each of `TRIED`; columns are nothing without rows like them."""
        game = self._game
        grid = SQUARE_GRID if game.square else GRID
        return {
            "axis": [] if game.square else [name for name in self.axes if name != "ahead"],
            "rel": [relation.name for relation in game.relations],
            "grid": grid if len(game.men.axes if game.men else ()) >= 2 else (),
            "act": [name for name, count in game.moves if count],
            "counter": [name for name, _ in game.counters],
            "also": [name for name, _ in game.also],
            "claim": game.claims,
        }

    def _words(self) -> dict[str, str]:
        """What men and the first pattern are called."""
        game = self._game
        noun = game.men.name if game.men else "man"
        usual = "man" if noun in _PLACES else noun
        man, men = game.words.get(noun, (usual, plural(usual)))
        said = {"man": man, "men": men}
        for pattern in game.patterns[:1]:
            usual = "line" if pattern.lined else "set"
            words = game.words.get(pattern.name, (usual, plural(usual)))
            said["pattern"], said["patterns"] = words
        return said

    def _constants(self) -> Mapping[str, str]:
        men, patterns = self._game.men, self._game.patterns
        found = {}
        if self._game.begins is not None:
            found["opener"] = self._game.roles[self._game.begins]
            found["follower"] = self._game.roles[1 - self._game.begins]
        if men and men.kinds:
            found["kinds"] = "; ".join(men.kinds)
        if men and len(men.spots) > 1:
            found["spots"] = str(len(men.spots))
        if patterns:
            found["length"] = patterns[0].length
            found["most"] = _less(patterns[0], 1 if patterns[0].name == "goal" else 0)
        return found

    def constant(self, name: str) -> str | None:
        """What stands for a number or a list; None if the word is not one.

        Raises:
            MissingError: the game has none.
        """
        if name == "degrees":
            relation = next(r for r in self._game.relations if r.name == self.chosen["rel"])
            if len(relation.degrees) > 1:
                return "; ".join(map(str, relation.degrees))
            raise MissingError
        if name in ("kinds", "spots", "length", "most", "opener", "follower"):
            if name not in self.constants:
                raise MissingError
            return self.constants[name]
        return None

    # Men and places

    def men(self, arguments: list[str]) -> str:
        """``man(P, A)`` or ``man(P, T, A)``; the place may be one ``_``."""
        men = self._game.men
        if men is None or (len(arguments) == 3 and not men.kinds):
            raise MissingError
        player, *rest = arguments
        place = rest[-1].split(", ")
        place = place * len(men.place) if place == ["_"] else place
        told = {"P": player, "T": rest[0] if len(rest) == 2 else "_"}
        told |= zip(men.place, place, strict=True)
        if not men.defined:
            return men.form.format_map(told)
        called = self._made(
            "man",
            "who has a man where",
            lambda name: [re.sub(r"^man", name, rule) for rule in men.defined],
        )
        return re.sub(r"^man", called, men.form.format_map(told))

    def _place(self, arguments: list[str]) -> str:
        men, place = self._game.men, ", ".join(arguments)
        if self._game.place:
            return f"{self._game.place}({place})"
        if men is None:
            raise MissingError
        return f"base({men.base.format_map(dict(zip(men.place, place.split(', '), strict=True)))})"

    def _other(self, arguments: list[str]) -> str:
        one, two = self._game.roles
        facts = [f"({one}, {two}).", f"({two}, {one})."]
        called = self._game.other or self._made(
            "other", "the two players", lambda name: [f"{name}{fact}" for fact in facts]
        )
        return f"{called}({', '.join(arguments)})"

    def _turn(self, arguments: list[str]) -> str:
        if not self._game.turn:
            raise MissingError
        return _closed(self._game.turn, arguments)

    def axis(self, name: str) -> Axis:
        """A coordinate.

        Raises:
            MissingError: the game has none of this name.
        """
        axis = self.axes.get(self.chosen.get(name, name))
        if axis is None:
            raise MissingError
        return axis

    def _coordinate(self, name: str, arguments: list[str]) -> str:
        """``axis(P, A, N)``, as its kind has it."""
        axis = self.axis(name)
        player, place, number = arguments
        value = next(v for v in place.split(", ") if v.startswith(axis.variable))
        if axis.kind == "plain" and axis.low == "1":
            return f"{number} = {value}"
        roles = self._game.roles
        words = {"V": axis.variable, "low": axis.low, "high": axis.high}
        words |= {"rising": roles[axis.rising], "falling": roles[1 - axis.rising]}
        called = self._relate(axis.kind, axis.called, words)
        seen = [player] if axis.kind == "advancing" else []
        return f"{called}({', '.join([*seen, value, number])})"

    def _spot(self, arguments: list[str]) -> str:
        men = self._game.men
        if men is None or len(men.spots) < 2:
            raise MissingError

        def rules(name: str) -> list[str]:
            return [f"{name}({i}, ({'; '.join(p)}))." for i, p in enumerate(men.spots, 1)]

        return (
            f"{self._made('spot', 'places of one kind are alike', rules)}({', '.join(arguments)})"
        )

    def _pattern(self, arguments: list[str]) -> str:
        men = self._game.men
        if not self._game.patterns or men is None:
            raise MissingError
        pattern = self._game.patterns[0]
        key, place = arguments
        place = ", ".join("_" * len(men.place)) if place == "_" else place
        about = f"the places of each {self.said['pattern']}"

        def rules(name: str) -> list[str]:
            text = re.sub(r"\bplace\((.*?)\)", lambda m: self._place([m[1]]), pattern.rule)
            return [re.sub(r"\bpattern\(", f"{name}(", text)]

        called = pattern.own or self._made("way", about, rules)
        return f"{called}({key}, {place})"

    # Moves

    def _can(self, arguments: list[str]) -> str:
        options = self._game.options
        if not self._game.turn and len({role for role, _, _ in options}) == 1:
            raise MissingError  # only one side's moves are known
        called = self._made(
            "can",
            "what a player could do if it were his turn",
            lambda name: [f"{name}({r}, {m}) :- {', '.join(body)}." for r, m, body in options],
        )
        return f"{called}({', '.join(arguments)})"

    def _reaches(self, which: str, arguments: list[str]) -> str:
        """``takes(P, A)`` or ``moves(P, A)``, by the first kind of move that names such a place."""
        for act, count in self._game.moves:
            if (first := getattr(self._slots.get(act), which, None)) is not None:
                return self._can([arguments[0], _naming(act, count, first, arguments[1])])
        raise MissingError

    def _has_move(self, which: str, arguments: list[str]) -> str:
        """``comes(P, M, A)``, ``leaves(P, M, A)``: all kinds of moves that name such a place."""

        def rules(called: str) -> list[str]:
            place = ", ".join(self._game.men.place) if self._game.men else ""
            return [
                f"{called}(P, M, {place}) :- legal(P, M), input(P, M), "
                f"M = {_naming(act, count, first, place)}."
                for act, count in self._game.moves
                if (first := getattr(self._slots.get(act), which, None)) is not None
            ]

        told = "comes to" if which == "comes" else "leaves"
        called = self._made(which, f"who is to move has a move that {told} a place", rules)
        return f"{called}({', '.join(arguments)})"

    def _guarded(self, arguments: list[str]) -> str:
        """``guarded(P, A)``: the rules for moves, with a man of the mover where they forbid one."""

        def rules(called: str) -> list[str]:
            found = []
            for role, move, body in self._game.options:
                act, inner = move.split("(", 1)
                slots, named = self._slots.get(act), split(inner[:-1])
                if slots is None or slots.comes is None or slots.takes is None:
                    continue
                size = len(self._game.men.place) if self._game.men else 0
                to = ", ".join(named[slots.comes : slots.comes + size])
                own = self.men([role, to])
                if f"not {own}" in body:
                    rest = [part for part in body if part != f"not {own}"]
                    found.append(f"{called}({role}, {to}) :- {', '.join([own, *rest])}.")
            return found

        called = self._made("guarded", "a man in whose place another one could come", rules)
        return f"{called}({', '.join(arguments)})"


def _naming(act: str, count: int, first: int, place: str) -> str:
    """A move that names a place from some argument on."""
    named = ["_"] * count
    parts = place.split(", ")
    named[first : first + len(parts)] = parts
    return f"{act}({', '.join(named)})"


def _closed(read: str, arguments: Sequence[str]) -> str:
    """An atom whose predicate is ``turn`` or ``true(turn``."""
    return f"{read}({', '.join(arguments)})" + ")" * read.count("(")


def _size(axis: Axis) -> str:
    """How many numbers a coordinate has, as text."""
    size = axis.high if axis.low == "1" else str(axis.size)
    if axis.kind != "folded":
        return size
    return str((axis.size + 1) // 2) if size.isdigit() else f"({size} + 1) / 2"


def _less(pattern: Pattern, by: int) -> str:
    if not by:
        return pattern.length
    return str(pattern.size - by) if pattern.length.isdigit() else f"{pattern.length} - {by}"
