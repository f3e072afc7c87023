"""`advisor export`: a game as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options
from advisor.cli.groups import command
from advisor.games.rooms import USUAL
from aspcircuits.texts import file_name


@command("export", "advisor export tictactoe -o tictactoe.html")
def export_game(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME")] = USUAL,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE")] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    const: options.Constants = None,
) -> None:
    """Write a game as one HTML page that needs no server.

    Args:
        game: A game, by its name or a folder with a rules.lp.
        output: The file, by default the game's name with .html.
    """
    target = output or Path(f"{Path(game).resolve().name}.html")
    size = advisor.export(game, target, weights=weights, constants=options.constants(const))
    print(f"{file_name(target)}: {size / 1000:.0f} kB")
