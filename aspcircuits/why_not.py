"""Why an atom does not hold: the rules that could derive it, and the first thing each lacks."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from aspcircuits.clingo_api import Program, Term, functor, parse, render, signature
from aspcircuits.errors import InputError
from aspcircuits.reasons import shortened
from aspcircuits.rewriting import (
    BodyLiteral,
    ConstantTerms,
    Element,
    PlainRule,
    as_tuple,
    filled_in,
    written,
)
from aspcircuits.support import value_of
from aspcircuits.texts import nearest


@dataclass(frozen=True, slots=True)
class Missing:
    """What one rule lacks.

    Attributes:
        literal: the first that fails; None if all hold and the rule still leaves the atom open.
        text: with values.
        values: of the variables by then.
        more: in how many other ways the literals before it can be met.
    """

    rule: PlainRule
    literal: BodyLiteral | None
    text: str
    values: dict[str, Term]
    reason: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A rule with one head that could be the atom, its literals in an order that clingo can use."""

    rule: PlainRule
    literals: Sequence[BodyLiteral]
    bound: Sequence[Sequence[str]]
    """The variables that have values after so many literals."""


class Search:
    """The conditions of rules in one answer set.

    Args:
        model: the atoms that hold.
        constants: the ``#const`` statements.
        terms: what these give to names.
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

    def find_missing(self, goal: Term) -> list[Missing]:
        """What each rule lacks whose head could be the atom."""
        name = predicate_of(goal)
        attempts = [
            _attempt(rule, head, goal)
            for rule in self._rules
            if name in rule.predicates
            for head in rule.heads
        ]
        text = [self._constants, f"_why_goal({render(goal)})."]
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
        pairs = zip(attempts, answers, strict=True)
        return [self._missing(attempt, found) for attempt, found in pairs if 1 in found.met]

    def _missing(self, attempt: _Attempt, answers: "_Answers") -> Missing:
        met = {number: sorted(found, key=repr) for number, found in answers.met.items()}
        for number in _lonely(attempt):
            if number not in answers.alone:
                return self._told(attempt, number, attempt.bound[1], met[1], answers.parts)
        last = max(met)
        if last == len(attempt.literals):
            return self._unchosen(attempt, met[last])
        return self._told(attempt, last + 1, attempt.bound[last], met[last], answers.parts)

    def _told(
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
        if literal.kind == "atom":
            pattern = [*_patterns(literal, values, self._terms)]
            if pattern and None not in pattern:
                text = render((literal.predicate.rpartition("/")[0], *pattern))
        reason = self._reason(literal, text, values, mine)
        shown = {name: value for name, value in values.items() if not name.startswith("_")}
        return Missing(attempt.rule, literal, text, shown, reason, len(found) - 1)

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
            return f"fails for {shortened(sorted(named))}" if any(named) else "fails"
        if literal.function:
            counted = [part[1][1:] for part in parts]
            value = value_of(literal.function, counted)
            rendered = sorted({_inner(terms) for terms in counted})
            told = f" ({shortened(rendered)})" if rendered else ""
            return f"the {_NOUNS[literal.function]} is {value}{told}"
        unset = [name for name in literal.constants if not self._occurs(name)]
        return _unset(unset[0]) if unset else "this is false"

    def _absent(self, literal: BodyLiteral, values: Mapping[str, Term]) -> str:
        """Why a positive literal has no atom."""
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
        pattern = [*_patterns(literal, values, self._terms)]
        if all(term is not None for term in pattern):
            return f"does not hold{self.near((name, *pattern) if pattern else name)}"
        return f"no such atom holds{self.near((name, *pattern))}"

    def _valueless(self, predicate: str) -> str:
        """A name that should be a number in a rule for a predicate."""
        rules = [rule for rule in self._rules if predicate in rule.predicates]
        found = [told for rule in rules for told in search_unset(rule, self._terms)]
        return f" ({found[0]})" if found else ""

    def _occurs(self, constant: str) -> bool:
        return constant in self._terms or any(_has(atom, constant) for atom in self._model)

    def guess(self, predicate: str) -> str:
        """A predicate that looks like one that no rule derives."""
        name = predicate.rpartition("/")[0]
        same = sorted(p for p in self._derivable if p.rpartition("/")[0] == name)
        if same:
            return f" ({name} has another number of arguments: {', '.join(same)})"
        others = sorted(self._derivable)
        return f" (did you mean {nearest(predicate, others)}?)" if others else ""

    def near(self, pattern: Term) -> str:
        """The atom that holds and is most like one that does not; None stands for anything."""
        known = self._known[signature(pattern)]
        if not isinstance(pattern, tuple) or not known:
            return ""
        name, *arguments = pattern
        for order in permutations(arguments) if len(arguments) <= 4 else ():
            if [*order] != arguments and None not in order and (name, *order) in known:
                return f" ({render((name, *order))} does: is the order of the arguments right?)"
        best = min(known, key=lambda atom: (_distance(atom[1:], arguments), repr(atom)))
        return f" (nearest: {render(best)})"

    def mend(self, goal: Term) -> list[str]:
        """What would have to be otherwise so that some rule could derive an atom."""
        predicate = predicate_of(goal)
        if predicate not in self._derivable:
            hint = f"No rule derives {predicate}{self.guess(predicate)}."
            return [hint, *self._same_arguments(goal)]
        rules = [rule for rule in self._rules if predicate in rule.predicates]
        heads = [*dict.fromkeys(written(rule.head_node) for rule in rules)]
        told = f"No rule has a head that can be {render(goal)}: heads are {shortened(heads)}"
        hints = [f"{told}{self.near(goal)}."]
        for rule in rules:
            names = {*re.findall(r"[A-Z]\w*", rule.body_text)}
            for atom in rule.atoms:
                small = [text for text in atom.texts if text[:1].upper() + text[1:] in names]
                hints += [f"{_small(text)}." for text in small if text[:1].islower()]
        return hints + [told for rule in rules for told in search_unset(rule, self._terms)]

    def _same_arguments(self, goal: Term) -> Iterator[str]:
        """Atoms that hold and differ in their name alone."""
        arguments = goal[1:] if isinstance(goal, tuple) else ()
        others = sorted({p.rpartition("/")[0] for p in self._derivable})
        if arguments and others:
            name = nearest(functor(goal), others)
            if (name, *arguments) in self._known[name, len(arguments)]:
                yield f"{render((name, *arguments))} holds."


_NOUNS = {"count": "count", "sum": "sum", "sum+": "sum", "min": "minimum", "max": "maximum"}


def _attempt(rule: PlainRule, head: Element, goal: Term) -> _Attempt:
    """Order the literals so that each one's variables have values when clingo needs them."""
    none: frozenset[str] = frozenset()
    waiting = [*rule.body, *head.literals]
    if head.unbindable:  # as in p(X*X): compared once X has a value
        first = BodyLiteral("head", "_why_goal(_Head)", rule.head_node, "", none, [none])
        text, names = f"{render(goal)} = {head.tuple}", head.variables
        waiting.append(BodyLiteral("head", text, rule.head_node, head.tuple, names, [names]))
        known = {"_Head": None}
    else:
        first = BodyLiteral("head", f"_why_goal({head.tuple})", rule.head_node, "", none, [none])
        known = dict.fromkeys(sorted(head.variables))
    order, bound = [first], [(), (*known,)]
    while waiting:
        usable = (x for x in waiting if any(mode <= known.keys() for mode in x.modes))
        taken = next(usable, waiting[0])
        waiting.remove(taken)
        order.append(taken)
        known |= dict.fromkeys(sorted(taken.variables))
        bound.append((*known,))
    return _Attempt(rule, order, bound)


