"""The output of `advisor review --summary`, for many games."""

from pathlib import Path
from typing import Any

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import with_options
from advisor.errors import InputError
from advisor.files.textfile import amount
from aspcircuits.texts import file_name, list_names


def show(summary: "advisor.Summary", folder: Path | None, as_json: bool) -> None:
    """Make a summary, print it, and write its puzzles to a folder if one is wanted.

    Raises:
        InterruptedWorkError: Ctrl-C has ended the work; the summary so far is printed.
        typer.Exit: with 2, some games were wrong or the engine failed.
    """
    failed: list[InputError] = []
    whole = False

    def games() -> Any:
        nonlocal whole
        try:
            yield from summary
        except InputError as error:
            if not summary.done:
                raise
            failed.append(error)
        else:
            whole = True

    done = sum(1 for _ in screen.follow_work(games(), None, "games"))
    for error in (*summary.wrong, *failed):
        options.note(with_options(str(error)), "error")
    if not done and (summary.wrong or failed):
        raise typer.Exit(2)
    if folder is not None:
        files = summary.export(folder)
        options.note(f"{amount(len(files), 'puzzle')} in {file_name(folder)}")
    cut_short = "" if whole or failed else f"interrupted after {amount(done, 'game')}"
    screen.answer(as_json, summary.to_json, lambda out: _print(out, summary), cut_short)
    if summary.wrong or failed:
        raise typer.Exit(2)


def _print(out: screen.Out, summary: "advisor.Summary") -> None:
    chosen = amount(len(summary.chosen), "game")
    accuracy = "" if summary.accuracy is None else f", accuracy {summary.accuracy:.1f}"
    out.paragraph(f"{chosen}, {amount(summary.moves, 'move')}{accuracy}", style="bold")
    out.paragraph(list_names([f"{count} {grade}" for grade, count in summary.grades.items()]))
    for kinds in (summary.kinds("missed"), summary.kinds("allowed")):
        if kinds:
            _print_kinds(out, kinds)


def _print_kinds(out: screen.Out, kinds: "list[advisor.ErrorKind]") -> None:
    """Print how often errors of each kind occurred, and the clearest ones."""
    blamed = kinds[0].blamed
    rows = [(kind.event, len(kind.errors), *kind.phases.values()) for kind in kinds]
    names = (blamed, "errors", *kinds[0].phases)
    out.paragraph(screen.table(names, rows, left=(blamed,)))
    for kind in kinds:
        out.print(f"{blamed}: {kind.event}", style="bold")
        for error in kind.clearest:
            _print_error(out, error, error[blamed]["text"])
        out.print()


def _print_error(out: screen.Out, error: dict[str, Any], text: str) -> None:
    """Print one of the positions with the clearest errors."""
    better = " or ".join(error["better"])
    told = f": {text}" if text else ""
    out.print(
        f"  {error['game']}, {error['numeral']} {error['move']} ({error['grade']}), "
        f"better {better}{told}",
        soft_wrap=True,
    )
    out.print(f"    {error['position']}", style="dim", soft_wrap=True)
