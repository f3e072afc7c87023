"""Boards as text: pictures, move strings, YAML files, `cell/3` facts; read and written.

Rows count from 1 at the bottom and columns from 1 at the left, in errors too; a picture shows its
top row first. `x` (player 1) moves first, `o` (player 2) second. The discs determine the player to
move. A composed position, whose discs no game could leave, says ``free: true``, and then ``turn``
decides.

The reader checks what a person would notice in a picture: that discs rest on something, that their
numbers fit the turn and that at most the player who moved last has a line. It does not ask whether
some order of moves leads there.
"""

import os.path
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, BinaryIO

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.files.textfile import amount
from advisor.games.connect4.board import DISCS, MAX_CONNECT, MAX_SIDE, Board, Geometry, geometry
from advisor.games.phrasing import Cell
from advisor.games.position_file import WANTED, Given, PositionFile
from advisor.settings import schema
from advisor.settings.schema import whole_between
from aspcircuits.scanning import blank_comments
from aspcircuits.texts import file_name, quote_text

SYMBOLS = {".": 0, "x": 1, "o": 2, "0": 0, "1": 1, "2": 2}
STANDARD = geometry()
GAME = "connect4"
"""The only value that ``game:`` may have in these files; other games have their own."""

_PICTURE = re.compile(r".*[/\n].*|[012\s]*[.xo][.xo012\s]*", re.DOTALL)
_FACT = re.compile(r"^[^\S\n]*(cell|turn)\s*\(", re.MULTILINE)
_COMPOSED = "a composed position needs free: true in a YAML file"


class _File(PositionFile):
    game: Any = GAME
    board: str = ""
    moves: str | list[str] = ""
    cells: tuple[Any, ...] = ()
    width: Annotated[int, whole_between(1, MAX_SIDE)] = STANDARD.width
    height: Annotated[int, whole_between(1, MAX_SIDE)] = STANDARD.height
    connect: Annotated[int, whole_between(1, MAX_CONNECT)] = STANDARD.connect
    turn: str | None = None
    free: bool = False
    extra: bool = False
    win_in: str = ""  # the largest number allowed depends on the board


_BOARDS = ("board", "moves", "cells")
_WANTED = {
    **WANTED,
    "list_type": "a list of columns",
    "tuple_type": "a list of [player, row, column]",
}


# Reading


def given(source: str) -> Given:
    """Read a board file in the form of other games' files; its position is the board.

    Raises:
        InputError: it is none, or poses a puzzle whose game is over, or whose solution is no move.
    """
    found = read_board(source)
    if found.win_in:
        if found.position.over:
            raise InputError(f"{found.name}: is not a puzzle (the game is over)")
        if closed := set(found.solution) - set(found.position.moves()):
            raise InputError(f"{found.name}: solution: column {min(closed)} is full")
    return found


def read_board(source: str, *, stdin: BinaryIO | None = None, size: Geometry = STANDARD) -> Given:
    """Read a board in any form that a user may type.

    Args:
        source: the path of a YAML file or of a ``.lp`` file of `cell/3` facts; a move string
            (``4453``, the empty string for the empty board); a picture on one line, its rows
            separated by ``/``; or ``-`` for any of these contents on standard input.
        stdin: read for ``-``, by default the process's own.
        size: the size of a board that does not say its own, that is, of all but YAML.

    Raises:
        InputError: one line with the file, the place, what was found and what is allowed.
    """
    if source == "-":
        text = textfile.read_stdin(stdin)
        with at("stdin"):
            return board_of_text(text, size, "stdin")
    # By os.path: pathlib raises for names longer than any file's.
    if os.path.exists(source) and not os.path.isdir(source):
        text, name = textfile.read_text(source), file_name(source)
        with at(name):
            if source.lower().endswith(".lp"):
                return _make_given(name, _parse_facts(text, size))
            return _board_of_yaml(text, name)
    try:
        return _make_given(quote_text(source), *board_of_line(source, size))
    except InputError as error:
        if re.fullmatch(r"[0-9,\s]*", source):
            raise InputError(f"{quote_text(source)}: {error}") from None
        if source.lower().endswith((".yaml", ".yml", ".lp")) or os.path.isdir(source):
            textfile.read_text(source)
        kind = "picture" if _PICTURE.fullmatch(source) else "move string"
        raise InputError(f"{quote_text(source)}: neither a file nor a {kind}: {error}") from None


