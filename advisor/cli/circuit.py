"""`advisor circuit`: from a rule to the gate that it became, and what each feature costs."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command


@command("circuit", "advisor circuit 'threat(1,2,3)'")
def circuit(
    *,
    atom: Annotated[str | None, typer.Argument(metavar="ATOM")] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    variant: options.Variant,
    output: options.Output,
) -> None:
    """Show the circuit of the rules and features of a game.

    Without an atom: its gates by level, and how many of them each feature needs; of Connect Four
    the circuit of its features alone.

    Args:
        atom: Show how this ground atom is derived, as threat(1,2,3).
        game: Another game, by its name or a folder with a rules.lp; or any program as a file, whose
            inputs are #external and whose outputs are in #show statements.
    """
    from advisor.library import circuits  # not for a shell that completes the command

    game = variant.game or "connect4"
    if game.endswith(".lp"):
        made = advisor.compile(Path(game), constants=variant.constants)
    else:
        loaded = advisor.load_game(game, weights=weights, constants=variant.constants)
        made = advisor.circuit_of(loaded)
    if atom is not None:
        lines = made.explain(atom)
        told = {"atom": atom, "derivation": lines}
        screen.answer(output.json, lambda: told, lambda _: print("\n".join(lines)))
        return
    cost = circuits.cost(made)
    if output.json:
        costs = {name: {"gates": all_, "alone": alone} for name, (all_, alone) in cost.items()}
        screen.print_json({"gates": len(made.gates), "levels": made.levels, "cost": costs})
        return
    out = screen.console()
    levels = ", ".join(map(str, made.levels))
    title = f"{len(made.gates)} gates on {len(made.levels)} levels: {levels}"
    out.paragraph(title, style="bold")
    table = [(name, *gates) for name, gates in cost.items()]
    out.print(screen.table(("output", "gates", "gates of its own"), table, left=("output",)))
