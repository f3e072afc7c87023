"""A rule sheet as a game's ``rules.lp``, in the vocabulary of `advisor.games.rules`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.asp.clingo_api import Term, render
from advisor.errors import EncodingError
from advisor.games.gdl.kif import Place
from advisor.games.gdl.language import (
    Rule,
    Signature,
    Variable,
    arguments,
    cone,
    defined,
    dynamic,
    signature,
)
from advisor.games.gdl.relaxed import Survey, survey
from advisor.games.gdl.rewrite import called, smaller
from advisor.games.gdl.sheet import Sheet, read
from advisor.games.rules import NOOP

_CONTRACT: list[Signature] = [
    ("role", 1),
    ("init", 1),
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
]
_DECLARED: list[Signature] = [("base", 1), ("input", 2)]
_GIVEN: list[Signature] = [("true", 1), ("does", 2)]


@dataclass(frozen=True, slots=True)
class Imported:
    """A sheet as an encoding.

    Attributes:
        rules: the text of ``rules.lp``.
        roles: both players.
        base: how many atoms states are made of.
        moves: how many moves there can be, for each role.
        notes: what is unusual about the sheet and how it was taken.
    """

    rules: str
    roles: tuple[Term, ...]
    base: int
    moves: tuple[int, ...]
    notes: tuple[str, ...]


def convert(text: str, file: str, name: str) -> Imported:
    """Turns a sheet into an encoding.

    Args:
        text: the sheet.
        file: how errors call it.
        name: what the game is called.

    Raises:
        EncodingError: the sheet is broken or does not fit; one line with file and place.
    """
    sheet = read(text, file)
    rules = cone(sheet.rules, [*_CONTRACT, *_DECLARED])
    _note_undefined(sheet, rules)
    rules, asked = called(rules, sheet.names, file)
    known = survey([*rules, *(Rule(atom, (), Place(file, 1, 1)) for atom in asked)], file)
    _check_bounded(rules, known)
    if not known.base or not known.inputs:
        raise EncodingError(f"{file}: no {'move' if known.base else 'state'} can ever be")
    rules = [rule for rule in rules if signature(rule.head) not in _DECLARED]
    written = smaller(rules, sheet.names, known)
    undefined = [*_GIVEN, *sorted(_undefined(written) - {signature(atom) for atom in asked})]
    roles = tuple(dict.fromkeys(r.head[1] for r in rules if signature(r.head) == ("role", 1)))
    waiting, inputs = _waiting(rules, known.inputs), known.inputs
    if waiting not in (None, NOOP):
        written = [_renamed(rule, waiting) for rule in written]
        inputs = tuple((role, NOOP if move == waiting else move) for role, move in inputs)
    passing = ""
    if _may_pass(rules, waiting):
        new = {old: sheet.names.fresh("relation", new) for old, new in _RENAMED.items()}
        passes, able = sheet.names.fresh("object", "pass"), sheet.names.fresh("relation", "able")
        written = [_with_relations(rule, new) for rule in written]
        passing = _PASSING.format(**new, passes=passes, able=able, first=render(roles[0]))
        inputs = (*inputs, *((role, passes) for role in roles if (role, NOOP) in inputs))
    parts = [
        f"% Purpose: {name}, from a rule sheet in the Game Description Language.\n"
        "% Input:   true(A), does(P, M)\n"
        "% Derives: the game\n",
        "".join(f"#defined {name}/{arity}.\n" for name, arity in undefined),
        "% What states are made of, and the moves there can be.\n"
        + "".join([*facts("base", [(atom,) for atom in known.base]), *facts("input", inputs)]),
        "".join(_lines(written)),
        _questions(asked),
        passing,
    ]
    counts = tuple(sum(role == player for role, _ in inputs) for player in roles)
    return Imported(
        "\n".join(filter(None, parts)), roles, len(known.base), counts, tuple(sheet.notes)
    )


_RENAMED = {"legal": "can", "does": "done"}

_PASSING = """\
% Who could move and may wait passes; where nobody can do more than wait, {first} does.
legal(P, M) :- {legal}(P, M).
legal(P, {passes}) :- {legal}(P, noop), {able}(P).
legal({first}, {passes}) :- {legal}({first}, noop), not {able}(_), not terminal.
{able}(P) :- {legal}(P, M), M != noop.
{does}(P, M) :- does(P, M), M != {passes}.
{does}(P, noop) :- does(P, {passes}).
"""


def _questions(asked: Iterable[Term]) -> str:
    """The facts about what some relations are asked."""
    by_name: dict[str, list[Sequence[Term]]] = {}
    for atom in asked:
        by_name.setdefault(signature(atom)[0], []).append(arguments(atom))
    lines = [line for name, rows in by_name.items() for line in facts(name, rows)]
    return "".join(
        ["% What some relations are asked; they say no more.\n", *lines] if lines else []
    )


def _lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Rules with the comments that stood before them, those of a predicate together."""
    last = None
    for rule in rules:
        name = signature(rule.head)
        if last and (rule.comments or name != last):
            yield "\n"
        last = name
        for comment in rule.comments:
            yield f"% {comment}\n"
        yield f"{rule}\n"


def _note_undefined(sheet: Sheet, rules: Sequence[Rule]) -> None:
    unknown = _undefined(rules)
    for rule in rules:
        for literal in rule.body:
            name = signature(literal.atom)
            if name in unknown:
                sheet.note(rule.place, f"no rule derives '{name[0]}' with {name[1]} arguments")


