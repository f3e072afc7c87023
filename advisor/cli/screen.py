"""Boards and tables in a terminal of 80 columns, or as plain text where there is no terminal."""

import json
import os
import select
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeVar, cast

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import advisor
from advisor.errors import InterruptedWorkError
from advisor.files.linefile import read_line
from advisor.files.textfile import column_letters
from aspcircuits.stopping import POLL, Stop, interruptible

T = TypeVar("T")

_WORTH_TELLING = 0.5
"""Seconds of work after which it matters who did it."""

_STYLES = {"x": "bold red", "o": "bold yellow"}
_LARGE_STYLES = {"x": "bold white on red", "o": "bold black on yellow"}


class Out(Console):
    """A stream to print on: control codes only on a terminal, colours unless NO_COLOR is set."""

    def print(self, *shown: Any, **how: Any) -> None:
        """Print like a console; without a terminal no line ends in blanks."""
        if self.is_terminal:
            super().print(*shown, **how)
            return
        with self.capture() as captured:
            super().print(*shown, **how)
        self.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))
        self.file.flush()

    def paragraph(
        self, shown: RenderableType, style: str | None = None, soft_wrap: bool | None = None
    ) -> None:
        """Print something and an empty line."""
        self.print(shown, style=style, soft_wrap=soft_wrap)
        self.print()


def console(stderr: bool = False) -> Out:
    """Return a console that prints text literally, without markup."""
    made = Out(stderr=stderr, markup=False, highlight=False)
    if not made.width:  # COLUMNS=0, as where there is no terminal
        made.width = 80
    return made


def answer(
    as_json: bool,
    told: Callable[[], Mapping[str, Any]],
    show: Callable[[Out], None],
    interrupted: str = "",
    yes: bool = True,
) -> None:
    """Print the answer of a command.

    Args:
        as_json: print `told` as JSON instead of calling `show`.
        interrupted: how much of the work is done if Ctrl-C has ended it.
        yes: the answer is not "no".

    Raises:
        InterruptedWorkError: Ctrl-C has ended the work.
        typer.Exit: with 1 for the answer "no".
    """
    if as_json:
        print_json({**told(), "interrupted": True} if interrupted else told())
    else:
        show(console())
    if interrupted:
        raise InterruptedWorkError(interrupted)
    if not yes:
        raise typer.Exit(1)


def ask(prompt: str) -> str:
    """Return a line that the user types.

    `input` would notice a Ctrl-C that comes between the prompt and its wait only with the line.
    """
    if not sys.stdin.isatty():
        print(prompt, end="", flush=True)
        line = read_line(sys.stdin)
        if not line:
            raise EOFError
        line = line.removesuffix("\n")
        print(line)  # so that a record of a game reads as it would on a terminal
        return line
    print(prompt, end="", flush=True)
    if sys.platform == "win32":  # on systems that cannot wait for a terminal and something else
        return input()
    with interruptible() as stop:
        while not select.select([sys.stdin], [], [], POLL)[0]:
            stop.check()
    return input()


def print_json(value: object) -> None:
    """Print one JSON object on a line and flush it."""
    print(json.dumps(value), flush=True)


def follow_work(
    work: Iterable[T],
    total: int | None,
    what: str,
    each: int = 1,
    hear: Callable[[Callable[[str], None]], None] = lambda _: None,
) -> Iterator[T]:
    """Yield results as they come, with a progress bar; after the first one Ctrl-C ends them.

    Args:
        what: the noun for the things counted.
        each: number of things in one result.
        hear: takes a function that shows the progress within a single piece of work.
    """
    found, results = False, cast(Generator[T, None, None], iter(work))
    with progress() as bar, closing(results):
        task = bar.add_task(what, total=total)
        hear(lambda now: bar.update(task, description=f"{what}, now {now}" if now else what))
        try:
            for result in results:
                found = True
                bar.advance(task, each)
                with interruptible() as stop:  # the caller handles it without interruption
                    yield result
                stop.check()
        except KeyboardInterrupt:
            if not found:
                raise


def finish(
    work: Iterable[Any],
    total: int,
    what: str,
    each: int = 1,
    hear: Callable[[Callable[[str], None]], None] = lambda _: None,
) -> str:
    """Follow some work to its end; return how much is done if Ctrl-C ends it before."""
    done = each * sum(1 for _ in follow_work(work, total, what, each, hear))
    return f"interrupted: {done} of {total} {what}" if done < total else ""


@contextmanager
def stages(first: str, unfinished: str) -> Iterator[Callable[[str, float], None]]:
    """Yield a function that shows a stage of the work and the share of it done (0 to 1).

    Raises:
        InterruptedWorkError: Ctrl-C has ended the work; `unfinished` says which work.
    """
    try:
        with progress() as bar:
            at = bar.add_task(first, total=100)
            yield lambda stage, part: bar.update(at, description=stage, completed=round(100 * part))
    except KeyboardInterrupt:
        raise InterruptedWorkError(f"interrupted: {unfinished}") from None


@contextmanager
def waiting(said: str, shown: bool = True) -> Iterator[tuple[Stop, Callable[[str], None]]]:
    """Yield a stop that Ctrl-C sets, and a function that changes the text beside a spinner."""
    out = console(stderr=True)
    with interruptible() as stop:
        if not (shown and out.is_terminal):
            yield stop, lambda _: None
            return
        with out.status(said) as status:
            yield stop, status.update


