"""`advisor tune`: learn weights from known results, or from games of a game against itself."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.files import outfile
from advisor.plugins.learn.library import HOLDOUT
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.selfplay import SelfTuning
from advisor.plugins.learn.tuning.tune import ROUNDS, Aim, Tuning
from aspcircuits.texts import file_name


@command("tune", "advisor tune positions.txt --to moves -o learned.yaml")
def tune(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE")],
    data: Annotated[Path | None, typer.Argument(metavar="DATA")] = None,
    preset: Annotated[
        str, typer.Option("--preset", "--weights", metavar="FILE")
    ] = options.DEFAULT_WEIGHTS,
    holdout: Annotated[float, typer.Option(min=0.01, max=0.9, metavar="SHARE")] = HOLDOUT,
    seed: options.Seed = 1,
    to: Aim = "results",
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=100, show_default=f"{ROUNDS}, with --game {selfplay.ROUNDS}"),
    ] = None,
    rules: options.RulesOptions,
    games: Annotated[
        int | None, typer.Option(min=10, max=100_000, show_default=str(selfplay.GAMES))
    ] = None,
    force: bool = False,
    printed: options.Output,
) -> None:
    """Learn weights from positions whose results are known.

    It learns the weights of features, and with --to moves also the weights of strategies. With
    --game a game learns from games that it plays against itself. If the new weights are worse than
    the old ones, on positions held back or in games against them, it does not write them, and the
    exit code is 1.

    Args:
        output: The weights file to write.
        data: Positions with results, perhaps gzipped: rows of the UCI Connect-4 data set, lines of
            moves and exact score, or what benchmarks/train/label.py writes. Not with --game.
        preset: The preset or weights file to begin with: its encodings, its features, its weights
            of moves.
        holdout: The share of positions held back to check the fit.
        to: What the weights predict: results, exact scores, or the moves that keep a result (DATA
            then needs the exact scores of all columns).
        rounds: With --to moves: how often to repeat the look-ahead; with --game: rounds of games to
            play.
        game: Learn the weights of this game, by its name or a folder with a rules.lp.
        games: With --game: games of a round.
        force: Write the new weights even if they are worse.
    """
    if data is not None:
        outfile.check_distinct(data=data, output=output)
    outfile.check_writable(output)
    with screen.stages("reading" if data else "playing", "no weights are learned yet") as tell:
        learned = advisor.tune(
            data,
            game=rules.game,
            constants=rules.constants,
            weights=preset,
            to=to,
            holdout=holdout,
            rounds=rounds,
            games=games,
            seed=seed,
            on_progress=tell,
        )
    screen.answer(printed.json, learned.to_json, lambda out: _print(out, learned))
    name, kept_back = file_name(output), learned.worse and not force
    if learned.warning:
        ending = f"; {name} is not written (--force writes it)" if kept_back else ""
        options.note(f"{learned.warning}{ending}", "warning")
    if kept_back:
        raise typer.Exit(1)
    outfile.write(output, learned.to_yaml(output.parent).encode())
    if not printed.json:
        print(f"\nwritten: {name}")


def _print(out: screen.Out, learned: Tuning | SelfTuning) -> None:
    out.paragraph(learned.heading)
    features = [
        (
            each.name,
            each.before,
            each.after,
            f"{each.spread:.2f}" if each.spread else "none",
            f"{each.gain:.4f}" if each.spread else None,
        )
        for each in learned.contributions
    ]
    columns = ("feature", "before", "after", "spread", "gain")
    out.print(screen.table(columns, features, left=("feature",)))
    out.paragraph(
        "gain: how much the log-loss on the positions held back would rise without it. No spread: "
        "the data say nothing, so the old weight stays, in the new unit.",
        style="dim",
    )
    out.print(screen.table(("", "before", "after"), learned.rows, left=("",)))
    out.print(learned.closing, style="dim" if learned.closing.endswith(".") else "")
