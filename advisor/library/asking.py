"""Questions about the rules in a position: which atoms hold, and why one holds or does not."""

import os
from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from advisor.games.game import Position
from advisor.library import arguments
from advisor.settings import contract
from aspcircuits import explaining, own_process
from aspcircuits.clingo_api import Program, render, signature
from aspcircuits.reasons import Why

_QUIET = (
    "aim at_colour at_name base called does init input letter phrase role sentence short weight"
)
"""Predicates that say nothing of a position: words for people, and what a game always has."""


class Holding(NamedTuple):
    """The atoms of a predicate that hold in a position.

    Attributes:
        meaning: what the predicate says; empty where no document tells.
    """

    meaning: str
    atoms: tuple[str, ...]


def atoms(position: Position) -> dict[str, Holding]:
    """List the atoms that hold in a position, by predicate, to write rules with.

    >>> held = advisor.atoms(advisor.position("4453"))
    >>> held["valid_move/2"].atoms[:2]
    ('valid_move(1,1)', 'valid_move(1,2)')
    >>> held["valid_move/2"].meaning
    'valid_move(R, C): the next disc in column C comes to rest on row R'

    Args:
        position: of any game that goes on.

    Returns:
        of Connect Four the predicates that a user's rules may read, of other games all that their
        rules derive but words for people.

    Raises:
        InputError: the game is over.
        EncodingError: the encodings cannot be used.
    """
    arguments.going_on(position)
    known = {} if position.game.settings.home.by_rules else contract.meanings()
    found = defaultdict[str, list[str]](list)
    text = position.question().program
    for atom in sorted(own_process.run(_holding, text, what=position.game.name), key=repr):
        name, arity = signature(atom)
        if (f"{name}/{arity}" in known or not known) and name not in _QUIET.split():
            found[f"{name}/{arity}"].append(render(atom))
    order = [each for each in known if each in found] or sorted(found)
    return {each: Holding(known.get(each, ""), tuple(found[each])) for each in order}


def why(position: Position, atom: str) -> Why:
    """Say why an atom holds in a position, or what each rule lacks that could derive it.

    >>> advisor.why(advisor.position("4453"), "valid_move(1,1)").answer
    'holds'

    Args:
        position: of any game that goes on.
        atom: as ``fires(edge,move(1,1))``.

    Raises:
        InputError: the game is over, or the text is no atom.
        EncodingError: the encodings cannot be used.
    """
    arguments.going_on(position)
    found = explaining.why(position.question().program, atom, model="best")
    steps = tuple(replace(each, says=_said(each.says)) for each in found.steps)
    return replace(found, steps=steps)


def shortened(text: str) -> str:
    """A text with files of the advisor's own named as ``connect4/strategy.lp``."""
    return text.replace(f"{ENCODINGS}{os.sep}", "")


def _said(text: str) -> str:
    """A sentence that is whole; what an advice fills in is not known here."""
    return "" if "{" in text else text


def _holding(text: str) -> list[object]:
    """The atoms of the first best answer set, for another process."""
    model = Program((), rules=text).solve(shown=False)
    if model is None:
        raise EncodingError("there is no answer set for this position")
    return [*model.atoms]
