"""A chess position in FEN: reads it field by field, and writes it.

This module checks what a person would notice in the text: that the fields are there and make sense
together. The rules say whether the side that has just moved stands in check, see
`advisor.games.chess.notation`.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.errors import InputError
from advisor.games.display import Square
from aspcircuits.texts import quote_text

KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
SIDES = ("white", "black")
FILES = "abcdefgh"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_FIELDS = ("pieces", "side to move", "castling", "en passant", "halfmove clock", "move number")
_HOMES = {"K": "Ke1 Rh1", "Q": "Ke1 Ra1", "k": "ke8 rh8", "q": "ke8 ra8"}


@dataclass(frozen=True, slots=True)
class ChessPosition:
    """A chess position; treat as immutable.

    Attributes:
        pieces: letters as in FEN by their squares, White's in capitals.
        turn: the side to move, 0 for White.
        castling: FEN's letters for the castling rights left, in the order KQkq.
        passed: the square that a pawn has just passed by moving two squares, if one has.
        clock: plies since the last capture or move of a pawn.
        number: of the next move, from 1.
    """

    pieces: Mapping[Square, str]
    turn: int = 0
    castling: str = ""
    passed: Square | None = None
    clock: int = 0
    number: int = 1

    def __str__(self) -> str:
        """Return the position in FEN."""
        rows = []
        for rank in range(8, 0, -1):
            row = "".join(self.pieces.get((file, rank), " ") for file in range(1, 9))
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
        passed = square_name(self.passed) if self.passed else "-"
        fields = ("/".join(rows), "wb"[self.turn], self.castling or "-", passed)
        return " ".join((*fields, str(self.clock), str(self.number)))


def square_name(square: Square) -> str:
    """Return the name of a square, such as ``e4``."""
    return f"{FILES[square[0] - 1]}{square[1]}"


def square_of(name: str) -> Square:
    """Return the square with a name that `square_name` gives."""
    return FILES.index(name[0]) + 1, int(name[1])


def looks_like_fen(text: str) -> bool:
    """Return whether a text is meant as FEN: rows between slashes come first, and no "1/2-1/2"."""
    return bool(re.match(r"\s*(?!1/2-1/2)[^\s/\[{(]*/", text))


def parse_fen(text: str) -> ChessPosition:
    """Return the position of a FEN; the clock defaults to 0, the move number is at least 1.

    Raises:
        InputError: one line with the field, what was found and what is allowed.
    """
    fields = text.split()
    if len(fields) not in (4, 5, 6):
        raise InputError(
            f"FEN: {len(fields)} field{'s'[: len(fields) != 1]} (use {', '.join(_FIELDS)}; "
            "the last two may be left out)"
        )
    fields += ["0", "1"][len(fields) - 4 :]
    pieces = _pieces(fields[0])
    if fields[1] not in ("w", "b"):
        raise _wrong(1, fields[1], "use w or b")
    turn = "wb".index(fields[1])
    clock, number = (_counter(i, fields[i]) for i in (4, 5))
    rights = "" if fields[2] == "-" else fields[2]
    castling = "".join(right for right in "KQkq" if right in rights)
    if len(castling) != len(rights):
        raise _wrong(2, fields[2], "use letters of KQkq, each at most once, or -")
    if fields[3] != "-" and not re.fullmatch("[a-h][36]", fields[3], re.ASCII):
        raise _wrong(3, fields[3], "use the square that a pawn has just passed, as e3, or -")
    passed = None if fields[3] == "-" else square_of(fields[3])
    return check_position(ChessPosition(pieces, turn, castling, passed, clock, max(1, number)))


def drop_lost_rights(position: ChessPosition) -> ChessPosition:
    """Return the position without castling rights whose king or rook is not at home.

    Raises:
        InputError: see `check_position`.
    """
    rights = (right for right in position.castling if not _missing_piece(position.pieces, right))
    return check_position(replace(position, castling="".join(rights)))


def check_position(position: ChessPosition) -> ChessPosition:
    """Return the position if its parts fit each other.

    Raises:
        InputError: the first part that does not fit, as in `parse_fen`.
    """
    _check_pieces(position.pieces)
    for right in position.castling:
        if away := _missing_piece(position.pieces, right):
            side, kind = SIDES[away[0].islower()], KINDS[away[0].lower()]
            raise _wrong(2, position.castling, f"{right} needs a {side} {kind} on {away[1:]}")
    if position.passed:
        file, rank = position.passed
        name, forward = square_name(position.passed), 1 if position.turn == 0 else -1
        if rank != (6 if position.turn == 0 else 3):
            allowed = f"with {SIDES[position.turn]} to move it is on rank {6 - 3 * position.turn}"
            raise _wrong(3, name, allowed)
        pawn = "pP"[position.turn]
        behind = position.pieces.get((file, rank - forward))
        if behind != pawn or {(file, rank), (file, rank + forward)} & {*position.pieces}:
            pushed = square_name((file, rank - forward))
            allowed = f"a {SIDES[1 - position.turn]} pawn on {pushed} with two empty squares behind"
            raise _wrong(3, name, f"it needs {allowed} it")
    return position


def _missing_piece(pieces: Mapping[Square, str], right: str) -> str | None:
    """Return the king or rook, such as ``Ke1``, that castling needs at home but isn't there."""
    homes = _HOMES[right].split()
    return next((home for home in homes if pieces.get(square_of(home[1:])) != home[0]), None)


