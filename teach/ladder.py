"""The ladder's boards: which squares does a small program mark?

A program of the ladder derives ``mark(R, C)``. This module runs it on a position, together with the
rules of the board, and draws the squares that each answer set marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor import Position, position
from course import CONNECT4, AnswerSet, answer_sets, facts, squares

BOARD = CONNECT4 / "board.lp"
"""The rules of the board, which every program of the ladder may use."""

Square = tuple[int, int]
"""Row and column, from 1."""

_STEP = 26
"""Width of a square in a picture, in pixels."""

_DISCS = {"x": "#c8342b", "o": "#e5b400"}


@dataclass(frozen=True)
class Marks:
    """A position with marked squares, for each of some answer sets.

    Attributes:
        at: the position.
        answers: a title and the marked squares of each board that is drawn.
    """

    at: Position
    answers: Sequence[tuple[str, frozenset[Square]]]

    def __repr__(self) -> str:
        boards = [self._text_board(title, marked) for title, marked in self.answers]
        wide = [max(map(len, board)) for board in boards]
        lines = [
            "   ".join(part.ljust(width) for part, width in zip(row, wide, strict=True)).rstrip()
            for row in zip(*boards, strict=True)
        ]
        return "\n".join(lines)

    def _text_board(self, title: str, marked: frozenset[Square]) -> list[str]:
        """Draw a board; marked squares stand in brackets."""
        width, height = self.at.size
        lines = [title]
        for row in range(height, 0, -1):
            discs = self.at.rows[height - row]
            squares = ["[{}]" if (row, c + 1) in marked else " {} " for c in range(width)]
            line = "".join(square.format(disc) for square, disc in zip(squares, discs, strict=True))
            lines.append(f"{row:2} {line}")
        return [*lines, "   " + "".join(f"{c:2} " for c in range(1, width + 1))]

    def _repr_html_(self) -> str:
        boards = [
            '<figure style="display: inline-block; margin: 0 1em 0 0">'
            f"<figcaption>{title}</figcaption>{self._picture(marked)}</figure>"
            for title, marked in self.answers
        ]
        return f"<div>{''.join(boards)}</div>"

    def _picture(self, marked: frozenset[Square]) -> str:
        """Draw a board as SVG; marked squares are green."""
        width, height = self.at.size
        wide, high = _STEP * (width + 1), _STEP * (height + 1)
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">']
        for row in range(1, height + 1):
            y = _STEP * (height - row)
            parts.append(_label(_STEP // 2, y + _STEP // 2, row))
            for column in range(1, width + 1):
                x, disc = _STEP * column, self.at.rows[height - row][column - 1]
                fill = "#8fce8f" if (row, column) in marked else "#f4f4f4"
                box = f'x="{x}" y="{y}" width="{_STEP}" height="{_STEP}"'
                parts.append(f'<rect {box} fill="{fill}" stroke="#777"/>')
                if disc in _DISCS:
                    centre = f'cx="{x + _STEP // 2}" cy="{y + _STEP // 2}" r="{_STEP // 3}"'
                    parts.append(f'<circle {centre} fill="{_DISCS[disc]}"/>')
        for column in range(1, width + 1):
            parts.append(_label(_STEP * column + _STEP // 2, high - _STEP // 2, column))
        return "".join([*parts, "</svg>"])


def _label(x: int, y: int, number: int) -> str:
    style = 'font-size="12" text-anchor="middle" dominant-baseline="middle"'
    return f'<text x="{x}" y="{y}" {style}>{number}</text>'


def marked_squares(answer: AnswerSet) -> frozenset[Square]:
    """Return the squares that an answer set marks."""
    return frozenset(squares(answer, "mark"))


def marks(program: str, played: str = "", best: bool = False, most: int = 4) -> Marks:
    """Draw the squares that a program marks, in each of its answer sets.

    >>> ladder.marks("mark(R, C) :- cell(_, R, C), R > 1.", "4453").answers
    (('answer set 1 of 1', frozenset({(2, 4)})),)

    Args:
        program: rules for ``mark(R, C)``; they may use what ``board.lp`` derives.
        played: the columns played so far, on the usual board.
        best: whether to keep only the best answer sets, if the program optimises.
        most: maximum number of answer sets to draw.

    Raises:
        ProgramError: clingo refuses the program, or it takes too long.
    """
    at = position(played)
    found = answer_sets(BOARD, facts(at), program, show=["mark"], optimal=best)
    found = sorted(found, key=lambda answer: sorted(marked_squares(answer)))
    titles = [f"answer set {n} of {len(found)}" for n in range(1, len(found) + 1)]
    boards = [marked_squares(answer) for answer in found]
    return Marks(at, tuple(zip(titles, boards, strict=True))[:most])
