"""`advisor fires`: how often each rule fires in games, for whom, and where."""

from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from aspcircuits.stopping import interruptible


@command("fires", "advisor fires fork --games 4")
def fires(
    *,
    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", show_default="all rules that have a weight")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=100_000)] = 100,
    plies: Annotated[int, typer.Option(min=0, max=20)] = 4,
    depth: Annotated[int, typer.Option(min=0, max=6)] = 1,
    seed: options.Seed = 1,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.OtherRules = None,
    const: options.Constants = None,
    output: options.Output,
) -> None:
    """Say how often rules fire in games, for whom, and where.

    The weights play against themselves. Sides are the players for whom a rule fired, counted in
    each position. Points are what these players scored, in per cent of the most possible.

    Args:
        rule: A strategy or a feature, as fork, threat or 'threat(good)'.
        games: Games to play.
        plies: Moves by chance at the beginning of each.
        depth: Plies that both players look ahead.
    """
    _, begun = options.Where(game, const).position(weights)
    with interruptible() as stop, screen.progress() as progress:
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
    cut_short = f"interrupted: {found.games} of {games} games" if found.games < games else ""
    examples = rule is not None
    screen.answer(output.json, found.to_json, lambda out: _print(out, found, examples), cut_short)


def _print(out: screen.Out, found: "advisor.Fires", examples: bool) -> None:
    out.paragraph(f"{found.games} games, {found.positions} positions", style="bold")
    rows = [
        (
            use.rule,
            use.kind,
            f"{use.weight:+d}",
            use.positions,
            use.times,
            None if use.points is None else f"{100 * use.points:.0f}",
        )
        for use in found.uses
    ]
    names = ("rule", "kind", "weight", "sides", "times", "points %")
    out.print(screen.table(names, rows, left=("rule", "kind")))
    if not examples:
        return
    for use in found.uses:
        for each in use.examples:
            position = each.position
            named = position.phrasing.player_label(position.game.players.index(each.player))
            told = f"{use.rule} for {named}: {each.where}. {position.history}; {position.status}"
            out.print(told, soft_wrap=True)
