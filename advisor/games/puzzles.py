"""Puzzles of a game that is given by its rules: positions in which the side to move wins.

Each is a file of its own, those that come with a game in ``puzzles/<game>/<chapter>/``::

    game: chess
    position: 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1
    win_in: 1
    solution: [Re8#]
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from advisor.asp.clingo_api import Term
from advisor.errors import InputError
from advisor.files.resources import PUZZLES
from advisor.files.textfile import in_order, nearest, quoted
from advisor.games import position_file
from advisor.games.difficulty import Difficulty
from advisor.games.playing import Playing
from advisor.games.rules import games as games_by_rules


@dataclass(frozen=True, slots=True)
class Posed:
    """A puzzle.

    Attributes:
        id: its chapter and its number there, as ``mate2/17``; or the path of its file.
        game: a name or a folder.
        constants: values for ``#const`` statements.
        text: the position.
        win_in: own moves until the win, against the best defence.
        solution: every first move that wins so fast, as people write it.
        difficulty, seed: of a puzzle that was made here; None if the file is silent.
    """

    id: str
    game: str
    text: str
    win_in: int
    solution: tuple[str, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    difficulty: Difficulty | None = None
    seed: int | None = None


def book(game: str) -> dict[str, Posed]:
    """The puzzles that come with a game, by their ids, in the order of their chapters.

    Raises:
        InputError: there are none; a file that is no puzzle.
    """
    files = {f"{file.parent.name}/{file.stem}": file for file in _files(game)}
    if not files:
        raise InputError(f"--game: no puzzles come with {quoted(game)} (use {', '.join(games())})")
    return {name: _read(files[name], name) for name in sorted(files, key=in_order)}


def load(game: str, puzzle_id: str) -> Posed:
    """A puzzle by its id, or by the path of its file.

    Raises:
        InputError: there is none, with the nearest id; a file that is no puzzle.
    """
    if puzzle_id.lower().endswith((".yaml", ".yml")):
        return _read(Path(puzzle_id), puzzle_id)
    files = {f"{file.parent.name}/{file.stem}": file for file in _files(game)}
    if not files:
        book(game)  # says so
    if puzzle_id not in files:
        guess = nearest(puzzle_id, sorted(files, key=in_order))
        raise InputError(f"no puzzle {quoted(puzzle_id)} of {game} (did you mean {guess}?)")
    return _read(files[puzzle_id], puzzle_id)


def game_of(puzzle_id: str) -> str | None:
    """The game that a puzzle's file names, if it is a file and one of this kind.

    Raises:
        InputError: see `advisor.games.position_file.read`.
    """
    given = position_file.read(puzzle_id, _CONNECT4)
    return None if given is None else given.game


def games() -> list[str]:
    """The games with puzzles of this kind."""
    known = {file.parent.parent.name for file in PUZZLES.glob("*/*/*.yaml")}
    return sorted(known - {_BOARDS})


_BOARDS = "second"
"""A folder of puzzles that is no game's: Connect Four's second book."""

_CONNECT4 = "connect4"
"""The game whose puzzles are of another kind."""


def text_of(
    state: Playing,
    text: str,
    options: str,
    seed: int,
    win_in: int,
    solution: Collection[Term],
    difficulty: Difficulty,
) -> str:
    """A puzzle as a file.

    Args:
        state, text: the position.
        options: of the command that made it.
        seed: with which it was made.
        win_in, solution, difficulty: see `Posed`.
    """
    rules = state.game.rules
    game = rules.name if rules.name in games_by_rules() else str(rules.files[0].parent.resolve())
    sizes = "".join(f" --const {name}={value}" for name, value in rules.constants.items())
    said = {
        "game": game,
        **({"const": dict(rules.constants)} if rules.constants else {}),
        "position": text,
        "win_in": win_in,
        "solution": sorted(state.names[move] for move in solution),
    }
    # What is JSON on one line is YAML, too.
    lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in said.items())
    moves = f"{win_in} move{'s' if win_in > 1 else ''}"
    return (
        f"# {state.player} to move wins in {moves}. Made by\n"
        f"# advisor puzzles make --game {game}{sizes} {options}\n"
        f"{lines}difficulty: {difficulty}\nseed: {seed}\n"
    )


def _files(game: str) -> list[Path]:
    known = game.isidentifier() and game != _BOARDS
    return sorted((PUZZLES / game).glob("*/*.yaml")) if known else []


def _read(file: Path, puzzle_id: str) -> Posed:
    given = position_file.read(str(file), "")
    if given is None or given.win_in is None:
        raise InputError(f"{file}: is not a puzzle (win_in says how many moves the win takes)")
    return Posed(
        id=puzzle_id,
        game=given.game,
        constants=given.constants,
        text=given.moves,
        win_in=given.win_in,
        solution=given.solution,
        difficulty=given.difficulty,
        seed=given.seed,
    )
