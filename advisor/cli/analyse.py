"""`advisor analyse`: an advice for every line of a file or a stream."""

import os.path
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, BinaryIO

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files.textfile import unreadable
from aspcircuits.texts import file_name


@command("analyse", "echo 444455 | advisor analyse -")
def analyse(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    look: options.LookOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    exact: bool = False,
    engine: options.Engine = None,
    variant: options.Variant,
    sharing: options.SharingOptions,
    no_color: options.NoColor = False,
) -> None:
    """Analyse many positions, one line of JSON for each.

    Each object has the number of its "line", the "position" on it, and what `suggest --json`
    prints, without the "trace" of the scores. A line that is not a position gives an "error" and
    its "code" in their place and does not stop the rest; the exit code is 2 then.

    Args:
        file: One position a line, as a move string or a picture with / between its rows (an empty
            line is the empty board); - for standard input.
        exact: Also find every move's exact outcome.
    """
    look.check_engine(engine)
    limit, proving = look.shared(exact)
    name = "stdin" if file == "-" else file_name(file)
    failed = False
    with _opened(file) as stream:
        results = advisor.analyse(
            advisor.lines_of(stream),
            game=variant.game,
            constants=variant.constants,
            weights=weights,
            depth=limit.depth,
            seconds=limit.seconds,
            exact=proving,
            engine=engine,
            sharing=sharing.chosen,
        )
        with screen.progress(shown=not sys.stdout.isatty()) as progress:
            counted = progress.track(results, total=_count(file), description="positions")
            for result in counted:
                if "error" in result:
                    failed = True
                    options.note(f"{name}: line {result['line']}: {result['error']}", "error")
                screen.print_json(result)
    if failed:
        raise typer.Exit(2)


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    try:
        return nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb")
    except (OSError, ValueError) as error:
        raise InputError(f"{file_name(file)}: {unreadable(error)}") from None


def _count(file: str) -> int | None:
    """The number of lines, for the progress bar; None for a stream, which can be read but once."""
    if not (os.path.isfile(file) and sys.stderr.isatty()):
        return None
    with open(file, "rb") as stream:
        return sum(1 for _ in advisor.lines_of(stream))
