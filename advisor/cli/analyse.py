"""`advisor analyse`: an advice for every line of a file or a stream."""

import os.path
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, BinaryIO

import typer

from advisor.advice import proved
from advisor.cli import boards, options, screen
from advisor.cli.groups import example
from advisor.errors import InputError
from advisor.files.textfile import file_name, unreadable
from advisor.games import knowledge
from advisor.lab.analyse import analyst, game_analyst, lines
from advisor.lab.batch import run
from advisor.settings import config, reading


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
    seconds = (time / 2 if time else proved.SECONDS) if exactly else None
    if game is None:
        options.refuse_constants(const)
        settings = reading.load(weights)
        board = boards.chosen_size(size, connect)
        of: dict[str, Any] = {"board": board.constants}
        work = analyst(settings, boards.line_reader(board), limit, seconds)
    else:
        options.refuse(exact=exactly, size=size, connect=connect)
        settings = knowledge.settings(game, weights)
        constants = options.chosen_constants(const)
        limit = limit.otherwise(settings.depth)
        of = {"game": game, "const": constants}
        work = game_analyst(game, weights, constants, limit)
    name = "stdin" if file == "-" else file_name(file)
    journal = options.chosen_journal(
        resume,
        "analyse",
        {
            "weights": config.fingerprint(settings),
            "depth": limit.depth,
            "time": limit.seconds,
            **({"exact": seconds} if exactly else {}),
            **of,
        },
    )
    failed = False
    with _opened(file) as stream:
        workers = options.chosen_workers(jobs, dask)
        results = run(
            work,
            lines(stream),
            workers,
            journal,
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
        return sum(1 for _ in lines(stream))
