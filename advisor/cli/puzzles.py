"""`advisor puzzle` and `advisor puzzles`: the puzzle book, replayed."""

from collections.abc import Hashable
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from advisor.advice import any_game, explain
from advisor.advice.advice import Advice
from advisor.asp.clingo_api import Term
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.cli.puzzles_make import make
from advisor.errors import InputError, InterruptedWorkError
from advisor.files.textfile import file_name
from advisor.games import knowledge, puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.lab.batch import run
from advisor.lab.replay import Verdict, begin, enough, longest_defence, player, replay
from advisor.limits import interruptible
from advisor.settings import config, reading


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command(epilog=example("advisor puzzle chapter3/30"))(puzzle)
    puzzles_app = typer.Typer(
        help="Replay the puzzle book, or make puzzles. Without a command it replays.",
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
    posed = puzzles.load(puzzle, game)
    begun, usual = begin(posed, weights, limit)
    limit = enough(limit, posed, begun, usual)
    advices: dict[Hashable, Advice] = {}

    with interruptible() as stop:

        def attack(game: Abilities) -> Term:
            advice = any_game.advise(game, limit, 1, stop)
            stop.check()  # a verdict on half a look-ahead would be none
            advices[game.key] = advice
            return advice.chosen[0]

        verdict = replay(posed, begun, attack, longest_defence(posed, stop))
    if json:
        screen.print_json(verdict.to_json())
    else:
        _print_replay(screen.console(no_color), verdict, advices)
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
    settings = reading.load(weights) if game is None else knowledge.settings(game, weights)
    work = player(weights, limit, all_replies, game)
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
    if place is None:
        return [each.id for each in puzzles.book(chapter, extra, game)], game
    if chapter is not None or extra:
        raise InputError("--chapter and --extra are for the book alone, not for a folder")
    posed = puzzles.listed(place, game)
    found = puzzles.load(posed[0], game).game
    if game not in (None, found):
        raise InputError(f"{file_name(place)}: puzzles of {found}, but --game {game}")
    return posed, None if found == rooms.USUAL else found


def _print_replay(out: Console, verdict: Verdict, advices: dict[Hashable, Advice]) -> None:
    posed, game = verdict.puzzle, verdict.begun
    attacker = game.phrasing.named(game.phrasing.turn)
    out.print(f"{posed.id}: {attacker} to move and win in {posed.win_in}", markup=False)
    for number, move in enumerate(verdict.line):
        say = game.phrasing
        out.print()
        out.print(screen.scene(game.scene(), pointed=(move,)), soft_wrap=True)
        out.print()
        advice = advices.get(game.key)
        reason = explain.main_reason(advice, move) if advice else "the longest defence"
        told = f"{number // 2 + 1}{'.' if advice else '...'} {say.called(say.turn)}"
        told += f" plays {say.moves([move])}{': ' + reason if reason else ''}"
        out.print(told, markup=False)
        game = game.after(move)
    out.print()
    out.print(screen.scene(game.scene()), soft_wrap=True)
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
