"""Rewrite rules so that they have fewer instances: by calls, by moves, and variable by variable.

Sheets are written for top-down proof, goal by goal, but grounding derives everything that a rule
can derive. The functions here return rules that derive the same atoms of the predicates that the
rules had before.

A survey of what can hold at all gives the numbers of instances: it grounds the rules as if every
possible state and move held, and drops negated conditions on the state, so that it derives all that
can hold in some state. That program has no choices; its only answer set lists the atoms of states,
the moves, and the numbers of all other atoms.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, partial
from math import inf, prod

from advisor.plugins.gdl.language import (
    Literal,
    Rule,
    Signature,
    Variable,
    arguments,
    atom_of,
    bound_variables,
    cone,
    dynamic,
    in_order,
    matches,
    rules_by_predicate,
    signature,
    simplify_rule,
    substitute,
    variables,
    variables_of,
)
from advisor.plugins.gdl.sheet import Names
from aspcircuits import own_process
from aspcircuits.clingo_api import Program, Term

CONTRACT = {("legal", 2), ("next", 1), ("goal", 2), ("terminal", 0), ("init", 1), ("role", 1)}

DECLARED: set[Signature] = {("base", 1), ("input", 2)}
"""Declarations of states and moves; a sheet that has them allows no other states and moves."""

_GROWTH = 8
"""How much deeper the terms of a state may be nested than the terms in the sheet."""

_MANY = 4
"""Number of variables from which on a rule may have too many instances."""

_WIDE = 3
"""Number of arguments from which on a relation may be too large unless restricted to its calls."""

_VERY_MANY = 7
"""Number of variables from which on a rule is split before its instances are counted."""

_INSTANCES = 5_000
"""A rule with at most this number of instances stays as it is written."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of possible atoms that match an atom in a rule, and of values of each variable."""

    atoms: int
    values: dict[Variable, int]


@dataclass(frozen=True, slots=True)
class Survey:
    """The atoms that can hold in some state.

    Attributes:
        base: the atoms that states consist of.
        start: the atoms of the initial state.
        inputs: pairs of a role and a move.
        extents: of atoms in rules.
        too_deep: a fact of a state that grows without bound; None if there is none.
    """

    base: tuple[Term, ...]
    start: tuple[Term, ...]
    inputs: tuple[tuple[Term, Term], ...]
    extents: dict[Term, Extent]
    too_deep: Term | None

    def instances(self, rule: Rule) -> float:
        """Estimate the number of ground rules of a rule, by the usual estimate of a join's size.

        Infinite if the survey does not cover one of its predicates.
        """
        if any(x.binds and x.atom not in self.extents for x in rule.body):
            return inf
        found = [self.extents[x.atom] for x in rule.body if x.binds]
        size = float(prod(extent.atoms for extent in found))
        for variable in variables_of(rule.body):
            counts = sorted(e.values[variable] for e in found if variable in e.values)
            size /= prod(counts[1:]) or 1
        return size


def restrict_calls(
    rules: Sequence[Rule], names: Names, file: str
) -> tuple[list[Rule], tuple[Term, ...]]:
    """Restrict relations to the arguments with which they are called.

    A sheet may have a relation that only makes sense for given arguments: a sum of any two numbers,
    or the equality of any two terms. The relaxed rules give the possible calls of such a relation;
    these become a relation of facts that its rules depend on.

    Returns:
        The rules, and those facts.

    Raises:
        EncodingError: a variable of a head still has no value, or there are too many calls.
    """
    loose = {signature(rule.head) for rule in rules if rule.loose()} - CONTRACT
    given = _given_arguments(rules, loose | _broad(rules))
    loose = {name for name in given if name in loose or given[name]}
    guards = {name: names.fresh("relation", f"asked_{name[0]}") for name in loose}

    def guard(atom: Term) -> Term:
        name = signature(atom)
        return atom_of(guards[name], [arguments(atom)[i] for i in given[name]])

    guarded: list[Rule] = []
    asking: list[Rule] = []
    for rule in rules:
        name = signature(rule.head)
        asked = (Literal(guard(rule.head)),) if name in loose else ()
        body = (*asked, *_in_order(rule.body, bound_variables(asked)))
        found = replace(rule, body=body)
        if left := found.loose():
            shown = ", ".join(sorted(left))
            raise rule.place.error(
                f"nothing gives a value to {shown} in the head of '{name[0]}' (rules are safe if "
                "each variable is in a condition that is not negated)"
            )
        guarded.append(found)
        for i, literal in enumerate(body):
            if signature(literal.atom) in loose:
                asking.append(Rule(guard(literal.atom), body[:i], rule.place))
    if not loose:
        return [*rules], ()
    wanted = [signature(guard((name[0], *[0] * name[1]))) for name in sorted(loose)]
    relaxed = _write_relaxed([*guarded, *asking], names, wanted)
    return guarded, own_process.run(_possible, *relaxed, wanted, what=file)


