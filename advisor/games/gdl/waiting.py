"""What a role does that is not to move: the sheet's own word for it, and passing.

In an encoding it is `NOOP`, and a role that could move, or both, have to say that they pass.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from advisor.asp.clingo_api import Term, render
from advisor.games.gdl.language import (
    Rule,
    Signature,
    Variable,
    arguments,
    dynamic,
    matches,
    signature,
    simplified,
    substitute,
    variables,
    with_atoms,
    with_relations,
    with_values,
)
from advisor.games.gdl.sheet import Names
from advisor.games.rules import NOOP

_WAITING = """\
% Who is not to move does noop.
{legal_}(P, M) :- {legal}(P, M), not {waits}(P, M).
{legal_}(P, noop) :- {legal}(P, M), {waits}(P, M).
{does}(P, M) :- {does_}(P, M), M != noop.
{does}(P, M) :- {does_}(P, noop), {waits}(P, M).
{facts}"""

_PASSING = """\
% Who could move and may wait passes; where nobody can do more than wait, {first} does.
{legal_}(P, M) :- {legal}(P, M).
{legal_}(P, {passes}) :- {legal}(P, noop), {able}(P).
{legal_}({first}, {passes}) :- {legal}({first}, noop), not {able}(_), not {ended}.
{able}(P) :- {legal}(P, M), M != noop.
{does}(P, M) :- {does_}(P, M), M != {passes}.
{does}(P, noop) :- {does_}(P, {passes}).
"""

_Inputs = Sequence[tuple[Term, Term]]


def settled(
    sheet: Sequence[Rule],
    written: Sequence[Rule],
    names: Names,
    roles: Sequence[Term],
    inputs: _Inputs,
    ended: str,
) -> tuple[list[Rule], _Inputs, str]:
    """Makes what waiting roles do `NOOP`.

    Args:
        sheet: the rules as they were read.
        written: the same, as they are going to be written.
        inputs: roles and moves.
        ended: the relation that holds where the sheet's own rules end the game.

    Returns:
        The rules, perhaps with other names for which moves can be made and are made; roles and
        moves; and rules about those names, if there are any.
    """
    rules = [*written]
    waiting = _waiting(sheet, roles, inputs)
    words = {*waiting.values()}
    layers: list[tuple[str, dict[str, str]]] = []
    if len(words) == 1 and not any(isinstance(word, tuple) for word in words):
        rules = [_with_noop(rule, word) for rule in rules for word in words]
    elif words:
        waits = names.fresh("relation", "waits")
        facts = "".join(f"{waits}({render(p)}, {render(m)}).\n" for p, m in waiting.items())
        layers.append((_WAITING, {"facts": facts, "waits": waits}))
    inputs = [(p, NOOP if waiting.get(p) == move else move) for p, move in inputs]
    if _may_pass(sheet, roles, waiting):
        passes, able = names.fresh("object", "pass"), names.fresh("relation", "able")
        first = render(roles[0])
        layers.append((_PASSING, {"passes": passes, "able": able, "first": first, "ended": ended}))
        inputs += [(role, passes) for role in roles if (role, NOOP) in inputs]
    called = [(names.fresh("relation", "can"), names.fresh("relation", "done")) for _ in layers]
    called.append(("legal", "does"))
    can, done = called[0]
    rules = [with_relations(rule, {("legal", 2): can, ("does", 2): done}) for rule in rules]
    text = "\n".join(
        layer.format(legal=legal, does=does, legal_=legal_, does_=does_, **more)
        for (layer, more), ((legal, does), (legal_, does_)) in zip(
            layers, pairwise(called), strict=True
        )
    )
    return rules, inputs, text


def _waiting(rules: Sequence[Rule], roles: Sequence[Term], inputs: _Inputs) -> dict[Term, Term]:
    """What a sheet calls the move of each role when that is not to move, where there is one."""
    state = dynamic(rules)
    moves = [rule for rule in rules if signature(rule.head) == ("legal", 2)]
    found: dict[Term, Term] = {}
    for role in roles:
        own = [move for player, move in inputs if player == role]
        plain = [move for move in own if not isinstance(move, tuple)]
        if NOOP in plain:
            found[role] = NOOP
            continue
        handed = [
            rule.head[2]
            for rule in moves
            if (rule.head[1] == role or variables(rule.head[1]))
            and rule.head[2] in own
            and _hands_over(rule, role, state)
        ]
        if handed:
            found[role] = handed[0]
        elif len(plain) == 1 and len(own) > 1:
            found[role] = plain[0]
    return found


def _hands_over(rule: Rule, role: Term, state: set[Signature]) -> bool:
    """Whether a move is there for a role because it is the other one's turn."""
    asked = [x for x in rule.body if signature(x.atom) in state]
    if len(asked) != 1 or signature(asked[0].atom) != ("true", 1):
        return False
    whose = arguments(asked[0].atom[1])
    values = dict.fromkeys(variables(rule.head[1]), role)
    return len(whose) == 1 and (substitute(whose[0], values) == role) != asked[0].positive


def _may_pass(rules: Sequence[Rule], roles: Sequence[Term], waiting: Mapping[Term, Term]) -> bool:
    """Whether a role may wait though it could move, or both in the same state."""
    state = dynamic(rules)
    for rule in rules:
        for role in roles if signature(rule.head) == ("legal", 2) else ():
            match: dict[Variable, Term] = {}
            wait = ("legal", role, waiting.get(role, NOOP))
            if (
                matches(rule.head, wait, match)
                and simplified(with_values(rule, match)) is not None
                and not _hands_over(rule, role, state)
            ):
                return True
    return False


def _with_noop(rule: Rule, waiting: Term) -> Rule:
    """A rule in which that move is `NOOP`."""

    def changed(atom: Term) -> Term:
        if signature(atom) in (("legal", 2), ("does", 2)) and atom[2] == waiting:
            return (*atom[:2], NOOP)
        return atom

    return with_atoms(rule, changed)
