"""`advisor why`: why an atom holds in a position, or does not."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command


@command("why", "advisor why 'valid_move(2,4)' 4453")
def why(
    *,
    atom: Annotated[str, typer.Argument(metavar="ATOM")],
    all_: options.AllAtoms = False,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    where: options.Where,
    json: options.Json = False,
) -> None:
    """Say why an atom holds in a position, or what is missing.

    Each step is a rule with its file and line. `advisor atoms` lists the atoms that hold.

    Args:
        atom: As fires(edge,move(1,1)).
    """
    from advisor.library import asking  # not for a shell that completes the command

    _, position = where.position(weights)
    found = advisor.why(position, atom)
    if json:
        screen.print_json(found.to_json())
        return
    print(asking.shortened(found.text(None) if all_ else found.text()))