def board(
    rows: Sequence[str],
    marked: Mapping[tuple[int, int], str] | None = None,
    pointed: Iterable[int] = (),
    large: bool = False,
    lettered: bool = False,
) -> Text:
    """Return the board with row and column numbers; print it with `soft_wrap`: a wide one breaks.

    Args:
        rows: the contents of each row, the top one first, one character for each square.
        marked: characters to show on squares (row, column) instead of their contents.
        pointed: columns with an arrow below their number.
        large: draw it wider, with discs that fill their squares.
        lettered: show the columns' letters too, for a text that names squares, such as b1.
    """
    height, width = len(rows), len(rows[0])
    marked = marked or {}
    pointed = set(pointed)
    wide = len(str(width)) + 1
    styles, right = (_LARGE_STYLES, " ") if large else (_STYLES, "")
    edge = len(str(height)) + 2
    text = Text()
    for row, line in zip(range(height, 0, -1), rows, strict=True):
        text.append(f"{row:>{edge}}")
        for column, symbol in enumerate(line, 1):
            shown = marked.get((row, column), symbol)
            text.append(f"{shown:>{wide}}{right}", style=styles.get(symbol, "dim"))
        text.append("\n")
    columns = range(1, width + 1)
    names: list[Sequence[object]] = [columns]
    if lettered:
        names.append([*map(column_letters, columns)])
    lines = ("".join(f"{name:>{wide}}{right}" for name in each).rstrip() for each in names)
    text.append("\n".join(" " * edge + line for line in lines))
    if pointed:
        arrows = "".join(f"{'^' if column in pointed else '':>{wide}}{right}" for column in columns)
        text.append("\n" + " " * edge + arrows.rstrip(), style="bold")
    return text


def scene(shown: "advisor.Scene", pointed: Iterable[int] = (), lettered: bool = False) -> Text:
    """Return a position of any game, see `board`; print it with `soft_wrap`."""
    rows = shown.text()
    return picture(rows) if shown.numbered else board(rows, pointed=pointed, lettered=lettered)


def picture(lines: Iterable[str]) -> Text:
    """Return the lines of a board that shows more than discs, with the discs in colour.

    Print it with `soft_wrap`.
    """
    text = Text("\n".join(lines))
    for symbol, style in _STYLES.items():
        text.highlight_regex(rf"(?<= ){symbol}(?= |$|\n)", style)
    return text


def print_board(
    out: Out,
    position: "advisor.Position",
    pointed: Iterable[Any] = (),
    large: bool = False,
    lettered: bool = False,
) -> None:
    """Print the board of a position and an empty line; nothing if the game draws no board.

    The lines that won a finished game are marked. `board` explains `pointed`, `large` and
    `lettered`.
    """
    rows = position.rows
    if not rows:
        return
    if position.numbered:
        shown = picture(rows)
    else:
        winner = (position.winner or "").upper()
        marked = {square: winner for line in position.won_lines for square in line}
        shown = board(rows, marked, pointed, large, lettered)
    out.paragraph(shown, soft_wrap=True)


def print_finished(out: Out, position: "advisor.Position") -> None:
    """Print a finished game: its board, and the winner with the winning line, or a draw."""
    print_board(out, position)
    out.print(f"The game is over: {ending_text(position)}.", style="bold")


def ending_text(position: "advisor.Position") -> str:
    """Return the result of a finished game, with the place of a win."""
    return f"{position.status} {position.won_on}".rstrip()


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], left: Iterable[str] = ()) -> Table:
    """Return a table without frame; numbers are aligned right, columns named in `left` left.

    Cells are printed by `str`, each on one line; None is an empty cell.
    """
    code = sys.stdout.encoding or "utf-8"
    left = set(left)
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        made.add_column(name, justify="left" if name in left else "right", overflow="fold")
    for row in rows:
        texts = ("" if cell is None else str(cell).replace("\n", "\\n") for cell in row)
        # In stdout's encoding, so that columns are as wide as the printed text.
        made.add_row(*(text.encode(code, "backslashreplace").decode(code) for text in texts))
    return made


def depth_text(advice: "advisor.Advice") -> str:
    """Return the depth that a look-ahead has reached, and its move."""
    return f"depth {advice.depth}, {advice.phrasing.moves(advice.chosen[:1])}"


def name_code(machine_code: bool, seconds: float) -> str:
    """Name the code that did the work of these seconds, and why it was not machine code, if known.

    Return nothing for short work, for which any code is fast enough.
    """
    if seconds < _WORTH_TELLING:
        return ""
    if machine_code:
        return " by machine code"
    reason = advisor.slowed_by()
    return f" by NumPy ({reason})" if reason else " by NumPy"


def progress(shown: bool = True) -> Progress:
    """Return a progress bar on stderr, which is visible on a terminal only, and only if `shown`.

    A command in a notebook has a terminal, but a saved notebook would keep each step of the bar.
    """
    out = console(stderr=True)
    in_notebook = "JPY_PARENT_PID" in os.environ  # set for Jupyter's kernels
    hidden = in_notebook or not (shown and out.is_terminal)
    out.quiet = hidden  # before version 15 rich ends a hidden bar with an empty line
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=out,
        disable=hidden,
        transient=True,
        redirect_stdout=False,  # the output stays clean for a program that reads it
    )
