"""`advisor bench`: how good moves are."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.library.measuring import Quality, Share


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
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Measure how good moves are, on positions with exact scores.

    Perfect: no other column has a better score. Good: a win stays a win, a draw a draw. At depth 0
    equally good columns count in part.

    Args:
        file: Positions as benchmarks/train/label.py writes them.
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
    cut_short = screen.finish(found, found.total, "positions")
    screen.answer(
        output.json, found.to_json, lambda out: _print_quality(out, found.rows), cut_short
    )


def _print_quality(out: screen.Out, rows: list[Quality]) -> None:
    bands = sorted(set(map(_band, rows[0].discs)))
    table = []
    for row in rows:
        player, depth, seconds = row.player.name, row.player.limit.depth, row.seconds_per_move
        table.append((player, depth, "all", *_shares(row.total), f"{seconds:.4f}"))
        for band in bands:
            share = row.share({n for n in row.discs if _band(n) == band})
            table.append(("", "", band, *_shares(share), ""))
    names = ("player", "depth", "discs", "positions", "good %", "perfect %", "s a move")
    out.print(screen.table(names, table, left=("player",)))


def _shares(share: Share) -> tuple[str, ...]:
    return str(share.positions), f"{share.good:.1f}", f"{share.perfect:.1f}"


def _band(discs: int) -> str:
    """Return the range of ten that a number of discs is in; ranges sort as texts."""
    return f"{discs // 10 * 10:2}-{discs // 10 * 10 + 9}"
