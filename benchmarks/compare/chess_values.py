"""Measure the error of a look-ahead's values in chess by Stockfish: `noise` in grades.yaml.

    python benchmarks/compare/chess_values.py values.jsonl [--engine stockfish] [--seconds 240]

Stockfish, held to an Elo of 1500, plays games after two random moves. In some of their positions
the advisor looks ahead as far as a review does. Its first choice and the move that was played
then differ by its values and by Stockfish's, 14 plies deep; both differences are in hundredths of a
pawn, from -1000 to 1000. The error of one value is the root mean square of the gap between these
differences, divided by the root of two, over positions that are not decided (less than three pawns
by Stockfish). The file grows by a line for each pair of moves.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import chess
import chess.engine

import advisor

_DEPTH, _THEIRS = 5, 14
_NODES, _LONGEST, _PLIES = 3000, 80, range(6, 80)
_EACH = 6
"""Number of positions taken from a game."""

_MOST, _DECIDED, _MATE = 1000, 300, 10_000


def bounded(value: int) -> int:
    """Clamp a value to ten pawns."""
    return max(-_MOST, min(_MOST, value))


def some_game(engine: chess.engine.SimpleEngine, source: random.Random) -> list[chess.Move]:
    """Return the moves of a game that a weak player plays against itself."""
    board = chess.Board()
    for _ in range(2):
        board.push(source.choice([*board.legal_moves]))
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
    while not board.is_game_over() and board.ply() < _LONGEST:
        played = engine.play(board, chess.engine.Limit(nodes=_NODES)).move
        assert played is not None
        board.push(played)
    engine.configure({"UCI_LimitStrength": False})
    return board.move_stack


def pairs(
    engine: chess.engine.SimpleEngine, game: advisor.Game, source: random.Random
) -> Iterator[dict[str, int]]:
    """Yield the values of two moves in positions of a game, ours and the engine's."""
    moves = some_game(engine, source)
    plies = [ply for ply in _PLIES if ply < len(moves)]
    for ply in source.sample(plies, min(_EACH, len(plies))):
        board = chess.Board()
        for move in moves[:ply]:
            board.push(move)
        found = advisor.suggest(game.position(board.fen()), depth=_DEPTH, traced=False)
        best, played = board.parse_san(found.best[0]), moves[ply]
        ours = [found.scores[board.san(move)] for move in (best, played)]
        if best == played or any(score.value is None for score in ours):
            continue
        theirs = []
        for move in (best, played):
            board.push(move)
            limit = chess.engine.Limit(depth=_THEIRS)
            score = engine.analyse(board, limit)["score"].relative
            theirs.append(-bounded(score.score(mate_score=_MATE)))
            board.pop()
        first, second = (bounded(score.value or 0) for score in ours)
        yield {"value": theirs[0], "ours": first - second, "theirs": theirs[0] - theirs[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path, help="where the pairs are kept")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--seconds", type=float, default=240.0)
    asked = parser.parse_args()
    end, source = time.monotonic() + asked.seconds, random.Random()
    game = advisor.load_game("chess")
    with (
        chess.engine.SimpleEngine.popen_uci(asked.engine) as engine,
        asked.file.open("a") as lines,
    ):
        while time.monotonic() < end:
            for pair in pairs(engine, game, source):
                print(json.dumps(pair), file=lines, flush=True)
    rows = [json.loads(line) for line in asked.file.read_text().splitlines()]
    for most in (_DECIDED, _MOST + 1):
        apart = [r["ours"] - r["theirs"] for r in rows if abs(r["value"]) < most]
        off = sqrt(sum(each * each for each in apart) / max(1, len(apart)) / 2)
        print(f"within {most}: {len(apart)} pairs of moves, a value is off by {off:.0f}")


if __name__ == "__main__":
    main()
