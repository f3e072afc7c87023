"""A Connect Four position as a picture: self-contained SVG text.

Everything lies on the board's own panel, so it is readable on a light and on a dark page. Discs
carry an x or an o and scores are written out: no meaning depends on colour alone.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from advisor.games.connect4.board import Board
from advisor.games.connect4.forcing import Line
from advisor.games.connect4.notation import square_name
from advisor.games.diagram import add, document
from advisor.games.marks import Marks, Worth
from advisor.games.phrasing import Cell
from advisor.games.players import COLOURS, MARKS, PLAYERS, player_label

_Value = str | float
_Style = dict[str, _Value]

MAX_SIDE = 1200
"""The longer side of a picture at its natural size, in pixels; it scales to any size."""

# In the units of the picture.
_CELL = 64
_RADIUS = 26
_MARGIN = 20
_LABELS = 34
_ARROWS = 12
_SCORES = 40

_PANEL, _HOLE, _TEXT, _WHITE = "#2f5f9f", "#16335f", "#dbe7fa", "#ffffff"
# Discs look as on the page.
_DISC = {1: "#d9483f", 2: "#f5c633"}
_RIM = {1: "#b5332b", 2: "#d3a112"}
_MARK = {1: "#7d1712", 2: "#8a6400"}
_HINT = {1: "#ff8078", 2: "#ffd23f"}
_BADGE = {"win": "#17723f", "loss": "#8a2a4a", "draw": "#56657d", "heuristic": "#1c3f78"}


def svg(position: Board, marks: Marks | None = None) -> str:
    """Return the position as an SVG document.

    Args:
        position: any position; a finished game shows its winning lines.
        marks: the suggested moves, the value of each column, expected lines and the numbers of a
            plan; without numbers, the squares on which a player would complete a line are shown
            too.
    """
    picture = _Picture(position, marks is not None)
    won = position.lines()
    picture.board(_title(position, marks))
    picture.lines(won, expected=False)
    if marks:
        picture.lines(marks.lines, expected=True)
    picture.discs({square for line in won for square in line})
    if marks:
        if marks.numbers:
            picture.numbers(marks.numbers)
        else:
            picture.threats()
        for column in sorted(marks.worth):
            picture.worth(column, marks.worth[column])
        for column in marks.suggested:
            picture.suggest(column)
    return picture.text()


def _title(position: Board, marks: Marks | None) -> str:
    """Describe the picture, for a screen reader."""
    if position.winner:
        return f"{player_label(position.winner)} has won"
    if position.full:
        return "a draw"
    title = f"{player_label(position.turn)} to move"
    if marks:
        title += f", suggested: column {' or '.join(map(str, sorted(marks.suggested)))}"
    return title


class _Picture:
    """The SVG elements, added from back to front."""

    def __init__(self, position: Board, advised: bool) -> None:
        self._position = position
        self._top = _MARGIN + advised * _ARROWS
        g = position.geometry
        width = _LABELS + g.width * _CELL + _MARGIN
        height = self._top + g.height * _CELL + _LABELS + advised * _SCORES
        scale = min(1.0, MAX_SIDE / max(width, height))
        self._root = document(width, height)
        self._root.set("width", f"{width * scale:g}")
        self._root.set("height", f"{height * scale:g}")
        self._root.set("font-family", "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif")
        self._root.set("text-anchor", "middle")
        self._panel: _Style = {"width": width, "height": height}

    def text(self) -> str:
        ET.indent(self._root)
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def board(self, title: str) -> None:
        """Draw the panel with its holes, and number rows and columns."""
        g = self._position.geometry
        add(self._root, "title").text = title
        add(self._root, "rect", rx=16, fill=_PANEL, **self._panel)
        labels = self._group("labels", fill=_TEXT, font_size=17, font_weight=600)
        holes = self._group("holes", fill=_HOLE)
        for row in range(1, g.height + 1):
            y = self._centre((row, 1))[1]
            add(labels, "text", x=_LABELS / 2 + 1, y=y + 6).text = str(row)
        for column in range(1, g.width + 1):
            x, y = self._centre((1, column))
            add(labels, "text", x=x, y=y + _CELL / 2 + 20).text = str(column)
        for square in g.squares_of(g.full & ~self._position.mask):
            x, y = self._centre(square)
            add(holes, "circle", cx=x, cy=y, r=_RADIUS)

    def discs(self, winning: set[Cell]) -> None:
        """Draw every disc with its mark; discs of a winning line have a white rim."""
        for player, row, column in self._position.cells():
            x, y = self._centre((row, column))
            name = f"{COLOURS[player]} on {square_name((row, column))}"
            disc = self._group(f"disc {MARKS[player]}", name)
            rim = _WHITE if (row, column) in winning else _RIM[player]
            style: _Style = {"fill": _DISC[player], "stroke": rim, "stroke_width": 4}
            add(disc, "circle", cx=x, cy=y, r=_RADIUS - 2, **style)
            self._mark(disc, player, x, y, 9, stroke=_MARK[player], stroke_width=4.5)

    def threats(self) -> None:
        """Draw a small mark on each empty square that completes a line, for one player or both."""
        position = self._position
        squares = {player: position.winning_squares(player) for player in PLAYERS}
        for player in PLAYERS:
            for square in position.geometry.squares_of(squares[player]):
                x, y = self._centre(square)
                if squares[1] & squares[2] & position.geometry.bit(*square):
                    x += 11 if player == 2 else -11
                name = f"{COLOURS[player]} completes a line on {square_name(square)}"
                threat = self._group(f"threat {MARKS[player]}", name)
                self._mark(threat, player, x, y, 6.5, stroke=_HINT[player], stroke_width=3.5)

    def numbers(self, numbers: Mapping[Cell, int]) -> None:
        """Write a plan's number on each empty square."""
        group = self._group("numbers", fill=_TEXT, font_size=22)
        for square, number in numbers.items():
            x, y = self._centre(square)
            add(group, "text", x=x, y=y + 8).text = str(number)

    def lines(self, lines: Iterable[Line], expected: bool) -> None:
        """Draw a stroke through each line, a thin one if the line is only expected."""
        for line in lines:
            squares = sorted(line, key=lambda square: square[::-1])
            start, end = squares[0], squares[-1]
            (x1, y1), (x2, y2) = self._centre(start), self._centre(end)
            group = self._group("line", f"a line {square_name(start)}-{square_name(end)}")
            style: _Style = {"stroke": _WHITE, "stroke_width": 4 if expected else 12}
            add(group, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_linecap="round", **style)

    def worth(self, column: int, worth: Worth) -> None:
        x, y = self._centre((1, column))
        below = y + _CELL / 2 + _LABELS - 4
        group = self._group(f"score {worth.kind}", worth.long)
        style: _Style = {"fill": _BADGE[worth.kind]}
        add(group, "rect", x=x - 29, y=below, width=58, height=30, rx=9, **style)
        size = min(16, 92 / len(worth.short))
        style = {"font_size": size, "font_weight": 700, "fill": _WHITE}
        add(group, "text", x=x, y=below + 20.5, **style).text = worth.short

    def suggest(self, column: int) -> None:
        """Draw a ring where the disc would rest, an arrow above, a frame around the score."""
        x, y = self._centre((self._position.row_of(column), column))
        below = self._centre((1, column))[1] + _CELL / 2 + _LABELS - 4
        group = self._group("suggested", f"suggested: column {column}")
        frame: _Style = {"fill": "none", "stroke": _WHITE, "stroke_width": 3}
        add(group, "rect", x=x - 29, y=below, width=58, height=30, rx=9, **frame)
        ring: _Style = {"fill": "none", "stroke": _HINT[self._position.turn], "stroke_width": 5}
        dashes = "9.03 6.03"  # ten of them around a radius of 24
        add(group, "circle", cx=x, cy=y, r=24, stroke_dasharray=dashes, **ring)
        arrow = f"M{x - 10:g} {self._top - 20}h20l-10 14z"
        add(group, "path", d=arrow, fill=_WHITE)

    def _mark(
        self, parent: ET.Element, player: int, x: float, y: float, size: float, **style: _Value
    ) -> None:
        if player == 1:
            cross = f"M{x - size:g} {y - size:g}l{2 * size:g} {2 * size:g}"
            cross += f"m0 {-2 * size:g}l{-2 * size:g} {2 * size:g}"
            add(parent, "path", d=cross, fill="none", stroke_linecap="round", **style)
        else:
            add(parent, "circle", cx=x, cy=y, r=size * 1.1, fill="none", **style)

    def _centre(self, square: Cell) -> tuple[float, float]:
        row, column = square
        height = self._position.geometry.height
        return _LABELS + (column - 0.5) * _CELL, self._top + (height - row + 0.5) * _CELL

    def _group(self, kind: str, title: str = "", **style: _Value) -> ET.Element:
        """Add a group of elements with a class and a tooltip."""
        group = add(self._root, "g", **style)
        group.set("class", kind)
        if title:
            add(group, "title").text = title
        return group
