"""`advisor match`: two players against each other."""

import sys
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.games.room import Room
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import random_openings, read_openings, record, umpire
from advisor.lab.batch import run

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        help="A preset or weights file, also with :depth=N, :level=N or :time=SECONDS; or random, "
        "central, perfect (exact scores), program:COMMAND, which speaks UCI; its options follow as "
        ";NAME=VALUE.",
        show_default=False,
    ),
]

Openings = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="One move string a line.", show_default="random ones"),
]
Plies = Annotated[int, typer.Option(min=0, max=20, help="Plies of a random opening.")]

_GAMES = 20
MAX_GAMES = 1_000_000
"""Their openings are chosen before the first one, in a minute or so."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor match default:depth=2 pomakis:depth=2 --games 4"))(match)


def match(
    a: PlayerArgument,
    b: PlayerArgument,
    games: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=MAX_GAMES,
            help="Games: an even number, two for each opening.",
            show_default=f"{_GAMES}, or the file's",
        ),
    ] = None,
    openings: Openings = None,
    plies: Plies = 4,
    seed: options.Seed = 1,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as it is clear who plays better.")
    ] = False,
    book: options.Book = None,
    game: options.OtherRules = None,
    const: options.Constants = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write each game as a line of moves, of chess into a .pgn file in PGN; in the odd "
            "ones the first player begins.",
            show_default=False,
        ),
    ] = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Let two players play, and print the Elo difference.

    Every opening is played with both colours.
    """
    outfile.check_distinct(openings=openings, save=save, resume=resume)
    if save:
        outfile.check_writable(save)
    constants = options.chosen_constants(const)
    first, second = (players.parse(player, game, constants, book=book) for player in (a, b))
    play, room = partial(umpire, first, second, seed), first.room
    note, identities = players.slowness(first, second), [first.identity, second.identity]
    written = _line
    if save and save.suffix.lower() in room.suffixes:
        written = partial(record, room, (a, b))
    chosen = chosen_openings(room, games, _GAMES, openings, plies, seed)
    journal = options.chosen_journal(resume, "match", {"players": identities, "seed": seed})
    workers = options.chosen_workers(jobs, dask)
    if note:
        print(f"note: {note}", file=sys.stderr)
    points: list[float] = []
    verdict = None
    with (
        screen.progress(no_color) as progress,
        outfile.lines(save) if save else nullcontext() as write,
        screen.kept_if_interrupted(points),
    ):
        bar = progress.add_task("games", total=2 * len(chosen))

        def show(moves: str) -> None:
            progress.update(bar, description=f"games, now {moves}" if moves else "games")

        # Only of a game in this process is anything known before its end.
        work = play(None if workers else show)
        with closing(run(work, chosen, workers, journal)) as results:
            for pair in results:
                points += [game["points"] for game in pair]
                if write:
                    write("".join(written(game["moves"], i) for i, game in enumerate(pair)))
                progress.update(bar, completed=len(points))
                verdict = elo.decision(_pairs(points)) if sprt else None
                if verdict:
                    break
    cut_short = len(points) < 2 * len(chosen) and not verdict
    wins, draws, losses = (points.count(value) for value in (1, 0.5, 0))
    estimate = elo.estimate(_pairs(points))
    if json:
        screen.print_json(
            {
                "a": a,
                "b": b,
                "games": len(points),
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "elo": _rounded(estimate.elo),
                "elo_95": [_rounded(estimate.low), _rounded(estimate.high)],
                **({"sprt": verdict} if sprt else {}),
                **screen.interrupted(cut_short),
            }
        )
    else:
        out = screen.console(no_color)
        share = 100 * sum(points) / len(points)
        out.print(f"{a} against {b}: {len(points)} games", markup=False)
        told = f"{wins} won, {draws} drawn, {losses} lost: {share:.1f} % of the points"
        out.print(told, style="bold")
        low, high = _text(estimate.low, "-"), _text(estimate.high, "+")
        difference = _text(estimate.elo, "-" if share == 0 else "+")
        out.print(f"Elo difference {difference} ({low} to {high})")
        if sprt:
            told = f"{a} is {verdict}" if verdict else "not clear who is stronger"
            out.print(told, markup=False)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(points)} of {2 * len(chosen)} games")


def _line(moves: str, _number: int) -> str:
    return moves + "\n"


def chosen_openings(
    room: Room, games: int | None, usual: int, file: Path | None, plies: int, seed: int
) -> list[str]:
    """The openings of a match: half as many as games.

    Args:
        room: of the game.
        games: that are asked for, None for all of the file or the usual number.
        usual: number of games with random openings.
        file: of openings, None for random ones.
        plies, seed: of random openings.

    Raises:
        InputError: the games are odd, or the openings too few.
    """
    if games is not None and games % 2:
        raise InputError(f"--games: {games} is odd (every opening is played with both colours)")
    if file is None:
        return random_openings(room, (games or usual) // 2, plies, seed)
    found = read_openings(room, file)
    count = len(found) if games is None else games // 2
    if count > len(found):
        raise InputError(
            f"{file_name(file)}: {len(found)} openings are not enough for {games} games"
        )
    return found[:count]


def _pairs(points: list[float]) -> list[float]:
    return [
        (begun + answered) / 2 for begun, answered in zip(points[::2], points[1::2], strict=True)
    ]


def _rounded(difference: float | None) -> float | None:
    return None if difference is None else round(difference, 1)


def _text(difference: float | None, sign: str) -> str:
    return f"{sign}infinite" if difference is None else f"{difference:+.0f}"
