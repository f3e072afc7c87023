"""`advisor puzzle` and `advisor puzzles`: puzzles replayed, and new ones made."""

from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.limits import interruptible
from advisor.views.sheet import Exercise, html


@command("puzzle", "advisor puzzle chapter3/30")
def puzzle(
    *,
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE")],
    look: options.LookOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.PuzzleGame = None,
    output: options.Output,
) -> None:
    """Replay a puzzle against the defence that resists longest.

    Args:
        puzzle: A puzzle as chapter5/15, or a puzzle file.
    """
    limit = look.limit
    with interruptible() as stop:
        found = advisor.replay(
            puzzle, game=game, weights=weights, depth=limit.depth, seconds=limit.seconds, stop=stop
        )
    if output.json:
        screen.print_json(found.to_json())
    else:
        _print_replay(screen.console(), found)
    if not found.solved:
        raise typer.Exit(1)


@command("puzzles replay", "advisor puzzles replay chapter1")
def book(
    *,
    place: Annotated[
        str | None,
        typer.Argument(metavar="BOOK|FOLDER", show_default="the 120 problems of the book"),
    ] = None,
    chapter: int | None = None,
    extra: Annotated[bool, typer.Option("--extra")] = False,
    all_replies: Annotated[bool, typer.Option("--all-defences")] = False,
    look: options.LookOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.PuzzleGame = None,
    sharing: options.SharingOptions,
    output: options.Output,
) -> None:
    """Replay the puzzle book, a part of it, or a folder of puzzles.

    Args:
        place: A folder of puzzle files, or puzzles that come with the advisor: second (its own
            book), a part of it as second/8x7, chapter3.
        chapter: Only this chapter.
        extra: Also the extra problems that are not in the book.
        all_replies: Against every defence, not only the longest.
    """
    limit = look.limit
    replayed = advisor.Book(
        place,
        game=game,
        chapter=chapter,
        extra=extra,
        every_defence=all_replies,
        weights=weights,
        depth=limit.depth,
        seconds=limit.seconds,
        sharing=sharing.chosen,
    )
    started = monotonic()
    for _ in screen.followed(replayed, replayed.total, "puzzles"):
        pass
    verdicts, seconds = replayed.verdicts, monotonic() - started
    cut_short = len(verdicts) < replayed.total
    solved = sum(verdict["solved"] for verdict in verdicts)
    if output.json:
        told = {"total": len(verdicts), "solved": solved, "seconds": round(seconds, 3)}
        screen.print_json({**told, "puzzles": verdicts, **screen.interrupted(cut_short)})
    else:
        _print_book(screen.console(), verdicts, seconds)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(verdicts)} of {replayed.total} puzzles")
    if solved < len(verdicts):
        raise typer.Exit(1)


@command("puzzles make", "advisor puzzles make --win-in 3 --count 2 -o mine")
def make(
    *,
    win_in: Annotated[int, typer.Option(min=1, max=20, metavar="N")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER")],
    count: Annotated[int, typer.Option(min=1, max=100_000)] = 10,
    variant: options.Variant,
    seed: options.Seed = 1,
    many: Annotated[bool, typer.Option("--many")] = False,
    resume: Annotated[bool, typer.Option("--resume")] = False,
    sheet: Annotated[Path | None, typer.Option("--html", metavar="FILE")] = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    output: options.Output,
) -> None:
    """Make puzzles, wins in exactly so many moves, proved twice.

    They are won against every defence, and not sooner.

    Args:
        win_in: In how many of its own moves the side to move wins.
        folder: A new folder; each puzzle becomes a file.
        count: How many puzzles.
        size: Width and height.
        many: Allow several first moves that win as fast.
        game: Another game, by its name or a folder with a rules.lp.
        resume: Continue in a folder with puzzles of the same command.
        sheet: Also write a sheet to print.
    """
    if sheet is not None:
        outfile.check_writable(sheet)
        if sheet.exists():
            raise InputError(f"{file_name(sheet)}: exists already (choose another file)")
    posing = advisor.Posing(
        folder,
        win_in,
        count,
        many=many,
        game=variant.game,
        constants=variant.constants,
        seed=seed,
        resume=resume,
        sharing=advisor.Sharing(jobs, dask),
    )
    for _ in screen.followed(posing, count, "puzzles"):
        pass
    files = posing.files
    if sheet is not None:
        exercises = [_exercise(str(file)) for file in files]
        outfile.write(sheet, html(_title(len(files), win_in), exercises).encode())
    cut_short = len(files) < count
    if output.json:
        made = [str(file) for file in files]
        screen.print_json({"made": len(files), "files": made, **screen.interrupted(cut_short)})
    else:
        screen.console().print(f"{len(files)} puzzles in {file_name(folder)}", soft_wrap=True)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(files)} of {count} puzzles")


def _print_replay(out: Console, found: advisor.Replayed) -> None:
    out.print(f"{found.puzzle.id}: {found.puzzle.task}")
    for number, step in enumerate(found.steps):
        out.print()
        out.print(screen.scene(step.position.scene, pointed=(step.name,)), soft_wrap=True)
        out.print()
        defence = step.reason is None
        reason = "the longest defence" if defence else step.reason
        told = f"{number // 2 + 1}{'...' if defence else '.'} {step.player}"
        told += f" plays {step.move}{': ' + reason if reason else ''}"
        out.print(told)
    out.print()
    out.print(screen.scene(found.end.scene), soft_wrap=True)
    out.print()
    out.print(_verdict(found), style="bold")


def _verdict(found: advisor.Replayed) -> str:
    book = f"(book: {found.puzzle.win_in})"
    if found.moves_used is None:
        return f"not solved: no win {book}"
    moves = f"{found.moves_used} move{'s' if found.moves_used > 1 else ''}"
    return f"{'solved' if found.solved else 'not solved: won'} in {moves} {book}"


def _print_book(out: Console, verdicts: list[dict[str, Any]], seconds: float) -> None:
    chapters = sorted({verdict["id"].rpartition("/")[0] for verdict in verdicts})
    rows = []
    for chapter in chapters:
        group = [v for v in verdicts if v["id"].rpartition("/")[0] == chapter]
        missed = [v["id"].rpartition("/")[2] for v in group if not v["solved"]]
        rows.append(
            (
                chapter,
                str(len(group)),
                str(len(group) - len(missed)),
                f"{sum(v['seconds'] for v in group):.2f}",
                ", ".join(missed) or "none",
            )
        )
    names = ("chapter", "puzzles", "solved", "seconds", "missed")
    out.print(screen.table(names, rows, left=("chapter", "missed")))
    out.print()
    solved = sum(verdict["solved"] for verdict in verdicts)
    out.print(f"{solved} of {len(verdicts)} solved in {seconds:.1f} s", style="bold")


def _title(count: int, win_in: int) -> str:
    moves = f"{win_in} move{'s' if win_in > 1 else ''}"
    return f"{count} puzzles: win in {moves}"


def _exercise(file: str) -> Exercise:
    """A puzzle as the sheet shows it."""
    posed = advisor.puzzle(file)
    words = posed.difficulty.words if posed.difficulty else ""
    position = posed.position
    return Exercise(position.scene.svg() or position.rows, posed.task, words, posed.solved_by)
