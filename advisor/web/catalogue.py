"""What there is to play, and what the page can offer of each game."""

from collections.abc import Iterable
from typing import Any

from advisor.settings import grading
from advisor.settings.config import OWN

Json = dict[str, Any]

_COLUMNS = ("size", "plies", "exact", "plan", "proof", "puzzles", "weights", "setup")
"""What Connect Four has, whose moves are columns and whose boards have requests of their own."""

_SQUARES = ("constants",)
"""What every game has that is given by its rules."""


def view(offered: Iterable[str]) -> Json:
    """The games, Connect Four first.

    Args:
        offered: the names of those that are given by their rules.
    """
    own = _game(OWN.name, "columns", _COLUMNS)
    return {"games": [own, *(_game(name, "squares", _SQUARES) for name in offered)]}


def _game(name: str, board: str, can: Iterable[str]) -> Json:
    return {
        "game": name,
        "title": _TITLES.get(name, name.replace("_", " ").capitalize()),
        "board": board,
        "can": [*can],
        "scale": grading.load().scale_of(name),
    }


_TITLES = {
    "connect4": "Connect Four",
    "tictactoe": "Tic-tac-toe",
    "morris": "Nine men's morris",
}
"""Of games whose names are written together."""
