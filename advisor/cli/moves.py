"""`advisor moves`: everything that can be played in a position of any game."""

from typing import Annotated

import typer

from advisor.cli import options, screen
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
    connect: options.Connect = None,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
) -> None:
    """List the legal moves of a position."""
    _, position = options.chosen_position(board, game, const, size, connect, weights=None)
    names = position.moves
    pictures = (position.play(move).picture for move in names)
    if json:
        told = [{"move": position.code(move), "san": str(move)} for move in names]
        if boards:
            told = [each | {"board": picture} for each, picture in zip(told, pictures, strict=True)]
        screen.print_json({"moves": told})
    elif boards:
        print("\n~\n".join(pictures) or "DRAW")
    elif names:
        print("\n".join(map(str, names)))
