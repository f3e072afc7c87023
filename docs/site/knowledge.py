"""Read the encodings: their predicates, what each means, and what each is derived from.

The head of a file states meanings as ``% Derives: name(A, B) - meaning``; the vocabulary of games
stands in a table of ``encodings/README.md``; other predicates have a comment above their rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from clingo import ast

from advisor.files.resources import ENCODINGS
from aspcircuits.source import Atom, Statement, atoms_of, nodes, statements

README = ENCODINGS / "README.md"
_RULES = "rule", "choice", "disjunction", "#external"
_VARIABLE = re.compile(r"[A-Z]\w*'*")


@dataclass(frozen=True)
class Rule:
    """A rule of a file: its text as it is written there, its heads, and the atoms that it reads."""

    text: str
    comment: str
    heads: tuple[Atom, ...]
    reads: frozenset[str]


@dataclass(frozen=True)
class Predicate:
    """A predicate of one file.

    Attributes:
        form: with the variables of its head or of its first rule, as ``threat(P, R, C)``.
        meaning: as the head of the file states it, in Markdown; otherwise empty.
        reads: signatures of the predicates in the bodies of its rules.
    """

    signature: str
    form: str
    meaning: str
    rules: tuple[Rule, ...]
    reads: frozenset[str]

    @property
    def comment(self) -> str:
        """The comment above the first of its rules that has one."""
        return next((rule.comment for rule in self.rules if rule.comment), "")


class Encoding:
    """An encoding: its head, its rules and its predicates, in the order of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.relative_to(ENCODINGS).as_posix()
        self.lines = path.read_text(encoding="utf-8").splitlines()

    @cached_property
    def head(self) -> dict[str, str]:
        """The parts of its opening comment by their names, such as ``Purpose`` and ``Derives``."""
        parts: dict[str, str] = {}
        name = ""
        for line in self.lines:
            if not line.startswith("%"):
                break
            if found := re.match(r"% ([A-Z]\w+):\s*(.*)", line):
                name = found[1]
                parts[name] = found[2]
            elif name and line.startswith("%  "):
                parts[name] += "\n" + line[len("% Derives: ") :].rstrip()
            else:
                name = ""
        return parts

    @cached_property
    def head_entries(self) -> dict[str, tuple[str, str]]:
        """The form and the meaning of each predicate that the head describes, by signature."""
        found: dict[str, tuple[str, str]] = {}
        last = ""
        for line in self.head.get("Derives", "").splitlines():
            entry = re.fullmatch(r"([a-z]\w*(?:\(.*?\))?(?:, [a-z]\w*\(.*?\))*)\s+- (.*)", line)
            if entry:
                for form in re.findall(r"[a-z]\w*(?:\((?:[^()]|\([^()]*\))*\))?", entry[1]):
                    last = signature_of(form)
                    found.setdefault(last, (form, entry[2]))
            elif last and line.startswith(" "):
                form, meaning = found[last]
                found[last] = form, f"{meaning} {line.strip()}"
            else:
                last = ""
        return found

    @cached_property
    def rules(self) -> list[Rule]:
        return [self._rule(each) for each in self.statements if each.kind in _RULES]

    @cached_property
    def statements(self) -> list[Statement]:
        return statements([self.path])

    @cached_property
    def shown_signatures(self) -> set[str]:
        """The signatures that the file shows, all or some atoms of them."""
        nodes = [each.node for each in self.statements if each.kind == "#show"]
        whole = [node for node in nodes if node.ast_type == ast.ASTType.ShowSignature]
        some = [node.term for node in nodes if node.ast_type == ast.ASTType.ShowTerm]
        return {f"{each.name}/{each.arity}" for each in whole} | {
            f"{each.name}/{len(each.arguments)}" for each in some
        }

    @cached_property
    def reads(self) -> set[str]:
        """The signatures in the bodies of its rules and in what it optimises."""
        read = (each for each in self.statements if each.kind != "#show")
        return {name for each in read for name in _read(each)}

    @cached_property
    def used_files(self) -> set[str]:
        """The names of the files that complete a game's rules, as ``uses`` states them."""
        facts = (head for rule in self.rules for head in rule.heads if head.name == "uses")
        return {text.strip('"') for head in facts for text in head.texts}

    @cached_property
    def predicates(self) -> dict[str, Predicate]:
        """Its predicates by signature."""
        rules: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for name in dict.fromkeys(head.signature for head in rule.heads):
                rules.setdefault(name, []).append(rule)
        return {name: self._predicate(name, found) for name, found in rules.items()}

    def _predicate(self, signature: str, rules: list[Rule]) -> Predicate:
        heads = [head for rule in rules for head in rule.heads if head.signature == signature]
        plain = (head for head in heads if all(map(_VARIABLE.fullmatch, head.texts)))
        head = next(plain, heads[0])
        form = f"{head.name}({', '.join(head.texts)})" if head.arity else head.name
        form, meaning = self.head_entries.get(signature) or (form, "")
        reads = frozenset(name for rule in rules for name in rule.reads)
        return Predicate(signature, form, meaning, tuple(rules), reads)

    def _rule(self, statement: Statement) -> Rule:
        place = statement.node.location
        begin, end = place.begin.line - 1, place.end.line
        text = self.lines[begin:end]
        text[-1] = text[-1][: place.end.column - 1]
        text[0] = text[0][place.begin.column - 1 :]
        reads = frozenset(_read(statement))
        return Rule("\n".join(text), self._comment(begin, end), statement.heads, reads)

    def _comment(self, begin: int, end: int) -> str:
        """Return the comment beside a rule, or the one above its paragraph."""
        beside = re.search(r"\.\s+% (.*)", self.lines[end - 1])
        if beside:
            return beside[1]
        while begin and self.lines[begin - 1].strip() and not self.lines[begin - 1].startswith("%"):
            begin -= 1
        above: list[str] = []
        while begin and re.match(r"%( |$)", self.lines[begin - 1]):
            above.insert(0, self.lines[begin - 1][1:].strip())
            begin -= 1
        return "" if not begin else " ".join(above)


