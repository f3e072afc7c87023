"""`advisor puzzles make`: new puzzles, and a sheet of them to print."""

from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.views.sheet import Exercise, html


def make(
    win_in: Annotated[
        int,
        typer.Option(
            min=1, max=20, metavar="N", help="In how many of its own moves the side to move wins."
        ),
    ],
    folder: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="A new folder; each puzzle becomes a file."
        ),
    ],
    count: Annotated[int, typer.Option(min=1, max=100_000, help="How many puzzles.")] = 10,
    size: Annotated[
        str | None,
        typer.Option(metavar="WxH", help="Width and height.", show_default="7x6"),
    ] = None,
    connect: options.Connect = None,
    seed: options.Seed = 1,
    many: Annotated[
        bool, typer.Option("--many", help="Allow several first moves that win as fast.")
    ] = False,
    game: options.OtherRules = None,
    const: options.Constants = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue in a folder with puzzles of the same command."),
    ] = False,
    sheet: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write a sheet to print."),
    ] = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Make puzzles, wins in exactly so many moves, proved twice.

    They are won against every defence, and not sooner.
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
        game=game,
        constants=options.chosen_constants(const, size, connect),
        seed=seed,
        resume=resume,
        sharing=advisor.Sharing(jobs, dask),
    )
    for _ in screen.followed(posing, count, "puzzles", no_color):
        pass
    files = posing.files
    if sheet is not None:
        exercises = [_exercise(str(file)) for file in files]
        outfile.write(sheet, html(_title(len(files), win_in), exercises).encode())
    cut_short = len(files) < count
    if json:
        made = [str(file) for file in files]
        screen.print_json({"made": len(files), "files": made, **screen.interrupted(cut_short)})
    else:
        screen.console(no_color).print(
            f"{len(files)} puzzles in {file_name(folder)}", markup=False, soft_wrap=True
        )
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(files)} of {count} puzzles")


def _title(count: int, win_in: int) -> str:
    moves = f"{win_in} move{'s' if win_in > 1 else ''}"
    return f"{count} puzzles: win in {moves}"


def _exercise(file: str) -> Exercise:
    """A puzzle as the sheet shows it."""
    posed = advisor.puzzle(file)
    words = posed.difficulty.words if posed.difficulty else ""
    position = posed.position
    return Exercise(position.scene.svg() or position.rows, posed.task, words, posed.solved_by)
