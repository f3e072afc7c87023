"""Why an atom does not hold: the rules that could derive it, and the first condition each lacks."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from aspcircuits.clingo_api import Program, Term, functor, parse, render, signature
from aspcircuits.errors import InputError
from aspcircuits.reasons import shorten_list
from aspcircuits.rewriting import (
    BodyLiteral,
    ConstantTerms,
    Element,
    PlainRule,
    as_tuple,
    filled_in,
    source_text,
    unbindable,
    variables_of,
)
from aspcircuits.support import value_of
from aspcircuits.texts import nearest


@dataclass(frozen=True, slots=True)
class Missing:
    """The condition that one rule lacks.

    Attributes:
        literal: the first that fails; None if all hold and the rule still leaves the atom open.
        text: the literal with values.
        values: of the variables at that point.
        more: number of other ways to meet the literals before it.
        asks_for: the failing atom, if rules with a body derive its predicate; None in it stands for
            any term.
    """

    rule: PlainRule
    literal: BodyLiteral | None
    text: str
    values: dict[str, Term]
    reason: str
    more: int = 0
    asks_for: Term | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A rule with one head that may match the atom, its literals in an order that clingo can use.

    Attributes:
        matched: the arguments of the atom that the first literal takes.
    """

    rule: PlainRule
    matched: Sequence[Term]
    literals: Sequence[BodyLiteral]
    bound: Sequence[Sequence[str]]
    """The variables that have values after each number of literals."""


