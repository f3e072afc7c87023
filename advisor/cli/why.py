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
    value: bool = False,
    all_: options.AllAtoms = False,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    where: options.Where,
    json: options.Json = False,
) -> None:
    """Say why an atom holds in a position, or what is missing.

    Each step is a rule with its file and line. `advisor atoms` lists the atoms that hold.

    Args:
        atom: As fires(edge,move(1,1)); _ in it stands for any term.
        value: Ask the rules for the value of the position, as for feature(threat(now),_,_), not
            those for the best move.
    """
    _, position = where.position(weights)
    found = advisor.why(position, atom, program="features" if value else "moves")
    if json:
        screen.print_json(found.to_json())
        return
    print(found.text(None) if all_ else found.text())
