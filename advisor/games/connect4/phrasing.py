"""Phrasing of Connect Four: columns, squares, lines, colours."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from advisor.engine.answer_sets import best_models
from advisor.engine.nodes import play_moves
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.forcing import Line, completed_lines, ending_lines
from advisor.games.connect4.notation import GAME, square_name
from advisor.games.connect4.position import BoardPosition
from advisor.games.connect4.wording import columns_text, lines_text, outcome, spans, squares_text
from advisor.games.phrasing import Cell, Json, Phrasing
from advisor.games.players import COLOURS, MARKS, player_label
from advisor.games.score import Score
from advisor.games.wording import PLACES, few, join_words, number
from advisor.settings.texts import Texts
from aspcircuits.clingo_api import Model, Term, render

_PLAYED_OUT = 10
"""Beyond this many moves, a win is not searched for its lines: there are too many replies."""


class BoardPhrasing(Phrasing):
    """`advisor.games.phrasing.Phrasing` for Connect Four; reasons are squares or lines of them."""

    game = GAME
    noun = "column"
    drawn = "neither player can complete a line any more"
    players = (MARKS[1], MARKS[2])

    def __init__(self, position: BoardPosition, texts: Texts) -> None:
        self._position = position
        self._board = position.board
        self._texts = texts
        self.turn = position.side

    @property
    def texts(self) -> Texts:
        return self._texts

    def player_name(self, player: int) -> str:
        return COLOURS[player + 1]

    def player_label(self, player: int) -> str:
        return player_label(player + 1)

    def code(self, move: int) -> int:
        return move

    def play_name(self, move: int) -> int:
        return move

    def find_move(self, name: Any) -> int:
        return self._position.read_move(name, "")

    def encode_move(self, move: int) -> Term:
        return ("move", self._board.row_of(move), move)

    def moves(self, moves: Sequence[int], last: str = "and") -> str:
        if last == "and":
            return columns_text(sorted(moves))
        return f"column {join_words(map(str, sorted(moves)), last)}"

    def names_along(self, line: Sequence[int]) -> list[str]:
        return [*map(str, line)]

    def reasons(self, reasons: Sequence[Line]) -> list[str]:
        """Name lines from end to end, overlapping ones as one; ``on d1`` for a square."""
        return [squares_text(span) for span in spans(reasons)]

    def places(self, places: Sequence[Term]) -> list[str]:
        """Name squares, or lines if there are any."""
        squares = {squares_of(place, self._board.geometry) for place in places} - {()}
        if all(len(each) == 1 for each in squares):
            alone = sorted((square for (square,) in squares), key=lambda square: square[::-1])
            return [square_name(square) for square in alone]
        return self.reasons([*squares])

    def values(self, move: int, reasons: Sequence[Line]) -> Mapping[str, str]:
        """Return the words for lines, the square, its row, and empty squares of the lines."""
        row, holes = self._board.row_of(move), self.holes(move, reasons)
        where = self.reasons(reasons)
        # Lines that overlap are named as one place.
        noun = "lines" if len(where) == len(reasons) else f"{number(len(reasons))} lines"
        return {
            "lines": f"{'a line' if len(reasons) == 1 else noun} {few(where)}",
            "holes": join_words(map(square_name, holes), "and"),
            "square": square_name((row, move)),
            "rows": "odd" if row % 2 else "even",
        }

    def holes(self, move: int, reasons: Sequence[Line]) -> list[Cell]:
        """Return the squares of lines that are still empty after a move."""
        lying = {square for line in reasons for square in line if not self._board.at(*square)}
        lying.discard((self._board.row_of(move), move))
        return sorted(lying, key=lambda hole: hole[::-1])

    def outcome(self, score: Score) -> str:
        return outcome(score)

    def every(self, score: Score) -> str:
        """Return the outcome of all moves; outcomes are verbs here."""
        return f"Every {self.noun} {outcome(score)}."

    def ending(self, move: int, score: Score, line: Sequence[int]) -> str:
        """Name the lines of which one is completed, if the win is short enough to know them."""
        if score.kind == "draw":
            return " with best play"
        turn = self._board.turn
        winner = turn if score.kind == "win" else 3 - turn
        me, you = COLOURS[winner], COLOURS[3 - winner]
        lines = self.lines(move, score)
        where = lines_text(lines, "or")
        if score.moves == 1 and lines:
            return f": {me} {'then ' if winner != turn else ''}completes a line {where}"
        if lines and len(spans(lines)) <= PLACES:
            return f": whatever {you} does, {me} completes a line {where}"
        told = f", whatever {you} does"
        if expected := ending_lines(play_moves(self._board, line)):
            told += f"; after the best defence {me} completes a line {lines_text(expected)}"
        return told

    def lines(self, move: int, score: Score) -> tuple[Line, ...]:
        """Return the lines of which one is completed; none if the win is too long to try every
        reply.
        """
        needed = score.moves
        if score.kind not in ("win", "loss") or not needed or needed > _PLAYED_OUT:
            return ()
        turn, after = self._board.turn, self._board.after(move)
        if after.winner:
            return ending_lines(after)
        wins = score.kind == "win"
        return completed_lines(after, turn if wins else 3 - turn, needed - wins) or ()

    def describe_lines(self, move: int, score: Score) -> str:
        return lines_text(self.lines(move, score), "or")

    def comes_to(self, moves: Sequence[int], score: Score, mean: float | None = None) -> str:
        told = self.outcome(score) or f"scores {score.value or 0}"
        return f"{self.moves(moves, 'or')} {told}"

    def describe_blocks(self, move: int, better: Sequence[int]) -> list[str]:
        position = self._board
        urgent = position.winning_squares(3 - position.turn) & position.playable
        squares = position.geometry.squares_of(urgent)
        return [f"a block on {square_name(square)}" for square in squares if square[1] in better]

    def cells(self, move: int) -> Mapping[str, str]:
        """Return the column, and the row on which the disc comes to rest."""
        return {"column": str(move), "row": str(self._board.row_of(move))}

    def move_json(self, move: int) -> Json:
        return {"column": move, "row": self._board.row_of(move)}

    def because_json(self, reasons: Sequence[Line]) -> Json:
        """Return the squares without their lines."""
        squares = sorted({square for reason in reasons for square in reason})
        return {"squares": [list(square) for square in squares]}

    def where_json(self, place: Term) -> Json:
        """Return the place's name, and its squares as far as they are known."""
        squares = squares_of(place, self._board.geometry)
        return {"where": _text(place), "squares": [list(square) for square in squares]}


