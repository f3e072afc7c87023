"""Rule sheets in GDL asked directly, by resolution: nothing of the advisor's, and slow.

Terms are nested tuples of words as they stand in the sheet; numbers are words too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

Term = Any  # a word or a tuple of terms
Values = Mapping[str, Term]


def _read(text: str) -> list[Term]:
    stack: list[list[Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def _value(term: Term, values: Values) -> Term:
    if isinstance(term, tuple):
        return tuple(_value(part, values) for part in term)
    while isinstance(term, str) and term in values:
        term = values[term]
        if isinstance(term, tuple):
            return _value(term, values)
    return term


def _unified(left: Term, right: Term, values: Values) -> Values | None:
    left, right = _value(left, values), _value(right, values)
    if left == right:
        return values
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str) and one.startswith("?"):
            return {**values, one: other}
    if not isinstance(left, tuple) or not isinstance(right, tuple) or len(left) != len(right):
        return None
    for one, other in zip(left, right, strict=True):
        if (found := _unified(one, other, values)) is None:
            return None
        values = found
    return values


class Interpreter:
    """A rule sheet and what is true in a state."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[Term, tuple[Term, ...]]]] = defaultdict(list)
        self._numbers = count()
        for term in _read(text):
            head, body = (term[1], term[2:]) if term[0] == "<=" else (term, ())
            self._rules[_name(head)].append((head, body))

    def all(self, question: Term, given: Iterable[Term] = ()) -> set[Term]:
        """The instances of an atom that hold where these atoms do."""
        self._known: dict[Term, bool] = {}
        self._given = defaultdict(list)
        for atom in given:
            self._given[atom[0]].append(atom)
        return {_value(question, values) for values in self._solve((question,), {})}

    def _solve(self, goals: tuple[Term, ...], values: Values) -> Iterator[Values]:
        if not goals:
            yield values
            return
        goal, rest = goals[0], goals[1:]
        if self._waits(goal, values) and any(not self._waits(g, values) for g in rest):
            yield from self._solve((*rest, goal), values)
            return
        name = _name(goal)
        if name == "not":
            if next(self._solve((goal[1],), values), None) is None:
                yield from self._solve(rest, values)
        elif name == "distinct":
            if _value(goal[1], values) != _value(goal[2], values):
                yield from self._solve(rest, values)
        elif name == "or":
            for part in goal[1:]:
                yield from self._solve((part, *rest), values)
        else:
            asked = _value(goal, values)
            if "?" in str(asked):
                for found in self._derived(asked, values):
                    yield from self._solve(rest, found)
            elif self._holds(asked):
                yield from self._solve(rest, values)

    def _derived(self, goal: Term, values: Values) -> Iterator[Values]:
        name = _name(goal)
        for atom in self._given[name]:
            if (found := _unified(goal, atom, values)) is not None:
                yield found
        for head, body in self._rules[name]:
            mark = f"#{next(self._numbers)}"
            found = _unified(goal, _marked(head, mark), values)
            if found is not None:
                yield from self._solve(tuple(_marked(b, mark) for b in body), found)

    def _holds(self, atom: Term) -> bool:
        """Whether an atom without variables holds, found out once."""
        if atom not in self._known:
            self._known[atom] = next(self._derived(atom, {}), None) is not None
        return self._known[atom]

    def _waits(self, goal: Term, values: Values) -> bool:
        """A test whose variables have no values yet is put off."""
        return _name(goal) in ("not", "distinct") and "?" in str(_value(goal, values))


def _name(atom: Term) -> str:
    return str(atom[0] if isinstance(atom, tuple) else atom)


def _marked(term: Term, mark: str) -> Term:
    if isinstance(term, tuple):
        return tuple(_marked(part, mark) for part in term)
    return term + mark if term.startswith("?") else term