def board_of_text(text: str, size: Geometry, name: str) -> Given:
    """Read a board's text of any kind: facts, YAML, a move string or a picture.

    Args:
        text: the board.
        size: of a board that does not give its own.
        name: of the result.

    Raises:
        InputError: the place in the text, but not the name.
    """
    if _FACT.search(text):
        return _make_given(name, _parse_facts(text, size))
    if ":" in text:
        return _board_of_yaml(text, name)
    return _make_given(name, *board_of_line(text, size))


def _make_given(name: str, position: Board, moves: Iterable[Any] = (), **more: Any) -> Given:
    constants = position.geometry.constants
    return Given(name, GAME, constants, position, tuple(map(int, moves)), **more)


def parse_line(text: str, size: Geometry = STANDARD) -> Board:
    """Read a move string or a picture with ``/`` between its rows, as in a stream of boards.

    Raises:
        InputError: the place in the line; the caller knows where the line is from.
    """
    return board_of_line(text, size)[0]


def board_of_line(text: str, size: Geometry) -> tuple[Board, tuple[int, ...]]:
    """Read a line like `parse_line`, and return its moves, too, if it consists of moves."""
    text = text.strip()
    if _PICTURE.fullmatch(text):
        return _position(size, _parse_picture(text, size)), ()
    moves = _split_moves(text, size)
    return _play(moves, size), tuple(map(int, moves))


def _board_of_yaml(text: str, name: str) -> Given:
    said, lines = textfile.parse_yaml(text, written=True)
    if isinstance(said, dict):  # an empty value is an empty text here: no moves are the empty board
        said = {key: "" if value is None else value for key, value in said.items()}
    file = schema.read((said, lines), _File, _WANTED).said
    if file.game != GAME:
        found = quote_text(str(file.game))
        raise InputError(
            f"game: {found}: this command reads {GAME} alone (suggest and play take other games)"
        )
    size = geometry(file.width, file.height, file.connect)
    boards = [key for key in _BOARDS if key in file.model_fields_set]
    if len(boards) != 1:
        found = " and ".join(map(repr, boards)) or "no board"
        raise InputError(f"{found} given (use exactly one of {', '.join(_BOARDS)})")
    moves: list[str] = []
    if boards == ["board"]:
        # When YAML folds lines into one, a blank replaces each end of a line.
        folded = len(file.board.split()) > 1 and not re.search("[/\n]", file.board)
        if folded and size.height > 1:
            raise InputError("board: a picture of several lines begins with '|' (board: |)")
        discs = _parse_picture(file.board, size)
    elif boards == ["cells"]:
        discs = _cells(file.cells, size)
    else:
        moves = _split_moves(file.moves, size) if isinstance(file.moves, str) else file.moves
        discs = _discs(_play(moves, size))
    with at("turn"):
        turn = None if file.turn is None else _player(file.turn)
    position = _position(size, discs, turn, file.free)
    win_in = 0
    if "win_in" in file.model_fields_set:
        win_in = whole_number("win_in", file.win_in, 1, size.squares)
    with at("solution"):
        if "solution" in file.model_fields_set and not file.solution:
            raise InputError("expected a list of columns, found an empty one")
        columns = {whole_number("column", column, 1, size.width) for column in file.solution}
    solution = tuple(sorted(columns))
    return _make_given(
        name,
        position,
        moves,
        win_in=win_in,
        solution=solution,
        extra=file.extra,
        **file.puzzle_attributes,
    )


def _cells(entries: Iterable[Any], size: Geometry) -> list[int]:
    discs = [0, 0, 0]
    for number, entry in enumerate(entries, 1):
        with at(f"cells, entry {number}"):
            match entry:
                case [str(player), str(row), str(column)]:
                    _place(discs, size, player, row, column)
                case _:
                    found = textfile.show_value(entry)
                    raise InputError(f"expected [player, row, column], found {found}")
    return discs


def _parse_facts(text: str, size: Geometry) -> Board:
    """Read the facts ``cell(P,R,C).`` and ``turn(P).`` of an answer set program, no others."""
    text = blank_comments(text)
    discs = [0, 0, 0]
    turn: int | None = None
    for match in re.finditer(r"[^.\s][^.]*\.?", text):
        with at(f"line {text.count(chr(10), 0, match.start()) + 1}"):
            fact = re.sub(r"\s", "", match.group())
            if cell := re.fullmatch(r"cell\(([^,()]*),([^,()]*),([^,()]*)\)\.", fact):
                _place(discs, size, *cell.groups())
            elif mover := re.fullmatch(r"turn\(([^,()]*)\)\.", fact):
                if turn is not None:
                    raise InputError("turn is given twice")
                turn = _player(mover.group(1))
            else:
                raise InputError(
                    f"{quote_text(match.group().strip())} is not a fact of a board "
                    "(use cell(Player,Row,Column). and turn(Player).)"
                )
    return _position(size, discs, turn)


