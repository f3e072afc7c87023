"""Convert a rule sheet into a game's ``rules.lp``, in the vocabulary of `advisor.games.rules`."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.errors import EncodingError
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.rules import NOOP, RULES
from advisor.games.rules import read as read_rules
from advisor.plugins.gdl.board import board
from advisor.plugins.gdl.kif import Place
from advisor.plugins.gdl.language import (
    GIVEN,
    Literal,
    Rule,
    Signature,
    Variable,
    arguments,
    cone,
    dynamic,
    matches,
    rules_by_predicate,
    signature,
    simplify_rule,
    substitute,
    variables,
    with_relations,
    with_values,
)
from advisor.plugins.gdl.rewrite import CONTRACT, DECLARED, Survey, restrict_calls, smaller, survey
from advisor.plugins.gdl.sheet import Names, Sheet, read
from aspcircuits.clingo_api import Term, render

_Inputs = Sequence[tuple[Term, Term]]
"""Pairs of a role and a move."""

_TRIED = 10
"""Number of random games that test an encoding."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A rule sheet converted into an encoding.

    >>> import pathlib, tempfile
    >>> rules = '''(role x) (role o) (init new) (legal x take) (<= (legal o wait) (true new))
    ... (<= (next done) (does x take)) (<= terminal (true done)) (goal x 100) (goal o 0)'''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sheet = pathlib.Path(folder, "take.kif")
    ...     _ = sheet.write_text(rules)
    ...     _, found = advisor.import_game(str(sheet), f"{folder}/take")
    >>> found.players
    ['x', 'o']

    Attributes:
        rules: the text of ``rules.lp``.
        base: number of atoms that states consist of.
        moves: number of possible moves of each role.
        notes: anything unusual about the sheet, and how it was interpreted.
    """

    rules: str
    roles: tuple[Term, ...]
    base: int
    moves: tuple[int, ...]
    notes: tuple[str, ...]

    @property
    def players(self) -> list[str]:
        """Names of the roles."""
        return [*map(render, self.roles)]


def convert(text: str, file: str, name: str) -> Imported:
    """Convert the text of a sheet into an encoding.

    Args:
        file: name of the sheet in errors.
        name: name of the game.

    Raises:
        EncodingError: the sheet is malformed or cannot be used; one line with file and place.
    """
    sheet = read(text, file)
    rules = cone([*_of_roles(sheet.rules)], [*CONTRACT, *DECLARED])
    _note_undefined(sheet, rules)
    rules, asked = restrict_calls(rules, sheet.names, file)
    questions = [Rule(atom, (), Place(file, 1, 1)) for atom in asked]
    known = survey([*rules, *questions], sheet.names, file)
    _check_bounded(rules, known)
    if not known.base or not known.inputs:
        raise EncodingError(f"{file}: no {'move' if known.base else 'state'} can ever be")
    rules = [rule for rule in rules if signature(rule.head) not in DECLARED]
    roles = tuple(dict.fromkeys(r.head[1] for r in rules if signature(r.head) == ("role", 1)))
    written = smaller(rules, sheet.names, known)
    undefined = [
        *GIVEN,
        *sorted(_undefined_predicates(written) - {signature(atom) for atom in asked}),
    ]
    reached, ended, going = (
        sheet.names.fresh("relation", name) for name in ("reached", "ended", "going")
    )
    own = {("goal", 2): reached, ("terminal", 0): ended}
    written = [with_relations(rule, own) for rule in written]
    turns = _turns(known.base, roles)
    words = _waiting(rules, roles, known.inputs, turns)
    may_pass = _may_pass(rules, roles, words, turns)
    layers = _Layers(sheet.names, roles, known.inputs)
    layers.rename_noop(words)
    layers.wait(words)
    if may_pass:
        layers.let_pass(ended)
    written, waiting = layers.put_before(written)
    inputs = layers.inputs
    parts = [
        f"% Purpose: {name}, from a rule sheet in the Game Description Language.\n"
        "% Input:   true(A), does(P, M)\n"
        "% Derives: the game\n",
        "".join(f"#defined {name}/{arity}.\n" for name, arity in undefined),
        "% What states are made of, and the moves there can be.\n"
        + "".join([*facts("base", [(atom,) for atom in known.base]), *facts("input", inputs)]),
        "".join(_lines(written)),
        _questions(asked),
        _GOALS.format(reached=reached),
        waiting,
        _END.format(ended=ended, going=going),
        board(known.base, known.start, sheet.names),
    ]
    counts = tuple(sum(role == player for role, _ in inputs) for player in roles)
    return Imported(
        "\n".join(filter(None, parts)), roles, len(known.base), counts, tuple(sheet.notes)
    )


def check_playable(made: Imported, file: str) -> None:
    """Play some random games by an encoding.

    Args:
        file: name of the sheet in errors.

    Raises:
        EncodingError: a game breaks the contract, for example if both players must move at once.
    """
    with TemporaryDirectory() as folder:
        (Path(folder) / RULES).write_text(made.rules)
        try:
            check(Circuits(read_rules(folder)), games=_TRIED, compared=0)
        except EncodingError as error:
            # Drop the place: it refers to a temporary file, which the user cannot see.
            told = re.sub(rf"^\S*{RULES}:(\S*:)? ", "", str(error))
            raise EncodingError(f"{file}: {told}") from None


_GOALS = """\
% The greatest of what a role has reached is its goal, and 0 if it is nothing.
goal(P, V) :- {reached}(P, V), W <= V : {reached}(P, W).
goal(P, 0) :- role(P), not {reached}(P, _).
"""

_END = """\
% The game is over where its rules say so, and where they leave nobody a move.
terminal :- {ended}.
terminal :- not {going}.
{going} :- legal(_, M), M != noop.
"""


def _of_roles(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Restrict goals to roles, since a sheet may give a goal to any mark."""
    for rule in rules:
        role = rule.head[1] if signature(rule.head) == ("goal", 2) else None
        certain = Literal(("role", role))
        if isinstance(role, Variable) and certain not in rule.body:
            yield replace(rule, body=(certain, *rule.body))
        else:
            yield rule


