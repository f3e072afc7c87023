"""`advisor puzzle` and `advisor puzzles`: the puzzle book, replayed."""

from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.cli.puzzles_make import make
from advisor.errors import InterruptedWorkError
from advisor.limits import interruptible


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
    with interruptible() as stop:
        found = advisor.replay(
            puzzle,
            game=game,
            weights=weights,
            depth=limit.depth,
            seconds=limit.seconds,
            stop=stop,
        )
    if json:
        screen.print_json(found.to_json())
    else:
        _print_replay(screen.console(no_color), found)
    if not found.solved:
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
    replayed = advisor.Book(
        place,
        game=game,
        chapter=chapter,
        extra=extra,
        every_defence=all_replies,
        weights=weights,
        depth=limit.depth,
        seconds=limit.seconds,
        sharing=advisor.Sharing(jobs, dask, resume),
    )
    started = monotonic()
    for _ in screen.followed(replayed, replayed.total, "puzzles", no_color):
        pass
    verdicts, seconds = replayed.verdicts, monotonic() - started
    cut_short = len(verdicts) < replayed.total
    solved = sum(verdict["solved"] for verdict in verdicts)
    if json:
        told = {"total": len(verdicts), "solved": solved, "seconds": round(seconds, 3)}
        screen.print_json({**told, "puzzles": verdicts, **screen.interrupted(cut_short)})
    else:
        _print_book(screen.console(no_color), verdicts, seconds)
    if cut_short:
        raise InterruptedWorkError(f"interrupted: {len(verdicts)} of {replayed.total} puzzles")
    if solved < len(verdicts):
        raise typer.Exit(1)


def _print_replay(out: Console, found: advisor.Replayed) -> None:
    out.print(f"{found.puzzle.id}: {found.puzzle.task}", markup=False)
    for number, step in enumerate(found.steps):
        out.print()
        out.print(screen.scene(step.position.scene, pointed=(step.name,)), soft_wrap=True)
        out.print()
        defence = step.reason is None
        reason = "the longest defence" if defence else step.reason
        told = f"{number // 2 + 1}{'...' if defence else '.'} {step.player}"
        told += f" plays {step.move}{': ' + reason if reason else ''}"
        out.print(told, markup=False)
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
