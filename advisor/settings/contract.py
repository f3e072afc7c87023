"""The contract for a user's own encodings and weights: plain rules that add knowledge.

Nothing in them may change the rules of the game, certain results, or how an answer is chosen. The
contract itself is the table of atoms in the encodings' README; errors quote it. Weights and
encodings must use the same names.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from advisor.errors import ConfigError, EncodingError
from advisor.files.resources import ENCODINGS, Versions, versions
from advisor.settings.config import KINDS, Config, Home
from advisor.settings.texts import (
    OUTPUTS,
    TELLING,
    describe_underived,
    name_text,
    names,
    supporting,
)
from aspcircuits.clingo_api import render
from aspcircuits.scanning import LARGEST
from aspcircuits.source import (
    Atom,
    Statement,
    check_size,
    includes,
    matches,
    open_constants,
    statements,
)
from aspcircuits.texts import file_name, nearest

ADDED = (*OUTPUTS["moves"], *OUTPUTS["features"], *TELLING)
"""The predicates that a user's rules may derive, beside predicates of their own."""

_ALLOWED = "allowed are rules with one head, #const and #defined"

_REFUSED = {
    "choice": "a choice would leave open what holds",
    "disjunction": "a disjunction would leave open what holds",
    "constraint": "a constraint would forbid positions instead of scoring them",
    "negated head": "a head that is negated or a comparison acts as a constraint",
    "#show": "#show would change what is read from an answer",
    "#minimize": "#minimize, #maximize and weak constraints would change how moves are chosen",
    "#script": "scripts are not run",
    "#external": "#external would leave open what holds",
    "#edge": "#edge acts as a constraint",
    "#heuristic": "#heuristic does not belong to a strategy",
    "#project": "#project would change which answers are found",
    "#theory": "theory atoms are not supported",
}


def check(programs: Mapping[str, Sequence[Path]], own: Sequence[Path], home: Home) -> None:
    """Check users' encodings against the contract.

    Args:
        programs: the files of each program ("moves", "features").
        own: the user's files among them.
        home: the game.

    Raises:
        EncodingError: file, line, what was found and what is allowed.
    """
    for file in own:
        check_size(file)
        for line in includes(file):
            raise EncodingError(
                f"{file_name(file)}:{line}: #include is not read "
                "(name every file in the weights file: encodings: extra: [first.lp, second.lp])"
            )
    contract = _Contract(programs, own, home)
    for statement in statements(own):
        contract.check_statement(statement)
    for program, files in programs.items():
        whole = statements(files)
        mine = statements(file for file in files if file in own)
        contract.check_known(program, whole, mine)
        contract.check_strata(whole, mine)
    _check_heads(statements(own))


