"""Candidates for features, written for one game: `encodings/proposals` in the words of its rules.

The families there speak a vocabulary of no game. Here each word of it is replaced by what an
`Outline` says of the game: ``man(P, A)`` becomes ``man(P, X, Y)`` or ``true(cell(X, Y, P))``. What
a game has nothing for is left out, and so is all that needs it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from pathlib import Path

from advisor.asp.clingo_api import Term
from advisor.asp.source import statements
from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from advisor.files.textfile import nearest, quoted
from advisor.lab.learning.outline import Axis, Outline, Pattern, plural
from advisor.lab.learning.slots import Slots

TEMPLATES = {
    program: ENCODINGS / "proposals" / f"{name}.lp"
    for program, name in (("features", "features"), ("moves", "strategy"))
}
"""The families, by the program that they are for."""

_TRIED = ("axis", "rel", "grid", "act", "counter", "also")
"""What families are tried with each of."""

_PARAGRAPH = re.compile(r"^%([%+]) (.+?): (.+)\n((?:(?!%[%+] ).*\n?)*)", re.MULTILINE)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*\'*|%[^\n]*|\d+|\s+|.')
_GRID, _AROUND = ("beside", "behind", "diagonal"), "around"
"""Relations of places of a board with columns and rows."""
_SQUARE = ("ring", "corner")
"""Relations of places of a board whose sides are all alike."""
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Rule:
    """Rules that belong together.

    Attributes:
        name: of the family; of a relation that families build on, its predicate.
        about: why it may matter, or what it is.
        text: the rules.
        needs: the relations that it builds on.
    """

    name: str
    about: str
    text: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposals:
    """Candidates.

    Attributes:
        families: by name.
        relations: what they build on, by predicate, each after those that it builds on itself.
    """

    families: Mapping[str, Rule]
    relations: Mapping[str, Rule]

    def needed(self, families: Collection[str]) -> list[Rule]:
        """The relations that some families build on, in their order."""
        wanted = [name for f in families for name in self.families[f].needs]
        met: set[str] = set()
        while wanted:
            name = wanted.pop()
            if name not in met:
                met.add(name)
                wanted += self.relations[name].needs
        return [rule for name, rule in self.relations.items() if name in met]

    def text(self, families: Collection[str]) -> str:
        """An encoding of some families, with what they build on."""
        rules = [*self.needed(families), *(self.families[f] for f in families)]
        return "\n\n".join(f"% {r.about}\n{r.text}" for r in rules) + "\n"


def proposals(
    game: Outline,
    slots: Mapping[str, Slots],
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    program: str = "features",
) -> Proposals:
    """What may be worth something in a game.

    Args:
        game, slots: what its rules and its moves show.
        only, without: the families that are wanted; by default all. One that is tried with several
            relations, coordinates or moves can be named with or without these: ``pair_joined`` or
            ``pair``.
        program: ``features``, or ``moves`` for strategies.

    Raises:
        InputError: there is no such family.
    """
    writer = _Writer(game, slots, TEMPLATES[program])
    found = {rule.name: (kin, rule) for kin, rule in writer.families()}
    known = sorted({*found, *(kin for kin, _ in found.values())})
    for wanted in (*only, *without):
        if wanted not in known:
            raise InputError(
                f"{quoted(wanted)} is no family of this game (did you mean "
                f"{nearest(wanted, known)}? it has {', '.join(found)})"
            )
    return Proposals(
        {
            name: rule
            for name, (kin, rule) in found.items()
            if (not only or {name, kin} & {*only}) and not {name, kin} & {*without}
        },
        writer.relations,
    )


def own(files: Sequence[Path], what: str, known: Proposals, first: bool = False) -> Proposals:
    """Candidates that somebody has written beside others: each name of a feature is a family.

    Args:
        files: what derives features, and what these build on.
        what: the files are, in words.
        known: the others.
        first: a family of the others that has the same name is left out.

    Raises:
        InputError: the files have no feature, or one that is called like another family.
        EncodingError: they are no program.
    """
    rules: dict[str, list[str]] = {}
    shared: list[str] = []
    for statement in statements(files):
        head = next(iter(statement.heads), None)
        subject: Term | None = None
        if head is not None and head.signature == "feature/3":
            subject = head.argument(0)
        elif head is not None and head.signature == "sentence/2":
            match head.argument(0):
                case ("feature", named):
                    subject = named
        if subject is not None:
            rules.setdefault(_functor(subject), []).append(statement.text)
        elif head is None or head.signature != "uses/1":  # those files are there already
            shared.append(statement.text)
    if not rules:
        raise InputError(f"{what}: no rule derives feature(F, P, Where)")
    others = {f: rule for f, rule in known.families.items() if not (first and f in rules)}
    for family in rules.keys() & others.keys():
        raise InputError(f"{what}: {quoted(family)} is a family already (use another name)")
    shared_rules = {what: Rule(what, f"what {what} builds on", "\n".join(shared), ())}
    needs = (what,) if shared else ()
    return Proposals(
        {
            **others,
            **{f: Rule(f, f"{f}, of {what}", "\n".join(t), needs) for f, t in rules.items()},
        },
        {**known.relations, **(shared_rules if shared else {})},
    )


class _MissingError(Exception):
    """The game has nothing for a word of the vocabulary."""


class _Writer:
    """Writes paragraphs of the templates in the words of a game."""

    def __init__(self, game: Outline, slots: Mapping[str, Slots], templates: Path) -> None:
        self._game, self._slots = game, slots
        text = TEMPLATES["features"].read_text(encoding="utf-8")
        self._phrases: dict[str, str] = dict(
            re.findall(r'^phrase\((\w+), "(.*)"\)\.', text, re.MULTILINE)
        )
        text = re.sub(r"^phrase\(.*\n", "", text, flags=re.MULTILINE)
        relations = _PARAGRAPH.findall(text)
        self._ours = {name: (a, text) for mark, name, a, text in relations if mark == "+"}
        self._paragraphs = _PARAGRAPH.findall(templates.read_text(encoding="utf-8"))
        self.relations: dict[str, Rule] = {}
        self._needs: list[str] = []
        men = game.men
        noun = men.name if men and men.aliased else "man"
        man, plural_ = game.words.get(noun, (noun, plural(noun)))
        self._chosen: dict[str, str] = {}
        self._said = {"man": man, "men": plural_}
        self._axes = {axis.called: axis for axis in men.axes} if men else {}
        for axis in [a for a in self._axes.values() if a.kind == "advancing"]:
            self._axes["ahead"] = axis
        pattern = game.patterns[0] if game.patterns else None
        if pattern:
            usual = "row" if pattern.lined else "set"
            self._said["pattern"], self._said["patterns"] = game.words.get(
                pattern.name, (usual, plural(usual))
            )
        self._vocabulary: dict[str, Callable[[list[str]], str]] = {
            "man": self._men,
            "other": lambda a: f"{game.other}({', '.join(a)})" if game.other else _two(a),
            "turn": self._turn,
            "place": self._is_place,
            "rel": lambda a: f"{self._chosen['rel']}({', '.join(a)})",
            "can": self._can,
            "takes": lambda a: self._reaches("takes", a),
            "moves": lambda a: self._reaches("leaves", a),
            "guarded": self._guards,
            "spot": self._spot,
            "comes": partial(self._has_move, "comes"),
            "leaves": partial(self._has_move, "leaves"),
            "pattern": self._in_pattern,
            "counter": self._counts,
            "also": lambda a: dict(game.also)[self._chosen["also"]].format(P=a[0], A=a[1]),
            "grid": lambda a: f"{self._relate(self._chosen['grid'])}({', '.join(a)})",
            "size": lambda a: _size(self._axis(a[0])),
        }
        if game.free:
            self._vocabulary["free"] = lambda a: f"{game.free}({', '.join(a)})"
        for name in ("axis", "ahead", "column", "row"):
            self._vocabulary[name] = partial(self._coordinate, name)

    def families(self) -> Iterator[tuple[str, Rule]]:
        """The families, once for each of what they are tried with; and their names without that."""
        for mark, name, about, text in self._paragraphs:
            tried = self._tried(f"{name} {text}") if mark == "%" else None
            for chosen in product(*tried.values()) if tried is not None else ():
                self._chosen = dict(zip(tried or (), chosen, strict=True))
                self._needs = []
                try:
                    written = self._unfold(text.strip())
                except _MissingError:
                    continue
                kin = re.sub(rf"_?({'|'.join(_TRIED)})$", "", name) or name
                needs = tuple(dict.fromkeys(self._needs))
                yield kin, Rule(self._word(name), self._words(about), _plainer(written), needs)

    def _tried(self, text: str) -> dict[str, Sequence[str]]:
        game = self._game
        options: dict[str, Sequence[str]] = {
            "axis": [name for name in self._axes if name != "ahead"],
            "rel": [relation.name for relation in game.relations],
            "grid": _GRID if len(self._axes) >= 2 else (),
            "act": [name for name, arguments in game.moves if arguments],
            "counter": [name for name, _ in game.counters],
            "also": [name for name, _ in game.also],
        }
        words = {*re.findall(r"[a-z]+", re.sub(r'"[^"]*"', "", text))}
        return {word: options[word] for word in _TRIED if word in words}

    # Texts

    def _unfold(self, text: str, tuples: bool = True) -> str:
        """A text in the game's words; places are terms where ``tuples``, otherwise arguments."""
        written: list[str] = []
        tokens = _TOKEN.findall(text)
        i = 0
        while i < len(tokens):
            token, inner = tokens[i], None
            if re.match("[a-z_]", token) and tokens[i + 1 : i + 2] == ["("]:
                end = _closing(tokens, i + 1)
                inner, i = "".join(tokens[i + 2 : end]), end
            written.append(self._term(token, tuples) if inner is None else self._atom(token, inner))
            i += 1
        return "".join(written)

    def _atom(self, name: str, inner: str) -> str:
        """An atom, or a term with arguments."""
        if name in ("feature", "because", "fires", "sentence", "short"):
            first, *rest = _arguments(inner)
            if name in ("feature", "because", "fires"):
                told = re.sub(r"[a-z_]+", lambda found: self._word(found[0]), first)
            else:
                told = self._unfold(first)
            return f"{name}({', '.join([told, *map(self._unfold, rest)])})"
        arguments = [self._unfold(part, tuples=False) for part in _arguments(inner)]
        if name in self._vocabulary:
            return self._vocabulary[name](arguments)
        if name in self._ours:
            return f"{self._relate(name)}({', '.join(arguments)})"
        return f"{self._word(name)}({', '.join(arguments)})"

    def _term(self, token: str, tuples: bool) -> str:
        """A word, a place, a text or anything else that has no arguments."""
        game = self._game
        if token.startswith('"'):
            return self._words(token)
        if re.fullmatch("A'*", token):
            if game.men is None:
                raise _MissingError
            return _joined([v + token[1:] for v in game.men.place], tuples)
        if token == "W" and game.patterns:
            return _joined(game.patterns[0].key, tuples)
        return self._constants.get(token) or self._word(token)

    @cached_property
    def _constants(self) -> Mapping[str, str]:
        """What stands for numbers and lists."""
        men, patterns = self._game.men, self._game.patterns
        found = {}
        if men and men.kinds:
            found["kinds"] = "; ".join(men.kinds)
        if men and len(men.spots) > 1:
            found["spots"] = str(len(men.spots))
        if patterns:
            found["length"] = patterns[0].length
            found["most"] = _less(patterns[0], 1 if patterns[0].name == "goal" else 0)
        return found

    def _word(self, name: str) -> str:
        """A name with what is tried in place of the parts that stand for it."""
        if name == "degrees":
            relation = next(r for r in self._game.relations if r.name == self._chosen["rel"])
            if len(relation.degrees) < 2:
                raise _MissingError
            return "; ".join(map(str, relation.degrees))
        if name in ("kinds", "spots", "length", "most"):
            raise _MissingError
        name = "_".join(self._chosen.get(part, part) for part in name.split("_"))
        if name == self._chosen.get("act"):
            count = dict(self._game.moves)[name]
            return f"{name}({', '.join('_' * count)})"
        return name

    def _words(self, text: str) -> str:
        """A text for people, whose words in <> are the game's."""

        def said(found: re.Match[str]) -> str:
            word, _, number = found[1].partition(" ")
            if word in self._vocabulary and number:
                axis = self._axis(word)
                phrase = self._phrases[axis.kind].replace("<axis>", axis.called)
                return phrase.replace("{N}", f"{{{number}}}")
            if word in self._said:
                return self._said[word]
            chosen = self._chosen.get(word)
            if chosen is None:
                raise _MissingError
            return self._phrases.get(chosen) or self._game.words.get(chosen, (chosen,))[0]

        return re.sub("<([^<>]+)>", said, text)

    # The vocabulary

    def _men(self, arguments: list[str]) -> str:
        """``man(P, A)`` or ``man(P, T, A)``; the place may be one ``_``."""
        men = self._game.men
        if men is None:
            raise _MissingError
        size = len(men.place)
        player, *rest = arguments
        place = ", ".join(rest[-1:]).split(", ")
        place = place * size if place == ["_"] else place
        kind = rest[0] if len(rest) == 2 else "_"
        if len(rest) == 2 and not men.kinds:
            raise _MissingError
        values = iter(place)
        told = {"P": player, "T": kind}
        text = ", ".join(told.get(name) or next(values) for name in men.arguments)
        return f"{men.name}({text})" if men.aliased else f"true({men.name}({text}))"

    def _turn(self, arguments: list[str]) -> str:
        turn = self._game.turn
        if not turn:
            raise _MissingError
        return f"{turn}({arguments[0]})" + ")" * turn.count("(")

    def _is_place(self, arguments: list[str]) -> str:
        place = ", ".join(arguments)
        if self._game.place:
            return f"{self._game.place}({place})"
        atom = self._men([self._game.roles[0], place])
        return re.sub(r"^true\(|^", "base(", atom) + ("" if atom.startswith("true(") else ")")

    def _axis(self, name: str) -> Axis:
        axis = self._axes.get(self._chosen.get(name, name))
        if axis is None:
            raise _MissingError
        return axis

    def _coordinate(self, name: str, arguments: list[str]) -> str:
        """``axis(P, A, N)``, as its kind has it."""
        axis = self._axis(name)
        player, place, number = arguments
        value = next(v for v in place.split(", ") if v.startswith(axis.variable))
        if axis.kind == "plain" and axis.low == "1":
            return f"{number} = {value}"
        bounds = {"V": axis.variable, "low": axis.low, "high": axis.high}
        roles = self._game.roles
        bounds |= {"rising": roles[axis.rising], "falling": roles[1 - axis.rising]}
        called = self._relate(axis.kind, axis.called, bounds)
        seen = [player] if axis.kind == "advancing" else []
        return f"{called}({', '.join([*seen, value, number])})"

    def _relate(self, name: str, called: str = "", words: Mapping[str, str] | None = None) -> str:
        """What a relation of ours is called here; it is written down once.

        Args:
            name: in the templates.
            called: another name for it.
            words: what else stands in it for something.
        """
        wanted = called or self._word(name)
        wanted = f"_{wanted}" if wanted in self._game.known else wanted
        if wanted not in self.relations:
            about, text = self._ours[name]
            men = self._game.men
            if (name in _SQUARE and not (men and men.transposed)) or (
                name in (*_GRID, _AROUND) and len(self._axes) < 2
            ):
                raise _MissingError
            if name in (*_GRID, _AROUND) and men and men.place == ("Y", "X"):
                text = re.sub(rf"\b({name}|place)\((.*?)\)(?=[ ,.])", _swapped, text)
            outer, self._needs = self._needs, []
            for word, value in (words or {}).items():
                text = re.sub(rf"\b{word}\b", value, text)
            body = re.sub(rf"^{name}\(", "ours(", text.strip(), flags=re.MULTILINE)
            self._write(
                wanted, self._words(about), self._unfold(body).replace("ours(", f"{wanted}(")
            )
            self._needs = outer
        self._needs.append(wanted)
        return wanted

    def _write(self, name: str, about: str, text: str) -> None:
        """Writes down a relation that builds on what is needed by now."""
        needs = tuple(dict.fromkeys(self._needs))
        self.relations[name] = Rule(name, f"{name}: {about}", _plainer(text), needs)

    def _made(self, name: str, about: str, rules: Callable[[str], Sequence[str]]) -> str:
        """What a relation is called whose rules the game's own are the source of."""
        called = f"_{name}" if name in self._game.known else name
        if called not in self.relations:
            outer, self._needs = self._needs, []
            written = rules(called)
            if not written:
                raise _MissingError
            self._write(called, about, "\n".join(written))
            self._needs = outer
        self._needs.append(called)
        return called

    def _can(self, arguments: list[str]) -> str:
        options = self._game.options
        if not self._game.turn and len({role for role, _, _ in options}) == 1:
            raise _MissingError  # only one side's moves are known
        called = self._made(
            "can",
            "what a player could do if it were his turn",
            lambda name: [f"{name}({r}, {m}) :- {', '.join(body)}." for r, m, body in options],
        )
        return f"{called}({', '.join(arguments)})"

    def _reaches(self, which: str, arguments: list[str]) -> str:
        """``takes(P, A)`` or ``moves(P, A)``, by the first kind of move that names such a place."""
        for act, count in self._game.moves:
            first = getattr(self._slots.get(act), which, None)
            if first is not None:
                named = ["_"] * count
                place = arguments[1].split(", ")
                named[first : first + len(place)] = place
                return self._can([arguments[0], f"{act}({', '.join(named)})"])
        raise _MissingError

    def _has_move(self, which: str, arguments: list[str]) -> str:
        """``comes(P, M, A)``, ``leaves(P, M, A)``: all kinds of moves that name such a place."""

        def rules(called: str) -> list[str]:
            found = []
            place = list(self._game.men.place) if self._game.men else []
            for act, count in self._game.moves:
                first = getattr(self._slots.get(act), which, None)
                if first is not None:
                    named = ["_"] * count
                    named[first : first + len(place)] = place
                    move = f"{act}({', '.join(named)})"
                    to = f"{called}(P, M, {', '.join(place)})"
                    found.append(f"{to} :- legal(P, M), input(P, M), M = {move}.")
            return found

        told = "comes to" if which == "comes" else "leaves"
        called = self._made(which, f"who is to move has a move that {told} a place", rules)
        return f"{called}({', '.join(arguments)})"

    def _guards(self, arguments: list[str]) -> str:
        """``guarded(P, A)``: the rules for moves, with a man of the mover where they forbid one."""

        def rules(called: str) -> list[str]:
            found = []
            for role, move, body in self._game.options:
                act, inner = move.split("(", 1)
                slots, named = self._slots.get(act), _arguments(inner[:-1])
                if slots is None or slots.comes is None or slots.takes is None:
                    continue
                size = len(self._game.men.place) if self._game.men else 0
                to = ", ".join(named[slots.comes : slots.comes + size])
                own = self._men([role, to])
                if f"not {own}" in body:
                    rest = [part for part in body if part != f"not {own}"]
                    found.append(f"{called}({role}, {to}) :- {', '.join([own, *rest])}.")
            return found

        called = self._made("guarded", "a man in whose place another one could come", rules)
        return f"{called}({', '.join(arguments)})"

    def _spot(self, arguments: list[str]) -> str:
        men = self._game.men
        if men is None or len(men.spots) < 2:
            raise _MissingError
        called = self._made(
            "spot",
            "places of one kind are alike",
            lambda name: [
                f"{name}({number}, ({'; '.join(places)}))."
                for number, places in enumerate(men.spots, 1)
            ],
        )
        return f"{called}({', '.join(arguments)})"

    def _in_pattern(self, arguments: list[str]) -> str:
        if not self._game.patterns or self._game.men is None:
            raise _MissingError
        pattern, size = self._game.patterns[0], len(self._game.men.place)
        key, place = arguments
        if place == "_":
            place = ", ".join("_" * size)
        called = pattern.own or self._made(
            "way",
            f"the places of each {self._said['pattern']}",
            lambda name: [
                self._unfold(re.sub(r"\bpattern\(", f"{name}(", pattern.rule), tuples=True)
            ],
        )
        return f"{called}({key}, {place})"

    def _counts(self, arguments: list[str]) -> str:
        read = dict(self._game.counters)[self._chosen["counter"]]
        return f"{read}({', '.join(arguments)})" + ")" * read.count("(")


