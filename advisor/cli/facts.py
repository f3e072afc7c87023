"""`advisor facts`: a question as a program for clingo, to ask it by hand."""

from typing import Annotated

import typer

from advisor.cli import options
from advisor.cli.groups import example
from advisor.errors import InputError


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor facts 4453 | python -m clingo 0 --opt-mode=optN"))(facts)


def facts(
    board: options.OptionalBoard = None,
    value: Annotated[
        bool,
        typer.Option("--value", help="Ask for the value of the position, not for the best move."),
    ] = False,
    plan: Annotated[
        str | None,
        typer.Option(
            "--plan",
            metavar="red|yellow",
            help="Ask for a plan with which this player holds the position.",
            show_default=False,
        ),
    ] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    size: options.Size = None,
    connect: options.Connect = None,
    game: options.OtherGame = None,
    const: options.Constants = None,
) -> None:
    """Print a question as a program for plain clingo.

    It names the encodings and holds the position and the weights. Its optimal answer sets hold
    what `advisor suggest --depth 0` says: each has one best move.
    """
    plan = options.chosen_player("--plan", plan)
    if plan is not None and value:
        raise InputError("--plan and --value are two questions: give one of them")
    name, position = options.chosen_position(board, game, const, size, connect, weights)
    asked = position.question("features" if value else "moves", plan)
    print(f"% {name}{asked.about}.")
    print(" ".join(("% python -m clingo", *asked.options, "THIS_FILE")))
    print(asked.program, end="")
