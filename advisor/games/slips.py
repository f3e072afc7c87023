"""Atoms that the rules of a game read and nothing derives, or the other way round.

Over both clingo passes in silence.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from advisor.asp import apart
from advisor.asp.clingo_api import Term, render
from advisor.asp.source import Atom, Statement, matches, statements
from advisor.circuits import circuit
from advisor.files.textfile import nearest
from advisor.games.rules import CONTRACT, Rules
from advisor.settings.contract import ADDED, unknown

_GIVEN = ("true/1", "does/2", "weight/2")
_READ = ("uses/1", *ADDED, *(f"{name}/{arity}" for name, arity in CONTRACT.items()))
"""What the advisor itself reads of rules and what is known beside them."""

_LIKE = 0.85
"""How alike a name is that was probably meant, from 0 to 1."""


def written(files: Sequence[Path]) -> list[str]:
    """What no rule derives by its name and number of arguments, and what is derived for nobody and
    nearly has the name of something that is read, of rules that may be no game yet: a line for
    each, with file, line, and what may be meant; an EncodingError if a file is no program."""
    whole = statements(files)
    known = {*_GIVEN, *(head.signature for s in whole for head in s.heads)}
    read = {*_READ, *(atom.signature for s in whole for atom in s.body)}

    def fault(atom: Atom) -> str | None:
        return None if atom.signature in known else unknown(atom.signature, known)

    def unread(atom: Atom) -> str | None:
        if atom.signature in read:
            return None
        same = [other for other in _READ if other.startswith(f"{atom.name}/")]
        meant = same or get_close_matches(atom.signature, _READ, 1, _LIKE)
        if not meant:
            return None
        return f"nothing reads '{atom.signature}' (did you mean '{meant[0]}'?)"

    return [*_lines(files, fault), *_lines(files, unread, lambda statement: statement.heads)]


def grounded(rules: Rules) -> list[str]:
    """The same of rules that are a game, and atoms of which the ground program has none; see
    `advisor.asp.apart.run`."""
    arguments = rules.files, rules.open_atoms, rules.constants
    return [*written(rules.files), *apart.run(_underived, *arguments, what=rules.name)]


def _underived(
    files: Sequence[Path], open_atoms: Sequence[Term], constants: Mapping[str, int]
) -> list[str]:
    """A line for each atom as written of which there is no instance."""
    derived: dict[str, list[Term]] = {}
    for term in circuit.ground(files, open_atoms, constants).names.values():
        name, *arguments = term if isinstance(term, tuple) else (term,)
        derived.setdefault(f"{name}/{len(arguments)}", []).append((name, *arguments))
    whole = statements(files)
    named = {statement.name for statement in whole if statement.kind == "#const"}
    # What is declared by #defined may be missing; the state and the move always are.
    optional = {h.signature for s in whole if s.kind == "#defined" for h in s.heads} - {*_GIVEN}

    def fault(atom: Atom) -> str | None:
        there = derived.get(atom.signature, [])
        pattern = (atom.name, *(_open(atom.argument(i), named) for i in range(atom.arity)))
        if not there or atom.signature in optional or any(matches(pattern, t) for t in there):
            return None
        found = render((atom.name, *atom.texts))
        return f"nothing derives '{found}' (did you mean '{nearest(found, map(render, there))}'?)"

    return _lines(files, fault)


def _lines(
    files: Sequence[Path],
    fault: Callable[[Atom], str | None],
    atoms: Callable[[Statement], Sequence[Atom]] = lambda statement: statement.body,
) -> list[str]:
    """What is wrong with the atoms in bodies, or in other parts, with file and line, each once."""

    def found() -> Iterator[str]:
        for statement in statements(files):
            for atom in atoms(statement) if statement.kind != "#defined" else ():
                if said := fault(atom):
                    yield f"{statement.place}: {said}"

    return [*dict.fromkeys(found())]


def _open(term: Term | None, named: set[str]) -> Term | None:
    """An argument as written, with None also for what ``#const`` stands for."""
    if isinstance(term, tuple):
        return tuple(_open(part, named) for part in term)
    return None if term in named else term
