"""Translate the templates of `encodings/proposals` into the vocabulary of one game.

``man(P, A)`` becomes ``man(P, X, Y)`` or ``true(cell(X, Y, P))``, as in the game's own rules.
Templates that need a word for which the game has nothing are left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TypeVar

from advisor.files.resources import ENCODINGS
from advisor.plugins.learn.learning.men import Axis, Men, Slots
from advisor.plugins.learn.learning.outline import Outline, Pattern, plural
from advisor.plugins.learn.learning.terms import (
    TOKEN,
    closing_bracket,
    join_variables,
    simplify_rules,
    split_arguments,
)

T = TypeVar("T")

TEMPLATES = {
    program: ENCODINGS / "proposals" / f"{name}.lp"
    for program, name in (("features", "features"), ("moves", "strategy"))
}
"""The file of templates for each program."""

_TRIED = ("axis", "rel", "grid", "act", "counter", "also", "claim")
"""Words of templates for which a family is written once per replacement that the game has."""
_GRID, _SQUARE_GRID = ("beside", "behind", "diagonal"), ("touching", "diagonal")
"""Relations of places on a board with columns and rows; the second if both are alike."""
_OF_BOARDS = {*_GRID, *_SQUARE_GRID, "around"}
"""All relations of places on such a board."""
_SQUARE = ("ring", "corner")
"""Relations of places on a board whose sides are all alike."""
_UNEVEN = "place"
"""The family that distinguishes columns from rows, which does not apply if both are alike."""
_PLACES = {"cell", "square", "at", "on", "place", "point", "position", "location"}
"""Predicates of men whose names are not nouns for a man."""
_NUMBERS = ("degrees", "kinds", "spots", "length", "most", "opener", "follower")
"""Words of the templates that stand for numbers or lists."""

_PARAGRAPH = re.compile(r"^%([%+]) (.+?): (.+)\n((?:(?!%[%+] ).*\n?)*)", re.MULTILINE)


class _MissingError(Exception):
    """Raised if the game has no replacement for a word of a template."""


def _require(found: T | None) -> T:
    """Return a value that is not empty; otherwise leave the template out."""
    if not found:
        raise _MissingError
    return found


@dataclass(frozen=True, slots=True)
class Proposal:
    """The rules of one family, or of one relation that families need.

    Attributes:
        name: of the family, or the predicate of the relation.
        about: a description, or why it may matter.
        text: the rules.
        needs: the relations that the rules need.
    """

    name: str
    about: str
    text: str
    needs: tuple[str, ...]


class Writer:
    """Writes the families of one program for one game.

    Attributes:
        relations: the relations that the families need, by predicate, each after the ones it needs.
    """

    def __init__(self, game: Outline, slots: Mapping[str, Slots], program: str) -> None:
        self._game, self._slots = game, slots
        text = TEMPLATES["features"].read_text(encoding="utf-8")
        phrase = re.compile(r'^phrase\((\w+), "(.*)"\)\.\n', re.MULTILINE)
        self._phrases: dict[str, str] = dict(phrase.findall(text))
        paragraphs = _PARAGRAPH.findall(phrase.sub("", text))
        self._ours = {name: (about, t) for mark, name, about, t in paragraphs if mark == "+"}
        paragraphs = _PARAGRAPH.findall(TEMPLATES[program].read_text(encoding="utf-8"))
        self._families = [found[1:] for found in paragraphs if found[0] == "%"]
        self.relations: dict[str, Proposal] = {}
        self._needs: list[str] = []
        self._chosen: dict[str, str] = {}  # the current replacement of each word of _TRIED
        self._axes = {axis.called: axis for axis in game.men.axes} if game.men else {}
        for axis in [a for a in self._axes.values() if a.kind == "advancing"]:
            self._axes["ahead"] = axis
        self._said = self._nouns()
        # Words that become another predicate; then words whose atoms become something else.
        self._predicates: dict[str, Callable[[], str]] = {
            "other": self._other,
            "grid": lambda: self._relate(self._chosen["grid"]),
            "can": self._can,
            "guarded": self._translate_guarded,
            "spot": self._spot,
            "comes": partial(self._has_move, "comes", "comes to"),
            "leaves": partial(self._has_move, "leaves", "leaves"),
        }
        if game.free:
            self._predicates["free"] = lambda: game.free
        self._atoms: dict[str, Callable[[list[str]], str]] = {
            "man": self._man,
            "turn": self._turn,
            "place": self._place,
            "takes": partial(self._reaches, "takes"),
            "moves": partial(self._reaches, "leaves"),
            "pattern": self._pattern,
            "counter": lambda a: dict(game.counters)[self._chosen["counter"]].format(", ".join(a)),
            "also": lambda a: dict(game.also)[self._chosen["also"]].format(P=a[0], A=a[1]),
            "size": lambda a: _size(self._axis(a[0])),
            **{
                name: partial(self._coordinate, name) for name in ("axis", "ahead", "column", "row")
            },
        }

    def families(self) -> Iterator[tuple[str, Proposal]]:
        """Write all families, once for each combination of `_TRIED`, each with its general name."""
        options = self._options()
        for name, about, text in self._families:
            if name == _UNEVEN and self._game.square:
                continue
            words = {*re.findall(r"[a-z]+", re.sub(r'"[^"]*"', "", f"{name} {text}"))}
            tried = [word for word in _TRIED if word in words]
            for chosen in product(*(options[word] for word in tried)):
                self._chosen = dict(zip(tried, chosen, strict=True))
                self._needs = []
                try:
                    written = simplify_rules(self._unfold(text.strip()))
                except _MissingError:
                    continue
                kin = re.sub(rf"_?({'|'.join(_TRIED)})$", "", name) or name
                needs = tuple(dict.fromkeys(self._needs))
                yield kin, Proposal(self._word(name), self._words(about), written, needs)

    def _options(self) -> Mapping[str, Sequence[str]]:
        """Return the replacements that the game has for each word of `_TRIED`."""
        game = self._game
        grid = _SQUARE_GRID if game.square else _GRID
        return {
            "axis": [] if game.square else [name for name in self._axes if name != "ahead"],
            "rel": [relation.name for relation in game.relations],
            "grid": grid if self._on_board else (),
            "act": [name for name, count in game.moves if count],
            "counter": [name for name, _ in game.counters],
            "also": [name for name, _ in game.also],
            "claim": game.claims,
        }

    @property
    def _men(self) -> Men:
        return _require(self._game.men)

    @property
    def _aim(self) -> Pattern:
        """The first pattern, which wins if any pattern does."""
        return _require(self._game.patterns)[0]

    @property
    def _on_board(self) -> bool:
        return self._game.men is not None and len(self._game.men.axes) >= 2

    # Texts

    def _unfold(self, text: str, in_brackets: bool = True) -> str:
        """Translate a text; places become terms if `in_brackets`, otherwise arguments."""
        written: list[str] = []
        tokens = TOKEN.findall(text)
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if re.match("[a-z_]", token) and tokens[i + 1 : i + 2] == ["("]:
                end = closing_bracket(tokens, i + 1)
                written.append(self._atom(token, split_arguments("".join(tokens[i + 2 : end]))))
                i = end
            else:
                written.append(self._term(token, in_brackets))
            i += 1
        return "".join(written)

    def _atom(self, name: str, inner: list[str]) -> str:
        """Translate an atom, or a term with arguments."""
        if name in ("feature", "because", "fires"):
            told = re.sub(r"[a-z_]+", lambda found: self._word(found[0]), inner[0])
            return _call(name, [told, *map(self._unfold, inner[1:])])
        if name in ("sentence", "short"):
            return _call(name, map(self._unfold, inner))
        found = [self._unfold(part, in_brackets=False) for part in inner]
        if name in self._atoms:
            return self._atoms[name](found)
        if name in self._predicates:
            return _call(self._predicates[name](), found)
        return _call(self._relate(name) if name in self._ours else self._word(name), found)

    def _term(self, token: str, in_brackets: bool) -> str:
        """Translate a word, a place, a text or any other token without arguments."""
        if token.startswith('"'):
            return self._words(token)
        if re.fullmatch("A'*", token):
            return join_variables([v + token[1:] for v in self._men.place], in_brackets)
        if token == "W" and self._game.patterns:
            return join_variables(self._game.patterns[0].key, in_brackets)
        return self._word(token)

    def _word(self, name: str) -> str:
        """Translate a name, part by part, by the current replacements."""
        if name in _NUMBERS:
            return self._number(name)
        name = "_".join(self._chosen.get(part, part) for part in name.split("_"))
        if name == self._chosen.get("act"):
            return _call(name, "_" * dict(self._game.moves)[name])
        return name

    def _number(self, name: str) -> str:
        """Translate a word for a number or a list."""
        game = self._game
        match name:
            case "degrees":
                degrees = {r.name: r.degrees for r in game.relations}[self._chosen["rel"]]
                if len(degrees) > 1:
                    return "; ".join(map(str, degrees))
            case "opener" | "follower" if game.begins is not None:
                return game.roles[game.begins ^ (name == "follower")]
            case "kinds" if self._men.kinds:
                return "; ".join(self._men.kinds)
            case "spots" if len(self._men.spots) > 1:
                return str(len(self._men.spots))
            case "length" | "most":
                length = self._aim.length
                if name == "length" or self._aim.name != "goal":
                    return length
                return str(self._aim.size - 1) if length.isdigit() else f"{length} - 1"
        raise _MissingError

    def _words(self, text: str) -> str:
        """Replace the words in <> of a text for people."""

        def replace_word(found: re.Match[str]) -> str:
            word, _, number = found[1].partition(" ")
            if number:
                axis = self._axis(word)
                phrase = self._phrases[axis.kind].replace("<axis>", axis.called)
                return phrase.replace("{N}", f"{{{number}}}")
            if word in self._said:
                return self._said[word]
            chosen = _require(self._chosen.get(word))
            return self._phrases.get(chosen, self._game.words.get(chosen, (chosen,))[0])

        return re.sub("<([^<>]+)>", replace_word, text)

    def _nouns(self) -> dict[str, str]:
        """Return nouns for men and for the first pattern, singular and plural."""
        game = self._game
        noun = game.men.name if game.men else "man"
        usual = {"man": (noun, "man" if noun in _PLACES else noun)}
        for pattern in game.patterns[:1]:
            usual["pattern"] = pattern.name, "line" if pattern.lined else "set"
        said = {}
        for word, (name, one) in usual.items():
            said[word], said[plural(word)] = game.words.get(name, (one, plural(one)))
        return said

    # Relations

    def _relate(self, name: str, called: str = "", words: Mapping[str, str] | None = None) -> str:
        """Write a relation of the templates, only once; return its name in this game.

        Args:
            name: its name in the templates.
            called: another name for it.
            words: further replacements in its rules.
        """
        about, text = self._ours[name]
        if (name in _SQUARE and not self._game.square) or (
            name in _OF_BOARDS and not self._on_board
        ):
            raise _MissingError
        if name in _OF_BOARDS and self._men.place == ("Y", "X"):
            text = re.sub(rf"\b({name}|place)\((.*?)\)(?=[ ,.])", _swap_axes, text)
        for word, value in (words or {}).items():
            text = re.sub(rf"\b{word}\b", value, text)
        body = re.sub(rf"^{name}\(", "ours(", text.strip(), flags=re.MULTILINE)
        return self._write_relation(
            called or self._word(name),
            about,
            lambda wanted: [self._unfold(body).replace("ours(", f"{wanted}(")],
        )

    def _write_relation(self, name: str, about: str, rules: Callable[[str], Sequence[str]]) -> str:
        """Write a relation, only once, with the relations that it needs; return its name.

        Args:
            name: its name, to which an underscore is added if the game uses it.
            about: a description.
            rules: makes the rules, given the final name.

        Raises:
            _MissingError: there are no rules.
        """
        called = f"_{name}" if name in self._game.known else name
        if called not in self.relations:
            outer, self._needs = self._needs, []
            try:
                text = simplify_rules("\n".join(_require(rules(called))))
                told = f"{called}: {self._words(about)}"
                needs = tuple(dict.fromkeys(self._needs))
                self.relations[called] = Proposal(called, told, text, needs)
            finally:
                self._needs = outer
        self._needs.append(called)
        return called

    # Men and places

    def _man(self, arguments: list[str]) -> str:
        """Translate ``man(P, A)`` or ``man(P, T, A)``, whose place may be ``_``."""
        men = self._men
        if len(arguments) == 3 and not men.kinds:
            raise _MissingError
        player, *kind, where = arguments
        place = ["_"] * len(men.place) if where == "_" else where.split(", ")
        told = {"P": player, "T": kind[0] if kind else "_"}
        told |= zip(men.place, place, strict=True)
        if not men.defined:
            return men.form.format_map(told)
        called = self._write_relation(
            "man",
            "who has a man where",
            lambda name: [re.sub(r"^man", name, rule) for rule in men.defined],
        )
        return re.sub(r"^man", called, men.form.format_map(told))

    def _place(self, arguments: list[str]) -> str:
        place = ", ".join(arguments)
        if self._game.place:
            return f"{self._game.place}({place})"
        told = dict(zip(self._men.place, place.split(", "), strict=True))
        return f"base({self._men.base.format_map(told)})"

    def _other(self) -> str:
        one, two = self._game.roles
        return self._game.other or self._write_relation(
            "other", "the two players", lambda n: [f"{n}({one}, {two}).", f"{n}({two}, {one})."]
        )

    def _turn(self, arguments: list[str]) -> str:
        return _require(self._game.turn).format(", ".join(arguments))

    def _axis(self, name: str) -> Axis:
        return _require(self._axes.get(self._chosen.get(name, name)))

    def _coordinate(self, name: str, arguments: list[str]) -> str:
        """Translate ``axis(P, A, N)`` by the kind of the axis."""
        axis = self._axis(name)
        player, place, number = arguments
        value = next(v for v in place.split(", ") if v.startswith(axis.variable))
        if axis.kind == "plain" and axis.low == "1":
            return f"{number} = {value}"
        roles = self._game.roles
        words = {"V": axis.variable, "low": axis.low, "high": axis.high}
        words |= {"rising": roles[axis.rising], "falling": roles[1 - axis.rising]}
        seen = [player] if axis.kind == "advancing" else []
        return _call(self._relate(axis.kind, axis.called, words), [*seen, value, number])

    def _spot(self) -> str:
        self._number("spots")
        return self._write_relation(
            "spot",
            "places of one kind are alike",
            lambda name: [
                f"{name}({i}, ({'; '.join(p)}))." for i, p in enumerate(self._men.spots, 1)
            ],
        )

    def _pattern(self, arguments: list[str]) -> str:
        pattern = self._aim
        key, place = arguments
        place = ", ".join("_" * len(self._men.place)) if place == "_" else place

        def rules(name: str) -> list[str]:
            text = re.sub(r"\bplace\((.*?)\)", lambda m: self._place([m[1]]), pattern.rule)
            return [re.sub(r"\bpattern\(", f"{name}(", text)]

        about = f"the places of each {self._said['pattern']}"
        return _call(pattern.own or self._write_relation("way", about, rules), [key, place])

    # Moves

    def _can(self) -> str:
        options = self._game.options
        if not self._game.turn and len({role for role, _, _ in options}) == 1:
            raise _MissingError  # only one side's moves are known
        return self._write_relation(
            "can",
            "moves that a player could make if it were his turn",
            lambda name: [f"{name}({r}, {m}) :- {', '.join(body)}." for r, m, body in options],
        )

    def _naming(self, which: str, place: str) -> list[str]:
        """Write a term for each kind of move that names the place it takes, comes to or leaves."""
        found = []
        for act, count in self._game.moves:
            if (first := getattr(self._slots.get(act), which, None)) is not None:
                named, parts = ["_"] * count, place.split(", ")
                named[first : first + len(parts)] = parts
                found.append(_call(act, named))
        return found

    def _reaches(self, which: str, arguments: list[str]) -> str:
        """Translate ``takes(P, A)`` or ``moves(P, A)``, by the first kind of move that does so."""
        player, place = arguments
        move = _require(self._naming(which, place))[0]
        return _call(self._can(), [player, move])

    def _has_move(self, which: str, does: str) -> str:
        """Translate ``comes(P, M, A)`` or ``leaves(P, M, A)``, by all kinds of moves that do so."""
        place = ", ".join(self._men.place)
        return self._write_relation(
            which,
            f"who is to move has a move that {does} a place",
            lambda called: [
                f"{called}(P, M, {place}) :- legal(P, M), input(P, M), M = {move}."
                for move in self._naming(which, place)
            ],
        )

    def _translate_guarded(self) -> str:
        """Translate ``guarded(P, A)``: moves that would be legal onto a man of the mover's own."""

        def rules(called: str) -> list[str]:
            found = []
            for role, move, body in self._game.options:
                act, inner = move.split("(", 1)
                slots, named = self._slots.get(act), split_arguments(inner[:-1])
                if slots is None or slots.comes is None or slots.takes is None:
                    continue
                to = ", ".join(named[slots.comes : slots.comes + len(self._men.place)])
                own = self._man([role, to])
                if f"not {own}" in body:
                    rest = [part for part in body if part != f"not {own}"]
                    found.append(f"{called}({role}, {to}) :- {', '.join([own, *rest])}.")
            return found

        return self._write_relation("guarded", "a man in whose place another one could come", rules)


def _call(name: str, inner: Iterable[str]) -> str:
    return f"{name}({', '.join(inner)})"


def _size(axis: Axis) -> str:
    """Return the number of values of a coordinate, as text."""
    size = axis.high if axis.low == "1" else str(axis.size)
    if axis.kind != "folded":
        return size
    return str((axis.size + 1) // 2) if size.isdigit() else f"({size} + 1) / 2"


def _swap_axes(found: re.Match[str]) -> str:
    """Exchange columns and rows of an atom, for a game that names the row first."""
    terms = split_arguments(found[2])
    pairs = [term for i in range(0, len(terms), 2) for term in reversed(terms[i : i + 2])]
    return _call(found[1], pairs)
