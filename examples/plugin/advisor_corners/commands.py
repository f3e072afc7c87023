"""`advisor corners`: what the advisor plays in the game of corners."""

from typing import Annotated

import typer

import advisor
from advisor.cli.groups import command


@command("corners", "advisor corners b2")
def corners(moves: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Suggest a move in the game of corners.

    Args:
        moves: The moves so far.
    """
    found = advisor.suggest(advisor.position(" ".join(moves or []), game="corners"), depth=9)
    print(advisor.headline(found))
