"""Finds the rule that keeps clingo busy while it grounds.

clingo reports nothing while it grounds. So the program is grounded once more, for a short time,
with a function call in each body and condition that counts how often it is tried.

Only this module, `clingo_api`, `source` and `rewriting` import clingo.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

import clingo
from clingo import ast

from aspcircuits.clingo_api import Grounding
from aspcircuits.rewriting import source_text, take_apart
from aspcircuits.source import as_statement, nodes
from aspcircuits.texts import shorten_text

_KIND = ast.ASTType

_WARMING, _COUNTING = 0.7, 1.0
"""Seconds in which nothing is counted, since rules that end soon are tried first; then seconds of
counting."""

_LEAST = 100
"""Least number of tries of a rule that is named."""

_SHOWN = 80
"""Most letters of a rule in an error."""

_NO_FILE = "<string>"
"""The file name that clingo gives to a text."""


@dataclass(frozen=True, slots=True)
class BusyRule:
    """A rule that clingo tries very often.

    Attributes:
        file, line: where it begins; without a file it is in a text.
        text: the rule as written, on one line.
        tried: number of combinations of values with which it was tried within a second.
        variables: number of its variables.
        can_grow: whether it is part of a loop that makes terms, such as greater numbers.
    """

    file: str
    line: int
    text: str
    tried: int
    variables: int
    can_grow: bool

    def __str__(self) -> str:
        told = f"`{shorten_text(self.text, _SHOWN)}` was tried {self.tried:,} times in a second"
        if self.can_grow:
            return f"{told} (do its numbers or terms grow without end?)"
        if self.variables > 1:
            return f"{told} (it combines the values of {self.variables} variables)"
        return told


def find_busiest(grounding: Grounding) -> BusyRule | None:
    """Return the rule that is tried most often while clingo grounds a program.

    The work takes less than two seconds, or longer if no rule can be counted. Then the caller ends
    the process.

    Returns:
        The rule; None if no rule is tried often.

    Raises:
        RuntimeError: clingo refuses the program.
    """
    control = clingo.Control([*grounding.options, "-Wnone"], logger=_ignore)
    control.add("base", [], grounding.given)
    found: list[ast.AST] = []
    with ast.ProgramBuilder(control) as builder:

        def add(statement: ast.AST) -> None:
            found.append(statement)
            builder.add(_Counted(len(found) - 1).count_in(statement))

        if grounding.files:
            ast.parse_files(list(grounding.files), add, logger=_ignore)
        ast.parse_string(grounding.rules, add, logger=_ignore)
    counting = _Counting()
    with suppress(_TimeUpError):
        control.ground([("base", [])], context=counting)
    for number, tried in counting.tried.most_common(1):
        if tried >= _LEAST:
            return _describe_rule(found, number, tried)
    return None


def _ignore(_code: clingo.MessageCode, _text: str) -> None:
    """Drop a message of clingo, which the grounding itself reports."""


class _TimeUpError(Exception):
    """Raised to end the grounding."""


class _Counting:
    """Counts how often each statement is tried, until the time is up."""

    def __init__(self) -> None:
        self.tried: Counter[int] = Counter()
        self._warm = monotonic() + _WARMING
        self._end = self._warm + _COUNTING

    def count_try(self, number: clingo.Symbol, *_values: clingo.Symbol) -> clingo.Symbol:
        """Count a try; clingo calls this function for each combination of values."""
        now = monotonic()
        if now > self._warm:
            if now > self._end:
                raise _TimeUpError
            self._warm = self._end
            self.tried.clear()
        self.tried[number.number] += 1
        return clingo.Number(0)


class _Counted(ast.Transformer):
    """Adds ``Called = @count_try(number, X, Y, ...)`` to a statement's body and conditions.

    X, Y, ... are the variables to which the other literals give values. An interval in a head
    stands for many values as well: a variable takes its place.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._in_head = False

    # clingo calls these methods by the names of the kinds of nodes: hence noqa.
    def visit_Rule(self, rule: ast.AST) -> ast.AST:  # noqa: N802
        """Return a rule with the calls."""
        self._in_head = True
        head = self.visit(rule.head)
        self._in_head = False
        intervals = _Intervals()
        if head.ast_type == _KIND.Literal:
            head = intervals.visit(head)
        body = self._with_call([*self.visit_sequence(rule.body), *intervals.values])
        return rule.update(head=head, body=body)

    def visit_ConditionalLiteral(self, part: ast.AST) -> ast.AST:  # noqa: N802
        """Return a literal whose condition has the call."""
        intervals, literal = _Intervals(), part.literal
        if self._in_head:
            literal = intervals.visit(literal)
        return part.update(
            literal=literal, condition=self._with_call([*part.condition, *intervals.values])
        )

    def visit_BodyAggregateElement(self, part: ast.AST) -> ast.AST:  # noqa: N802
        """Return an element whose condition has the call."""
        return part.update(condition=self._with_call([*part.condition]))

    def count_in(self, statement: ast.AST) -> ast.AST:
        """Return a statement with the calls."""
        visited = self.visit(statement)
        is_rule = statement.ast_type == _KIND.Rule
        if is_rule or "body" not in statement.child_keys:
            return visited
        return visited.update(body=self._with_call([*visited.body]))

    def _with_call(self, body: list[ast.AST]) -> list[ast.AST]:
        """Return the literals of a body and a call; nothing counts without variables."""
        variables = dict.fromkeys(name for literal in body for name in _bound_by(literal))
        if not variables:
            return body
        place = body[0].location
        values = [ast.SymbolicTerm(place, clingo.Number(self._number))]
        values += [ast.Variable(place, name) for name in variables]
        call = _equal(ast.Variable(place, _CALLED), ast.Function(place, "count_try", values, True))
        return [call, *map(_after_call, body)]


