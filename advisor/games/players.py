"""Who plays: player 1, x, red, has the first move of a game; player 2, o, yellow."""

PLAYERS = (1, 2)
MARKS = {1: "x", 2: "o"}
COLOURS = {1: "red", 2: "yellow"}


def named(player: int) -> str:
    """A player as ``x (red)``."""
    return f"{MARKS[player]} ({COLOURS[player]})"
