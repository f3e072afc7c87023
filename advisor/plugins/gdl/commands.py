"""`advisor game import`: rule sheets as games."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from aspcircuits.texts import file_name


@command("game import", "advisor game import nim.kif -o nim")
def import_sheet(
    *,
    sheet: Annotated[Path, typer.Argument(metavar="RULES.kif")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER")],
    no_color: options.NoColor = False,
) -> None:
    """Turn a rule sheet of the Game Description Language into a game.

    Args:
        sheet: A rule sheet in GDL, in prefix notation.
        output: Where the game is written.
    """
    target, found = advisor.import_game(sheet, output)
    for note in found.notes:
        options.note(note)
    rows = {
        "players": " and ".join(found.players),
        "atoms of a state": f"{found.base:,}",
        "moves": " and ".join(f"{count:,}" for count in found.moves),
    }
    table = screen.table((file_name(target), "found"), rows.items(), left=("found",))
    screen.console().print(table)
