"""`advisor learn`: find strategic knowledge of a game in its rules."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.plugins.learn import report
from advisor.plugins.learn.learning.outcome import Learned
from advisor.plugins.learn.learning.task import GAMES
from advisor.plugins.learn.library import REPORT
from aspcircuits.texts import file_name

_SECONDS = 600.0

_GAINS = {
    "feature": "how much the log-loss of results that were not fitted to would rise without it",
    "strategy": "the part of a deeper look-ahead's changes that only it tells",
}


@command("learn", "advisor learn breakthrough -o learned --time 300")
def learn(
    *,
    game: options.Game,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER")],
    time: Annotated[float, options.seconds("For all of it, match included.", low=1)] = _SECONDS,
    only: Annotated[list[str] | None, typer.Option(metavar="FAMILY", show_default="all")] = None,
    without: Annotated[list[str] | None, typer.Option(metavar="FAMILY")] = None,
    candidates: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    beside: Annotated[str | None, typer.Option(metavar="WEIGHTS")] = None,
    against: Annotated[str, typer.Option(metavar="FILE")] = "rules",
    force: bool = False,
    games: Annotated[int, typer.Option(min=64, max=100_000)] = GAMES,
    const: options.Constants = None,
    seed: options.Seed = 1,
    sharing: options.SharingOptions,
    printed: options.Output,
) -> None:
    """Find strategic knowledge of a game from its rules alone.

    Candidates are proposed from the rules, chosen by games of the game against itself, and tried in
    a match. If they win it, they become a game: its rules, features.lp, perhaps strategy.lp,
    weights.yaml and a report. If not, there is only the report, and the exit code is 1.

    Args:
        output: Where the game and what was found is written.
        only: Propose this family of rules; may be given several times.
        without: Do not propose this family, or no strategies; may be given several times.
        candidates: Features of your own to choose from, too.
        beside: Weights of the game whose features are proposed, too.
        against: The weights of the game that have to be beaten in a match.
        force: Write what was found even if it does not win.
        games: Games of a round against itself, at most.
    """
    kept = "" if sharing.resume is None else f" ({file_name(sharing.resume)} goes on from here)"
    with screen.stages("reading the rules", f"nothing is decided yet{kept}") as tell:
        found = advisor.learn(
            game,
            output,
            constants=options.constants(const),
            seconds=time,
            games=games,
            seed=seed,
            only=only or (),
            without=without or (),
            candidates=candidates,
            beside=beside,
            against=against,
            force=force,
            sharing=sharing.chosen,
            on_progress=tell,
        )
    screen.answer(printed.json, found.to_json, lambda out: _print(out, found))
    features, place = found.features, file_name(output)
    if not features.written:
        why = report.why_not_written(features)
        options.note(f"{why}; only a report is written ({place}/{REPORT})")
        raise typer.Exit(1)
    if not (features.match and features.match.is_stronger):
        options.note(f"{report.why_not_written(features)}; it is written all the same")
    if not printed.json:
        names = ", ".join(sorted(file.name for file in output.iterdir()))
        print(f"\nwritten: {place} ({names})")


def _print(out: screen.Out, found: Learned) -> None:
    out.print(report.describe(found))
    for part in (found.features, found.strategies):
        if part is None or not part.gains:
            continue
        kind = "feature" if part is found.features else "strategy"
        columns = (kind, "weight", "gain", "what it is")
        out.print()
        out.print(screen.table(columns, report.family_rows(part), left=(kind, "what it is")))
        out.print(f"gain: {_GAINS[kind]}", style="dim")
        if part.match is not None:
            out.print(report.describe_match(part.match))
        if part is found.strategies and not part.written:
            out.print(f"{report.why_not_written(part)}: strategies are not written")