class Search:
    """Search for failing conditions of rules in one answer set.

    Args:
        model: the atoms that hold.
        constants: the ``#const`` statements.
        terms: the values that these assign to names.
        derivable: the predicates that some rule derives or that are given.
    """

    def __init__(
        self,
        rules: Sequence[PlainRule],
        model: Collection[Term],
        constants: str,
        terms: ConstantTerms,
        derivable: Collection[str],
    ) -> None:
        self._rules, self._model, self._constants = rules, model, constants
        self._terms, self._derivable = terms, derivable
        self._known: dict[tuple[str, int], list[Term]] = defaultdict(list)
        for atom in model:
            self._known[signature(atom)].append(atom)
        self._derived = {name for rule in rules if rule.asks_for for name in rule.predicates}

    def find_missing(self, goals: Sequence[Term]) -> list[list[Missing]]:
        """Return, for each atom, what each rule lacks whose head could match it.

        Args:
            goals: none of them holds; None in one stands for any term.
        """
        wanted = [(goal, predicate_of(goal)) for goal in goals]
        tried = [
            (number, rule, head)
            for number, (_, name) in enumerate(wanted)
            for rule in self._rules
            for head in rule.heads
            if head.predicate == name
        ]
        attempts = [
            _attempt(place, rule, head, goals[number])
            for place, (number, rule, head) in enumerate(tried)
        ]
        missing: list[list[Missing]] = [[] for _ in goals]
        for (number, _, _), attempt, answer in zip(
            tried, attempts, self._ask(attempts), strict=True
        ):
            if 1 in answer.met and (lack := self._missing(attempt, answer)):
                missing[number].append(lack)
        return missing

    def find_idle(self) -> list[Missing]:
        """Return the rules that never apply, each with the first condition that fails."""
        any_head = Element("", "", (), ())
        attempts = [
            _attempt(number, rule, any_head, "_") for number, rule in enumerate(self._rules)
        ]
        pairs = zip(attempts, self._ask(attempts), strict=True)
        return [lack for each in pairs if (lack := self._missing(*each)) and lack.literal]

    def _ask(self, attempts: Sequence[_Attempt]) -> list["_Answers"]:
        """Ask clingo how far the conditions of rules can be met."""
        text = [self._constants]
        for number, attempt in enumerate(attempts):
            text += _questions(number, attempt)
        program = Program((), self._model, options=("--warn=none",), rules="\n".join(text))
        answers = [_Answers() for _ in attempts]
        for atom, _ in program.atoms("_why_try", 3):
            answers[atom[1]].met[atom[2]].append(atom[3][1:])
        for atom, _ in program.atoms("_why_alone", 2):
            answers[atom[1]].alone.add(atom[2])
        for atom, _ in program.atoms("_why_part", 5):
            answers[atom[1]].parts.append(atom[2:])
        return answers

    def _missing(self, attempt: _Attempt, answers: "_Answers") -> Missing | None:
        met = {number: sorted(found, key=repr) for number, found in answers.met.items()}
        for number in _lonely(attempt):
            if number not in answers.alone:
                return self._describe_missing(
                    attempt, number, attempt.bound[1], met[1], answers.parts
                )
        last = max(met)
        if last == len(attempt.literals):
            # A plain rule would derive the atom; so it derives another one that looks like it.
            return None if attempt.rule.kind == "rule" else self._unchosen(attempt, met[last])
        return self._describe_missing(
            attempt, last + 1, attempt.bound[last], met[last], answers.parts
        )

    def _describe_missing(
        self,
        attempt: _Attempt,
        number: int,
        known: Sequence[str],
        found: Sequence[Term],
        parts: Iterable[Term],
    ) -> Missing:
        literal = attempt.literals[number - 1]
        values = dict(zip(known, found[0], strict=True))
        mine = [part[2:] for part in parts if part[0] == number and part[1][1:] == found[0]]
        text = filled_in(literal.written, values, self._terms)
        asked = None
        if literal.kind == "atom":
            pattern = _patterns(literal, values, self._terms)
            name = literal.predicate.rpartition("/")[0]
            atom = (name, *pattern) if pattern else name
            if pattern and not has_gap(atom):
                text = render(atom)
            if literal.predicate in self._derived:
                asked = atom
        reason = self._reason(literal, text, values, mine)
        shown = {name: value for name, value in values.items() if not name.startswith("_")}
        return Missing(attempt.rule, literal, text, shown, reason, len(found) - 1, asked)

    def _unchosen(self, attempt: _Attempt, found: Sequence[Term]) -> Missing:
        values = dict(zip(attempt.bound[-1], found[0], strict=True))
        shown = {name: value for name, value in values.items() if not name.startswith("_")}
        if attempt.rule.kind == "disjunction":
            reason = "the rule derives one of its heads, and here another one holds"
        else:
            reason = "the rule may choose it, and this answer set does not"
        return Missing(attempt.rule, None, "", shown, reason)

    def _reason(
        self, literal: BodyLiteral, text: str, values: Mapping[str, Term], parts: Sequence[Term]
    ) -> str:
        if literal.kind == "atom":
            return self._absent(literal, values)
        if literal.kind == "head":
            return "the head is another atom"
        if literal.kind == "not":
            return f"{text.removeprefix('not').strip()} holds"
        if literal.kind == "each":
            local = literal.elements[0].local
            cases = [dict(zip(local, part[0][1:], strict=True)) for part in parts]
            named = [", ".join(f"{v}={render(t)}" for v, t in case.items()) for case in cases]
            return f"fails for {shorten_list(sorted(named))}" if any(named) else "fails"
        if literal.function:
            counted = [part[1][1:] for part in parts]
            value = value_of(literal.function, counted)
            rendered = sorted({_inner(terms) for terms in counted})
            told = f" ({shorten_list(rendered)})" if rendered else ""
            return f"the {_NOUNS[literal.function]} is {value}{told}"
        unset = [name for name in literal.constants if not self._occurs(name)]
        return _unset(unset[0]) if unset else "this is false"

    def _absent(self, literal: BodyLiteral, values: Mapping[str, Term]) -> str:
        """Return why no atom matches a positive literal."""
        predicate = literal.predicate
        if predicate not in self._derivable:
            return f"no rule or fact derives {predicate}{self.guess(predicate)}"
        name, _, arity = predicate.rpartition("/")
        known = self._known[name, int(arity)]
        if not known:
            told = f"no atom of {predicate} holds" if int(arity) else "does not hold"
            return f"{told}{self._valueless(predicate)}"
        strange = [each for each in literal.constants if not self._occurs(each)]
        if strange:
            return f"no atom that holds has '{strange[0]}'; {_small(strange[0])}"
        pattern = _patterns(literal, values, self._terms)
        atom = (name, *pattern) if pattern else name
        told = "no such atom holds" if has_gap(atom) else "does not hold"
        return f"{told}{self.near(atom)}"

    def _valueless(self, predicate: str) -> str:
        """Return a hint at a name that should be a number, in a rule for a predicate."""
        rules = [rule for rule in self._rules if predicate in rule.predicates]
        found = [told for rule in rules for told in search_unset(rule, self._terms)]
        return f" ({found[0]})" if found else ""

    def _occurs(self, constant: str) -> bool:
        return constant in self._terms or any(_has(atom, constant) for atom in self._model)

    def guess(self, predicate: str) -> str:
        """Return a hint at a predicate similar to one that no rule derives."""
        name = predicate.rpartition("/")[0]
        same = sorted(p for p in self._derivable if p.rpartition("/")[0] == name)
        if same:
            return f" ({name} has another number of arguments: {', '.join(same)})"
        others = sorted(self._derivable)
        return f" (did you mean {nearest(predicate, others)}?)" if others else ""

    def near(self, pattern: Term) -> str:
        """Return a hint at the most similar atom that holds; None stands for any term."""
        known = self._known[signature(pattern)]
        if not isinstance(pattern, tuple) or not known:
            return ""
        name, *arguments = (None if has_gap(term) else term for term in pattern)
        for order in permutations(arguments) if len(arguments) <= 4 else ():
            if [*order] != arguments and None not in order and (name, *order) in known:
                return f" ({render((name, *order))} does: is the order of the arguments right?)"
        best = min(known, key=lambda atom: (_distance(atom[1:], arguments), repr(atom)))
        return f" (nearest: {render(best)})"

    def mend(self, goal: Term) -> list[str]:
        """Return hints at what to change so that some rule could derive an atom."""
        predicate = predicate_of(goal)
        if predicate not in self._derivable:
            hint = f"No rule derives {predicate}{self.guess(predicate)}."
            return [hint, *self._same_arguments(goal)]
        rules = [rule for rule in self._rules if predicate in rule.predicates]
        heads = [*dict.fromkeys(source_text(rule.head_node) for rule in rules)]
        told = f"No rule has a head that can be {pattern_text(goal)}"
        hints = [f"{told}: heads are {shorten_list(heads)}{self.near(goal)}."]
        for rule in rules:
            names = {*re.findall(r"[A-Z]\w*", rule.body_text)}
            for atom in rule.atoms:
                small = [text for text in atom.texts if text[:1].upper() + text[1:] in names]
                hints += [f"{_small(text)}." for text in small if text[:1].islower()]
        return hints + [told for rule in rules for told in search_unset(rule, self._terms)]

    def _same_arguments(self, goal: Term) -> Iterator[str]:
        """Yield hints at atoms that hold and differ only in their name."""
        arguments = goal[1:] if isinstance(goal, tuple) else ()
        others = sorted({p.rpartition("/")[0] for p in self._derivable})
        if arguments and others:
            name = nearest(functor(goal), others)
            if (name, *arguments) in self._known[name, len(arguments)]:
                yield f"{render((name, *arguments))} holds."


