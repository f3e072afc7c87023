"""The meanings of strategies and features, written beside their rules in the encodings.

``sentence(fires(fork), "threatens to win on {holes} at once")`` describes a strategy,
``sentence(feature(edge), "a disc at the edge")`` a feature; the encodings' README has the rest.
A third argument names another language: ``sentence(feature(edge), "ein Stein am Rand", de)``.
Such rules are grounded by themselves, with what their bodies need but without any position.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS, Versions, versions
from aspcircuits.clingo_api import Program, Term, render, unquote_term
from aspcircuits.source import Atom, Statement, matches, statements
from aspcircuits.texts import list_names

PLACEHOLDERS = ("me", "you", "where", "lines", "holes", "square", "rows")
"""Placeholders in the sentence of a Connect Four strategy, filled in for each move."""

KINDS = {"moves": "strategy", "features": "feature"}
"""The kind of name that each program derives."""

OUTPUTS = {"moves": ("fires/2", "because/3"), "features": ("feature/3",)}
"""The predicates whose atoms contain these names."""

TELLING = ("sentence/2", "short/2", "phrase/2", "final/1", "decisive/1", "sentence/3", "short/3")
"""The predicates that give their meanings."""

_OF_EVENTS = ("mistake/1", "reply/1", "threatens/1")
"""The further predicates on events, in a game's ``events.lp`` alone."""

WORDS = "_words.lp"
"""The end of the name of a file with the words of another one, ``strategy_words.lp``."""

_ELSEWHERE = ("square", "move")
"""The placeholders of a strategy that need no translation; others are filled with English words."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
"""A language, as ISO 639 writes it."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

_NUMBER = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
"""Words for one thing and for several, such as ``{a disc|discs}``, in the text of a feature."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a strategy.

    Attributes:
        short: the reason in a few words; empty if its file has none.
        predicate: for a beginner, after a subject such as "Column 3", with `PLACEHOLDERS`.
        final: ends the game, so that nothing else matters.
        decisive: wins with the next move, whatever the opponent does; the sentence says how.
    """

    short: str
    predicate: str
    final: bool
    decisive: bool


@dataclass(frozen=True, slots=True)
class EventText:
    """The wording of an event, something that a move does on the board.

    Attributes:
        predicate: follows the move, such as "makes {holes} a winning square for {me}".
        mistake: the event helps the opponent.
        reply: the event does the opponent no harm: it answers the opponent's move, or is quiet.
        threatens: the event is a threat if the mover had the next turn, too.
        rank: 0 for the most important event of the game, whose sentence is the first in its file.
        translated: the predicate in other languages, by language.
    """

    predicate: str
    mistake: bool
    reply: bool
    threatens: bool
    rank: int
    translated: Mapping[str, str] = field(default_factory=dict)

    def predicate_in(self, language: str) -> tuple[str, bool]:
        """Return the predicate in a language, and whether it has one there."""
        return self.translated.get(language, self.predicate), language in self.translated


@dataclass(frozen=True, slots=True)
class Texts:
    """The meaning of every name that has a text, by the name as clingo writes it.

    Attributes:
        strategies: keys such as ``center(0)``.
        features: texts such as "{a disc|discs} on row 2"; see `in_number`.
        translated: only those names that have texts in other languages, by language.
    """

    strategies: Mapping[str, Meaning]
    features: Mapping[str, str]
    translated: Mapping[str, "Texts"] = field(default_factory=dict)

    def comment(self, program: str, name: str, language: str = "") -> str:
        """Return a few words on a name of a program ("moves" or "features"); empty if none.

        `language`: such as "de", for names that have texts in it.
        """
        if language in self.translated:
            return self.translated[language].comment(program, name) or self.comment(program, name)
        if program == "features":
            return in_number(self.features.get(name, ""), 1)
        meaning = self.strategies.get(name)
        return meaning.short if meaning else ""


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders in a text; those without a value stay."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def in_number(text: str, count: int) -> str:
    """Choose the singular or the plural wherever the text of a feature has both.

    >>> in_number("{a man|men} that {stands|stand} alone", 2)
    'men that stand alone'
    """
    return _NUMBER.sub(lambda found: found[1 if count == 1 else 2], text)


