"""Rules split into parts, so that clingo can report how each of them applies in an answer set.

Only this module, `clingo_api`, `source` and `growth` import clingo.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from clingo import ast

from aspcircuits.clingo_api import Term, render, to_symbol
from aspcircuits.scanning import blank_comments
from aspcircuits.source import Atom, Statement, atoms_of, head_of, nodes

_KIND = ast.ASTType
_FUNCTIONS = "count", "sum", "sum+", "min", "max"
_COMPARISONS = ">", "<", "<=", ">=", "!=", "="
MIRRORED = {">": "<", "<": ">", "<=": ">=", ">=": "<=", "!=": "!=", "=": "="}


@dataclass(frozen=True)
class Element:
    """An element of an aggregate or of a head, or the whole of a conditional literal.

    Attributes:
        tuple: the terms that are counted, as one term.
        condition: the condition of the element, as text.
        atoms: the plain atoms in the condition, as terms.
        local: the variables that occur nowhere else.
        literals: the condition.
        predicate, arguments: of a head.
    """

    tuple: str
    condition: str
    atoms: Sequence[str]
    local: Sequence[str]
    literals: "Sequence[BodyLiteral]" = ()
    predicate: str = ""
    arguments: Sequence[ast.AST] = ()


@dataclass(frozen=True)
class BodyLiteral:
    """A literal of a body.

    Attributes:
        kind: ``atom``, ``not``, ``each`` (a conditional literal), ``aggregate``, ``test`` (anything
            else that is true or false and has no explanation of its own) or ``range`` (the numbers
            of an interval inside an atom).
        text: as used in rules that query clingo.
        node, written: as in the program.
        variables: shared with the rule.
        modes: sets of variables; once all of one set have values, clingo can find the others.
        term: the atom of a kind ``atom`` or ``not``; the literal of ``each``.
        function, guards: of an aggregate; a guard is a comparison and the term on its right.
    """

    kind: str
    text: str
    node: ast.AST
    written: str
    variables: frozenset[str]
    modes: Sequence[frozenset[str]]
    term: str = ""
    elements: Sequence[Element] = ()
    function: str = ""
    guards: Sequence[tuple[str, str]] = ()

    @property
    def predicate(self) -> str:
        """The predicate of an ``atom`` or a ``not``, as ``edge/2``."""
        symbol, sign = self.node.atom.symbol, ""
        if symbol.ast_type == _KIND.UnaryOperation:
            symbol, sign = symbol.argument, "-"
        return f"{sign}{symbol.name}/{len(symbol.arguments)}"

    @property
    def arguments(self) -> Sequence[ast.AST]:
        """The arguments of an ``atom``."""
        symbol = self.node.atom.symbol
        while symbol.ast_type == _KIND.UnaryOperation:
            symbol = symbol.argument
        return list(symbol.arguments)

    @property
    def holds_atoms(self) -> bool:
        """Whether the literal contains atoms; a comparison has none."""
        return any(n.ast_type == _KIND.SymbolicAtom for n in nodes(self.node))

    @property
    def constants(self) -> list[str]:
        """The names in it that are terms, as ``x`` in ``p(x)``."""
        return _names(self.node)


@dataclass(frozen=True)
class PlainRule:
    """A rule without pools; one statement with pools is several rules.

    Attributes:
        kind: as in `Statement`, but ``rule`` if its head is one atom, negative or not.
        heads: the atoms it may derive, each as the tuple of an element.
        variables: those with a value in each of its instances.
    """

    statement: Statement
    kind: str
    heads: Sequence[Element]
    body: Sequence[BodyLiteral]
    variables: Sequence[str]
    head_node: ast.AST
    atoms: Sequence[Atom]
    """The heads as written."""

    @cached_property
    def body_text(self) -> str:
        return "; ".join(literal.text for literal in self.body) or "#true"

    @property
    def positive(self) -> list[BodyLiteral]:
        return [literal for literal in self.body if literal.kind == "atom"]

    @property
    def predicates(self) -> set[str]:
        """The predicates of its heads, as ``edge/2``."""
        return {atom.signature for atom in self.atoms}

    @property
    def asks_for(self) -> set[str]:
        """The predicates in its body and in the conditions of its heads."""
        found = (x for head in self.heads for x in head.literals if x.kind in ("atom", "not"))
        return {atom.signature for atom in self.statement.body} | {x.predicate for x in found}

    @property
    def names_for_numbers(self) -> list[str]:
        """The names in it that are compared, used in arithmetic or bound an interval."""
        heads = [n for atom in self.atoms for term in atom.arguments for n in nodes(term)]
        tests = [n for x in self.body if x.kind in ("test", "aggregate") for n in nodes(x.node)]
        return [
            name
            for node in [*heads, *(n for x in self.body for n in nodes(x.node))]
            if node.ast_type in (_KIND.BinaryOperation, _KIND.Interval)
            for name in _names(node)
        ] + [
            name
            for node in tests
            if node.ast_type == _KIND.Guard and _COMPARISONS[node.comparison] not in ("=", "!=")
            for name in _names(node.term)
        ]

    @property
    def makes_terms(self) -> bool:
        """Whether it may derive terms that its body does not have."""
        made = (_KIND.BinaryOperation, _KIND.UnaryOperation, _KIND.Interval)
        in_head = any(
            n.ast_type in made or (n.ast_type == _KIND.Function and n.arguments)
            for atom in self.atoms
            for argument in atom.arguments
            for n in nodes(argument)
        )
        return in_head or any(len(literal.modes) > 1 for literal in self.body)

    def instance(
        self,
        head: str,
        values: Mapping[str, Term],
        atoms: Sequence[Term],
        constants: "ConstantTerms",
    ) -> str:
        """Return the rule with its variables replaced by their values.

        Args:
            atoms: the atoms for the positive literals, then those in the condition of the head.
        """
        known = iter(atoms)
        parts = []
        for literal in self.body:
            if literal.kind == "atom":
                parts.append(render(next(known)))
            elif literal.kind != "range":
                parts.append(filled_in(literal.written, values, constants))
        parts += map(render, known)
        head += {"choice": " (chosen)", "disjunction": " (one of several)"}.get(self.kind, "")
        return f"{head} :- {join_literals(parts)}." if parts else f"{head}."


ConstantTerms = Mapping[str, ast.AST]
"""The terms that ``#const`` assigns to names."""


