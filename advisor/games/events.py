"""Events: what moves do on the board, in the words of a game's ``events.lp``."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aspcircuits.clingo_api import Program, Term

FILE = "events.lp"
"""Beside the rules of a game; it may be missing."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that one move does on the board.

    Attributes:
        name: as ``force``, written as clingo does.
        where: the places it is about; two events are the same if their names and places are.
        text: a predicate that follows the move, as "makes c4 a winning square for red".
        mistake: it helps the opponent of whoever moves.
        reply: it only answers what the opponent has done.
        threatens: the opponent would have to fear it if the mover had the next turn.
        rank: 0 for the most important event of the game.
    """

    name: str
    where: tuple[Term, ...]
    text: str
    mistake: bool
    reply: bool
    threatens: bool
    rank: int

    @property
    def identity(self) -> tuple[str, tuple[Term, ...]]:
        """The same for events that are the same, whatever words tell them."""
        return self.name, self.where


def derive_events(
    files: Iterable[Path],
    facts: Iterable[Term],
    constants: Mapping[str, int],
    predicate: str = "event",
) -> Mapping[Term, Mapping[Term, Sequence[Term]]]:
    """Ground encodings with one position and collect ``event(Event, Move, Where)``.

    Args:
        predicate: "event", or "standing" for ``standing(Event, Player, Where)``.

    Returns:
        for each move, or each player, the events, each with where it happens.
    """
    program = Program(files, facts, constants, options=("--warn=none",))
    found: dict[Term, dict[Term, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for atom, _ in program.atoms(predicate, 3):
        _, event, move, where = atom
        found[move][event].append(where)
    return found
