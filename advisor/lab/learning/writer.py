"""Paragraphs of `encodings/proposals` in the words of one game.

``man(P, A)`` becomes ``man(P, X, Y)`` or ``true(cell(X, Y, P))``, as `vocabulary` has it. What a
game has nothing for is left out, and so is all that needs it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from advisor.files.resources import ENCODINGS
from advisor.lab.learning.outline import Outline
from advisor.lab.learning.slots import Slots
from advisor.lab.learning.terms import TOKEN, arguments, closing, joined, plainer
from advisor.lab.learning.vocabulary import (
    AROUND,
    GRID,
    SQUARE_GRID,
    TRIED,
    MissingError,
    RulesOf,
    Vocabulary,
)

TEMPLATES = {
    program: ENCODINGS / "proposals" / f"{name}.lp"
    for program, name in (("features", "features"), ("moves", "strategy"))
}
"""The families, by the program that they are for."""

_PARAGRAPH = re.compile(r"^%([%+]) (.+?): (.+)\n((?:(?!%[%+] ).*\n?)*)", re.MULTILINE)
_SQUARE = ("ring", "corner")
"""Relations of places of a board whose sides are all alike."""
_OF_BOARDS = {*GRID, *SQUARE_GRID, AROUND}
"""Relations of places of any board with columns and rows."""
_UNEVEN = "place"
"""The family that tells columns from rows, which is none of such a board."""


@dataclass(frozen=True, slots=True)
class Proposal:
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


class Writer:
    """Writes the families of one program for one game.

    Attributes:
        relations: what they build on, by predicate, each after those that it builds on itself.
    """

    def __init__(self, game: Outline, slots: Mapping[str, Slots], program: str) -> None:
        self._game = game
        text = TEMPLATES["features"].read_text(encoding="utf-8")
        self._phrases: dict[str, str] = dict(
            re.findall(r'^phrase\((\w+), "(.*)"\)\.', text, re.MULTILINE)
        )
        text = re.sub(r"^phrase\(.*\n", "", text, flags=re.MULTILINE)
        self._ours = {name: (a, t) for mark, name, a, t in _PARAGRAPH.findall(text) if mark == "+"}
        paragraphs = _PARAGRAPH.findall(TEMPLATES[program].read_text(encoding="utf-8"))
        self._families = [found[1:] for found in paragraphs if found[0] == "%"]
        self._vocabulary = Vocabulary(game, slots, self._relate, self._made)
        self.relations: dict[str, Proposal] = {}
        self._needs: list[str] = []

    def families(self) -> Iterator[tuple[str, Proposal]]:
        """The families, once for each of what they are tried with; and their names without that."""
        options = self._vocabulary.options()
        for name, about, text in self._families:
            if name == _UNEVEN and self._game.square:
                continue
            words = {*re.findall(r"[a-z]+", re.sub(r'"[^"]*"', "", f"{name} {text}"))}
            tried = [word for word in TRIED if word in words]
            for chosen in product(*(options[word] for word in tried)):
                self._vocabulary.chosen = dict(zip(tried, chosen, strict=True))
                self._needs = []
                try:
                    written = plainer(self._unfold(text.strip()))
                except MissingError:
                    continue
                kin = re.sub(rf"_?({'|'.join(TRIED)})$", "", name) or name
                needs = tuple(dict.fromkeys(self._needs))
                yield kin, Proposal(self._word(name), self._words(about), written, needs)

    # Texts

    def _unfold(self, text: str, in_brackets: bool = True) -> str:
        """A text in the game's words; places are terms if ``in_brackets``, otherwise arguments."""
        written: list[str] = []
        tokens = TOKEN.findall(text)
        i = 0
        while i < len(tokens):
            token, inner = tokens[i], None
            if re.match("[a-z_]", token) and tokens[i + 1 : i + 2] == ["("]:
                end = closing(tokens, i + 1)
                inner, i = "".join(tokens[i + 2 : end]), end
            written.append(
                self._term(token, in_brackets) if inner is None else self._atom(token, inner)
            )
            i += 1
        return "".join(written)

    def _atom(self, name: str, inner: str) -> str:
        """An atom, or a term with arguments."""
        if name in ("feature", "because", "fires", "sentence", "short"):
            first, *rest = arguments(inner)
            if name in ("feature", "because", "fires"):
                told = re.sub(r"[a-z_]+", lambda found: self._word(found[0]), first)
            else:
                told = self._unfold(first)
            return f"{name}({', '.join([told, *map(self._unfold, rest)])})"
        found = [self._unfold(part, in_brackets=False) for part in arguments(inner)]
        if name in self._vocabulary.atoms:
            return self._vocabulary.atoms[name](found)
        called = self._relate(name) if name in self._ours else self._word(name)
        return f"{called}({', '.join(found)})"

    def _term(self, token: str, in_brackets: bool) -> str:
        """A word, a place, a text or anything else that has no arguments."""
        game = self._game
        if token.startswith('"'):
            return self._words(token)
        if re.fullmatch("A'*", token):
            if game.men is None:
                raise MissingError
            return joined([v + token[1:] for v in game.men.place], in_brackets)
        if token == "W" and game.patterns:
            return joined(game.patterns[0].key, in_brackets)
        return self._word(token)

    def _word(self, name: str) -> str:
        """A name with what is tried in place of the parts that stand for it."""
        if (constant := self._vocabulary.constant(name)) is not None:
            return constant
        chosen = self._vocabulary.chosen
        name = "_".join(chosen.get(part, part) for part in name.split("_"))
        if name == chosen.get("act"):
            return f"{name}({', '.join('_' * dict(self._game.moves)[name])})"
        return name

    def _words(self, text: str) -> str:
        """A text for people, whose words in <> are the game's."""
        vocabulary = self._vocabulary

        def said(found: re.Match[str]) -> str:
            word, _, number = found[1].partition(" ")
            if word in vocabulary.atoms and number:
                axis = vocabulary.axis(word)
                phrase = self._phrases[axis.kind].replace("<axis>", axis.called)
                return phrase.replace("{N}", f"{{{number}}}")
            if word in vocabulary.said:
                return vocabulary.said[word]
            chosen = vocabulary.chosen.get(word)
            if chosen is None:
                raise MissingError
            usual = self._game.words.get(chosen, (chosen,))[0]
            return self._phrases.get(chosen, usual)

        return re.sub("<([^<>]+)>", said, text)

    # Relations

    def _relate(self, name: str, called: str = "", words: Mapping[str, str] | None = None) -> str:
        """What a relation of ours is called here; it is written down once."""
        about, text = self._ours[name]
        men = self._game.men
        if (name in _SQUARE and not self._game.square) or (
            name in _OF_BOARDS and len(men.axes if men else ()) < 2
        ):
            raise MissingError
        if name in _OF_BOARDS and men and men.place == ("Y", "X"):
            text = re.sub(rf"\b({name}|place)\((.*?)\)(?=[ ,.])", _swapped, text)
        for word, value in (words or {}).items():
            text = re.sub(rf"\b{word}\b", value, text)
        body = re.sub(rf"^{name}\(", "ours(", text.strip(), flags=re.MULTILINE)

        def rules(wanted: str) -> Sequence[str]:
            return [self._unfold(body).replace("ours(", f"{wanted}(")]

        return self._made(called or self._word(name), about, rules)

    def _made(self, name: str, about: str, rules: RulesOf) -> str:
        """What a relation is called; it is written down with what it builds on."""
        called = f"_{name}" if name in self._game.known else name
        if called not in self.relations:
            outer, self._needs = self._needs, []
            try:
                written = rules(called)
                if not written:
                    raise MissingError
                text = plainer("\n".join(written))
                told = f"{called}: {self._words(about)}"
                needs = tuple(dict.fromkeys(self._needs))
                self.relations[called] = Proposal(called, told, text, needs)
            finally:
                self._needs = outer
        self._needs.append(called)
        return called


def _swapped(found: re.Match[str]) -> str:
    """An atom of columns and rows, for a game that names the row first."""
    terms = arguments(found[2])
    pairs = [term for i in range(0, len(terms), 2) for term in reversed(terms[i : i + 2])]
    return f"{found[1]}({', '.join(pairs)})"
