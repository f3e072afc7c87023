"""Commands by the words that name them, their options, and errors in a command line.

A command is a function. ``Args:`` of its docstring has the help of its options. A bool parameter is
a flag without a ``--no-...``, unless its annotation says more. A dataclass parameter stands for
options that several commands share: its fields. ``**options`` stands for the options that plugins
add: without the plugin the command lacks them, and its help and errors do not mention them.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer
from typer.core import TyperGroup

from advisor import registry
from advisor.errors import InputError
from advisor.files.textfile import found_instead
from aspcircuits.texts import nearest, quote_text

F = TypeVar("F", bound=Callable[..., None])

_PARAMETER = re.compile(r"`(\w+)`")
"""A parameter's name, as errors of the library have it."""

_CALLED = {"seconds": "--time", "constants": "--const", "data": "DATA"}
"""Options and arguments that have other names than the parameters of the library."""

COMMANDS: dict[str, tuple[Callable[..., None], str]] = {}
"""Function and end of the help of each loaded command, by the command's words."""


def command(words: str, example: str) -> Callable[[F], F]:
    """Make a function a command.

    Args:
        words: its name, such as ``suggest`` or ``game check``.
        example: a command line that ends its help; a test runs it.
    """

    def register(function: F) -> F:
        COMMANDS[words] = _spread(function, words), f"Example: {example}"
        return function

    return register


def _spread(function: Callable[..., None], words: str) -> Callable[..., None]:
    """Return the function with every option as a parameter of its own."""
    text, *sections = re.split(r"\n\nArgs:\n", inspect.getdoc(function) or "")
    helps = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", "".join(sections), re.MULTILINE)
    told = {name: " ".join(said.split()) for name, said in helps}
    shared: dict[str, Any] = {}
    options: list[inspect.Parameter] = []
    for each in inspect.signature(function).parameters.values():
        kind: Any = each.annotation
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            options += _options_of_plugins(words)
        elif is_dataclass(each.annotation):
            shared[each.name] = kind
            options += inspect.signature(kind).parameters.values()
        else:
            options.append(each)

    def run(**given: Any) -> None:
        for name, kind in shared.items():
            given[name] = kind(**{each.name: given.pop(each.name) for each in fields(kind)})
        function(**given)

    run.__doc__ = text
    # What `inspect` reads; the types of functions do not name it.
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [_add_help(each, told.get(each.name)) for each in options]
    )
    return run


def _options_of_plugins(words: str) -> Iterator[inspect.Parameter]:
    for plugin in registry.plugins():
        if words in plugin.options:
            yield from inspect.signature(registry.load(plugin.options[words])).parameters.values()


def _add_help(option: inspect.Parameter, text: str | None) -> inspect.Parameter:
    """Return an option with its help from the docstring, if any; it is passed by keyword."""
    kind = option.annotation
    if text is not None:
        if get_origin(kind) is not Annotated:
            flag = [f"--{option.name.replace('_', '-')}"] if kind is bool else []
            kind = Annotated[kind, typer.Option(*flag)]
        kind, info = get_args(kind)
        info = copy(info)
        info.help = text
        kind = Annotated[kind, info]
    return option.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY)


class Group(TyperGroup):
    """A group that shows its help if no command is named, and the nearest command for a wrong name.

    Its list of commands has one panel for each paragraph.
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
                f"{group}: no command {quote_text(name)} "
                f"(did you mean {nearest(name, self.commands)}? {group} --help lists all)"
            )
        return super().resolve_command(ctx, args)


class ReplayUnlessNamed(Group):
    """A group in which `advisor puzzles ...` means `advisor puzzles replay ...`.

    Another command in the group takes precedence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args[:1] != ["--help"] and (not args or args[0] not in self.commands):
            args = ["replay", *args]
        return super().parse_args(ctx, args)


def with_options(message: str) -> str:
    """Write options where an error of the library names parameters: ``--win-in`` for `win_in`."""
    return _PARAMETER.sub(
        lambda found: _CALLED.get(found[1], f"--{found[1].replace('_', '-')}"), message
    )


def error_text(error: typer.TyperException) -> str:
    """Describe an error in a command line: one line with what was found and what is allowed."""
    text = " ".join(error.format_message().split())
    if getattr(error, "option_name", None) == "--game":
        context: Any = getattr(error, "ctx", None)
        command = context.command_path
        return f"{command} has no --game ({command} --help says what it is for)"
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return text
    # A value of the wrong kind: typer lets pydantic check it, and its message omits the value.
    first = errors()[0]
    place = text.partition(": ")[0]
    if first["type"] == "value_error":
        return f"{place}: {first['ctx']['error']}"
    return f"{place}: {found_instead(first)}"
