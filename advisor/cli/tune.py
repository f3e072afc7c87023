"""`advisor tune`: weights learned from positions whose results are known."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.games import knowledge
from advisor.lab.tuning import selfplay
from advisor.lab.tuning.model import Fit
from advisor.lab.tuning.quality import MOVE_DEPTH, ORDER_PLIES, MoveQuality
from advisor.lab.tuning.selfplay import SelfTuning
from advisor.lab.tuning.tune import ROUNDS, Aim, Contribution, Tuning, to_yaml
from advisor.lab.tuning.tune import tune as fit_weights
from advisor.settings import reading

_HOLDOUT = 0.2


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor tune positions.txt --to moves -o learned.yaml"))(tune)


def tune(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The weights file to write.", show_default=False
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA",
            help="Positions with results, perhaps gzipped: rows of the UCI Connect-4 data set, "
            "lines of moves and exact score, or what bench label writes. Not with --game.",
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            "--weights",
            metavar="FILE",
            help="The preset or weights file to begin with: its encodings, its features, its "
            "weights of moves.",
        ),
    ] = options.DEFAULT_WEIGHTS,
    holdout: Annotated[
        float,
        typer.Option(
            min=0.01,
            max=0.9,
            metavar="SHARE",
            help="The share of positions held back to check the fit.",
        ),
    ] = _HOLDOUT,
    seed: options.Seed = 1,
    to: Annotated[
        Aim,
        typer.Option(
            help="What the weights predict: results, exact scores, or the moves that keep a "
            "result (DATA then needs the exact scores of all columns).",
        ),
    ] = "results",
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100,
            help="With --to moves: how often to repeat the look-ahead; with --game: how often to "
            "games are played.",
            show_default=f"{ROUNDS}, with --game {selfplay.ROUNDS}",
        ),
    ] = None,
    game: options.LearningGame = None,
    const: options.Constants = None,
    games: Annotated[
        int, typer.Option(min=10, max=100_000, help="With --game: games of a round.")
    ] = selfplay.GAMES,
    force: Annotated[
        bool, typer.Option("--force", help="Write the new weights even if they are worse.")
    ] = False,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Learn weights from positions whose results are known.

    It learns the weights of features, and with --to moves those of strategies, too. With --game a
    game learns from games that it plays against itself. If the new weights are worse than the old
    ones, on positions held back or in games against them, it does not write them, and the exit code
    is 1.
    """
    if game is not None:
        if data is not None:
            raise InputError("--game learns from games of its own (leave DATA out)")
        if (to, holdout) != ("results", _HOLDOUT):
            raise InputError("--to and --holdout are for DATA, not for --game")
        constants = options.chosen_constants(const)
        _tune_game(output, game, preset, constants, games, rounds, seed, force, json, no_color)
        return
    options.refuse_constants(const)
    if data is None:
        raise InputError("DATA is missing: a file of positions with results, or --game")
    if games != selfplay.GAMES:
        raise InputError("--games is for --game")
    if rounds is not None and to != "moves":
        raise InputError("--rounds is for --to moves and for --game")
    outfile.check_distinct(data=data, output=output)
    outfile.check_writable(output)
    settings = reading.load(preset)
    try:
        with screen.progress(no_color) as progress:
            bar = progress.add_task("reading", total=100)
            tuned = fit_weights(
                data,
                settings,
                holdout=holdout,
                seed=seed,
                aim=to,
                rounds=ROUNDS if rounds is None else rounds,
                on_progress=lambda stage, part: progress.update(
                    bar, description=stage, completed=round(100 * part)
                ),
            )
    except KeyboardInterrupt:
        raise InterruptedWorkError("interrupted: no weights are learned yet") from None
    if json:
        screen.print_json(tuned.to_json())
    else:
        _print(screen.console(no_color), tuned)
    _write(output, to_yaml(tuned, output.parent), tuned, force, json)


def _write(output: Path, text: str, tuned: Tuning | SelfTuning, force: bool, json: bool) -> None:
    """Writes new weights, unless they are worse and nobody insists.

    Raises:
        typer.Exit: they are not written.
    """
    name = file_name(output)
    kept_back = tuned.worse and not force
    if tuned.warning:
        ending = f"; {name} is not written (--force writes it)" if kept_back else ""
        print(f"warning: {tuned.warning}{ending}", file=sys.stderr)
    if kept_back:
        raise typer.Exit(1)
    outfile.write(output, text.encode())
    if not json:
        print(f"\nwritten: {name}")


