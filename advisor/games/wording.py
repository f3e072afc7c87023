"""Things, how many of them, and lists of them in words."""

import re
from collections.abc import Iterable, Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PLACES = 3
"""Places told of a strategy or a feature, moves or lines that end alike, before the rest is
counted, if it is more than one."""

_ENDS = (
    "at|before|behind|beside|by|from|in|near|of|off|on|right|that|to|under|when|where|while|with|"
    "without"
)
_COUNTABLE = re.compile(
    rf"an? (?P<kind>(?:(?!(?:{_ENDS})\b)[\w-]+ )*?)(?P<noun>\w+)(?= (?:{_ENDS})\b|,|$)"
    r"(?:(?P<which>(?: (?!an?\b)\w+)*?) that (?P<verb>is|\w+s)\b)?"
)
"""How the text of a thing begins: ``a square on row 3 that wins ...``, ``a knight at the edge``."""

_EITHER = re.compile(r"\w+(?= or $)")
"""The first of two nouns in what comes before the second: ``a knight or bishop``."""

_ITS = re.compile(r"\bits\b")

_IRREGULAR = {"man": "men", "is": "are", "has": "have"}


def number(count: int) -> str:
    """A number of things, up to ten in a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(text: str, count: int) -> str:
    """So many of a thing, at least one: ``two squares on row 3 that win ...``; a text that begins
    with no article is said to hold so many times."""
    if count == 1:
        return text
    found = _COUNTABLE.match(text)
    if not found:
        return f"twice {text}" if count == 2 else f"{number(count)} times {text}"
    verb, noun = found["verb"], found["noun"]
    that = f"{found['which']} that {_IRREGULAR.get(verb, verb[:-1])}" if verb else ""
    kind = _EITHER.sub(lambda either: _several(either[0]), found["kind"])
    rest = _ITS.sub("their", f"{that}{text[found.end() :]}")
    return f"{number(count)} {kind}{_several(noun)}{rest}"


def _several(noun: str) -> str:
    return _IRREGULAR.get(noun, f"{noun}s")


def listed(texts: Iterable[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``; a comma before the last word if a text has its own."""
    *most, final = list(texts) or [""]
    if not most:
        return final
    comma = "," if any("," in text for text in (*most, final)) else ""
    return f"{', '.join(most)}{comma} {last} {final}"


def few(texts: Sequence[str], last: str = "and") -> str:
    """The first of many, and how many more there are; a last one is named, not counted."""
    if len(texts) > PLACES + 1:
        texts = [*texts[:PLACES], f"{len(texts) - PLACES} more"]
    return listed(texts, last)
