"""The command line, run inside the test's own process."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import typer

from advisor.cli import app, main
from commands import environment


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int | str | None
    out: str
    err: str


def advisor(*arguments: object, stdin: bytes = b"", together: bool = False) -> Done:
    """Run ``advisor`` with these arguments.

    Args:
        together: whether errors stand in `out`, too, in the order of printing.
    """
    out, err = io.StringIO(), io.StringIO()
    argv = ["advisor", *map(str, arguments)]
    with (
        patch.dict(os.environ, environment(), clear=True),
        patch.object(sys, "argv", argv),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        redirect_stdout(out),
        redirect_stderr(out if together else err),
    ):
        try:
            main()
        except SystemExit as ended:
            return Done(ended.code, out.getvalue(), err.getvalue())
    raise AssertionError("main() returns by sys.exit()")


@cache
def all_commands() -> dict[str, Any]:
    """Every command, by its words, except commands of missing plugins."""
    return dict(_commands(typer.main.get_command(app())))


def _commands(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for each, command in group.commands.items():
        words = f"{name} {each}".strip()
        if hasattr(command, "commands"):
            yield from _commands(command, words)
        else:
            yield words, command


def is_missing(line: str) -> bool:
    """Whether a line of a shell runs the advisor with a command that is not there."""
    program, *words = line.split() or [""]
    return program == "advisor" and not any(
        " ".join(words).startswith(known.split()[0]) for known in all_commands()
    )
