"""Arguments and options that several commands share, and the values that they stand for."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

import advisor
from advisor import extras
from advisor.errors import InputError, at
from advisor.files.resources import ENCODINGS
from advisor.library.arguments import MARKS, player
from advisor.limits import LEVELS, MAX_DEPTH, MAX_JOBS, MAX_SEED, Limit
from aspcircuits.texts import list_names, quote_text

T = TypeVar("T")

_MAX_SIDE = 40
"""Columns or rows of a board."""

DAY = 86400
"""Seconds; no user waits longer."""

_EXACT_SECONDS = 30.0
"""To search to the end of the game where no time is given."""

_SLOW_DEPTH = 14
"""Plies from which on a look-ahead early in a game may take minutes."""

DEFAULT_WEIGHTS = "default"


def option(text: str, *names: str, **more: Any) -> Any:
    """Return an option with its help; its name is that of the parameter, or given as ``--time``."""
    return typer.Option(*names, help=text, **more)


def number(text: str, low: float, high: float, *names: str, **more: Any) -> Any:
    """Return an option for a number in a range; typer's own check does not quote a wrong value."""

    def check(value: float | None) -> float | None:
        if value is not None and not low <= value <= high:
            raise typer.BadParameter(f"{value} is not from {low} to {high}")
        return value

    return option(text, *names, callback=check, **more)


def seconds(text: str, low: float = 0.001, **more: Any) -> Any:
    """Return the option ``--time``."""
    return number(text, low, DAY, "--time", metavar="SECONDS", **more)


_BOARD = (
    "A board or puzzle file (YAML), a puzzle of the book such as chapter2/28, a .lp file of cell/3 "
    "facts, a move string such as 4453, a one-line picture with / between rows, or - for standard "
    "input."
)
_DEPTH = "Plies to look ahead; 0 asks for the answer set of the position alone."
_LEVEL = (
    "Look as many plies ahead as the opponent of this level in play, 1 to 20; what is known for "
    "certain counts at any level."
)
_CONNECT = "How many discs in line win, unless the board is a YAML file."
_JOBS = "Processes that share the work."
_THREADS = "Threads that share the work, where there is machine code; the answer is the same."
_SEED = "Seed of all random choices; equal seeds give equal results."
_DASK = "Let the Dask cluster with this scheduler do the work, as tcp://host:8786."
_RESUME = "Record every finished result in this file; results in it are not computed again."
_GAME = "Another game, by its name or a folder with a rules.lp"
_CONST = "The value of a #const of the game's rules, as size=5; may be given several times."
_BOOK = "Use the opening book and the solution of the board, or neither."
_ENGINE = (
    "Let a program that speaks UCI decide, by the command that starts it; its options follow as "
    "';Threads=2;Hash=64', and nodes=N, depth=N or time=SECONDS bound each of its searches."
)
_OWN = "the weights file's; off with your own weights"


def _note_game(game: str | None) -> str | None:
    """Return a game's name; print a note if a folder of that name may have been meant."""
    if game and Path(game, "rules.lp").is_file() and _is_hidden(game):
        note(f"{game} is the game that comes with the advisor (./{game} is the folder here)")
    return game


def _is_hidden(game: str) -> bool:
    from advisor.library.loading import is_hidden  # not for a shell that completes a command

    return is_hidden(game)


def _complete_game(incomplete: str) -> list[str]:
    """Complete a game's name, for a shell."""
    games = sorted(file.parent.name for file in ENCODINGS.glob("*/rules.lp"))
    return [name for name in games if name.startswith(incomplete)]