def _questions(asked: Iterable[Term]) -> str:
    """Write the facts that list the calls of some relations."""
    by_name = defaultdict(list)
    for atom in asked:
        by_name[signature(atom)[0]].append(arguments(atom))
    lines = [line for name, rows in by_name.items() for line in facts(name, rows)]
    return "".join(["% What some relations are asked; they say no more.\n"] * bool(lines) + lines)


def _lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Write rules with the comments that preceded them; set predicates apart by empty lines."""
    last = None
    for rule in rules:
        name = signature(rule.head)
        if last and (rule.comments or name != last):
            yield "\n"
        last = name
        for comment in rule.comments:
            yield f"% {comment}\n"
        yield f"{rule}\n"


def _note_undefined(sheet: Sheet, rules: Sequence[Rule]) -> None:
    unknown = _undefined_predicates(rules)
    for rule in rules:
        for literal in rule.body:
            name = signature(literal.atom)
            if name in unknown:
                sheet.note(rule.place, f"no rule derives '{name[0]}' with {name[1]} arguments")


def _undefined_predicates(rules: Sequence[Rule]) -> set[Signature]:
    """Return the predicates in bodies that no rule derives and that are not given."""
    asked = {signature(x.atom) for rule in rules for x in rule.body if not x.compares}
    return asked - {*rules_by_predicate(rules), *GIVEN}


def _check_bounded(rules: Sequence[Rule], known: Survey) -> None:
    """Refuse rules by which a fact of the state is nested deeper and deeper."""
    if known.too_deep is None:
        return
    name = signature(known.too_deep)
    for rule in rules_by_predicate(rules)["next", 1]:
        fact = rule.head[1]
        if isinstance(fact, Variable) or signature(fact) == name:
            raise rule.place.error(f"'{name[0]}' grows without bound: states have to be finite")


# In GDL a role that is not to move makes a move too: it waits. Sheets have their own words for
# waiting, which their rules may compare, remember or count. So the rules keep these words, but
# their `legal` and `does` get other names. Layers translate between these names and the
# contract's, so that in an encoding a waiting role has `NOOP`. A role that could move but waits
# must pass explicitly, and so must one of two roles that both wait.
# waits, and one of two that both wait, have to say that they pass.


_RENAMED = """\
% The sheet's own noop is a move like others and gets another name.
{legal_}(P, M) :- {legal}(P, M), M != noop.
{legal_}(P, {name}) :- {legal}(P, noop).
{does}(P, M) :- {does_}(P, M), M != {name}.
{does}(P, noop) :- {does_}(P, {name}).
"""

_WAITING = """\
% Who is not to move does noop, which stands for the sheet's own word.
{legal_}(P, M) :- {legal}(P, M), not {waits}(P, M).
{legal_}(P, noop) :- {legal}(P, M), {waits}(P, M).
{does}(P, M) :- {does_}(P, M), M != noop.
{does}(P, M) :- {does_}(P, noop), {waits}(P, M).
{said}"""

_FORCED = """\
% Who has no choice waits, whatever the move is called; where nobody has one, {second} does.
{waits}(P, M) :- {legal}(P, M), {word}(P, M).
{waits}(P, M) :- {legal}(P, M), not {choice}(P), {choice}(_).
{waits}({second}, M) :- {legal}({second}, M), not {choice}(_), {free}({first}).
{choice}(P) :- role(P), 2 {{ {legal}(P, M) }}.
{free}(P) :- {legal}(P, M), not {word}(P, M).
#defined {word}/2.
"""

_PASSING = """\
% Who could move and may wait passes; where nobody can do more than wait, {first} does.
{legal_}(P, M) :- {legal}(P, M).
{legal_}(P, {passes}) :- {legal}(P, noop), {able}(P).
{legal_}({first}, {passes}) :- {legal}({first}, noop), not {able}(_), not {ended}.
{able}(P) :- {legal}(P, M), M != noop.
{does}(P, M) :- {does_}(P, M), M != {passes}.
{does}(P, noop) :- {does_}(P, {passes}).
"""


class _Layers:
    """Layers between the rules of a sheet and the contract, with the moves of the encoding."""

    def __init__(self, names: Names, roles: Sequence[Term], inputs: _Inputs) -> None:
        self.inputs = [*inputs]
        self._names = names
        self._roles = roles
        self._layers: list[tuple[str, dict[str, str]]] = []

    def rename_noop(self, words: dict[Term, Term]) -> None:
        """Give a sheet's `NOOP` another name if it is more than a word for waiting."""
        if all(words.get(role) == NOOP for role, move in self.inputs if move == NOOP):
            return
        name = self._names.fresh("object", NOOP)
        self.inputs = [(role, name if move == NOOP else move) for role, move in self.inputs]
        words.update({role: name for role, word in words.items() if word == NOOP})
        self._layers.append((_RENAMED, {"name": name}))

    def wait(self, words: Mapping[Term, Term]) -> None:
        """Turn waiting moves into `NOOP`: the roles' words for it, or moves without a choice."""
        told = len(words) == len(self._roles)
        if told and {*words.values()} == {NOOP}:
            return
        waits, word, choice, free = (
            self._names.fresh("relation", name) for name in ("waits", "word", "choice", "free")
        )
        facts = [
            f"{waits if told else word}({render(role)}, {render(move)}).\n"
            for role, move in words.items()
        ]
        first, second = map(render, self._roles)
        names = {"waits": waits, "word": word, "choice": choice, "free": free}
        names |= {"first": first, "second": second, "facts": "".join(facts)}
        template = "{facts}" if told else f"{_FORCED}{{facts}}"
        self._layers.append((_WAITING.replace("{said}", template), names))
        self.inputs = [(p, NOOP if words.get(p) == move else move) for p, move in self.inputs]
        self.inputs += [(role, NOOP) for role in self._roles if role not in words]

    def let_pass(self, ended: str) -> None:
        """Let roles pass explicitly; `ended` holds where the sheet's own rules end the game."""
        names = {
            "passes": self._names.fresh("object", "pass"),
            "able": self._names.fresh("relation", "able"),
            "first": render(self._roles[0]),
            "ended": ended,
        }
        self._layers.append((_PASSING, names))
        self.inputs += [(r, names["passes"]) for r in self._roles if (r, NOOP) in self.inputs]

    def put_before(self, rules: Sequence[Rule]) -> tuple[list[Rule], str]:
        """Return the rules, with `legal` and `does` renamed if need be, and the layers' text."""
        fresh = self._names.fresh
        called = [(fresh("relation", "can"), fresh("relation", "done")) for _ in self._layers]
        called.append(("legal", "does"))
        can, done = called[0]
        texts = [
            layer.format(legal=legal, does=does, legal_=legal_, does_=does_, **more)
            for (layer, more), ((legal, does), (legal_, does_)) in zip(
                self._layers, pairwise(called), strict=True
            )
        ]
        own = {("legal", 2): can, ("does", 2): done}
        return [with_relations(rule, own) for rule in rules], "\n".join(texts)


