"""`advisor puzzle` and `advisor puzzles`: puzzles replayed, and new ones made."""

from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import amount
from advisor.views.sheet import Exercise, html
from aspcircuits.stopping import interruptible
from aspcircuits.texts import file_name


@command("puzzle", "advisor puzzle chapter2/28")
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
    screen.answer(
        output.json, found.to_json, lambda out: _print_replay(out, found), yes=found.solved
    )


@command("puzzles replay", "advisor puzzles replay chapter1")
def book(
    *,
    place: Annotated[
        str | None,
        typer.Argument(metavar="BOOK|FOLDER", show_default="the 120 problems of the book"),
    ] = None,
    chapter: int | None = None,
    extra: bool = False,
    all_defences: bool = False,
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
        all_defences: Against every defence, not only the longest.
    """
    limit = look.limit
    replayed = advisor.Book(
        place,
        game=game,
        chapter=chapter,
        extra=extra,
        every_defence=all_defences,
        weights=weights,
        depth=limit.depth,
        seconds=limit.seconds,
        sharing=sharing.chosen,
    )
    started = monotonic()
    cut_short = screen.finish(replayed, replayed.total, "puzzles")
    verdicts, seconds = replayed.verdicts, monotonic() - started
    solved = sum(verdict["solved"] for verdict in verdicts)
    told = {"total": len(verdicts), "solved": solved, "seconds": round(seconds, 3)}
    screen.answer(
        output.json,
        lambda: {**told, "puzzles": verdicts},
        lambda out: _print_book(out, verdicts, seconds),
        cut_short,
        yes=solved == len(verdicts),
    )


@command("puzzles make", "advisor puzzles make --win-in 3 --count 2 -o mine")
def make(
    *,
    win_in: Annotated[int, typer.Option(min=1, max=20, metavar="N")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER")],
    count: Annotated[int, typer.Option(min=1, max=100_000)] = 10,
    variant: options.Variant,
    seed: options.Seed = 1,
    many: bool = False,
    resume: bool = False,
    sheet: Annotated[Path | None, typer.Option("--html", metavar="FILE")] = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    output: options.Output,
) -> None:
    """Make puzzles: wins in an exact number of moves, proved twice.

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
    cut_short = screen.finish(posing, count, "puzzles", hear=posing.hear)
    files = posing.files
    made = amount(len(files), "puzzle")
    if sheet is not None:
        title = f"{made}: win in {amount(win_in, 'move')}"
        outfile.write(sheet, html(title, [*map(_exercise, files)]).encode())
    screen.answer(
        output.json,
        lambda: {"made": len(files), "files": [*map(str, files)]},
        lambda out: out.print(f"{made} in {file_name(folder)}", soft_wrap=True),
        cut_short,
    )


def _print_replay(out: screen.Out, found: "advisor.Replayed") -> None:
    out.paragraph(f"{found.puzzle.id}: {found.puzzle.task}")
    for number, step in enumerate(found.steps):
        out.paragraph(screen.scene(step.position.scene, pointed=(step.name,)), soft_wrap=True)
        defence = step.reason is None
        reason = "the longest defence" if defence else step.reason
        told = f"{number // 2 + 1}{'...' if defence else '.'} {step.player}"
        out.paragraph(f"{told} plays {step.move}{': ' + reason if reason else ''}")
    out.paragraph(screen.scene(found.end.scene), soft_wrap=True)
    verdict = "solved" if found.solved else "not solved"
    if found.moves_used is None:
        verdict += ": no win"
    else:
        verdict += f"{'' if found.solved else ': won'} in {amount(found.moves_used, 'move')}"
    out.print(f"{verdict} (book: {found.puzzle.win_in})", style="bold")


def _print_book(out: screen.Out, verdicts: list[dict[str, Any]], seconds: float) -> None:
    chapters: dict[str, list[dict[str, Any]]] = {}
    for verdict in verdicts:
        chapters.setdefault(verdict["id"].rpartition("/")[0], []).append(verdict)
    rows = []
    for chapter, group in sorted(chapters.items()):
        missed = [each["id"].rpartition("/")[2] for each in group if not each["solved"]]
        spent = f"{sum(each['seconds'] for each in group):.2f}"
        counts = len(group), len(group) - len(missed)
        rows.append((chapter, *counts, spent, ", ".join(missed) or "none"))
    names = ("chapter", "puzzles", "solved", "seconds", "missed")
    out.paragraph(screen.table(names, rows, left=("chapter", "missed")))
    solved = sum(verdict["solved"] for verdict in verdicts)
    out.print(f"{solved} of {len(verdicts)} solved in {seconds:.1f} s", style="bold")


def _exercise(file: Path) -> Exercise:
    """Return a puzzle as the sheet shows it."""
    posed = advisor.puzzle(str(file))
    words = posed.difficulty.words if posed.difficulty else ""
    picture = posed.position.scene.svg() or posed.position.rows
    return Exercise(picture, posed.task, words, posed.solved_by)
