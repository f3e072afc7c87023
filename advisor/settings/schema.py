"""YAML held to a schema: what is wrong is told with its line, what was found and what is allowed.

A schema is a model of pydantic. It reads nothing that has to be converted.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from advisor.errors import InputError
from advisor.files import textfile

STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)
"""Of a schema: these keys and no others."""

S = TypeVar("S", bound=BaseModel)
KeyPath = tuple[Any, ...]
"""The keys and indices that lead to a value."""

_WANTED = {
    "dict_type": "lines like 'name: value'",
    "model_type": "lines like 'key: value'",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a name",
    "invalid_key": "a name",
}


@dataclass(frozen=True, slots=True)
class Checked(Generic[S]):
    """A text that fits its schema.

    Attributes:
        said: its values.
        lines: where each key stands, as ``line 3``.
    """

    said: S
    lines: Mapping[KeyPath, str]

    def error(self, place: KeyPath, text: str) -> InputError:
        """What is wrong with the value in a place."""
        return InputError(f"{_where(self.lines, place)}: {text}")


def read(text: str, schema: type[S], wanted: Mapping[str, str] | None = None) -> Checked[S]:
    """A text of YAML as its schema has it.

    By the type of pydantic's error `wanted` says what should be there, if that is not the usual.

    Raises:
        InputError: one line, without the name of the file.
    """
    data, lines = textfile.plain(textfile.parse_yaml(text))
    return Checked(validated(data, lines, schema, wanted), lines)


def validated(
    data: Any,
    lines: Mapping[KeyPath, str],
    schema: type[S],
    wanted: Mapping[str, str] | None = None,
) -> S:
    """The same of values that were read before; see `textfile.plain`."""
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
    # Without the tags of a union, and what pydantic says of a key.
    place = tuple(step for step in first["loc"] if not re.fullmatch(r"<.*>|\[key\]", str(step)))
    where = _where(lines, place)
    if first["type"] == "extra_forbidden":
        guess = textfile.nearest(str(place[-1]), _keys(schema, place[:-1]))
        raise InputError(f"{where}: unknown key (did you mean '{guess}'?)")
    raise InputError(f"{where}: {textfile.found_instead(first, {**_WANTED, **(wanted or {})})}")


def _where(lines: Mapping[KeyPath, str], place: KeyPath) -> str:
    dotted = ".".join(textfile.file_name(str(key)) for key in place)
    return f"{lines.get(place, 'line 1')}: {dotted}".rstrip(": ")


def _keys(schema: Any, place: KeyPath) -> Iterable[str]:
    """The keys of the mapping in a place."""
    for step in place:
        schema = schema.model_fields[step].annotation
        while get_args(schema):  # of alternatives the mapping is told last
            schema = get_args(schema)[-1 if get_origin(schema) is not Annotated else 0]
    found: Iterable[str] = schema.model_fields
    return found
