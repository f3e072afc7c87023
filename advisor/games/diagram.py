"""A text board as a picture: SVG text that needs nothing but itself, for any game that has one."""

import xml.etree.ElementTree as ET
from collections.abc import Collection
from dataclasses import dataclass
from math import pi, sin

from advisor.asp.clingo_api import Term, render, unquoted

Square = tuple[int, int]
"""Column and row, from 1 at the lower left."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """What stands on a board.

    Attributes:
        squares: all that there are.
        shown: symbols on them, as column, row and symbol.
        roles: both players' symbols, the one who begins first.
        slanted: each row begins half a square further right than the one below; such a board is
            one of hexagons.
        title: what the picture shows, for a screen reader.
        marked: squares to point at.
    """

    squares: Collection[Square]
    shown: Collection[tuple[int, int, Term]]
    roles: tuple[Term, Term]
    slanted: bool
    title: str
    marked: Collection[Square] = ()


_CELL = 48.0
_EDGE = 30.0
_RADIUS = 17.0
_BOARD, _FIELD, _LINE, _TEXT, _MARK = "#5b4331", "#eedfc4", "#8a6a4b", "#f6ecdc", "#2a6f97"
_DARK, _LIGHT = ("#26211c", "#f2ece2"), ("#ffffff", "#26211c")
"""A disc, and the letter on it."""
_PLAYERS = _DARK, _LIGHT
_CALLED = {
    "black": _DARK,
    "white": _LIGHT,
    "red": ("#b5332c", "#ffffff"),
    "blue": ("#2a5599", "#ffffff"),
}
"""Symbols that are colours."""
_OTHER = "#b9c3c9", "#26211c"

_HEXAGON = [(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]
"""Corners around the middle; one to the right stands for half a square's width."""
_TALL = 1 / (2 * sin(pi / 3))
"""From the middle of a hexagon to its top, where it is one wide."""


def svg(diagram: Diagram) -> str:
    """The board as an SVG document."""
    columns = max(x for x, _ in diagram.squares)
    rows = max(y for _, y in diagram.squares)
    lean = (rows - 1) / 2 if diagram.slanted else 0.0
    step = 1.5 * _TALL if diagram.slanted else 1.0
    width = (columns + lean) * _CELL + 2 * _EDGE
    height = (1 + step * (rows - 1)) * _CELL + 2 * _EDGE
    root = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )
    ET.SubElement(root, "title").text = diagram.title
    ET.SubElement(root, "rect", width="100%", height="100%", rx="8", fill=_BOARD)

    def middle(x: float, y: float) -> tuple[float, float]:
        across = x - 0.5 + ((y - 1) / 2 if diagram.slanted else 0)
        return _EDGE + across * _CELL, height - _EDGE - (0.5 + (y - 1) * step) * _CELL

    for x, y in sorted(diagram.squares):
        _field(root, *middle(x, y), diagram.slanted, (x, y) in diagram.marked)
    for x, y, symbol in sorted(diagram.shown, key=repr):
        _piece(root, *middle(x, y), symbol, diagram.roles)
    for x in range(1, columns + 1):
        _text(root, middle(x, 1)[0], height - _EDGE / 2, str(x), _TEXT, 13)
    for y in range(1, rows + 1):
        across, down = middle(1, y)
        _text(root, across - (_CELL + _EDGE) / 2 + 2, down, str(y), _TEXT, 13)
    return ET.tostring(root, encoding="unicode") + "\n"


def _field(root: ET.Element, x: float, y: float, slanted: bool, marked: bool) -> None:
    inset = 1.5 if marked else 0.0
    half = _CELL / 2 - inset
    if slanted:
        tall = _CELL * _TALL - inset
        corners = " ".join(f"{x + dx * half:.1f},{y + dy * tall:.1f}" for dx, dy in _HEXAGON)
        field = ET.SubElement(root, "polygon", points=corners)
    else:
        side = f"{2 * half:g}"
        field = ET.SubElement(
            root, "rect", x=f"{x - half:g}", y=f"{y - half:g}", width=side, height=side
        )
    field.set("fill", _FIELD)
    field.set("stroke", _MARK if marked else _LINE)
    field.set("stroke-width", "4" if marked else "1")


def _piece(root: ET.Element, x: float, y: float, symbol: Term, roles: tuple[Term, Term]) -> None:
    text = unquoted(symbol) or render(symbol)
    fill, ink = _PLAYERS[roles.index(symbol)] if symbol in roles else _OTHER
    fill, ink = _CALLED.get(text, (fill, ink))
    disc = ET.SubElement(root, "circle", cx=f"{x:g}", cy=f"{y:g}", r=f"{_RADIUS:g}")
    disc.set("fill", fill)
    disc.set("stroke", _LINE)
    _text(root, x, y, text[:1] if text in _CALLED else text[:2], ink, 16)


def _text(root: ET.Element, x: float, y: float, text: str, fill: str, size: int) -> None:
    written = ET.SubElement(root, "text", x=f"{x:g}", y=f"{y + size / 3:.1f}", fill=fill)
    written.set("text-anchor", "middle")
    written.set("font-family", "sans-serif")
    written.set("font-size", str(size))
    written.text = text
