"""Puzzles as a standalone page to print: boards first, solutions at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from advisor.views.document import document, figure


@dataclass(frozen=True, slots=True)
class Exercise:
    """A puzzle on a sheet: a picture, as `figure` takes it, and texts.

    An unknown difficulty is empty.
    """

    picture: str | Sequence[str]
    task: str
    difficulty: str
    solution: str


def html(title: str, exercises: Sequence[Exercise]) -> str:
    """Make the page; its puzzles are numbered from 1."""
    figures = "\n".join(
        figure(each.picture, f"<figcaption><b>{number}</b> {escape(each.task)}</figcaption>")
        for number, each in enumerate(exercises, 1)
    )
    solutions = "\n".join(
        f"<li>{escape(each.solution)}"
        + (f' <span class="quiet">({escape(each.difficulty)})</span>' if each.difficulty else "")
        + "</li>"
        for each in exercises
    )
    return document(
        title,
        f"<h1>{escape(title)}</h1>\n<main>\n{figures}\n</main>\n"
        f"<h2>Solutions</h2>\n<ol>\n{solutions}\n</ol>",
        "sheet",
    )
