"""What python-chess, where it is installed, says of mates: a program that shares nothing with ours.

The only module that imports `chess`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess


def winning(fen: str, moves: int) -> set[str] | None:
    """The moves that mate within so many, in coordinates, by the plainest search; None where
    python-chess is not installed."""
    if find_spec("chess") is None:
        return None
    import chess

    return {move.uci() for move in _mates(chess.Board(fen), moves)}


def _mates(board: "chess.Board", moves: int) -> "list[chess.Move]":
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate() or (moves > 1 and _lost(board, moves - 1)):
            found.append(move)
        board.pop()
    return found


def _lost(board: "chess.Board", moves: int) -> bool:
    """Whether the side to move is mated in so many of the other side's moves."""
    replies = list(board.legal_moves)
    for move in replies:
        board.push(move)
        escaped = not _won(board, moves)
        board.pop()
        if escaped:
            return False
    return bool(replies)


def _won(board: "chess.Board", moves: int) -> bool:
    for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
        board.push(move)
        found = board.is_checkmate() or (moves > 1 and _lost(board, moves - 1))
        board.pop()
        if found:
            return True
    return False
