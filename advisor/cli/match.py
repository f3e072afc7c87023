"""`advisor match`: two players against each other."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InterruptedWorkError
from advisor.files import outfile
from advisor.library.matches import MATCH_GAMES, MAX_GAMES

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
    """How games of players against each other begin."""

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
    sprt: Annotated[bool, typer.Option("--sprt")] = False,
    book: options.Book = None,
    rules: options.RulesOptions,
    save: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Let two players play, and print the Elo difference.

    Every opening is played with both colours.

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
        sprt=sprt,
        book=book,
        game=rules.game,
        constants=rules.constants,
        sharing=sharing.chosen,
    )
    screen.print_noted(filter(None, [match.note]))
    with outfile.lines(save) if save else nullcontext() as write:
        for pair in screen.followed(match, match.total, "games", 2, hear=match.hear):
            if save and write:
                write("".join(match.written(game["moves"], i, save) for i, game in enumerate(pair)))
    if output.json:
        screen.print_json({**match.to_json(), **screen.interrupted(match.cut_short)})
    else:
        _print(screen.console(), a, b, match, sprt)
    if match.cut_short:
        raise InterruptedWorkError(f"interrupted: {len(match.points)} of {match.total} games")


def _print(out: Console, a: str, b: str, match: advisor.Match, sprt: bool) -> None:
    (wins, draws, losses), estimate = match.results, match.elo
    share = 100 * sum(match.points) / len(match.points)
    out.print(f"{a} against {b}: {len(match.points)} games")
    told = f"{wins} won, {draws} drawn, {losses} lost: {share:.1f} % of the points"
    out.print(told, style="bold")
    low, high = _text(estimate.low, "-"), _text(estimate.high, "+")
    difference = _text(estimate.elo, "-" if share == 0 else "+")
    out.print(f"Elo difference {difference} ({low} to {high})")
    if sprt:
        told = f"{a} is {match.verdict}" if match.verdict else "not clear who is stronger"
        out.print(told)


def _text(difference: float | None, sign: str) -> str:
    return f"{sign}infinite" if difference is None else f"{difference:+.0f}"