_NOUNS = {"count": "count", "sum": "sum", "sum+": "sum", "min": "minimum", "max": "maximum"}


def _attempt(number: int, rule: PlainRule, head: Element, goal: Term) -> _Attempt:
    """Order the literals so that each one's variables have values when clingo needs them."""
    none: frozenset[str] = frozenset()
    waiting = [*rule.body, *head.literals]
    pairs = [*zip(head.arguments, goal[1:] if isinstance(goal, tuple) else (), strict=True)]
    matched = [pair for pair in pairs if not has_gap(pair[1]) and not unbindable(pair[0])]
    # As in p(X*X), or p(X) for the goal p(f(_)): compared once X has a value.
    compared = [pair for pair in pairs if pair not in matched and pair[1] is not None]
    if compared:
        left = as_tuple(pattern_text(term) for _, term in compared)
        names = frozenset(name for node, _ in compared for name in variables_of(node))
        text = f"{left} = {as_tuple(str(node) for node, _ in compared)}"
        waiting.append(BodyLiteral("head", text, rule.head_node, head.tuple, names, [names]))
    text = f"_why_goal({number},{as_tuple(str(node) for node, _ in matched)})"
    first = BodyLiteral("head", text, rule.head_node, "", none, [none])
    known = dict.fromkeys(sorted({name for node, _ in matched for name in variables_of(node)}))
    order, bound = [first], [(), (*known,)]
    while waiting:
        usable = (x for x in waiting if any(mode <= known.keys() for mode in x.modes))
        taken = next(usable, waiting[0])
        waiting.remove(taken)
        order.append(taken)
        known |= dict.fromkeys(sorted(taken.variables))
        bound.append((*known,))
    return _Attempt(rule, [term for _, term in matched], order, bound)


def _lonely(attempt: _Attempt) -> Iterator[int]:
    """Yield the positive literals that need only the values of the head's variables."""
    for number, literal in enumerate(attempt.literals, 1):
        if number > 1 and literal.kind == "atom" and literal.modes[0] <= {*attempt.bound[1]}:
            yield number


