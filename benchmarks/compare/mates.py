"""Check every mate in `puzzles/chess` with python-chess, by the plainest search there is.

    python benchmarks/compare/mates.py

`advisor puzzles make --game chess --win-in 2 --count 85 --seed 1 -o FOLDER` made them, by the
command that each file names; it checked them with python-chess, too.
"""

import argparse
import time

import chess

from advisor.games.chess.other_program import winning
from advisor.games.puzzles import Posed, book


def agrees(posed: Posed) -> bool:
    """Whether python-chess finds the only solution, and no faster one."""
    board = chess.Board(posed.position)
    solution = {board.parse_san(move).uci() for move in posed.solution}
    sooner = posed.win_in > 1 and winning(posed.position, posed.win_in - 1)
    return board.is_valid() and not sooner and winning(posed.position, posed.win_in) == solution


def main() -> None:
    """Check all of them."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    started = time.monotonic()
    wrong = [posed.id for posed in book(game="chess") if not agrees(posed)]
    spent = time.monotonic() - started
    print(f"{len(book(game='chess'))} puzzles, wrong: {', '.join(wrong) or 'none'}; {spent:.0f} s")


if __name__ == "__main__":
    main()
