"""The command line: one module a group of commands, nothing but presentation."""

import os
import sys

import typer

from advisor.cli import (
    analyse,
    bench,
    draw,
    match,
    play,
    prove,
    puzzles,
    serve,
    solve,
    suggest,
    tune,
    weights,
)
from advisor.errors import AdvisorError

app = typer.Typer(
    help="Suggests moves in Connect Four and says why; its knowledge is written in answer set "
    "programs.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for module in (
    suggest,
    analyse,
    play,
    draw,
    serve,
    solve,
    prove,
    puzzles,
    match,
    bench,
    tune,
    weights,
):
    module.register(app)


def main() -> None:
    """Runs the command line; every error becomes one line on stderr and an exit code."""
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except AdvisorError as error:
        code = _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        code = _fail(" ".join(error.format_message().split()), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        code = _fail("interrupted", 130)
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has enough; Python must not complain when it flushes at exit.
        # Typer and rich make a SystemExit of it, whose code 1 would mean an answer of "no".
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _fail(f"{error.filename or 'output'}: {error.strerror or error}", 2)
    sys.exit(code or 0)


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code