class _Contract:
    """The contract for some programs of a game."""

    def __init__(
        self, programs: Mapping[str, Sequence[Path]], own: Sequence[Path], home: Home
    ) -> None:
        self._home = home
        self._meanings = {} if home.by_rules else meanings()
        ours = {*home.nameable, *(file for files in programs.values() for file in files)} - {*own}
        known = tuple(sorted(ours))
        self._words = _words(known, versions(known))
        # Every predicate of the advisor in these programs, and the file that derives it.
        self._ours = dict.fromkeys([*home.given, *self._meanings], "")
        for files in programs.values():
            for statement in statements(file for file in files if file not in own):
                if statement.kind in ("rule", "choice"):
                    heads = (head.signature for head in statement.heads)
                    self._ours |= dict.fromkeys(heads, statement.file.name)

    def _describe_predicate(self, signature: str) -> str:
        """Return a predicate with its meaning, if the README has one."""
        meaning = self._meanings.get(signature)
        return f"{signature} is {meaning}" if meaning else signature

    def check_statement(self, statement: Statement) -> None:
        """Check one statement's kind and heads, whatever the others are."""
        kind = statement.kind
        if kind in _REFUSED:
            text = " ".join(statement.text.split())
            text = text if len(text) <= 60 else text[:57] + "..."
            raise statement.error(f"'{text}': {_REFUSED[kind]} ({_ALLOWED})")
        if kind == "#const" and statement.name in self._words:
            raise statement.error(
                f"'{statement.text}': {self._home.owner} encodings use the name {statement.name} "
                "(use another one)"
            )
        if kind == "rule":
            for head in statement.heads:
                self._check_head(statement, head)

    def _check_head(self, statement: Statement, head: Atom) -> None:
        if head.signature in ADDED:
            self._check_arguments(statement, head)
        elif right := next((known for known in ADDED if known.startswith(f"{head.name}/")), None):
            wrong = f"'{head.signature}' has the wrong number of arguments"
            raise statement.error(f"{wrong}: {self._describe_predicate(right)}")
        elif head.signature in self._ours:
            meaning = self._meanings.get(head.signature)
            kind = "one" if self._home.by_rules else "a private one"
            means = f": {meaning}" if meaning else f", {kind} of {self._ours[head.signature]}"
            raise statement.error(
                f"'{head.signature}' is {self._home.owner} own{means} (use another name; a file "
                f"may add to {', '.join(ADDED)})"
            )

    def _check_arguments(self, statement: Statement, head: Atom) -> None:
        """Check the shape of an atom that the advisor reads."""
        if head.name in ("fires", "because", "feature") and head.argument(0) is None:
            raise statement.error(
                f"'{head.name}({', '.join(head.texts)})' has no name that a weight can be given to "
                f"(begin with a word: {head.name}(corner, ...))"
            )
        if self._home.by_rules:
            return  # moves and players are checked in its ground rules
        second = head.argument(1) if head.arity > 1 else None
        is_move = isinstance(second, tuple) and second[0] == "move" and len(second) == 3
        if head.name in ("fires", "because") and second is not None and not is_move:
            raise statement.error(f"'{head.texts[1]}' is not a move (use move(R, C))")
        if head.name == "feature" and second not in (None, 1, 2):
            raise statement.error(f"'{head.texts[1]}' is not a player (use 1, 2 or a variable)")

    def check_known(
        self, program: str, whole: Sequence[Statement], mine: Sequence[Statement]
    ) -> None:
        """Check that some rule derives every atom and constant that a program's outputs depend on.

        Rules that only serve the other program are left to its own check.
        """
        heads = (head.signature for statement in whole for head in statement.heads)
        known = {*self._home.given, *heads}
        constants = {name for statement in whole for name in statement.constants}
        for statement, fault in find_unheld(whole, mine):
            raise statement.error(fault)
        for statement in supporting(mine, OUTPUTS[program]):
            for atom in statement.body:
                if atom.signature not in known:
                    raise statement.error(self._unknown(program, atom.signature, known))
                strange = next((name for name in atom.constants if name not in constants), None)
                if strange and atom.signature != "weight/2":  # the weights file names others
                    raise statement.error(
                        f"no rule derives '{atom.name}({', '.join(atom.texts)})': '{strange}' is a "
                        f"constant that stands nowhere else (variables begin with a capital letter)"
                    )

    def _unknown(self, program: str, signature: str, known: Iterable[str]) -> str:
        """Say what is wrong with an atom that no rule derives."""
        for file in sorted(self._home.nameable):
            rules = (s for s in statements([file]) if s.kind == "rule")
            if any(head.signature == signature for rule in rules for head in rule.heads):
                return (
                    f"'{signature}' is not part of the program that scores {program} "
                    f"(add {file.name} to encodings: extra: {{{program}: [..]}})"
                )
        return unknown(signature, known, self._describe_predicate)

    def check_strata(self, whole: Sequence[Statement], mine: Sequence[Statement]) -> None:
        """Check that nothing depends on its own absence or number, nor on the chosen move."""
        chosen = {h.signature for s in whole if s.kind == "choice" for h in s.heads}
        uses = [(h.signature, atom) for s in whole for h in s.heads for atom in s.body]
        below: defaultdict[str, set[str]] = defaultdict(set)
        for signature, atom in uses:
            below[signature].add(atom.signature)
        loop = _loops(below)
        circular = {
            loop[signature]
            for signature, atom in uses
            if atom.negative and loop[signature] == loop[atom.signature]
        }
        for statement in mine:
            for atom in statement.body:
                if atom.signature in chosen:
                    raise statement.error(
                        f"'{atom.signature}' is the answer: no rule may depend on it "
                        f"({self._describe_predicate(atom.signature)})"
                    )
                for head in statement.heads:
                    if loop[head.signature] in circular and (
                        loop[head.signature] == loop[atom.signature]
                    ):
                        raise statement.error(
                            f"'{head.signature}' depends on itself through 'not' or a count "
                            f"(by way of '{atom.signature}'; recursion may use neither)"
                        )


def find_unheld(
    whole: Sequence[Statement], read: Iterable[Statement]
) -> Iterator[tuple[Statement, str]]:
    """Yield the statements that read ``true(A)`` where no ``base/1`` names A, with the fault.

    Args:
        whole: the rules of a game with its knowledge; nothing is found without a ``base/1``.
        read: the statements to look at.
    """
    named = {statement.name for statement in whole if statement.kind == "#const"}
    heads = [h for s in whole for h in s.heads if h.signature == "base/1"]
    base = [open_constants(head.argument(0), named) for head in heads]
    for statement in read if base else ():
        for atom in statement.body:
            asked = open_constants(atom.argument(0), named) if atom.signature == "true/1" else None
            if asked is not None and not any(matches(asked, each) for each in base):
                meant = nearest(atom.texts[0], [head.texts[0] for head in heads])
                yield (
                    statement,
                    f"no base/1 names '{atom.texts[0]}' (did you mean '{meant}'?)",
                )


def unknown(signature: str, known: Iterable[str], told: Callable[[str], str] = str) -> str:
    """Say what is wrong with an atom, such as ``cell/3``, that no rule derives, with a suggestion.

    Suggestions come from `known`; `told` describes one of them.
    """
    name = signature.partition("/")[0]
    same = [other for other in sorted(known) if other.startswith(f"{name}/")]
    if same:
        meant = " or ".join(map(told, same))
        return f"'{signature}' has the wrong number of arguments: {meant}"
    public = [other for other in sorted(known) if not other.startswith("_")]
    guess = nearest(signature, public)
    return f"no rule derives '{signature}' (did you mean '{guess}'?)"


