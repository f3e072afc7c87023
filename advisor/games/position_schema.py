"""What a user's file of a position may hold; see `advisor.games.position_file`."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError

from advisor.games.difficulty import MAX_SEED
from advisor.settings import schema
from advisor.settings.schema import STRICT, Place


class PositionFile(BaseModel):
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


def validated(said: Any, lines: Mapping[Place, str]) -> PositionFile:
    """The values of such a file; see `advisor.settings.schema.validated`."""
    return schema.validated(said, lines, PositionFile, _WANTED)
