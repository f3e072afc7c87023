"""`advisor puzzle` and `advisor puzzles`: the puzzle book, replayed."""

from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from advisor.advice import explain
from advisor.advice.advice import Advice
from advisor.advice.advise import Advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.cli.puzzles_make import make
from advisor.errors import InputError, InterruptedWorkError
from advisor.files.textfile import file_name
from advisor.games import knowledge
from advisor.games import puzzles as game_puzzles
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position
from advisor.games.connect4.notation import GAME
from advisor.games.players import COLOURS, named
from advisor.lab import game_replay
from advisor.lab.batch import run
from advisor.lab.replay import Verdict, enough, longest_defence, player, replay
from advisor.limits import Limit, interruptible
from advisor.settings import config, reading


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(epilog=example("advisor puzzle chapter3/30"))(puzzle)
    puzzles_app = typer.Typer(
        help="Replay the puzzle book, or make puzzles. Without one of the commands below "
        "it replays.",
        cls=_ReplayUnlessNamed,
    )
    puzzles_app.command("replay", epilog=example("advisor puzzles replay chapter1"))(book)
    puzzles_app.command(
        "make", epilog=example("advisor puzzles make --win-in 3 --count 2 -o mine")
    )(make)
    app.add_typer(puzzles_app, name="puzzles")


class _ReplayUnlessNamed(TyperGroup):
    """`advisor puzzles ...` is `advisor puzzles replay ...` unless another command is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args[:1] != ["--help"] and (not args or args[0] not in self.commands):
            args = ["replay", *args]
        return super().parse_args(ctx, args)


def puzzle(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="A puzzle as chapter5/15, or a puzzle file.")
    ],
    depth: options.Depth = None,
    level: options.Level = None,
    time: options.Seconds = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.PuzzleGame = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Replay a puzzle against the defence that resists longest."""
    limit = options.chosen_limit(depth, level, time)
    game = game or game_puzzles.game_of(puzzle)
    if game is not None:
        _other_game(game, puzzle, limit, weights, json, no_color)
        return
    advisor = Advisor(reading.load(weights))
    posed = puzzles.load(puzzle)
    limit = enough(limit, posed, advisor.config)
    advices: dict[int, Advice] = {}

    with interruptible() as stop:

        def attack(position: Position) -> int:
            advice = advisor.advise(position, limit, stop=stop)
            stop.check()  # a verdict on half a look-ahead would be none
            advices[position.key] = advice
            column: int = advice.best[0]
            return column

        verdict = replay(posed, attack, longest_defence(posed, advisor, stop))
    if json:
        screen.print_json(verdict.to_json())
    else:
        _print_replay(screen.console(no_color), verdict, advices)
    if not verdict.solved:
        raise typer.Exit(1)


def _other_game(
    game: str, puzzle: str, limit: Limit, weights: str, json: bool, no_color: bool
) -> None:
    """Replays a puzzle of a game that is given by its rules."""
    posed = game_puzzles.load(game, puzzle)
    circuits = game_replay.loaded(game, weights, limit, tuple(posed.constants.items()))
    with interruptible() as stop:
        verdict, begun = game_replay.solve(circuits, posed, limit, False, stop)
    if json:
        screen.print_json(verdict.to_json())
    else:
        out = screen.console(no_color)
        out.print(f"{posed.id}: {begun.player} to move and win in {posed.win_in}", markup=False)
        out.print()
        out.print("\n".join(begun.notation.board(begun)), markup=False, soft_wrap=True)
        out.print()
        moves = []
        state = begun
        for code in verdict.line:
            move = state.move(code)
            moves.append(f"{state.player} {state.names[move]}")
            state = state.play(move)
        out.print(", ".join(moves), markup=False)
        out.print(_verdict(verdict), style="bold")
    if not verdict.solved:
        raise typer.Exit(1)


