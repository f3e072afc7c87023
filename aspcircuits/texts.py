"""Words for errors, and bytes read as text."""

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from aspcircuits.errors import InputError

MAX_BYTES = 1_000_000
"""Size of a text that a person writes by hand, such as a program."""

_LISTED = 12

_NOT_PRINTABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no text holds; YAML draws the same line."""


def quoted(text: str, limit: int = 40) -> str:
    """The text in quotes, on one line, cut short if it is long."""
    return repr(shortened(text, limit))


def shortened(text: str, limit: int = 40) -> str:
    """The text, cut short if it is long."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def listed(names: Sequence[str]) -> str:
    """What can be used, in an error: the first ones, if they are many."""
    return ", ".join([*names[:_LISTED], "..."] if len(names) > _LISTED else names)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that looks most like this one."""
    return difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0)[0]


def file_name(path: str | Path) -> str:
    """A path or a key as errors show it, in quotes where it is nothing or would break the line."""
    text = str(path)
    return text if text and text.isprintable() else repr(text)


def characters(raw: bytes) -> str:
    """Bytes as text, whatever its length: UTF-8, nothing unprintable."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{raw[error.start]:02x} at position {error.start}"
        raise InputError(f"is not a text file ({found}; use UTF-8)") from None
    if strange := _NOT_PRINTABLE.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        raise InputError(f"is not a text file (line {line} holds {quoted(strange.group())})")
    return text
