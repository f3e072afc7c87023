"""`advisor match` and `advisor tournament`: players against each other."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command, with_options
from advisor.errors import EncodingError
from advisor.files import outfile
from advisor.files.textfile import amount
from advisor.limits import MATCH_GAMES, MAX_GAMES, MAX_ROUNDS, TOURNAMENT_GAMES
from aspcircuits.texts import file_name

_ALIKE = {
    "text": "these files say the same.",
    "moves": "these chose the same moves in all positions that were compared.",
}

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        help="A preset or weights file, also with :depth=N, :level=N or :time=SECONDS; or random, "
        "central, perfect (exact scores), program:COMMAND, which speaks UCI; its options follow as "
        ";NAME=VALUE.",
    ),
]


@dataclass(frozen=True, slots=True)
class Beginnings:
    """Options: the openings of games between players."""

    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="One move string a line.", show_default="random ones"),
    ] = None
    plies: Annotated[int, typer.Option(min=0, max=20, help="Plies of a random opening.")] = 4
    seed: options.Seed = 1


@command("match", "advisor match default:depth=2 pomakis:depth=2 --games 4")
def match(
    *,
    a: PlayerArgument,
    b: PlayerArgument,
    games: Annotated[
        int | None, typer.Option(min=2, max=MAX_GAMES, show_default=f"{MATCH_GAMES}, or the file's")
    ] = None,
    begun: Beginnings,
    depth: options.Depth = None,
    time: options.Seconds = None,
    sprt: bool = False,
    book: options.Book = None,
    rules: options.RulesOptions,
    save: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Let two players play, and print the Elo difference.

    Every opening is played with both colours. --depth and --time are for players whose name says
    nothing of either. A player whose file fails loses that game; the exit code is then 3.

    Args:
        games: Games: an even number, two for each opening.
        sprt: Stop as soon as it is clear who plays better.
        save: Write each game as a line of moves, of chess into a .pgn file in PGN; in the odd ones
            the first player begins.
    """
    outfile.check_distinct(openings=begun.openings, save=save, resume=sharing.resume)
    if save:
        outfile.check_writable(save)
    match = advisor.Match(
        a,
        b,
        games=games,
        openings=begun.openings,
        plies=begun.plies,
        seed=begun.seed,
        depth=depth,
        seconds=time,
        sprt=sprt,
        book=book,
        game=rules.game,
        constants=rules.constants,
        sharing=sharing.chosen,
    )
    if match.note:
        options.note(match.note)
    with outfile.lines(save) if save else nullcontext() as write:
        for pair in screen.follow_work(match, match.total, "games", 2, hear=match.hear):
            if save and write:
                write(
                    "".join(match.game_text(game["moves"], i, save) for i, game in enumerate(pair))
                )
    cut_short = (
        f"interrupted: {len(match.points)} of {match.total} games" if match.cut_short else ""
    )
    for error in dict.fromkeys(match.failed):
        options.note(error, "error")
    screen.answer(output.json, match.to_json, lambda out: _print(out, a, b, match, sprt), cut_short)
    if match.failed:
        raise typer.Exit(EncodingError.exit_code)


def _print(out: screen.Out, a: str, b: str, match: "advisor.Match", sprt: bool) -> None:
    estimate = match.elo
    out.print(f"{a} against {b}: {len(match.points)} games")
    out.print(match.result_text, style="bold")
    low, high = _elo(estimate.low, "-"), _elo(estimate.high, "+")
    difference = _elo(estimate.elo, "+" if any(match.points) else "-")
    out.print(f"Elo difference {difference} ({low} to {high})")
    if failed := len(match.failed):
        out.print(f"{amount(failed, 'game')} lost by a file that failed (see the errors)")
    if sprt:
        out.print(f"{a} is {match.verdict}" if match.verdict else "not clear who is stronger")


def _elo(difference: float | None, sign: str) -> str:
    return f"{sign}infinite" if difference is None else f"{difference:+.0f}"


@command("tournament", "advisor tournament class --games 2 --depth 2")
def hold(
    *,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    games: Annotated[
        int | None,
        typer.Option(min=2, max=MAX_GAMES, show_default=f"{TOURNAMENT_GAMES}, or the file's"),
    ] = None,
    begun: Beginnings,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=MAX_ROUNDS, show_default="all against all")
    ] = None,
    depth: options.Depth = None,
    time: options.Seconds = None,
    rules: options.RulesOptions,
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Let all weights files of a folder play each other.

    Each pair plays every opening with both colours. A wrong file is named before any game
    begins, and left out; the exit code is then that of its error. --depth and --time hold for all
    players and replace what the files say. "errors" are games lost by a file that failed, "beaten"
    are opponents from whom a player took more points than it gave. The end names files that are
    alike: they say the same, or chose the same moves in a set of positions.

    Args:
        folder: Its weights files (NAME.yaml, also in folders in it) are the players.
        games: Games of each pair: an even number, two for each opening.
        rounds: Play rounds by the Swiss system, in which players of about the same strength meet.
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
        rounds=rounds,
        game=rules.game,
        constants=rules.constants,
        sharing=sharing.chosen,
        on_wrong=lambda error: options.note(with_options(str(error)), "error"),
    )
    cut_short = screen.finish(contest, contest.total, "games", 2)
    wrong, failed = contest.wrong, contest.failed
    for error in dict.fromkeys(failed):
        options.note(error, "error")
    screen.answer(
        output.json, contest.to_json, lambda out: _print_table(out, folder, contest), cut_short
    )
    if wrong or failed:
        # A rule fails in a game that was right on paper.
        codes = [error.exit_code for error in wrong.values()] or [EncodingError.exit_code]
        raise typer.Exit(max(codes))


def _print_table(out: screen.Out, folder: Path, contest: "advisor.Tournament") -> None:
    """Print the table, the files that it leaves out, and how many games a failing file lost."""
    standings = contest.standings
    told = f"{file_name(folder)}: {len(standings)} players, {contest.games_done} games"
    out.paragraph(told, style="bold", soft_wrap=True)
    rows = []
    for each in standings:
        total, errors = each.total, each.errors or ""
        share, points = f"{100 * total.share:.1f} %", f"{total.points:g}"
        counted = (points, total.games, *total, errors, len(each.beaten))
        rows.append((each.place, each.player, share, *counted))
    counts = ("points", "games", "won", "drawn", "lost", "errors", "beaten")
    out.print(screen.table(("place", "player", "share", *counts), rows, left=("player",)))
    for group in contest.alike:
        out.print(f"\n{', '.join(map(file_name, group.players))}: {_ALIKE[group.how]}")
    if left_out := ", ".join(contest.wrong):
        out.print(f"\nleft out, since the file is wrong: {left_out}")
    if failed := len(contest.failed):
        out.print(f"\n{amount(failed, 'game')} lost by a file that failed (see the errors)")
