"""`advisor tournament`: the weights files of a folder against each other."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.cli.match import Beginnings
from advisor.errors import EncodingError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.library.matches import MAX_GAMES, TOURNAMENT_GAMES, Standing

_FAILED = EncodingError.exit_code
"""Of games that could not be played to the end: a rule fails that was right on paper."""


@command("tournament", "advisor tournament class --games 2 --depth 2")
def hold(
    *,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    games: Annotated[
        int | None,
        typer.Option(min=2, max=MAX_GAMES, show_default=f"{TOURNAMENT_GAMES}, or the file's"),
    ] = None,
    begun: Beginnings,
    depth: options.Depth = None,
    time: options.Seconds = None,
    rules: options.RulesOptions,
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Let all weights files of a folder play each other.

    Each pair plays every opening with both colours. A wrong file is named before any game
    begins, and left out; the exit code is then that of its error. --depth and --time hold for all
    players and replace what the files say.

    Args:
        folder: Its weights files (NAME.yaml, also in folders in it) are the players.
        games: Games of each pair: an even number, two for each opening.
    """
    outfile.check_distinct(openings=begun.openings, resume=sharing.resume)
    contest = advisor.Tournament(
        folder,
        games=games,
        openings=begun.openings,
        plies=begun.plies,
        seed=begun.seed,
        depth=depth,
        seconds=time,
        game=rules.game,
        constants=rules.constants,
        sharing=sharing.chosen,
        on_wrong=lambda error: print(f"error: {error}", file=sys.stderr),
    )
    for _ in screen.followed(contest, contest.total, "games", 2):
        pass
    wrong, failed = contest.wrong, contest.failed
    cut_short = contest.reached < contest.total
    screen.print_noted(dict.fromkeys(failed), "error")
    if output.json:
        screen.print_json({**contest.to_json(), **screen.interrupted(cut_short)})
    else:
        _print(folder, contest, 2 * len(failed))
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {contest.reached} of {contest.total} games")
    if wrong or failed:
        raise typer.Exit(max([error.exit_code for error in wrong.values()], default=_FAILED))


def _print(folder: Path, contest: advisor.Tournament, failed: int) -> None:
    """The table, and whom and what it leaves out."""
    out, standings = screen.console(), contest.standings
    places = {standing.player: standing.place for standing in standings}
    told = f"{file_name(folder)}: {len(standings)} players, {contest.reached - failed} games"
    out.print(told, style="bold", soft_wrap=True)
    out.print()
    rows = [_row(standing, places) for standing in standings]
    names = ("place", "player", "points", "games", "won", "drawn", "lost", "took more points than")
    out.print(screen.table(names, rows, left=("player", names[-1])))
    if left_out := ", ".join(contest.wrong):
        out.print(f"\nleft out, since the file is wrong: {left_out}")
    if failed:
        told = f"\n{failed} games could not be played to the end (see the errors)"
        out.print(told)


def _row(standing: Standing, places: Mapping[str, int]) -> Iterable[str]:
    total = standing.total
    return (
        str(standing.place),
        standing.player,
        f"{total.points:g}",
        *map(str, (total.games, total.wins, total.draws, total.losses)),
        ", ".join(sorted(standing.beaten, key=lambda name: (places[name], name))),
    )
