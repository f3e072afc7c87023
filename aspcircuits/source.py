"""Encodings as they are written, before any grounding: their statements, places and atoms.

Only this module, `clingo_api`, `rewriting` and `growth` import clingo. It returns plain Python.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from pathlib import Path

from clingo import ast

from aspcircuits.clingo_api import Term, from_symbol, signature
from aspcircuits.complaints import first_error
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.scanning import find_fault, find_lines, has_more_signs, line_at
from aspcircuits.texts import MAX_BYTES, characters, file_name


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom as written.

    Attributes:
        negative: in a body: the atom has to be settled before the rule can be used, since it is
            negated or counted.
    """

    name: str
    arity: int
    negative: bool = False
    _terms: Sequence[ast.AST] = ()

    @property
    def signature(self) -> str:
        """The signature, as ``fires/2``."""
        return f"{self.name}/{self.arity}"

    def argument(self, number: int) -> Term | None:
        """Return an argument as a term, numbered from 0; variables and expressions are None."""
        return _pattern(self._terms[number])

    @property
    def arguments(self) -> Sequence[ast.AST]:
        """The nodes of the arguments, for `aspcircuits.rewriting`."""
        return self._terms

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(str, self._terms))

    @property
    def constants(self) -> list[str]:
        """The names in its arguments that stand for themselves, as ``red``."""
        return _constants(node for term in self._terms for node in nodes(term))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in its first argument."""
        within = nodes(self._terms[0]) if self._terms else ()
        found = (node.name for node in within if node.ast_type == ast.ASTType.Variable)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class Statement:
    """A statement of an encoding; expensive attributes are computed on demand.

    Attributes:
        kind: ``rule`` if its head is one plain atom (or several in a pool); otherwise ``choice``,
            ``disjunction``, ``constraint``, ``negated head``, or a directive such as ``#const``,
            ``#show``, ``#minimize``.
        file, line: where it begins.
        heads: the atoms it derives or, for ``#defined``, declares.
    """

    kind: str
    file: Path
    line: int
    heads: tuple[Atom, ...]
    _node: ast.AST

    def is_a(self, kind: str) -> bool:
        """Return whether it is of a kind, as clingo names kinds; any rule is a ``rule``."""
        if kind == "theory":
            return any(node.ast_type == ast.ASTType.TheoryAtom for node in nodes(self._node))
        return self.kind.removeprefix("#") == kind or (kind == "rule" and self.kind in _RULES)

    @property
    def node(self) -> ast.AST:
        """The node of the statement, for `aspcircuits.rewriting`."""
        return self._node

    @property
    def text(self) -> str:
        return str(self._node)

    @property
    def place(self) -> str:
        """Its file and line, as errors begin."""
        return f"{file_name(self.file)}:{self.line}"

    def error(self, text: str) -> EncodingError:
        return EncodingError(f"{self.place}: {text}")

    @property
    def name(self) -> str:
        """The name of a constant or a program part."""
        return str(self._node.name)

    @cached_property
    def body(self) -> tuple[Atom, ...]:
        """The atoms that it depends on, those in conditions included."""
        conditions = getattr(self._node, "body", ())
        return tuple(atom for literal in conditions for atom in _read(literal, False))

    @property
    def constants(self) -> list[str]:
        """The constants outside the atoms of its body, which it may pass on."""
        named = [self.name] if self.kind == "#const" else []
        if not hasattr(self._node, "body"):
            return named + _constants(nodes(self._node))
        head = [*nodes(self._node.head)] if hasattr(self._node, "head") else []
        beside = (node for literal in self._node.body for node in _outside_atoms(literal))
        return _constants([*head, *beside])

    @property
    def literals(self) -> tuple[str, ...]:
        return tuple(map(str, getattr(self._node, "body", ())))


def statements(files: Iterable[Path]) -> list[Statement]:
    """Return the statements of encodings, in order, without comments.

    Raises:
        EncodingError: clingo's message about text that is no program, or a file that is no text.
    """
    return [found for file in files for found in _of_file(file, _content(file))]


def place(files: Iterable[Path], kind: str, atom: Term = None) -> str:
    """Return the place of such a statement in some files, ``file:line: ``; empty if there is none.

    Args:
        kind: ``rule``, ``choice`` or one of those in `GroundProgram.others`.
        atom: the head must have the predicate of this atom.
    """
    for found in statements(files):
        heads = [(head.name, head.arity) for head in found.heads]
        if found.is_a(kind) and (atom is None or signature(atom) in heads):
            return f"{found.file}:{found.line}: "
    return ""


@lru_cache(maxsize=64)
def _of_file(file: Path, content: bytes) -> tuple[Statement, ...]:
    """Return the statements of a file with this content."""
    _check_text(file, content)
    found: list[Statement] = []
    messages: list[str] = []

    def collect(node: ast.AST) -> None:
        if node.ast_type != ast.ASTType.Comment:
            found.append(as_statement(node))

    try:
        ast.parse_files([str(file)], collect, logger=lambda _code, text: messages.append(text))
    except RuntimeError as error:
        raise EncodingError(first_error(messages, error)) from None
    for statement in found:
        if statement.kind == "#program" and statement.text != "#program base.":
            raise statement.error(f"'{statement.text}': only #program base is ever used")
    return tuple(found)


def _content(file: Path) -> bytes:
    """Return the bytes of an encoding; a user may have named any file."""
    with open(file, "rb") as opened:
        content = opened.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        name = file_name(file)
        raise EncodingError(f"{name}: is too large (at most {MAX_BYTES} bytes)")
    return content


def _check_text(file: Path, content: bytes) -> None:
    """Refuse content that clingo cannot read, or cannot name in its messages."""
    name = file_name(file)
    if content.startswith(BOM_UTF8):
        raise EncodingError(f"{name}: begins with a byte order mark (use UTF-8 without one)")
    try:
        text = characters(content)
    except InputError as error:
        raise EncodingError(f"{name}: {error}") from None
    if alone := re.search(rb"\r(?!\n)", content):
        line = content.count(b"\n", 0, alone.start()) + 1
        raise EncodingError(
            f"{name}:{line}: a carriage return ends no line in clingo (end lines with LF or CR LF)"
        )
    check_program(text, f"{name}:")


def check_program(text: str, place: str) -> None:
    """Refuse a program at which clingo would end the process, or that it would misread.

    Args:
        place: prefix of a line number, as ``file.lp:``.

    Raises:
        EncodingError: the line and the fault.
    """
    if fault := find_fault(text):
        raise EncodingError(f"{place}{line_at(text, fault[0])}: {fault[1]}")


def includes(file: Path) -> Iterator[int]:
    """Yield the lines on which a file includes another one.

    clingo looks for such a file in the current folder before the folder of the including one.
    """
    return find_lines(_content(file).decode(errors="replace"), "#include")


_MOST_SIGNS = 50_000
"""Signs in an encoding; clingo takes a second or more to pass on the statements of a larger one."""


def check_size(file: Path) -> None:
    """Refuse a handwritten encoding with too many commas, brackets and the like."""
    if has_more_signs(_content(file).decode(errors="replace"), _MOST_SIGNS):
        name = file_name(file)
        told = f"more than {_MOST_SIGNS} commas, brackets and operators"
        raise EncodingError(f"{name}: is too large ({told})")


_KINDS = {
    ast.ASTType.Rule: "rule",
    ast.ASTType.Definition: "#const",
    ast.ASTType.ShowSignature: "#show",
    ast.ASTType.ShowTerm: "#show",
    ast.ASTType.ProjectAtom: "#project",
    ast.ASTType.ProjectSignature: "#project",
    ast.ASTType.TheoryDefinition: "#theory",
}
"""Kinds by node type; any other is a directive with clingo's name of the node, as ``#minimize``."""
_RULES = "choice", "disjunction", "constraint", "negated head", "#theory"
_HEADS = {
    ast.ASTType.Aggregate: "choice",
    ast.ASTType.HeadAggregate: "choice",
    ast.ASTType.Disjunction: "disjunction",
    ast.ASTType.TheoryAtom: "#theory",
}