def read(files: Iterable[Path], placeholders: tuple[str, ...] = PLACEHOLDERS) -> Texts:
    """Read the texts of encodings; the later one of two for one name counts.

    Args:
        files: the encodings.
        placeholders: that the sentence of a strategy may contain.

    Raises:
        EncodingError: a sentence that cannot be read, or whose name no rule derives.
    """
    each = _with_words(files)
    return _read(each, versions(each), placeholders)


def read_events(
    files: Iterable[Path], placeholders: tuple[str, ...] = PLACEHOLDERS, kind: str = "event"
) -> Mapping[str, EventText]:
    """Read the texts of events, by the event's name as clingo writes it.

    Args:
        files: the encodings.
        placeholders: that the texts may contain.
        kind: "event", or "standing" and "threatened" for what a player has on the board.

    Raises:
        EncodingError: a sentence that cannot be read, or has a placeholder that does not exist.
    """
    each = _with_words(files)
    return _read_events(each, versions(each), placeholders, kind)


@lru_cache(maxsize=16)
def _read_events(
    files: tuple[Path, ...], _as_now: Versions, placeholders: tuple[str, ...], kind: str
) -> Mapping[str, EventText]:
    everything = _read_texts(statements(files))
    told = [t for t in everything if not t.language]
    marked = {
        mark: {t.subject for t in told if t.predicate == mark}
        for mark in ("mistake", "reply", "threatens")
    }
    found: dict[str, EventText] = {}
    for t in told:
        match t.predicate, t.subject:
            case "sentence", (of, name) if of == kind:
                values = {v: render(value) for v, value in t.values.items()}
                _check_placeholders(t, in_number(t.text, 1), placeholders)
                text = fill(t.text, values)
                marks = {mark: name in names for mark, names in marked.items()}
                spoken = _translate_event(everything, kind, name)
                found[render(name)] = EventText(text, **marks, rank=len(found), translated=spoken)
    return found


def _translate_event(everything: Sequence["_Told"], kind: str, name: Term) -> Mapping[str, str]:
    """Return the texts of an event in other languages."""
    found = {}
    for t in everything:
        if t.language and (t.predicate, t.subject) == ("sentence", (kind, name)):
            _check_placeholders(t, in_number(t.text, 1), ("where",))
            values = {v: render(value) for v, value in t.values.items()}
            found[t.language] = fill(t.text, values)
    return found


@lru_cache
def load_texts(files: tuple[Path, ...], predicate: str) -> Mapping[str, str]:
    """Return the texts of a ``sentence``, ``short`` or ``phrase`` in the advisor's own encodings.

    Keys are the subjects of the texts, as clingo writes them; placeholders are left in the texts.
    """
    found = _read_texts(statements(files))
    return {
        render(t.subject): t.text for t in found if (t.predicate, t.language) == (predicate, "")
    }


@dataclass(frozen=True, slots=True)
class _Told:
    """A text from the encodings, with the statement that it comes from."""

    source: Statement
    predicate: str
    subject: Term
    text: str
    values: Mapping[str, Term]
    language: str


@lru_cache(maxsize=16)
def _read(files: tuple[Path, ...], _as_now: Versions, placeholders: tuple[str, ...]) -> Texts:
    """Return the texts of files in these versions."""
    found = statements(files)
    told = _read_texts(found)
    derived = {program: [*names(found, program)] for program in KINDS}
    phrases = {t.subject: t.text for t in told if t.predicate == "phrase"}
    final, decisive = (
        {t.subject for t in told if t.predicate == kind} for kind in ("final", "decisive")
    )
    each = {"": _Wording(), **{t.language: _Wording() for t in told}}
    for t in told:
        if t.predicate in ("sentence", "short"):
            program, name = _subject(t, derived)
            words = {} if t.language else phrases
            values = {v: words.get(value, render(value)) for v, value in t.values.items()}
            plain = t.text if program == "moves" else in_number(t.text, 1)
            allowed = placeholders if program == "moves" else ()
            if t.language:
                allowed = tuple(word for word in allowed if word in _ELSEWHERE)
            _check_placeholders(t, plain, allowed)
            each[t.language].of(t.predicate, program)[name] = fill(t.text, values)
    _check_translated(told, each[""])
    spoken = {
        language: Texts(wording.strategies(final, decisive), wording.features())
        for language, wording in each.items()
    }
    own = spoken.pop("")
    return replace(own, translated=spoken)


