"""A position of any game as a user's file: the game, its sizes, and the moves so far.

    game: reversi
    moves: put(4,3) put(3,3)

A puzzle says in how many moves it is won (``win_in``), too.

Connect Four's own files say more; see `advisor.games.connect4.notation`.
"""

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games import difficulty
from advisor.games.difficulty import MAX_SEED, Difficulty
from advisor.games.rules import RULES, games

_MOST_MOVES = 99
"""Of a win in a puzzle."""

_KEYS = (
    *("game", "moves", "position", "const"),
    *("win_in", "solution", "difficulty", "seed"),
    *("source", "title", "note"),
)


@dataclass(frozen=True, slots=True)
class Given:
    """What such a file says.

    Attributes:
        name: of the file, as errors show it.
        game: the name of a game, or a folder.
        constants: values for ``#const`` statements.
        moves: with a space between them; or a position, as the game's notation has it; of a file in
            a form of the game's own what that tells of.
        win_in: own moves in which the side to move wins, if the file poses that as a puzzle.
        solution: every first move that wins so fast; empty if not given.
        difficulty, seed: of a puzzle that was made here; None if not given.
        extra: a puzzle that does not count among those of its book.
        source: where it was published; empty if not given.
    """

    name: str
    game: str
    constants: Mapping[str, int]
    moves: Any
    win_in: int | None = None
    solution: tuple[Any, ...] = ()
    difficulty: Difficulty | None = None
    seed: int | None = None
    extra: bool = False
    source: str = ""


def read(source: str, default: str) -> Given | None:
    """What a file says of a position; None for what is no YAML file with a ``game:``.

    Args:
        source: the path of a file, or whatever else a user may type where a board is wanted.
        default: the game whose files have a form of their own; None for those, too.

    Raises:
        InputError: one line with the file, what was found and what is allowed.
    """
    if not source.lower().endswith((".yaml", ".yml")) or not os.path.isfile(source):
        return None
    name = textfile.file_name(source)
    text = textfile.read_text(source)
    with at(name):
        root = textfile.parse_yaml(text)
        said, _ = textfile.plain(root)
        if not isinstance(said, dict) or said.get("game", default) == default:
            return None
        textfile.mapping(root, _KEYS)
        game = _game(said["game"], Path(source).parent)
        constants = _constants(said.get("const", {}))
        if "moves" in said and "position" in said:
            raise InputError("moves and position are both given (use one of them)")
        moves = _moves(said.get("position", said.get("moves", [])))
        return Given(
            name=name,
            game=game,
            constants=constants,
            moves=moves,
            win_in=_number("win_in", said, 1, _MOST_MOVES),
            solution=tuple(_listed("solution", said.get("solution", []))),
            difficulty=difficulty.read(said["difficulty"]) if "difficulty" in said else None,
            seed=_number("seed", said, 0, MAX_SEED),
            source=str(said.get("source", "")),
        )


def _game(named: object, folder: Path) -> str:
    if isinstance(named, str):
        if named in games():
            return named
        if (folder / named / RULES).is_file():
            return str(folder / named)
    known = ", ".join(games())
    raise InputError(
        f"game: {_shown(named)} is neither a game ({known}) nor a folder beside it with a {RULES}"
    )


def _constants(given: object) -> dict[str, int]:
    if not isinstance(given, dict):
        raise InputError(f"const: expected names with numbers as {{size: 5}}, not {_shown(given)}")
    for name, value in given.items():
        if type(value) is not int:
            raise InputError(f"const: {name}: {_shown(value)} is not a whole number")
    return {str(name): value for name, value in given.items()}


def _moves(given: object) -> str:
    return " ".join(_listed("moves", given))


def _listed(key: str, given: object) -> list[str]:
    listed = given if isinstance(given, list) else [given]
    for move in listed:
        if not isinstance(move, str | int):
            raise InputError(f"{key}: expected moves as put(2,2) put(1,1), found {_shown(move)}")
    return [*map(str, listed)]


def _number(key: str, said: Mapping[str, object], least: int, most: int) -> int | None:
    if key not in said:
        return None
    value = said[key]
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{key}: {_shown(value)} is not a whole number from {least} to {most}")
    return value


def _shown(value: object) -> str:
    return textfile.quoted(str(value))