_CALLED = "GrowthCalled"
"""The variable that gets the result of the call, which is 0."""


def _equal(left: ast.AST, right: ast.AST) -> ast.AST:
    """Return the literal ``left = right``."""
    comparison = ast.Comparison(left, [ast.Guard(ast.ComparisonOperator.Equal, right)])
    return ast.Literal(left.location, ast.Sign.NoSign, comparison)


def _after_call(literal: ast.AST) -> ast.AST:
    """Return ``(X, Called) < (Y, 0)`` for ``X < Y``, which clingo would test before the call."""
    if literal.ast_type != _KIND.Literal or literal.atom.ast_type != _KIND.Comparison:
        return literal
    (guard, *more), place = literal.atom.guards, literal.location
    if more or guard.comparison == ast.ComparisonOperator.Equal:
        return literal  # an equation may give a variable its value
    term = literal.atom.term
    left = ast.Function(place, "", [term, ast.Variable(place, _CALLED)], False)
    zero = ast.SymbolicTerm(place, clingo.Number(0))
    right = ast.Function(place, "", [guard.term, zero], False)
    compared = ast.Comparison(left, [ast.Guard(guard.comparison, right)])
    return literal.update(atom=compared)


class _Intervals(ast.Transformer):
    """Replaces intervals by variables.

    Attributes:
        values: a literal for each variable that gives it the values of the interval.
    """

    def __init__(self) -> None:
        self.values: list[ast.AST] = []

    # clingo's name, as above
    def visit_Interval(self, interval: ast.AST) -> ast.AST:  # noqa: N802
        """Return the variable for an interval."""
        variable = ast.Variable(interval.location, f"GrowthValue{len(self.values)}")
        self.values.append(_equal(variable, interval))
        return variable


def _bound_by(literal: ast.AST) -> Iterator[str]:
    """Yield the variables to which an atom or an interval in a body gives values."""
    if literal.ast_type != _KIND.Literal or literal.sign != ast.Sign.NoSign:
        return
    inner = [*nodes(literal.atom)]
    is_atom = literal.atom.ast_type == _KIND.SymbolicAtom
    if is_atom or any(node.ast_type == _KIND.Interval for node in inner):
        yield from (n.name for n in inner if n.ast_type == _KIND.Variable and n.name != "_")


def _describe_rule(program: Sequence[ast.AST], number: int, tried: int) -> BusyRule:
    """Describe a statement of a program."""
    node = program[number]
    begin = node.location.begin
    is_in_file = begin.filename != _NO_FILE
    text = source_text(node) if is_in_file else " ".join(str(node).split())
    variables = {n.name for n in nodes(node) if n.ast_type == _KIND.Variable and n.name != "_"}
    return BusyRule(
        begin.filename if is_in_file else "",
        begin.line,
        text,
        tried,
        len(variables),
        _can_grow(program, node),
    )


def _can_grow(program: Iterable[ast.AST], node: ast.AST) -> bool:
    """Return whether a rule is part of a loop that makes terms, such as greater numbers."""
    rules = [as_statement(each) for each in program if each.ast_type == _KIND.Rule]
    below, above = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for rule in rules:
        for head in rule.heads:
            for atom in rule.body:
                below[head.signature].add(atom.signature)
                above[atom.signature].add(head.signature)
    heads = {head.signature for rule in rules if rule.node is node for head in rule.heads}
    loop = _reached(heads, below) & _reached(heads, above)
    looping = [rule for rule in rules if any(head.signature in loop for head in rule.heads)]
    plain = [rule for rule in looping if rule.body and not rule.is_a("theory")]
    return any(rule.makes_terms for rule in take_apart(plain))


def _reached(start: set[str], steps: Mapping[str, set[str]]) -> set[str]:
    """Return the names that one or more steps reach."""
    found = set[str]()
    waiting = [*start]
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
