"""A state of a game that has its rules and nothing more, as programs draw and play it."""

from typing import Any

from advisor.asp.clingo_api import render, unquoted
from advisor.games import rules
from advisor.games.diagram import border, ink
from advisor.games.playing import Playing

Json = dict[str, Any]


def shown(given: Playing) -> Json:
    """See `advisor.games.room.Room.shown`."""
    squares = given.game.squares
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
                "move": given.code(move),
                "name": name,
                "squares": squares.of(move),
                "clicks": display.clicks.get(move, ()),
            }
            for move, name in given.names.items()
        ],
        "played": given.made,
        "last": squares.of(given.moves[-1]) if given.moves else [],
        "shapes": given.shapes,
        "aim": display.aim,
        "columns": [display.edge(0, x) for x in range(1, width + 1)],
        "beside": [display.edge(1, y) for y in range(height, 0, -1)],
        "lines": display.lines,
        "sides": sides,
        "colours": {
            unquoted(symbol) or render(symbol): [colour, ink(colour)]
            for symbol, colour in display.colours.items()
        },
        "position": given.text,
        **_text(given),
        "constants": {**rules.numbers(given.game.rules.files), **given.game.rules.constants},
        "over": given.over,
        "winner": winner,
        "status": status[0].upper() + status[1:],
    }


def _text(given: Playing) -> Json:
    """Where the game began, its moves, and all of it as a text that gives it again."""
    begun, usual = (given.begin(given.game, b) for b in (given.begun, given.read("")))
    return {
        "begun": "" if begun.text == usual.text else begun.text,
        "made": [given.code(move) for move in given.moves],
        "text": given.typed_text,
    }
