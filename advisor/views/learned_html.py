"""What was learned of a game as one page that needs nothing but itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files


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
    style = (files("advisor.views") / "review.css").read_text("utf-8")
    body = "\n".join(line for section in sections for line in _section(section))
    return (
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        "<meta name='color-scheme' content='light dark'>\n"
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n<section class='card'><h1>{escape(title)}</h1></section>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


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
        for figure in section.figures:
            picture = figure.picture
            if not isinstance(picture, str):
                picture = "<pre>" + escape("\n".join(picture)) + "</pre>"
            caption = escape(figure.caption)
            yield f"<figure>{picture}<figcaption class='quiet'>{caption}</figcaption></figure>"
        yield "</div>"
    yield "</section>"
