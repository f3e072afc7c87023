"""Texts for errors, and bytes read as text."""

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from aspcircuits.errors import InputError

MAX_BYTES = 1_000_000
"""Largest size of a handwritten text, such as a program."""

_LISTED = 12

_NOT_PRINTABLE = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no text may contain; YAML has the same rule."""


def quote_text(text: str, limit: int = 40) -> str:
    """Return the text in quotes, on one line, cut short if it is long."""
    return repr(shorten_text(text, limit))


def shorten_text(text: str, limit: int = 40) -> str:
    """Return the text, cut short if it is long."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def list_names(names: Sequence[str]) -> str:
    """Return a list of allowed names for an error: only the first ones, if they are many."""
    return ", ".join([*names[:_LISTED], "..."] if len(names) > _LISTED else names)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar to this one."""
    return difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0)[0]


def file_name(path: str | Path) -> str:
    """Return a path or a key for an error, in quotes if it is empty or not printable."""
    text = str(path)
    return text if text and text.isprintable() else repr(text)


def characters(raw: bytes) -> str:
    """Decode bytes as text of any length: UTF-8, without unprintable characters."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{raw[error.start]:02x} at position {error.start}"
        raise InputError(f"is not a text file ({found}; use UTF-8)") from None
    if strange := _NOT_PRINTABLE.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        raise InputError(f"is not a text file (line {line} holds {quote_text(strange.group())})")
    return text
