"""`advisor puzzles make`: new puzzles, and a sheet of them to print."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import boards, options, screen
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.games import puzzles
from advisor.games.difficulty import MAX_SEED, Difficulty
from advisor.lab.posing.make import Wanted, check_new, prepare
from advisor.lab.posing.make import make as made_by
from advisor.lab.posing.pose import known, maker
from advisor.lab.replay import begin
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
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"--seed: {seed} is not from 0 to {MAX_SEED}")
    if sheet is not None:
        outfile.check_writable(sheet)
        if sheet.exists():
            raise InputError(f"{file_name(sheet)}: exists already (choose another file)")
    wanted = Wanted(win_in, seed, many)
    check_new(folder, resume)
    constants = _constants(game, const, size, connect)
    work = maker(game, constants, wanted)
    told = {"win_in": win_in, "seed": seed, "game": game, "const": constants}
    workers = options.chosen_workers(jobs, dask)
    journal = prepare(folder, {"command": "puzzles make", **told, "many": many})
    files: list[Path] = []
    with screen.progress(no_color) as progress, screen.kept_if_interrupted(files):
        for file in progress.track(
            made_by(work, count, known(game, seed), workers, journal, folder),
            total=count,
            description="puzzles",
        ):
            files.append(file)
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


def _constants(
    game: str | None, const: list[str] | None, size: str | None, connect: int | None
) -> Mapping[str, int]:
    """The numbers that the rules leave open."""
    if game is None:
        if const:
            raise InputError("--const is for --game (Connect Four has --size and --connect)")
        return boards.chosen_size(size, connect).constants
    if size is not None or connect is not None:
        raise InputError("--size and --connect are for Connect Four alone (see --const)")
    return options.chosen_constants(const)


def _title(count: int, win_in: int) -> str:
    moves = f"{win_in} move{'s' if win_in > 1 else ''}"
    return f"{count} puzzles: win in {moves}"


def _exercise(file: str) -> Exercise:
    """A puzzle as the sheet shows it."""
    posed = puzzles.load(file)
    begun, _ = begin(posed)
    scene, say = begun.scene(), begun.phrasing
    task = f"{say.named(say.turn)} to move and win in {posed.win_in}"
    solution = " or ".join(say.moves([begun.find(str(move))]) for move in posed.solution)
    return Exercise(scene.svg() or [*scene.text()], task, _words(posed.difficulty), solution)


def _words(difficulty: Difficulty | None) -> str:
    return difficulty.words if difficulty else ""