def as_statement(node: ast.AST) -> Statement:
    """Return the statement of a node."""
    begin = node.location.begin
    heads: tuple[Atom, ...] = ()
    kind = _KINDS.get(node.ast_type) or f"#{node.ast_type.name.lower()}"
    if kind == "rule":
        kind, heads = head_of(node)
    elif kind == "#defined":
        heads = (Atom(node.name, node.arity),)
    elif kind == "#external":
        heads = tuple(_atoms(node.atom.symbol))
    return Statement(kind, Path(begin.filename), begin.line, heads, node)


def head_of(rule: ast.AST) -> tuple[str, tuple[Atom, ...]]:
    """Return the kind of a rule, as in `Statement`, and the atoms in its head."""
    head = rule.head
    if head.ast_type != ast.ASTType.Literal:
        return _HEADS[head.ast_type], tuple(_in_elements(head))
    atom = head.atom
    if atom.ast_type == ast.ASTType.BooleanConstant and not head.sign and not atom.value:
        return "constraint", ()
    plain = atom.ast_type == ast.ASTType.SymbolicAtom and not head.sign
    if plain and atom.symbol.ast_type != ast.ASTType.UnaryOperation:
        return "rule", tuple(_atoms(atom.symbol))
    return "negated head", ()


def _in_elements(head: ast.AST) -> Iterator[Atom]:
    """Yield the atoms that a choice or a disjunction may derive; a theory atom derives none."""
    if head.ast_type == ast.ASTType.TheoryAtom:
        return
    for element in head.elements:
        counted = head.ast_type == ast.ASTType.HeadAggregate
        literal = element.condition.literal if counted else element.literal
        if literal.atom.ast_type == ast.ASTType.SymbolicAtom:
            yield from _atoms(literal.atom.symbol)