def _undefined(rules: Sequence[Rule]) -> set[Signature]:
    """What rules ask for and neither derive nor are given."""
    asked = {signature(x.atom) for rule in rules for x in rule.body if not x.compares}
    return asked - {*defined(rules), *_GIVEN}


def _check_bounded(rules: Sequence[Rule], known: Survey) -> None:
    """No fact of a state is nested deeper and deeper."""
    if known.too_deep is None:
        return
    atom = known.too_deep
    for rule in rules:
        if signature(rule.head) == ("next", 1):
            fact = rule.head[1]
            if isinstance(fact, Variable) or signature(fact) == signature(atom):
                name, _ = signature(atom)
                raise rule.place.error(f"'{name}' grows without bound: states have to be finite")


# Waiting


def _hands_over(rule: Rule, state: set[Signature]) -> bool:
    """Whether a move is there for a role because it is the other one's turn."""
    asked = [x for x in rule.body if signature(x.atom) in state]
    if len(asked) != 1 or signature(asked[0].atom) != ("true", 1):
        return False
    whose = arguments(asked[0].atom[1])
    return len(whose) == 1 and (whose[0] == rule.head[1]) != asked[0].positive


def _waiting(rules: Sequence[Rule], inputs: Iterable[tuple[Term, Term]]) -> Term | None:
    """What a sheet calls the move of a role that is not to move, None if there is none."""
    plain = {move for _, move in inputs if not isinstance(move, tuple)}
    if NOOP in plain:
        return NOOP
    state = dynamic(rules)
    for rule in rules:
        is_move = signature(rule.head) == ("legal", 2) and rule.head[2] in plain
        if is_move and _hands_over(rule, state):
            return rule.head[2]
    some_are_not = any(isinstance(move, tuple) for _, move in inputs)
    return plain.pop() if len(plain) == 1 and some_are_not else None


def _renamed(rule: Rule, waiting: Term) -> Rule:
    """A rule in which that move is `NOOP`."""

    def renamed(atom: Term) -> Term:
        if signature(atom) in (("legal", 2), ("does", 2)) and atom[2] == waiting:
            return (*atom[:2], NOOP)
        return atom

    body = tuple(replace(x, atom=renamed(x.atom)) for x in rule.body)
    return replace(rule, head=renamed(rule.head), body=body)


def _may_pass(rules: Sequence[Rule], waiting: Term | None) -> bool:
    """Whether a role may wait though it could move, or both in the same state."""
    state = dynamic(rules)
    return any(
        rule.head[2] == waiting and not _hands_over(rule, state)
        for rule in rules
        if signature(rule.head) == ("legal", 2)
    )


def _with_relations(rule: Rule, new: Mapping[str, str]) -> Rule:
    """A rule with other names for some relations."""

    def renamed(atom: Term) -> Term:
        name, arity = signature(atom)
        return (new[name], *atom[1:]) if name in new and arity == 2 else atom

    body = tuple(replace(x, atom=renamed(x.atom)) for x in rule.body)
    return replace(rule, head=renamed(rule.head), body=body)


# Facts


def facts(name: str, rows: Sequence[Sequence[Term]]) -> list[str]:
    """Facts of a predicate, as few as can be had by listing alternatives of an argument; lines."""
    if rows == [()]:
        return [f"{name}.\n"]
    return [f"{name}({', '.join(row)}).\n" for row in _products(sorted(rows, key=repr))]


def _products(rows: Sequence[Sequence[Term]]) -> list[tuple[str, ...]]:
    """Rows as products of alternatives, each written as a term."""
    if not rows[0]:
        return [()]
    by_first: dict[Term, dict[Sequence[Term], None]] = {}
    for first, *rest in rows:
        by_first.setdefault(first, {})[tuple(rest)] = None
    alike: dict[tuple[Sequence[Term], ...], list[Term]] = {}
    for first, rests in by_first.items():
        alike.setdefault(tuple(rests), []).append(first)
    return [
        (first, *rest)
        for rests, firsts in alike.items()
        for rest in _products(rests)
        for first in _alternatives(firsts)
    ]


def _alternatives(terms: Sequence[Term]) -> list[str]:
    """Terms as few terms with alternatives in them."""
    plain = [term for term in terms if not isinstance(term, tuple)]
    found = [_pool(plain)] if plain else []
    shapes: dict[Signature, list[Sequence[Term]]] = {}
    for term in terms:
        if isinstance(term, tuple):
            shapes.setdefault(signature(term), []).append(term[1:])
    for (name, _), rows in shapes.items():
        found += [f"{name}({', '.join(row)})" for row in _products(rows)]
    return found


def _pool(terms: Sequence[Term]) -> str:
    """Constants and numbers as one term; numbers in a row as an interval."""
    numbers = sorted({term for term in terms if isinstance(term, int)})
    texts = [str(term) for term in terms if not isinstance(term, int)]
    while numbers:
        run = 1
        while run < len(numbers) and numbers[run] == numbers[0] + run:
            run += 1
        last = numbers[run - 1]
        texts.append(f"{numbers[0]}..{last}" if run > 2 else str(numbers[0]))
        numbers = numbers[run if run > 2 else 1 :]
    return texts[0] if len(texts) == 1 else f"({'; '.join(texts)})"
