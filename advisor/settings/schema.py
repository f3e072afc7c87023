"""Checks YAML against a schema; errors have the line, what was found and what is allowed.

A schema is a model of pydantic. A schema of values converts none of them; a schema of texts, as
they were written, reads numbers from them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from advisor.errors import InputError
from advisor.files import textfile
from advisor.files.textfile import KeyPath, Parsed
from aspcircuits.texts import file_name, nearest

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)
"""For a schema of values: these keys and no others."""

WRITTEN = ConfigDict(extra="forbid", frozen=True)
"""For a schema of texts."""

S = TypeVar("S", bound=BaseModel)
_WANTED = {
    "dict_type": "lines like 'name: value'",
    "model_type": "lines like 'key: value'",
    "string_type": "a name",
    "invalid_key": "a name",
}


@dataclass(frozen=True, slots=True)
class Checked(Generic[S]):
    """A text that fits its schema.

    Attributes:
        said: its values.
        lines: the place of each key, such as ``line 3``.
    """

    said: S
    lines: Mapping[KeyPath, str]

    def error(self, place: KeyPath, text: str) -> InputError:
        """Return the error about the value in a place."""
        return InputError(f"{_where(self.lines, place)}: {text}")


def whole_between(low: int, high: int) -> BeforeValidator:
    """Return a validator: the text has to be a whole number from low to high."""

    def whole(text: Any) -> int:
        if re.fullmatch("[+-]?[0-9]{1,18}", str(text)) and low <= int(text) <= high:
            return int(text)
        raise PydanticCustomError("out_of_range", f"a whole number from {low} to {high}")

    return BeforeValidator(whole)


def _number(text: Any) -> Any:
    if not re.fullmatch(r"[0-9]*\.?[0-9]+", str(text)):
        raise PydanticCustomError("float_parsing", "")
    return text


NUMBER = BeforeValidator(_number)
"""A validator: the text has to be a decimal number without a sign."""


def read(parsed: Parsed, schema: type[S], wanted: Mapping[str, str] | None = None) -> Checked[S]:
    """Check parsed YAML against its schema.

    Args:
        parsed: the values and their places.
        schema: a model of pydantic.
        wanted: what should be there, by the type of pydantic's error, if that is unusual.

    Raises:
        InputError: one line, without the name of the file.
    """
    data, lines = parsed
    try:
        return Checked(schema.model_validate(data), lines)
    except ValidationError as error:
        first = error.errors()[0]
    place: KeyPath = ()
    for step in first["loc"]:  # some name an alternative, or a key
        below = (p for p in lines if p and p[:-1] == place and str(p[-1]) == str(step))
        place = next(below, place)
    where = _where(lines, place)
    if first["type"] == "extra_forbidden":
        guess = nearest(str(place[-1]), _keys(schema, place[:-1]))
        raise InputError(f"{where}: unknown key (did you mean '{guess}'?)")
    raise InputError(f"{where}: {textfile.found_instead(first, {**_WANTED, **(wanted or {})})}")


def _where(lines: Mapping[KeyPath, str], place: KeyPath) -> str:
    dotted = ".".join(file_name(str(key)) for key in place)
    return f"{lines.get(place, 'line 1')}: {dotted}".rstrip(": ")


def _keys(schema: Any, place: KeyPath) -> Iterable[str]:
    """Return the keys of the mapping in a place."""
    for step in place:
        schema = schema.model_fields[step].annotation
    found: Iterable[str] = schema.model_fields
    return found
