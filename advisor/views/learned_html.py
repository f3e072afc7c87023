"""What was learned of a game as one page that needs nothing but itself."""

from collections.abc import Iterable, Sequence
from html import escape

from advisor.views.document import document, quiet


def page(title: str, sections: Iterable[str]) -> str:
    """The page."""
    body = "\n".join([f"<section class='card'><h1>{escape(title)}</h1></section>", *sections])
    return document(title, f"<main>\n{body}\n</main>")


def section(
    title: str,
    paragraphs: Iterable[str] = (),
    columns: Sequence[str] = (),
    rows: Iterable[Sequence[str]] = (),
    figures: Sequence[tuple[str | Sequence[str], str]] = (),
) -> str:
    """A part of the page: texts, a table if there are columns, positions with what they show."""
    lines = [f"<section class='card'><h2>{escape(title)}</h2>"]
    lines += (f"<p>{escape(text)}</p>" for text in paragraphs)
    if columns:
        heads = "".join(f"<th>{escape(name)}</th>" for name in columns)
        lines.append(f"<table><thead><tr>{heads}</tr></thead><tbody>")
        for row in rows:
            lines.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
        lines.append("</tbody></table>")
    if figures:
        boards = (quiet(picture, caption) for picture, caption in figures)
        lines += ["<div class='boards'>", *boards, "</div>"]
    return "\n".join([*lines, "</section>"])
