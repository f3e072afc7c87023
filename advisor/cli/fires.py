"""`advisor fires`: how often each rule fires in games, for whom, and where."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InterruptedWorkError
from advisor.limits import interruptible


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor fires fork --games 4"))(fires)


def fires(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULE]",
            help="A strategy or a feature, as fork, threat or 'threat(good)'.",
            show_default="all rules that have a weight",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Games to play.")] = 100,
    plies: Annotated[
        int, typer.Option(min=0, max=20, help="Moves by chance at the beginning of each.")
    ] = 4,
    depth: Annotated[
        int, typer.Option(min=0, max=6, help="Plies that both players look ahead.")
    ] = 1,
    seed: options.Seed = 1,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Say how often rules fire in games, for whom, and where.

    The weights play against themselves. Points are those of the players for whom a rule fired, in
    per cent of what they could get.
    """
    _, begun = options.chosen_position(None, game, const, weights=weights)
    with interruptible() as stop, screen.progress(no_color) as progress:
        bar = progress.add_task("games", total=games)
        found = advisor.fires(
            begun.game,
            rule,
            games=games,
            plies=plies,
            depth=depth,
            seed=seed,
            stop=stop,
            on_game=lambda finished: progress.update(bar, completed=finished),
        )
    cut_short = found.games < games
    if json:
        screen.print_json({**found.to_json(), **screen.interrupted(cut_short)})
    else:
        _print(found, rule is not None, no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {found.games} of {games} games")


def _print(found: advisor.Fires, examples: bool, no_color: bool) -> None:
    out = screen.console(no_color)
    told = f"{found.games} games, {found.positions} positions"
    out.print(told, style="bold", markup=False)
    out.print()
    rows = [
        (
            use.rule,
            use.kind,
            f"{use.weight:+d}",
            str(use.positions),
            str(use.times),
            "" if use.points is None else f"{100 * use.points:.0f}",
        )
        for use in found.uses
    ]
    names = ("rule", "kind", "weight", "positions", "times", "points %")
    out.print(screen.table(names, rows, left=("rule", "kind")), markup=False)
    if not examples:
        return
    for use in found.uses:
        for each in use.examples:
            told = f"{use.rule}: {each.player}, {each.where}: {each.position.text or 'the start'}"
            out.print(told, markup=False, soft_wrap=True)