def signature_of(form: str) -> str:
    """Return the signature of an atom with variables: ``on/3`` for ``on(G, R, C)``."""
    nodes: list[ast.AST] = []
    ast.parse_string(f"{form}.", nodes.append)
    return atoms_of(nodes[1].head.atom.symbol)[0].signature


def _read(statement: Statement) -> Iterator[str]:
    """Yield the signatures in a statement's body and in the conditions of its head."""
    if statement.kind in ("#defined", "#const", "#program"):
        return
    parts = statement.node.body if statement.kind == "rule" else [statement.node]
    found = [
        atom.signature
        for part in parts
        for node in nodes(part)
        if node.ast_type == ast.ASTType.SymbolicAtom
        for atom in atoms_of(node.symbol)
    ]
    if statement.kind != "rule":  # its heads stand in the same node
        for head in statement.heads:
            found.remove(head.signature)
    yield from found


@cache
def vocabulary() -> dict[str, tuple[str, str]]:
    """Return the form and meaning of each atom of a game's vocabulary, by signature."""
    text = README.read_text(encoding="utf-8").partition("## Any game")[2]
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text, re.MULTILINE)
    return {signature_of(form): (form, meaning) for form, meaning in rows}


@cache
def encodings(folder: str = "") -> tuple[Encoding, ...]:
    """Return the encodings of a folder and those below it, in the order of their names."""
    return tuple(Encoding(path) for path in sorted((ENCODINGS / folder).rglob("*.lp")))


def game_folders() -> list[str]:
    """Return the folders with encodings: the games, and the vocabulary of learned knowledge."""
    return sorted(path.name for path in ENCODINGS.iterdir() if [*path.glob("*.lp")])
