"""The prefix notation in which rule sheets are written (KIF): words and lists in brackets."""

import re
from dataclasses import dataclass
from typing import ClassVar

from advisor.errors import EncodingError
from aspcircuits.texts import quoted

_TOKEN = re.compile(r';.*|[()]|"[^"]*"|[^\s();"]+|"')
"""A part of a line."""

_DEEPEST = 60
"""Lists within lists; rules need a handful."""

_MOST = 100_000
"""Words and brackets of a sheet; those of chess have a tenth of that."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the file as errors name it, line and column from 1 on."""

    file: str
    line: int
    column: int

    def error(self, text: str) -> EncodingError:
        """An error about what stands here."""
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
    """What stands between two brackets; further brackets around it are left out."""

    items: tuple["Word | List", ...]
    place: Place

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Expression = Word | List


def shown(expression: Expression) -> str:
    """An expression as errors quote it."""
    return quoted(str(expression))


def parse(text: str, file: str) -> list[tuple[Expression, tuple[str, ...]]]:
    """The expressions of a sheet that are in no other one, each with the comments before it.

    Raises:
        EncodingError: too many words, or brackets or quotation marks that do not match, with
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
        return [(expression, ()) for expression in whole.items]  # brackets around all of it
    return forms
