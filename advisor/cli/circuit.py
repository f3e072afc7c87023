"""`advisor circuit`: from a rule to the gate that it became, and what each feature costs."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.library import circuits


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor circuit 'threat(1,2,3)'"))(circuit)


def circuit(
    atom: Annotated[
        str | None,
        typer.Argument(
            metavar="ATOM", help="Show how this ground atom is derived, as threat(1,2,3)."
        ),
    ] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    size: options.Size = None,
    connect: options.Connect = None,
    game: options.OtherRules = None,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Show the circuit of the rules and features of a game.

    Without an atom: its gates by level, and how many of them each feature needs; of Connect Four
    the circuit of its features alone.
    """
    constants = options.chosen_constants(const, size, connect)
    made = advisor.circuit_of(
        advisor.load_game(game or "connect4", weights=weights, constants=constants)
    )
    if atom is not None:
        lines = made.explain(atom)
        if json:
            screen.print_json({"atom": atom, "derivation": lines})
        else:
            print("\n".join(lines))
        return
    cost = circuits.cost(made)
    if json:
        costs = {name: {"gates": all_, "alone": alone} for name, (all_, alone) in cost.items()}
        screen.print_json({"gates": len(made.gates), "levels": made.levels, "cost": costs})
        return
    out = screen.console(no_color)
    levels = ", ".join(map(str, made.levels))
    out.print(f"{len(made.gates)} gates on {len(made.levels)} levels: {levels}", style="bold")
    out.print()
    table = [(name, str(all_), str(alone)) for name, (all_, alone) in cost.items()]
    out.print(screen.table(("output", "gates", "gates of its own"), table, left=("output",)))
