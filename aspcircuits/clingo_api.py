"""Grounding and solving with clingo, with results in plain Python.

Only this module, `source`, which reads encodings as they are written, `rewriting`, which takes
their rules apart, and `growth`, which finds a rule that never ends, import clingo.

An atom or term is an int, a string (a constant such as ``win``) or a tuple: ``cell(1,2,3)`` is
``("cell", 1, 2, 3)`` and the nameless ``(2,3)`` is ``("", 2, 3)``. A sign is part of the name, as
in ``-win`` and ``("-cell", 1, 2, 3)``; ``"text"`` with its quotation marks, ``#inf`` and ``#sup``
are strings.
"""

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import clingo

from aspcircuits.child import send_note
from aspcircuits.complaints import first_error
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.scanning import DEEPEST, LARGEST, find_fault, find_lines
from aspcircuits.stopping import POLL, Stop
from aspcircuits.texts import list_names, quote_text

T = TypeVar("T")

VERSION = clingo.__version__

Term = Any  # int | str | tuple of terms; the exact type would be recursive


@dataclass(frozen=True, slots=True)
class Model:
    """An answer set: the shown atoms, and the cost of each priority level, highest first.

    The cost of a ``#maximize`` statement is its value with the sign changed.
    """

    atoms: frozenset[Term]
    cost: tuple[int, ...]


def render(term: Term) -> str:
    """Return the text of a term, as clingo reads it."""
    if isinstance(term, tuple):
        name, *arguments = term
        single = "," if name in ("", "-") and len(arguments) == 1 else ""
        return f"{name}({','.join(map(render, arguments))}{single})"
    return str(term)


def as_term(given: Any) -> Term:
    """Return an atom as a term, given a term, its text, or a `clingo.Symbol`.

    Raises:
        InputError: a text that is no atom.
    """
    if isinstance(given, clingo.Symbol):
        return from_symbol(given)
    return parse(given) if isinstance(given, str) else given


def functor(term: Term) -> str:
    """Return the name of an atom or a term without its arguments.

    >>> functor(("safe", 3)), functor("row")
    ('safe', 'row')
    """
    return str(term[0] if isinstance(term, tuple) else term)


def signature(term: Term) -> tuple[str, int]:
    """Return the name of an atom or a term, and its number of arguments."""
    return functor(term), len(term) - 1 if isinstance(term, tuple) else 0


def from_symbol(symbol: clingo.Symbol) -> Term:
    """Convert a clingo symbol to an int, a string or a tuple.

    Raises:
        EncodingError: it is nested too deep.
    """
    text = str(symbol)
    if text.count("(") > DEEPEST and (fault := find_fault(text)):
        raise EncodingError(f"{quote_text(text)}: {fault[1]}")
    if '"' in text or "-" in text:
        return _taken_apart(symbol)
    return _from_text(text)


def _from_text(text: str) -> Term:
    """Return the term for clingo's text of a symbol without signs and quoted texts.

    This takes a third of the time of asking clingo for each part.
    """
    if not text.endswith(")"):
        return int(text) if text.isdigit() else text
    name, _, inner = text[:-1].partition("(")
    return (name, *map(_part, _arguments(inner)))


_part = lru_cache(maxsize=1 << 18)(_from_text)
"""Cached `_from_text`, for arguments that atoms share with others."""


def _arguments(text: str) -> list[str]:
    """Split the text between two brackets into arguments."""
    parts = text.split(",")
    if "(" in text:
        found: list[str] = []
        depth = 0
        for part in parts:
            if depth:
                found[-1] += f",{part}"
            else:
                found.append(part)
            depth += part.count("(") - part.count(")")
        parts = found
    return parts if parts[-1] else parts[:-1]  # (2,) has one, () none


def _taken_apart(symbol: clingo.Symbol) -> Term:
    kind = symbol.type
    if kind is clingo.SymbolType.Number:
        return symbol.number
    if kind is clingo.SymbolType.Function:
        name, arguments = symbol.name if symbol.positive else f"-{symbol.name}", symbol.arguments
        is_constant = symbol.name and not arguments
        return name if is_constant else (name, *map(_taken_apart, arguments))
    return str(symbol)


