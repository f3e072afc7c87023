"""`advisor bench`: how fast, and how good."""

from typing import Annotated

import typer

from advisor import config
from advisor.bench_evaluate import BenchEvaluate, bench_evaluate
from advisor.cli import options, screen

_bench = typer.Typer(help="Measure speed and move quality.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    _bench.command()(evaluate)
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