def _place(discs: list[int], size: Geometry, player: str, row: str, column: str) -> None:
    """Add a disc, given its player, row and column."""
    owner = _player(player)
    r, c = whole_number("row", row, 1, size.height), whole_number("column", column, 1, size.width)
    if (discs[1] | discs[2]) & size.bit(r, c):
        raise InputError(f"row {r}, column {c} already has a disc")
    discs[owner] |= size.bit(r, c)


def _parse_picture(text: str, size: Geometry) -> list[int]:
    """Return the discs of a picture; its rows are lines or separated by ``/``, top row first."""
    rows = re.split(r"[/\n]", text.strip()) if text.strip() else []
    if len(rows) != size.height:
        raise InputError(
            f"{amount(len(rows), 'row')} (expected {size.height} unless height says otherwise)"
        )
    discs = [0, 0, 0]
    for row, line in zip(range(size.height, 0, -1), rows, strict=True):
        symbols = "".join(line.split())
        for column, symbol in enumerate(symbols, 1):
            if symbol not in SYMBOLS:
                raise InputError(f"row {row}: {symbol!r} is not a disc (use . x o)")
            if column <= size.width:
                discs[SYMBOLS[symbol]] |= size.bit(row, column)
        if len(symbols) != size.width:
            raise InputError(
                f"row {row}: {amount(len(symbols), 'square')} "
                f"(expected {size.width} unless width says otherwise)"
            )
    return discs


def _split_moves(text: str, size: Geometry) -> list[str]:
    """Split a string into moves: digits, or numbers between commas."""
    if "," in text or size.width > 9:
        return [word.strip() for word in text.split(",")] if text.strip() else []
    return list("".join(text.split()))


def _play(moves: list[str], size: Geometry) -> Board:
    """Return the position after these moves, still unchecked, from the empty board."""
    position = Board(size)
    for number, word in enumerate(moves, 1):
        with at(f"move {number}"):
            try:
                column = whole_number("column", word, 1, size.width)
            except InputError as error:
                if len(moves) > 1 or size.width <= 9 or not re.fullmatch("[0-9]{2,}", word):
                    raise
                commas = ",".join(word[:3])
                raise InputError(
                    f"{error}; commas separate the moves on a board wider than 9: {commas}"
                ) from None
            position = position.play(column)
    return position


def _position(
    size: Geometry, discs: Sequence[int], turn: int | None = None, free: bool = False
) -> Board:
    """Return the position with these discs, after the checks that all notations share."""
    mask = discs[1] | discs[2]
    if floating := mask & ~(mask << 1 | size.bottom):
        row, column = min(size.squares_of(floating))
        raise InputError(
            f"row {row}, column {column}: floating disc (the square below it is empty)"
        )
    counted = _implied_turn(discs)
    if not free:
        counts = f"{discs[1].bit_count()} x and {discs[2].bit_count()} o"
        if counted is None:
            raise InputError(
                f"impossible disc counts, {counts} "
                f"(x moves first, so as many or one more; {_COMPOSED})"
            )
        if turn is not None and turn != counted:
            raise InputError(
                f"turn: {DISCS[turn]} contradicts {counts}, "
                f"after which {DISCS[counted]} is to move ({_COMPOSED})"
            )
    mover = turn or counted or 1
    if size.has_line(discs[1]) and size.has_line(discs[2]):
        raise InputError(f"both x and o have {size.connect} in line (a game ends with the first)")
    if not free and size.has_line(discs[mover]):
        raise InputError(
            f"{DISCS[mover]} has {size.connect} in line, but {DISCS[3 - mover]} moved last "
            f"(only the last move can win; {_COMPOSED})"
        )
    return Board(size, mover, discs[mover], mask)


def _implied_turn(discs: Sequence[int]) -> int | None:
    """Return the player to move after these discs; None if no game leaves these numbers."""
    return {0: 1, 1: 2}.get(discs[1].bit_count() - discs[2].bit_count())


