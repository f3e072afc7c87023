"""Parse the prefix notation of rule sheets (KIF): words, and lists in brackets."""

import re
from dataclasses import dataclass
from typing import ClassVar

from advisor.errors import EncodingError
from aspcircuits.texts import quote_text

_TOKEN = re.compile(r';.*|[()]|"[^"]*"|[^\s();"]+|"')
"""Tokens of a line."""

_DEEPEST = 60
"""Maximum nesting of lists; rules need a handful of levels."""

_MOST = 100_000
"""Maximum number of words and brackets in a sheet; a sheet of chess has a tenth of that."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a sheet: the file as errors name it, line and column, counted from 1."""

    file: str
    line: int
    column: int

    def error(self, text: str) -> EncodingError:
        """Make an error about this place."""
        return EncodingError(f"{self}: {text}")

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a number, a variable (with ``?``) or an operator, in lower case."""

    text: str
    place: Place
    items: ClassVar[tuple[()]] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class List:
    """The content of a pair of brackets; redundant brackets around it are dropped."""

    items: tuple["Word | List", ...]
    place: Place

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Expression = Word | List


def quote_expression(expression: Expression) -> str:
    """Write an expression as errors quote it."""
    return quote_text(str(expression))


def parse(text: str, file: str) -> list[tuple[Expression, tuple[str, ...]]]:
    """Parse the top-level expressions of a sheet, each with the comments before it.

    Raises:
        EncodingError: the sheet has too many words, or unmatched brackets or quotation marks; with
            line and column.
    """
    forms: list[tuple[Expression, tuple[str, ...]]] = []
    comments: list[str] = []
    open_lists: list[tuple[Place, list[Expression]]] = []
    tokens = (
        (found[0], Place(file, number, found.start() + 1))
        for number, line in enumerate(text.split("\n"), 1)
        for found in _TOKEN.finditer(line)
    )
    for count, (token, place) in enumerate(tokens, 1):
        if count > _MOST:
            raise place.error(f"more than {_MOST} words, brackets and comments")
        if token.startswith(";"):
            if not open_lists:
                comments.append(token.strip("; \t\r"))
            continue
        if token == '"':
            raise place.error("this quotation mark is not closed on its line")
        if token == "(":
            if len(open_lists) == _DEEPEST:
                raise place.error(f"more than {_DEEPEST} brackets are open")
            open_lists.append((place, []))
            continue
        if token == ")":
            if not open_lists:
                raise place.error("this ')' closes nothing")
            opened, items = open_lists.pop()
            around = len(items) == 1 and isinstance(items[0], List)
            expression = items[0] if around else List(tuple(items), opened)
        else:
            expression = Word(token.lower(), place)
        if open_lists:
            open_lists[-1][1].append(expression)
        else:
            forms.append((expression, tuple(filter(None, comments))))
            comments.clear()
    if open_lists:
        raise open_lists[0][0].error("this '(' is never closed")
    whole = forms[0][0] if len(forms) == 1 else None
    if isinstance(whole, List) and whole.items and isinstance(whole.items[0], List):
        return [(expression, ()) for expression in whole.items]  # one pair of brackets around all
    return forms