def unquote_term(term: Term) -> str | None:
    """Return the text inside a term such as ``"a text"``, None for any other term."""
    if not isinstance(term, str) or not term.startswith('"'):
        return None
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), term[1:-1])


def to_symbol(term: Term) -> clingo.Symbol:
    """Convert a term to a clingo symbol: the inverse of `from_symbol`."""
    if isinstance(term, int):
        return clingo.Number(term)
    if term in _EXTREMES:
        return _EXTREMES[term]
    text = unquote_term(term)
    if text is not None:
        return clingo.String(text)
    name, *arguments = term if isinstance(term, tuple) else (term,)
    positive = not name.startswith("-")
    return clingo.Function(name.removeprefix("-"), [*map(to_symbol, arguments)], positive)


_EXTREMES = {str(symbol): symbol for symbol in (clingo.Infimum, clingo.Supremum)}


def parse(text: str) -> Term:
    """Return the term for a text such as ``cell(1,2,3)``.

    Raises:
        InputError: it is not a term without variables, or clingo cannot represent it as written.
    """
    if fault := find_fault(text):
        raise InputError(f"{quote_text(text)}: character {fault[0] + 1}: {fault[1]}")
    try:
        # clingo ends a text at a zero byte, and leaves a carriage return out of a quoted one.
        if "\0" in text or "\r" in text:
            raise RuntimeError
        return from_symbol(clingo.parse_term(text, logger=lambda _code, _message: None))
    except RuntimeError:
        raise InputError(f"{quote_text(text)} is not an atom such as cell(1,2,3)") from None


@dataclass(frozen=True, slots=True)
class Grounding:
    """What clingo grounds, so that another process can ground it too.

    Attributes:
        files: paths of encodings.
        options: of clingo, values of constants included.
        given: facts and open atoms, as text.
        rules: more rules, as text.
        has_functions: whether rules call functions, which another process does not have.
    """

    files: Sequence[str]
    options: Sequence[str]
    given: str
    rules: str
    has_functions: bool


