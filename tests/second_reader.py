"""A second reader of rule sheets: it queries a sheet directly, with tables of answers.

It knows nothing of the advisor and of clingo. Terms are words, as the sheet writes them in lower
case, or tuples of terms; numbers are words, too. `not` needs rules that are stratified for the
queries that occur, and every recursion ends, since no query is made twice.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

Term = Any  # a word or a tuple of terms
Values = dict[str, Term]
State = frozenset[Term]


class Sheet:
    """A game as its rule sheet says it."""

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[tuple[Term, tuple[Term, ...]]]] = defaultdict(list)
        for form in _read(text):
            head, *body = map(_marked, form[1:] if form[0] == "<=" else [form])
            self._rules[_name(head)].append((head, tuple(body)))
        self._changing = self._of_the_state()
        self._fixed: dict[Term, dict[Term, None]] = {}
        self._asked: Any = None
        self._asks(frozenset(), {})
        self.roles: list[Term] = [role for _, role in self._answers(("role", "?r"))]
        self.start: State = frozenset(fact for _, fact in self._answers(("init", "?f")))

    def legal(self, state: State) -> dict[Term, set[Term]]:
        """The moves of each role."""
        self._asks(state, {})
        found = self._answers(("legal", "?p", "?m"))
        return {role: {move for _, player, move in found if player == role} for role in self.roles}

    def is_over(self, state: State) -> bool:
        self._asks(state, {})
        return bool(self._answers("terminal"))

    def goals(self, state: State) -> dict[Term, set[Term]]:
        """The goals that each role has reached; a careless sheet may have several or none."""
        self._asks(state, {})
        return {role: {a[2] for a in self._answers(("goal", role, "?v"))} for role in self.roles}

    def after(self, state: State, moves: dict[Term, Term]) -> State:
        """The state that follows when each role makes its move."""
        self._asks(state, moves)
        return frozenset(fact for _, fact in self._answers(("next", "?f")))

    # Questions and their tables

    def _asks(self, state: State, moves: dict[Term, Term]) -> None:
        """Begins with other facts; only tables that do not depend on them stay."""
        if self._asked == (state, moves):
            return
        self._asked = state, moves
        self._facts = defaultdict(list)
        for atom in [
            *(("true", fact) for fact in state),
            *(("does", *pair) for pair in moves.items()),
        ]:
            self._facts[atom[0], _first(atom)].append(atom)
            self._facts[atom[0], None].append(atom)
        self._whole: dict[Term, dict[Term, None]] = {}
        self._open: dict[Term, tuple[int, dict[Term, None]]] = {}
        self._partial: dict[Term, tuple[int, float, dict[Term, None]]] = {}
        self._round = self._growth = 0
        self._lowest = inf

    def _answers(self, question: Term) -> Iterable[Term]:
        """All instances of a question that hold, as far as they are known.

        They are all there are unless the question depends on one that is still open. Then
        `_lowest` becomes the depth of the outermost such question, which asks again and again
        until nothing is added.
        """
        name = _name(question)
        if name in ("true", "does"):
            first = _first(question)
            return self._facts[name, None if first.startswith("?") else first]
        question = _plain(question)
        tables = self._whole if name in self._changing else self._fixed
        if question in tables:
            return tables[question]
        if question in self._open:
            depth, found = self._open[question]
            self._lowest = min(self._lowest, depth)
            return [*found]
        number, lowest, found = self._partial.get(question, (0, inf, {}))
        if number == self._round and question in self._partial:
            self._lowest = min(self._lowest, lowest)
            return [*found]
        depth, outer = len(self._open), self._lowest
        self._open[question] = depth, found
        while True:
            before, self._lowest = self._growth, inf
            for head, body in self._rules[name]:
                self._derive(question, head, body, found)
            if self._lowest < depth or self._growth == before:
                break
            self._round += 1
        del self._open[question]
        self._partial[question] = self._round, self._lowest, found
        within = [q for q, (_, lowest, _) in self._partial.items() if lowest >= depth]
        for each in {question: None, **dict.fromkeys(within)}:
            number, _, rows = self._partial.pop(each)
            if self._lowest < depth:  # they wait for the same open question now
                self._partial[each] = number, self._lowest, rows
            else:
                (self._whole if _name(each) in self._changing else self._fixed)[each] = rows
        self._lowest = min(self._lowest if self._lowest < depth else inf, outer)
        return [*found]

    def _derive(
        self, question: Term, head: Term, body: tuple[Term, ...], found: dict[Term, None]
    ) -> None:
        values = _unified(question, head, {})
        for solution in () if values is None else self._solve(body, values):
            atom = _value(head, solution)
            if _is_open(atom):
                raise ValueError(f"{atom}: a variable has no value")
            if atom not in found:
                found[atom] = None
                self._growth += 1

    def _solve(self, goals: tuple[Term, ...], values: Values) -> Iterator[Values]:
        """The values of variables with which all goals hold."""
        if not goals:
            yield values
            return
        ready = (i for i, goal in enumerate(goals) if not _waits(goal, values))
        chosen = next(ready, 0)
        goal, rest = goals[chosen], goals[:chosen] + goals[chosen + 1 :]
        match _name(goal):
            case "and":
                yield from self._solve((*goal[1:], *rest), values)
            case "or":
                for part in goal[1:]:
                    yield from self._solve((part, *rest), values)
            case "distinct":
                if _value(goal[1], values) != _value(goal[2], values):
                    yield from self._solve(rest, values)
            case "not":
                if not self._holds(goal[1], values):
                    yield from self._solve(rest, values)
            case _:
                asked = _value(goal, values)
                for atom in self._answers(asked):
                    found: Values = {}
                    if _matches(asked, atom, found):
                        yield from self._solve(rest, {**values, **found})

    def _holds(self, goal: Term, values: Values) -> bool:
        """Whether a goal has any solution, with values for what has none."""
        outer, self._lowest = self._lowest, inf
        holds = next(self._solve((goal,), values), None) is not None
        if self._lowest < inf and not holds:
            raise ValueError(f"not {goal}: the rules are not stratified")
        self._lowest = min(self._lowest, outer)
        return holds

    def _of_the_state(self) -> set[str]:
        """The names of relations that depend on the state or the moves."""
        found, before = {"true", "does"}, 0
        while len(found) > before:
            before = len(found)
            found |= {
                name
                for name, rules in self._rules.items()
                if any(found & {*_words(body)} for _, body in rules)
            }
        return found


def _read(text: str) -> list[Term]:
    """The forms of a sheet; brackets around a single form, or around all of them, say nothing."""
    stack: list[list[Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done[0] if len(done) == 1 else done)
        else:
            stack[-1].append(token)
    (forms,) = stack
    return [*forms[0]] if len(forms) == 1 and isinstance(forms[0][0], tuple) else forms


def _name(atom: Term) -> str:
    return str(atom[0] if isinstance(atom, tuple) else atom)


def _first(atom: Term) -> str:
    """The word with which an atom's first argument begins."""
    return _name(atom[1])


