"""Read a rule sheet as rules: interpret its words, operators and keywords, and check them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product

from advisor.files.textfile import amount
from advisor.games.rules import CONTRACT
from advisor.plugins.gdl import kif
from advisor.plugins.gdl.kif import Expression, List, Place, Word, quote_expression
from advisor.plugins.gdl.language import (
    EQUAL,
    GIVEN,
    Literal,
    Rule,
    Signature,
    Variable,
    arguments,
    atom_of,
    body_predicates,
    bound_variables,
    reachable_predicates,
    rules_by_predicate,
    signature,
    simplify_rule,
    substitute,
    variables,
    with_atoms,
)
from aspcircuits.clingo_api import Term, render

_KEYWORDS = {
    name: CONTRACT[name]
    for name in ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
} | {"sees": 2}
_DECLARATIONS = {"base": 1, "input": 2}
"""Declarations of states and moves; older sheets use these words for relations of their own."""

_OPERATORS = {"and", "or", "not", "distinct", "<=", "=>", "<=>"}

_Body = tuple[Literal, ...]

_MOST_BODIES = 512
"""Maximum number of rules that one rule with ``or`` may stand for."""

_OURS = {*CONTRACT, "uses", "fires", "because", "sentence", "short", "phrase", "final", "decisive"}
"""Predicates whose meaning here differs from the sheet's, unless they belong to GDL."""


class Names:
    """Names in an encoding for the words of a sheet; different words get different names."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Term] = {}
        self._taken: set[tuple[str, str]] = {("relation", name) for name in _OURS}
        self._taken |= {("relation", "not"), ("object", "not")}

    def relation(self, word: str) -> str:
        """Name a relation of the sheet's own."""
        return str(self._name("relation", word, word))

    def object(self, word: str) -> Term:
        """Name a constant, a number or a function."""
        if re.fullmatch(r"0|-?[1-9]\d{0,8}", word):
            return int(word)
        return self._name("object", word, word)

    def variable(self, word: str) -> Variable:
        """Name the variable ``?word``."""
        plain = re.sub(r"\W", "_", word, flags=re.ASCII)
        name = f"V{plain}" if not plain[:1].isalpha() else plain[0].upper() + plain[1:]
        return Variable(self._name("variable", word, name))

    def fresh(self, kind: str, name: str) -> str:
        """Make a name that the sheet does not use, for a ``relation`` or an ``object``."""
        found, number = name, 1
        while (kind, found) in self._taken:
            number += 1
            found = f"{name}_{number}"
        self._taken.add((kind, found))
        return found

    def _name(self, kind: str, word: str, wanted: str) -> Term:
        if (kind, word) not in self._of:
            name = wanted.replace("+", "plus").replace("-", "minus" if len(wanted) == 1 else "_")
            name = re.sub(r"\W", "_", name, flags=re.ASCII)
            if kind != "variable" and not re.match(r"_*[a-z]", name):
                name = f"n{name}"
            while (kind, name) in self._taken:
                name += "_"
            self._taken.add((kind, name))
            self._of[kind, word] = name
        return self._of[kind, word]


@dataclass
class Sheet:
    """The rules of a sheet, and notes about them.

    Attributes:
        rules: in the sheet's order; a rule with ``or`` has become several. Each variable of a body
            has a value; a variable of a head may have none, see `Rule.loose`.
        notes: anything unusual about the sheet and how it was interpreted, each note with its place
            and only once; the keys, in order.
    """

    file: str
    rules: list[Rule] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def note(self, place: Place, text: str) -> None:
        """Add a note for the user."""
        self.notes[f"{place}: {text}"] = None