@dataclass(frozen=True, slots=True)
class _Wording:
    """The texts of one language, by the names that they describe."""

    sentences: dict[str, dict[Term, str]] = field(default_factory=lambda: {p: {} for p in KINDS})
    shorts: dict[Term, str] = field(default_factory=dict)

    def of(self, predicate: str, program: str) -> dict[Term, str]:
        """Return the texts that a predicate gives for a program."""
        return self.shorts if predicate == "short" else self.sentences[program]

    def strategies(self, final: Set[Term], decisive: Set[Term]) -> Mapping[str, Meaning]:
        """Return the meanings of the strategies that have a text."""
        moves, found = self.sentences["moves"], {}
        for name in {**moves, **self.shorts}:
            predicate = moves.get(name) or self.shorts[name]
            short = self.shorts.get(name) or ("" if _PLACEHOLDER.search(predicate) else predicate)
            found[render(name)] = Meaning(short, predicate, name in final, name in decisive)
        return found

    def features(self) -> Mapping[str, str]:
        """Return the texts of features."""
        return {render(name): text for name, text in self.sentences["features"].items()}


def _check_translated(told: Iterable[_Told], own: _Wording) -> None:
    """Check that each text in another language has one to fall back on."""
    known = {*own.shorts, *(name for names_ in own.sentences.values() for name in names_)}
    for t in told:
        if t.language and t.subject[1] not in known:
            what = f"{t.predicate}({render(t.subject)}, ...)"
            raise t.source.error(
                f"{t.predicate}({render(t.subject)}, ..., {t.language}) has no {what} "
                "for other languages (add it)"
            )


def _with_words(files: Iterable[Path]) -> tuple[Path, ...]:
    """Return files, each of the advisor's own with the file of its words in other languages."""
    each = dict.fromkeys(files)
    return (*each, *(words for file in each if (words := _words_of(file))))


@lru_cache(maxsize=256)
def _words_of(file: Path) -> Path | None:
    """Return the file with an encoding's words in other languages, which stands beside it.

    The answer is cached: every suggestion needs it, and a look at the disk takes long.
    """
    words = file.with_name(f"{file.stem}{WORDS}")
    return words if ENCODINGS in file.parents and words.exists() else None


def _subject(
    told: _Told, derived: Mapping[str, Sequence[tuple[Term, Statement]]]
) -> tuple[str, Term]:
    """Return the program that a text belongs to, and the name that it describes."""
    source = told.source
    match told.subject:
        case ("fires", name):
            program = "moves"
        case ("feature", name) if told.predicate == "sentence":
            program = "features"
        case other:
            allowed = "fires(S) or feature(F)" if told.predicate == "sentence" else "fires(S)"
            raise source.error(
                f"{told.predicate}({render(other)}, ...) names no strategy "
                f"or feature (use {allowed})"
            )
    patterns = [pattern for pattern, _ in derived[program]]
    if not any(matches(pattern, name) for pattern in patterns):
        own = (pattern for pattern, rule in derived[program] if rule.file == source.file)
        raise source.error(describe_underived(program, name, patterns, own=own))
    return program, name


def describe_underived(
    program: str, name: Term, derived: Iterable[Term], files: str = "", own: Iterable[Term] = ()
) -> str:
    """Say what is wrong with a name that a program does not derive.

    Args:
        program: "moves" or "features".
        name: the name.
        derived: the names that the program derives.
        files: that should derive it, for the message.
        own: the user's own names, which are suggested first, and listed if no name is near.
    """
    yours, known = (sorted({*map(name_text, each)}) for each in (own, derived))
    near = [n for each in (yours, known) for n in get_close_matches(render(name), each, n=1)]
    guess = f" (yours: {', '.join(list_names(yours))})" if yours else ""
    guess = f" (did you mean '{near[0]}'?)" if near else guess
    where = f" of {files}" if files else ""
    return f"no rule{where} derives the {KINDS[program]} '{render(name)}'{guess}"


def name_text(pattern: Term | None) -> str:
    """Return a name from a rule's head, for an error; a variable is shown as N."""
    if isinstance(pattern, tuple):
        return f"{pattern[0]}({','.join(map(name_text, pattern[1:]))})"
    return "N" if pattern is None else str(pattern)


