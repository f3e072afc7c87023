"""`advisor prove`: Allis' strategic rules, or a plan by numbers, that a person can play by."""

from collections.abc import Iterable
from typing import Annotated, Literal

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError, at
from advisor.plugins.proofs.plans import PLAN_SECONDS
from aspcircuits.stopping import interruptible


@command("prove", "advisor prove --size 6x6 --for yellow")
def find(
    *,
    player: Annotated[str | None, typer.Option("--for", metavar="red|yellow")] = None,
    strict: bool = False,
    by: Annotated[
        Literal["rules", "plan"] | None, typer.Option(show_default="the rules, then a plan")
    ] = None,
    time: Annotated[
        float | None,
        options.seconds(
            "The longest to look for a proof by the rules, and then for a plan.",
            show_default=f"{PLAN_SECONDS:g} for a plan",
        ),
    ] = None,
    check: bool = False,
    where: options.Where,
    output: options.Output,
) -> None:
    """Prove that a player wins or draws, by rules or by a plan.

    The rules are Allis' nine. A plan is a number on each square: win by a few threats in a row if
    you can, block if you must, otherwise play the lowest number. If the board has a
    solution, the plan comes from it.

    Args:
        player: Prove something for this player only.
        strict: Use only what Allis' thesis has.
        by: Prove it by Allis' rules only, or by a plan only: a number on each square.
        check: Play the plan against every reply, if possible.
    """
    player = options.chosen_player("--for", player)
    if strict and by == "plan":
        raise InputError("--strict is for the rules (leave --by plan out)")
    name, position = where.position()
    with at(name), interruptible() as stop:
        found = advisor.prove(
            position, player=player, by=by, strict=strict, seconds=time, stop=stop
        )
    data, lines = advisor.describe_proof(found, check)
    yes = found is not None
    screen.answer(output.json, lambda: data, lambda out: _print(out, lines), yes=yes)


def _print(out: screen.Out, lines: Iterable[str]) -> None:
    for line in lines:
        if line.startswith("  "):  # a row of a board
            row = screen.picture([line])
            row.highlight_regex(r"(?<= )[A-Zh]\d*", "bold cyan")
            out.print(row, soft_wrap=True)
        else:
            out.print(line, style="bold" if line.startswith("proved") else None)
