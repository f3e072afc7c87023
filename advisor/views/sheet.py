"""Puzzles as a page to print: boards first, solutions at the end; needs nothing but itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from advisor.views.document import document, figure

_STYLE = """
  :root { color-scheme: light; }
  body { font: 16px/1.45 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
    margin: 2rem auto; padding: 0 1rem; max-width: 62rem; color: #1d2430; background: #fff; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
    gap: 2rem 1.5rem; }
  figure { margin: 0; break-inside: avoid; }
  figure svg { width: 100%; height: auto; display: block; }
  figcaption { padding-top: .4rem; }
  pre { font-size: 1rem; }
  .quiet { color: #56617a; }
  ol { columns: 18rem; break-before: page; padding-left: 2.5rem; }
  li { break-inside: avoid; padding-bottom: .3rem; }
  h2 { break-before: page; break-after: avoid; }
  h2 + ol { break-before: avoid; }
  @media print { body { margin: 0; max-width: none; } main { grid-template-columns: 1fr 1fr; } }
"""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A puzzle as a sheet shows it: a picture as `figure` takes it, and texts.

    An unknown difficulty is empty.
    """

    picture: str | Sequence[str]
    task: str
    difficulty: str
    solution: str


def html(title: str, exercises: Sequence[Exercise]) -> str:
    """The page, numbered from 1."""
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
        _STYLE,
    )
