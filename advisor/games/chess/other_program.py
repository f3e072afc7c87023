"""What python-chess, where it is installed, says of mates: a program that shares nothing with ours.

The only module that imports `chess`.
"""

from typing import TYPE_CHECKING

from aspcircuits.installed import is_installed

if TYPE_CHECKING:
    import chess


def winning(fen: str, moves: int) -> set[str] | None:
    """The moves that mate within so many, in coordinates, by the plainest search; None where
    python-chess is not installed."""
    if not is_installed("chess"):
        return None
    import chess

    board = chess.Board(fen)
    return {move.uci() for move in list(board.legal_moves) if _mates(board, move, moves)}


def _mates(board: "chess.Board", move: "chess.Move", moves: int) -> bool:
    """Whether a move mates, or leads to a mate after each reply, within so many moves."""
    board.push(move)
    found = board.is_checkmate()
    replies = [] if found or moves == 1 else list(board.legal_moves)
    if replies:
        found = all(_mated(board, reply, moves - 1) for reply in replies)
    board.pop()
    return found


def _mated(board: "chess.Board", reply: "chess.Move", moves: int) -> bool:
    board.push(reply)
    checks_first = sorted(board.legal_moves, key=board.gives_check, reverse=True)
    found = any(_mates(board, move, moves) for move in checks_first)
    board.pop()
    return found