class Program:
    """Encodings and facts, grounded together; solved once or many times.

    A child process reports to its parent what it grounds, and when it has done so.

    Args:
        files: encodings, each with everything it includes.
        rules: more rules, as text.
        choices: atoms left open, as if by a choice rule.
        functions: the functions that rules call as ``@name(term)``, by name; each takes and returns
            terms.
        observer: receives the ground program.

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
        choices: Sequence[Term] = (),
        rules: str = "",
        functions: Mapping[str, Callable[..., Term]] | None = None,
    ) -> None:
        files = [*files]
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
            given = "".join(f"{render(fact)}.\n" for fact in facts)
            self._control.add("base", [], given + rules)
            if choices:
                is_open = "{" + ";".join(map(render, choices)) + "}."
                self._control.add("base", [], is_open)
                given += is_open
            called = {
                name: partial(_call_with_terms, each) for name, each in (functions or {}).items()
            }
            paths = [str(file) for file in files]
            send_note(Grounding(paths, arguments, given, rules, bool(called)))
            self._control.ground([("base", [])], SimpleNamespace(**called) if called else None)
            send_note(None)
        except RuntimeError as error:
            send_note(None)
            if "Integer overflow" in str(error):  # all other messages are C++ signatures
                raise EncodingError(_overflow(files)) from None
            raise EncodingError(first_error(self._messages, error)) from None

    @property
    def messages(self) -> tuple[str, ...]:
        """clingo's messages while grounding, such as about an atom that no rule derives."""
        return tuple(" ".join(message.split()) for message in self._messages)

    def assign(self, external: Term, value: bool) -> None:
        """Set an ``#external`` atom for all later calls."""
        self._control.assign_external(to_symbol(external), value)

    def atoms(self, name: str, arity: int) -> Iterator[tuple[Term, int]]:
        """Yield the ground atoms of a predicate, shown or not, each with its number."""
        plain = name.removeprefix("-")
        for atom in self._control.symbolic_atoms.by_signature(plain, arity, plain == name):
            yield from_symbol(atom.symbol), atom.literal

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name, with its sign, and the number of arguments of every predicate."""
        found = self._control.symbolic_atoms.signatures
        return [(name if positive else f"-{name}", arity) for name, arity, positive in found]

    def negated_predicates(self) -> list[tuple[str, int]]:
        """Return the predicates that have a sign of classical negation."""
        return [(name, arity) for name, arity in self.signatures() if name.startswith("-")]

    def names(self) -> dict[int, Term]:
        """Return every ground atom by its number; the auxiliary atoms of clingo have no name."""
        return {a.literal: from_symbol(a.symbol) for a in self._control.symbolic_atoms}

    def solve(
        self,
        assumptions: Iterable[tuple[Term, bool]] = (),
        stop: Stop | None = None,
        shown: bool = True,
    ) -> Model | None:
        """Return the last model found, the best one if the program optimises; None without one.

        With `stop`, which costs one thread a call, it is the best model found in time.

        Args:
            shown: leave out the atoms that no ``#show`` names.
        """
        assumed = [(to_symbol(atom), holds) for atom, holds in assumptions]
        best: Model | None = None
        with self._control.solve(assumed, yield_=True, async_=stop is not None) as handle:
            while stop is None or _wait_for_answer(handle, stop):
                model = handle.model()
                if model is None:
                    break
                best = _model(model, shown)
                handle.resume()
        return best

    def find_core(self, assumptions: Sequence[tuple[Term, bool]]) -> list[Term] | None:
        """Return some of the assumptions that cannot hold together; None if all of them can."""
        assumed = [(to_symbol(atom), holds) for atom, holds in assumptions]
        chosen = {symbol for symbol, _ in assumed}
        known = (atom for atom in self._control.symbolic_atoms if atom.symbol in chosen)
        numbers = {atom.literal: from_symbol(atom.symbol) for atom in known}
        with self._control.solve(assumed, yield_=True) as handle:
            if handle.model() is not None:
                return None
            found = (abs(literal) for literal in handle.core())
            return [numbers[number] for number in found if number in numbers]  # or an external's

    def optimal_models(self) -> list[Model]:
        """Return all optimal answer sets; needs the options ``--opt-mode=optN`` and ``0``.

        If there is nothing to optimise, clingo proves nothing, and every answer set counts as
        optimal.
        """
        with self._control.solve(yield_=True) as handle:
            return [_model(m) for m in handle if m.optimality_proven or not m.cost]

    def adding(self) -> "Adding":
        """Return a context in which to add rules between two calls of the solver."""
        # Atoms that are named by numbers only must not be simplified away before they are used.
        self._control.enable_cleanup = False
        return self._control.backend()

    def guess(
        self, assumed: Sequence[int], read: Callable[[Callable[[int], bool]], T], stop: Stop
    ) -> "T | NoAnswer":
        """Find an answer set under assumed literals, and return the result of `read` on it.

        With the option ``--solve-limit`` clingo may give up; it also does if `stop` is set.

        Args:
            read: gets a function that says whether a literal holds.
        """
        with self._control.solve(assumed, yield_=True, async_=True) as handle:
            if not _wait_for_answer(handle, stop):
                return NoAnswer.UNKNOWN
            model = handle.model()
            if model is not None:
                return read(model.is_true)
            return NoAnswer.NONE if handle.get().unsatisfiable else NoAnswer.UNKNOWN


Adding = clingo.Backend
"""Adds atoms by numbers, and rules; a rule without a head is a constraint."""


class NoAnswer(Enum):
    """Why there is no answer set."""

    NONE = "none is left"
    UNKNOWN = "none was found within the limits"


def _wait_for_answer(handle: clingo.SolveHandle, stop: Stop) -> bool:
    """Wait for the next answer set or the end of the search; return False if stopped before."""
    while not handle.wait(POLL):
        if stop.is_set():
            handle.cancel()
            return False
    return True


def _model(model: clingo.Model, shown: bool = True) -> Model:
    symbols = model.symbols(shown=shown, atoms=not shown)
    return Model(frozenset(map(from_symbol, symbols)), tuple(model.cost))


def _overflow(files: Sequence[Path]) -> str:
    """Return the error text for a sum that is too large; clingo does not say which one it is."""
    texts = [(file, file.read_text(errors="replace")) for file in files]
    places = [f"{file}:{line}" for file, text in texts for line in find_lines(text, "#sum")]
    told = list_names(places or [*map(str, files)])
    return f"{told}: the weights of a sum add up to more than {LARGEST}"


def _call_with_terms(function: Callable[..., Term], *symbols: clingo.Symbol) -> clingo.Symbol:
    return to_symbol(function(*map(from_symbol, symbols)))


Body = Sequence[int]
"""A conjunction: numbers of atoms, negative for default negation."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum that holds if the weights of the literals that hold reach the bound.

    The weights are never negative: clingo turns negative ones into negated literals and a higher
    bound.
    """

    bound: int
    terms: tuple[tuple[int, int], ...]
    """(literal, weight) pairs; a literal may come more than once."""


def literals_of(body: Body | Sum) -> Sequence[int]:
    """Return the literals of a body, whatever their weights."""
    return [literal for literal, _ in body.terms] if isinstance(body, Sum) else body


class GroundProgram(clingo.Observer):
    """A ground program with some atoms left open, in clingo's numbering of atoms.

    clingo silently drops the statements for which an observer has no method. This class inherits an
    empty method for every statement that does not change the answer sets (``#show``, ``#project``,
    ``#heuristic``) and records everything else.

    Attributes:
        rules: for each derived atom the bodies of its rules; an empty body makes it a fact.
        choices: the head and the body of each choice rule.
        constraints: the body of each constraint.
        externals: the atoms that ``#external`` leaves open.
        minimised: for each priority the (literal, weight) pairs of ``#minimize``; ``#maximize`` is
            the same with negative weights.
        others: all other statements, as kind and atoms concerned: ``disjunction``, ``edge`` or
            ``theory``.
        files: the files it was made from.
        messages: clingo's warnings about rules that can never apply.
        negated: see `Program.negated_predicates`.
        order: the result of `aspcircuits.loops`; None before.
    """

    def __init__(self, files: Iterable[Path] = ()) -> None:
        self.rules: dict[int, list[Body | Sum]] = {}
        self.choices: list[tuple[Sequence[int], Body | Sum]] = []
        self.constraints: list[Body | Sum] = []
        self.externals: list[int] = []
        self.minimised: dict[int, list[tuple[int, int]]] = {}
        self.others: list[tuple[str, Sequence[int]]] = []
        self.order: list[Any] | None = None
        self.files = [*files]
        self.messages: Sequence[str] = ()
        self.negated: list[tuple[str, int]] = []
        self._numbers: dict[tuple[str, int], dict[Term, int]] = {}
        self._untold: set[tuple[str, int]] = set()
        self._program: Program | None = None

    @classmethod
    def of(
        cls, files: Iterable[Path], inputs: Sequence[Term], constants: Mapping[str, int]
    ) -> "GroundProgram":
        """Ground files with some inputs left open.

        Raises:
            EncodingError: see `Program`.
        """
        made = cls(files)
        made._program = Program(
            made.files,
            constants=constants,
            options=("--warn=no-atom-undefined",),
            observer=made,
            choices=inputs,
        )
        made.messages, made.negated = made._program.messages, made._program.negated_predicates()
        return made

    def name(self, atom: Term, number: int) -> None:
        """Name an atom that clingo does not know in this process."""
        self._numbers.setdefault(signature(atom), {})[atom] = number
        if functor(atom).startswith("-"):
            self.negated.append(signature(atom))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: all but clingo's own objects, with some of the atoms.

        These are the atoms that were requested and those without arguments. There may be a million
        others, and as many rules, which are stored as one array.
        """
        self.ask_all(most=0)
        untold = self._untold
        if self._program is not None:
            untold = {*self._program.signatures()} - self._numbers.keys()
        bodies = array("i")
        others: dict[int, list[Body | Sum]] = {}
        for head, rules in self.rules.items():
            plain = [body for body in rules if not isinstance(body, Sum)]
            if len(plain) < len(rules):
                others[head], plain = rules, []
            bodies.extend((head, len(plain)))
            for body in plain:
                bodies.append(len(body))
                bodies.extend(body)
        state = {name: value for name, value in self.__dict__.items() if name != "names"}
        return {**state, "_program": None, "_untold": untold, "rules": (bodies, others)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        bodies, others = state["rules"]
        numbers = iter(bodies)
        rules: dict[int, list[Body | Sum]] = {}
        for head in numbers:
            rules[head] = [[*islice(numbers, next(numbers))] for _ in range(next(numbers))]
        self.__dict__ = {**state, "rules": {**rules, **others}}

    def rule(self, choice: bool, head: Sequence[int], body: Body | Sum) -> None:
        if choice:
            self.choices.append((head, body))
        elif len(head) == 1:
            self.rules.setdefault(head[0], []).append(body)
        elif head:
            self.others.append(("disjunction", head))
        else:
            self.constraints.append(body)

    def weight_rule(
        self,
        choice: bool,
        head: Sequence[int],
        lower_bound: int,
        body: Sequence[tuple[int, int]],
    ) -> None:
        self.rule(choice, head, Sum(lower_bound, tuple(body)))

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.minimised.setdefault(priority, []).extend(literals)

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.externals.append(atom)

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:
        self.others.append(("edge", condition))

    def theory_atom(self, atom_id_or_zero: int, *_: Any, **__: Any) -> None:
        self.others.append(("theory", [atom_id_or_zero] if atom_id_or_zero else []))

    theory_atom_with_guard = theory_atom

    def define(self, bodies: Sequence[Body | Sum]) -> int:
        """Add a nameless atom that holds if one of some bodies does, and return its number."""
        known = [*bodies, *chain.from_iterable(self.rules.values())]
        summed = chain.from_iterable(self.minimised.values())
        used = {abs(literal) for body in known for literal in literals_of(body)}
        used.update(abs(literal) for literal, _ in summed)
        number = max((0, *used, *self.rules, *self.names)) + 1
        self.rules[number] = [*bodies]
        self.order = None
        return number

    def number(self, atom: Term) -> int:
        """Return the number of a ground atom, 0 if there is no such atom."""
        return self._atom_numbers(*signature(atom)).get(atom, 0)

    def atoms(self, name: str, arity: int) -> Iterable[tuple[Term, int]]:
        return self._atom_numbers(name, arity).items()

    def signatures(self) -> list[tuple[str, int]]:
        """Return the name and the number of arguments of every predicate."""
        return [*self._numbers] if self._program is None else self._program.signatures()

    def ask_all(self, most: int = sys.maxsize) -> None:
        """Request every atom of at most `most` arguments, so that another process receives it."""
        for name, arity in self._program.signatures() if self._program is not None else ():
            if arity <= most:
                self.atoms(name, arity)

    def _atom_numbers(self, name: str, arity: int) -> dict[Term, int]:
        pair = name, arity
        if pair not in self._numbers:
            if pair in self._untold:
                raise LookupError(f"{name}/{arity} was not asked for where it is known")
            found = self._program.atoms(name, arity) if self._program is not None else ()
            self._numbers[pair] = dict(found)
        return self._numbers[pair]

    @cached_property
    def names(self) -> dict[int, Term]:
        """See `Program.names`."""
        if self._program is not None:
            return self._program.names()
        return {number: atom for known in self._numbers.values() for atom, number in known.items()}
