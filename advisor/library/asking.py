"""Questions about the rules in a position: the atoms that hold, and why one holds or does not."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from advisor.games.game import Position
from advisor.library import arguments
from advisor.settings import contract
from aspcircuits import explaining, own_process
from aspcircuits.clingo_api import Program, render, signature
from aspcircuits.programs import TEXT
from aspcircuits.reasons import Inference, Lack, RulePlace, Why
from aspcircuits.stopping import Stop

_QUIET = (
    "aim at_colour at_name base called does init input letter phrase role sentence short weight"
)
"""Predicates that say nothing about a position: words for people, and constant facts of a game."""


class Holding(NamedTuple):
    """The atoms of a predicate that hold in a position.

    >>> advisor.atoms(advisor.position("4453"))["turn/1"]
    Holding(meaning='turn(P): player P is to move', atoms=('turn(1)',))

    Attributes:
        meaning: the meaning of the predicate; empty if no document gives it.
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
        in Connect Four the predicates that a user's rules may read, in other games all that their
        rules derive except words for people.

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


def why(
    position: Position,
    atom: str,
    *,
    program: Literal["moves", "features"] = "moves",
    stop: Stop | None = None,
) -> Why:
    """Say why an atom holds in a position, or what each rule lacks that could derive it.

    >>> advisor.why(advisor.position("4453"), "valid_move(1,1)").answer
    'holds'

    Args:
        position: of any game that goes on.
        atom: such as ``fires(edge,move(1,1))``; ``_`` in it stands for any term.
        program: the program with the rules, see `Position.question`.
        stop: ends the work early.

    Raises:
        InputError: the game is over, or the text is no atom.
        EncodingError: the encodings cannot be used.
        KeyboardInterrupt: `stop` was set.
    """
    arguments.going_on(position)
    text = position.question(program).program
    found = explaining.why(text, atom, model="best", stop=stop)
    given = {*text.splitlines()}
    steps = tuple(_step(step, given) for step in found.steps)
    return replace(found, steps=steps, lacks=tuple(map(_lack, found.lacks)))


def why_fires(
    position: Position, strategy: str, move: int | str | None = None, *, stop: Stop | None = None
) -> Why:
    """Say why a strategy fires for a move, or why not; see `why`.

    >>> advisor.why_fires(advisor.position("4453"), "win", 4).lacks[0].reason[:12]
    'no such atom'

    Args:
        strategy: its name, such as ``center(1)``.
        move: as `Position.play` takes it; None for any.

    Raises:
        InputError: see `why`; or the move is not legal.
    """
    arguments.going_on(position)
    say = position.abilities.phrasing
    made = "_" if move is None else render(say.encode_move(say.find_move(move)))
    return why(position, f"fires({strategy},{made})", stop=stop)


def why_feature(position: Position, feature: str, *, stop: Stop | None = None) -> Why:
    """Say why a player has a feature, or why none has it; see `why`.

    >>> bool(advisor.why_feature(advisor.position("4453"), "disc(0,1)").steps)
    True

    Args:
        feature: its name, such as ``disc(0,1)``.

    Raises:
        InputError: see `why`.
    """
    return why(position, f"feature({feature},_,_)", program="features", stop=stop)


def _step(step: Inference, given: Collection[str]) -> Inference:
    """Return a step with text and place in a form that a reader knows.

    Args:
        step: of an explanation.
        given: the facts of the position.
    """
    says = "" if "{" in step.says else step.says  # an advice would fill in its placeholders
    place = step.place
    if place is None or (place.file == TEXT and place.rule in given):
        return Inference(step.atom, says=says)
    return replace(step, says=says, place=_shorten_place(place))


def _lack(lack: Lack) -> Lack:
    return replace(lack, place=_shorten_place(lack.place), lacks=tuple(map(_lack, lack.lacks)))


def _shorten_place(place: RulePlace) -> RulePlace:
    """Return a place with its file as ``connect4/strategy.lp``; other files with their folder."""
    file = Path(place.file).resolve()
    if file.is_relative_to(ENCODINGS):
        return replace(place, file=file.relative_to(ENCODINGS).as_posix())
    return replace(place, file=f"{file.parent.name}/{file.name}")


def _holding(text: str) -> list[object]:
    """Return the atoms of the first best answer set, for another process."""
    model = Program((), rules=text).solve(shown=False)
    if model is None:
        raise EncodingError("there is no answer set for this position")
    return [*model.atoms]
