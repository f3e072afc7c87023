"""Chess moves as text: algebraic notation (SAN), and coordinates as engines use them.

Callers know which moves are legal; this module only names them and finds them by name.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from advisor.errors import InputError
from advisor.games.chess.position import FILES, ChessPosition, square_name
from advisor.games.display import Square
from aspcircuits.texts import list_names, quote_text

_MOVE = re.compile(
    r"([KQRBN])?([a-h])?([1-8])?[-x:]?([a-h])([1-8])(?:=?([QRBNqrbn])|=?\(([QRBN])\))?(?:e\.?p\.?)?"
)
_CASTLING = re.compile(r"([O0o])-\1(-\1)?")
_NULL = ("--", "Z0", "0000")
"""How analyses write a null move."""
_SUFFIX = re.compile(r"[+#]*[!?]*$")


@dataclass(frozen=True, slots=True)
class ChessMove:
    """A move on the board: a castling king goes two squares, a pawn becomes a letter of "qrbn"."""

    origin: Square
    target: Square
    promotion: str = ""

    def __str__(self) -> str:
        """Return the move in coordinates, such as ``e7e8q``."""
        return f"{square_name(self.origin)}{square_name(self.target)}{self.promotion}"


def names(position: ChessPosition, legal: Collection[ChessMove]) -> dict[ChessMove, str]:
    """Return legal moves in algebraic notation, without the signs of check and mate."""
    together = defaultdict(list)
    for move in legal:
        together[move.target].append(move)
    return {move: _name(position, move, together[move.target]) for move in legal}


def _name(position: ChessPosition, move: ChessMove, there: Collection[ChessMove]) -> str:
    """Return the name of a move, given all legal moves to the same square."""
    piece = position.pieces[move.origin].upper()
    target = square_name(move.target)
    if piece == "K" and abs(move.target[0] - move.origin[0]) == 2:
        return "O-O" if move.target[0] == 7 else "O-O-O"
    if piece == "P":
        if move.origin[0] != move.target[0]:
            target = f"{FILES[move.origin[0] - 1]}x{target}"
        return f"{target}={move.promotion.upper()}" if move.promotion else target
    others = [
        square_name(other.origin)
        for other in there
        if other.origin != move.origin and position.pieces[other.origin].upper() == piece
    ]
    place = square_name(move.origin)
    told = ""
    if others:  # the file, or else the rank, or else both
        told = next((mark for mark in place if not any(mark in o for o in others)), place)
    capture = "x" if move.target in position.pieces else ""
    return f"{piece}{told}{capture}{target}"


def looks_like_move(text: str) -> bool:
    """Return whether a word is meant as a move, legal or not."""
    word = _SUFFIX.sub("", text)
    return bool(_CASTLING.fullmatch(word) or _MOVE.fullmatch(word))


def find(text: str, position: ChessPosition, named: Mapping[ChessMove, str]) -> ChessMove:
    """Return the legal move that a text means: algebraic, long algebraic or coordinates.

    Args:
        text: one word; signs such as + or !? behind it do not count.
        position: before the move.
        named: the legal moves with the names that errors list.

    Raises:
        InputError: it means no move or several; the error says what is allowed.
    """
    word = _SUFFIX.sub("", text)
    if castling := _CASTLING.fullmatch(word):
        column = 3 if castling[2] else 7
        kings = [m for m in named if abs(m.target[0] - m.origin[0]) == 2 and m.target[0] == column]
        found = [m for m in kings if position.pieces[m.origin] in "Kk"]
    elif shape := _MOVE.fullmatch(word):
        found = _matching(shape, position, named)
    elif word in _NULL:
        raise InputError(f"{quote_text(text)} passes, which the rules of chess do not allow")
    else:
        allowed = "write it as e4, Nbd2, exd8=Q, O-O or e2e4"
        raise InputError(f"{quote_text(text)} is not a move ({allowed})")
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(sorted(named[move] for move in found))
        raise InputError(f"{quote_text(text)} can be {len(found)} moves (use {several})")
    known = list_names(sorted(named.values()))
    raise InputError(f"{quote_text(text)} is not legal (use {known})")


def _matching(
    shape: re.Match[str], position: ChessPosition, legal: Collection[ChessMove]
) -> list[ChessMove]:
    letter, file, rank, *target, plain, framed = shape.groups()
    promotion = (plain or framed or "").lower()
    whole = file and rank

    def means(move: ChessMove) -> bool:
        piece = position.pieces[move.origin].upper()
        origin = square_name(move.origin)
        if not (letter or whole) and (piece != "P" or (not file and origin[0] != target[0])):
            return False  # without a letter it is a pawn's move; without a file it is no capture
        told = (letter, piece), (file, origin[0]), (rank, origin[1]), (promotion, move.promotion)
        return [*square_name(move.target)] == target and all(
            said in (None, "", meant) for said, meant in told
        )

    return [*filter(means, legal)]
