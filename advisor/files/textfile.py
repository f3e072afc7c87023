"""Text from users: small, plain; errors have a line and a column.

All errors are `InputError` without the file's name, except where this module opens a path.
"""

import difflib
import os.path
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from advisor.errors import InputError, at
from aspcircuits.texts import MAX_BYTES, characters, file_name, list_names, quote_text

MAX_GAMES_BYTES = 100_000_000
"""Most bytes of a file with many games, which are read one after the other."""

MAX_YAML = 200_000
"""Most characters of YAML, which takes ten times as long to read as other text."""
MAX_DEPTH = 8
MAX_VALUES = 20_000
"""A full board of 40 x 40 as cells takes 6,401 values; more only keeps the reader busy."""

_FILE = re.compile(r"\S+\.(pgn|fen|txt|ya?ml|lp)", re.IGNORECASE)
"""A text that can only be the name of a file, whether there is one or not."""

LARGEST = 10**18
"""No larger number has a meaning here, and Python refuses to print numbers of 4,300 digits."""

KeyPath = tuple[Any, ...]
"""The keys and indices that lead to a value."""

Parsed = tuple[Any, Mapping[KeyPath, str]]
"""Values, and the place of each: ``line 3`` by its key path."""


def amount(number: int, noun: str) -> str:
    """Return a count with its noun, such as "1 move" and "2 moves"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def column_letters(column: int) -> str:
    """Return the letters of a column, counted from 1: ``a`` to ``z``, then ``aa``.

    Args:
        column: from 1 to 52.
    """
    return ("a" if column > 26 else "") + chr(ord("a") + (column - 1) % 26)


def show_value(value: Any) -> str:
    """Return a value as YAML and JSON write it, for an error."""
    if value is None:
        return "nothing"
    return quote_text(str(value).lower() if isinstance(value, bool) else str(value))


_WANTED = {
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
}


def found_instead(error: Mapping[str, Any], words: Mapping[str, str] = {}) -> str:
    """Turn an error of pydantic into a user's words: what was found, and what should be there.

    `words` says what should be there by the error's type, beside numbers; other errors keep
    pydantic's text.
    """
    wanted = {**_WANTED, **words}.get(error["type"], error["msg"].removeprefix(SHOULD_BE))
    return f"{show_value(error['input'])} found, should be {wanted}"


SHOULD_BE = "Input should be "
"""The beginning of pydantic's message about a value of the wrong kind."""


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Return what a name may have meant, for an error: the nearest name, or all known ones.

    >>> suggest_name("deep", ["depth", "time"]), suggest_name("seconds", ["depth", "time"])
    ("did you mean 'depth'?", 'use depth, time')
    """
    near = difflib.get_close_matches(name.lower(), names := [*known], n=1)
    return f"did you mean {quote_text(near[0])}?" if near else f"use {list_names(names)}"


def in_order(name: str) -> list[tuple[str, int]]:
    """Return a sort key that orders names by their numbers: ``mate2`` before ``mate10``."""
    return [(word, int(part or 0)) for word, part in re.findall(r"([^0-9]*)([0-9]*)", name)]


def unreadable(error: Exception) -> str:
    """Say why a file cannot be read, as the text after its name."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a directory (give a file)"
    return f"cannot be read ({getattr(error, 'strerror', None) or error})"