def _broad(rules: Iterable[Rule]) -> set[Signature]:
    """Find relations about the state in which only the type of an argument gives it a value."""
    rules = [*rules]
    state = dynamic(rules)
    found: set[Signature] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        for rule in rules:
            name = signature(rule.head)
            if name not in state or name in CONTRACT or name[1] < _WIDE:
                continue
            firm = bound_variables(
                x
                for x in rule.body
                if not (x.compares or signature(x.atom) in found)
                and (signature(x.atom) in state or signature(x.atom)[1] > 1)
            )
            if variables(rule.head) - firm:
                found.add(name)
    return found


def _given_arguments(
    rules: Iterable[Rule], loose: Collection[Signature]
) -> dict[Signature, list[int]]:
    """Return the arguments of some relations that have a value in every call."""
    rules = [*rules]
    given = {name: set(range(name[1])) for name in loose}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            own = given.get(signature(rule.head), set())
            known = variables(*(arguments(rule.head)[i] for i in own))
            for literal in _in_order(rule.body, known):
                name = signature(literal.atom)
                if name in given:
                    terms = arguments(literal.atom)
                    missing = {i for i in given[name] if variables(terms[i]) - known}
                    changed |= bool(missing)
                    given[name] -= missing
                if literal.binds:
                    known |= variables(literal.atom)
    return {name: sorted(found) for name, found in given.items()}


def _in_order(body: Iterable[Literal], known: set[Variable]) -> list[Literal]:
    """Order a body for evaluation from left to right, with each test as early as possible."""
    pending, found, known = [*body], [], {*known}
    while pending:
        ready = [x for x in pending if not x.binds and variables(x.atom) <= known]
        literal = next(iter(ready or [x for x in pending if x.binds] or pending))
        pending.remove(literal)
        found.append(literal)
        if literal.binds:
            known |= variables(literal.atom)
    return found


def smaller(rules: Sequence[Rule], names: Names, known: Survey) -> list[Rule]:
    """Rewrite rules without loose variables so that they have as few instances as possible."""
    work = _Smaller(names, dynamic(rules), known)
    for rule in rules:
        if len(variables_of(rule.body)) >= _MANY and known.instances(rule) > _INSTANCES:
            for part in work.by_move(rule):
                work.split_rule(part)
        else:
            work.rules.append(rule)
    return work.rules


def _joined_by_and_by(rules: Sequence[Rule], names: Names) -> list[Rule]:
    """Split rules that join very many variables at once, for the survey of what can hold.

    The survey is what counts instances, so these rules are split before their number is known.
    Negated conditions on the state are dropped: the survey ignores them, and they would tie
    variables together. `names` does not change.
    """
    state = dynamic(rules)
    work = _Smaller(deepcopy(names), state, None)
    for rule in rules:
        body = tuple(x for x in rule.body if x.positive or signature(x.atom) not in state)
        certain = replace(rule, body=body)
        if len(variables_of(body)) >= _VERY_MANY:
            work.split_rule(certain)
        else:
            work.rules.append(certain)
    return work.rules


