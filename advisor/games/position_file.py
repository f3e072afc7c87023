"""A position of any game as a user's file: the game, its constants, and the moves so far.

    game: reversi
    moves: put(4,3) put(3,3)

A puzzle also has the number of moves to the win (``win_in``).

Connect Four's own files have more keys; see `advisor.games.connect4.notation`.
"""

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.files.textfile import LARGEST
from advisor.games.rules import RULES, games
from advisor.limits import MAX_SEED
from advisor.settings import schema
from advisor.settings.schema import NUMBER, WRITTEN, whole_between
from aspcircuits.texts import file_name, quote_text


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard it is to find the first move.

    Attributes:
        depth: the look-ahead always chooses the move from this many plies on.
        missed: on the way to the win, with the longest defence, the share of the attacker's moves
            at which the first choice of the strategies loses it or takes longer; 0 to 1.
        tempting: number of wrong first moves that the strategies, or the look-ahead two plies
            ahead, rate above it.
    """

    depth: int
    missed: float
    tempting: int

    def __str__(self) -> str:
        return f"{{depth: {self.depth}, missed: {self.missed:.2f}, tempting: {self.tempting}}}"

    @property
    def words(self) -> str:
        """The difficulty in words for a sentence."""
        wrong = "no wrong move tempts"
        if self.tempting:
            wrong = f"{self.tempting} wrong move{'s tempt' if self.tempting > 1 else ' tempts'}"
        return f"found {self.depth} plies ahead, {wrong}"


@dataclass(frozen=True, slots=True)
class Given:
    """The contents of a position file.

    Attributes:
        name: the file as typed; Connect Four's boards may also be ``stdin`` or the quoted text.
        game: the name of a game, or a folder.
        constants: values for ``#const`` statements.
        position: moves with spaces between them, or another text of the game's notation; in Connect
            Four the board with the player to move, whose game may be over.
        moves: in Connect Four, the columns played from the empty board, if they are known.
        win_in: the side to move wins in this many own moves against the best defence; 0 if the file
            poses no such puzzle.
        solution: every first move that wins that fast, as people write it; empty if not given.
        difficulty, seed: of a puzzle made by ``puzzles make``; None if not given.
        extra: whether the puzzle does not count among its book's 120.
        source: where it was published; empty if not given.
        id: of a puzzle, such as ``chapter5/15``; or the path of its file, as typed.
    """

    name: str
    game: str
    constants: Mapping[str, int]
    position: Any
    moves: tuple[int, ...] = ()
    win_in: int = 0
    solution: tuple[Any, ...] = ()
    difficulty: Difficulty | None = None
    seed: int | None = None
    extra: bool = False
    source: str = ""
    id: str = ""


_Measure = Literal["depth", "missed", "tempting"]
_Measured = Annotated[float, Field(ge=0, le=9999), NUMBER]


class PositionFile(BaseModel):
    """The keys that a user's file of any game may have."""

    model_config = WRITTEN

    game: Any
    solution: list[str] = []
    difficulty: Annotated[dict[_Measure, _Measured], Field(min_length=3)] | None = None
    seed: Annotated[int, whole_between(0, MAX_SEED)] | None = None
    source: str = ""
    title: str = ""
    note: str = ""

    @field_validator("source", "title", "note", mode="before")
    @classmethod
    def _empty_if_none(cls, given: Any) -> Any:
        return "" if given is None else given

    @field_validator("difficulty", mode="before")
    @classmethod
    def _check_difficulty(cls, given: Any) -> Any:
        if not isinstance(given, dict | None):
            raise PydanticCustomError("too_short", "")
        return given

    @property
    def puzzle_attributes(self) -> dict[str, Any]:
        """The attributes of a puzzle other than the solution and its length."""
        hard = self.difficulty
        return {
            "difficulty": hard
            and Difficulty(int(hard["depth"]), hard["missed"], int(hard["tempting"])),
            "seed": self.seed,
            "source": self.source,
        }


class _File(PositionFile):
    win_in: Annotated[int, whole_between(1, 99)] = 0
    moves: list[str] = []
    position: list[str] = []
    const: dict[str, Annotated[int, whole_between(1 - LARGEST, LARGEST - 1)]] = {}

    @field_validator("moves", "position", "solution", mode="before")
    @classmethod
    def _to_list(cls, given: Any) -> Any:
        return [given] if isinstance(given, str) else given


WANTED = {
    "string_type": "a text",
    "too_short": "depth, missed and tempting with numbers",
}
"""Descriptions of the right values in such files, by the type of pydantic's error."""

_WANTED = {
    **WANTED,
    "dict_type": "names with numbers as {size: 5}",
    "list_type": "moves as put(2,2) put(1,1)",
}


def read(source: str, default: str) -> Given | None:
    """Read a position from a file; None if it is no YAML file with a ``game:``.

    Args:
        source: the path of a file, or whatever else a user may type where a board is wanted.
        default: the game whose files have a form of their own; None for those, too.
    """
    if not source.lower().endswith((".yaml", ".yml")) or not os.path.isfile(source):
        return None
    name = file_name(source)
    text = textfile.read_text(source)
    with at(name):
        said, _ = parsed = textfile.parse_yaml(text, written=True)
        if not isinstance(said, dict) or said.get("game", default) == default:
            return None
        file = schema.read(parsed, _File, _WANTED).said
        if {"moves", "position"} <= file.model_fields_set:
            raise InputError("moves and position are both given (use one of them)")
        return Given(
            name=name,
            game=_game(file.game, Path(source).parent),
            constants=file.const,
            position=" ".join(file.position or file.moves),
            win_in=file.win_in,
            solution=(*file.solution,),
            **file.puzzle_attributes,
        )


def _game(named: object, folder: Path) -> str:
    if isinstance(named, str):
        if named in games():
            return named
        if (folder / named / RULES).is_file():
            return str(folder / named)
    known = ", ".join(games())
    raise InputError(
        f"game: {quote_text(str(named))} is neither a game ({known}) "
        f"nor a folder beside it with a {RULES}"
    )
