"""Why there is no answer set: rules and facts that cannot hold together."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from aspcircuits.clingo_api import Program, Term, render
from aspcircuits.rewriting import PlainRule, as_tuple, find_relevant, head_bounds
from aspcircuits.source import Statement
from aspcircuits.stopping import Stop

_KEPT = "#const", "#edge", "#external", "disjunction"
"""Statements that are never left out."""


def find_conflict(
    program: Iterable[Statement],
    rules: Sequence[PlainRule],
    given: Collection[Term],
    possible: Collection[Term],
    constants: Mapping[str, int],
    stop: Stop,
) -> list[tuple[PlainRule | None, Term]]:
    """Return a minimal set of rules, facts and given atoms that cannot hold together.

    A rule that is left out may still derive its heads, but need not: they become a choice. A
    constraint, and the bounds of a choice, are left out as a whole. So the rules of the set
    contradict each other whatever the other rules derive, and none of them can be left out.

    Args:
        possible: all atoms of the ground program.

    Returns:
        Pairs of a rule and, if it is a fact, its atom; without a rule the atom is given.
    """
    text = [s.text for s in program if s.kind in _KEPT]
    terms = {term for atom in possible if isinstance(atom, tuple) for term in atom[1:]}
    text += [f"_why_term({render(term)})." for term in terms]
    for number, rule in enumerate(rules):
        loops = rule.makes_terms and rule in find_relevant(rules, rule.asks_for)
        text += _relax_rule(number, rule, bounded=loops)
    for atom in given:
        told = render(atom)
        text.append(f"{{{told}; _why_keep(-1,{told})}}. :- not {told}, _why_keep(-1,{told}).")
    options = ("--warn=none",)
    asked = Program((), (), constants, options, rules="\n".join(text))
    kept = asked.find_core([(atom, True) for atom, _ in asked.atoms("_why_keep", 2)]) or []
    for atom in [*kept]:
        stop.check()
        if atom in kept:
            smaller = asked.find_core([(other, True) for other in kept if other != atom])
            kept = kept if smaller is None else smaller
    return [(rules[a[1]] if a[1] >= 0 else None, a[2]) for a in sorted(kept, key=_place)]


def _place(kept: Term) -> tuple[bool, int, str]:
    return kept[1] < 0, kept[1], render(kept[2])


def _relax_rule(number: int, rule: PlainRule, bounded: bool) -> Iterator[str]:
    """Yield a rule that applies if ``_why_keep`` holds, and whose heads may be chosen otherwise.

    Args:
        bounded: it uses only terms of the program. Otherwise there might be no end of them, as when
            ``n(X+1) :- n(X), not last(X)`` has lost ``last(9)``.
    """
    body, kind = rule.body_text, rule.kind
    keep = f"_why_keep({number},0)"
    if kind == "disjunction":
        return
    if kind == "rule":
        (head,), (atom,) = rule.heads, rule.atoms
        names = [f"_Argument{n}" for n in range(atom.arity)]
        plain = f"{atom.name}({','.join(names)})" if names else atom.name
        wanted = f"_why_want({number},{plain})"
        chosen = f"{{{keep}}}."
        if not rule.body:
            keep = f"_why_keep({number},{plain})"
            chosen = f"{{{keep}}} :- {wanted}."
        yield f"_why_want({number},{head.tuple}) :- {body}."
        known = "".join(f", _why_term({name})" for name in names) if bounded else ""
        yield f"{{{plain}}} :- {wanted}{known}."
        yield f"{chosen} :- {wanted}, not {plain}, {keep}."
        return
    # If there were one element only, clingo would confuse its variables with the body's.
    body = f"_why_want({number},{as_tuple(rule.variables)})"
    yield f"{body} :- {rule.body_text}."
    for head in rule.heads:
        condition = head.condition
        if bounded:
            condition += "".join(f", _why_term({term})" for term in head.arguments)
        yield f"{{{head.tuple} : {condition}}} :- {body}."
    if refused := _head_violation(rule):
        yield f"{{{keep}}}. :- {body}; {refused}; {keep}."


def _head_violation(rule: PlainRule) -> str:
    """Return when the head of a rule without a plain head is false; nothing if it never is."""
    if rule.kind == "constraint":
        return "#true"
    node = rule.head_node
    if rule.kind == "negated head":
        text = str(node)
        return text.replace("not ", "", 1) if node.sign else f"not {text}"
    return head_bounds(node)
