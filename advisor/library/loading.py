"""Loads games and reads positions: from texts, files, or whatever a user types."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from advisor import registry
from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games import position_file, puzzles, rooms, rules
from advisor.games.game import Game, Position
from advisor.library import arguments
from advisor.settings.config import DEFAULT, Config
from advisor.settings.writing import Weights
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text


def game_names() -> list[str]:
    """List the games that come with the advisor, and the games of plugins.

    >>> "hex" in advisor.game_names()
    True
    """
    return sorted({*rules.games(), *(name for each in registry.plugins() for name in each.games)})


def load_game(
    game: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | Weights | None = DEFAULT,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> Game:
    """Load a game, ready to be played.

    >>> hex = advisor.load_game("hex", constants={"size": 3})
    >>> len(hex.position().moves)
    9
    >>> advisor.load_game("connect4", constants={"width": 5}).position("44").size
    (5, 6)

    Args:
        game: the name of one that comes with the advisor (``breakthrough``, ``chess``,
            ``connect4``, ``gomoku``, ``hex``, ``morris``, ``reversi``, ``tictactoe``), or a folder
            with a ``rules.lp``.
        weights: a weights file, one of the game's presets, or a result of `load_weights`; by
            default its own weights. None for its rules alone, which load faster.
        constants: values for the constants that the rules leave open.
        stop: ends long work when set.

    Raises:
        InputError: there is no such game, or it has no such constant.
        ConfigError: weights that do not fit.
        EncodingError: the rules do not make a game that can be played.
        KeyboardInterrupt: `stop` was set.
    """
    weighed: str | Config | None = weights.settings if isinstance(weights, Weights) else None
    if weighed is None and weights is not None:
        weighed = arguments.path("weights", weights)
    given = arguments.path("game", game)
    heard = stop and arguments.stop(stop)
    return rooms.load(given, weighed, arguments.constants(constants), heard)


_PUZZLE = re.compile(r"[a-z]{4,}\d*/\d+")
"""Texts that can only be the id of a puzzle, whether there is one or not."""


def position(
    text: str | Path | Sequence[Any] = "",
    *,
    size: tuple[int, int] | None = None,
    connect: int | None = None,
    game: str | os.PathLike[str] | Game | None = None,
    constants: Mapping[str, int] | None = None,
) -> Position:
    """Return a position, of Connect Four unless a game is named.

    >>> advisor.position("4453").play(4).turn
    'o'
    >>> advisor.position([4, 4, 5, 3]) == advisor.position("4453")
    True
    >>> advisor.position(". . . / . o . / x x o", size=(3, 3), connect=3).moves
    (1, 2, 3)
    >>> advisor.position("b2 a1", game="tictactoe").turn
    'x'
    >>> advisor.position("4444444")
    Traceback (most recent call last):
    aspcircuits.errors.InputError: '4444444': move 7: column 4 is full (6 discs)

    Args:
        text: the columns played (``"4453"``, with commas on boards wider than 9), a picture whose
            rows are lines or have ``/`` between them, top row first, the text of a board file
            (YAML) or facts such as ``cell(1,1,4).``; of another game the moves so far, in chess
            also a FEN or PGN. A `pathlib.Path` is a file with a board, of any game; with `game` one
            that holds such a text. The moves from the start may also be a list, as `played` gives
            them.
        size: columns and rows of a board that does not give its own, each 1 to 40: short for the
            constants ``width`` and ``height``.
        connect: number of discs in line that wins, likewise.
        game: the name of a game, its folder, or a result of `load_game`.
        constants: values for the constants that the rules leave open, such as ``{"size": 5}``.

    Raises:
        InputError: the text is no position, or there is no such game; the error says where and what
            is allowed.
        EncodingError: the game cannot be played by its rules.
    """
    if not isinstance(text, str | Path | Sequence | np.ndarray):
        raise InputError(f"a position is a text, a list of moves or a pathlib.Path, not {text!r}")
    wanted = {**arguments.board(size, connect), **arguments.constants(constants)}
    if isinstance(text, Path):
        if not text.is_file():
            textfile.read_text(text)  # says what is wrong with it
        return read(str(text), game, wanted)[1]
    loaded = _load_game(game, wanted)
    return loaded.position(text) if isinstance(text, str) else loaded.position().play(*text)


def read(
    source: str,
    game: str | os.PathLike[str] | Game | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str | None = DEFAULT,
) -> tuple[str, Position]:
    """Read whatever a user may type for a position; return its name and the position (internal).

    The source is a file, which may name its game, ``-`` for standard input, the id of a puzzle, or
    a text. By default the game is the usual one; with ``weights=None`` only its rules are loaded.

    Raises:
        InputError: it is no position, or a file names another game.
    """
    loaded, found = _find_game(source, game, constants, weights)
    return found or loaded.read(source)


def read_games(
    source: str,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str | None = DEFAULT,
) -> tuple[Game, Iterator[tuple[str, Position | InputError]]]:
    """Read games like `read`; a text may hold several (internal).

    Yields an error in place of each game that cannot be read. A folder stands for its files,
    without hidden ones.
    """
    if os.path.isdir(source):
        files = sorted(os.listdir(source), key=textfile.in_order)
        paths = [os.path.join(source, file) for file in files if not file.startswith(".")]
        loaded = _load_game(game, constants, weights)
        return loaded, _of_files([path for path in paths if os.path.isfile(path)], loaded)
    loaded, found = _find_game(source, game, constants, weights)
    return loaded, iter([found]) if found else loaded.games(source)


def _of_files(paths: list[str], loaded: Game) -> Iterator[tuple[str, Position | InputError]]:
    """Yield the games of several files, all of one game."""
    for path in paths:
        try:
            given = position_file.read(path, rooms.USUAL)
            if given is not None and given.game != loaded.name:
                whose = f"game: {quote_text(given.game)}, where games of {loaded.name} are read"
                raise InputError(f"{given.name}: {whose}")
            if given is None:
                yield from loaded.games(path)
            else:
                with at(given.name):
                    yield given.name, loaded.begin(given.position)
        except InputError as error:
            yield path, error


def _find_game(
    source: str,
    game: str | os.PathLike[str] | Game | None,
    constants: Mapping[str, int] | None,
    weights: str | None,
) -> tuple[Game, tuple[str, Position] | None]:
    """Return the game that a file or a puzzle names, with its position; or the requested game."""
    given = position_file.read(source, rooms.USUAL) or _find_puzzle(source, game)
    if given is None:
        return _load_game(game, constants, weights), None
    if isinstance(game, str) and not rules.same(game, given.game):
        raise InputError(
            f"{given.name}: game: {quote_text(given.game)}, but `game` {game} (leave one out)"
        )
    wanted = {**given.constants, **(constants or {})}
    with at(given.name):
        loaded = _load_game(given.game if game is None else game, wanted, weights)
        return loaded, (given.name, loaded.begin(given.position))


def _find_puzzle(
    source: str, game: str | os.PathLike[str] | Game | None
) -> position_file.Given | None:
    """Return a puzzle that comes with a game, by its id; a file of that name takes precedence."""
    whose = game if isinstance(game, str) else None
    part = source.rpartition("/")[0]
    if not part or os.path.exists(source):
        return None
    known = any(each.startswith(f"{part}/") for each in puzzles.ids(whose))
    if not known and not (_PUZZLE.fullmatch(source) and puzzles.ids(whose)):
        return None
    return replace(puzzles.load(source, whose), name=source)


def is_hidden(game: str) -> bool:
    """Return whether an advisor's game hides a folder here with rules and its name (internal)."""
    found = game in rules.games() and (Path(game) / rules.RULES).is_file()
    return found and not rules.same(game, f"./{game}")


def _load_game(
    game: str | os.PathLike[str] | Game | None,
    constants: Mapping[str, int] | None,
    weights: str | None = DEFAULT,
) -> Game:
    if not isinstance(game, Game):
        named = rooms.USUAL if game is None else arguments.path("game", game)
        return rooms.load(named, weights, constants)
    if constants:
        raise InputError(f"constants: {game.name} is loaded already (load_game takes them)")
    return game