def _names(node: ast.AST) -> list[str]:
    """Return the constants in a part of a rule that are names."""
    names = (str(n.symbol) for n in nodes(node) if n.ast_type == _KIND.SymbolicTerm)
    return [*dict.fromkeys(name for name in names if re.fullmatch(r"_*[a-z]\w*", name))]


def join_literals(literals: Sequence[str]) -> str:
    """Join the literals of a body; after a conditional literal, a comma would be part of it."""
    text = ""
    for number, literal in enumerate(literals):
        conditional = number and re.search(r":(?!-)[^{}]*$", literals[number - 1])
        text += ("; " if conditional else ", " if number else "") + literal
    return text


def take_apart(program: Iterable[Statement]) -> list[PlainRule]:
    """Return the rules of a program, constraints included."""
    found = []
    for statement in program:
        begin = statement.node.location.begin
        key = (begin.filename, begin.line, begin.column, statement.text)
        if key not in _taken_apart:
            if len(_taken_apart) >= _KEPT:
                _taken_apart.clear()
            _taken_apart[key] = _parts(statement)
        found += _taken_apart[key]
    return found


_KEPT = 4000
_taken_apart: dict[tuple[str, int, int, str], list[PlainRule]] = {}
"""Cached rules of statements, by place and text: making them takes seconds for large programs."""


def _parts(statement: Statement) -> list[PlainRule]:
    if statement.is_a("theory"):
        raise statement.error("theory atoms cannot be explained")
    if not statement.is_a("rule"):
        return []
    nodes_ = statement.node.unpool()
    return [_rule(statement, node, len(nodes_) > 1) for node in nodes_]


