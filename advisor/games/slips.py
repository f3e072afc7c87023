"""Finds atoms that the rules of a game read and nothing derives, or the reverse.

clingo accepts both in silence.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from advisor.games.rules import CONTRACT, Rules
from advisor.settings.contract import ADDED, find_unheld, unknown
from aspcircuits import circuit, own_process
from aspcircuits.clingo_api import Term, render
from aspcircuits.never import Never
from aspcircuits.source import Statement, matches, open_constants, statements
from aspcircuits.texts import nearest
from aspcircuits.why_not import Missing

_GIVEN = ("true/1", "does/2", "weight/2")
_READ = ("uses/1", *ADDED, *(f"{name}/{arity}" for name, arity in CONTRACT.items()))
"""The predicates that the advisor itself reads from rules and knowledge."""

_MOST = 20_000
"""Up to this many atoms, rules that never apply are searched for.

With the 80,000 atoms of chess it takes half a minute.
"""

_LIKE = 0.85
"""The similarity, from 0 to 1, of a name that was probably meant."""


def text_warnings(files: Sequence[Path]) -> list[str]:
    """Return warnings about predicates that are read but not derived, and about likely typos.

    A likely typo is a derived predicate that nothing reads and whose name nearly equals one that is
    read. The rules need not be a complete game. A warning is a line with file, line number, and a
    suggestion.

    Raises:
        EncodingError: a file is no program.
    """
    whole = statements(files)
    known = {*_GIVEN, *(head.signature for s in whole for head in s.heads)}
    read = {*_READ, *(atom.signature for s in whole for atom in s.body)}
    unread = []
    for statement in whole:
        for atom in statement.heads:
            if atom.signature in read:
                continue
            same = [other for other in _READ if other.startswith(f"{atom.name}/")]
            for meant in (same or get_close_matches(atom.signature, _READ, 1, _LIKE))[:1]:
                said = f"nothing reads '{atom.signature}' (did you mean '{meant}'?)"
                unread.append((statement, said))
    bodies = ((s, atom.signature) for s in whole for atom in s.body)
    undefined = ((s, unknown(name, known)) for s, name in bodies if name not in known)
    return [*_lines(undefined), *_lines(unread)]


def unheld(files: Sequence[Path]) -> list[str]:
    """Return warnings about atoms in ``true/1`` that no ``base/1`` names; the rules need be no
    game.
    """
    whole = statements(files)
    return _lines(find_unheld(whole, whole))


def ground_warnings(rules: Rules) -> list[str]:
    """Return the warnings of `text_warnings`, and those about atoms without ground instances.

    The rules are a game; for errors see `aspcircuits.own_process.run`.
    """
    arguments = rules.files, rules.open_atoms, rules.constants
    return [
        *text_warnings(rules.files),
        *own_process.run(_underived_atoms, *arguments, what=rules.name),
    ]


def _underived_atoms(
    files: Sequence[Path], open_atoms: Sequence[Term], constants: Mapping[str, int]
) -> list[str]:
    """Return a line for each atom in the text that has no ground instance."""
    derived: dict[str, list[Term]] = {}
    names = circuit.ground(files, open_atoms, constants).names
    for term in names.values():
        name, *arguments = term if isinstance(term, tuple) else (term,)
        derived.setdefault(f"{name}/{len(arguments)}", []).append((name, *arguments))
    whole = statements(files)
    never = Never(whole, [*names.values()], constants)
    named = {statement.name for statement in whole if statement.kind == "#const"}
    # Predicates in #defined may be missing; the state and the move always are.
    optional = {h.signature for s in whole if s.kind == "#defined" for h in s.heads} - {*_GIVEN}
    found = []
    for statement in whole:
        for atom in statement.body:
            there = derived.get(atom.signature, [])
            pattern = (
                atom.name,
                *(open_constants(atom.argument(i), named) for i in range(atom.arity)),
            )
            if atom.signature in optional or any(matches(pattern, each) for each in there):
                continue
            if there:
                text = render((atom.name, *atom.texts))
                meant = nearest(text, map(render, there))
                cause = _cause(never.find_cause(pattern))
                said = f"nothing derives '{text}' (did you mean '{meant}'?){cause}"
                found.append((statement, said))
    told = {(statement.place, statement.text) for statement, _ in found}
    for lack in never.find_idle() if len(names) <= _MOST else ():
        literal, statement = lack.literal, lack.rule.statement
        key = statement.place, statement.text
        if literal is None or key in told:
            continue
        told.add(key)
        if literal.kind == "atom" and literal.predicate not in derived:
            continue  # perhaps there is none on this board
        found.append((statement, f"this rule never applies: {lack.text}: {lack.reason}"))
    return _lines(found)


def _cause(lack: Missing | None) -> str:
    """Say why nothing derives an atom, if one rule could."""
    if lack is None:
        return ""
    return f"; line {lack.rule.statement.line} of {lack.rule.statement.file.name} lacks {lack.text}"


def _lines(found: Iterable[tuple[Statement, str]]) -> list[str]:
    """Return the faults of statements, each once, with file and line."""
    told = (f"{s.place}: {said}" for s, said in found if s.kind != "#defined")
    return [*dict.fromkeys(told)]