def _functor(name: Term) -> str:
    return str(name[0] if isinstance(name, tuple) else name)


def _swapped(found: re.Match[str]) -> str:
    """An atom of columns and rows, for a game that names the row first."""
    terms = _arguments(found[2])
    pairs = [term for i in range(0, len(terms), 2) for term in reversed(terms[i : i + 2])]
    return f"{found[1]}({', '.join(pairs)})"


def _plainer(text: str) -> str:
    """Rules with sums of numbers worked out, in lines of the usual length."""
    text = re.sub(r"\b(\w+) \+ 1 - 1\b", r"\1", text)
    text = re.sub(r"\b(\d+) - (\d+)\b", lambda m: str(int(m[1]) - int(m[2])), text)
    lines: list[str] = []
    for line in text.splitlines():
        while len(line) > _WIDTH and (cut := _cut(line)):
            lines.append(line[:cut].rstrip())
            line = "    " + line[cut:].lstrip()
        lines.append(line)
    return "\n".join(lines)


def _cut(line: str) -> int:
    """Where a long line may be broken: after the last comma outside of brackets that is in time."""
    depth, at, cuts = 0, 0, [0, 0]
    for token in _TOKEN.findall(line):
        at += len(token)
        depth += (token in "([{") - (token in ")]}")
        if at < _WIDTH and depth < len(cuts) and (token == "," or line[at - 2 : at] == ":-"):
            cuts[depth] = at
    return cuts[0] or cuts[1]


def _two(arguments: Sequence[str]) -> str:
    """Two different players, where the rules have no relation of them."""
    one, other = arguments
    return f"role({one})" if other == "_" else f"role({one}), role({other}), {one} != {other}"


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


def _joined(variables: Sequence[str], tuples: bool) -> str:
    text = ", ".join(variables)
    return f"({text})" if tuples and len(variables) > 1 else text


def _closing(tokens: Sequence[str], start: int) -> int:
    """Where the bracket closes that opens there."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] == "(") - (tokens[i] == ")")
        if not depth:
            return i
    raise ValueError("".join(tokens))


def _arguments(text: str) -> list[str]:
    """The arguments between two brackets."""
    found, depth = [""], 0
    for token in _TOKEN.findall(text):
        depth += (token in "([{") - (token in ")]}")
        if token == "," and not depth:
            found.append("")
        else:
            found[-1] += token
    return [part.strip() for part in found]
