"""`advisor solve`: exact results, by a search to the end of the game."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor solve 44 --size 5x4 --columns"))(solve)


def solve(
    board: options.OptionalBoard = None,
    columns: Annotated[
        bool, typer.Option("--columns", "--moves", help="Find the result of every move too.")
    ] = False,
    game: options.OtherGame = None,
    const: options.Constants = None,
    size: options.Size = None,
    connect: options.Connect = None,
    time: options.ProofSeconds = None,
    jobs: options.Threads = 1,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Find the exact result of a position: by search, or by a book.

    Of Connect Four it is a score (Pascal Pons' conventions): a win scores half the number of
    squares that are empty before the winning disc, rounded up: the sooner, the higher. A draw is 0,
    a loss negative, always for the player to move. Of other games it is a win, a draw or a loss,
    and in how many plies; that is for small boards and for the ends of games.
    """
    if board is None and game is None:  # nobody waits for all of 7x6 by mistake
        raise InputError("BOARD is missing (use '' for the empty board)")
    name, position = options.chosen_position(board, game, const, size, connect)
    options.note_threads(jobs, position.alone)
    with screen.waiting(no_color, "searching to the end of the game", not json) as (stop, _):
        known = advisor.solve(position, columns=columns, seconds=time, jobs=jobs, stop=stop)
    cut_short = stop.interrupted and not known.proved
    if json:
        found = {"game": position.game.name, **known.to_json()}
        screen.print_json({**found, **screen.interrupted(cut_short)})
    elif position.over:
        screen.print_finished(screen.console(no_color), position)
    else:
        if not known.proved and (hint := position.hint):
            screen.console(no_color, stderr=True).print(f"note: {hint}", markup=False)
        told = position.told(known)
        out = screen.console(no_color)
        out.print(f"{name}: {position.status}", markup=False)
        out.print()
        screen.print_board(out, position)
        out.print(told.headline, style="bold", markup=False)
        if told.rows:
            out.print()
            left = ("move", "result", "outcome")
            out.print(screen.table(told.columns, told.rows, left=left))
        out.print()
        out.print(told.effort, style="dim", markup=False)
    if cut_short:
        raise InterruptedWorkError("interrupted")
    if not known.proved:
        raise typer.Exit(1)
