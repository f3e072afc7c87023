"""`advisor doctor`: what is installed, whether it works, and which machine code there is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

import advisor
from advisor.circuits import code_cache, llvm
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError
from advisor.games.rules import games
from advisor.lab import doctor as lab
from advisor.lab.doctor import Code, Installed, Test

_INSTALL = "pip install 'asp-advisor[{}]'"

_UNUSABLE = (
    "nothing can be kept for the next run (set XDG_CACHE_HOME to a folder on a disk that is not "
    "full, to which nobody but you may write)"
)


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor doctor --game tictactoe"))(doctor)


def doctor(
    make: Annotated[
        bool,
        typer.Option("--compile", help="Make all machine code now, which takes a minute or two."),
    ] = False,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="NAME|FOLDER",
            help="Look at the machine code of this game; can be repeated.",
            show_default="all that come with the advisor",
        ),
    ] = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Tell what is installed and works, and what is compiled.

    Ends with 1 if something that is installed does not work. Ctrl-C keeps what has been compiled.
    """
    if make and not llvm.available():
        raise InputError(f"--compile: needs the extra fast ({_INSTALL.format('fast')})")
    if make and not code_cache.usable():
        raise InputError(f"--compile: {_UNUSABLE}")
    wanted = [*lab.shared(), *lab.of_games(game or games())] if llvm.available() else []
    found: list[Installed] = []
    codes: list[Code] = []
    tested: list[Test] = []
    interrupted = False
    with screen.progress(no_color) as progress:
        task = progress.add_task("packages")
        try:
            found += lab.packages()
            progress.update(task, total=len(wanted))
            for each in wanted:
                doing = "compiling" if make else "looking at"
                progress.update(task, description=f"{doing} {each[0]}")
                code = lab.look(each, make)
                codes += [code] if code else []
                progress.advance(task)
            progress.update(task, description="self-test")
            tested += lab.tests()
        except KeyboardInterrupt:
            interrupted = True
    if json:
        screen.print_json({**_json(found, codes, tested), **screen.interrupted(interrupted)})
    else:
        out = screen.console(no_color)
        _print_packages(out, found)
        _print_codes(out, codes)
        _print_tests(out, tested)
    if interrupted:
        ready = sum(code.state == "there" for code in codes)
        told = f"interrupted: {ready} of {len(wanted)} kinds of machine code are there"
        raise InterruptedWorkError(told)
    parts: tuple[Sequence[Installed | Code | Test], ...] = found, codes, tested
    if any(each.failure for part in parts for each in part):
        raise typer.Exit(1)


def _json(found: list[Installed], codes: list[Code], tested: list[Test]) -> dict[str, Any]:
    cache = code_cache.contents()
    kept = (
        None if cache is None else {"folder": str(cache[0]), "files": cache[1], "bytes": cache[2]}
    )
    return {
        "advisor": advisor.__version__,
        "python": lab.python(),
        "packages": [asdict(each) for each in found],
        "cache": kept,
        "cache_usable": code_cache.usable(),
        "machine_code": [asdict(each) for each in codes],
        "tests": [asdict(each) for each in tested],
    }


def _print_packages(out: Console, found: list[Installed]) -> None:
    out.print(f"advisor {advisor.__version__}, {lab.python()}", markup=False)
    out.print()
    rows = []
    for extra in dict.fromkeys(each.extra for each in found):
        its = [each for each in found if each.extra == extra]
        names = ", ".join(f"{each.name} {each.version}" for each in its if each.version)
        if any(each.failure for each in its):
            state = "does not work"
        elif all(each.version for each in its):
            state = "works"
        else:
            state = f"not installed: {_INSTALL.format(extra)}"
        rows.append((extra or "always", names or "none", state))
    _print_table(out, ("extra", "packages", "state"), rows)
    _print_failures(out, {each.name: each.failure for each in found})
    cache = code_cache.contents()
    if cache is None or not code_cache.usable():
        out.print(f"note: {_UNUSABLE}", markup=False)
    else:
        folder, files, octets = cache
        told = f"Kept for the next run: {files} files of {octets / 1e6:.1f} MB in {folder}"
        out.print(told, markup=False, soft_wrap=True)
    out.print()


def _print_codes(out: Console, codes: list[Code]) -> None:
    """A table, or how to get something to fill it with."""
    if not llvm.available():
        out.print(
            "No machine code: NumPy does all of the work, which takes 20 to 60 times as long where "
            f"it is long. {_INSTALL.format('fast')}",
            markup=False,
        )
        out.print()
    elif codes:
        _print_table(out, ("machine code", "state"), [(code.what, code.state) for code in codes])
        if any(code.state == "missing" for code in codes):
            out.print("What is missing is made while long work goes on without it, or at once by")
            out.print("advisor doctor --compile")
            out.print()
        _print_failures(out, {code.what: code.failure for code in codes})


def _print_tests(out: Console, tested: list[Test]) -> None:
    if tested:
        rows = [(test.what, "wrong" if test.failure else "right") for test in tested]
        _print_table(out, ("self-test", "result"), rows)
    _print_failures(out, {test.what: test.failure for test in tested})


def _print_table(out: Console, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    out.print(screen.table(columns, rows, left=columns))
    out.print()


def _print_failures(out: Console, failures: Mapping[str, str]) -> None:
    """Why something does not work, by its name."""
    told = {name: failure for name, failure in failures.items() if failure}
    for name, failure in told.items():
        out.print(f"{name}: {failure}", markup=False)
    if told:
        out.print()