def find_relevant(rules: Sequence[PlainRule], predicates: Iterable[str]) -> list[PlainRule]:
    """Return the rules on which some predicates may depend."""
    waiting = [*predicates]
    reached = {*waiting}
    while waiting:
        name = waiting.pop()
        for rule in rules:
            if name in rule.predicates:
                new = rule.asks_for - reached
                waiting += new
                reached |= new
    return [rule for rule in rules if rule.predicates & reached]


def constant_terms(program: Iterable[Statement], given: Mapping[str, int]) -> ConstantTerms:
    defined = [s for s in program if s.kind == "#const"]
    defined.sort(key=lambda s: not s.node.is_default)  # an [override] wins
    terms = {s.name: s.node.value for s in defined}
    for name, value in given.items():
        terms[name] = ast.SymbolicTerm(terms[name].location, to_symbol(value))
    return terms


def source_text(node: ast.AST) -> str:
    """Return a statement or a part of it as it is in its file, on one line, without comments."""
    begin, end = node.location.begin, node.location.end
    stat = os.stat(begin.filename)
    lines = [*_read_lines(begin.filename, stat.st_mtime_ns, stat.st_size)]
    lines = lines[begin.line - 1 : end.line]
    lines[-1] = lines[-1][: end.column - 1]  # the columns are bytes
    lines[0] = lines[0][begin.column - 1 :]
    text = b"\n".join(lines).decode(errors="replace")
    return " ".join(blank_comments(text).split()) if len(lines) > 1 else text


@lru_cache(maxsize=16)
def _read_lines(file: str, changed: int, size: int) -> tuple[bytes, ...]:
    """Return the lines of a file; a newer time or another size makes a new cache entry."""
    return tuple(Path(file).read_bytes().split(b"\n"))


def filled_in(text: str, values: Mapping[str, Term], constants: ConstantTerms) -> str:
    """Return the text of a part of a rule with values for its variables and constants."""
    known = {name: render(value) for name, value in values.items()}
    known |= {name: f"{value}" for name, value in constants.items()}
    return _NAME.sub(lambda found: known.get(found[0], found[0]), text)


_NAME = re.compile(r"""\"(?:\\.|[^"\\])*\"|\b_*[A-Za-z][\w']*(?!\w|\s*\()""")
"""A quoted text, or a variable or constant; not the name of an atom with arguments."""


def head_bounds(node: ast.AST) -> str:
    """Return a literal that says that the bounds of a choice do not hold; empty if it has none."""
    if not node.left_guard and not node.right_guard:
        return ""
    if node.ast_type == _KIND.Aggregate:
        return f"not {node}"
    elements = []
    for element in node.elements:
        inner = element.condition
        condition = ",".join(map(str, [inner.literal, *inner.condition]))
        elements.append(f"{','.join(map(str, element.terms))} : {condition}")
    text = f"#{_FUNCTIONS[node.function]} {{{'; '.join(elements)}}}"
    if node.left_guard:
        text = f"{node.left_guard.term} {_COMPARISONS[node.left_guard.comparison]} {text}"
    if node.right_guard:
        text += f" {_COMPARISONS[node.right_guard.comparison]} {node.right_guard.term}"
    return f"not {text}"


def as_tuple(terms: Iterable[str]) -> str:
    """Return terms as one term."""
    terms = [*terms]
    return f"({','.join(terms)}{',' if len(terms) == 1 else ''})"


class _Naming(ast.Transformer):
    """Transformer that names anonymous variables and intervals, so that instances have values.

    Args:
        pooled: the rule is one of several of a statement with pools, so not as written.
    """

    def __init__(self, pooled: bool) -> None:
        self.pooled = pooled
        self.anonymous = True
        self.ranges: list[str] = []
        self.names: list[str] = []
        self._count = 0

    def _new(self, node: ast.AST) -> ast.AST:
        self._count += 1
        name = f"_Some{self._count}"
        self.names.append(name)
        return ast.Variable(node.location, name)

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        return self._new(node) if node.name == "_" and self.anonymous else node

    def visit_Interval(self, node: ast.AST) -> ast.AST:  # noqa: N802
        made = self._new(node)
        self.ranges.append(f"{made} = {node}")
        return made


