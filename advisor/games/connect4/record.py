"""A game of Connect Four as far as it has been played: where it began, and the moves since."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.connect4 import notation
from advisor.games.connect4.board import Position
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.wording import lines_text
from advisor.games.marks import Marks
from advisor.games.players import named


@dataclass(frozen=True, slots=True)
class Record:
    """See `advisor.games.room.Played`; moves are the columns.

    Attributes:
        start: where it began; the empty board, unless only a later position is known.
        moves: the columns played since.
    """

    start: Position
    moves: tuple[int, ...] = ()
    _now: Position | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, board: notation.Board) -> "Record":
        """The game that a board continues, with its moves if they are known."""
        start = Position(board.position.geometry)
        if start.play_all(board.moves) == board.position:
            return cls(start, board.moves, board.position)
        return cls(board.position)

    @property
    def position(self) -> Position:
        """The board now."""
        return self.start.play_all(self.moves) if self._now is None else self._now

    @property
    def from_empty(self) -> bool:
        """Whether the moves alone tell the game."""
        return self.start == Position(self.start.geometry)

    @property
    def made(self) -> tuple[int, ...]:
        """See `advisor.games.room.Played`."""
        return self.moves

    @property
    def played(self) -> "Iterator[Record]":
        """See `advisor.games.room.Played`."""
        yield (now := Record(self.start))
        for column in self.moves:
            yield (now := now.play(column))

    @property
    def names(self) -> Mapping[int, int]:
        """The columns from left to right."""
        position = self.position
        return {} if position.over else {column: column for column in sorted(position.moves())}

    @property
    def turn(self) -> int:
        """See `advisor.games.room.Played`."""
        return self.position.turn - 1

    @property
    def over(self) -> bool:
        """See `advisor.games.room.Played`."""
        return self.position.over

    @property
    def winner(self) -> int | None:
        """See `advisor.games.room.Played`."""
        winner = self.position.winner
        return winner - 1 if winner else None

    def move(self, said: Any, place: str | None = None) -> int:
        """A column by its number."""
        place = f"move {len(self.moves) + 1}: " if place is None else place
        width = self.start.geometry.width
        if not isinstance(said, Integral):
            raise InputError(f"{place}column {said!r} is not a whole number")
        if not 1 <= said <= width:
            raise InputError(f"{place}column {said} is out of range (use 1 to {width})")
        try:
            self.position.play(int(said))
        except InputError as error:
            raise InputError(f"{place}{error}") from None
        return int(said)

    def find(self, typed: str) -> int:
        """A column by its digits."""
        if not (typed.isascii() and typed.isdigit() and len(typed) < 9):
            raise InputError(f"{quoted(typed)} is not a column")
        return self.move(int(typed), "")

    def play(self, move: int) -> "Record":
        """See `advisor.games.room.Played`."""
        return Record(self.start, (*self.moves, move), self.position.after(move))

    def called(self, player: int) -> str:
        """By mark and colour."""
        return named(player + 1)

    def stands(self, position: Any) -> bool:
        """See `advisor.games.room.Played`."""
        return bool(position == self.position)

    @property
    def identity(self) -> tuple[object, ...]:
        """See `advisor.games.room.Played`."""
        return notation.GAME, self.start, self.moves

    @property
    def key(self) -> tuple[object, ...]:
        """See `advisor.games.room.Played`."""
        position = self.position
        size = position.geometry
        return size.width, size.height, size.connect, position.turn, tuple(position.rows())

    @property
    def rows(self) -> list[str]:
        """``.``, ``x`` or ``o`` a square."""
        return self.position.rows()

    def lines(self, pointed: Sequence[int] = ()) -> list[str]:
        """With the numbers of rows and columns, and arrows under columns that are pointed at."""
        g = self.start.geometry
        edge, wide = len(str(g.height)), len(str(g.width)) + 1
        lines = [
            f"{g.height - i:>{edge}}" + "".join(f"{disc:>{wide}}" for disc in row)
            for i, row in enumerate(self.rows)
        ]
        columns = range(1, g.width + 1)
        lines.append(" " * edge + "".join(f"{column:>{wide}}" for column in columns))
        if pointed:
            arrows = (f"{'^' if column in pointed else '':>{wide}}" for column in columns)
            lines.append((" " * edge + "".join(arrows)).rstrip())
        return lines

    @property
    def text(self) -> str:
        """Its moves or, without them, its rows."""
        if self.from_empty:
            return notation.move_string(self.moves, self.start.geometry)
        return notation.one_line(self.position)

    @property
    def line(self) -> str:
        """The moves since the beginning."""
        return notation.move_string(self.moves, self.start.geometry)

    @property
    def record(self) -> str:
        """A board file of the game; its moves are kept if they begin on the empty board."""
        if self.from_empty:
            return notation.moves_to_yaml(self.moves, self.start.geometry)
        return notation.to_yaml(self.position)

    @property
    def ended(self) -> str:
        """See `advisor.games.room.Played`."""
        position = self.position
        if not position.winner:
            return "a draw"
        return f"{named(position.winner)} has won {lines_text(position.lines())}"

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """The board as an array for an `Evaluator`, its size, and how many in line win."""
        g = self.start.geometry
        return {
            "cells": self._cells,
            "connect": lambda: g.connect,
            "size": lambda: (g.width, g.height),
        }

    def _cells(self) -> Any:
        rows = reversed(self.rows)
        return np.array([[notation.SYMBOLS[disc] for disc in row] for row in rows], np.int8)

    def svg(self, marks: Marks | None = None) -> str:
        """Discs in a frame."""
        return svg(self.position, marks)
