"""Fit the weights of chess' features to Stockfish's scores of quiet positions.

    python benchmarks/train/chess_weights.py positions /usr/games/stockfish --seconds 900 \\
        > positions.txt
    python benchmarks/train/chess_weights.py fit positions.txt

Stockfish plays against itself, eight plies deep, from random openings and with random moves among
its own. A position counts if its side to move is not in check, the move played takes nothing and no
mate is near. The fit minimises the squared errors of the expected points, with a penalty on changes
of the present weights; a fifth of the positions, whole stretches of games, is held back.
"""

import argparse
import random
import time
from pathlib import Path

import chess
import chess.engine
import numpy as np

from advisor.games import knowledge, rooms
from aspcircuits.clingo_api import render

SCALE = 250.0
"""Value in hundredths of a pawn at which an even game yields 0.73 points."""

PULL, ROUNDS, STRETCH, FAR = 2e-4, 12, 300, 1500


def positions(engine: str, seconds: float, seed: int) -> None:
    """Print positions as FEN, each with its score for the side to move."""
    source, end = random.Random(seed), time.monotonic() + seconds
    with chess.engine.SimpleEngine.popen_uci(engine) as player:
        while time.monotonic() < end:
            board, clear = chess.Board(), 0
            for _ in range(source.choice((4, 6, 8))):
                board.push(source.choice([*board.legal_moves] or [chess.Move.null()]))
            noise = source.choice((0.0, 0.05, 0.1, 0.2))
            while not board.is_game_over(claim_draw=True) and board.ply() < 240 and clear <= 16:
                limit = chess.engine.Limit(depth=8)
                found = player.play(board, limit, info=chess.engine.INFO_SCORE)
                move, score = found.move, found.info["score"].relative.score()
                assert move is not None
                quiet = not board.is_check() and not board.is_capture(move) and not move.promotion
                if quiet and score is not None:
                    print(f"{board.fen()};{score}", flush=True)
                    clear = clear + 1 if abs(score) > 1200 else 0
                chance = source.random() < noise
                board.push(source.choice([*board.legal_moves]) if chance else move)


def fit(file: Path) -> None:
    """Print the present and the fitted weight of each feature, and both errors."""
    game, config = knowledge.load("chess")
    names = sorted(config.weights["features"], key=render)
    lines = [line.split(";") for line in file.read_text().splitlines()]
    lines = [(fen, score) for fen, score in lines if abs(int(score)) < FAR]
    chess = rooms.by_circuits(game)
    rows = np.array([chess.begin(fen).row for fen, _ in lines])
    counts = game.counts(rows, names).astype(np.float64)
    wanted = _points(np.array([float(score) for _, score in lines]))
    held = np.arange(len(lines)) // STRETCH % 5 == 4
    before = np.array([config.weights["features"][name] for name in names], np.float64)
    after = before
    for _ in range(ROUNDS):  # Gauss-Newton steps
        expected = _points(counts[~held] @ after)
        slopes = counts[~held] * (expected * (1 - expected) / SCALE)[:, None]
        pull = PULL * np.eye(len(names))
        gradient = slopes.T @ (expected - wanted[~held]) + PULL * (after - before)
        after = after - np.linalg.solve(slopes.T @ slopes + pull, gradient)
    for name, old, new in zip(names, before, after, strict=True):
        print(f"{render(name):20} {old:6.0f} {new:6.0f}")
    for name, weights in (("before", before), ("after", after)):
        errors = (_points(counts @ weights) - wanted) ** 2
        print(f"{name}: {errors[~held].mean():.5f}, held back {errors[held].mean():.5f}")


def _points(scores: "np.ndarray") -> "np.ndarray":
    return 1 / (1 + np.exp(-scores / SCALE))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("positions", "fit"))
    parser.add_argument("source", help="the engine's command, or the file of positions")
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "positions":
        positions(given.source, given.seconds, given.seed)
    else:
        fit(Path(given.source))


if __name__ == "__main__":
    main()
