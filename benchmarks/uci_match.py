"""Chess against another UCI engine, as a smoke test of the protocol: no error, no illegal move.

    python benchmarks/uci_match.py --games 10 --time 0.1 /usr/games/stockfish

python-chess speaks to both and ends with an error where one does not keep to the protocol. The
other engine plays at its lowest skill, if it has an option for that.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter

import chess
import chess.engine

_OURS = [sys.executable, "-c", "from advisor.cli import main; main()", "uci"]
_OPENINGS = ("", "e4 e5", "d4 d5", "c4 e5", "e4 c5")


async def play(
    white: chess.engine.Protocol, black: chess.engine.Protocol, opening: str, seconds: float
) -> chess.Board:
    """A whole game; a game of 300 plies is called off."""
    board = chess.Board()
    for move in opening.split():
        board.push_san(move)
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        engine = white if board.turn else black
        limit = chess.engine.Limit(time=seconds)
        found = await engine.play(board, limit, game=game)
        assert found.move is not None
        board.push(found.move)
    return board


async def run(engine: str, games: int, seconds: float) -> None:
    """Plays games with both colours and prints the results."""
    _, ours = await chess.engine.popen_uci(_OURS)
    _, theirs = await chess.engine.popen_uci(engine)
    if "Skill Level" in theirs.options:
        await theirs.configure({"Skill Level": 0})
    results: Counter[str] = Counter()
    started = time.monotonic()
    for number in range(games):
        opening = _OPENINGS[number // 2 % len(_OPENINGS)]
        sides = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        board = await play(*sides, opening, seconds)
        result = board.result(claim_draw=True)
        points = {"1-0": ("won", "lost"), "0-1": ("lost", "won")}.get(result, ("drawn", "drawn"))
        results[points[number % 2]] += 1
        told = f"game {number + 1}: {result} after {board.ply()} plies"
        print(f"{told}, {time.monotonic() - started:.0f} s", flush=True)
    await ours.quit()
    await theirs.quit()
    print(f"{games} games against {theirs.id.get('name', engine)}, no error:", dict(results))


def main() -> None:
    """Reads what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--time", type=float, default=0.1)
    given = parser.parse_args()
    asyncio.run(run(given.engine, given.games, given.time))


if __name__ == "__main__":
    main()