def _check_placeholders(told: _Told, text: str, placeholders: Sequence[str]) -> None:
    allowed = [*told.values, *(placeholders if told.predicate == "sentence" else ())]
    use = f"use {', '.join(f'{{{word}}}' for word in allowed)}" if allowed else "it has none"
    for name in _PLACEHOLDER.findall(text):
        if name not in allowed:
            raise told.source.error(
                f"'{{{name}}}' is not a placeholder of this {told.predicate} ({use})"
            )


def names(found: Iterable[Statement], program: str) -> Iterator[tuple[Term, Statement]]:
    """Yield the names that rules of a program derive, variables in them as None, and the rules."""
    for statement in found:
        for head in statement.heads:
            if statement.kind == "rule" and head.signature in OUTPUTS[program]:
                name = head.argument(0)
                if name is not None:
                    yield name, statement


def _read_texts(found: Sequence[Statement]) -> list[_Told]:
    """Return all texts of the encodings, in the order of their statements."""
    known = {*TELLING, *_OF_EVENTS}
    telling = [s for s in found if any(head.signature in known for head in s.heads)]
    for source in telling:
        for head in source.heads:
            if head.name in ("sentence", "short") and head.arity == 3:
                _check_language(source, head.texts[2])
    try:
        grounded = _ground_texts(found, telling)
    except EncodingError:
        for source in telling:  # find the faulty one
            try:
                _ground_texts(found, [source])
            except EncodingError as error:
                reason = re.sub(r"<block>:[-\d:]+ ", "", str(error))
                raise source.error(f"{source.text} {reason}") from None
        raise
    told = []
    for _, number, predicate, subject, text, values, language in grounded:
        quoted = unquote_term(text)
        if quoted is None:
            raise telling[number].error(f"'{render(text)}' is not a text (use \"...\")")
        pairs = {str(unquote_term(name)): value for _, name, value in values[2:]}
        spoken = "" if language == '""' else render(language)
        told.append(_Told(telling[number], predicate, subject, quoted, pairs, spoken))
    return told


def _check_language(source: Statement, language: str) -> None:
    if not _LANGUAGE.fullmatch(language):
        raise source.error(
            f"'{language}' is not a language (use two or three lower-case letters, such as de)"
        )


def _ground_texts(found: Sequence[Statement], telling: Sequence[Statement]) -> list[Term]:
    """Return statements' texts: number, predicate, subject, text, variables' values, language."""
    wanted = {atom.signature for source in telling for atom in source.body}
    needed = [*(s for s in found if s.kind == "#const"), *supporting(found, wanted)]
    written = [
        _rule(number, head, "; ".join(source.literals))
        for number, source in enumerate(telling)
        for head in source.heads
    ]
    program = Program((), rules="".join([*(s.text for s in needed), *written]))
    if program.messages:
        raise EncodingError(program.messages[0])
    return sorted((atom for atom, _ in program.atoms("_told", 6)), key=lambda a: (a[1], repr(a)))


def _rule(number: int, head: Atom, condition: str) -> str:
    """Return a rule with the same text and the values of the variables in its subject."""
    values = "".join(f',("{name}",{name})' for name in head.variables)
    subject, text, language = (*head.texts, *(2 * ['""']))[:3]
    body = f" :- {condition}" if condition else ""
    return f"_told({number},{head.name},{subject},{text},values(0{values}),{language}){body}.\n"


def supporting(found: Iterable[Statement], wanted: Iterable[str]) -> Iterator[Statement]:
    """Yield the rules that derive predicates, such as ``cell/3``, then those they depend on."""
    rules = [s for s in found if s.kind == "rule"]
    deriving: defaultdict[str, set[int]] = defaultdict(set)
    for number, rule in enumerate(rules):
        for head in rule.heads:
            deriving[head.signature].add(number)
    known, seen = {*wanted}, set[int]()
    new = known
    while chosen := sorted(set[int]().union(*(deriving[each] for each in new)) - seen):
        seen.update(chosen)
        yield from map(rules.__getitem__, chosen)
        new = {atom.signature for number in chosen for atom in rules[number].body} - known
        known |= new
