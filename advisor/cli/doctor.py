"""`advisor doctor`: checks the installed packages and the compiled machine code."""

from collections.abc import Iterable, Mapping
from typing import Annotated

import typer

import advisor
from advisor import extras
from advisor.cli import options, screen
from advisor.cli.groups import command
from aspcircuits.stopping import at_once, interruptible


@command("doctor", "advisor doctor --game tictactoe")
def doctor(
    *,
    make: Annotated[bool, typer.Option("--compile")] = False,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FOLDER", show_default="all that come with the advisor"),
    ] = None,
    output: options.Output,
) -> None:
    """Check the installed packages and the compiled code.

    Ends with 1 if an installed package does not work. Ctrl-C keeps the code compiled so far.

    Args:
        make: Make all machine code now, which takes a minute or two.
        game: Look at the machine code of this game; can be repeated.
    """
    found = advisor.Diagnosis(game, make)
    cut_short = ""
    # Python forgets a Ctrl-C that it hears inside a destructor; the stop remembers it.
    with screen.progress() as progress, interruptible() as stop, at_once():
        task = progress.add_task("packages", total=len(found.wanted))
        try:
            for doing in found.look_into(stop):
                progress.update(task, description=doing, completed=len(found.codes))
        except KeyboardInterrupt:
            ready = sum(code.state == "there" for code in found.codes)
            done = f"{ready} of {len(found.wanted)} kinds of machine code are there"
            cut_short = f"interrupted: {done}"
    screen.answer(
        output.json,
        lambda: {"advisor": advisor.__version__, **found.to_json()},
        lambda out: _print(out, found),
        cut_short,
        yes=not found.has_failure,
    )


def _print(out: screen.Out, found: "advisor.Diagnosis") -> None:
    _print_packages(out, found)
    _print_codes(out, found)
    tests = [(test.what, "wrong" if test.failure else "right") for test in found.tests]
    if tests:
        _print_table(out, ("self-test", "result"), tests)
    _print_failures(out, {test.what: test.failure for test in found.tests})


def _print_packages(out: screen.Out, found: "advisor.Diagnosis") -> None:
    out.paragraph(f"advisor {advisor.__version__}, {found.python}")
    rows = []
    for extra in dict.fromkeys(each.extra for each in found.packages):
        its = [each for each in found.packages if each.extra == extra]
        names = ", ".join(f"{each.name} {each.version}" for each in its if each.version)
        if any(each.failure for each in its):
            state = "does not work"
        elif all(each.version for each in its):
            state = "works"
        else:
            state = f"not installed: {extras.install(extra)}"
        rows.append((extra or "always", names or "none", state))
    _print_table(out, ("extra", "packages", "state"), rows)
    _print_failures(out, {each.name: each.failure for each in found.packages})
    kept = found.cache_contents
    if kept is None or not found.usable:
        out.paragraph(f"note: {found.UNUSABLE}")
    else:
        told = f"Kept for the next run: {kept.files} files of {kept.bytes / 1e6:.1f} MB"
        out.paragraph(f"{told} in {kept.folder}", soft_wrap=True)
        unread = [f"{kept.others} of other versions"] if kept.others else []
        unread += [f"{kept.damaged} damaged"] if kept.damaged else []
        if unread:
            out.paragraph(f"Not read, and removed or made again in time: {', '.join(unread)}")


def _print_codes(out: screen.Out, found: "advisor.Diagnosis") -> None:
    """Print a table of machine code, or how to get some."""
    codes = found.codes
    if not found.fast:
        out.paragraph(
            "No machine code: NumPy does all of the work, which takes 20 to 60 times as long where "
            f"it is long. {extras.install('fast')}"
        )
    elif codes:
        _print_table(out, ("machine code", "state"), [(code.what, code.state) for code in codes])
        if any(code.state == "missing" for code in codes):
            out.print("What is missing is made while long work goes on without it, or at once by")
            out.paragraph("advisor doctor --compile")
        _print_failures(out, {code.what: code.failure for code in codes})


def _print_table(out: screen.Out, columns: tuple[str, ...], rows: Iterable[Iterable[str]]) -> None:
    out.paragraph(screen.table(columns, rows, left=columns))


def _print_failures(out: screen.Out, failures: Mapping[str, str]) -> None:
    """Print why something does not work, under its name."""
    told = {name: failure for name, failure in failures.items() if failure}
    for name, failure in told.items():
        out.print(f"{name}: {failure}")
    if told:
        out.print()
