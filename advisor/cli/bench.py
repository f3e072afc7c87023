"""`advisor bench`: how fast, and how good."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InterruptedWorkError
from advisor.files import outfile
from advisor.library.measuring import Quality


@command("bench label", "advisor bench label positions.txt -o labelled.txt")
def label(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="OUT")],
    sharing: options.Sharing,
    no_color: options.NoColor = False,
) -> None:
    """Score every column of many positions exactly.

    `bench quality` reads the result. Each line is written as soon as it is there. Finished
    games are left out, with a note.

    Args:
        file: A position at the beginning of each line; the rest of a line does not matter.
        output: The labelled file to write.
    """
    outfile.check_distinct(input=file, output=output, resume=sharing.resume)
    outfile.check_writable(output)
    labels = advisor.Labels(file, sharing.chosen)
    screen.print_noted(labels.notes)
    head = labels.header
    with screen.progress() as progress, outfile.lines(output) as write:
        for line in progress.track(labels, total=labels.total, description="positions"):
            write(f"{head}{line}\n")
            head = ""


@command("bench quality", "advisor bench quality labelled.txt --time 0.2")
def quality(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    weights: Annotated[
        list[str] | None, typer.Option(metavar="FILE", show_default=options.DEFAULT_WEIGHTS)
    ] = None,
    depth: options.Depth = None,
    time: options.Seconds = None,
    book: options.Book = None,
    sharing: options.Sharing,
    output: options.Output,
) -> None:
    """Measure how good moves are, on positions with exact scores.

    Perfect: no other column has a better score. Good: a win stays a win, a draw a draw. At depth 0
    equally good columns count in part.

    Args:
        file: Positions as `bench label` writes them.
        weights: A weights file or preset; may be given several times, also with a limit of its own
            as alex:depth=4.
    """
    found = advisor.Examination(
        file,
        weights or [options.DEFAULT_WEIGHTS],
        depth=depth,
        seconds=time,
        book=book,
        sharing=sharing.chosen,
    )
    for _ in screen.followed(found, found.total, "positions"):
        pass
    cut_short = len(found.grades) < found.total
    if output.json:
        screen.print_json({**found.to_json(), **screen.interrupted(cut_short)})
    else:
        _print_quality(found.rows)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(found.grades)} of {found.total} positions")


@command("bench game", "advisor bench game tictactoe")
def speed(
    *,
    game: options.Game,
    const: options.Constants = None,
    seed: options.Seed = 1,
    output: options.Output,
) -> None:
    """Measure how fast the circuits of a game are.

    The ways to play it are counted, and it is played at random.
    """
    measured = advisor.bench_game(game, options.constants(const), seed)
    if output.json:
        screen.print_json(measured.to_json())
        return
    native = {}
    if measured.native is not None:
        names = "random games as machine code", "their moves as machine code"
        native = {n: f"{rate:,.0f}/s" for n, rate in zip(names, measured.native, strict=True)}
    if measured.native_perft is not None:
        native["ways to play as machine code"] = f"{measured.native_perft:,.0f}/s"
    rows = {
        "grounded": f"{measured.ground_seconds:.2f} s",
        "compiled": f"{measured.compile_seconds:.2f} s",
        f"{measured.nodes:,} ways to play {measured.plies} plies": f"{measured.perft:,.0f}/s",
        "random games": f"{measured.playouts:,.0f}/s",
        "their moves": f"{measured.plies_played:,.0f}/s",
        **native,
        "look, batches of 1,024": f"{measured.look:,.0f}/s",
        "step": f"{measured.step:,.0f}/s",
        "leaf": f"{measured.leaf:,.0f}/s",
    }
    screen.console().print(
        screen.table((measured.game, "speed"), rows.items(), left=(measured.game,))
    )


def _print_quality(rows: list[Quality]) -> None:
    out = screen.console()
    bands = sorted({_band(discs) for discs in rows[0].by_discs})
    table = []
    for row in rows:
        parts = [("all", row.total)]
        for band in bands:
            parts.append((band, row.share([n for n in row.by_discs if _band(n) == band])))
        for name, share in parts:
            first = name == "all"
            depth = "" if row.depth is None else str(row.depth)
            table.append(
                (
                    row.player.name if first else "",
                    depth if first else "",
                    name,
                    str(share.positions),
                    f"{share.good:.1f}",
                    f"{share.perfect:.1f}",
                    f"{row.seconds_per_move:.4f}" if first else "",
                )
            )
    names = ("player", "depth", "discs", "positions", "good %", "perfect %", "s a move")
    out.print(screen.table(names, table, left=("player",)))


def _band(discs: int) -> str:
    """Tens of discs, sorted as texts."""
    return f"{discs // 10 * 10:2}-{discs // 10 * 10 + 9}"
