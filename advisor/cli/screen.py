"""Boards and tables in a terminal of 80 columns, or as plain text where there is no terminal."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from advisor.advice.explain import COLOURS
from advisor.games.connect4.board import DISCS, Position, Square

_STYLES = {1: "bold red", 2: "bold yellow"}
_LARGE_STYLES = {1: "bold white on red", 2: "bold black on yellow"}


def console(no_color: bool = False, stderr: bool = False) -> Console:
    """Where to print; colours and control codes only if it is a terminal."""
    # None leaves it to the environment: NO_COLOR counts too.
    return Console(no_color=no_color or None, stderr=stderr, highlight=False, soft_wrap=False)


def print_json(value: object) -> None:
    """One JSON object on a line."""
    print(json.dumps(value))


@contextmanager
def kept_if_interrupted(results: Sized) -> Iterator[None]:
    """Ends quietly on Ctrl-C if there are results already, so that they can be shown.

    Who shows them says that they are not all.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not results:
            raise


def interrupted(cut_short: bool) -> dict[str, bool]:
    """What JSON says of results that are only those from before a Ctrl-C; otherwise nothing."""
    return {"interrupted": True} if cut_short else {}


def player(number: int) -> str:
    """A player as ``x (red)``."""
    return f"{DISCS[number]} ({COLOURS[number]})"


def board(
    position: Position,
    marked: Mapping[Square, str] | None = None,
    pointed: Iterable[int] = (),
    large: bool = False,
) -> Text:
    """The board with row and column numbers; print it with `soft_wrap`, or a wide one breaks.

    Args:
        position: the board.
        marked: a character to show on a square in place of its disc or dot.
        pointed: columns under whose number an arrow points up.
        large: wider, with discs that fill their squares.
    """
    g = position.geometry
    marked = marked or {}
    pointed = set(pointed)
    wide = len(str(g.width)) + 1
    styles, right = (_LARGE_STYLES, " ") if large else (_STYLES, "")
    edge = len(str(g.height)) + 2
    text = Text()
    for row in range(g.height, 0, -1):
        text.append(f"{row:>{edge}}")
        for column in range(1, g.width + 1):
            owner = position.at(row, column)
            symbol = marked.get((row, column), DISCS[owner])
            text.append(f"{symbol:>{wide}}{right}", style=styles.get(owner, "dim"))
        text.append("\n")
    columns = range(1, g.width + 1)
    text.append(" " * edge + "".join(f"{column:>{wide}}{right}" for column in columns).rstrip())
    if pointed:
        arrows = "".join(f"{'^' if column in pointed else '':>{wide}}{right}" for column in columns)
        text.append("\n" + " " * edge + arrows.rstrip(), style="bold")
    return text


def table(columns: Iterable[str], rows: Iterable[Iterable[str]], left: Iterable[str] = ()) -> Table:
    """A table without frame; numbers to the right, the columns named in `left` to the left."""
    left = set(left)
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        made.add_column(name, justify="left" if name in left else "right", overflow="fold")
    for row in rows:
        made.add_row(*row)
    return made


def progress(no_color: bool = False, shown: bool = True) -> Progress:
    """A progress bar on stderr, shown on a terminal only, and not at all if not `shown`."""
    out = console(no_color, stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=out,
        disable=not (shown and out.is_terminal),
        transient=True,
        redirect_stdout=False,  # what is printed meanwhile belongs to whoever reads it
    )