def _lonely(attempt: _Attempt) -> Iterator[int]:
    """The positive literals that can be looked up with no more known than the head's variables."""
    for number, literal in enumerate(attempt.literals, 1):
        if number > 1 and literal.kind == "atom" and literal.modes[0] <= {*attempt.bound[1]}:
            yield number


def _questions(index: int, attempt: _Attempt) -> Iterator[str]:
    """Rules that ask clingo how far the literals of a rule can be met, one after the other."""
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
    """What clingo said about one rule: by the number of literals that are met, the values of the
    variables; the literals that can be met alone; the elements of aggregates."""

    def __init__(self) -> None:
        self.met: dict[int, list[Term]] = defaultdict(list)
        self.alone: set[int] = set()
        self.parts: list[Any] = []


def search_unset(rule: PlainRule, terms: ConstantTerms) -> list[str]:
    """The names in a rule that should be numbers and have no value."""
    return [_unset(name) for name in dict.fromkeys(rule.names_for_numbers) if name not in terms]


def _unset(name: str) -> str:
    return f"'{name}' is a name without a value: is '#const {name} = ...' missing?"


def _small(name: str) -> str:
    return f"'{name}' is a name, not a variable: variables begin with a capital"


def _opposite(literal: str) -> str:
    return literal.removeprefix("not ") if literal.startswith("not not ") else f"not {literal}"


def predicate_of(atom: Term) -> str:
    """As ``edge/2``."""
    name, arity = signature(atom)
    return f"{name}/{arity}"


def _patterns(
    literal: BodyLiteral, values: Mapping[str, Term], terms: ConstantTerms
) -> Iterator[Term]:
    """The arguments of an atom, None where they are not known."""
    for argument in literal.arguments:
        try:
            yield parse(filled_in(str(argument), values, terms))
        except InputError:  # it still has a variable
            yield None


def _distance(arguments: Sequence[Term], wanted: Sequence[Term]) -> tuple[int, int]:
    """How many arguments differ, and by how much if they are numbers."""
    pairs = [(a, b) for a, b in zip(arguments, wanted, strict=True) if b is not None and a != b]
    numbers = [abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]
    return len(pairs), sum(numbers) + 1000 * (len(pairs) - len(numbers))


def _inner(terms: Sequence[Term]) -> str:
    return ",".join(map(render, terms))


def _has(term: Term, name: str) -> bool:
    """Whether a term has this constant in it."""
    if isinstance(term, tuple):
        return any(_has(part, name) for part in term[1:])
    return bool(term == name)