def _complete_weights(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete a preset's name for the game of the command line, for a shell."""
    presets = ENCODINGS / (ctx.params.get("game") or "connect4") / "presets"
    names = sorted(file.stem for file in presets.glob("*.yaml"))
    return [name for name in names if name.startswith(incomplete)]


def _game(text: str, metavar: str = "NAME|FOLDER") -> Any:
    more: dict[str, Any] = {"callback": _note_game, "autocompletion": _complete_game}
    return option(text, "--game", metavar=metavar, show_default="Connect Four", **more)


Weights = Annotated[
    str,
    option(
        "A weights file (YAML) or the name of a preset.",
        metavar="FILE",
        autocompletion=_complete_weights,
    ),
]
Depth = Annotated[int | None, number(_DEPTH, 0, MAX_DEPTH, show_default="the weights file's")]
Level = Annotated[int | None, number(_LEVEL, LEVELS[0], LEVELS[-1])]
Seconds = Annotated[float | None, seconds("Look ahead as deep as this time allows.")]
ProofSeconds = Annotated[float | None, seconds("Stop after this time and print what is proved.")]
Size = Annotated[
    str | None,
    option(
        "Width and height of the board, unless it is a YAML file.",
        metavar="WxH",
        show_default="7x6",
    ),
]
Connect = Annotated[int | None, number(_CONNECT, 1, 1000, show_default="4")]
Jobs = Annotated[int, number(_JOBS, 1, MAX_JOBS)]
Threads = Annotated[int, number(_THREADS, 1, MAX_JOBS, "--jobs")]
Dask = Annotated[str | None, option(_DASK, metavar="ADDRESS")]
Resume = Annotated[Path | None, option(_RESUME, metavar="OUTPUT")]
Seed = Annotated[int, number(_SEED, 0, MAX_SEED)]
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        callback=_note_game,
        autocompletion=_complete_game,
        help="The name of a game that comes with the advisor, or a folder with a rules.lp.",
    ),
]
OtherGame = Annotated[
    str | None,
    _game(
        f"{_GAME}; the board is then the moves so far, as 'b2 a1', for chess also a FEN or PGN, or "
        "a file with such a text."
    ),
]
OtherRules = Annotated[str | None, _game(f"{_GAME}.")]
PuzzleGame = Annotated[
    str | None, _game("The puzzles of another game, as chess, named as mate2/17.", "NAME")
]
Constants = Annotated[list[str] | None, option(_CONST, "--const", metavar="NAME=N")]
Engine = Annotated[
    str | None, option(_ENGINE, metavar="COMMAND", show_default="our own look-ahead")
]
Book = Annotated[bool | None, option(_BOOK, "--book/--no-book", show_default=_OWN)]
Json = Annotated[bool, option("Print JSON for other programs.", "--json")]
AllAtoms = Annotated[bool, option("Print everything, however long.", "--all")]


def _go_without_colours(wanted: bool) -> None:
    if wanted:
        os.environ["NO_COLOR"] = "1"  # which counts for all that is printed


NoColor = Annotated[
    bool, option("Print without colours.", "--no-color", callback=_go_without_colours)
]


@dataclass(frozen=True, slots=True)
class Output:
    """Options: how to print an answer."""

    json: Json = False
    no_color: NoColor = False


@dataclass(frozen=True, slots=True)
class LookOptions:
    """Options: how far to look ahead."""

    depth: Depth = None
    level: Level = None
    time: Seconds = None

    @property
    def limit(self) -> Limit:
        """Return these options as a limit; a depth and a level exclude each other."""
        if self.level is not None and self.depth is not None:
            raise InputError("--level stands for a depth: give --level or --depth, not both")
        depth = self.depth if self.level is None else Limit.of_level(self.level).depth
        return Limit(depth, self.time)

    def check_engine(self, engine: str | None) -> None:
        """Refuse a level together with an engine: levels are the advisor's own."""
        if engine is not None and self.level is not None:
            raise InputError("--engine and --level are both given (use one of them)")

    def split_limit(self, exactly: bool) -> tuple[Limit, float | None]:
        """Return the limit, and the seconds for an exact search; each gets half of the time."""
        limit = self.limit
        if not exactly:
            return limit, None
        if limit.seconds is None:
            return limit, _EXACT_SECONDS
        return Limit(limit.depth, limit.seconds / 2), limit.seconds / 2


@dataclass(frozen=True, slots=True)
class RulesOptions:
    """Options: a game, and the numbers that its rules leave open."""

    game: OtherRules = None
    const: Constants = None

    @property
    def constants(self) -> dict[str, int]:
        return constants(self.const)


