"""`advisor analyse`: an advice for every line of a file or a stream."""

import os.path
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.tablefile import cell, chosen_keys
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
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE")] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="NAMES", show_default="all; in a table the usual ones")
    ] = None,
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
        output: Write the objects here in place of printing them, or of each a row of a table, by
            the name's end: .jsonl, .csv or .parquet (extra parquet).
        columns: What to write of each object, as position,best,score.value.
    """
    look.check_engine(engine)
    limit, proving = look.split_limit(exact)
    name = "stdin" if file == "-" else file_name(file)
    names = None if columns is None else [*filter(None, columns.split(","))]
    outfile.check_distinct(file=None if file == "-" else Path(file), output=output)
    failed, missing = False, {*(names or ())}
    with _open_file(file) as stream:
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
        with screen.progress(shown=bool(output) or not sys.stdout.isatty()) as progress:
            counted = progress.track(results, total=_count(file), description="positions")

            def rows() -> Iterator[dict[str, Any]]:
                nonlocal failed, missing
                for result in counted:
                    if "error" in result:
                        failed = True
                        options.note(f"{name}: line {result['line']}: {result['error']}", "error")
                    missing = {name for name in missing if cell(result, name) is None}
                    yield result

            if output:
                advisor.write_table(rows(), output, columns=names)
            else:
                for row in rows():
                    screen.print_json(chosen_keys(row, names))
    if missing:
        options.note(f"no object has {', '.join(sorted(missing))} (see --columns)")
    if failed:
        raise typer.Exit(2)


def _open_file(file: str) -> AbstractContextManager[BinaryIO]:
    try:
        return nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb")
    except (OSError, ValueError) as error:
        raise InputError(f"{file_name(file)}: {unreadable(error)}") from None


def _count(file: str) -> int | None:
    """Count the lines for the progress bar; None for a stream, which can be read only once."""
    if not (os.path.isfile(file) and sys.stderr.isatty()):
        return None
    with open(file, "rb") as stream:
        return sum(1 for _ in advisor.lines_of(stream))