def _discs(position: Board) -> list[int]:
    """Return the discs as the readers of boards collect them: bitboards by player, 0 if empty."""
    return [0, position.discs_of(1), position.discs_of(2)]


# Single values


def whole_number(what: str, text: str, low: int, high: int) -> int:
    """Read a whole number from low to high."""
    allowed = f"use {low} to {high}"
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise InputError(f"{what} {quote_text(text)} is not a whole number ({allowed})")
    if len(text) > 9 or not low <= int(text) <= high:
        raise InputError(f"{what} {text[:20]} is out of range ({allowed})")
    return int(text)


def _player(text: str) -> int:
    if not SYMBOLS.get(text):
        raise InputError(f"{quote_text(text)} is not a player (use x or o, 1 or 2)")
    return SYMBOLS[text]


# Writing


def numbered_rows(
    position: Board, marks: Mapping[Cell, Any], cell: str, edge: str = "{:>3} "
) -> list[str]:
    """Return the board with the numbers of its rows and columns, the top row first.

    Args:
        position: the board.
        marks: shown on empty squares.
        cell, edge: formats of a square and of the left edge of a row.
    """
    g = position.geometry
    discs = {(row, column): DISCS[player] for player, row, column in position.cells()}
    shown = {**marks, **discs}
    columns = range(1, g.width + 1)
    rows = [
        (row, [shown.get((row, column), ".") for column in columns])
        for row in range(g.height, 0, -1)
    ]
    return [
        (edge.format(row) + "".join(map(cell.format, cells))).rstrip()
        for row, cells in [*rows, ("", columns)]
    ]


def one_line(position: Board) -> str:
    """Return the picture with ``/`` between its rows; `parse_line` reads it back."""
    return "/".join(position.rows())


def put_discs(position: Board, squares: Mapping[Cell, str], turn: str | None) -> Board:
    """Return the position with other discs on some squares.

    Args:
        position: the board before.
        squares: by column and row, a mark or an empty text.
        turn: the player to move; None for the one the discs imply, else x. Another one makes the
            position a composed one.

    Raises:
        InputError: a disc that hangs in the air, or a square outside the board.
    """
    size = position.geometry
    discs = _discs(position)
    for (column, row), mark in squares.items():
        if not (1 <= column <= size.width and 1 <= row <= size.height):
            raise InputError(
                f"squares: {column},{row} is no square of {size.width} x {size.height}"
            )
        if (mark or ".") not in SYMBOLS:
            where = square_name((row, column))
            raise InputError(f"squares: no {quote_text(mark)} stands on {where} (use x, o)")
        bit = size.bit(row, column)
        discs = [old & ~bit for old in discs]
        discs[SYMBOLS[mark or "."]] |= bit
    implied = _implied_turn(discs)
    mover = (SYMBOLS[turn] if turn else implied) or 1
    return _position(size, discs, mover, mover != implied)


def plain(position: Board) -> bool:
    """Return whether the discs alone determine the position, given its size."""
    try:
        return _position(position.geometry, _discs(position)) == position
    except InputError:
        return False


def to_yaml(position: Board, moves: Iterable[int] | None = None) -> str:
    """Return a board file that reads back as this position, with as few keys as possible.

    With `moves`, which lead there from the empty board, the file contains these.
    """
    size = position.geometry
    lines = [f"{key}: {value}" for key, value in unusual(size).items()]
    if moves is not None:
        lines += [f'moves: "{move_string(moves, size)}"']
    else:
        lines += ["board: |", *(f"  {row}" for row in position.rows())]
        if not plain(position):
            lines += [f"turn: {DISCS[position.turn]}", "free: true"]
    return "".join(f"{line}\n" for line in lines)


def unusual(size: Geometry) -> dict[str, int]:
    """Return the constants in which a board differs from the usual one."""
    usual = STANDARD.constants
    return {key: value for key, value in size.constants.items() if value != usual[key]}


def move_string(moves: Iterable[int], size: Geometry = STANDARD) -> str:
    """Write columns as `read_board` takes them: digits, or numbers with commas on a wide board."""
    return ("," if size.width > 9 else "").join(map(str, moves))


def square_name(square: Cell) -> str:
    """Return a (row, column) as players write it: ``d1``; after ``z1`` comes ``aa1``."""
    row, column = square
    return f"{textfile.column_letters(column)}{row}"
