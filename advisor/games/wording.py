"""Things, how many of them, and lists of them in words."""

from collections.abc import Iterable, Sequence

from advisor.settings.texts import in_number

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PLACES = 3
"""Places told of a strategy or a feature, moves or lines that end alike, before the rest is
counted, if it is more than one."""


def number(count: int) -> str:
    """A number of things, up to ten in a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(text: str, count: int) -> str:
    """Say how many of a thing there are, as its text in the encodings has it.

    >>> counted("{a square|squares} that {wins|win} the game", 2)
    'two squares that win the game'
    >>> counted("a row of three", 2)
    'twice a row of three'

    Args:
        text: of a feature; without a plural it is repeated as it stands.
        count: at least 1.
    """
    chosen = in_number(text, count)
    if count == 1:
        return chosen
    if chosen != text:
        return f"{number(count)} {chosen}"
    return f"twice {text}" if count == 2 else f"{number(count)} times {text}"


def capitalized(text: str) -> str:
    """The text as the beginning of a sentence.

    >>> capitalized("yellow has won")
    'Yellow has won'
    """
    return text[0].upper() + text[1:]


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
