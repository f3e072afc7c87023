"""A position of Connect Four: where its game began, the moves since, and the board."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar, Literal, cast

import numpy as np

from advisor.errors import InputError
from advisor.games.bounds import Bounds, Solved
from advisor.games.connect4 import notation
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.wording import lines_text, outcome, squares_text
from advisor.games.game import Game, Position, Question, Told, unchanging
from advisor.games.marks import Marks
from advisor.games.players import COLOURS, MARKS, player, player_label
from advisor.games.score import Score
from advisor.settings.config import Config
from advisor.settings.reading import for_other_boards
from aspcircuits.arguments import is_whole
from aspcircuits.texts import quote_text


def settings_on(size: Geometry, config: Config) -> Config:
    """Return the settings for a board: weights may have been learned on the standard one only."""
    return config if size == geometry() else for_other_boards(config)


@unchanging
@dataclass(frozen=True, slots=True, repr=False)
class BoardPosition(Position):
    """A Connect Four `advisor.games.game.Position`; moves are columns, as terms too.

    Attributes:
        start: the board at the beginning; empty, unless only a later position is known.
        board: the board now.
    """

    game: Game = field(compare=False)
    start: Board
    board: Board
    path: tuple[int, ...] = ()
    numbered: ClassVar[bool] = False

    @classmethod
    def of(cls, game: Game, board: Board, columns: tuple[int, ...] = ()) -> "BoardPosition":
        """Return the position with this board, and with the columns played if they lead there."""
        start = Board(board.geometry)
        if start.play_all(columns) == board:
            return cls(game, start, board, columns)
        return cls(game, board, board)

    def __reduce__(self) -> tuple[Any, ...]:
        return _play_columns, (self.game, None if self.from_start else self.start, self.path)

    def by(self, game: Game) -> "BoardPosition":
        return replace(self, game=game)

    def on(self, board: Board) -> "BoardPosition":
        """Return another board of this size, as a new beginning."""
        return BoardPosition.of(self.game, board)

    @property
    def from_start(self) -> bool:
        return self.start == Board(self.start.geometry)

    @property
    def played(self) -> tuple[int, ...]:
        return self.path

    @property
    def positions(self) -> "Iterator[BoardPosition]":
        yield (now := BoardPosition(self.game, self.start, self.start))
        for column in self.path:
            yield (now := now.after(column))

    @property
    def names(self) -> Mapping[int, int]:
        board = self.board
        return {} if board.over else {column: column for column in sorted(board.moves())}

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(self.names)  # none once the game is over

    @property
    def side(self) -> int:
        return self.board.turn - 1

    @property
    def over(self) -> bool:
        return self.board.over

    @property
    def winning_side(self) -> int | None:
        winner = self.board.winner
        return winner - 1 if winner else None

    def read_move(self, said: Any, place: str | None = None) -> int:
        place = f"move {len(self.path) + 1}: " if place is None else place
        if isinstance(said, str) and said.isascii() and said.isdigit():
            said = int(said[:9])  # as reviews name moves
        if not is_whole(said):
            raise InputError(f"{place}column {said!r} is not a whole number")
        try:
            self.board.play(int(said))
        except InputError as error:
            raise InputError(f"{place}{error}") from None
        return int(said)

    def read_typed(self, typed: str) -> int:
        if not (typed.isascii() and typed.isdigit()):
            raise InputError(f"{quote_text(typed)} is not a column")
        return self.read_move(typed, "")

    def after(self, term: int) -> "BoardPosition":
        return BoardPosition(self.game, self.start, self.board.after(term), (*self.path, term))

    def player_label(self, side: int) -> str:
        return player_label(side + 1)

    @property
    def key(self) -> tuple[object, ...]:
        board, size = self.board, self.board.geometry
        return size.width, size.height, size.connect, board.turn, tuple(board.rows())

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows, with ``.``, ``x`` or ``o`` for each square."""
        return tuple(self.board.rows())

    def lines(self) -> list[str]:
        g = self.start.geometry
        cell, edge = f"{{:>{len(str(g.width)) + 1}}}", f"{{:>{len(str(g.height))}}}"
        return notation.numbered_rows(self.board, {}, cell, edge)

    def code_of(self, term: int) -> str:
        return str(term)

    @property
    def text(self) -> str:
        """The moves or, without them, the rows; for a composed position a board file."""
        return notation.to_yaml(self.board) if self.resume_text is None else self.resume_text

    @property
    def moves_line(self) -> str:
        return notation.move_string(self.path, self.start.geometry)

    @property
    def record(self) -> str:
        """A board file of the game; it keeps the moves if they begin on the empty board."""
        return notation.to_yaml(self.board, self.path if self.from_start else None)

    @property
    def resume_text(self) -> str | None:
        """The moves or, without them, the picture; None for a composed position."""
        return self.moves_line if self.from_start else self._one_line

    @property
    def _one_line(self) -> str | None:
        return notation.one_line(self.board) if notation.plain(self.board) else None

    def to_json(self) -> dict[str, Any]:
        """Return the board's size, its rows, and each move's column and row."""
        board, winner = self.board, self.board.winner
        status = f"{COLOURS[board.turn].capitalize()} to move."
        if winner:
            where = " and ".join(map(squares_text, board.lines()))
            status = f"{COLOURS[winner].capitalize()} has won {where}."
        elif board.full:
            status = "The game is over: a draw."
        return {
            **self.start.geometry.constants,
            "rows": [*self.rows],
            "turn": MARKS[board.turn],
            "moves": [[column, board.row_of(column)] for column in self.names],
            "discs": board.discs,
            "over": board.over,
            "winner": MARKS[winner] if winner else None,
            "lines": board.lines(),
            "status": status,
            "text": self._one_line or notation.to_yaml(board),
            "yaml": self.record if self.path else notation.to_yaml(board),
            "made": list(self.path) if self.from_start else [],
        }

    @property
    def won_lines(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        return tuple(self.board.lines())

    @property
    def won_on(self) -> str:
        return lines_text(self.board.lines())

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

    def draw(self, marks: Marks | None) -> str:
        return svg(self.board, marks)

    @property
    def symbols(self) -> tuple[str, ...]:
        return self.game.players

    def with_squares(
        self, squares: Mapping[tuple[int, int], str], player: str | None
    ) -> "BoardPosition":
        """Return the position with other discs; it is composed if the discs imply another turn."""
        return self.on(notation.put_discs(self.board, squares, player))

    @property
    def written(self) -> str:
        g, unusual = self.start.geometry, notation.unusual(self.start.geometry)
        size = f", size={(g.width, g.height)}" if {"width", "height"} & {*unusual} else ""
        return repr(self.text) + size + (f", connect={g.connect}" if "connect" in unusual else "")

    def describe_solution(self, known: Solved) -> Told:
        from advisor.games.connect4.solver import winner_moves

        def describe_bounds(known: Bounds) -> tuple[str, str]:
            points = f"{known.lower} to {known.upper}" if known.score is None else str(known.score)
            if known.outcome is None:
                return points, "not proved in time"
            return points, outcome(Score(known.outcome, winner_moves(self.board, known.score)))

        moves = known.moves or {}
        rows = [(str(column), *describe_bounds(moves[column])) for column in sorted(moves)]
        score, result = describe_bounds(known.position)
        nodes, seconds = known.position.nodes, known.position.seconds
        effort = f"engine {known.engine}: {nodes} positions in {seconds:.2f} s"
        if known.engine == "book":
            effort = "known by exact play (opening book)"
        return Told(f"score {score}: {result}", ("column", "score", "outcome"), rows, effort)

    def question(
        self, program: Literal["moves", "features"] = "moves", plan: str | None = None
    ) -> Question:
        from advisor.engine.answer_sets import OPTIONS, as_program
        from advisor.games.connect4.proofs import find_proofs

        if plan is not None:
            return find_proofs().question(self.board, player(plan))
        size = self.board.geometry
        settings = settings_on(size, self.game.settings)
        about = "minus the cost is its value for x"
        if program == "moves":
            about = "an answer holds a best move"
        files, weights = settings.files(program), settings.weights[program]
        text = as_program(files, self.board.facts(), weights, size.constants)
        return Question(f", weights {settings.name}: {about}", OPTIONS, text)


def _play_columns(game: Game, start: Board | None, columns: tuple[int, ...]) -> BoardPosition:
    """Return the position after some columns, from the empty board if no other one is given."""
    begun = game.position() if start is None else BoardPosition(game, start, start)
    position: BoardPosition = reduce(BoardPosition.after, columns, cast(BoardPosition, begun))
    return position
