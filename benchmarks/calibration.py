"""How often the percentage on the page is right: positions with known results, and a table of tenths.

    python benchmarks/calibration.py collect positions.jsonl --game hex --count 400
    python benchmarks/calibration.py table positions.jsonl

`collect` adds lines to the file until it has `--count` positions of the game, so that it can be
stopped and started again. Positions come from play that is random in parts, from wholly random to
nearly decent. Connect Four and the small boards of Hex and Reversi are searched to the end; for
chess the result is the expected points that Stockfish names (its own model of win, draw and loss,
12 plies deep). Positions whose result the look-ahead sees are left out: no percentage is shown there.

`table` compares, for each tenth, the mean of what `advisor.settings.chances` says with the mean of
the points, at every amount of work for which it says something. `fit` prints the slopes that fit best.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from math import exp, inf, log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import advisor
from advisor.advice.choice import choose
from advisor.engine.search import FORCED, search
from advisor.engine.uct import UctSearch, think
from advisor.games.by_rules import solve
from advisor.games.connect4 import exact
from advisor.limits import Limit, Stop

GAMES = {
    "connect4": ({}, (8, 36)),
    "chess": ({}, (8, 90)),
    "hex": ({"size": 5}, (5, 15)),
    "reversi": ({"size": 6}, (20, 28)),
}
"""Constants, and the first and last ply of a position."""

SHARES = (1.0, 0.5, 0.25, 0.1)
"""Of random moves, one of these for a game."""

DEPTH, SECONDS = 8, 1.0
TREES, LARGE = (256, 768, 3072, 12288), 3
"""Random games, each number more than those before; the last only for every third position."""

SOLVING = 20.0


def played(game: advisor.Game, source: Random) -> advisor.Position:
    """A position after some moves, random ones among them."""
    first, last = GAMES[game.name][1]
    while True:
        position, share = game.position(""), source.choice(SHARES)
        for _ in range(source.randint(first, last)):
            moves = position.moves
            if source.random() >= share:
                moves = [decent(position, source)]
            position = position.play(source.choice(list(moves)))
            if position.over:
                break
        else:
            return position


def decent(position: advisor.Position, source: Random) -> Any:
    """A move by a short look-ahead or a small tree."""
    seen = position.game.room.see(position.state)
    if seen.by_chance is None:
        return seen.phrasing.played(choose(seen, Limit(2)).move)
    found = grown(seen, 128, source.getrandbits(32), False)
    return seen.phrasing.played(seen.legal()[found[0].move])


def grown(seen: Any, games: int, seed: int, go_on: bool) -> list[Any]:
    """The branches of a tree after so many more games."""
    playing, root = seen.by_chance, seen.root()
    rule = UctSearch(seed=seed, games=games, stop=Stop(), proves=root.harmless)
    grower = playing.game.tree.grower(inf)
    return think(playing.game, grower, playing.row, playing.look, rule, (), go_on)


def looked(seen: Any, seed: int) -> list[tuple[int, float]]:
    """What is seen of the best move by more and more work, as long as that is a guess."""
    found: list[tuple[int, float]] = []
    if seen.by_chance is not None:
        for step, games in enumerate(TREES if seed % LARGE == 0 else TREES[:-1]):
            best = grown(seen, games, seed + step, step > 0)[0]
            if best.kind == "heuristic":
                found.append((best.games, best.mean))
        return found
    totals = seen.totals(Stop())
    bonus = {number: totals[move] for number, move in seen.legal().items()}

    def tell(result: Any) -> None:
        best = result.best[0]
        if not result.exhaustive and abs(value := result.scores[best]) < FORCED:
            found.append((result.depth, value - bonus[best]))

    search(
        seen.root(),
        seen.evaluator(Stop()),
        depth=DEPTH,
        stop=Stop(SECONDS),
        every_move=True,
        bonus=bonus,
        on_iteration=tell,
    )
    return found


def points(position: advisor.Position) -> float | None:
    """What best play leads to for the side to move; None if that takes too long."""
    if position.game.name == "connect4":
        known = exact.solve(position.state.position, stop=Stop(SOLVING))
    else:
        known = solve(position.state, stop=Stop(SOLVING))
    return {"win": 1.0, "draw": 0.5, "loss": 0.0, None: None}[known.position.outcome]


def of_chess(game: advisor.Game, engine: Any, source: Random) -> tuple[advisor.Position, float]:
    """A position of light play, with the points that Stockfish expects."""
    import chess
    import chess.engine

    first, last = GAMES["chess"][1]
    while True:
        board, share = chess.Board(), source.choice(SHARES[1:])
        depth = source.choice((1, 2, 4))
        for ply in range(source.randint(first, last)):
            moves = [*board.legal_moves]
            if ply >= 4 and source.random() >= share:
                moves = [engine.play(board, chess.engine.Limit(depth=depth)).move]
            board.push(source.choice(moves))
            if board.is_game_over(claim_draw=True):
                break
        else:
            known = engine.analyse(board, chess.engine.Limit(depth=12))["wdl"]
            return game.position(board.fen()), known.relative.expectation()


def collect(file: Path, name: str, count: int, stockfish: str) -> None:
    """Adds positions until there are as many as wanted."""
    have = len([row for row in rows(file) if row["game"] == name]) if file.exists() else 0
    game, engine = advisor.load_game(name, constants=GAMES[name][0]), None
    if name == "chess":
        import chess.engine

        engine = chess.engine.SimpleEngine.popen_uci(stockfish)
        engine.configure({"UCI_ShowWDL": True, "Threads": 1, "Hash": 16})
    game.room.see(game.room.begin("")).prepare(make=True)
    while have < count:
        source = Random(f"{name} {have}")
        position, known = of_chess(game, engine, source) if engine else (played(game, source), None)
        found = looked(game.room.see(position.state), have)
        if found and known is None:
            known = points(position)
        row = {
            "game": name,
            "position": position.text,
            "points": known,
            "seen": found,
        }
        with file.open("a") as lines:
            print(json.dumps(row), file=lines, flush=True)
        have += 1
    if engine is not None:
        engine.quit()


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """The positions of a file."""
    with file.open() as lines:
        yield from map(json.loads, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["collect", "table", "fit"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--stockfish", default="/usr/games/stockfish")
    asked = parser.parse_args()
    collect(asked.file, asked.game, asked.count, asked.stockfish)


main()
