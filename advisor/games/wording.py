"""Nouns with their numbers, and lists, in words."""

from collections.abc import Iterable, Sequence

from advisor.settings.texts import in_number

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

PLACES = 3
"""Places of a strategy or feature, or moves or lines with one outcome, that are named.

Further ones are counted if there are at least two.
"""


def number(count: int) -> str:
    """Return a number in words up to ten, else in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def count_noun(text: str, count: int) -> str:
    """Return a count with its noun, by the noun's text in the encodings.

    >>> count_noun("{a square|squares} that {wins|win} the game", 2)
    'two squares that win the game'
    >>> count_noun("a row of three", 2)
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


def capitalize_text(text: str) -> str:
    """Return the text as the beginning of a sentence.

    >>> capitalize_text("yellow has won")
    'Yellow has won'
    """
    return text[0].upper() + text[1:]


def join_words(texts: Iterable[str], last: str) -> str:
    """Return ``a``, ``a or b``, ``a, b or c``; a comma before `last` if a text contains one.

    A comma without a space after it, as in ``put(2,2)``, is part of a name.
    """
    *most, final = list(texts) or [""]
    if not most:
        return final
    comma = "," if any(", " in text for text in (*most, final)) else ""
    return f"{', '.join(most)}{comma} {last} {final}"


def few(texts: Sequence[str], last: str = "and") -> str:
    """List the first few texts and count the rest; a single rest is named, not counted."""
    if len(texts) > PLACES + 1:
        texts = [*texts[:PLACES], f"{len(texts) - PLACES} more"]
    return join_words(texts, last)