def _questions(index: int, attempt: _Attempt) -> Iterator[str]:
    """Yield rules by which clingo finds how far the literals of a rule can be met, one by one."""
    yield f"_why_goal({index},{as_tuple(map(render, attempt.matched))})."
    yield f"_why_try({index},0,())."
    for number, literal in enumerate(attempt.literals, 1):
        before, known = as_tuple(attempt.bound[number - 1]), as_tuple(attempt.bound[number])
        body = f"_why_try({index},{number - 1},{before})"
        yield f"_why_try({index},{number},{known}) :- {body}; {literal.text}."
        for element in literal.elements:
            condition = element.condition
            if literal.kind == "each":
                condition += f", {_opposite(literal.term)}"
            if literal.variables <= {*attempt.bound[number - 1]}:
                counted = "()" if literal.kind == "each" else element.tuple
                told = f"{number},{before},{as_tuple(element.local)},{counted}"
                yield f"_why_part({index},{told}) :- {body}, {condition}."
    first = as_tuple(attempt.bound[1])
    for number in _lonely(attempt):
        text = attempt.literals[number - 1].text
        yield f"_why_alone({index},{number}) :- _why_try({index},1,{first}), {text}."


class _Answers:
    """clingo's answers about one rule.

    They are: by the number of literals that are met, the values of the variables; the literals that
    can be met alone; the elements of aggregates.
    """

    def __init__(self) -> None:
        self.met: dict[int, list[Term]] = defaultdict(list)
        self.alone: set[int] = set()
        self.parts: list[Any] = []


def search_unset(rule: PlainRule, terms: ConstantTerms) -> list[str]:
    """Return hints at the names in a rule that should be numbers and have no value."""
    return [_unset(name) for name in dict.fromkeys(rule.names_for_numbers) if name not in terms]


def _unset(name: str) -> str:
    return f"'{name}' is a name without a value: is '#const {name} = ...' missing?"


def _small(name: str) -> str:
    return f"'{name}' is a name, not a variable: variables begin with a capital"


def _opposite(literal: str) -> str:
    return literal.removeprefix("not ") if literal.startswith("not not ") else f"not {literal}"


def predicate_of(atom: Term) -> str:
    """Return the predicate of an atom, as ``edge/2``."""
    name, arity = signature(atom)
    return f"{name}/{arity}"


def _patterns(literal: BodyLiteral, values: Mapping[str, Term], terms: ConstantTerms) -> list[Term]:
    """Return the arguments of an atom, with None for unknown parts."""
    texts = (filled_in(str(argument), values, terms) for argument in literal.arguments)
    return [*map(_pattern, texts)]


def _pattern(text: str) -> Term:
    """Return a term, with None for its variables; None if it cannot be evaluated without them."""
    try:
        return parse_pattern(text, named=True)
    except InputError:
        return None


def parse_pattern(text: str, named: bool) -> Term:
    """Return a term, with None for ``_``, which stands for anything.

    Args:
        named: treat variables in the same way.

    Raises:
        InputError: it is no term.
    """

    def open_(name: re.Match[str]) -> str:
        return _ANY if name[0] == "_" or (named and name[0][0] != '"') else name[0]

    try:
        return _open_term(parse(_VARIABLE.sub(open_, text)))
    except InputError:
        parse(_VARIABLE.sub(lambda name: "x" if open_(name) == _ANY else name[0], text))
        raise


_VARIABLE = re.compile(r"""\"(?:\\.|[^"\\])*\"|\b_*[A-Z][\w']*|(?<![\w'])_(?![\w'])""")
"""A quoted text, or a variable."""

_ANY = "_why_any"


def _open_term(term: Term) -> Term:
    if isinstance(term, tuple):
        return (term[0], *map(_open_term, term[1:]))
    return None if isinstance(term, str) and term.lstrip("-") == _ANY else term


def has_gap(pattern: Term) -> bool:
    """Return whether some part of a pattern stands for anything."""
    return pattern is None or (isinstance(pattern, tuple) and any(map(has_gap, pattern[1:])))


def pattern_text(pattern: Term) -> str:
    """Return the text of a pattern, with ``_`` for parts that stand for anything."""
    if isinstance(pattern, tuple):
        return render((pattern[0], *map(pattern_text, pattern[1:])))
    return "_" if pattern is None else render(pattern)


def _distance(arguments: Sequence[Term], wanted: Sequence[Term]) -> tuple[int, int]:
    """Return how many arguments differ, and by how much if they are numbers."""
    pairs = [(a, b) for a, b in zip(arguments, wanted, strict=True) if b is not None and a != b]
    numbers = [abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]
    return len(pairs), sum(numbers) + 1000 * (len(pairs) - len(numbers))


def _inner(terms: Sequence[Term]) -> str:
    return ",".join(map(render, terms))


def _has(term: Term, name: str) -> bool:
    """Return whether a term contains this constant."""
    if isinstance(term, tuple):
        return any(_has(part, name) for part in term[1:])
    return bool(term == name)
