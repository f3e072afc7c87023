"""`advisor prove`: Allis' strategic rules, as a plan that a person can read and play by."""

from typing import Annotated

import typer
from rich.text import Text

from advisor.cli import options, screen
from advisor.errors import InputError, at
from advisor.games.connect4.board import DISCS
from advisor.games.connect4.victor import proof_text, prove
from advisor.games.connect4.victor.playout import play_out
from advisor.limits import interruptible

_PLAYERS = {symbol: player for player, symbol in DISCS.items() if player}


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(name="prove")(find)


def find(
    board: options.BoardArgument,
    player: Annotated[
        str | None,
        typer.Option("--for", metavar="x|o", help="Prove something for this player only."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Use nothing that goes beyond Allis' thesis.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Play the plan out, against every reply if possible.")
    ] = False,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Prove by Allis' nine rules that a player holds or wins."""
    if player is not None and player not in _PLAYERS:
        raise InputError(f"--for: '{player}' is no player (use x or o)")
    given = options.chosen_board(board, size, connect)
    with at(given.name), interruptible() as stop:
        wanted = _PLAYERS[player] if player else None
        found = prove.prove(given.position, strict, wanted, stop)
    played = play_out(found) if check and found else None
    if json:
        screen.print_json(proof_text.to_json(found, played))
    else:
        out = screen.console(no_color)
        for line in proof_text.report(found, played):
            out.print(_coloured(line), soft_wrap=_is_picture(line))
    if found is None:
        raise typer.Exit(1)


def _is_picture(line: str) -> bool:
    """Rows of a board are never wrapped."""
    return line.startswith("  ")


def _coloured(line: str) -> Text:
    text = Text(line)
    if _is_picture(line):
        text.highlight_regex(r"(?<= )x(?= |$)", "bold red")
        text.highlight_regex(r"(?<= )o(?= |$)", "bold yellow")
        text.highlight_regex(r"(?<= )[A-Zh]\d*", "bold cyan")
    elif line.startswith("proved"):
        text.stylize("bold")
    return text
