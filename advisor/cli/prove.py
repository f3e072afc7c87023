"""`advisor prove`: Allis' strategic rules, or a plan by numbers, that a person can play by."""

from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, at
from advisor.library.proving import PLAN_SECONDS
from advisor.limits import interruptible


class By(StrEnum):
    """What a proof may rest on."""

    RULES = "rules"
    PLAN = "plan"


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("prove", epilog=example("advisor prove --size 6x6 --for yellow"))(find)


def find(
    board: options.OptionalBoard = None,
    player: Annotated[
        str | None,
        typer.Option("--for", metavar="red|yellow", help="Prove something for this player only."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Use only what Allis' thesis has.")
    ] = False,
    by: Annotated[
        By | None,
        typer.Option(
            help="Prove it by Allis' rules only, or by a plan only: a number on each square.",
            show_default="the rules, then a plan",
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            callback=options.within(0.001, 86400),
            metavar="SECONDS",
            help="The longest to look for a proof by the rules, and then for a plan.",
            show_default=f"{PLAN_SECONDS:g} for a plan",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Play the plan against every reply, if possible.")
    ] = False,
    size: options.Size = None,
    connect: options.Connect = None,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Prove that a player wins or draws, by rules or by a plan.

    The rules are Allis' nine. A plan is a number on each square: win by a few threats in a row if
    you can, block if you must, otherwise play the lowest number. If the board has a
    solution, the plan comes from it.
    """
    player = options.chosen_player("--for", player)
    if strict and by is By.PLAN:
        raise InputError("--strict is for the rules (leave --by plan out)")
    name, position = options.chosen_position(board, game, const, size, connect)
    with at(name), interruptible() as stop:
        found = advisor.prove(
            position, player=player, by=by, strict=strict, seconds=time, stop=stop
        )
    data, lines = advisor.told(found, check)
    if json:
        screen.print_json(data)
    else:
        out = screen.console(no_color)
        for line in lines:
            out.print(_coloured(line), soft_wrap=_is_picture(line))
    if found is None:
        raise typer.Exit(1)


def _is_picture(line: str) -> bool:
    """Rows of a board are never wrapped."""
    return line.startswith("  ")


def _coloured(line: str) -> Text:
    text = Text(line)
    if _is_picture(line):
        text.highlight_regex(r"(?<= )x(?= |$)", "bold red")
        text.highlight_regex(r"(?<= )o(?= |$)", "bold yellow")
        text.highlight_regex(r"(?<= )[A-Zh]\d*", "bold cyan")
    elif line.startswith("proved"):
        text.stylize("bold")
    return text