def book(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="BOOK|FOLDER",
            help="A folder of puzzle files, or puzzles that come with the advisor: second (its own "
            "book), a part of it as second/8x7, chapter3.",
            show_default="the 120 problems of the book",
        ),
    ] = None,
    chapter: Annotated[int | None, typer.Option(help="Only this chapter.")] = None,
    extra: Annotated[
        bool, typer.Option("--extra", help="Also the extra problems that are not in the book.")
    ] = False,
    all_replies: Annotated[
        bool,
        typer.Option("--all-defences", help="Against every defence, not only the longest."),
    ] = False,
    depth: options.Depth = None,
    level: options.Level = None,
    time: options.Seconds = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    game: options.PuzzleGame = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    resume: options.Resume = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Replay the puzzle book, a part of it, or a folder of puzzles."""
    limit = options.chosen_limit(depth, level, time)
    posed, game = _replayed(place, chapter, extra, game)
    if game is None:
        settings = reading.load(weights)
        work = player(settings, limit, all_replies)
    else:
        settings = knowledge.settings(game, weights)
        work = game_replay.player(game, weights, limit, all_replies)
    journal = options.chosen_journal(
        resume,
        "puzzles",
        {
            "weights": config.fingerprint(settings),
            "depth": limit.depth,
            "time": limit.seconds,
            "all_defences": all_replies,
            **({} if game is None else {"game": game}),
            **({} if place is None else {"place": place}),
        },
    )
    workers = options.chosen_workers(jobs, dask)
    started = monotonic()
    results = run(work, posed, workers, journal)
    verdicts: list[dict[str, Any]] = []
    with screen.progress(no_color) as progress, screen.kept_if_interrupted(verdicts):
        for verdict in progress.track(results, total=len(posed), description="puzzles"):
            verdicts.append(verdict)
    cut_short = len(verdicts) < len(posed)
    seconds = monotonic() - started
    solved = sum(verdict["solved"] for verdict in verdicts)
    if json:
        screen.print_json(
            {
                "total": len(verdicts),
                "solved": solved,
                "seconds": round(seconds, 3),
                "puzzles": verdicts,
                **screen.interrupted(cut_short),
            }
        )
    else:
        _print_book(screen.console(no_color), verdicts, seconds)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(verdicts)} of {len(posed)} puzzles")
    if solved < len(verdicts):
        raise typer.Exit(1)


def _replayed(
    place: str | None, chapter: int | None, extra: bool, game: str | None
) -> tuple[list[str], str | None]:
    """The puzzles that are meant, by their ids, and the game if it is another than Connect Four."""
    if place is not None:
        if chapter is not None or extra:
            raise InputError("--chapter and --extra are for the book alone, not for a folder")
        posed = puzzles.listed(place)
        found = game_puzzles.game_of(posed[0])
        if game not in (None, found):
            raise InputError(f"{file_name(place)}: puzzles of {found or GAME}, but --game {game}")
        return posed, found
    if game is None:
        return [each.id for each in puzzles.book(chapter, extra)], None
    options.refuse(chapter=chapter, extra=extra)
    return [*game_puzzles.book(game)], game


def _print_replay(out: Console, verdict: Verdict, advices: dict[int, Advice]) -> None:
    posed = verdict.puzzle
    position = posed.position
    attacker = position.turn
    out.print(f"{posed.id}: {named(attacker)} to move and win in {posed.win_in}", markup=False)
    for number, column in enumerate(verdict.line):
        out.print()
        out.print(screen.board(position.rows(), pointed=(column,)), soft_wrap=True)
        out.print()
        advice = advices.get(position.key)
        reason = explain.main_reason(advice, column) if advice else "the longest defence"
        move = f"{number // 2 + 1}{'.' if advice else '...'} {COLOURS[position.turn]}"
        out.print(f"{move} plays column {column}{': ' + reason if reason else ''}", markup=False)
        position = position.after(column)
    out.print()
    out.print(screen.board(position.rows()), soft_wrap=True)
    out.print()
    out.print(_verdict(verdict), style="bold")


def _verdict(verdict: Verdict) -> str:
    book = f"(book: {verdict.puzzle.win_in})"
    if verdict.moves_used is None:
        return f"not solved: no win {book}"
    moves = f"{verdict.moves_used} move{'s' if verdict.moves_used > 1 else ''}"
    return f"{'solved' if verdict.solved else 'not solved: won'} in {moves} {book}"


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