def read_text(path: str | Path, blanks: str = "", limit: int = MAX_BYTES) -> str:
    """Return the text of a file of at most `limit` bytes; errors name the file.

    The unprintable characters in `blanks`, such as a form feed, are read as blanks.
    """
    name = file_name(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {unreadable(error)}") from None
    for blank in blanks.encode():
        raw = raw.replace(bytes([blank]), b" ")
    with at(name):
        return decode(raw, limit)


def read_given(source: str, limit: int = MAX_BYTES) -> tuple[str, str]:
    """Read what a user may type for a text: a file, ``-`` for standard input, or the text itself.

    Files and standard input may have at most `limit` bytes.

    Returns:
        the name of the file, empty if there is none, and the text.

    Raises:
        InputError: a file that is no text, or that does not exist.
    """
    if source == "-":
        return "stdin", read_stdin(limit=limit)
    if os.path.isfile(source) or _FILE.fullmatch(source):
        return file_name(source), read_text(source, limit=limit)
    return "", source


def read_stdin(stdin: BinaryIO | None = None, limit: int = MAX_BYTES) -> str:
    """Return the text on standard input or a substitute, within the bounds of `read_text`."""
    with at("stdin"):
        return decode((stdin or sys.stdin.buffer).read(limit + 1), limit)


def decode(raw: bytes, limit: int = MAX_BYTES) -> str:
    """Decode bytes as text: UTF-8, not too long, not empty, nothing unprintable.

    Its lines end with a line feed, whatever they end with in the bytes.
    """
    if len(raw) > limit:
        raise InputError(f"is too large (at most {limit} bytes)")
    text = characters(raw.removeprefix(BOM_UTF8))
    if not text.strip():
        raise InputError("is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_yaml(text: str, written: bool = False) -> Parsed:
    """Return one YAML document as Python values, with the lines of its values.

    Args:
        text: the document.
        written: single values keep their written text, such as the moves 0123, in which YAML would
            see an octal number, and only nothing is None. The schema then limits the length of
            numbers (`advisor.settings.schema.whole_between`).
    """
    if len(text) > MAX_YAML:
        raise InputError(f"is too large for YAML (at most {MAX_YAML} characters)")
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise InputError(f"{place}not valid YAML: {error.problem or error.context}") from None
    except (ValueError, OverflowError):  # PyYAML's own, without a mark
        raise InputError("not valid YAML: an escape that stands for no character") from None
    if root is None:
        raise InputError("is empty")
    single = _plain_text if written else _value
    lines: dict[KeyPath, str] = {}

    def value_of(node: yaml.Node, place: KeyPath) -> Any:
        lines[place] = _line_of(node)
        if isinstance(node, yaml.SequenceNode):
            return [value_of(item, (*place, i)) for i, item in enumerate(node.value)]
        if not isinstance(node, yaml.MappingNode):
            return single(node)
        found: dict[Any, Any] = {}
        for key_node, value in node.value:
            key = _text(key_node) if written else _value(key_node)
            if key in found:
                name = quote_text(str(key))
                raise InputError(f"{_line_of(key_node)}: key {name} is given twice")
            found[key] = value_of(value, (*place, key))
            lines[(*place, key)] = _line_of(key_node)
        return found

    return value_of(root, ()), lines


def _line_of(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"


def _text(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        kind = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
        raise InputError(f"{_line_of(node)}: {kind} cannot be a key")
    return str(node.value)


def _plain_text(node: yaml.Node) -> str | None:
    return None if node.tag == "tag:yaml.org,2002:null" else _text(node)


def _value(node: yaml.Node) -> Any:
    text = _text(node)
    if node.tag == _WHOLE and len(text.lstrip("+-0")) > len(str(LARGEST)) - 1:
        raise InputError(f"{_line_of(node)}: a number of more than 18 digits")
    try:
        value = int(text) if node.tag == _WHOLE else yaml.SafeLoader("").construct_object(node)
    except Exception:  # an explicit tag as in `!!bool x` may lead PyYAML to any error
        value = ()
    if isinstance(value, Collection) and not isinstance(value, str):
        found = quote_text(text) if text else "nothing"
        raise InputError(f"{_line_of(node)}: {found} cannot be read (use a name or a number)")
    return value


_WHOLE = "tag:yaml.org,2002:int"
_DECIMAL = "tag:yaml.org,2002:float"


class _Loader(yaml.SafeLoader):
    """Rejects YAML that no file here needs and that only serves to overload a reader.

    Numbers are decimal, as in YAML 1.2: ``010`` is ten, and ``1:30`` and ``1_000`` are texts.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012 (PyYAML's own name for it)
        first: [pair for pair in pairs if pair[0] not in (_WHOLE, _DECIMAL)]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    depth = 0
    values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        self.values += 1
        self.depth += 1
        reason = None
        if getattr(event, "anchor", None):
            reason = "anchors and aliases are not allowed"
        elif self.depth > MAX_DEPTH:
            reason = f"nested more than {MAX_DEPTH} deep"
        elif self.values > MAX_VALUES:
            reason = f"more than {MAX_VALUES} values"
        if reason:
            raise yaml.composer.ComposerError(problem=reason, problem_mark=event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


_Loader.add_implicit_resolver(_WHOLE, re.compile(r"[-+]?[0-9]+\Z"), [*"-+0123456789"])
_Loader.add_implicit_resolver(
    _DECIMAL,
    re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+)\Z"),
    [*"-+.0123456789"],
)
