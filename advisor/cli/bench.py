"""`advisor bench`: how fast, and how good."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from advisor.cli import game, options, screen
from advisor.cli.groups import Group, example
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import linefile, outfile
from advisor.files.textfile import file_name
from advisor.games.connect4 import labels
from advisor.games.connect4.exact import Engine
from advisor.games.connect4.measure.evaluate import BenchEvaluate, bench_evaluate
from advisor.games.connect4.measure.prove import BenchProve, bench_prove, sample
from advisor.games.connect4.measure.solve import bench_solve, read_test_set
from advisor.lab.arena import players
from advisor.lab.arena.players import Central, Lot, Player
from advisor.lab.batch import run
from advisor.lab.quality import Grade, Quality, Share, examiner, summary
from advisor.limits import Limit, interruptible
from advisor.settings import reading

_bench = typer.Typer(help="Measure speed and move quality.", cls=Group)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    _bench.command(epilog=example("advisor bench evaluate --positions 256"))(evaluate)
    _bench.command(epilog=example("advisor bench prove --positions 20"))(prove)
    _bench.command(epilog=example("advisor bench solve scored.txt"))(solve)
    _bench.command(epilog=example("advisor bench label positions.txt -o labelled.txt"))(label)
    _bench.command(epilog=example("advisor bench quality labelled.txt --time 0.2"))(quality)
    _bench.command("game", epilog=example("advisor bench game tictactoe"))(game.bench)
    app.add_typer(_bench, name="bench")


def evaluate(
    positions: Annotated[int, typer.Option(min=1, help="How many random positions.")] = 1024,
    seed: options.Seed = 1,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Score random positions by clingo and by the circuit.

    Do they agree, and how fast are they?
    """
    settings = reading.load(weights)
    with screen.progress(no_color) as progress:
        task = progress.add_task("positions", total=positions)
        measured = bench_evaluate(
            settings,
            positions,
            seed,
            lambda part: progress.update(task, completed=round(part * positions)),
        )
    cut_short = measured.positions < positions
    if json:
        screen.print_json({**measured.to_json(), **screen.interrupted(cut_short)})
    else:
        _print_rates(measured, no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {measured.positions} of {positions} positions")
    if measured.mismatches:
        raise typer.Exit(1)


def _print_rates(measured: BenchEvaluate, no_color: bool) -> None:
    rates = {
        "a fresh control each": measured.fresh,
        "one control, assumptions": measured.assumptions,
        **{f"circuit, batches of {size}": rate for size, rate in measured.circuit.items()},
        **{f"machine code, {size}": rate for size, rate in (measured.native or {}).items()},
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


def prove(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A test set: moves and exact score on each line. Random positions if none.",
        ),
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="How many random positions.")] = 500,
    seed: options.Seed = 1,
    strict: Annotated[
        bool, typer.Option("--strict", help="Use only what Allis' thesis has.")
    ] = False,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Measure proofs: their speed, their share, wrong claims."""
    if file is None:
        cases = sample(positions, seed)
    else:
        cases = [(case.position, case.score) for case in read_test_set(file)]
    with interruptible() as stop, screen.progress(no_color) as progress:
        measured = bench_prove(progress.track(cases, description="positions"), strict, stop)
    asked = measured.calls // 2
    if not asked:
        raise KeyboardInterrupt
    cut_short = asked < len(cases)
    if json:
        screen.print_json({**measured.to_json(), **screen.interrupted(cut_short)})
    else:
        _print_proofs(screen.console(no_color), measured)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {asked} of {len(cases)} positions")
    if measured.wrong:
        raise typer.Exit(1)


def _print_proofs(out: Console, measured: BenchProve) -> None:
    rows = []
    for discs, tally in sorted(measured.by_discs.items()):
        counts = [f"{tally.proved[player]} of {tally.true[player]}" for player in (1, 2)]
        rows.append((str(discs), *counts))
    out.print(screen.table(("discs", "x (red) wins, proved", "o (yellow) holds, proved"), rows))
    out.print()
    rate = measured.calls / measured.seconds if measured.seconds else 0.0
    out.print(
        f"{measured.calls} questions, {rate:.0f} a second, median "
        f"{1000 * measured.median_seconds:.2f} ms; {len(measured.wrong)} wrong claims",
        style="bold",
    )


def solve(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A test set: moves and exact score on each line.")
    ],
    engine: Annotated[
        Engine | None,
        typer.Option(
            help="solver is the project's own; bitbully needs the extra `exact`.",
            show_default="what solve uses",
        ),
    ] = None,
    time: options.ProofSeconds = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Solve a test set and compare the scores.

    The result is a row of the table in Pascal Pons' tutorial.
    """
    cases = read_test_set(file)
    with interruptible() as stop, screen.progress(no_color) as progress:
        task = progress.add_task("positions", total=len(cases))
        measured = bench_solve(
            cases,
            engine,
            seconds=time,
            stop=stop,
            on_progress=lambda part: progress.update(task, completed=part.solved),
        )
    if json:
        cut_short = screen.interrupted(measured.solved < len(cases))
        screen.print_json({**measured.to_json(), **cut_short})
    else:
        out = screen.console(no_color)
        row = (
            measured.engine,
            str(measured.solved),
            f"{1000 * measured.mean_seconds:.2f} ms",
            f"{measured.mean_nodes:,.1f}",
            f"{measured.kilo_nodes_per_second:,.0f}",
            str(len(measured.wrong)),
        )
        names = ("engine", "solved", "mean time", "mean positions", "thousand/s", "wrong scores")
        out.print(screen.table(names, [row], left=("engine",)))
        for wrong in measured.wrong:
            found = "none in time" if wrong.found is None else wrong.found
            case = wrong.case
            out.print(f"line {case.line}: {case.moves}: {found}, should be {case.score}")
    if measured.solved < len(cases):
        raise InterruptedWorkError(f"interrupted: {measured.solved} of {len(cases)} positions")
    if measured.wrong:
        raise typer.Exit(1)


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

    The result is what `bench quality` takes. Each line is written as soon as it is there. Finished
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
    compared: list[Player] = [Lot(), Central()]
    for source in weights or [options.DEFAULT_WEIGHTS]:
        compared.append(players.parse(source, Limit(depth, time), book))
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