def _loops(below: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return a representative of each predicate's strongly connected component.

    This is Kosaraju's algorithm: depth first, then backwards in the order of their ends.
    """
    above: defaultdict[str, list[str]] = defaultdict(list)
    for user, used in below.items():
        for each in used:
            above[each].append(user)
    ended: list[str] = []
    seen: set[str] = set()
    for root in below:
        path = [(root, iter(below[root]))] if root not in seen else []
        seen.add(root)
        while path:
            for each in path[-1][1]:
                if each not in seen:
                    seen.add(each)
                    path.append((each, iter(below.get(each, ()))))
                    break
            else:
                ended.append(path.pop()[0])
    loop: dict[str, str] = {}
    for root in reversed(ended):
        pending = [root]
        while pending:
            each = pending.pop()
            if each not in loop:
                loop[each] = root
                pending += above[each]
    return loop


def _check_heads(mine: Sequence[Statement]) -> None:
    """Check that no head is a typo of one that the advisor reads."""
    known = {*ADDED, *(atom.signature for statement in mine for atom in statement.body)}
    for statement in mine:
        for head in statement.heads:
            if statement.kind == "rule" and head.signature not in known:
                guess = get_close_matches(head.signature, ADDED, n=1, cutoff=0.75)
                if guess:
                    raise statement.error(
                        f"nothing reads '{head.signature}' (did you mean '{guess[0]}'?)"
                    )


@cache
def meanings() -> dict[str, str]:
    """Return the atoms of the contract that a user's rules may use, with their meanings."""
    text = (ENCODINGS / "README.md").read_text(encoding="utf-8")
    shared = text.partition("## The nine strategic rules")[0]
    rows = re.findall(r"^\| `([a-z]\w*/\d+)` \| (.*?) \| [^|]* \|$", shared, re.MULTILINE)
    return {signature: meaning.replace("`", "") for signature, meaning in rows}


@cache
def _words(files: tuple[Path, ...], _as_now: Versions) -> frozenset[str]:
    """Return every word of these encodings: a constant with such a name would change them."""
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return frozenset(re.findall(r"\w+", text))


def check_settings(config: Config, told: bool) -> None:
    """Check settings against their encodings, and the users' encodings by themselves.

    Strategies and features come from the encodings; a weight whose name no encoding derives is an
    error, and so is the reverse.

    Args:
        config: the settings.
        told: also compare the weights with the names that have texts in the encodings; a test does
            this for the presets.

    Raises:
        ConfigError: a name on one side only, with its place.
        EncodingError: an encoding is no program, or breaks the contract.
    """
    programs = {program: config.files(program) for program in KINDS}
    given = {file for files in programs.values() for file in files}
    rules = {file for files in config.home.frames.values() for file in files}
    own = [file for file in given - rules if not file.resolve().is_relative_to(ENCODINGS)]
    if own:
        check(programs, sorted(own), config.home)
    if sum(map(abs, config.weights["moves"].values())) > LARGEST:  # clingo adds them up
        raise ConfigError(f"{config.name}: moves: the weights add up to more than {LARGEST}")
    for program in KINDS:
        _check_names(config, program)
        if told:
            _check_told(config, program)


def _check_names(config: Config, program: str) -> None:
    kind, weights = KINDS[program], config.weights[program]
    derived = [*names(statements(config.files(program)), program)]
    sides = [file for file in config.derivers(program) if file not in config.home.nameable]
    ours = ", ".join(file.name for file in config.derivers(program) if file not in sides)
    # A user's file may have the name of one of the advisor's.
    files = ", ".join(file.name for file in sides)
    files = f"{files} or {config.home.owner} own {ours}" if files and ours else files or ours
    for name in weights:
        if not any(matches(pattern, name) for pattern, _ in derived):
            own = [pattern for pattern, rule in derived if rule.file in sides]
            wrong = describe_underived(
                program, name, [pattern for pattern, _ in derived], files, own
            )
            raise ConfigError(f"{config.name}: {program}: {wrong}")
    for pattern, rule in derived:
        if not any(matches(pattern, name) for name in weights):
            raise ConfigError(
                f"{rule.place}: {kind} "
                f"'{name_text(pattern)}' has no weight in {config.name} (under {program}:)"
            )


def _check_told(config: Config, program: str) -> None:
    """Check that a number in a weight's name occurs in the texts, if there are any.

    A rule's head has a variable there and does not say which numbers can occur.
    """
    told = config.texts.features if program == "features" else config.texts.strategies
    families = defaultdict(list)
    for name in told:
        families[_family(name)].append(name)
    for name in map(render, config.weights[program]):
        known = families[_family(name)]
        if known and name not in known:
            raise ConfigError(
                f"{config.name}: {program}: there is no {KINDS[program]} '{name}' "
                f"(use {', '.join(known)})"
            )


def _family(name: str) -> str:
    return re.sub(r"-?\d+", "N", name)
