"""Boards that clients send, and boards as they are shown; the only place here that knows a game."""

import io
import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from starlette.exceptions import HTTPException

import advisor
from advisor.errors import InputError
from advisor.files import textfile
from advisor.games import puzzles
from advisor.games.abilities import Abilities
from advisor.games.connect4 import exact
from advisor.games.connect4.board import DISCS, Position, geometry
from advisor.games.connect4.notation import Board, one_line, parse_line, read_board, to_yaml
from advisor.games.connect4.record import Record
from advisor.games.connect4.room import BoardRoom
from advisor.games.connect4.wording import squares_text
from advisor.games.players import COLOURS
from advisor.games.puzzles import Posed
from advisor.lab import quiz
from advisor.lab.quiz import Hint, Reply
from advisor.settings import reading
from advisor.web.limits import MAX_SIDE
from advisor.web.models import BoardRequest
from advisor.web.requests import settings

Json = dict[str, Any]


def position(request: BoardRequest) -> Position:
    """The position that a request names; the game may be over.

    Raises:
        InputError: the text is no board, the board is too large, a move is not possible.
    """
    return play_on(_board(request).position, request.moves)


def game(request: BoardRequest) -> Record:
    """The game that a request names by its moves.

    Raises:
        InputError: as `position`, and if there are no moves.
    """
    found = Record.of(_board(request))
    played = Record(found.start, (*found.moves, *request.moves))
    play_on(found.position, request.moves)
    if not played.moves:
        raise InputError("moves: none to review (give a game by its moves)")
    return played


Reader = Callable[[str], Position]


def reader(width: int, height: int, connect: int) -> Reader:
    """What reads the boards of a batch."""
    return partial(parse_line, size=geometry(width, height, connect))


def room(weights: str) -> BoardRoom:
    """Boards with the weights of a preset, or of a text that changes numbers only.

    Raises:
        ConfigError: it cannot be used.
    """
    return BoardRoom(weights=weights if weights in reading.presets() else settings(weights))


def public(room: BoardRoom, position: Position, moves: Sequence[int] = ()) -> advisor.Position:
    """A position, after some legal moves, as the public interface takes it."""
    return advisor.Game(room).at(Record(position, tuple(moves)))


def _board(request: BoardRequest) -> Board:
    """The board that a request names, before its further moves."""
    size = geometry(request.width, request.height, request.connect)
    raw = request.board.encode()
    if not raw.strip():
        return Board(Position(size), "board")
    try:
        found = read_board("-", stdin=io.BytesIO(raw), size=size)
    except InputError as error:
        raise InputError(f"board{str(error).removeprefix('stdin')}") from None
    size = found.position.geometry
    if max(size.width, size.height, size.connect) > MAX_SIDE:
        raise InputError(
            f"board: {size.width} x {size.height}, connect {size.connect} is too large here "
            f"(at most {MAX_SIDE}; the command line takes larger boards)"
        )
    return found


def play_on(position: Position, moves: Sequence[int]) -> Position:
    """The position after some more moves.

    Raises:
        InputError: a column that does not exist or is full, a game that is over.
    """
    try:
        return position.play_all(moves)
    except InputError as error:
        raise InputError(f"moves: {error}") from None


def view(found: Position) -> Json:
    """A position: what a page needs to draw it and to know what can be played."""
    size = found.geometry
    over = found.result() is not None
    winner = found.winner
    return {
        **size.constants,
        "rows": found.rows(),
        "turn": DISCS[found.turn],
        "moves": [] if over else [[c, found.row_of(c)] for c in sorted(found.moves())],
        "discs": found.discs,
        "over": over,
        "winner": DISCS[winner] if winner else None,
        "lines": found.lines(),
        "status": _status(found),
        "text": _text(found),
        "yaml": to_yaml(found),
    }


def load_book() -> None:
    """Loads the book of the exact engine that is installed, if one is, before anybody asks."""
    if exact.installed():
        exact.load_book()


def _status(found: Position) -> str:
    winner = found.winner
    if winner:
        where = " and ".join(map(squares_text, found.lines()))
        return f"{COLOURS[winner].capitalize()} has won {where}."
    if found.full:
        return "The game is over: a draw."
    return f"{COLOURS[found.turn].capitalize()} to move."


def _text(found: Position) -> str:
    """The shortest board text that gives this position again where its size is known."""
    line = one_line(found)
    try:
        return line if parse_line(line, found.geometry) == found else to_yaml(found)
    except InputError:
        return to_yaml(found)


def puzzle_view(posed: Posed) -> Json:
    """A puzzle as the book lists it, without its solution."""
    chapter, _, number = posed.id.rpartition("/")
    name = chapter.removeprefix("chapter").removeprefix(f"{puzzles.SECOND}/")
    return {
        "id": posed.id,
        "chapter": int(name) if name.isdigit() else name,
        "number": int(number),
        **posed.position.geometry.constants,
        "rows": posed.position.rows(),
        "turn": DISCS[posed.position.turn],
        "win_in": posed.win_in,
        "extra": posed.extra,
        "text": _text(posed.position),
    }


@cache
def book_view() -> bytes:
    """The object that lists the puzzles, as it is sent: the same one for everybody."""
    return json.dumps({"puzzles": [*map(puzzle_view, book().values())]}).encode()


@cache
def book() -> dict[str, Posed]:
    """The puzzles of both books by their ids, in their order, the extra ones too."""
    second = map(puzzles.load, puzzles.listed("second"))
    return {posed.id: posed for posed in (*puzzles.book(extra=True), *second)}


def puzzle(chapter: str, number: str) -> Posed:
    """A puzzle of the book; no other file of that name.

    Raises:
        HTTPException: there is no such puzzle.
    """
    wanted = f"{chapter}/{number}"
    if wanted not in book():
        raise HTTPException(404, f"no puzzle {textfile.quoted(wanted)} (see /api/puzzles)")
    return book()[wanted]


def refutation(game: Abilities, reply: Reply | None) -> str:
    """What the side to move does about a wrong move, in a sentence."""
    told = quiz.refuted(game, reply)
    return f"{told[0].upper()}{told[1:]}."


def hint(game: Abilities, found: Hint) -> Json:
    """A hint to the side to move."""
    columns = " or ".join(map(str, found.moves))
    text = f"It is column {columns}."
    if found.kind == "not":
        text = f"Not column {columns}. {refutation(game.after(found.moves[0]), found.reply)}"
    return {"kind": found.kind, "columns": list(found.moves), "text": text}


def pack(position: Position) -> list[int]:
    """A position as a job carries it."""
    size = position.geometry
    return [size.width, size.height, size.connect, position.turn, position.mover, position.mask]


def unpack(packed: list[int]) -> Position:
    """The position of a job."""
    width, height, connect, turn, mover, mask = packed
    return Position(geometry(width, height, connect), turn, mover, mask)
