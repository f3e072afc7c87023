"""What was learned of a game as one page that needs nothing but itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from advisor.views.document import document, figure, quiet


@dataclass(frozen=True, slots=True)
class Figure:
    """A position in which something decided.

    Attributes:
        picture: an SVG document, or the lines of a text board.
        caption: what it shows.
    """

    picture: str | Sequence[str]
    caption: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page.

    Attributes:
        title: its heading.
        paragraphs: what it says.
        columns, rows: a table; without columns there is none.
        figures: positions.
    """

    title: str
    paragraphs: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    figures: Sequence[Figure] = ()


def page(title: str, sections: Sequence[Section]) -> str:
    """The page."""
    body = "\n".join(line for section in sections for line in _section(section))
    head = f"<section class='card'><h1>{escape(title)}</h1></section>"
    return document(title, f"<main>\n{head}\n{body}\n</main>")


def _section(section: Section) -> Iterator[str]:
    yield f"<section class='card'><h2>{escape(section.title)}</h2>"
    yield from (f"<p>{escape(text)}</p>" for text in section.paragraphs)
    if section.columns:
        heads = "".join(f"<th>{escape(name)}</th>" for name in section.columns)
        yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
        for row in section.rows:
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        yield "</tbody></table>"
    if section.figures:
        yield "<div class='boards'>"
        yield from (figure(each.picture, quiet(each.caption)) for each in section.figures)
        yield "</div>"
    yield "</section>"