def _pieces(text: str) -> dict[Square, str]:
    rows = text.split("/")
    if len(rows) != 8:
        raise _wrong(0, text, f"{len(rows)} rows, use 8 with / between")
    found = {}
    for rank, row in zip(range(8, 0, -1), rows, strict=True):
        if two := re.search("[1-8]{2}", row):
            raise _wrong(
                0, row, f"row {rank}: {quote_text(two[0])}, use one number for empty squares"
            )
        file = 1
        for sign in row:
            if sign in "12345678":
                file += int(sign)
            elif sign.isascii() and sign.lower() in KINDS:
                found[file, rank] = sign
                file += 1
            else:
                raise _wrong(0, row, f"row {rank}: {quote_text(sign)}, use PNBRQK, pnbrqk, 1 to 8")
        if file != 9:
            raise _wrong(0, row, f"row {rank}: {file - 1} squares, use 8")
    return found


def _check_pieces(pieces: Mapping[Square, str]) -> None:
    count = Counter(pieces.values())
    for king, side in zip("Kk", SIDES, strict=True):
        if count[king] != 1:
            raise InputError(f"FEN: {_FIELDS[0]}: {side} has {count[king]} kings (use one)")
    for letters, side in (("PNBRQK", SIDES[0]), ("pnbrqk", SIDES[1])):
        pawns, total = count[letters[0]], sum(count[letter] for letter in letters)
        if pawns > 8 or total > 16:
            found = f"{pawns} pawns (at most 8)" if pawns > 8 else f"{total} pieces (at most 16)"
            raise InputError(f"FEN: {_FIELDS[0]}: {side} has {found}")
    (x, y), (x2, y2) = (next(s for s, piece in pieces.items() if piece == king) for king in "Kk")
    if max(abs(x - x2), abs(y - y2)) == 1:
        places = f"{square_name((x, y))} and {square_name((x2, y2))}"
        raise InputError(f"FEN: {_FIELDS[0]}: kings side by side on {places} (leave a square)")
    for (file, rank), piece in pieces.items():
        if piece in "Pp" and rank in (1, 8):
            place = square_name((file, rank))
            raise InputError(f"FEN: {_FIELDS[0]}: a pawn on {place} (use ranks 2 to 7)")


def _counter(field: int, text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text, re.ASCII):
        raise _wrong(field, text, "use a whole number, at most 9999")
    return int(text)


def _wrong(field: int, found: str, allowed: str) -> InputError:
    return InputError(f"FEN: {_FIELDS[field]}: {quote_text(found, 72)} ({allowed})")
