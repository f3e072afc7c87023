"""The only module that imports clingo. What it returns is plain Python.

An atom or term is an int, a string (a constant such as ``win``) or a tuple: ``cell(1,2,3)`` is
``("cell", 1, 2, 3)`` and the nameless ``(2,3)`` is ``("", 2, 3)``.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import clingo
from clingo import ast

from advisor.errors import EncodingError

Term = Any  # int | str | tuple of terms; spelled out it would have to be recursive


@dataclass(frozen=True, slots=True)
class Model:
    """An answer set: the shown atoms, and the cost of each priority level, highest first.

    clingo minimises, so the cost of a ``#maximize`` statement is its value with the sign changed.
    """

    atoms: frozenset[Term]
    cost: tuple[int, ...]


def render(term: Term) -> str:
    """The text of a term, as clingo reads it."""
    if isinstance(term, tuple):
        name, *arguments = term
        return f"{name}({','.join(map(render, arguments))})"
    return str(term)


def from_symbol(symbol: clingo.Symbol) -> Term:
    """A clingo symbol as an int, a string or a tuple."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.Function:
        if not symbol.arguments and symbol.name:
            return symbol.name
        return (symbol.name, *map(from_symbol, symbol.arguments))
    return str(symbol)


def to_symbol(term: Term) -> clingo.Symbol:
    """The inverse of `from_symbol`."""
    if isinstance(term, tuple):
        name, *arguments = term
        return clingo.Function(name, [to_symbol(argument) for argument in arguments])
    return clingo.Number(term) if isinstance(term, int) else clingo.Function(term)


class Program:
    """Encodings and facts, grounded together; solved once or many times.

    Args:
        files: encodings, each with everything it includes.
        facts: atoms that hold.
        constants: values for ``#const`` statements.
        options: clingo's command-line options.
        observer: receives the ground program (see `clingo.Observer`).

    Raises:
        EncodingError: clingo's own message, which names the file and the place.
    """

    def __init__(
        self,
        files: Iterable[Path],
        facts: Iterable[Term] = (),
        constants: Mapping[str, int] | None = None,
        options: Sequence[str] = (),
        observer: clingo.Observer | None = None,
    ) -> None:
        self._messages: list[str] = []
        arguments = [*options]
        for name, value in (constants or {}).items():
            arguments += ["-c", f"{name}={value}"]
        try:
            self._control = clingo.Control(
                arguments, logger=lambda _code, text: self._messages.append(text)
            )
            if observer is not None:
                self._control.register_observer(observer)
            for file in files:
                self._control.load(str(file))
            self._control.add("base", [], "".join(f"{render(fact)}.\n" for fact in facts))
            self._control.ground([("base", [])])
        except RuntimeError as error:
            raise EncodingError(_first_error(self._messages, error)) from None

    @property
    def messages(self) -> tuple[str, ...]:
        """What clingo had to say while grounding, such as an atom that no rule derives."""
        return tuple(" ".join(message.split()) for message in self._messages)

    def assign(self, external: Term, value: bool) -> None:
        """Sets an ``#external`` atom for all later calls."""
        self._control.assign_external(to_symbol(external), value)

    def solve(
        self, assumptions: Iterable[tuple[Term, bool]] = (), seconds: float | None = None
    ) -> Model | None:
        """The last model found: the best one if the program optimises, or None if there is none.

        With `seconds`, the search stops then and the best model so far counts.
        """
        assumed = [(to_symbol(atom), holds) for atom, holds in assumptions]
        best: Model | None = None
        with self._control.solve(assumed, yield_=True, async_=seconds is not None) as handle:
            deadline = None if seconds is None else time.monotonic() + seconds
            while True:
                if deadline is not None and not handle.wait(max(0.0, deadline - time.monotonic())):
                    handle.cancel()
                    break
                model = handle.model()
                if model is None:
                    break
                best = _model(model)
                handle.resume()
        return best

    def optimal_models(self) -> list[Model]:
        """All optimal answer sets; the program needs the options ``--opt-mode=optN`` and ``0``."""
        with self._control.solve(yield_=True) as handle:
            return [_model(model) for model in handle if model.optimality_proven]


def _model(model: clingo.Model) -> Model:
    return Model(frozenset(map(from_symbol, model.symbols(shown=True))), tuple(model.cost))


@dataclass(frozen=True, slots=True)
class Head:
    """A rule's head atom as written, and where.

    Attributes:
        arguments: the atom's arguments; None stands for a variable or an expression.
        file, line: where the rule begins.
    """

    arguments: tuple[Term | None, ...]
    file: Path
    line: int


def heads(files: Iterable[Path], predicate: str) -> list[Head]:
    """The heads of all rules that derive atoms of a predicate, included files too.

    Raises:
        EncodingError: clingo's message about text that is no program.
    """
    found: list[Head] = []
    messages: list[str] = []

    def collect(statement: ast.AST) -> None:
        if statement.ast_type != ast.ASTType.Rule or statement.head.ast_type != ast.ASTType.Literal:
            return
        atom = statement.head.atom
        if atom.ast_type == ast.ASTType.SymbolicAtom and getattr(atom.symbol, "name", None) == (
            predicate
        ):
            begin = statement.location.begin
            found.append(
                Head(
                    tuple(map(_pattern, atom.symbol.arguments)), Path(begin.filename), begin.line
                )
            )

    try:
        ast.parse_files(
            [str(file) for file in files], collect, logger=lambda _code, text: messages.append(text)
        )
    except RuntimeError as error:
        raise EncodingError(_first_error(messages, error)) from None
    return found


def _pattern(term: ast.AST) -> Term | None:
    if term.ast_type == ast.ASTType.SymbolicTerm:
        return from_symbol(term.symbol)
    if term.ast_type == ast.ASTType.Function:
        arguments = tuple(map(_pattern, term.arguments))
        return (term.name, *arguments) if arguments else term.name
    return None


def _first_error(messages: list[str], error: RuntimeError) -> str:
    """clingo reports file, line and column to its logger only; the exception itself is vague."""
    for message in messages:
        if "error:" in message:
            return " ".join(message.split())
    return str(error)