def _words(term: Term) -> Iterator[str]:
    if isinstance(term, tuple):
        for part in term:
            yield from _words(part)
    else:
        yield term


def _is_open(term: Term) -> bool:
    """Whether there is a variable in it."""
    return any(word.startswith("?") for word in _words(term))


def _waits(goal: Term, values: Values) -> bool:
    """A test whose variables have no values yet is put off."""
    return _name(goal) in ("not", "distinct") and _is_open(_value(goal, values))


def _marked(term: Term) -> Term:
    """A rule's term with fresh variables: variables of questions are numbers."""
    if isinstance(term, tuple):
        return tuple(map(_marked, term))
    return f"{term}'" if term.startswith("?") else term


def _plain(question: Term) -> Term:
    """A question with its variables numbered, so that equal questions are the same."""
    names: dict[str, str] = {}

    def plain(term: Term) -> Term:
        if isinstance(term, tuple):
            return tuple(map(plain, term))
        return names.setdefault(term, f"?{len(names)}") if term.startswith("?") else term

    return plain(question)


def _value(term: Term, values: Values) -> Term:
    """A term with the values of its variables."""
    if isinstance(term, tuple):
        return tuple([_value(part, values) for part in term])
    return _value(values[term], values) if term in values else term


def _matches(pattern: Term, atom: Term, found: Values) -> bool:
    """Whether values for the variables of a pattern make it an atom without any; finds them."""
    if isinstance(pattern, tuple):
        return (
            isinstance(atom, tuple)
            and len(pattern) == len(atom)
            and all(_matches(p, a, found) for p, a in zip(pattern, atom, strict=True))
        )
    if pattern.startswith("?"):
        return bool(found.setdefault(pattern, atom) == atom)
    return bool(pattern == atom)


def _unified(left: Term, right: Term, values: Values) -> Values | None:
    """The values with which two terms are the same; None if there are none."""
    left, right = _value(left, values), _value(right, values)
    if left == right:
        return values
    if isinstance(left, str) and left.startswith("?"):
        return {**values, left: right}
    if isinstance(right, str) and right.startswith("?"):
        return {**values, right: left}
    if isinstance(left, str) or isinstance(right, str) or len(left) != len(right):
        return None
    for one, other in zip(left, right, strict=True):
        found = _unified(one, other, values)
        if found is None:
            return None
        values = found
    return values
