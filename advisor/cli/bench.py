"""`advisor bench`: how fast, and how good."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import game, options, screen
from advisor.cli.groups import Group, example
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import linefile, outfile
from advisor.files.textfile import file_name
from advisor.games.connect4 import labels
from advisor.lab.arena import players
from advisor.lab.batch import run
from advisor.lab.quality import Grade, Quality, Share, examiner, summary
from advisor.limits import Limit

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
    tasks = []
    given = linefile.entries(file, lambda line: (line.split()[0], labels.position_of(line)))
    for number, (text, position) in given:
        if position.over:
            print(f"note: {file_name(file)}: line {number}: the game is over", file=sys.stderr)
        else:
            tasks.append(text)
    if not tasks:
        raise InputError(f"{file_name(file)}: every game is over, so there is nothing to score")
    journal = options.chosen_journal(resume, "bench label", {})
    results = run(labels.label, tasks, options.chosen_workers(jobs, dask), journal)
    head = f"{labels.HEADER}Positions: {file_name(file.name)}\n"
    with screen.progress(no_color) as progress, outfile.lines(output) as write:
        for line in progress.track(results, total=len(tasks), description="positions"):
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
    compared = [players.parse(name) for name in ("random", "central")]
    for source in weights or [options.DEFAULT_WEIGHTS]:
        compared.append(players.parse(source, limit=Limit(depth, time), book=book))
    tasks, numbers, discs = [], [], []
    given = linefile.entries(file, lambda line: (line, labels.parse(line).position.discs))
    for number, (line, count) in given:
        discs.append(count)
        numbers.append(number)
        tasks.append(line)
    journal = options.chosen_journal(
        resume, "bench quality", {"players": [player.identity for player in compared]}
    )
    work = examiner(compared, labels.checked)
    results = run(work, tasks, options.chosen_workers(jobs, dask), journal)
    grades: list[list[Grade]] = []
    with screen.progress(no_color) as progress, screen.kept_if_interrupted(grades):
        try:
            for grade in progress.track(results, total=len(tasks), description="positions"):
                grades.append(grade)
        except InputError as error:
            # Results come in order, so it is the first one missing that has gone wrong.
            place = f"{file_name(file)}: line {numbers[len(grades)]}"
            raise InputError(f"{place}: {error}") from None
    rows = summary(compared, discs[: len(grades)], grades)
    cut_short = len(grades) < len(tasks)
    if json:
        measured = [row.to_json() for row in rows]
        told = {"positions": len(grades), "rows": measured, **screen.interrupted(cut_short)}
        screen.print_json(told)
    else:
        _print_quality(rows, no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(grades)} of {len(tasks)} positions")


def _print_quality(rows: list[Quality], no_color: bool) -> None:
    out = screen.console(no_color)
    bands = sorted({_band(discs) for discs in rows[0].by_discs})
    table = []
    for row in rows:
        depth = "" if row.depth is None else str(row.depth)
        for name, share in (("all", row.total), *((b, _in_band(row, b)) for b in bands)):
            first = name == "all"
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


def _in_band(row: Quality, band: str) -> Share:
    shares = [share for discs, share in row.by_discs.items() if _band(discs) == band]
    positions = sum(share.positions for share in shares)
    return Share(
        positions,
        sum(share.good * share.positions for share in shares) / positions,
        sum(share.perfect * share.positions for share in shares) / positions,
    )