def _tune_game(
    output: Path,
    game: str,
    preset: str,
    constants: Mapping[str, int],
    games: int,
    rounds: int | None,
    seed: int,
    force: bool,
    json: bool,
    no_color: bool,
) -> None:
    """Learns the weights of a game from games that it plays against itself."""
    outfile.check_writable(output)
    circuits, settings = knowledge.load(game, preset, constants)
    try:
        with screen.progress(no_color) as progress:
            bar = progress.add_task("playing", total=100)
            tuned = selfplay.tune(
                circuits,
                settings,
                games=games,
                rounds=selfplay.ROUNDS if rounds is None else rounds,
                seed=seed,
                on_progress=lambda stage, part: progress.update(
                    bar, description=stage, completed=round(100 * part)
                ),
            )
    except KeyboardInterrupt:
        raise InterruptedWorkError("interrupted: no weights are learned yet") from None
    if json:
        screen.print_json(tuned.to_json())
    else:
        _print_game(screen.console(no_color), circuits.rules.name, tuned)
    _write(output, tuned.to_yaml(output.parent), tuned, force, json)


def _print_game(out: Console, game: str, tuned: SelfTuning) -> None:
    out.print(
        f"{game}: {tuned.rounds} times {tuned.games} games against itself; of the "
        f"last ones fitted to {tuned.fitted} positions, {tuned.held} held back, {tuned.left_out} "
        "left out as certain",
        markup=False,
    )
    out.print()
    _print_features(out, tuned.contributions)
    rows = [
        *_fit_rows("fitted to", tuned.before[0], tuned.after[0]),
        *_fit_rows("held back", tuned.before[1], tuned.after[1]),
    ]
    out.print(screen.table(("", "before", "after"), rows, left=("",)))
    out.print(f"against the old weights: {tuned.points:g} of {tuned.compared} points")


def _print(out: Console, tuned: Tuning) -> None:
    left_out = "without a choice" if tuned.aim == "moves" else "certain"
    out.print(
        f"{tuned.data}: fitted to {tuned.fitted} positions, {tuned.held} held back, "
        f"{tuned.left_out} left out as {left_out}",
        markup=False,
    )
    out.print()
    _print_features(out, tuned.contributions)
    before, after = tuned.before, tuned.after
    rows = [
        *_fit_rows("fitted to", before.fitted, after.fitted),
        *_fit_rows("held back", before.held, after.held),
        *_quality_rows(before.quality, after.quality),
    ]
    out.print(screen.table(("", "before", "after"), rows, left=("",)))
    out.print(_explanation(after.quality), style="dim")


def _print_features(out: Console, contributions: Iterable[Contribution]) -> None:
    features = [
        (
            each.name,
            str(each.before),
            str(each.after),
            f"{each.spread:.2f}" if each.spread else "none",
            f"{each.gain:.4f}" if each.spread else "",
        )
        for each in contributions
    ]
    columns = ("feature", "before", "after", "spread", "gain")
    out.print(screen.table(columns, features, left=("feature",)))
    out.print(
        "gain: how much the log-loss on the positions held back would rise without it. No spread: "
        "the data say nothing, so the old weight stays, in the new unit.",
        style="dim",
    )
    out.print()


def _fit_rows(part: str, before: Fit, after: Fit) -> list[tuple[str, str, str]]:
    return [
        (f"{part}: log-loss", f"{before.log_loss:.4f}", f"{after.log_loss:.4f}"),
        (f"{part}: right %", f"{100 * before.accuracy:.1f}", f"{100 * after.accuracy:.1f}"),
    ]


def _quality_rows(before: MoveQuality, after: MoveQuality) -> list[tuple[str, str, str]]:
    if before.perfect is None or after.perfect is None:
        return [("right order %", f"{100 * before.good:.1f}", f"{100 * after.good:.1f}")]
    return [
        ("good moves %", f"{100 * before.good:.1f}", f"{100 * after.good:.1f}"),
        ("perfect moves %", f"{100 * before.perfect:.1f}", f"{100 * after.perfect:.1f}"),
    ]


def _explanation(quality: MoveQuality) -> str:
    if quality.kind == "moves":
        return (
            f"Moves chosen {MOVE_DEPTH} plies ahead in {quality.sample} positions held back; good "
            "keeps win, draw or loss, perfect keeps the exact score."
        )
    return (
        f"Right order: of two positions held back with different results (of {quality.sample}), "
        f"how often the better one has the higher value {ORDER_PLIES} plies ahead. That is not "
        "move quality, which takes data from bench label, or bench quality."
    )
