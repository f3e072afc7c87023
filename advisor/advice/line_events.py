"""The events along a line of play that help one side or the other."""

from collections.abc import Sequence
from typing import NamedTuple

from advisor.games.abilities import Abilities
from advisor.games.events import Event
from aspcircuits.clingo_api import Term

FORESEEN = 4
"""Plies of a line in which an event counts."""

PlyEvent = tuple[int, Event]
"""An event with the number of the move that causes it, 0 for the first of the line."""


class LineEvents(NamedTuple):
    """The events of a line, for the side to move at its beginning.

    Attributes:
        bad: its own mistakes, and the other side's achievements.
        good: its own achievements; the other side's mistakes cannot be relied on.
    """

    bad: list[PlyEvent]
    good: list[PlyEvent]


def events_along(game: Abilities, line: Sequence[Term]) -> LineEvents:
    """Return the events of a line, as far as they count."""
    turn, found = game.phrasing.turn, LineEvents([], [])
    for ply, move in enumerate(line[:FORESEEN]):
        if ply:
            game = game.after(line[ply - 1])
        mine = game.phrasing.turn == turn
        for event in game.events(move):
            if event.mistake is mine and not event.reply:
                found.bad.append((ply, event))
            elif mine and not event.reply:
                found.good.append((ply, event))
    return found


def first_apart(found: Sequence[PlyEvent], other: Sequence[PlyEvent]) -> PlyEvent | None:
    """Return the most important event of one line that does not also happen on another one."""
    elsewhere = {event.identity for _, event in other}
    apart = [each for each in found if each[1].identity not in elsewhere]
    return min(apart, key=lambda each: (each[1].rank, each[0]), default=None)
