"""Any game that is given by its rules, as a page shows and plays it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from advisor.asp.clingo_api import render, unquoted
from advisor.errors import InputError
from advisor.files.textfile import nearest, quoted
from advisor.games import rules
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.games.squares import Squares

Json = dict[str, Any]


def names() -> list[str]:
    """The games; Connect Four has a page of its own."""
    return [name for name in rules.games() if name != "connect4"]


def check(game: str) -> None:
    """Refuses what is none of the games, above all a path.

    Raises:
        InputError: it names those that there are.
    """
    if game not in names():
        guess = nearest(game, names())
        raise InputError(f"game: no game {quoted(game)} (did you mean {quoted(guess)}?)")


@lru_cache(maxsize=8)
def _compiled(game: str) -> tuple[Circuits, Squares]:
    read = rules.read(game)
    return Circuits(read), Squares(read)


def playing(game: str, start: str, moves: Sequence[str]) -> Playing:
    """A game after some moves from where it begins.

    Raises:
        InputError: a text that is no position, a move that is not legal.
    """
    try:
        given = Playing.of(_compiled(game)[0], start)
    except InputError as error:
        raise InputError(f"start: {error}") from None
    for move in moves:
        given = given.play(given.move(move))
    return given


def view(given: Playing) -> Json:
    """A state: what a page needs to draw it and to know what can be played."""
    squares = _compiled(given.game.rules.name)[1]
    symbols = {(x, y): unquoted(symbol) or render(symbol) for x, y, symbol in given.shown}
    width, height = (max((s[axis] for s in squares.all), default=0) for axis in (0, 1))
    winner = None if given.winner is None else given.game.rules.players[given.winner]
    if given.over:
        status = "The game is over: " + ("a draw." if winner is None else f"{winner} has won.")
    else:
        status = f"{given.player} to move."
    return {
        "game": given.game.rules.name,
        "roles": list(given.game.rules.players),
        "turn": None if given.over else given.player,
        "rows": [
            [
                symbols.get((x, y), "") if (x, y) in squares.all else None
                for x in range(1, width + 1)
            ]
            for y in range(height, 0, -1)
        ],
        "moves": [
            {"move": given.notation.code(move), "name": name, "squares": squares.of(move)}
            for move, name in given.names.items()
        ],
        "shapes": given.notation.shapes,
        "position": given.notation.position(given),
        "over": given.over,
        "winner": winner,
        "status": status[0].upper() + status[1:],
    }