def variables_of(node: ast.AST) -> set[str]:
    """Return the named variables in a part of a rule."""
    return {n.name for n in nodes(node) if n.ast_type == _KIND.Variable and n.name != "_"}


def _outer_variables(node: ast.AST) -> set[str]:
    """Return the variables of a literal or a head that certainly belong to the whole rule."""
    atom = node.atom if node.ast_type == _KIND.Literal else node
    if atom.ast_type in (_KIND.BodyAggregate, _KIND.Aggregate, _KIND.HeadAggregate):
        guards = [guard for guard in (atom.left_guard, atom.right_guard) if guard]
        return {name for guard in guards for name in variables_of(guard)}
    if atom.ast_type == _KIND.Disjunction:
        single = [e.literal for e in atom.elements if not e.condition]
        return {name for literal in single for name in variables_of(literal)}
    return set() if atom.ast_type == _KIND.ConditionalLiteral else variables_of(node)


def _rule(statement: Statement, node: ast.AST, pooled: bool) -> PlainRule:
    shared = _outer_variables(node.head)
    for literal in node.body:
        shared |= _outer_variables(literal)
    naming = _Naming(pooled)
    body = [found for literal in node.body for found in _literals(literal, shared, naming)]
    names = sorted(shared) + naming.names
    kind, atoms = head_of(node)
    heads: list[Element] = []
    if node.head.ast_type != _KIND.Literal:
        for element in node.head.elements:
            if element.ast_type == _KIND.HeadAggregateElement:
                element = element.condition
            heads.append(_head(element.literal, element.condition, shared, naming))
    elif node.head.atom.ast_type == _KIND.SymbolicAtom and not node.head.sign:
        kind, atoms = "rule", atoms_of(node.head.atom.symbol)
        heads = [_head(node.head, (), shared, naming)]
    return PlainRule(statement, kind, heads, body, names, node.head, atoms)


def _head(
    literal: ast.AST, condition: Iterable[ast.AST], shared: set[str], naming: "_Naming"
) -> Element:
    found = _element(str(literal.atom), condition, shared, naming)
    (atom,) = atoms_of(literal.atom.symbol)
    return replace(found, predicate=atom.signature, arguments=atom.arguments)


def _element(
    counted: str, condition: Iterable[ast.AST], shared: set[str], naming: "_Naming"
) -> Element:
    condition = [*condition]
    local = {name for literal in condition for name in variables_of(literal)} - shared
    before = len(naming.names)
    found = [x for literal in condition for x in _literals(literal, shared | local, naming)]
    text = ", ".join(literal.text for literal in found) or "#true"
    atoms = [literal.term for literal in found if literal.kind == "atom"]
    names = [*sorted(local), *naming.names[before:]]
    del naming.names[before:]  # they belong to the element, not the rule
    return Element(counted, text, atoms, names, found)


