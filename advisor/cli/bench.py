"""`advisor bench`: how good moves are."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InterruptedWorkError
from advisor.library.measuring import Quality


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
        file: Positions as benchmarks/label.py writes them.
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


def _print_quality(rows: list[Quality]) -> None:
    out = screen.console()
    bands = sorted(set(map(_band, rows[0].discs)))
    table = []
    for row in rows:
        parts = [("all", row.total)]
        for band in bands:
            parts.append((band, row.share({n for n in row.discs if _band(n) == band})))
        for name, share in parts:
            first = name == "all"
            depth = "" if row.player.limit.depth is None else str(row.player.limit.depth)
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
