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
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games.rules import RULES, games
from advisor.settings import schema
from advisor.settings.schema import STRICT

MAX_SEED = 999_999_999
"""The largest seed that a puzzle file can name."""

_MOST = 9999
_DIFFICULTY = ("depth", "missed", "tempting")


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What it takes to find the first move.

    Attributes:
        depth: from so many plies on the look-ahead always chooses it.
        missed: on the way to the win, with the longest defence, the share of the attacker's moves
            at which the first choice of the strategies loses it or takes longer; 0 to 1.
        tempting: wrong first moves that the strategies, or the look-ahead two plies ahead, rate
            above it.
    """

    depth: int
    missed: float
    tempting: int

    def __str__(self) -> str:
        return f"{{depth: {self.depth}, missed: {self.missed:.2f}, tempting: {self.tempting}}}"

    @property
    def words(self) -> str:
        """The same in a sentence's words."""
        wrong = "no wrong move tempts"
        if self.tempting:
            wrong = f"{self.tempting} wrong move{'s tempt' if self.tempting > 1 else ' tempts'}"
        return f"found {self.depth} plies ahead, {wrong}"


def read_difficulty(said: object) -> Difficulty:
    """What a puzzle file says under ``difficulty:``; an InputError unless these are all numbers."""
    if not isinstance(said, dict) or {*said} != {*_DIFFICULTY}:
        raise InputError(
            f"difficulty: {textfile.quoted(str(said))} (use {', '.join(_DIFFICULTY)} with numbers)"
        )
    for key, value in said.items():
        if type(value) not in (int, float) or not 0 <= value <= _MOST:
            raise InputError(
                f"difficulty: {key}: {textfile.quoted(str(value))} is not a number from 0 on"
            )
    return Difficulty(int(said["depth"]), float(said["missed"]), int(said["tempting"]))


@dataclass(frozen=True, slots=True)
class Given:
    """What such a file says.

    Attributes:
        game: the name of a game, or a folder.
        constants: values for ``#const`` statements.
        position: moves with a space between them, or what else the game's notation reads; of
            Connect Four the board.
        win_in: own moves in which the side to move wins against the best defence, if the file
            poses that as a puzzle; otherwise 0.
        solution: every first move that wins so fast, as people write it; empty if not given.
        difficulty, seed: of a puzzle that was made here; None if not given.
        extra: a puzzle that does not count among those of its book.
        source: where it was published; empty if not given.
        id: of a puzzle, as ``chapter5/15``; or the path of its file, as typed.
    """

    name: str
    game: str
    constants: Mapping[str, int]
    position: Any
    win_in: int = 0
    solution: tuple[Any, ...] = ()
    difficulty: Difficulty | None = None
    seed: int | None = None
    extra: bool = False
    source: str = ""
    id: str = ""


class _File(BaseModel):
    """What a user may write there."""

    model_config = STRICT

    game: Any
    moves: list[str | int] = []
    position: list[str | int] = []
    const: dict[str, int] = {}
    win_in: Annotated[int, Field(ge=1, le=99)] = 0
    solution: list[str | int] = []
    difficulty: Any = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = None
    source: Any = ""
    title: Any = ""
    note: Any = ""

    @field_validator("moves", "position", "solution", mode="before")
    @classmethod
    def _listed(cls, given: Any) -> Any:
        listed = given if isinstance(given, list) else [given]
        if any(not isinstance(move, str | int) for move in listed):
            raise PydanticCustomError("list_type", "")
        return listed


_WANTED = {
    "dict_type": "names with numbers as {size: 5}",
    "list_type": "moves as put(2,2) put(1,1)",
}


def read(source: str, default: str) -> Given | None:
    """What a file says of a position; None for what is no YAML file with a ``game:``.

    Args:
        source: the path of a file, or whatever else a user may type where a board is wanted.
        default: the game whose files have a form of their own; None for those, too.
    """
    if not source.lower().endswith((".yaml", ".yml")) or not os.path.isfile(source):
        return None
    name = textfile.file_name(source)
    text = textfile.read_text(source)
    with at(name):
        said, lines = textfile.plain(textfile.parse_yaml(text))
        if not isinstance(said, dict) or said.get("game", default) == default:
            return None
        file = schema.validated(said, lines, _File, _WANTED)
        game = _game(file.game, Path(source).parent)
        if {"moves", "position"} <= file.model_fields_set:
            raise InputError("moves and position are both given (use one of them)")
        return Given(
            name=name,
            game=game,
            constants=file.const,
            position=" ".join(map(str, file.position or file.moves)),
            win_in=file.win_in,
            solution=tuple(map(str, file.solution)),
            difficulty=None if file.difficulty is None else read_difficulty(file.difficulty),
            seed=file.seed,
            source=str(file.source),
        )


def _game(named: object, folder: Path) -> str:
    if isinstance(named, str):
        if named in games():
            return named
        if (folder / named / RULES).is_file():
            return str(folder / named)
    known = ", ".join(games())
    raise InputError(
        f"game: {textfile.quoted(str(named))} is neither a game ({known}) "
        f"nor a folder beside it with a {RULES}"
    )
