"""Play chess against another UCI engine: points, and a check for errors and illegal moves.

    python benchmarks/compare/uci_match.py /usr/games/stockfish --elo 1500 1800 --games 100 \\
        --time 0.3
    python benchmarks/compare/uci_match.py sunfish-uci --games 100 --time 0.5

python-chess speaks to both and raises an error if one breaks the protocol. Every
opening of random plies is played with both colours. Without `--elo` the other engine plays at its
lowest skill, if it has an option for that, unless `--full` asks for its full strength.
"""

import argparse
import asyncio
import random
import shlex
import sys
import time
from collections import Counter

import chess
import chess.engine

_OURS = [sys.executable, "-c", "from advisor.cli import main; main()", "uci"]
_LONGEST = 300
"""Plies after which a game ends as a draw."""


def opening(source: random.Random, plies: int) -> chess.Board:
    """Return a position after random moves."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            board.push(source.choice([*board.legal_moves]))
        if not board.is_game_over():
            return board


async def play(
    white: chess.engine.Protocol, black: chess.engine.Protocol, begun: chess.Board, seconds: float
) -> chess.Board:
    """Play a whole game.

    Raises:
        ValueError: an engine claims that there is no move.
    """
    board, game = begun.copy(), object()
    while not board.is_game_over(claim_draw=True) and board.ply() < _LONGEST:
        engine = white if board.turn else black
        limit = chess.engine.Limit(time=seconds)
        found = await engine.play(board, limit, game=game)
        if found.move is None:
            raise ValueError(f"{engine.id['name']} knows no move at {board.fen()}")
        board.push(found.move)
    return board


async def match(given: argparse.Namespace, elo: int | None) -> str:
    """Play games with both colours against one engine; return a line of the table."""
    _, ours = await chess.engine.popen_uci([*_OURS, *shlex.split(given.ours)])
    _, theirs = await chess.engine.popen_uci(shlex.split(given.engine))
    await ours.ping()  # returns once machine code is there
    if elo is not None:
        await theirs.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
    elif not given.full and "Skill Level" in theirs.options:
        await theirs.configure({"Skill Level": 0})
    source, results = random.Random(given.seed), Counter[str]()
    started, begun = time.monotonic(), chess.Board()
    for number in range(given.games):
        if number % 2 == 0:
            begun = opening(source, given.plies)
        sides = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        board = await play(*sides, begun, given.time)
        result = board.result(claim_draw=True)
        points = {"1-0": ("won", "lost"), "0-1": ("lost", "won")}.get(result, ("drawn", "drawn"))
        results[points[number % 2]] += 1
        told = f"game {number + 1}: {result} after {board.ply()} plies"
        print(f"{told}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    await ours.quit()
    await theirs.quit()
    won, drawn, lost = (results[name] for name in ("won", "drawn", "lost"))
    name = theirs.id.get("name", given.engine) + (f", UCI_Elo {elo}" if elo else "")
    share = 100 * (won + drawn / 2) / given.games
    return (
        f"| {name} | {given.time:g} s | {given.games} | {won} | {drawn} | {lost} | {share:.1f} % |"
    )


def main() -> None:
    """Run the command: print a line for each strength."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="command that starts it")
    parser.add_argument("--elo", type=int, nargs="+", default=[None], help="strengths, one or more")
    parser.add_argument("--full", action="store_true", help="at all its strength")
    parser.add_argument("--games", type=int, default=10, help="of each match, an even number")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--plies", type=int, default=2, help="random ones of each opening")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ours", default="", help="options of advisor uci")
    given = parser.parse_args()
    if given.games % 2:
        parser.error("--games: every opening is played with both colours, so the number is even")
    print("| engine | a move | games | won | drawn | lost | points |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for elo in given.elo:
        print(asyncio.run(match(given, elo)), flush=True)


if __name__ == "__main__":
    main()
