"""Commands under one name, and what is said of a command line that cannot be read."""

from typing import Any

import typer
from typer.core import TyperGroup

from advisor.errors import InputError
from advisor.files.textfile import found_instead, nearest, quoted

_WANTED = {"int_parsing": "a whole number", "float_parsing": "a number"}


class Group(TyperGroup):
    """Shows its help where no command is named; a name that is none earns the nearest one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if not (name in self.commands or name.startswith("-") or ctx.resilient_parsing):
            group = ctx.command_path
            raise InputError(
                f"{group}: no command {quoted(name)} (did you mean {nearest(name, self.commands)}? "
                f"{group} --help lists all)"
            )
        return super().resolve_command(ctx, args)


def told(error: typer.TyperException) -> str:
    """What is wrong with a command line, in one line: what was found and what is allowed."""
    text = " ".join(error.format_message().split())
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return text
    # A value of the wrong kind, which typer has pydantic find out; it leaves out what it found.
    first = errors()[0]
    place = text.partition(": ")[0]
    if first["type"] == "value_error":
        return f"{place}: {first['ctx']['error']}"
    return f"{place}: {found_instead(first, _WANTED)}"
