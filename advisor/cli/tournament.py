"""`advisor tournament`: the weights files of a folder against each other."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.cli.match import Openings, Plies
from advisor.errors import EncodingError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.library.matches import MAX_GAMES, TOURNAMENT_GAMES, Standing

_FAILED = EncodingError.exit_code
"""Of games that could not be played to the end: a rule fails that was right on paper."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("tournament", epilog=example("advisor tournament class --games 2 --depth 2"))(hold)


def hold(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Its weights files (NAME.yaml, also in folders in it) are the players.",
            show_default=False,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=MAX_GAMES,
            help="Games of each pair: an even number, two for each opening.",
            show_default=f"{TOURNAMENT_GAMES}, or the file's",
        ),
    ] = None,
    openings: Openings = None,
    plies: Plies = 4,
    seed: options.Seed = 1,
    depth: options.Depth = None,
    time: options.Seconds = None,
    game: options.OtherRules = None,
    const: options.Constants = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Let all weights files of a folder play each other.

    Each pair plays every opening with both colours. A wrong file is named before any game
    begins, and left out; the exit code is then that of its error. --depth and --time hold for all
    players and replace what the files say.
    """
    outfile.check_distinct(openings=openings, resume=resume)
    contest = advisor.Tournament(
        folder,
        games=games,
        openings=openings,
        plies=plies,
        seed=seed,
        depth=depth,
        seconds=time,
        game=game,
        constants=options.chosen_constants(const),
        sharing=advisor.Sharing(jobs, dask, resume),
        on_wrong=lambda error: print(f"error: {error}", file=sys.stderr),
    )
    for _ in screen.followed(contest, contest.total, "games", no_color, 2):
        pass
    wrong, failed = contest.wrong, contest.failed
    cut_short = contest.reached < contest.total
    screen.print_noted(dict.fromkeys(failed), "error")
    if json:
        screen.print_json({**contest.to_json(), **screen.interrupted(cut_short)})
    else:
        _print(folder, contest.standings, contest.reached - 2 * len(failed), no_color)
        _print_missing(wrong, 2 * len(failed), no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {contest.reached} of {contest.total} games")
    if wrong or failed:
        raise typer.Exit(max([error.exit_code for error in wrong.values()], default=_FAILED))


def _print(folder: Path, standings: Sequence[Standing], games: int, no_color: bool) -> None:
    out = screen.console(no_color)
    places = {standing.player: standing.place for standing in standings}
    told = f"{file_name(folder)}: {len(standings)} players, {games} games"
    out.print(told, style="bold", markup=False, soft_wrap=True)
    out.print()
    rows = [_row(standing, places) for standing in standings]
    names = ("place", "player", "points", "games", "won", "drawn", "lost", "took more points than")
    out.print(screen.table(names, rows, left=("player", names[-1])), markup=False)


def _print_missing(wrong: Iterable[str], games: int, no_color: bool) -> None:
    """Whom and what the table leaves out."""
    out = screen.console(no_color)
    if left_out := ", ".join(wrong):
        out.print(f"\nleft out, since the file is wrong: {left_out}", markup=False)
    if games:
        out.print(f"\n{games} games could not be played to the end (see the errors)", markup=False)


def _row(standing: Standing, places: Mapping[str, int]) -> Iterable[str]:
    total = standing.total
    return (
        str(standing.place),
        standing.player,
        f"{total.points:g}",
        *map(str, (total.games, total.wins, total.draws, total.losses)),
        ", ".join(sorted(standing.beaten, key=lambda name: (places[name], name))),
    )
