"""`advisor circuit`: from a rule to the gate that it became, and what each feature costs."""

import re
from typing import Annotated

import typer

from advisor.advice.advise import Advisor
from advisor.asp.clingo_api import Term, parse, render
from advisor.cli import boards, options, screen
from advisor.cli.groups import example
from advisor.settings import reading


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
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Show the circuit that the position encoding becomes.

    Without an atom: its gates by level, and how many of them each feature needs.
    """
    board = boards.chosen_size(size, connect)
    made = Advisor(reading.load(weights)).knows.evaluator(board).circuit
    if atom is not None:
        lines = made.explain(parse(atom))
        if json:
            screen.print_json({"atom": atom, "derivation": lines})
        else:
            print("\n".join(lines))
        return
    cost = made.cost(_group)
    if json:
        costs = {name: {"gates": all_, "alone": alone} for name, (all_, alone) in cost.items()}
        screen.print_json({"gates": len(made.gates), "levels": made.levels, "cost": costs})
        return
    out = screen.console(no_color)
    levels = ", ".join(map(str, made.levels))
    out.print(f"{len(made.gates)} gates on {len(made.levels)} levels: {levels}", style="bold")
    out.print()
    rows = [(name, str(all_), str(alone)) for name, (all_, alone) in cost.items()]
    out.print(screen.table(("output", "gates", "gates of its own"), rows, left=("output",)))


def _group(atom: Term) -> str:
    """Features by name, whatever the numbers in it; other outputs by predicate."""
    if isinstance(atom, tuple) and atom[0] == "feature":
        return re.sub(r"-?\d+", "N", render(atom[1]))
    return atom[0] if isinstance(atom, tuple) else str(atom)
