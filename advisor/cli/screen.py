"""Boards and tables in a terminal of 80 columns, or as plain text where there is no terminal."""

import json
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
    """Where to print; control codes only if it is a terminal, colours if nobody sets NO_COLOR."""

    def print(self, *shown: Any, **how: Any) -> None:
        """Print as a console does; elsewhere than on a terminal no line ends in blanks."""
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
        """Prints something and an empty line."""
        self.print(shown, style=style, soft_wrap=soft_wrap)
        self.print()


def console(stderr: bool = False) -> Out:
    """What is printed is text as it stands, without markup."""
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
    """Prints what a command has found.

    Args:
        as_json: whether as `told` or by `show`.
        interrupted: how much of it there is, where a Ctrl-C has ended the work.
        yes: the answer is not "no".

    Raises:
        InterruptedWorkError: it has.
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
    """A line that somebody types.

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
    if sys.platform == "win32":  # where nobody can wait for a terminal and something else
        return input()
    with interruptible() as stop:
        while not select.select([sys.stdin], [], [], POLL)[0]:
            stop.check()
    return input()


def print_json(value: object) -> None:
    """One JSON object on a line, to be read at once."""
    print(json.dumps(value), flush=True)


def follow_work(
    work: Iterable[T],
    total: int | None,
    what: str,
    each: int = 1,
    hear: Callable[[Callable[[str], None]], None] = lambda _: None,
) -> Iterator[T]:
    """Results as they come, counted by a progress bar; Ctrl-C ends them if there are some already.

    Args:
        what: is counted.
        each: what a result counts for.
        hear: is handed what tells how far a single piece of work is.
    """
    found, results = False, cast(Generator[T, None, None], iter(work))
    with progress() as bar, closing(results):
        task = bar.add_task(what, total=total)
        hear(lambda now: bar.update(task, description=f"{what}, now {now}" if now else what))
        try:
            for result in results:
                found = True
                bar.advance(task, each)
                with interruptible() as stop:  # whoever takes it is not interrupted amid that
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
    """Follows some work to its end, and says how much is done if Ctrl-C ends it before."""
    done = each * sum(1 for _ in follow_work(work, total, what, each, hear))
    return f"interrupted: {done} of {total} {what}" if done < total else ""


@contextmanager
def stages(first: str, unfinished: str) -> Iterator[Callable[[str, float], None]]:
    """A progress bar that is told what is being done, and how much of it is done (0 to 1).

    Raises:
        InterruptedWorkError: what is `unfinished` where Ctrl-C ends the work.
    """
    try:
        with progress() as bar:
            at = bar.add_task(first, total=100)
            yield lambda stage, part: bar.update(at, description=stage, completed=round(100 * part))
    except KeyboardInterrupt:
        raise InterruptedWorkError(f"interrupted: {unfinished}") from None


@contextmanager
def waiting(said: str, shown: bool = True) -> Iterator[tuple[Stop, Callable[[str], None]]]:
    """What Ctrl-C sets, and what changes the text that turns round on a terminal meanwhile."""
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
    """The board with row and column numbers; print it with `soft_wrap`, or a wide one breaks.

    Args:
        rows: what lies on each row, the top one first, a character a square.
        marked: a character to show on a square (row, column) in place of its own.
        pointed: columns under whose number an arrow points up.
        large: wider, with discs that fill their squares.
        lettered: columns have their letters too, for a text that names squares, such as b1.
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
    """A position of any game, see `board`; print it with `soft_wrap`."""
    rows = shown.text()
    return picture(rows) if shown.numbered else board(rows, pointed=pointed, lettered=lettered)


def picture(lines: Iterable[str]) -> Text:
    """The lines of a board with more than discs on it, with the discs in colour.

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
    """Print the board of a position and an empty line; nothing where nothing holds.

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
    """A finished game: its board, who won and where, or that it is drawn."""
    print_board(out, position)
    out.print(f"The game is over: {ending_text(position)}.", style="bold")


def ending_text(position: "advisor.Position") -> str:
    """Who has won, and where, or that it is drawn."""
    return f"{position.status} {position.won_on}".rstrip()


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], left: Iterable[str] = ()) -> Table:
    """A table without frame; numbers to the right, the columns named in `left` to the left.

    Cells are printed as `str` has them, each on one line, None as an empty one.
    """
    code = sys.stdout.encoding or "utf-8"
    left = set(left)
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        made.add_column(name, justify="left" if name in left else "right", overflow="fold")
    for row in rows:
        texts = ("" if cell is None else str(cell).replace("\n", "\\n") for cell in row)
        # As stdout will have them, so that the columns are as wide as what is printed.
        made.add_row(*(text.encode(code, "backslashreplace").decode(code) for text in texts))
    return made


def depth_text(advice: "advisor.Advice") -> str:
    """How far a look-ahead is, and what it would play."""
    return f"depth {advice.depth}, {advice.phrasing.moves(advice.chosen[:1])}"


def by(machine_code: bool, seconds: float) -> str:
    """What did the work of so many seconds, and why it was not machine code, if that is known.

    Of short work nothing: whatever does it is fast enough.
    """
    if seconds < _WORTH_TELLING:
        return ""
    if machine_code:
        return " by machine code"
    reason = advisor.slowed_by()
    return f" by NumPy ({reason})" if reason else " by NumPy"


def progress(shown: bool = True) -> Progress:
    """A progress bar on stderr, shown on a terminal only, and not at all if not `shown`."""
    out = console(stderr=True)
    hidden = not (shown and out.is_terminal)
    out.quiet = hidden  # before version 15 rich ends a hidden bar with an empty line
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=out,
        disable=hidden,
        transient=True,
        redirect_stdout=False,  # what is printed meanwhile belongs to whoever reads it
    )
