"""Any game that is given by its rules, as a page shows and plays it."""

from collections.abc import Mapping, Sequence
from typing import Any

import advisor
from advisor.asp.clingo_api import render, unquoted
from advisor.errors import InputError
from advisor.files.textfile import nearest, quoted
from advisor.games import knowledge, rooms, rules
from advisor.games.diagram import border, ink
from advisor.games.playing import Playing
from advisor.games.squares import Squares
from advisor.limits import Stop
from advisor.settings.config import DEFAULT

Json = dict[str, Any]
Asked = tuple[Any, ...]
"""A game, or its folder, and the names and values of the numbers that were chosen for it."""


def offered(folders: Sequence[str]) -> dict[str, str]:
    """What the page offers: for each name a game or a folder; Connect Four has a page of its own.

    Args:
        folders: games of the server's owner, named as their folders are.

    Raises:
        InputError, EncodingError: a folder is no game, or has the name of another one.
    """
    found = {name: name for name in rules.games() if name != "connect4"}
    for folder in folders:
        name = rules.rule_files(folder)[0].parent.resolve().name
        if name in (*found, "connect4"):
            raise InputError(f"--game: there is a game {quoted(name)} already")
        knowledge.settings(folder)
        found[name] = folder
    return found


def source(offered: Mapping[str, str], game: str) -> str:
    """The game or the folder of a name; a client's path is none.

    Raises:
        InputError: it names those that there are.
    """
    if game not in offered:
        guess = nearest(game, offered)
        raise InputError(f"game: no game {quoted(game)} (did you mean {quoted(guess)}?)")
    return offered[game]


class Kept:
    """Games that have been asked for, so that a worker compiles each once."""

    def __init__(self) -> None:
        self._loaded: dict[tuple[bool, Asked], advisor.Game] = {}
        self._squares: dict[Asked, Squares] = {}

    def loaded(self, asked: Asked, stop: Stop, weighed: bool = True) -> advisor.Game:
        """A game with what is known of it, or by its rules alone, which is there sooner."""
        key = weighed, asked
        if key not in self._loaded:
            weights = DEFAULT if weighed else None
            found = rooms.load(asked[0], weights, dict(asked[1:]), stop)
            self._loaded[key] = advisor.Game(found)
        return self._loaded[key]

    def squares(self, asked: Asked, given: Playing) -> Squares:
        """Those of its moves."""
        if asked not in self._squares:
            self._squares[asked] = Squares(given.game.rules)
        return self._squares[asked]


def position(game: advisor.Game, start: str, moves: Sequence[str]) -> advisor.Position:
    """A game after some moves from where it begins.

    Raises:
        InputError: a text that is no position, a move that is not legal.
    """
    try:
        given = game.position(start)
    except InputError as error:
        raise InputError(f"start: {error}") from None
    return given.play(*moves)


def _text(given: Playing) -> Json:
    """Where the game began, its moves, and all of it as a text that gives it again."""
    notation = given.notation
    begun, usual = (Playing.begin(given.game, b) for b in (given.begun, notation.begin("")))
    text = notation.position(begun)
    return {
        "begun": "" if text == notation.position(usual) else text,
        "made": [notation.code(move) for move in given.moves],
        "text": notation.record(given, {}),
    }


def view(given: Playing, squares: Squares) -> Json:
    """A state: what a page needs to draw it and to know what can be played."""
    symbols = {(x, y): unquoted(symbol) or render(symbol) for x, y, symbol in given.shown}
    width, height = (max((s[axis] for s in squares.all), default=0) for axis in (0, 1))
    display = given.game.rules.display
    sides = []
    if diagram := given.diagram():
        for side, symbol in diagram.sides.items():
            corners = border(side, width, height)
            sides.append({"colour": diagram.colour(symbol), "corners": corners})
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
        "slanted": bool(given.game.rules.derived("slanted")),
        "moves": [
            {
                "move": given.notation.code(move),
                "name": name,
                "squares": squares.of(move),
                "clicks": display.clicks.get(move, ()),
            }
            for move, name in given.names.items()
        ],
        "played": Playing.begin(given.game, given.begun).told(given.moves),
        "last": squares.of(given.moves[-1]) if given.moves else [],
        "shapes": given.notation.shapes,
        "aim": display.aim,
        "columns": [display.edge(0, x) for x in range(1, width + 1)],
        "beside": [display.edge(1, y) for y in range(height, 0, -1)],
        "lines": display.lines,
        "sides": sides,
        "colours": {
            unquoted(symbol) or render(symbol): [colour, ink(colour)]
            for symbol, colour in display.colours.items()
        },
        "position": given.notation.position(given),
        **_text(given),
        "constants": {**rules.numbers(given.game.rules.files), **given.game.rules.constants},
        "over": given.over,
        "winner": winner,
        "status": status[0].upper() + status[1:],
    }