class _Smaller:
    """Rewrites rules into smaller ones, with auxiliary relations."""

    def __init__(self, names: Names, state: set[Signature], known: Survey | None) -> None:
        self.rules: list[Rule] = []
        self._survey = known
        self._names = names
        self._state = state
        self._known: dict[tuple[int, frozenset[Literal]], str] = {}

    def by_move(self, rule: Rule) -> list[Rule]:
        """Rewrite a rule about moves that leave something alone by the few moves that touch it.

        A role makes exactly one move. Its move does not touch a thing if the role moves at all and
        does not make a move that touches it. For example, ``next(A) :- true(A), does(P, put(X)), X
        != Y`` (with Y of A) has an instance for each A and X; it becomes ``next(A) :- true(A),
        moved(P), not touched(P, Y)``.
        """
        moves = [x for x in rule.body if signature(x.atom) == ("does", 2)]
        if len(moves) != 1 or not moves[0].positive:
            return [rule]
        move = moves[0]
        ours = variables(move.atom)
        others = [x for x in rule.body if x is not move]
        private = ours - variables(rule.head) - variables(arguments(move.atom)[0])
        for literal in others:
            spares = self._holds_mostly(literal)
            if literal.binds and not spares and variables(literal.atom) - ours:
                private -= variables(literal.atom)
        about = [x for x in others if variables(x.atom) & private]
        alone = [x for x in about if variables(x.atom) <= ours]
        tests = [x for x in about if x not in alone]
        rest = [x for x in others if x not in about]
        known = bound_variables([move, *rest])
        tested_by_some = any(x.positive and not self._holds_mostly(x) for x in tests)
        shared = variables_of(tests) - private
        if not tests or tested_by_some or not variables_of(tests) <= known:
            return [rule]
        keep = sorted(ours - private)
        share = sorted({*keep} | shared)
        moved = atom_of(self._names.fresh("relation", "moved"), keep)
        touched = atom_of(self._names.fresh("relation", "touched"), share)
        made = [Rule(moved, (move, *alone), rule.place, rule.comments)]
        for test in tests:
            opposite = replace(test, positive=not test.positive)
            part = simplify_rule(Rule(touched, (move, *alone, opposite), rule.place))
            if part is None:
                continue
            while loose := part.loose():
                source = min(
                    (x for x in rest if x.binds and min(loose) in variables(x.atom)),
                    key=lambda x: (signature(x.atom) in self._state, len(variables(x.atom))),
                )
                part = replace(part, body=(*part.body, source))
            made.append(part)
        body = (*rest, Literal(moved), Literal(touched, False))
        return [*made, replace(rule, body=body, comments=())]

    def _holds_mostly(self, literal: Literal) -> bool:
        """Whether a condition that does not depend on the state holds for most terms."""
        if not (literal.binds and self._survey) or signature(literal.atom) in self._state:
            return False
        extent = self._survey.extents.get(literal.atom, Extent(0, {}))
        return 2 * extent.atoms > prod(extent.values.values()) and len(extent.values) > 1

    def split_rule(self, rule: Rule) -> None:
        """Eliminate the variables of a rule, one at a time, by auxiliary relations."""
        body = [*rule.body]
        head = variables(rule.head)
        while len(head | variables_of(body)) >= _MANY:
            buckets = (_bucket(v, body, head) for v in sorted(variables_of(body) - head))
            best = min(
                filter(None, buckets),
                key=lambda found: (len(variables_of(found[0])), len(found[2])),
                default=None,
            )
            if best is None:
                break
            group, rest, keep = best
            body = [*rest, Literal(self._auxiliary(group, keep, rule))]
        self.rules.append(replace(rule, body=tuple(body)))

    def _auxiliary(self, group: Sequence[Literal], keep: Sequence[Variable], rule: Rule) -> Term:
        """Return the atom of an auxiliary relation that holds if these conditions hold."""
        order = [*keep, *sorted(variables_of(group) - {*keep})]
        plain = {variable: Variable(f"V{i}") for i, variable in enumerate(order, 1)}
        body = [replace(x, atom=substitute(x.atom, plain)) for x in group]
        key = len(keep), frozenset(body)
        if key not in self._known:
            name = self._known[key] = self._names.fresh(
                "relation", f"part_of_{signature(rule.head)[0]}"
            )
            head = atom_of(name, [plain[v] for v in keep])
            self.rules.append(Rule(head, tuple(body), rule.place))
        return atom_of(self._known[key], keep)


def _bucket(
    variable: Variable, body: Sequence[Literal], head: set[Variable]
) -> tuple[list[Literal], list[Literal], list[Variable]] | None:
    """Choose the conditions whose removal eliminates a variable.

    Returns:
        These conditions, the others, and the variables that both share; None if it does not help.
    """
    group = [x for x in body if variable in variables(x.atom)]
    rest = [x for x in body if x not in group]
    while loose := variables_of(group) - bound_variables(group):
        sources = [
            x for x in body if x.binds and x not in group and min(loose) in variables(x.atom)
        ]
        if not sources:
            return None
        group.append(min(sources, key=lambda x: len(variables(x.atom))))
    total = head | variables_of(body)
    keep = variables_of(group) & (head | variables_of(rest))
    alone = len(group) == 1 and keep == variables_of(group)
    if not rest or alone or len(variables_of(group)) >= len(total):
        return None
    return group, rest, sorted(keep)


# What can hold


