"""The players: player 1, x, red, moves first; player 2 is o, yellow.

Boards in text and data have the marks, sentences the colours.
"""

from advisor.errors import InputError
from aspcircuits.texts import quote_text

PLAYERS = (1, 2)
MARKS = {1: "x", 2: "o"}
COLOURS = {1: "red", 2: "yellow"}


def player(name: str) -> int:
    """Return the player that a user names by mark, colour or number; an InputError if none."""
    for number in PLAYERS:
        if name.lower() in (MARKS[number], COLOURS[number], str(number)):
            return number
    raise InputError(f"{quote_text(name)} is not a player (use x or red, o or yellow)")


def colour_of_mark(mark: str) -> str:
    """Return the name in sentences of the player with this mark: ``red`` for ``x``."""
    return next(COLOURS[player] for player in PLAYERS if MARKS[player] == mark)


def player_label(player: int) -> str:
    """Return a player as ``x (red)``, for a first mention beside a board of marks."""
    return f"{MARKS[player]} ({COLOURS[player]})"
