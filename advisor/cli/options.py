"""Arguments and options that several commands share."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

import advisor
from advisor import extras
from advisor.errors import InputError, at
from advisor.files.textfile import quoted
from advisor.library.arguments import MARKS, player
from advisor.library.loading import read, read_games
from advisor.limits import LEVELS, MAX_DEPTH, MAX_JOBS, Limit

Number = TypeVar("Number", int, float)


def within(low: Number, high: Number) -> Callable[[Number | None], Number | None]:
    """Checks an option's number; typer's own check does not say what it found."""

    def check(value: Number | None) -> Number | None:
        if value is not None and not low <= value <= high:
            raise typer.BadParameter(f"{value} is not from {low} to {high}")
        return value

    return check


_MAX_SIDE = 40
"""Columns or rows of a board."""

BOARD_HELP = (
    "A board or puzzle file (YAML), a puzzle of the book such as chapter3/30, a .lp file of cell/3 "
    "facts, a move string such as 4453, a one-line picture with / between rows, or - for standard "
    "input."
)
BoardArgument = Annotated[
    list[str], typer.Argument(metavar="BOARD", help=BOARD_HELP, show_default=False)
]
"""Words that `joined` makes a board of, since 4 4 5 3 may come without quotes."""

OptionalBoard = Annotated[
    list[str] | None,
    typer.Argument(metavar="BOARD", help=BOARD_HELP, show_default="the empty board"),
]
Weights = Annotated[
    str, typer.Option(metavar="FILE", help="A weights file (YAML) or the name of a preset.")
]
Depth = Annotated[
    int | None,
    typer.Option(
        callback=within(0, MAX_DEPTH),
        help="Plies to look ahead; 0 asks for the answer set of the position alone.",
        show_default="the weights file's",
    ),
]
Level = Annotated[
    int | None,
    typer.Option(
        callback=within(LEVELS[0], LEVELS[-1]),
        help="Look as many plies ahead as the opponent of this level in play, 1 to 20; what is "
        "known for certain counts at any level.",
        show_default=False,
    ),
]
Size = Annotated[
    str | None,
    typer.Option(
        metavar="WxH",
        help="Width and height of the board, unless it is a YAML file.",
        show_default="7x6",
    ),
]
Connect = Annotated[
    int | None,
    typer.Option(
        callback=within(1, 1000),
        help="How many discs in line win, unless the board is a YAML file.",
        show_default="4",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        callback=within(0.001, 86400),
        metavar="SECONDS",
        help="Look ahead as deep as this time allows.",
        show_default=False,
    ),
]
ProofSeconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        callback=within(0.001, 86400),
        metavar="SECONDS",
        help="Stop after this time and print what is proved.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int, typer.Option(callback=within(1, MAX_JOBS), help="Processes that share the work.")
]
Threads = Annotated[
    int,
    typer.Option(
        "--jobs",
        callback=within(1, MAX_JOBS),
        help="Threads that share the work, where there is machine code; the answer is the same.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Let the Dask cluster with this scheduler do the work, as tcp://host:8786.",
        show_default=False,
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="OUTPUT",
        help="Record every finished result in this file; results in it are not computed again.",
        show_default=False,
    ),
]
Exactly = Annotated[bool, typer.Option("--exact", help="Also find every move's exact outcome.")]
Seed = Annotated[
    int, typer.Option(help="Seed of all random choices; the same seed gives the same result.")
]
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The name of a game that comes with the advisor, or a folder with a rules.lp.",
        show_default=False,
    ),
]
OtherGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME|FOLDER",
        help="Another game, by its name or a folder with a rules.lp; the board is then the moves "
        "so far, as 'b2 a1', for chess also a FEN or PGN, or a file with such a text.",
        show_default="Connect Four",
    ),
]
OtherRules = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME|FOLDER",
        help="Another game, by its name or a folder with a rules.lp.",
        show_default="Connect Four",
    ),
]
PuzzleGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME",
        help="The puzzles of another game, as chess, named as mate2/17.",
        show_default="Connect Four",
    ),
]
LearningGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME|FOLDER",
        help="Learn the weights of this game, by its name or a folder with a rules.lp.",
        show_default="Connect Four",
    ),
]
Constants = Annotated[
    list[str] | None,
    typer.Option(
        "--const",
        metavar="NAME=N",
        help="The value of a #const of the game's rules, as size=5; may be given several times.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="Print without colours.")]

EXACT_SECONDS = 30.0
"""To search to the end of the game where no time is given."""

_SLOW_DEPTH = 14
"""Plies from which on a look-ahead early in a game may take minutes."""

DEFAULT_WEIGHTS = "default"


Book = Annotated[
    bool | None,
    typer.Option(
        "--book/--no-book",
        help="Use the opening book and the solution of the board, or neither.",
        show_default="the weights file's; off with your own weights",
    ),
]


def chosen_player(option: str, name: str | None) -> str | None:
    """The mark of the player that an option names; None for none.

    Raises:
        InputError: there is no such player.
    """
    with at(option):
        return None if name is None else MARKS[player(name)]


def chosen_limit(depth: int | None, level: int | None, seconds: float | None) -> Limit:
    """The limit that ``--depth`` or ``--level`` and ``--time`` ask for.

    Raises:
        InputError: both a depth and a level.
    """
    if level is not None and depth is not None:
        raise InputError("--level stands for a depth: give --level or --depth, not both")
    return Limit(depth if level is None else level, seconds)


def chosen_constants(
    const: list[str] | None, size: str | None = None, connect: int | None = None
) -> dict[str, int]:
    """The ``#const`` values that ``--const`` asks for, and ``--size`` and ``--connect`` for short.

    Raises:
        InputError: one is not like size=5; the size is not like 10x8, or a side is too long.
    """
    found = {} if connect is None else {"connect": connect}
    if size is not None:
        found |= zip(("width", "height"), chosen_size(size), strict=True)
    for text in const or ():
        pair = re.fullmatch(r"([a-z]\w*)=(\d{1,6})", text, re.ASCII)
        if not pair:
            raise InputError(
                f"--const: expected NAME=NUMBER such as size=5, not {quoted(text)} "
                "(numbers from 0 to 999999)"
            )
        found[pair[1]] = int(pair[2])
    return found


def chosen_size(size: str) -> tuple[int, int]:
    """Columns and rows.

    Raises:
        InputError: the size is not like 10x8, or a side is too long.
    """
    sides = re.fullmatch(r"(\d{1,3})x(\d{1,3})", size, re.ASCII)
    if not sides or not all(1 <= int(side) <= _MAX_SIDE for side in sides.groups()):
        allowed = f"use WIDTHxHEIGHT such as 10x8, each side 1 to {_MAX_SIDE}"
        raise InputError(f"--size: {quoted(size)} is not a size of a board ({allowed})")
    return int(sides[1]), int(sides[2])


def chosen_position(
    board: Sequence[str] | None,
    game: str | None,
    const: list[str] | None,
    size: str | None = None,
    connect: int | None = None,
    weights: str | None = DEFAULT_WEIGHTS,
) -> tuple[str, advisor.Position]:
    """The position that somebody names, of any game, and what it is called.

    Args:
        board: its words.
        game, const, size, connect: what the options say.
        weights: of the game; None for what does without.

    Raises:
        InputError: there is no such position, game or constant.
        ConfigError, EncodingError: weights or rules that cannot be used.
    """
    found = read(joined(board), game, chosen_constants(const, size, connect), weights)
    _note_weights(found[1].game)
    return found


def chosen_games(
    board: Sequence[str],
    game: str | None,
    const: list[str] | None,
    size: str | None,
    connect: int | None,
    weights: str,
) -> list[tuple[str, advisor.Position]]:
    """The same for games; a text may hold several."""
    found = read_games(joined(board), game, chosen_constants(const, size, connect), weights)
    _note_weights(found[0][1].game)
    return found


def _note_weights(game: advisor.Game) -> None:
    """Says so where those that were asked for are for another size."""
    if game.instead:
        note = f"weights of {game.weights.name}, since {game.instead} is for one size"
        print(f"note: {note}", file=sys.stderr)


def joined(board: Sequence[str] | None) -> str:
    """The words of a board as one text; the empty board is none."""
    return " ".join(board or ())


def note_threads(jobs: int, alone: str | None = None) -> None:
    """Says so where ``--jobs`` asks for several threads and there can be but one.

    Args:
        alone: who answers in one thread, by name.
    """
    if jobs > 1 and alone:
        print(f"note: --jobs {jobs}: {alone} is one thread", file=sys.stderr)
    elif jobs > 1 and not advisor.fast():
        how = extras.install("fast")
        print(f"note: --jobs {jobs}: one thread without machine code ({how})", file=sys.stderr)


def note_depth(limit: Limit) -> None:
    """Says so where a look-ahead may take very long, and nothing shows how far it is."""
    if limit.depth is not None and limit.depth > _SLOW_DEPTH and limit.seconds is None:
        print(
            f"note: looking {limit.depth} plies ahead, for as long as it takes (--time SECONDS "
            "limits it; Ctrl-C ends it with what is known by then)",
            file=sys.stderr,
            flush=True,
        )
