"""Who plays: player 1, x, red, has the first move of a game; player 2, o, yellow.

Boards in text and data have the marks, sentences the colours.
"""

from advisor.errors import InputError
from aspcircuits.texts import quoted

PLAYERS = (1, 2)
MARKS = {1: "x", 2: "o"}
COLOURS = {1: "red", 2: "yellow"}


def player(name: str) -> int:
    """The player that a user names, by mark, colour or number; an InputError if there is none."""
    for number in PLAYERS:
        if name.lower() in (MARKS[number], COLOURS[number], str(number)):
            return number
    raise InputError(f"{quoted(name)} is not a player (use x or red, o or yellow)")


def called(mark: str) -> str:
    """A player by his mark, as sentences name him: ``red`` for ``x``."""
    return next(COLOURS[player] for player in PLAYERS if MARKS[player] == mark)


def named(player: int) -> str:
    """A player as ``x (red)``, where he is met first, beside a board of marks."""
    return f"{MARKS[player]} ({COLOURS[player]})"
