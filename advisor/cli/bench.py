"""`advisor bench`: how fast, and how good."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from advisor.cli import options, prove, screen, solve
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.games.connect4 import labels
from advisor.lab.arena import players
from advisor.lab.arena.players import Central, Lot, Player
from advisor.lab.batch import run
from advisor.lab.measure.evaluate import BenchEvaluate, bench_evaluate
from advisor.lab.measure.quality import Quality, Share, examiner, summary
from advisor.settings import config

T = TypeVar("T")

_bench = typer.Typer(help="Measure speed and move quality.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    _bench.command()(evaluate)
    _bench.command("prove")(prove.bench)
    _bench.command("solve")(solve.bench)
    _bench.command()(label)
    _bench.command()(quality)
    app.add_typer(_bench, name="bench")


def evaluate(
    positions: Annotated[int, typer.Option(min=1, help="How many random positions.")] = 1024,
    seed: options.Seed = 1,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Score random positions by clingo and by the circuit: do they agree, and how fast are they?"""
    settings = config.load(weights)
    with screen.progress(no_color) as progress:
        task = progress.add_task("positions", total=positions)
        measured = bench_evaluate(
            settings,
            positions,
            seed,
            lambda part: progress.update(task, completed=round(part * positions)),
        )
    if json:
        screen.print_json(measured.to_json())
    else:
        _print_rates(measured, no_color)
    if measured.mismatches:
        raise typer.Exit(1)


def _print_rates(measured: BenchEvaluate, no_color: bool) -> None:
    rates = {
        "a fresh control each": measured.fresh,
        "one control, assumptions": measured.assumptions,
        **{f"circuit, batches of {size}": rate for size, rate in measured.circuit.items()},
    }
    rows = [
        (
            name,
            f"{rate:,.0f}",
            f"{rate / measured.fresh:,.1f}",
            f"{rate / measured.assumptions:,.1f}",
        )
        for name, rate in rates.items()
    ]
    out = screen.console(no_color)
    names = ("way", "positions/s", "to fresh", "to assumptions")
    out.print(screen.table(names, rows, left=("way",)))
    out.print()
    out.print(
        f"{measured.mismatches} disagreements on {measured.positions} positions", style="bold"
    )


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
    """Score every column of many positions exactly, for `bench quality`.

    Each line is written as soon as it is there.
    """
    tasks = []
    for number, line in labels.lines(file):
        _at_line(file, number, line, labels.open_position)
        tasks.append(line.split()[0])
    outfile.check_distinct(input=file, output=output, resume=resume)
    outfile.check_writable(output)
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
    """Tell how good moves are, on positions with exact scores.

    Perfect: no other column has a better score. Good: a win stays a win, a draw a draw. At depth 0
    equally good columns count in part.
    """
    compared: list[Player] = [Lot(), Central()]
    for source in weights or [options.DEFAULT_WEIGHTS]:
        compared.append(players.parse(source, depth, time, book))
    tasks, numbers, discs = [], [], []
    for number, line in labels.lines(file):
        discs.append(_at_line(file, number, line, labels.parse).position.discs)
        numbers.append(number)
        tasks.append(line)
    journal = options.chosen_journal(
        resume, "bench quality", {"players": [player.identity for player in compared]}
    )
    results = run(examiner(compared), tasks, options.chosen_workers(jobs, dask), journal)
    grades = []
    with screen.progress(no_color) as progress:
        try:
            for grade in progress.track(results, total=len(tasks), description="positions"):
                grades.append(grade)
        except InputError as error:
            # Results come in order, so it is the first one missing that has gone wrong.
            place = f"{file_name(file)}: line {numbers[len(grades)]}"
            raise InputError(f"{place}: {error}") from None
    rows = summary(compared, discs, grades)
    if json:
        measured = [row.to_json() for row in rows]
        screen.print_json({"positions": len(tasks), "rows": measured})
    else:
        _print_quality(rows, no_color)


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


def _at_line(file: Path, number: int, line: str, read: Callable[[str], T]) -> T:
    """What a line holds; an error says where it is."""
    try:
        return read(line)
    except InputError as error:
        raise InputError(f"{file_name(file)}: line {number}: {error}") from None
