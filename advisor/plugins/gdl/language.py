"""Terms, literals and rules between a rule sheet and its encoding.

Terms are as in `aspcircuits.clingo_api`, with variables added.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.plugins.gdl.kif import Place
from aspcircuits.clingo_api import Term, render
from aspcircuits.clingo_api import signature as signature

Signature = tuple[str, int]
"""A predicate: its name and number of arguments."""

GIVEN: tuple[Signature, ...] = (("true", 1), ("does", 2))
"""Predicates that no rule derives: the state and the moves."""

EQUAL = "="
"""Name of the atom for the equality of two terms; its negation is GDL's ``distinct``."""


class Variable(str):
    """A variable; its text is its name in the encoding."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom of a body, perhaps negated: of a predicate, or ``(EQUAL, term, term)``."""

    atom: Term
    positive: bool = True

    @property
    def binds(self) -> bool:
        """Whether the literal gives values to its variables."""
        return self.positive and not self.compares

    @property
    def compares(self) -> bool:
        """Whether the literal compares two terms."""
        return isinstance(self.atom, tuple) and self.atom[0] == EQUAL

    def __str__(self) -> str:
        if self.compares:
            _, left, right = self.atom
            return f"{render(left)} {'=' if self.positive else '!='} {render(right)}"
        return render(self.atom) if self.positive else f"not {render(self.atom)}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule (a fact if it has no body), with its place in the sheet and the comments before it."""

    head: Term
    body: tuple[Literal, ...]
    place: Place
    comments: tuple[str, ...] = ()

    def __str__(self) -> str:
        body = f" :- {', '.join(map(str, self.body))}" if self.body else ""
        return f"{render(self.head)}{body}."

    def loose(self) -> set[Variable]:
        """Return the variables of the head to which the body gives no value."""
        return variables(self.head) - bound_variables(self.body)


def atom_of(name: str, terms: Sequence[Term]) -> Term:
    """Make the atom of a predicate with these arguments."""
    return (name, *terms) if terms else name


def arguments(atom: Term) -> Sequence[Term]:
    return atom[1:] if isinstance(atom, tuple) else ()


def variables(*terms: Term) -> set[Variable]:
    """Return the variables in some terms or atoms."""
    return set(in_order(*terms))


def in_order(*terms: Term) -> Iterator[Variable]:
    """Yield each occurrence of a variable in some terms or atoms, from left to right."""
    for term in terms:
        if isinstance(term, tuple):
            yield from in_order(*term[1:])
        elif isinstance(term, Variable):
            yield term


def variables_of(body: Iterable[Literal]) -> set[Variable]:
    return variables(*(literal.atom for literal in body))


def bound_variables(body: Iterable[Literal]) -> set[Variable]:
    """Return the variables to which a body gives values."""
    return variables_of(literal for literal in body if literal.binds)


def substitute(term: Term, values: Mapping[Variable, Term]) -> Term:
    """Replace variables of a term or an atom by terms."""
    if isinstance(term, tuple):
        name, *rest = term
        return (name, *(substitute(argument, values) for argument in rest))
    return values.get(term, term) if isinstance(term, Variable) else term


def matches(pattern: Term, term: Term, match: dict[Variable, Term]) -> bool:
    """Whether a term is an instance of a pattern; adds the values of its variables to `match`."""
    if isinstance(pattern, Variable):
        return bool(match.setdefault(pattern, term) == term)
    if isinstance(pattern, tuple) and isinstance(term, tuple):
        return len(pattern) == len(term) and all(
            matches(ours, theirs, match) for ours, theirs in zip(pattern, term, strict=True)
        )
    return bool(pattern == term)


def with_atoms(rule: Rule, changed: Callable[[Term], Term]) -> Rule:
    """Replace all atoms of a rule."""
    body = tuple(replace(x, atom=changed(x.atom)) for x in rule.body)
    return replace(rule, head=changed(rule.head), body=body)


def with_relations(rule: Rule, new: Mapping[Signature, str]) -> Rule:
    """Rename some relations in a rule."""

    def rename_atom(atom: Term) -> Term:
        return atom_of(new.get(signature(atom), signature(atom)[0]), arguments(atom))

    return with_atoms(rule, rename_atom)


def with_values(rule: Rule, values: Mapping[Variable, Term]) -> Rule:
    """Replace variables of a rule by terms."""
    return with_atoms(rule, lambda atom: substitute(atom, values))


def simplify_rule(rule: Rule) -> Rule | None:
    """Evaluate the comparisons of a rule that can be decided; None if one of them never holds."""
    while True:
        for literal in rule.body:
            if not literal.compares:
                continue
            _, left, right = literal.atom
            rest = replace(rule, body=tuple(x for x in rule.body if x is not literal))
            if left == right or not variables(left, right):
                if (left == right) != literal.positive:
                    return None
                rule = rest
                break
            if literal.positive:
                if not isinstance(left, Variable):
                    left, right = right, left
                if isinstance(left, Variable) and left not in variables(right):
                    rule = with_values(rest, {left: right})
                    break
        else:
            return replace(rule, body=tuple(dict.fromkeys(rule.body)))


def rules_by_predicate(rules: Iterable[Rule]) -> dict[Signature, list[Rule]]:
    """Group rules by the predicate that they derive."""
    found: dict[Signature, list[Rule]] = {}
    for rule in rules:
        found.setdefault(signature(rule.head), []).append(rule)
    return found


def body_predicates(rules: Iterable[Rule]) -> dict[Signature, set[Signature]]:
    """Map each predicate to the predicates in the bodies of its rules."""
    found: dict[Signature, set[Signature]] = {}
    for rule in rules:
        below = {signature(x.atom) for x in rule.body if not x.compares}
        found.setdefault(signature(rule.head), set()).update(below)
    return found


def reachable_predicates(
    onwards: Mapping[Signature, Iterable[Signature]], start: Iterable[Signature]
) -> set[Signature]:
    """Return all predicates reachable from some predicates, these included."""
    found: set[Signature] = set()
    pending = [*start]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += onwards.get(name, ())
    return found


def cone(rules: Sequence[Rule], wanted: Iterable[Signature]) -> list[Rule]:
    """Keep the rules on which some predicates depend, in their order."""
    needed = reachable_predicates(body_predicates(rules), wanted)
    return [rule for rule in rules if signature(rule.head) in needed]


def dynamic(rules: Iterable[Rule]) -> set[Signature]:
    """Return the predicates that depend on the state or the moves."""
    users: dict[Signature, set[Signature]] = {}
    for head, below in body_predicates(rules).items():
        for name in below:
            users.setdefault(name, set()).add(head)
    return reachable_predicates(users, GIVEN)
