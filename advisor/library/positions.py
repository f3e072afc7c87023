"""Positions: Connect Four here, other games in `advisor.library.games`, asked in the same way."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games import position_file
from advisor.games.connect4 import notation
from advisor.games.connect4.board import MAX_CONNECT, MAX_SIDE, Geometry, geometry
from advisor.games.connect4.board import Position as Bitboards
from advisor.games.connect4.notation import GAME, STANDARD
from advisor.games.connect4.record import Game as Record
from advisor.games.players import MARKS, named
from advisor.library.arguments import unchanging, whole

if TYPE_CHECKING:
    from advisor.advice.advise import Advice
    from advisor.library.games import Game, State


@unchanging
@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """A position of Connect Four, and the moves that led there if they are known.

    Two are equal if their games are, and have the same `key` if their boards are. `position` makes
    one; none is ever changed.

    >>> p = advisor.position("4453")
    >>> p.turn, p.moves, p.played
    ('x', (1, 2, 3, 4, 5, 6, 7), (4, 4, 5, 3))
    >>> print(p.play(4))
    6 . . . . . . .
    5 . . . . . . .
    4 . . . . . . .
    3 . . . x . . .
    2 . . . o . . .
    1 . . o x x . .
      1 2 3 4 5 6 7
    o (yellow) to move

    Attributes:
        record: where the game began, and the moves since (internal).
        bitboards: the position now, as the search sees it (internal).
    """

    record: Record
    bitboards: Bitboards

    @classmethod
    def of(cls, board: notation.Board) -> Board:
        """What a text or a file says of a board (internal)."""
        return cls(Record.of(board), board.position)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.bitboards.geometry.width, self.bitboards.geometry.height

    @property
    def connect(self) -> int:
        """How many discs in line win."""
        return self.bitboards.geometry.connect

    @property
    def turn(self) -> str:
        """Who is to move: ``"x"`` (red, who begins) or ``"o"`` (yellow)."""
        return MARKS[self.bitboards.turn]

    @property
    def moves(self) -> tuple[int, ...]:
        """The columns that can be played, from left to right; none if the game is over."""
        return () if self.over else tuple(sorted(self.bitboards.moves()))

    @property
    def played(self) -> tuple[int, ...]:
        """The columns played so far; none where only the discs were given."""
        return self.record.moves

    @property
    def over(self) -> bool:
        """Whether somebody has won or the board is full."""
        return self.bitboards.over

    @property
    def winner(self) -> str | None:
        """``"x"`` or ``"o"``; None for a draw and while the game goes on."""
        return MARKS.get(self.bitboards.winner)

    @property
    def rows(self) -> tuple[str, ...]:
        """What lies on each row, the top one first: ``.``, ``x`` or ``o`` a square."""
        return tuple(self.bitboards.rows())

    @property
    def cells(self) -> npt.NDArray[np.int8]:
        """The discs as an array for `Evaluator`.

        Returns:
            shape (rows, columns), the bottom row first: 0 for nobody's, 1 for x, 2 for o.
        """
        symbols = [[notation.SYMBOLS[disc] for disc in row] for row in reversed(self.rows)]
        return np.array(symbols, np.int8)

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same for the same board and side to move, whatever moves led there.

        >>> advisor.position("4453").key == advisor.position("44").key
        False
        >>> advisor.position("4453").key == advisor.position("4354").key
        True

        Returns:
            something to compare and to look up by; what it holds may change.
        """
        return self.size, self.connect, self.turn, self.rows

    @property
    def text(self) -> str:
        """What `position` reads as this board again: its moves or, without them, its rows.

        >>> advisor.position("44").text, advisor.position("x../ox.", size=(3, 2)).text
        ('44', 'x../ox.')
        """
        if self.record.from_empty:
            return notation.move_string(self.played, self.bitboards.geometry)
        return notation.one_line(self.bitboards)

    def play(self, *columns: int) -> Board:
        """The position after one move or several.

        >>> advisor.position().play(4, 4, 4).played
        (4, 4, 4)

        Raises:
            InputError: there is no such column, it is full, or the game is over.
        """
        record, now = self.record, self.bitboards
        for column in columns:
            chosen = whole("column", column, 1, now.geometry.width)
            now = now.play(chosen)
            record = Record(record.start, (*record.moves, chosen))
        return Board(record, now)

    def back(self, moves: int = 1) -> Board:
        """The position so many moves before.

        Raises:
            InputError: fewer are known.
        """
        known = len(self.played)
        left = known - whole("moves back", moves, 0, known)
        record = Record(self.record.start, self.played[:left])
        return Board(record, record.position)

    def svg(self, advice: Advice | None = None) -> str:
        """A picture, as an SVG document.

        Args:
            advice: of this position, if its moves and their worth are to be shown.

        Raises:
            InputError: it is of another one.
        """
        if advice and getattr(advice, "position", None) != self.bitboards:
            raise InputError("the advice is of another position")
        from advisor.games.connect4.drawing import svg
        from advisor.views.marks import marks

        return svg(self.bitboards, marks(advice) if advice else None)

    def _repr_svg_(self) -> str:  # what notebooks show
        return self.svg()

    def __str__(self) -> str:
        width, height = self.size
        edge, wide = len(str(height)), len(str(width))
        lines = [
            f"{height - i:>{edge}}" + "".join(f" {disc:>{wide}}" for disc in row)
            for i, row in enumerate(self.rows)
        ]
        lines.append(" " * edge + "".join(f" {column:>{wide}}" for column in range(1, width + 1)))
        return "\n".join([*lines, self._status])

    @property
    def _status(self) -> str:
        if not self.over:
            return f"{named(self.bitboards.turn)} to move"
        return f"{named(self.bitboards.winner)} has won" if self.winner else "a draw"

    def __repr__(self) -> str:
        size = f", size={self.size}" if self.size != (STANDARD.width, STANDARD.height) else ""
        connect = f", connect={self.connect}" if self.connect != STANDARD.connect else ""
        return f"advisor.position({self.text!r}{size}{connect})"


