"""A game of Connect Four as far as it has been played: where it began, and the moves since."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from advisor.errors import InputError
from advisor.games.connect4 import notation
from advisor.games.connect4.board import Board
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.wording import lines_text, squares_text
from advisor.games.marks import Marks
from advisor.games.players import COLOURS, MARKS, named
from aspcircuits.arguments import is_whole
from aspcircuits.texts import quoted


@dataclass(frozen=True, slots=True)
class Record:
    """See `advisor.games.room.Played`; moves are the columns.

    Attributes:
        start: where it began; the empty board, unless only a later position is known.
        moves: the columns played since.
    """

    start: Board
    position: Board
    moves: tuple[int, ...] = ()
    numbered: ClassVar[bool] = False

    @classmethod
    def of(cls, position: Board, moves: tuple[int, ...] = ()) -> "Record":
        """The game with this position, and with the moves if they lead there."""
        start = Board(position.geometry)
        if start.play_all(moves) == position:
            return cls(start, position, moves)
        return cls(position, position)

    @property
    def from_start(self) -> bool:
        return self.start == Board(self.start.geometry)

    @property
    def made(self) -> tuple[int, ...]:
        return self.moves

    @property
    def played(self) -> "Iterator[Record]":
        yield (now := Record(self.start, self.start))
        for column in self.moves:
            yield (now := now.play(column))

    @property
    def names(self) -> Mapping[int, int]:
        position = self.position
        return {} if position.over else {column: column for column in sorted(position.moves())}

    @property
    def turn(self) -> int:
        return self.position.turn - 1

    @property
    def over(self) -> bool:
        return self.position.over

    @property
    def winner(self) -> int | None:
        winner = self.position.winner
        return winner - 1 if winner else None

    def move(self, said: Any, place: str | None = None) -> int:
        place = f"move {len(self.moves) + 1}: " if place is None else place
        if not is_whole(said):
            raise InputError(f"{place}column {said!r} is not a whole number")
        try:
            self.position.play(int(said))
        except InputError as error:
            raise InputError(f"{place}{error}") from None
        return int(said)

    def find(self, typed: str) -> int:
        if not (typed.isascii() and typed.isdigit()):
            raise InputError(f"{quoted(typed)} is not a column")
        return self.move(int(typed[:9]), "")

    def play(self, move: int) -> "Record":
        return Record(self.start, self.position.after(move), (*self.moves, move))

    def called(self, player: int) -> str:
        return named(player + 1)

    def stands(self, position: Any) -> bool:
        return bool(position == self.position)

    @property
    def key(self) -> tuple[object, ...]:
        position = self.position
        size = position.geometry
        return size.width, size.height, size.connect, position.turn, tuple(position.rows())

    @property
    def rows(self) -> list[str]:
        """``.``, ``x`` or ``o`` a square."""
        return self.position.rows()

    def lines(self) -> list[str]:
        g = self.start.geometry
        cell, edge = f"{{:>{len(str(g.width)) + 1}}}", f"{{:>{len(str(g.height))}}}"
        return notation.numbered_rows(self.position, {}, cell, edge)

    @property
    def picture(self) -> str:
        return "\n".join(self.rows)

    def code(self, move: int) -> str:
        return str(move)

    @property
    def text(self) -> str:
        """Its moves or, without them, its rows; of a composed position a board file."""
        return notation.to_yaml(self.position) if self.resumed is None else self.resumed

    @property
    def line(self) -> str:
        return notation.move_string(self.moves, self.start.geometry)

    @property
    def record(self) -> str:
        """A board file of the game; its moves are kept if they begin on the empty board."""
        return notation.to_yaml(self.position, self.moves if self.from_start else None)

    @property
    def resumed(self) -> str | None:
        """The moves or, without them, the picture; not of a composed position."""
        return self.line if self.from_start else self._drawn

    @property
    def _drawn(self) -> str | None:
        return notation.one_line(self.position) if notation.plain(self.position) else None

    def to_json(self) -> dict[str, Any]:
        """Its size, its rows, and each move as its column and the row where the disc rests."""
        position, winner = self.position, self.position.winner
        status = f"{COLOURS[position.turn].capitalize()} to move."
        if winner:
            where = " and ".join(map(squares_text, position.lines()))
            status = f"{COLOURS[winner].capitalize()} has won {where}."
        elif position.full:
            status = "The game is over: a draw."
        return {
            **self.start.geometry.constants,
            "rows": self.rows,
            "turn": MARKS[position.turn],
            "moves": [[column, position.row_of(column)] for column in self.names],
            "discs": position.discs,
            "over": position.over,
            "winner": MARKS[winner] if winner else None,
            "lines": position.lines(),
            "status": status,
            "text": self._drawn or notation.to_yaml(position),
            "yaml": self.record if self.moves else notation.to_yaml(position),
            "made": list(self.moves) if self.from_start else [],
        }

    @property
    def completed(self) -> list[tuple[tuple[int, int], ...]]:
        return self.position.lines()

    @property
    def won_on(self) -> str:
        return lines_text(self.position.lines())

    @property
    def passed_over(self) -> Sequence[str]:
        return ()

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """The board as an array for an `Evaluator`, its size, and how many in line win."""
        g = self.start.geometry
        return {
            "cells": lambda: np.array(
                [[notation.SYMBOLS[disc] for disc in row] for row in reversed(self.rows)], np.int8
            ),
            "connect": lambda: g.connect,
            "size": lambda: (g.width, g.height),
        }

    def svg(self, marks: Marks | None = None) -> str:
        return svg(self.position, marks)