def _turns(base: Iterable[Term], roles: Sequence[Term]) -> set[Signature]:
    """Find the predicates that say whose turn it is by a fact about each role alone."""
    named = {signature(atom) for atom in base if signature(atom)[1] == 1}
    return {(name, 1) for name, _ in named if {(name, role) for role in roles} <= {*base}}


def _waiting(
    rules: Sequence[Rule], roles: Sequence[Term], inputs: _Inputs, turns: set[Signature]
) -> dict[Term, Term]:
    """Find the move by which each role waits, as far as the rules show it."""
    state = dynamic(rules)
    moves = [rule for rule in rules if signature(rule.head) == ("legal", 2)]
    found: dict[Term, Term] = {}
    for role in roles:
        own = [move for player, move in inputs if player == role]
        plain = [move for move in own if not isinstance(move, tuple)]
        handed = [
            rule.head[2]
            for rule in moves
            if (rule.head[1] == role or variables(rule.head[1]))
            and rule.head[2] in own
            and _hands_over(rule, role, state, turns)
        ]
        if NOOP in plain and (NOOP in handed or not handed):
            found[role] = NOOP
        elif handed:
            found[role] = handed[0]
        elif len(own) == 1 or len(plain) == 1:
            found[role] = own[0] if len(own) == 1 else plain[0]
    return found


