"""Commands under one name, and what is said of a command line that cannot be read."""

from typing import Any

import typer
from typer.core import TyperGroup

from advisor.errors import InputError
from advisor.files.textfile import found_instead, nearest, quoted

_WANTED = {"int_parsing": "a whole number", "float_parsing": "a number"}


def example(line: str) -> str:
    """The end of a command's help.

    Args:
        line: a command line; a test runs it.
    """
    return f"Example: {line}"


class Group(TyperGroup):
    """Shows its help where no command is named; a name that is none earns the nearest one.

    Its list has a paragraph a panel.
    """

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        longest = max(map(len, self.commands))
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None) or "Commands"
            said = command.get_short_help_str(formatter.width - 6 - longest)
            panels.setdefault(panel, []).append((name.ljust(longest), said))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)

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
    if getattr(error, "option_name", None) == "--game":
        context: Any = getattr(error, "ctx", None)
        command = context.command_path
        return f"{command} is for Connect Four alone (suggest, review, play and solve take --game)"
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return text
    # A value of the wrong kind, which typer has pydantic find out; it leaves out what it found.
    first = errors()[0]
    place = text.partition(": ")[0]
    if first["type"] == "value_error":
        return f"{place}: {first['ctx']['error']}"
    return f"{place}: {found_instead(first, _WANTED)}"
