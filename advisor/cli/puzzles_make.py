"""`advisor puzzles make`: new puzzles, and a sheet of them to print."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from advisor.cli import boards, options, screen
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.games import puzzles as game_puzzles
from advisor.games.circuits import Circuits
from advisor.games.connect4 import drawing, puzzles
from advisor.games.difficulty import MAX_SEED, Difficulty
from advisor.games.players import named
from advisor.games.playing import Playing
from advisor.games.rules import read
from advisor.lab.batch import Work
from advisor.lab.posing import any_game, connect4
from advisor.lab.posing.make import Wanted, check_new, prepare
from advisor.lab.posing.make import make as made_by
from advisor.settings import reading
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
            raise InputError(f"{file_name(sheet)}: is there already (choose another file)")
    wanted = Wanted(win_in, seed, many)
    check_new(folder, resume)
    work, known, told = _source(game, const, size, connect, wanted)
    workers = options.chosen_workers(jobs, dask)
    journal = prepare(folder, {"command": "puzzles make", **told, "many": many})
    files: list[Path] = []
    with screen.progress(no_color) as progress, screen.kept_if_interrupted(files):
        for file in progress.track(
            made_by(work, count, known, workers, journal, folder),
            total=count,
            description="puzzles",
        ):
            files.append(file)
    if sheet is not None:
        exercises = [_exercise(str(file), game) for file in files]
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


def _source(
    game: str | None, const: list[str] | None, size: str | None, connect: int | None, wanted: Wanted
) -> tuple[Work[list[dict[str, str]]], set[str], dict[str, Any]]:
    """What looks for puzzles, which are there already, and what tells this run from others.

    What the same seed made before is not there already: it is made again.
    """
    about = {"win_in": wanted.win_in, "seed": wanted.seed}
    if game is None:
        if const:
            raise InputError("--const is for --game (Connect Four has --size and --connect)")
        board = boards.chosen_size(size, connect)
        if 2 * wanted.win_in - 1 > board.squares:
            raise InputError(f"--win-in: {wanted.win_in} moves do not fit on this board")
        known = {
            connect4.key(posed.position)
            for posed in map(puzzles.load, [*puzzles.ids(), *puzzles.second_book()])
            if posed.seed != wanted.seed
        }
        return connect4.maker(reading.load(), board, wanted), known, {**about, **board.constants}
    if size is not None or connect is not None:
        raise InputError("--size and --connect are for Connect Four alone (see --const)")
    constants = options.chosen_constants(const)
    work = any_game.maker(game, constants, wanted)
    known = set()
    if game in game_puzzles.games():
        rules = Circuits(read(game))
        known = {
            any_game.key(Playing.of(rules, posed.text))
            for posed in game_puzzles.book(game).values()
            if posed.seed != wanted.seed
        }
    return work, known, {**about, "game": game, "const": constants}


def _title(count: int, win_in: int) -> str:
    moves = f"{win_in} move{'s' if win_in > 1 else ''}"
    return f"{count} puzzles: win in {moves}"


def _exercise(file: str, game: str | None) -> Exercise:
    """A puzzle as the sheet shows it."""
    picture: str | list[str]
    if game is None:
        posed = puzzles.load(file)
        picture = drawing.svg(posed.position)
        player, columns = named(posed.position.turn), [f"column {c}" for c in posed.solution]
        return Exercise(
            picture, _task(player, posed.win_in), _words(posed.difficulty), " or ".join(columns)
        )
    other = game_puzzles.load(game, file)
    state = Playing.of(_rules(other.game, tuple(other.constants.items())), other.text)
    try:
        picture = state.notation.drawing(state)
    except InputError:  # it has no picture
        picture = state.notation.board(state)
    solution = " or ".join(other.solution)
    return Exercise(picture, _task(state.player, other.win_in), _words(other.difficulty), solution)


@cache
def _rules(game: str, constants: tuple[tuple[str, int], ...]) -> Circuits:
    return Circuits(read(game, constants=dict(constants)))


def _task(player: str, win_in: int) -> str:
    return f"{player} to move and win in {win_in}"


def _words(difficulty: Difficulty | None) -> str:
    return difficulty.words if difficulty else ""