@overload
def position(
    text: str | Sequence[int] = "",
    *,
    size: tuple[int, int] = (7, 6),
    connect: int = 4,
    game: None = None,
) -> Board: ...


@overload
def position(
    text: str | Path | Sequence[str] = "",
    *,
    game: str | os.PathLike[str] | Game,
    constants: Mapping[str, int] | None = None,
) -> State: ...


@overload
def position(
    text: Path, *, size: tuple[int, int] = (7, 6), connect: int = 4, game: None = None
) -> Board | State: ...


def position(
    text: str | Path | Sequence[int] | Sequence[str] = "",
    *,
    size: tuple[int, int] = (7, 6),
    connect: int = 4,
    game: str | os.PathLike[str] | Game | None = None,
    constants: Mapping[str, int] | None = None,
) -> Board | State:
    """A position, of Connect Four unless a game is named.

    >>> advisor.position("4453").play(4).turn
    'o'
    >>> advisor.position([4, 4, 5, 3]) == advisor.position("4453")
    True
    >>> advisor.position(". . . / . o . / x x o", size=(3, 3), connect=3).moves
    (1, 2, 3)
    >>> advisor.position("b2 a1", game="tictactoe").turn
    'x'
    >>> advisor.position("4444444")
    Traceback (most recent call last):
    advisor.errors.InputError: '4444444': move 7: column 4 is full (6 discs)

    Args:
        text: the columns played (``"4453"``, with commas on boards wider than 9), a picture whose
            rows are lines or have ``/`` between them, top row first, the text of a board file
            (YAML) or facts such as ``cell(1,1,4).``; of another game the moves so far, in chess
            also a FEN or PGN. A `pathlib.Path` is a file with a board, of any game; with `game`
            one that holds such a text. The moves from the start may also be a list, as `played`
            gives them.
        size: columns and rows of a board that does not say its own, each 1 to 40.
        connect: how many in line win there.
        game: the name of a game, its folder, or what `load_game` gave.
        constants: numbers that the rules of the game named leave open, as ``{"size": 5}``.

    Raises:
        InputError: the text is no position, or there is no such game; it says where and what is
            allowed.
        EncodingError: the game's rules cannot be played.
    """
    if game is None and constants:
        raise InputError("constants are for games by their rules (see size, connect)")
    usual = (STANDARD.width, STANDARD.height), STANDARD.connect
    if game is not None and (size, connect) != usual:
        raise InputError("size, connect are for Connect Four alone (see constants)")
    if not isinstance(text, str | Path):
        if not isinstance(text, Sequence | np.ndarray):
            raise InputError(
                f"a position is given by a text, a list of moves or a pathlib.Path, not by {text!r}"
            )
        if game is not None:
            return position(game=game, constants=constants).play(*text)
        return _after(position(size=size, connect=connect), text)
    if game is not None:
        from advisor.library.games import state

        if isinstance(text, Path):
            text = textfile.read_text(text)
        return state(game, text, constants)
    board = board_size(size, connect)
    if isinstance(text, Path):
        given = position_file.read(str(text), GAME)
        if given is not None:
            from advisor.library.games import state

            with at(given.name):
                return state(given.game, given.moves, given.constants)
        if not text.is_file():
            textfile.read_text(text)  # says what is wrong with it
        return Board.of(notation.read_board(str(text), size=board))
    name = textfile.quoted(text)
    with at(name):
        return Board.of(notation.board_of_text(text, board, name))


def _after(board: Board, columns: Sequence[int] | Sequence[str]) -> Board:
    for number, column in enumerate(columns, 1):
        with at(f"move {number}"):
            board = board.play(whole("column", column, 1, board.size[0]))
    return board


def board_size(size: tuple[int, int], connect: int) -> Geometry:
    """The board of a size, if there can be one (internal)."""
    if not isinstance(size, Sequence) or isinstance(size, str) or len(size) != 2:
        raise InputError(f"size {size!r} is not a pair of columns and rows such as (8, 7)")
    width, height = (
        whole(name, side, 1, MAX_SIDE) for name, side in zip(("width", "height"), size, strict=True)
    )
    return geometry(width, height, whole("connect", connect, 1, MAX_CONNECT))
