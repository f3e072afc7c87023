"""A chess position as a picture: SVG text that needs nothing but itself, pieces included."""

import xml.etree.ElementTree as ET
from math import atan2, degrees, hypot

from advisor.games.chess.position import FILES, KINDS, SIDES, Position, square_name
from advisor.games.chess.san import Move
from advisor.games.diagram import add, document

_FOOT = "M12 43v-3q0-3 4-3h16q4 0 4 3v3z"
SHAPES = {
    "p": (
        "M24 9a6 6 0 0 1 4 10.5h2v3h-2.5q1 9 5 14.5h-17q4-5.5 5-14.5h-2.5v-3h2a6 6 0 0 1 4-10.5z"
        f"{_FOOT}",
        "",
    ),
    "r": (
        f"M13 9h5v4h4v-4h4v4h4v-4h5v9l-4 3 1.5 16h-17l1.5-16-4-3z{_FOOT}",
        "M17 21h14",
    ),
    "n": (
        "M22 8l2 4q11 2 11.5 15 0 6-1.5 10h-18q0-7 7-12-4 1-7 4-2 2-4-0.5-1-1.5 0.5-4 3-5"
        f" 4-9 1-4 4.5-5z{_FOOT}",
        "M21.5 16.5h0.5M29.5 17q3 4 2.5 11",
    ),
    "b": (
        "M24 5a2.5 2.5 0 0 1 1.5 4.5q7 5.5 7 12 0 4.5-4 7 1 5 3 8.5h-15q2-3.5 3-8.5-4-2.5-4-7 "
        f"0-6.5 7-12a2.5 2.5 0 0 1 1.5-4.5z{_FOOT}",
        "M24 15v9M20 19.5h8M20 28.5h8",
    ),
    "q": (
        f"M7 13l6.5 9 3-13 4 12.5 3.5-14 3.5 14 4-12.5 3 13 6.5-9-6 24h-22z{_FOOT}",
        "M14 32h20",
    ),
    "k": (
        "M22.5 4h3v3h3v3h-3v4q3-2 6-2 8 0 8 7.5 0 7-6.5 13.5l-1 4h-16l-1-4q-6.5-6.5-6.5-13.5"
        f" 0-7.5 8-7.5 3 0 6 2v-4h-3v-3h3z{_FOOT}",
        "M24 17v12M15 32.5h18",
    ),
}
"""Each kind of piece as two paths in a square of 48: its outline, and lines on it."""

_SIDE = 48
_EDGE = 22
_LIGHT, _DARK, _FRAME, _TEXT = "#eedfc4", "#b98b63", "#5b4331", "#f6ecdc"
_MARK, _POINT = "#c9b34a", "#2a6f97"
_FILL, _STROKE = ("#ffffff", "#26211c"), ("#26211c", "#f2ece2")
_RIM = "#26211c"


def svg(position: Position, last: Move | None = None, suggested: Move | None = None) -> str:
    """A position as an SVG document.

    Args:
        position: what stands on the board, and who is to move.
        last: the move that led there; its squares are marked.
        suggested: a move to point at.
    """
    size = 8 * _SIDE + 2 * _EDGE
    root = document(size, size)
    add(root, "title").text = f"{SIDES[position.turn]} to move: {position}"
    add(root, "rect", width=size, height=size, rx=6, fill=_FRAME)
    marked = {last.origin, last.target} if last else set()
    for rank in range(8, 0, -1):
        for file in range(1, 9):
            light = (file + rank) % 2 == 1
            fill = _MARK if (file, rank) in marked else _LIGHT if light else _DARK
            x, y = _corner(file, rank)
            add(root, "rect", x=x, y=y, width=_SIDE, height=_SIDE, fill=fill)
    labels = add(root, "g", fill=_TEXT, text_anchor="middle", font_size=13)
    labels.set("font-family", "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif")
    for number in range(1, 9):
        x, y = _corner(number, number)
        add(labels, "text", x=x + _SIDE / 2, y=size - 6).text = FILES[number - 1]
        add(labels, "text", x=_EDGE / 2, y=y + _SIDE / 2 + 5).text = str(number)
    for square, piece in sorted(position.pieces.items()):
        x, y = _corner(*square)
        side = piece.islower()
        outline, lines = SHAPES[piece.lower()]
        group = add(root, "g", transform=f"translate({x} {y})")
        group.set("class", f"piece {SIDES[side]} {KINDS[piece.lower()]}")
        name = f"{SIDES[side]} {KINDS[piece.lower()]} on {square_name(square)}"
        add(group, "title").text = name
        style: dict[str, str | float] = {
            "stroke_width": 1.5,
            "stroke_linejoin": "round",
            "stroke_linecap": "round",
        }
        add(group, "path", d=outline, fill=_FILL[side], stroke=_RIM, **style)
        if lines:
            add(group, "path", d=lines, fill="none", stroke=_STROKE[side], **style)
    if suggested:
        _arrow(root, suggested)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _arrow(root: ET.Element, move: Move) -> None:
    """From the middle of one square to that of another."""
    (x1, y1), (x2, y2) = (
        [side + _SIDE / 2 for side in _corner(*square)] for square in (move.origin, move.target)
    )
    length = hypot(x2 - x1, y2 - y1)
    turn = degrees(atan2(y2 - y1, x2 - x1))
    group = add(root, "g", transform=f"translate({x1:g} {y1:g}) rotate({turn:.2f})")
    group.set("class", "suggested")
    add(group, "title").text = f"suggested: {move}"
    shape = f"M8 -4h{length - 28:.1f}v-8l20 12-20 12v-8h-{length - 28:.1f}z"
    add(group, "path", d=shape, fill=_POINT, opacity=0.85)


def _corner(file: int, rank: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    return _EDGE + (file - 1) * _SIDE, _EDGE + (8 - rank) * _SIDE
