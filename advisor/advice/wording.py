"""Squares, lines and numbers of things in words."""

import re
from collections.abc import Iterable, Sequence

from advisor.games.connect4.board import Square
from advisor.games.connect4.forcing import Line
from advisor.games.connect4.notation import square_name

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
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


def squares_text(squares: Sequence[Square]) -> str:
    """Where a line lies: ``on a1-d4``, from left to right or from below; a square: ``on d1``."""
    ends = sorted({squares[0], squares[-1]}, key=lambda square: (square[1], square[0]))
    return f"on {'-'.join(map(square_name, ends))}"


def lines_text(lines: Iterable[Sequence[Square]], last: str = "and") -> str:
    """Where lines lie: ``on a1-e1 and on a1-d4``.

    Lines that overlap on one straight are told as one.
    """
    return listed(map(squares_text, spans(tuple(sorted(line)) for line in lines)), last)


def spans(lines: Iterable[Line]) -> list[Line]:
    """Lines with those that overlap on one straight drawn together, each from end to end."""
    found: list[Line] = []
    for line in sorted(set(lines)):
        for i, span in enumerate(found):
            if _direction(span) == _direction(line) and set(span) & set(line):
                found[i] = tuple(sorted({*span, *line}))
                break
        else:
            found.append(line)
    return found


def _direction(line: Line) -> Square:
    (row, column), (next_row, next_column) = line[0], line[min(1, len(line) - 1)]
    return next_row - row, next_column - column


def listed(texts: Iterable[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``; a comma before the last word if a text has its own."""
    *most, final = list(texts) or [""]
    if not most:
        return final
    comma = "," if any("," in text for text in (*most, final)) else ""
    return f"{', '.join(most)}{comma} {last} {final}"
