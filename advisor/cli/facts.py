"""`advisor facts`: a question as a program for clingo, to ask it by hand."""

from typing import Annotated

import typer

from advisor.cli import options
from advisor.cli.groups import command
from advisor.errors import InputError


@command("facts", "advisor facts 4453 | python -m clingo 0 --opt-mode=optN")
def facts(
    *,
    value: bool = False,
    plan: Annotated[str | None, typer.Option(metavar="red|yellow")] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    where: options.Where,
) -> None:
    """Print a question as a program for plain clingo.

    It names the encodings, those below the current folder as from there, and holds the position
    and the weights. Its optimal answer sets hold what `advisor suggest --depth 0` says: each has
    one best move.

    Args:
        value: Ask for the value of the position, not for the best move.
        plan: Ask for a plan with which this player holds the position.
    """
    plan = options.chosen_player("--plan", plan)
    if plan is not None and value:
        raise InputError("--plan and --value are two questions: give one of them")
    name, position = where.position(weights)
    asked = position.question("features" if value else "moves", plan)
    print(f"% {name}{asked.about}.")
    print(" ".join(("% python -m clingo", *asked.options, "THIS_FILE")))
    print(asked.program, end="")
