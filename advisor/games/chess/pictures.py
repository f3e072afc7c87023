"""Chess positions as text pictures: figurines, with castling rights and en passant beside them.

The figurine text is that of F. Van Speybroeck's chess computer (2021). Brackets behind ranks 8 and
1 hold the pieces with which Black and White may still castle, queen's side first, and the square
that a pawn of that side has just passed; a hand points at the side to move::
    8 ♜♞♝♛♚♝♞♜ [♛♚]
    7 ♟♟♟♟♟♟♟♟
    ...
    1 ♖♘♗♕♔♗♘♖ [♕♔e3]
      abcdefgh
"""

import re

from advisor.errors import InputError
from advisor.games.chess.position import (
    FILES,
    ChessPosition,
    check_position,
    square_name,
    square_of,
)
from advisor.games.display import Square
from aspcircuits.texts import quote_text

FIGURINES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
_LETTERS = {figurine: letter for letter, figurine in FIGURINES.items()}
_ALL = "".join(_LETTERS)
_HAND = "☚"
_BORDER = re.compile(rf"\[(.)(.)([a-h][36])?\]({_HAND})?")
_CASTLING = {8: ("kq", "♛♚"), 1: ("KQ", "♕♔")}


def looks_like_figurines(text: str) -> bool:
    """Return whether a text is meant as figurines: it begins with rank 8, or with figurines."""
    return bool(re.match(rf"\s*(8 |[1-7] +[{_ALL}]|[{_ALL}]{{2}})", text))


def parse_figurines(text: str) -> ChessPosition:
    """Return the position of a figurine text.

    Raises:
        InputError: one line with the line of the text, what was found and what is allowed.
    """
    lines = text.rstrip("\n").split("\n")
    if len(lines) not in (8, 9):
        raise InputError(f"board: {len(lines)} lines (use ranks 8 to 1 and abcdefgh)")
    pieces: dict[Square, str] = {}
    rights, passed, turns = "", None, []
    for number, (rank, line) in enumerate(zip(range(8, 0, -1), lines, strict=False), 1):
        place = f"board: line {number}: "
        if line[:1] != str(rank) or line[1:2] not in ("", " "):
            raise InputError(f"{place}{quote_text(line[:2])} (begin with '{rank} ')")
        row, rest = line[2:10], line[10:]
        for file, sign in enumerate(row, 1):
            if sign in _LETTERS:
                pieces[file, rank] = _LETTERS[sign]
            elif sign != " ":
                where = square_name((file, rank))
                raise InputError(f"{place}{quote_text(sign)} on {where} (use {_ALL} or a space)")
        if rank in _CASTLING:
            castling, here, hand = _border(place, rank, rest)
            rights += castling
            passed = here or passed
            turns += [int(rank == 8)] * hand
        elif rest.strip():
            raise InputError(
                f"{place}{quote_text(rest)} behind 8 squares (brackets: ranks 8 and 1)"
            )
    if lines[8:] and lines[8].strip() != FILES:
        raise InputError(f"board: line 9: {quote_text(lines[8])} (use '  {FILES}')")
    if len(turns) > 1:
        raise InputError(
            f"board: a hand {_HAND} beside both ranks (use one, beside the side to move)"
        )
    # The side to move may be left out, as in the program's own files: then it is White.
    turn = turns[0] if turns else 0
    rights = "".join(letter for letter in "KQkq" if letter in rights)
    try:
        return check_position(ChessPosition(pieces, turn, rights, passed))
    except InputError as error:
        raise InputError(str(error).replace("FEN", "board", 1)) from None


def _border(place: str, rank: int, text: str) -> tuple[str, Square | None, bool]:
    """Read the text behind rank 8 or 1: castling, a passed square, a hand."""
    found = _BORDER.fullmatch(text.strip())
    letters, signs = _CASTLING[rank]
    if not found or found[1] not in f"{signs[0]} " or found[2] not in f"{signs[1]} ":
        raise InputError(
            f"{place}{quote_text(text.strip())} (write it as [{signs}] or [  ]{_HAND})"
        )
    rights = letters[0] * (found[2] != " ") + letters[1] * (found[1] != " ")
    passed = square_of(found[3]) if found[3] else None
    passes = 3 if rank == 1 else 6
    if passed and passed[1] != passes:
        allowed = f"a pawn that begins at this side passes rank {passes}"
        raise InputError(f"{place}{found[3]} ({allowed})")
    return rights, passed, bool(found[4])


def figurines(position: ChessPosition) -> str:
    """Return the position as figurine text, without a line end, clock or move number."""
    lines = []
    for rank in range(8, 0, -1):
        row = "".join(FIGURINES.get(position.pieces.get((f, rank), ""), " ") for f in range(1, 9))
        lines.append(f"{rank} {row}")
    for rank, (letters, signs) in _CASTLING.items():
        side = int(rank == 8)
        pairs = zip(signs, reversed(letters), strict=True)
        rights = "".join(sign if letter in position.castling else " " for sign, letter in pairs)
        passed = square_name(position.passed) if position.passed and position.turn != side else ""
        lines[8 - rank] += f" [{rights}{passed}]{_HAND * (position.turn == side)}"
    return "\n".join([*lines, f"  {FILES}"])