@dataclass(frozen=True, slots=True)
class Variant(RulesOptions):
    """Options: a game, and the size of its board."""

    game: OtherGame = None
    size: Size = None
    connect: Connect = None

    @property
    def constants(self) -> dict[str, int]:
        return constants(self.const, self.size, self.connect)

    def games(
        self, texts: Sequence[str], weights: str
    ) -> "Iterator[tuple[str, advisor.Position | InputError]]":
        """Yield the games that the user names, see `Where.position`; a text may hold several."""
        from advisor.library.loading import read_games

        game, found = read_games(" ".join(texts), self.game, self.constants, weights)
        _note_weights(game)
        return map(_note_passed_over, found)


@dataclass(frozen=True, slots=True)
class Where(Variant):
    """Options: a position, its game, and its weights."""

    board: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOARD", help=_BOARD, show_default="the empty board"),
    ] = None
    """Its words, since 4 4 5 3 may come without quotes."""

    def position(self, weights: str | None = DEFAULT_WEIGHTS) -> "tuple[str, advisor.Position]":
        """Return the position's title and the position; `weights` None loads no weights."""
        from advisor.library.loading import read

        found = read(" ".join(self.board or ()), self.game, self.constants, weights)
        _note_weights(found[1].game)
        return _note_passed_over(found)


@dataclass(frozen=True, slots=True)
class SharingOptions:
    """Options: processes that share the work, and the journal that keeps the results."""

    jobs: Jobs = 1
    dask: Dask = None
    resume: Resume = None

    @property
    def chosen(self) -> "advisor.Sharing":
        return advisor.Sharing(self.jobs, self.dask, self.resume)


def chosen_player(option: str, name: str | None) -> str | None:
    """Return the mark of the player that an option names; None if it names none."""
    with at(option):
        return None if name is None else MARKS[player(name)]


def constants(
    const: list[str] | None, size: str | None = None, connect: int | None = None
) -> dict[str, int]:
    """Return the ``#const`` values of ``--const``, ``--size`` and ``--connect``."""
    found = {} if connect is None else {"connect": connect}
    if size is not None:
        pair = re.fullmatch(r"(\d{1,3})x(\d{1,3})", size, re.ASCII)
        if not pair or not all(1 <= int(side) <= _MAX_SIDE for side in pair.groups()):
            allowed = f"use WIDTHxHEIGHT such as 10x8, each side 1 to {_MAX_SIDE}"
            raise InputError(f"--size: {quote_text(size)} is not a size of a board ({allowed})")
        found |= {"width": int(pair[1]), "height": int(pair[2])}
    for text in const or ():
        pair = re.fullmatch(r"([a-z]\w*)=(\d{1,6})", text, re.ASCII)
        if not pair:
            raise InputError(
                f"--const: expected NAME=NUMBER such as size=5, not {quote_text(text)} "
                "(numbers from 0 to 999999)"
            )
        found[pair[1]] = int(pair[2])
    return found


def note(text: str, kind: str = "note") -> None:
    """Print a line beside the answer."""
    print(f"{kind}: {text}", file=sys.stderr, flush=True)


def _note_weights(game: "advisor.Game") -> None:
    """Print a note if the weights named are for another board size, so others are used."""
    if game.instead:
        note(f"weights of {game.weights.name}, since {game.instead} is for one size")


def _note_passed_over(found: tuple[str, T]) -> tuple[str, T]:
    """Print which parts of a text were not understood; return what was found, with its title."""
    title, position = found
    if isinstance(position, advisor.Position) and position.passed_over:
        note(f"{title}: passed over {list_names(position.passed_over)}")
    return found


def note_threads(jobs: int, alone: str | None = None) -> None:
    """Print a note if ``--jobs`` sets several threads, but `alone` or NumPy uses only one."""
    if jobs > 1 and alone:
        note(f"--jobs {jobs}: {alone} is one thread")
    elif jobs > 1 and not advisor.fast():
        note(f"--jobs {jobs}: one thread without machine code ({extras.install('fast')})")


def note_depth(limit: Limit) -> None:
    """Print a note if a look-ahead may take very long and no progress is shown."""
    if limit.depth is not None and limit.depth > _SLOW_DEPTH and limit.seconds is None:
        note(
            f"looking {limit.depth} plies ahead, for as long as it takes (--time SECONDS limits "
            "it; Ctrl-C ends it with what is known by then)"
        )
