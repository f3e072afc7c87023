"""`advisor facts`: a question as a program for clingo, to ask it by hand."""

from typing import Annotated

import typer

from advisor.advice.advise import Advisor
from advisor.asp.reference import OPTIONS, as_program
from advisor.cli import options
from advisor.cli.groups import example
from advisor.errors import InputError
from advisor.games.connect4.victor import prove
from advisor.games.players import player
from advisor.settings import reading


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor facts 4453 | python -m clingo 0 --opt-mode=optN"))(facts)


def facts(
    board: options.BoardArgument,
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
    connect: options.Connect = options.DEFAULT_CONNECT,
) -> None:
    """Print a question as a program for plain clingo.

    It names the encodings and holds the position and the weights. Its optimal answer sets hold
    what `advisor suggest --depth 0` says: each has one best move.
    """
    plan = options.chosen_player("--plan", plan)
    if plan is not None and value:
        raise InputError("--plan and --value are two questions: give one of them")
    given = options.chosen_board(options.joined(board), size, connect)
    position = given.position
    settings = Advisor(reading.load(weights)).knows.settings(position.geometry)
    program = "features" if value else "moves"
    files, asked = settings.files(program), [*position.facts()]
    names = settings.weights[program]
    if plan is not None:
        files, asked, names = prove.PLAN, prove.question(position, player(plan)), {}
        print(f"% {given.name}: an answer set is a plan for {plan}; without one nothing is proved.")
        print("% python -m clingo THIS_FILE")
    else:
        about = "minus the cost is its value for x" if value else "an answer holds a best move"
        print(f"% {given.name}, weights {settings.name}: {about}.")
        print(f"% python -m clingo {' '.join(OPTIONS)} THIS_FILE")
    print(as_program(files, asked, names, position.geometry.constants), end="")
