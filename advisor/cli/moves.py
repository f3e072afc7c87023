"""`advisor moves`: everything that can be played in a position of any game."""

from typing import Annotated

import typer

from advisor.cli import any_game, options, other_game, screen
from advisor.cli.groups import example


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor moves 4453"))(moves)


def moves(
    board: options.OptionalBoard = None,
    boards: Annotated[
        bool,
        typer.Option(
            "--boards",
            help="Print every following board, with ~ between; DRAW if there is no move.",
        ),
    ] = False,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
) -> None:
    """List the legal moves of a position."""
    text = options.joined(board)
    if (other := other_game.named(game, const, text)) is None:
        other_game.refuse_constants(const)
        position = options.chosen_board(text, size, connect).position
        columns = [] if position.result() is not None else sorted(position.moves())
        named = [(str(column), str(column)) for column in columns]
        pictures = ("\n".join(position.after(column).rows()) for column in columns)
    else:
        other_game.refuse(size=size, connect=connect != options.DEFAULT_CONNECT)
        given = any_game.by_rules(other)
        legal = [] if given.over else given.legal
        names = given.names
        named = [(given.notation.code(move), names[move]) for move in legal]
        pictures = (given.notation.picture(given.play(move)) for move in legal)
    if json:
        told = [{"move": code, "san": name} for code, name in named]
        if boards:
            told = [each | {"board": picture} for each, picture in zip(told, pictures, strict=True)]
        screen.print_json({"moves": told})
    elif boards:
        print("\n~\n".join(pictures) or "DRAW")
    elif named:
        print("\n".join(name for _, name in named))
