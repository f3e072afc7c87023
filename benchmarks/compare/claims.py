"""Check that the selective look-ahead of chess claims only what is true.

    python benchmarks/compare/claims.py [SECONDS]

It searches positions with few men and from random games, many of them with a threatened mate,
selectively to a random depth. It compares claims of an end within five plies with the look-ahead at
full width. It prints the number of claims, and exits with 1 at a false one.
"""

import random
import sys
import time

import chess

from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, search
from advisor.games import knowledge, rooms

PLIES = 5
"""Maximum plies of a claim that is compared."""


def few_men(source: random.Random) -> chess.Board:
    """Return a position with three to seven men, the first of which stand at the edge."""
    while True:
        board = chess.Board(None)
        edge = [s for s in range(64) if s % 8 in (0, 7) or s // 8 in (0, 7)]
        squares = [source.choice(edge), *source.sample(range(64), source.randint(2, 6))]
        men = [(chess.KING, True), (chess.KING, False)]
        men += [(source.choice((1, 1, 2, 3, 4, 5, 5)), source.random() < 0.5) for _ in squares[2:]]
        for square, man in zip(squares, men, strict=True):
            board.set_piece_at(square, chess.Piece(*man))
        board.turn = source.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board


def from_a_game(source: random.Random) -> chess.Board:
    """Return a position after random moves, preferably one in which a mate is near."""
    board = chess.Board()
    for _ in range(source.randint(10, 120)):
        moves = list(board.legal_moves)
        checks = [move for move in moves if board.gives_check(move)]
        board.push(source.choice(checks if checks and source.random() < 0.5 else moves))
        if board.is_game_over():
            board.pop()
            break
    return board


def main(seconds: float) -> int:
    """Compare claims for some seconds of the clock."""
    game, _ = knowledge.load("chess")
    game.tree.compile_now()
    source, tried, claims = random.Random(1), 0, {"win": 0, "loss": 0}
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        board = source.choice((few_men, from_a_game))(source)
        position = rooms.by_circuits(game).begin(board.fen()).root
        tried += 1
        found = search(position, RowEvaluator(game, selective=True), depth=source.randint(2, 8))
        assert found.selective
        plies = WIN - abs(found.value)
        if abs(found.value) < FORCED or plies > PLIES:
            continue
        whole = search(position, RowEvaluator(game, selective=False), depth=plies).value
        if abs(whole) < FORCED or (whole > 0) != (found.value > 0) or abs(found.value) > abs(whole):
            print(f"{board.fen()}: claims {found.value}, at full width {whole}")
            return 1
        claims["win" if whole > 0 else "loss"] += 1
    print(f"{tried} positions, {claims['win']} wins and {claims['loss']} losses claimed, all true")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 120.0))
