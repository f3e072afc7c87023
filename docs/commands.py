"""Writes the page of every command, `docs/commands.md`, from what `--help` prints.

    python docs/commands.py

A test holds the page to it.
"""

from collections.abc import Iterator
from pathlib import Path

import typer

from advisor.cli import app

PAGE = Path(__file__).parent / "commands.md"

_BEGINNING = """\
# Commands

What `--help` prints of every command, written by `python docs/commands.py`. Exit codes: 0, 1 for
the answer "no" (not proved, not solved), 2 for input or settings that cannot be used, 3 for an
encoding, 130 where Ctrl-C cut the work short. Only `suggest` and `draw` end with 0 then, if they
have an answer to print, the advice so far, and `play`, `quiz` and `serve`, which Ctrl-C is a way to
leave. Errors are one line on standard error; 70 means a bug, which the line asks to report.
`advisor --install-completion` makes the shell complete commands and options.
"""

_WIDTH = 78
"""As in a terminal of 80 columns."""


def page() -> str:
    """The page's text."""
    pages = _pages(typer.main.get_command(app()), None, "advisor")
    return "\n".join([_BEGINNING, *pages])


def _pages(command: typer.core.TyperCommand, parent: object, name: str) -> Iterator[str]:
    """Yield a command's page, then the pages of its own commands."""
    context = command.context_class(
        command, info_name=name, parent=parent, max_content_width=_WIDTH, terminal_width=_WIDTH
    )
    text = "\n".join(line.rstrip() for line in context.get_help().splitlines())
    yield f"## {context.command_path}\n\n```text\n{text}\n```\n"
    for inner, each in getattr(command, "commands", {}).items():
        yield from _pages(each, context, inner)


if __name__ == "__main__":
    PAGE.write_text(page())
