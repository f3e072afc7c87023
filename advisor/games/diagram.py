"""A text board as a picture: self-contained SVG text, for any game with a board."""

import xml.etree.ElementTree as ET
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import atan2, degrees, hypot, pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from advisor.files.textfile import in_order
from advisor.games.display import COLOURS, Square
from advisor.games.players import MARKS
from aspcircuits.clingo_api import Term, functor, render, unquote_term

if TYPE_CHECKING:  # games with a picture of their own need neither
    from advisor.games.rules import Rules
    from advisor.games.squares import Squares


@dataclass(frozen=True)
class Diagram:
    """The contents of a board.

    Attributes:
        rules: of the game.
        squares: at least one.
        shown: symbols on them, as column, row and symbol.
        title: describes the picture, for a screen reader.
        suggested: a move to point at, and its squares; both empty for none.
        shapes: see `advisor.games.rule_position.RulePosition`; such pieces stand on a chequered
            board.
    """

    rules: "Rules"
    squares: "Squares"
    shown: Collection[tuple[int, int, Term]]
    title: str
    suggested: tuple[str, Sequence[Square]]
    shapes: Mapping[str, Mapping[str, Any]]

    @cached_property
    def symbols(self) -> set[Term]:
        """All symbols that may stand on squares."""
        return {symbol for (*_, symbol), _ in self.rules.derived_atoms("at")}

    @cached_property
    def roles(self) -> tuple[Term, Term]:
        """Both players' symbols, the one who begins first; x and o if there are no others."""
        usual = MARKS[1], MARKS[2]
        return usual if self.symbols <= {*usual} else self.rules.roles

    @property
    def is_slanted(self) -> bool:
        """Each row begins half a square further right than the one below: a board of hexagons."""
        return bool(self.rules.derived_atoms("slanted"))

    def colour(self, symbol: Term) -> str:
        """Return a symbol's colour: from the rules, else from its name, else the player's."""
        named = COLOURS.get(text_of(symbol))
        usual = _PLAYERS[self.roles.index(symbol)] if symbol in self.roles else _OTHER
        return self.rules.display.colours.get(symbol) or named or usual

    @property
    def borders(self) -> list[dict[str, Any]]:
        """The sides of the board: the colour of each, and its corners as columns and rows."""
        symbols = dict(zip(self.rules.roles, self.roles, strict=True))
        return [
            {"colour": self.colour(symbols[role]), "corners": border(side, *self.squares.size)}
            for side, role in self.rules.display.sides.items()
        ]


def text_board(diagram: Diagram) -> list[str]:
    """Return the board as text, top row first, with the labels of rows and columns.

    A symbol is shown by its first letter, or by its first two if some begin alike.
    """
    letters = 1 if len({text_of(s)[:1] for s in diagram.symbols}) == len(diagram.symbols) else 2
    stands = {(x, y): text_of(symbol)[:letters] for x, y, symbol in diagram.shown}
    (width, height), called = diagram.squares.size, diagram.rules.display.edge
    columns = [called(0, x) for x in range(1, width + 1)]
    beside = [called(1, y) for y in range(1, height + 1)]
    edge, wide = max(map(len, beside)), max(letters, *map(len, columns)) + 1
    shift = (wide + 1) // 2 if diagram.is_slanted else 0
    found = [" " * edge + "".join(f"{column:>{wide}}" for column in columns)]
    for y in range(1, height + 1):
        squares = [(x, y) for x in range(1, width + 1)]
        cells = (stands.get(s, "." if s in diagram.squares.all else " ") for s in squares)
        row = f"{beside[y - 1]:>{edge}}" + "".join(f"{cell:>{wide}}" for cell in cells)
        found.append(" " * (shift * (y - 1)) + row)
    return found[::-1]


def listing(atoms: Collection[Term]) -> list[str]:
    """Return the atoms of a state without a board, as text: each predicate begins a line.

    >>> listing([("heap", 10, 2), ("heap", 9, 4), "odd"])
    ['heap(9,4) heap(10,2)', 'odd']
    """
    lines: list[str] = []
    found = sorted(atoms, key=lambda atom: (functor(atom), in_order(render(atom))))
    for _, same in groupby(found, functor):
        text = " ".join(map(render, same))
        lines += wrap(text, 80, break_long_words=False, break_on_hyphens=False)
    return lines