def _read(node: ast.AST, negative: bool) -> Iterator[Atom]:
    """Yield the atoms in a part of a body."""
    kind = node.ast_type
    if kind == ast.ASTType.SymbolicAtom:
        yield from _atoms(node.symbol, negative)
        return
    if kind == ast.ASTType.Literal:
        negative = negative or node.sign != ast.Sign.NoSign
    elif kind == ast.ASTType.ConditionalLiteral:
        yield from _read(node.literal, negative)
        for literal in node.condition:
            yield from _read(literal, True)
        return
    elif kind in (ast.ASTType.Aggregate, ast.ASTType.BodyAggregate, ast.ASTType.TheoryAtom):
        negative = True
    for part in _children(node):
        yield from _read(part, negative)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if isinstance(part, ast.AST):
                yield part


def atoms_of(symbol: ast.AST) -> tuple[Atom, ...]:
    """Return the atoms that the symbol of an atom stands for: one, or each of a pool."""
    return tuple(_atoms(symbol))


def _atoms(symbol: ast.AST, negative: bool = False) -> Iterator[Atom]:
    if symbol.ast_type == ast.ASTType.Pool:
        for argument in symbol.arguments:
            yield from _atoms(argument, negative)
    elif symbol.ast_type == ast.ASTType.UnaryOperation:
        for atom in _atoms(symbol.argument, negative):  # another atom than the one without the sign
            yield replace(atom, name=f"-{atom.name}")
    elif symbol.ast_type == ast.ASTType.Function:
        pool = ast.ASTType.Pool
        options = [x.arguments if x.ast_type == pool else [x] for x in symbol.arguments]
        if prod(map(len, options)) > _MOST_POOLED:
            begin = symbol.location.begin
            raise EncodingError(
                f"{file_name(begin.filename)}:{begin.line}: the pools of one atom stand "
                f"for more than {_MOST_POOLED} atoms (use intervals, or several atoms)"
            )
        for terms in product(*options):
            yield Atom(symbol.name, len(terms), negative, terms)


_MOST_POOLED = 1000
"""The most atoms that an atom with pools, as ``on((a;b),(1;2))``, may stand for."""


def nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes below it."""
    yield node
    for part in _children(node):
        yield from nodes(part)


def _outside_atoms(node: ast.AST) -> Iterator[ast.AST]:
    if node.ast_type != ast.ASTType.SymbolicAtom:
        yield node
        for part in _children(node):
            yield from _outside_atoms(part)


def _constants(found: Iterable[ast.AST]) -> list[str]:
    terms = (node.symbol for node in found if node.ast_type == ast.ASTType.SymbolicTerm)
    return [text for text in map(str, terms) if text.isidentifier()]


def _pattern(term: ast.AST) -> Term | None:
    if term.ast_type == ast.ASTType.SymbolicTerm:
        return from_symbol(term.symbol)
    if term.ast_type == ast.ASTType.Function:
        arguments = tuple(map(_pattern, term.arguments))
        return (term.name, *arguments) if arguments or not term.name else term.name
    return None


def open_constants(term: Term | None, named: Collection[str]) -> Term | None:
    """Return an argument with None for its variables and for these names of ``#const``."""
    if isinstance(term, tuple):
        return tuple(open_constants(part, named) for part in term)
    return None if term in named else term


def matches(pattern: Term | None, name: Term | None) -> bool:
    """Return whether an argument, with variables as None, can match a term or another one."""
    if pattern is None or name is None:
        return True
    if isinstance(pattern, tuple) and isinstance(name, tuple):
        return len(pattern) == len(name) and all(map(matches, pattern, name))
    return bool(pattern == name)
