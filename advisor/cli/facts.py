"""`advisor facts`: a question as a program for clingo, to ask it by hand."""

from typing import Annotated

import typer

from advisor.asp.reference import OPTIONS, as_program
from advisor.cli import options
from advisor.settings import reading


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(facts)


def facts(
    board: options.BoardArgument,
    value: Annotated[
        bool,
        typer.Option("--value", help="Ask for the value of the position, not for the best move."),
    ] = False,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
) -> None:
    """Print a question as a program for plain clingo.

    It holds the position, the weights and the encodings.
    Its optimal answer sets hold what `advisor suggest --depth 0` says: each has one best move.
    """
    settings = reading.load(weights)
    given = options.chosen_board(board, size, connect)
    position = given.position
    program = "features" if value else "moves"
    asked = (
        "the value for x: the cost with its sign changed" if value else "each answer a best move"
    )
    print(f"% {given.name}, weights {settings.name}: {asked}.")
    print(f"% clingo {' '.join(OPTIONS)} THIS_FILE")
    print(
        as_program(
            settings.files(program),
            position.facts(),
            settings.weights[program],
            position.geometry.constants,
        ),
        end="",
    )
