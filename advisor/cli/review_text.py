"""A review in a terminal of 80 columns, or as plain text where there is no terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from advisor import Review, Reviewed
from advisor.cli import screen
from advisor.views import review_words as words

_LOST = {"points": "lost points", "weights": "units", "mean result": "mean"}
"""What is lost, by the unit that a mark has."""

_STYLES = {"inaccuracy": "yellow", "mistake": "magenta", "blunder": "bold red"}


def show(reviews: Sequence[Review], out: Console) -> None:
    """Prints reviews, one after the other."""
    for number, review in enumerate(reviews):
        if number:
            out.print()
        out.print(f"{review.title}: {words.heading(review)}", style="bold")
        out.print()
        out.print(_table(review))
        for move in review.moves:
            if move.error:
                out.print()
                _error(move, out)
        out.print()
        rows = words.summary(review.sides)
        out.print(screen.table(("", *words.players(review)), rows, left=("",)))
    out.print()
    out.print(words.LEGEND, style="dim")


def _table(review: Review) -> Table:
    """Every move with its grade, and what it lost in a column for each unit."""
    units = [unit for unit in _LOST if any(move.mark.unit == unit for move in review.moves)]
    rows = [
        (
            str(move.ply),
            words.player(move),
            move.name,
            words.grade(move),
            *(f"{move.mark.loss:g}" if move.mark.unit == unit else "" for unit in units),
            f"{words.leads_to(move.played)} ({words.knowledge(move)})",
        )
        for move in review.moves
    ]
    lost = (_LOST[unit] for unit in units)
    names = ("ply", "player", "move", "grade", *lost, "leads to")
    return screen.table(names, rows, left=("player", "move", "grade", "leads to"))


def _error(move: Reviewed, out: Console) -> None:
    """A paragraph on an error, with what it allows."""
    style = _STYLES[move.mark.grade]
    out.print(f"{words.turn(move)}: {move.mark.grade}", style=style)
    told = [words.verdict(move) + ".", *move.reasons]
    if move.missed:
        told.append(words.missed(move))
    if move.refutation:
        told.append(words.refutation(move.refutation).removesuffix(".") + ":")
    out.print(Padding(Text(" ".join(told)), (0, 0, 0, 4), expand=False))
    if move.refutation:
        out.print(screen.scene(move.refutation.end), soft_wrap=True)