def _literals(node: ast.AST, shared: set[str], naming: _Naming) -> list[BodyLiteral]:
    """Return a literal, after the intervals in it."""
    own = frozenset(variables_of(node) & shared)
    text = str(node) if naming.pooled else source_text(node)
    if node.ast_type == _KIND.ConditionalLiteral:
        inner = node.literal
        plain = inner.atom.ast_type == _KIND.SymbolicAtom and not inner.sign
        plain = plain and "_" not in map(str, nodes(inner))
        term = str(inner.atom) if plain else ""
        element = _element(f"({term},)" if term else "()", node.condition, shared, naming)
        return [BodyLiteral("each", f"{node}", node, text, own, [own], str(inner), [element])]
    atom, sign = node.atom, node.sign
    if atom.ast_type == _KIND.SymbolicAtom:
        before, names = len(naming.ranges), len(naming.names)
        naming.anonymous = sign == ast.Sign.NoSign
        named = naming.visit(node)
        made = frozenset(naming.names[names:])
        ranges = [
            BodyLiteral("range", r, node, "", frozenset(_variables_in(r)), [_needed_variables(r)])
            for r in naming.ranges[before:]
        ]
        if sign == ast.Sign.NoSign:
            needs = frozenset(unbindable(named.atom.symbol))
            ranged = frozenset().union(*(r.variables for r in ranges)) & made
            kind, modes = "atom", [needs - ranged]
        else:
            kind = "not" if sign == ast.Sign.Negation else "test"
            modes = [frozenset(variables_of(named))]
        return [
            *ranges,
            BodyLiteral(kind, str(named), node, text, own | made, modes, str(named.atom)),
        ]
    if atom.ast_type in (_KIND.BodyAggregate, _KIND.Aggregate):
        return [_aggregate(node, text, own, shared, naming)]
    return [BodyLiteral("test", str(node), node, text, own, _modes(atom, own))]


def _variables_in(text: str) -> list[str]:
    return re.findall(r"\b_*[A-Z][\w']*", text)


def _needed_variables(text: str) -> frozenset[str]:
    return frozenset(_variables_in(text)[1:])


def _aggregate(
    node: ast.AST, text: str, own: frozenset[str], shared: set[str], naming: "_Naming"
) -> BodyLiteral:
    atom = node.atom
    elements = []
    for element in atom.elements:
        if atom.ast_type == _KIND.BodyAggregate:
            counted = as_tuple(map(str, element.terms))
            elements.append(_element(counted, element.condition, shared, naming))
        else:
            found = _element("", [element.literal, *element.condition], shared, naming)
            first = next(x for x in found.literals if x.kind != "range")
            counted = as_tuple([first.term if first.kind == "atom" else f'"{first.text}"'])
            elements.append(replace(found, tuple=counted))
    guards, modes = [], []
    for guard, is_left in ((atom.left_guard, True), (atom.right_guard, False)):
        if guard:
            sign = _COMPARISONS[guard.comparison]
            guards.append((MIRRORED[sign] if is_left else sign, str(guard.term)))
            if sign == "=" and not node.sign and guard.term.ast_type == _KIND.Variable:
                modes.append(own - {guard.term.name})
    kind = "test" if node.sign else "aggregate"
    function = _FUNCTIONS[atom.function] if atom.ast_type == _KIND.BodyAggregate else "count"
    used = modes or [own]
    return BodyLiteral(kind, str(node), node, text, own, used, "", elements, function, guards)


def _modes(atom: ast.AST, own: frozenset[str]) -> list[frozenset[str]]:
    """Return the modes of a test: one side of an equation may bind the variables of the other."""
    if atom.ast_type != _KIND.Comparison or len(atom.guards) != 1:
        return [own]
    guard = atom.guards[0]
    if _COMPARISONS[guard.comparison] != "=":
        return [own]
    left, right = atom.term, guard.term
    return [
        frozenset(variables_of(right) | unbindable(left)),
        frozenset(variables_of(left) | unbindable(right)),
    ]


def unbindable(term: ast.AST) -> set[str]:
    """Return the variables of a term that matching it with a value does not bind."""
    if term.ast_type in (_KIND.Variable, _KIND.SymbolicTerm):
        return set()
    if term.ast_type == _KIND.Function:
        return {name for part in term.arguments for name in unbindable(part)}
    if term.ast_type == _KIND.UnaryOperation and term.operator_type == ast.UnaryOperator.Minus:
        return unbindable(term.argument)
    if term.ast_type == _KIND.BinaryOperation:
        linear = term.operator_type in (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus)
        sides = [term.left, term.right]
        inner = [side for side in sides if side.ast_type == _KIND.Variable]
        if linear and len(inner) == 1 and any(s.ast_type == _KIND.SymbolicTerm for s in sides):
            return set()
    return variables_of(term)