def text_of(symbol: Term) -> str:
    """Return a symbol's form in text and JSON."""
    return unquote_term(symbol) or render(symbol)


_CELL = 48.0
_EDGE = 30.0
_RADIUS = 17.0
_BOARD, _FIELD, _LINE, _TEXT, _MARK = "#5b4331", "#eedfc4", "#8a6a4b", "#f6ecdc", "#2a6f97"
_DARK, _LAST = "#b98b63", "#c9b34a"
_INKS = COLOURS["black"], "#ffffff"
_PLAYERS = COLOURS["black"], COLOURS["white"]
"""The players' colours if neither the rules nor the symbols name any."""
_OTHER = "#b9c3c9"
_POINT = 5.0
"""The radius of a point on lines."""

_HEXAGON = [(0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5)]
"""Corners around the middle; 1 to the right is half a square's width."""
_TALL = 1 / (2 * sin(pi / 3))
"""Distance from the middle of a hexagon of width 1 to its top."""


def svg(diagram: Diagram, last: Collection[Square] = ()) -> str:
    """Return the board as an SVG document; the last move's squares have a colour of their own."""
    (columns, rows), slanted = diagram.squares.size, diagram.is_slanted
    display = diagram.rules.display
    lean = (rows - 1) / 2 if slanted else 0.0
    step = 1.5 * _TALL if slanted else 1.0
    edge = _EDGE + (_BORDER * _CELL if display.sides else 0)
    width = (columns + lean) * _CELL + 2 * edge
    height = (1 + step * (rows - 1)) * _CELL + 2 * edge
    root = document(width, height)
    add(root, "title").text = diagram.title
    add(root, "rect", width="100%", height="100%", rx="8", fill=_BOARD)

    def middle(x: float, y: float) -> tuple[float, float]:
        across = x - 0.5 + ((y - 1) / 2 if slanted else 0)
        return edge + across * _CELL, height - edge - (0.5 + (y - 1) * step) * _CELL

    for side in diagram.borders:
        corners = [middle(*corner) for corner in side["corners"]]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        add(root, "polygon", points=points, fill=side["colour"])
    if display.lines:
        inner = {"width": width - 2 * edge, "height": height - 2 * edge}
        add(root, "rect", **inner, x=edge, y=edge, fill=_FIELD)
    for start, end in display.lines:
        (x1, y1), (x2, y2) = middle(*start), middle(*end)
        add(root, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_LINE, stroke_width=3)
    title, marked = diagram.suggested
    arrow = len(marked) > 1
    for x, y in sorted(diagram.squares.all):
        dark = diagram.shapes and (x + y) % 2 == 0
        fill = _LAST if (x, y) in last else _DARK if dark else _FIELD
        draw = _point if display.lines else _field
        draw(root, *middle(x, y), slanted, fill, not arrow and (x, y) in marked)
    for x, y, symbol in sorted(diagram.shown, key=repr):
        if shape := diagram.shapes.get(text_of(symbol)):
            _shape(root, *middle(x, y), shape, f"{display.edge(0, x)}{display.edge(1, y)}")
        else:
            _piece(root, *middle(x, y), symbol, diagram.colour(symbol))
    if arrow:
        _arrow(root, middle(*marked[0]), middle(*marked[-1]), f"suggested: {title}")
    beside = _CELL / 2 + edge - _EDGE / 2
    for x in range(1, columns + 1):
        across, down = middle(x, 1)
        below = down + beside - (_CELL * (0.5 - _TALL) if slanted else 0)
        _text(root, across, below, display.edge(0, x), _TEXT, 13)
    for y in range(1, rows + 1):
        across, down = middle(1, y)
        _text(root, across - beside + 2, down, display.edge(1, y), _TEXT, 13)
    return ET.tostring(root, encoding="unicode") + "\n"


_BORDER = 0.3
"""How far a coloured side reaches beyond the squares, in squares."""

_DEEP = 0.3
"""Distance of its inner edge from the middles of the outermost squares; gaps end at a third."""


