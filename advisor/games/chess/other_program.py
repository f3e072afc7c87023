"""Forced mates by python-chess, if it is installed: a program that shares nothing with ours.

This is the only module that imports `chess`.
"""

from typing import TYPE_CHECKING

from aspcircuits.installed import is_installed

if TYPE_CHECKING:
    import chess


def winning(fen: str, moves: int) -> set[str] | None:
    """Return the moves that mate within `moves` moves, in coordinates, by the plainest search.

    None if python-chess is not installed.
    """
    if not is_installed("chess"):
        return None
    import chess

    board = chess.Board(fen)
    return {move.uci() for move in list(board.legal_moves) if _mates(board, move, moves)}


def _mates(board: "chess.Board", move: "chess.Move", moves: int) -> bool:
    """Return whether a move mates within `moves` moves, whatever the replies."""
    board.push(move)
    found = board.is_checkmate()
    replies = [] if found or moves == 1 else list(board.legal_moves)
    if replies:
        found = all(_mates_after(board, reply, moves - 1) for reply in replies)
    board.pop()
    return found


def _mates_after(board: "chess.Board", reply: "chess.Move", moves: int) -> bool:
    board.push(reply)
    checks_first = sorted(board.legal_moves, key=board.gives_check, reverse=True)
    found = any(_mates(board, move, moves) for move in checks_first)
    board.pop()
    return found