def read(text: str, file: str) -> Sheet:
    """Read the rules of a sheet.

    Raises:
        EncodingError: the text is no rule sheet, or its game is not one for two players without
            chance and hidden information; with file, line and column.
    """
    sheet = Sheet(file)
    reader = _Reader(sheet)
    for expression, comments in kif.parse(text, file):
        for rule in reader.rules(expression, comments):
            if (safe := _safe(sheet, rule)) is not None:
                sheet.rules.append(safe)
    _leave_out_notes(sheet)
    _check_roles(sheet)
    _split_relations(sheet)
    for rule, denied in _loops(sheet.rules):
        head, _ = signature(rule.head)
        raise rule.place.error(
            f"'{head}' depends on 'not {denied}', which depends on '{head}': "
            "the rules are not stratified"
        )
    for name, arity in (("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("init", 1)):
        if not any(signature(rule.head) == (name, arity) for rule in sheet.rules):
            raise Place(file, 1, 1).error(f"no rule derives '{name}'")
    return sheet


class _Reader:
    """Turns expressions into rules."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._names = sheet.names

    def rules(self, expression: Expression, comments: tuple[str, ...]) -> Iterator[Rule]:
        """Yield the rules that an expression stands for; the first one gets the comments."""
        place = expression.place
        if isinstance(expression, Word) and expression.text != "terminal":
            self._sheet.note(
                place, f"{quote_expression(expression)} stands outside brackets and is left out"
            )
            return
        head, conditions = expression, list[Expression]()
        if isinstance(expression, List) and _begins(expression) == "<=":
            if len(expression.items) < 2:
                raise place.error("'<=' without a head (write (<= head condition ...))")
            _, head, *conditions = expression.items
        derived = self._atom(head)
        if signature(derived) in GIVEN:
            raise head.place.error(
                f"{quote_expression(head)} is given to the rules; no rule may derive it"
            )
        bodies = [*_all([self._bodies(condition, True) for condition in conditions])]
        if len(bodies) > _MOST_BODIES:
            raise place.error(f"expanding 'or' gives more than {_MOST_BODIES} rules")
        for body in bodies:
            yield Rule(derived, tuple(dict.fromkeys(body)), place, comments)
            comments = ()

    def _bodies(self, expression: Expression, holds: bool) -> Iterator[_Body]:
        """Yield the conjunctions whose disjunction is a condition, or its negation."""
        operator, parts = _begins(expression), expression.items[1:]
        if operator in ("and", "or"):
            found = [self._bodies(part, holds) for part in parts]
            yield from _all(found) if (operator == "and") == holds else chain(*found)
        elif operator == "not":
            self._check_count(expression, 1)
            yield from self._bodies(parts[0], not holds)
        elif operator == "distinct":
            self._check_count(expression, 2)
            yield (Literal((EQUAL, self._term(parts[0]), self._term(parts[1])), not holds),)
        else:
            yield (Literal(self._atom(expression), holds),)

    def _atom(self, expression: Expression) -> Term:
        word, parts = _begins(expression), expression.items[1:]
        if word is None or word.startswith("?") or word in _OPERATORS:
            raise expression.place.error(
                f"{quote_expression(expression)} is not an atom such as (cell 1 2 b)"
            )
        if word in _KEYWORDS:
            self._check_count(expression, _KEYWORDS[word])
        own = word not in _KEYWORDS and _DECLARATIONS.get(word) != len(parts)
        name = self._names.relation(word) if own else word
        return atom_of(name, [*map(self._term, parts)])

    def _term(self, expression: Expression) -> Term:
        if isinstance(expression, Word):
            text = expression.text
            variable = text.startswith("?")
            return self._names.variable(text[1:]) if variable else self._names.object(text)
        word = _begins(expression)
        if word is None or word.startswith("?"):
            raise expression.place.error(
                f"{quote_expression(expression)} is not a term such as (cell 1 2 b)"
            )
        name = self._names.object(word)
        if len(expression.items) == 1:
            return name
        if isinstance(name, int):
            raise expression.place.error(
                f"{quote_expression(expression)}: a number is not a function"
            )
        return (name, *map(self._term, expression.items[1:]))

    @staticmethod
    def _check_count(expression: Expression, wanted: int) -> None:
        count = len(expression.items[1:])
        if count != wanted:
            told = f"'{_begins(expression)}' has {count} arguments; it takes {wanted}"
            raise expression.place.error(told)


def _begins(expression: Expression) -> str | None:
    """Return the first word of a list, or the expression itself if it is a word."""
    if isinstance(expression, Word):
        return expression.text
    first = expression.items[0] if expression.items else None
    return first.text if isinstance(first, Word) else None


def _all(conditions: Sequence[Iterator[_Body]]) -> Iterator[_Body]:
    """Yield the conjunctions of one body of each condition, at most one more than is allowed."""
    some = (islice(bodies, _MOST_BODIES + 1) for bodies in conditions)
    for chosen in islice(product(*some), _MOST_BODIES + 1):
        yield tuple(chain(*chosen))


def _safe(sheet: Sheet, found: Rule) -> Rule | None:
    """Return a rule whose body gives a value to each of its variables; None if it never holds."""
    rule = simplify_rule(found)
    if rule is None:
        sheet.note(found.place, "this rule never holds: it says that equal terms are distinct")
        return None
    name, arity = signature(rule.head)
    if (name, arity) in (("legal", 2), ("goal", 2)) and variables(rule.head[1]) & rule.loose():
        sheet.note(rule.place, f"this '{name}' says no role: it is read as that of every role")
        rule = replace(rule, body=(Literal(("role", rule.head[1])), *rule.body))
    known = bound_variables(rule.body) | variables(rule.head)
    body: list[Literal] = []
    for literal in rule.body:
        free = variables(literal.atom) - known
        named = ", ".join(sorted(free))
        if not free or literal.binds:
            body.append(literal)
        elif literal.compares:
            sheet.note(rule.place, f"'{literal}' is left out: {named} can be anything")
        else:
            sheet.note(rule.place, f"'{literal}' is read as: for no {named}")
            body.append(Literal(substitute(literal.atom, dict.fromkeys(free, "_")), False))
    return replace(rule, body=tuple(body))


def _leave_out_notes(sheet: Sheet) -> None:
    """Drop statements such as ``(base cell (val 1 2) (val x o))``: this is not GDL's ``base``."""
    own = {sheet.names.relation(word) for word in _DECLARATIONS}
    heads = [rule.head for rule in sheet.rules if signature(rule.head)[0] in {*_DECLARATIONS, *own}]
    if any(isinstance(x, tuple) and x[0] == "val" for head in heads for x in arguments(head)):
        sheet.rules = [rule for rule in sheet.rules if rule.head not in heads]


def _check_roles(sheet: Sheet) -> None:
    """Check that there are two players, and neither chance nor hidden information."""
    for rule in sheet.rules:
        if signature(rule.head) == ("sees", 2):
            raise rule.place.error("'sees': hidden information; only open games fit")
    roles = [rule for rule in sheet.rules if signature(rule.head) == ("role", 1)]
    if not roles:
        raise Place(sheet.file, 1, 1).error("no fact (role ...): a game has two players")
    for rule in roles:
        if rule.body or variables(rule.head):
            raise rule.place.error("a role is a fact such as (role white)")
        if arguments(rule.head)[0] == "random":
            raise rule.place.error("role 'random': games of chance do not fit")
    players = list(dict.fromkeys(rule.head[1] for rule in roles))
    if len(players) != 2:
        named = ", ".join(map(render, players))
        count = amount(len(players), "player")
        raise roles[-1].place.error(f"{count} ({named}); a game has two")


def _split_relations(sheet: Sheet) -> None:
    """Split relations that depend on their own negation by a constant, such as ``goal`` by 100."""
    looping = {signature(rule.head) for rule, _ in _loops(sheet.rules)}
    for name, own in rules_by_predicate(sheet.rules).items():
        for i in range(1, 1 + name[1]) if name in looping else ():
            if not any(isinstance(rule.head[i], (tuple, Variable)) for rule in own):
                _tell_apart(sheet, name, i)
                break


def _tell_apart(sheet: Sheet, name: Signature, place: int) -> None:
    """Give the atoms of a relation a new relation for each constant in one place."""
    known: dict[Term, str] = {}

    def part(atom: Term) -> Term:
        if signature(atom) != name or isinstance(atom[place], (tuple, Variable)):
            return atom
        word = re.sub(r"\W", "_", f"{name[0]}_{render(atom[place])}")
        if atom[place] not in known:
            known[atom[place]] = sheet.names.fresh("relation", word)
        return atom_of(known[atom[place]], (*atom[1:place], *atom[place + 1 :]))

    made = [with_atoms(rule, part) for rule in sheet.rules]
    others = [Variable(f"V{i}") for i in range(1, name[1])]
    where = next(rule.place for rule in sheet.rules if signature(rule.head) == name)
    for value, own in known.items():
        whole = (name[0], *others[: place - 1], value, *others[place - 1 :])
        made.append(Rule(whole, (Literal(atom_of(own, others)),), where))
    sheet.rules = made


def _loops(rules: Sequence[Rule]) -> Iterator[tuple[Rule, str]]:
    """Yield rules that negate a predicate that depends on their head, and the predicate's name."""
    below = body_predicates(rules)
    for rule in rules:
        for literal in rule.body:
            name = signature(literal.atom)
            denies = not (literal.positive or literal.compares)
            if denies and signature(rule.head) in reachable_predicates(below, [name]):
                yield rule, name[0]