_text = lru_cache(maxsize=1 << 16)(render)


@lru_cache(maxsize=1 << 16)
def squares_of(where: Term, g: Geometry) -> tuple[Cell, ...]:
    """Return the squares that a term of the encodings names; none if it names none.

    A line's name stands for its squares; anything else with a row and a column, such as ``square(R,
    C)`` and ``on(R, C, Line)``, for that square.
    """
    lines = _lines(g)
    if where in lines:
        return lines[where]
    numbers = [part for part in where if isinstance(part, int)] if isinstance(where, tuple) else []
    match numbers:
        case [row, column] if 1 <= row <= g.height and 1 <= column <= g.width:
            return ((row, column),)
    return ()


@cache
def _lines(g: Geometry) -> Mapping[Term, Line]:
    """Return the squares of each line by its name, as in ``board.lp``."""
    (model,) = best_models([ENCODINGS / "connect4" / "board.lp"], (), {}, g.constants)
    return lines_of(model)


def lines_of(model: Model) -> dict[Term, Line]:
    """Return the squares of each line in an answer set, by the line's name."""
    found: dict[Term, list[Cell]] = defaultdict(list)
    for atom in model.atoms:
        if atom[0] == "on_line":
            _, line, row, column = atom
            found[line].append((row, column))
    return {line: tuple(sorted(squares)) for line, squares in found.items()}
