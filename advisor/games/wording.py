"""Things, how many of them, and lists of them in words."""

import re
from collections.abc import Iterable, Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PLACES = 3
"""Places told of a strategy or a feature, moves or lines that end alike, before the rest is
counted."""

_TIMES = {1: "", 2: "twice "}

_COUNTABLE = re.compile(
    r"an? (?P<kind>[^,]*?)\b(?P<noun>square|line|disc)\b"
    r"(?:(?P<which>(?: (?!an?\b)\w+)*?) that (?P<verb>\w+)s\b)?"
)
"""How the text of a thing begins: ``a square on row 3 that wins ...``."""


def number(count: int) -> str:
    """A number of things, up to ten in a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(text: str, count: int) -> str:
    """So many of a thing, at least one: ``two squares on row 3 that win ...``.

    A text that tells of no square, line or disc is said to hold so many times.
    """
    if count == 1:
        return text
    found = _COUNTABLE.match(text)
    if not found:
        return f"{_TIMES.get(count, f'{number(count)} times ')}{text}"
    that = f"{found['which']} that {found['verb']}" if found["verb"] else ""
    return f"{number(count)} {found['kind']}{found['noun']}s{that}{text[found.end() :]}"


def listed(texts: Iterable[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``; a comma before the last word if a text has its own."""
    *most, final = list(texts) or [""]
    if not most:
        return final
    comma = "," if any("," in text for text in (*most, final)) else ""
    return f"{', '.join(most)}{comma} {last} {final}"


def few(texts: Sequence[str], last: str = "and") -> str:
    """The first of many, and how many more there are."""
    more = [f"{len(texts) - PLACES} more"] if len(texts) > PLACES else []
    return listed([*texts[:PLACES], *more], last)