def _hands_over(rule: Rule, role: Term, state: set[Signature], turns: set[Signature]) -> bool:
    """Whether a rule gives a role a move because it is the other role's turn."""
    asked = [x for x in rule.body if signature(x.atom) in state]
    if len(asked) != 1 or signature(asked[0].atom) != ("true", 1):
        return False
    fact = asked[0].atom[1]
    if signature(fact) not in turns:
        return False
    values = dict.fromkeys(variables(rule.head[1]), role)
    handed = substitute(fact, values)[1] == role
    return bool(handed != asked[0].positive)


def _may_pass(
    rules: Sequence[Rule], roles: Sequence[Term], words: Mapping[Term, Term], turns: set[Signature]
) -> bool:
    """Whether a role may wait although it could move, or both may wait in the same state."""
    state = dynamic(rules)
    for rule in rules:
        for role in roles if signature(rule.head) == ("legal", 2) else ():
            match: dict[Variable, Term] = {}
            wait = ("legal", role, words.get(role, NOOP))
            if (
                matches(rule.head, wait, match)
                and simplify_rule(with_values(rule, match)) is not None
                and not _hands_over(rule, role, state, turns)
            ):
                return True
    return False


# Facts


def facts(name: str, rows: Sequence[Sequence[Term]]) -> list[str]:
    """Write facts of a predicate as lines; pool alternatives of an argument to need few of them."""
    if rows == [()]:
        return [f"{name}.\n"]
    return [f"{name}({', '.join(row)}).\n" for row in _products(sorted(rows, key=repr))]


def _products(rows: Sequence[Sequence[Term]]) -> list[tuple[str, ...]]:
    """Write rows as products of alternatives, each alternative as a term."""
    if not rows[0]:
        return [()]
    by_first: dict[Term, dict[Sequence[Term], None]] = {}
    for first, *rest in rows:
        by_first.setdefault(first, {})[tuple(rest)] = None
    alike: dict[tuple[Sequence[Term], ...], list[Term]] = {}
    for first, rests in by_first.items():
        alike.setdefault(tuple(rests), []).append(first)
    return [
        (first, *rest)
        for rests, firsts in alike.items()
        for rest in _products(rests)
        for first in _alternatives(firsts)
    ]


def _alternatives(terms: Sequence[Term]) -> list[str]:
    """Write terms as few terms that contain alternatives."""
    plain = [term for term in terms if not isinstance(term, tuple)]
    found = [_pool(plain)] if plain else []
    shapes: dict[Signature, list[Sequence[Term]]] = {}
    for term in terms:
        if isinstance(term, tuple):
            shapes.setdefault(signature(term), []).append(term[1:])
    for (name, _), rows in shapes.items():
        found += [f"{name}({', '.join(row)})" for row in _products(rows)]
    return found


def _pool(terms: Sequence[Term]) -> str:
    """Write constants and numbers as one term; consecutive numbers become an interval."""
    numbers = sorted({term for term in terms if isinstance(term, int)})
    texts = [str(term) for term in terms if not isinstance(term, int)]
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        row = [number for _, number in run]
        texts += [f"{row[0]}..{row[-1]}"] if len(row) > 2 else map(str, row)
    return texts[0] if len(texts) == 1 else f"({'; '.join(texts)})"