def border(side: str, columns: int, rows: int) -> list[tuple[float, float]]:
    """Return a side of the board as a strip: its corners as columns and rows.

    The strip reaches from beyond the outermost squares to below them, as deep as hexagons leave
    gaps.
    """
    low, right, top = 0.5 - _BORDER, columns + 0.5 + _BORDER, rows + 0.5 + _BORDER
    outer = {
        "left": [(low, low), (low, top)],
        "right": [(right, low), (right, top)],
        "bottom": [(low, low), (right, low)],
        "top": [(low, top), (right, top)],
    }[side]
    inner = [
        (min(max(x, 1 - _DEEP), columns + _DEEP), min(max(y, 1 - _DEEP), rows + _DEEP))
        for x, y in outer
    ]
    return [*outer, *reversed(inner)]


def ink(colour: str) -> str:
    """Return a text colour that is readable on a colour: dark or light.

    >>> ink("#ffffff"), ink("#2a5599")
    ('#26211c', '#ffffff')
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return _INKS[0.299 * red + 0.587 * green + 0.114 * blue < 140]


def document(width: float, height: float) -> ET.Element:
    """Return an empty SVG document."""
    return ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )


def add(parent: ET.Element, tag: str, **attributes: str | float) -> ET.Element:
    """Add an element and return it; ``stroke_width`` becomes ``stroke-width``."""
    values = {
        name.replace("_", "-"): value if isinstance(value, str) else f"{value:g}"
        for name, value in attributes.items()
    }
    return ET.SubElement(parent, tag, values)


def _field(root: ET.Element, x: float, y: float, slanted: bool, fill: str, marked: bool) -> None:
    inset = 1.5 if marked else 0.0
    half = _CELL / 2 - inset
    style = {
        "fill": fill,
        "stroke": _MARK if marked else _LINE,
        "stroke_width": "4" if marked else "1",
    }
    if slanted:
        tall = _CELL * _TALL - inset
        corners = " ".join(f"{x + dx * half:.1f},{y + dy * tall:.1f}" for dx, dy in _HEXAGON)
        add(root, "polygon", points=corners, **style)
    else:
        side = 2 * half
        add(root, "rect", x=x - half, y=y - half, width=side, height=side, **style)


def _point(root: ET.Element, x: float, y: float, _: bool, fill: str, marked: bool) -> None:
    if marked or fill != _FIELD:
        style = {"fill": fill, "stroke": _MARK if marked else _LINE, "stroke_width": "4"}
        add(root, "circle", cx=x, cy=y, r=_RADIUS + 3, **style)
    else:
        add(root, "circle", cx=x, cy=y, r=_POINT, fill=_LINE)


def _shape(root: ET.Element, x: float, y: float, shape: Mapping[str, Any], place: str) -> None:
    corner = f"translate({x - _CELL / 2:g} {y - _CELL / 2:g})"
    group = add(root, "g", transform=corner, **{"class": f"piece {shape['name']}"})
    add(group, "title").text = f"{shape['name']} on {place}"
    style = {"stroke_width": "1.5", "stroke_linejoin": "round", "stroke_linecap": "round"}
    fill, lines = _PLAYERS[1 - shape["side"]], _PLAYERS[shape["side"]]
    add(group, "path", d=shape["outline"], fill=fill, stroke=_PLAYERS[0], **style)
    add(group, "path", d=shape["lines"], fill="none", stroke=lines, **style)


def _arrow(
    root: ET.Element, start: tuple[float, float], end: tuple[float, float], title: str
) -> None:
    (x1, y1), (x2, y2) = start, end
    long, turn = hypot(x2 - x1, y2 - y1), degrees(atan2(y2 - y1, x2 - x1))
    place = f"translate({x1:g} {y1:g}) rotate({turn:.2f})"
    group = add(root, "g", transform=place, **{"class": "suggested"})
    add(group, "title").text = title
    shape = f"M8 -4h{long - 28:.1f}v-8l20 12-20 12v-8h-{long - 28:.1f}z"
    add(group, "path", d=shape, fill=_MARK, opacity=0.85)


def _piece(root: ET.Element, x: float, y: float, symbol: Term, colour: str) -> None:
    text = text_of(symbol)
    add(root, "circle", cx=x, cy=y, r=_RADIUS, fill=colour, stroke=_LINE)
    _text(root, x, y, text[:1] if text in COLOURS else text[:2], ink(colour), 16)


def _text(root: ET.Element, x: float, y: float, text: str, fill: str, size: int) -> None:
    place = {"x": f"{x:g}", "y": f"{y + size / 3:.1f}"}
    font = {"text_anchor": "middle", "font_family": "sans-serif", "font_size": str(size)}
    add(root, "text", **place, fill=fill, **font).text = text
