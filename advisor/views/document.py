"""Standalone HTML pages, without scripts or other files, and their building blocks."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Literal


def document(title: str, body: str, style: Literal["review", "sheet"] = "review") -> str:
    """Make the page from a body in HTML and a style, which is a file beside this one."""
    scheme = {"review": "light dark", "sheet": "light"}[style]
    css = (files("advisor.views") / f"{style}.css").read_text("utf-8")
    return (
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<meta name='color-scheme' content='{scheme}'>\n"
        f"<title>{escape(title)}</title>\n<style>\n{css}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def figure(picture: str | Sequence[str], caption: str) -> str:
    """Show a board, as an SVG document or as lines of text, with a caption in HTML."""
    if not isinstance(picture, str):
        picture = "<pre>" + escape("\n".join(picture)) + "</pre>"
    return f"<figure>{picture}\n{caption}</figure>"


def quiet(picture: str | Sequence[str], caption: str) -> str:
    """Show a board, as `figure` does, with a quiet caption in plain text."""
    return figure(picture, f"<figcaption class='quiet'>{escape(caption)}</figcaption>")


def cards(title: str, sections: Iterable[str]) -> str:
    """Make a page of sections below its title."""
    body = "\n".join([f"<section class='card'><h1>{escape(title)}</h1></section>", *sections])
    return document(title, f"<main>\n{body}\n</main>")


def section(
    title: str,
    paragraphs: Iterable[str] = (),
    columns: Sequence[str] = (),
    rows: Iterable[Sequence[str]] = (),
    figures: Sequence[tuple[str | Sequence[str], str]] = (),
) -> str:
    """Make a section: paragraphs, a table if there are columns, and positions with captions."""
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
