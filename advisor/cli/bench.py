"""`advisor bench`: how fast, and how good."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import game, options, screen
from advisor.cli.groups import Group, example
from advisor.errors import InterruptedWorkError
from advisor.files import outfile
from advisor.library.measuring import Quality

_bench = typer.Typer(help="Measure speed and move quality.", cls=Group)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    _bench.command(epilog=example("advisor bench label positions.txt -o labelled.txt"))(label)
    _bench.command(epilog=example("advisor bench quality labelled.txt --time 0.2"))(quality)
    _bench.command("game", epilog=example("advisor bench game tictactoe"))(game.bench)
    app.add_typer(_bench, name="bench")


def label(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A position at the beginning of each line; the rest of a line does not matter.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The labelled file to write.")
    ],
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    no_color: options.NoColor = False,
) -> None:
    """Score every column of many positions exactly.

    `bench quality` reads the result. Each line is written as soon as it is there. Finished
    games are left out, with a note.
    """
    outfile.check_distinct(input=file, output=output, resume=resume)
    outfile.check_writable(output)
    labels = advisor.Labels(file, advisor.Sharing(jobs, dask, resume))
    screen.print_noted(labels.notes)
    head = labels.header
    with screen.progress(no_color) as progress, outfile.lines(output) as write:
        for line in progress.track(labels, total=labels.total, description="positions"):
            write(f"{head}{line}\n")
            head = ""


def quality(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Positions as `bench label` writes them.")
    ],
    weights: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A weights file or preset; may be given several times, also with a limit of its "
            "own as alex:depth=4.",
            show_default=options.DEFAULT_WEIGHTS,
        ),
    ] = None,
    depth: options.Depth = None,
    time: options.Seconds = None,
    book: options.Book = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Measure how good moves are, on positions with exact scores.

    Perfect: no other column has a better score. Good: a win stays a win, a draw a draw. At depth 0
    equally good columns count in part.
    """
    found = advisor.Examination(
        file,
        weights or [options.DEFAULT_WEIGHTS],
        depth=depth,
        seconds=time,
        book=book,
        sharing=advisor.Sharing(jobs, dask, resume),
    )
    for _ in screen.followed(found, found.total, "positions", no_color):
        pass
    cut_short = len(found.grades) < found.total
    if json:
        screen.print_json({**found.to_json(), **screen.interrupted(cut_short)})
    else:
        _print_quality(found.rows, no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(found.grades)} of {found.total} positions")


def _print_quality(rows: list[Quality], no_color: bool) -> None:
    out = screen.console(no_color)
    bands = sorted({_band(discs) for discs in rows[0].by_discs})
    table = []
    for row in rows:
        parts = [("all", row.total)]
        for band in bands:
            parts.append((band, row.share([n for n in row.by_discs if _band(n) == band])))
        for name, share in parts:
            first = name == "all"
            depth = "" if row.depth is None else str(row.depth)
            table.append(
                (
                    row.player.name if first else "",
                    depth if first else "",
                    name,
                    str(share.positions),
                    f"{share.good:.1f}",
                    f"{share.perfect:.1f}",
                    f"{row.seconds_per_move:.4f}" if first else "",
                )
            )
    names = ("player", "depth", "discs", "positions", "good %", "perfect %", "s a move")
    out.print(screen.table(names, table, left=("player",)))


def _band(discs: int) -> str:
    """Tens of discs, sorted as texts."""
    return f"{discs // 10 * 10:2}-{discs // 10 * 10 + 9}"
