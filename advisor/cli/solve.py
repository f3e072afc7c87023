"""`advisor solve`: exact results, by a search to the end of the game."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError


@command("solve", "advisor solve 44 --size 5x4 --columns")
def solve(
    *,
    columns: Annotated[bool, typer.Option("--columns", "--moves")] = False,
    where: options.Where,
    time: options.ProofSeconds = None,
    jobs: options.Threads = 1,
    output: options.Output,
) -> None:
    """Find the exact result of a position: by search, or by a book.

    Of Connect Four it is a score (Pascal Pons' conventions): a win scores half the number of
    squares that are empty before the winning disc, rounded up: the sooner, the higher. A draw is 0,
    a loss negative, always for the player to move. Of other games it is a win, a draw or a loss,
    and in how many plies; that is for small boards and for the ends of games.

    All of 7x6 may take long: where nothing else is said, its empty board has to be named, as ''.

    Args:
        columns: Find the result of every move too.
    """
    if where == options.Where() and time is None:  # so that no user waits for all of 7x6 by mistake
        raise InputError("BOARD is missing (use '' for the empty board, or --time)")
    name, position = where.position()
    options.note_threads(jobs, position.alone)
    with screen.waiting("searching to the end of the game", not output.json) as (stop, _):
        known = advisor.solve(position, columns=columns, seconds=time, jobs=jobs, stop=stop)
    cut_short = "interrupted" if stop.is_interrupted and not known.proved else ""
    screen.answer(
        output.json,
        lambda: {"game": position.game.name, **known.to_json()},
        lambda out: _print(out, name, position, known),
        cut_short,
        yes=known.proved,
    )


def _print(
    out: screen.Out, name: str, position: "advisor.Position", known: "advisor.Solved"
) -> None:
    if position.over:
        screen.print_finished(out, position)
        return
    if not known.proved and (hint := position.hint):
        screen.console(stderr=True).print(f"note: {hint}")
    told = position.describe_solution(known)
    out.paragraph(f"{name}: {position.status}")
    screen.print_board(out, position)
    out.paragraph(told.headline, style="bold")
    if told.rows:
        left = ("move", "result", "outcome")
        out.paragraph(screen.table(told.columns, told.rows, left=left))
    out.print(told.effort, style="dim")
