"""What happens along a line of play that helps one side or the other, by a game's events."""

from collections.abc import Iterator, Sequence

from advisor.games.abilities import Abilities
from advisor.games.events import Event
from aspcircuits.clingo_api import Term

FORESEEN = 4
"""Plies of a line in which an event counts."""

PlyEvent = tuple[int, Event]
"""An event with the number of the move that brings it about, 0 for the first of the line."""


def bad_events(game: Abilities, line: Sequence[Term]) -> list[PlyEvent]:
    """List what happens on a line to the disadvantage of the side to move: its own mistakes and
    what the other side achieves."""
    return [(ply, event) for ply, event, mine in _events(game, line) if event.mistake is mine]


def good_events(game: Abilities, line: Sequence[Term]) -> list[PlyEvent]:
    """List what happens on a line to the advantage of the side to move, as `bad_events`."""
    return [(ply, event) for ply, event, mine in _events(game, line) if event.mistake is not mine]


def first_apart(found: Sequence[PlyEvent], other: Sequence[PlyEvent]) -> PlyEvent | None:
    """Return the most important event of one line that does not happen on another one, too."""
    elsewhere = {event.identity for _, event in other}
    apart = [each for each in found if each[1].identity not in elsewhere]
    return min(apart, key=lambda each: (each[1].rank, each[0]), default=None)


def _events(game: Abilities, line: Sequence[Term]) -> Iterator[tuple[int, Event, bool]]:
    """Go through the events of a line; each with its ply, and whether the side to move at the
    beginning of the line makes the move."""
    turn = game.phrasing.turn
    for ply, move in enumerate(line[:FORESEEN]):
        if ply:
            game = game.after(line[ply - 1])
        mine = game.phrasing.turn == turn
        yield from ((ply, event, mine) for event in game.events(move) if not event.reply)
