"""Names the rule that keeps clingo busy while it grounds.

clingo reports nothing while it grounds. So the program is grounded once more, for a short time,
with a function call in the body of each rule that counts how often the rule is tried.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TypeVar

import clingo
from clingo import ast

from aspcircuits import own_process
from aspcircuits.errors import EncodingError
from aspcircuits.stopping import Stop

R = TypeVar("R")

_WHAT = "your program"

_SECONDS = 1.0
"""Seconds for which rules are counted."""

_LEAST = 1000
"""Least number of tries of a rule that is named."""

_WAITING = 3.0
"""Seconds for the whole answer: a rule without variables in its body can't be counted."""


@dataclass(frozen=True)
class BusyRule:
    """A rule that clingo tries very often.

    Attributes:
        file, line: where it begins.
        text: the rule as written, in one line.
        tried: the number of combinations of values that were tried with it within a second.
    """

    file: str
    line: int
    text: str
    tried: int


def busiest_rule(files: Sequence[str]) -> BusyRule | None:
    """Return the rule that is tried most often while clingo grounds some files.

    Args:
        files: paths of programs whose grounding takes very long.

    Returns:
        The rule; None if no rule is tried often, or none could be counted.
    """
    try:
        return run_in_time(_count_rules, files, seconds=_WAITING)
    except (EncodingError, TimeoutError):
        return None


def run_in_time(function: Callable[..., R], *arguments: object, seconds: float) -> R:
    """Run a function in another process, which is ended if it takes too long.

    Args:
        function: a function of a module; it, its arguments and its result are pickled.
        seconds: time for the work, without the start of the process.

    Raises:
        TimeoutError: the time is up.
        EncodingError: the work took too much memory, or its process died.
    """
    own_process.run(_begin_process, what=_WHAT)
    time_up = Stop(seconds)
    try:
        return own_process.run(function, *arguments, what=_WHAT, stop=time_up, in_time=True)
    except KeyboardInterrupt:
        if not time_up.is_set():
            raise
        raise TimeoutError from None


def _begin_process() -> None:
    """Do nothing, in the other process: it has begun, and its time counts from now on."""


def _count_rules(files: Sequence[str]) -> BusyRule | None:
    """Do the work of `busiest_rule`; the process is killed if it takes too long."""
    control = clingo.Control(["-Wnone"], logger=lambda _code, _text: None)
    rules: list[ast.AST] = []
    with ast.ProgramBuilder(control) as builder:

        def add(statement: ast.AST) -> None:
            if statement.ast_type == ast.ASTType.Rule:
                rules.append(statement)
                statement = _with_count(statement, len(rules) - 1)
            builder.add(statement)

        ast.parse_files(list(files), add)
    counting = _Counting(_SECONDS)
    with suppress(_TimeUpError):
        control.ground([("base", [])], context=counting)
    if not counting.tried:
        return None
    ((number, tried),) = counting.tried.most_common(1)
    place = rules[number].location
    lines = Path(place.begin.filename).read_text().splitlines()
    text = " ".join(" ".join(lines[place.begin.line - 1 : place.end.line]).split())
    found = BusyRule(place.begin.filename, place.begin.line, text, tried)
    return found if tried >= _LEAST else None


class _TimeUpError(Exception):
    """Raised to end the grounding."""


class _Counting:
    """Counts how often each rule is tried, until the time is up."""

    def __init__(self, seconds: float) -> None:
        self.tried: Counter[int] = Counter()
        self._end = monotonic() + seconds

    def count_rule(self, number: clingo.Symbol, *_values: clingo.Symbol) -> clingo.Symbol:
        """Count a try; clingo calls this function for each combination of values."""
        if monotonic() > self._end:
            raise _TimeUpError
        self.tried[number.number] += 1
        return clingo.Number(0)


def _with_count(rule: ast.AST, number: int) -> ast.AST:
    """Add ``0 = @count_rule(number, X, Y, ...)`` to a rule with the variables X, Y, ..."""
    variables = dict.fromkeys(name for literal in rule.body for name in _bound_by(literal))
    if not variables:
        return rule
    place = rule.location
    values = [ast.SymbolicTerm(place, clingo.Number(number))]
    values += [ast.Variable(place, name) for name in variables]
    call = ast.Function(place, "count_rule", values, True)
    guard = ast.Guard(ast.ComparisonOperator.Equal, call)
    zero = ast.SymbolicTerm(place, clingo.Number(0))
    counted = ast.Literal(place, ast.Sign.NoSign, ast.Comparison(zero, [guard]))
    return rule.update(body=[*rule.body, counted])


def _bound_by(literal: ast.AST) -> Iterator[str]:
    """Yield the variables to which an atom in a body gives values."""
    plain = literal.ast_type == ast.ASTType.Literal and literal.sign == ast.Sign.NoSign
    if plain and literal.atom.ast_type == ast.ASTType.SymbolicAtom:
        yield from _variables(literal.atom)


def _variables(node: ast.AST) -> Iterator[str]:
    if node.ast_type == ast.ASTType.Variable:
        if node.name != "_":
            yield node.name
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if isinstance(part, ast.AST):
                yield from _variables(part)
