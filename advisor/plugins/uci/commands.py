"""`advisor uci`: a game for programs that play against it, by the Universal Chess Interface."""

import sys
from typing import Annotated

import typer

from advisor.cli import options
from advisor.cli.groups import command


@command("uci", "advisor uci --weights speybroeck")
def uci(
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: Annotated[str, typer.Option(metavar="NAME|FOLDER")] = "chess",
    const: options.Constants = None,
) -> None:
    """Play with another program, by UCI.

    Args:
        game: The game, by its name or a folder with a rules.lp; moves are written as its rules do.
    """
    from advisor.plugins.uci import protocol  # not for a shell that completes the command

    protocol.serve(sys.stdin, weights, game, options.constants(const))
