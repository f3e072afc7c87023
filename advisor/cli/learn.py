"""`advisor learn`: knowledge of a game from its rules alone."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InterruptedWorkError
from advisor.files.textfile import file_name
from advisor.library import learning

_SECONDS = 600.0


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor learn breakthrough -o learned --time 300"))(learn)


def learn(
    game: options.Game,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where the game and what was found is written."
        ),
    ],
    time: Annotated[
        float,
        typer.Option(
            callback=options.within(1, 86400),
            metavar="SECONDS",
            help="For all of it, match included.",
        ),
    ] = _SECONDS,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Propose this family of rules; may be given several times.",
            show_default="all",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAMILY",
            help="Do not propose this family, or no strategies; may be given several times.",
            show_default=False,
        ),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Features of your own to choose from, too.", show_default=False
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(
            metavar="WEIGHTS",
            help="Weights of the game whose features are proposed, too.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The weights of the game that have to be beaten in a match."
        ),
    ] = "rules",
    games: Annotated[
        int, typer.Option(min=64, max=100_000, help="Games of a round against itself, at most.")
    ] = learning.GAMES,
    const: options.Constants = None,
    seed: options.Seed = 1,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Find strategic knowledge of a game from its rules alone.

    Candidates are proposed from the rules, chosen by games of the game against itself, and tried in
    a match. What wins it is written as a game: its rules, features.lp, perhaps strategy.lp,
    weights.yaml and a report.
    Where nothing does, nothing is written, and the exit code is 1.
    """
    constants = options.chosen_constants(const)
    try:
        with screen.stages(no_color, "reading the rules") as tell:
            found = advisor.learn(
                game,
                output,
                constants=constants,
                seconds=time,
                games=games,
                seed=seed,
                only=only or (),
                without=without or (),
                candidates=candidates,
                beside=beside,
                against=against,
                sharing=advisor.Sharing(jobs, dask, resume),
                on_progress=tell,
            )
    except KeyboardInterrupt:
        kept = "" if resume is None else f" ({file_name(resume)} goes on from here)"
        raise InterruptedWorkError(f"interrupted: nothing is decided yet{kept}") from None
    if json:
        screen.print_json(found.to_json())
    else:
        _print(screen.console(no_color), found)
    if not found.features.written:
        print(f"note: {learning.why_not(found.features)}; nothing is written", file=sys.stderr)
        raise typer.Exit(1)
    if not json:
        names = ", ".join(sorted(file.name for file in output.iterdir()))
        print(f"\nwritten: {file_name(output)} ({names})")


def _print(out: Console, found: learning.Learned) -> None:
    out.print(learning.heading(found), markup=False)
    for part in (found.features, found.strategies):
        if part is None or part.choice is None or not part.choice.families:
            continue
        kind = "feature" if part is found.features else "strategy"
        columns = (kind, "weight", "gain", "what it is")
        out.print()
        out.print(screen.table(columns, learning.rows(part), left=(kind, "what it is")))
        if part.match is not None:
            out.print(learning.told(part.match), markup=False)
        if part is found.strategies and not part.written:
            out.print(f"{learning.why_not(part)}: strategies are not written", markup=False)
    out.print()
    out.print(
        "gain of a feature: how much the log-loss of results that were not fitted to would rise "
        "without it; of a strategy: the part of a deeper look-ahead's changes that only it tells",
        style="dim",
    )
