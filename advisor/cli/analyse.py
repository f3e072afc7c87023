"""`advisor analyse`: an advice for every line of a file or a stream."""

import os.path
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, BinaryIO

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError
from advisor.files.textfile import file_name, unreadable


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("echo 4453 | advisor analyse -"))(analyse)


def analyse(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="One position a line, as a move string or a picture with / between its rows (an "
            "empty line is the empty board); - for standard input.",
            show_default=False,
        ),
    ],
    depth: options.Depth = None,
    level: options.Level = None,
    time: options.Seconds = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    exactly: options.Exactly = False,
    size: options.Size = None,
    connect: options.Connect = None,
    game: options.OtherGame = None,
    const: options.Constants = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    no_color: options.NoColor = False,
) -> None:
    """Analyse many positions, one line of JSON for each.

    Each object has the number of its "line", the "position" on it, and what `suggest --json`
    prints, without the "trace" of the scores. A line that is not a position gives an "error" and
    does not stop the rest; the exit code is 2 then.
    """
    limit = options.chosen_limit(depth, level, time / 2 if time and exactly else time)
    name = "stdin" if file == "-" else file_name(file)
    failed = False
    with _opened(file) as stream:
        results = advisor.analyse(
            advisor.lines_of(stream),
            game=game,
            constants=options.chosen_constants(const, size, connect),
            weights=weights,
            depth=limit.depth,
            seconds=limit.seconds,
            exact=(time / 2 if time else options.EXACT_SECONDS) if exactly else None,
            sharing=advisor.Sharing(jobs, dask, resume),
        )
        with screen.progress(no_color, shown=not sys.stdout.isatty()) as progress:
            counted = progress.track(results, total=_count(file), description="positions")
            for number, result in enumerate(counted, 1):
                if "error" in result:
                    failed = True
                    print(f"error: {name}: line {number}: {result['error']}", file=sys.stderr)
                screen.print_json({"line": number, **result})
                sys.stdout.flush()
    if failed:
        raise typer.Exit(2)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        # Closed below: only what opening it says is an error of the user's.
        stream = open(file, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise InputError(f"{file_name(file)}: {unreadable(error)}") from None
    with stream:
        yield stream


def _count(file: str) -> int | None:
    """The number of lines, for the progress bar; None for a stream, which can be read but once."""
    if not (os.path.isfile(file) and sys.stderr.isatty()):
        return None
    with open(file, "rb") as stream:
        return sum(1 for _ in advisor.lines_of(stream))