def survey(rules: Sequence[Rule], names: Names, file: str) -> Survey:
    """Survey what can hold, and count the atoms that match the conditions of wide rules.

    Raises:
        EncodingError: the survey takes too much time or memory.
    """
    wide = (rule for rule in rules if len(variables_of(rule.body)) >= _MANY)
    atoms = {x.atom for rule in wide for x in rule.body if x.binds}
    return own_process.run(_survey, *_write_relaxed(rules, names, ()), atoms, what=file)


def _write_relaxed(
    rules: Sequence[Rule], names: Names, wanted: Iterable[Signature]
) -> tuple[str, int]:
    """Write the program that derives all that can hold; return it with the maximum term depth."""
    rules = _joined_by_and_by(rules, names)
    wanted = [("legal", 2), ("next", 1), ("init", 1), ("role", 1), *wanted]
    guarded = {*rules_by_predicate(rules)} >= DECLARED
    program = cone(rules, [*wanted, *DECLARED] if guarded else wanted)
    base, given = (", base(A)", ", input(P, M)") if guarded else ("", "")
    text = "".join(dict.fromkeys(f"{rule}\n" for rule in program)) + (
        f"true(A) :- init(A), @shallow(A) = 1{base}.\n"
        f"true(A) :- next(A), @shallow(A) = 1{base}.\n"
        f"does(P, M) :- legal(P, M){given}.\n"
    )
    deepest = max(_depth(x) for r in rules for x in (r.head, *(x.atom for x in r.body)))
    return text, deepest + _GROWTH


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term[1:]), default=0) if isinstance(term, tuple) else 0


def _possible(text: str, deepest: int, wanted: Sequence[Signature]) -> tuple[Term, ...]:
    program, _ = _ground_program(text, deepest)
    return tuple(atom for name in wanted for atom in _atoms(program, name))


def _survey(text: str, deepest: int, atoms: set[Term]) -> Survey:
    program, too_deep = _ground_program(text, deepest)
    known = cache(partial(_atoms, program))
    # The initial state and the successors of declared states are states, declared or not.
    states: list[Signature] = [("true", 1), ("init", 1), ("next", 1)]
    return Survey(
        base=tuple(dict.fromkeys(atom[1] for name in states for atom in known(name))),
        start=tuple(atom[1] for atom in known(("init", 1))),
        inputs=tuple((role, move) for _, role, move in known(("does", 2))),
        extents=_extents(atoms, known),
        too_deep=next(iter(too_deep), None),
    )


def _ground_program(text: str, deepest: int) -> tuple[Program, list[Term]]:
    """Ground a program; return it with the atoms of states that were too deep to be derived."""
    too_deep: list[Term] = []

    def shallow(term: Term) -> int:
        if _depth(term) > deepest:
            too_deep.append(term)
        return int(_depth(term) <= deepest)

    functions = {"shallow": shallow}
    return Program([], rules=text, options=("--warn=none",), functions=functions), too_deep


def _atoms(program: Program, name: Signature) -> list[Term]:
    return [atom for atom, _ in program.atoms(*name)]


def _extents(atoms: Iterable[Term], known: Callable[[Signature], list[Term]]) -> dict[Term, Extent]:
    """Count the atoms that match each atom; atoms alike but for variable names share a count."""
    found: dict[Term, Extent] = {}
    counted: dict[Term, tuple[int, list[int]]] = {}
    for atom in atoms:
        if not known(signature(atom)):
            continue  # it only concerns the end or the goals
        own = [*dict.fromkeys(in_order(atom))]
        plain = [Variable(f"V{i}") for i in range(len(own))]
        pattern = substitute(atom, dict(zip(own, plain, strict=True)))
        if pattern not in counted:
            rows = _values(pattern, plain, known(signature(atom)))
            counted[pattern] = len(rows), [len({*column}) for column in zip(*rows, strict=True)]
        count, sizes = counted[pattern]
        found[atom] = Extent(count, dict(zip(own, sizes or [0] * len(own), strict=True)))
    return found


def _values(
    pattern: Term, wanted: Sequence[Variable], known: Iterable[Term]
) -> list[Sequence[Term]]:
    """Return the values of the variables in each atom that matches a pattern."""
    if [*arguments(pattern)] == [*wanted]:
        return [arguments(atom) for atom in known]
    found: list[Sequence[Term]] = []
    for atom in known:
        match: dict[Variable, Term] = {}
        if matches(pattern, atom, match):
            found.append([match[variable] for variable in wanted])
    return found
