"""`advisor tournament`: the weights files of a folder against each other."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.cli.match import MAX_GAMES, Openings, Plies, chosen_openings
from advisor.errors import AdvisorError, EncodingError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.lab.arena import players, tournament
from advisor.lab.arena.match import Game
from advisor.lab.arena.tournament import Standing
from advisor.lab.batch import run
from advisor.limits import Limit

_GAMES = 4

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
            show_default=f"{_GAMES}, or the file's",
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
    files = tournament.handed_in(folder)
    limit = Limit(depth, time)
    constants = options.chosen_constants(const)
    ready, wrong = _checked(files, partial(_player, game, constants, limit))
    identities = {name: player.identity for name, player in ready.items()}
    work = tournament.work(ready, seed)
    room = next(iter(ready.values())).room
    chosen = chosen_openings(room, games, _GAMES, openings, plies, seed)
    journal = options.chosen_journal(resume, "tournament", {"players": identities, "seed": seed})
    tasks = tournament.schedule(identities, chosen)
    pairs: list[list[Game]] = []
    with screen.progress(no_color) as progress, screen.kept_if_interrupted(pairs):
        bar = progress.add_task("games", total=2 * len(tasks))
        with closing(run(work, tasks, options.chosen_workers(jobs, dask), journal)) as results:
            for pair in results:
                pairs.append(pair)
                progress.update(bar, completed=2 * len(pairs))
    standings = tournament.table(identities, tasks, pairs)
    failed = tournament.not_played(pairs)
    games_played = 2 * (len(pairs) - len(failed))
    cut_short = len(pairs) < len(tasks)
    for error in dict.fromkeys(failed):
        print(f"error: {error}", file=sys.stderr)
    if json:
        told = {
            "games": games_played,
            "table": [_told(standing) for standing in standings],
            "left_out": {name: str(error) for name, error in wrong.items()},
            "not_played": failed,
        }
        screen.print_json({**told, **screen.interrupted(cut_short)})
    else:
        _print(folder, standings, games_played, no_color)
        _print_missing(wrong, 2 * len(failed), no_color)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {2 * len(pairs)} of {2 * len(tasks)} games")
    if wrong or failed:
        raise typer.Exit(max([error.exit_code for error in wrong.values()], default=_FAILED))


def _player(
    game: str | None, constants: Mapping[str, int], limit: Limit, file: Path
) -> players.Player:
    return players.ready(players.parse(str(file), game, constants, limit=limit))


def _checked(
    files: Mapping[str, Path], player: Callable[[Path], players.Player]
) -> tuple[dict[str, players.Player], dict[str, AdvisorError]]:
    """The players and, by name, what is wrong with the other files; a line is printed on each.

    Raises:
        AdvisorError: the last of these lines, if fewer than two players are left.
    """
    ready = {}
    wrong: dict[str, AdvisorError] = {}
    for name, file in files.items():
        try:
            ready[name] = player(file)
        except AdvisorError as error:
            place = file_name(file)
            named = str(error) if str(error).startswith(place) else f"{place}: {error}"
            wrong[name] = type(error)(named)
    errors = [*wrong.values()]
    last = errors.pop() if len(ready) < 2 and errors else None
    for each in errors:
        print(f"error: {each}", file=sys.stderr)
    if last is not None:
        raise last
    return ready, wrong


def _told(standing: Standing) -> dict[str, object]:
    against = {name: tally.to_json() for name, tally in standing.against.items()}
    player = {"place": standing.place, "player": standing.player}
    return {**player, **standing.total.to_json(), "against": against}


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
