"""Check the winning chances on the page by positions with known results, in a table of tenths.

    python benchmarks/measure/calibration.py collect positions.jsonl --game hex --count 400
    python benchmarks/measure/calibration.py table positions.jsonl

`collect` adds lines to the file until it has `--count` positions of the game, so that it can be
stopped and started again. Positions come from partly random play, from wholly random to nearly
decent. Connect Four and the small boards of Hex and Reversi are searched to the end; for chess the
result is Stockfish's expected points (its own model of win, draw and loss, 12 plies deep).
Positions whose result the look-ahead sees are left out: the page shows no guess there.

`fit` prints the slopes that fit best, by the amount of work. `table` shows, for each tenth, the
chance by `advisor.settings.chances` and, after the colon, the points in percent and the number of
the positions. `data/calibration.jsonl.gz` has the positions of the last fit.
"""

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from math import inf, log
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
from advisor.limits import Limit
from advisor.settings import chances
from aspcircuits.stopping import Stop

GAMES = {
    "connect4": ({}, (8, 36)),
    "chess": ({}, (8, 90)),
    "hex": ({"size": 5}, (5, 15)),
    "reversi": ({"size": 6}, (20, 28)),
}
"""Constants of each game, and the first and last ply of a position."""

SHARES, OF_CHESS = (1.0, 0.5, 0.25, 0.1), (0.15, 0.05, 0.02)
"""Shares of random moves, one of them for each game; in chess, more would decide every game."""

DEPTHS = {"connect4": 10, "chess": 6}
TREES, LARGE = (256, 768, 3072, 12288), 3
"""Total random games of each step; the last step only for every third position."""

SOLVING = 20.0


def played(game: advisor.Game, source: Random) -> advisor.Position:
    """Return a position after some moves, partly random."""
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
    """Choose a move by a short look-ahead or a small tree."""
    seen = position.abilities
    if seen.by_chance is None:
        return seen.phrasing.play_name(choose(seen, Limit(2)).move)
    found = grown(seen, 128, source.getrandbits(32), False)
    return seen.phrasing.play_name(seen.legal()[found[0].move])


def grown(seen: Any, games: int, seed: int, go_on: bool) -> list[Any]:
    """Return the branches of a tree after some more games."""
    position, root = seen.by_chance, seen.root()
    rule = UctSearch(seed=seed, games=games, stop=Stop(), proves=root.harmless)
    circuits = position.circuits
    grower = circuits.tree.grower(inf)
    return think(circuits, grower, position.row, position.look, rule, (), go_on)


def looked(seen: Any, seed: int) -> list[tuple[int, float]]:
    """Return the guesses for the best move, each with its amount of work, with growing work."""
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
        depth=DEPTHS[seen.phrasing.game],
        every_move=True,
        bonus=bonus,
        on_iteration=tell,
    )
    return found


def points(position: advisor.Position) -> float | None:
    """Return the side to move's points by best play; None if that takes too long."""
    if position.game.name == "connect4":
        known = exact.solve(position.board, stop=Stop(SOLVING))
    else:
        known = solve(position, stop=Stop(SOLVING))
    return {"win": 1.0, "draw": 0.5, "loss": 0.0, None: None}[known.position.outcome]


def of_chess(game: advisor.Game, engine: Any, source: Random) -> tuple[advisor.Position, float]:
    """Return a position of weak play, with the points that Stockfish expects."""
    import chess
    import chess.engine

    first, last = GAMES["chess"][1]
    while True:
        board, share = chess.Board(), source.choice(OF_CHESS)
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
    """Add positions until there are `count` of them."""
    have = len([row for row in rows(file) if row["game"] == name]) if file.exists() else 0
    game, engine = advisor.load_game(name, constants=GAMES[name][0]), None
    if name == "chess":
        import chess.engine

        engine = chess.engine.SimpleEngine.popen_uci(stockfish)
        engine.configure({"UCI_ShowWDL": True, "Threads": 1, "Hash": 16})
    game.position().abilities.prepare(make=True)
    while have < count:
        source = Random(f"{name} {have}")
        position, known = of_chess(game, engine, source) if engine else (played(game, source), None)
        found = looked(position.abilities, have)
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
    """Read the positions of a file."""
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
        yield from map(json.loads, lines)


def guesses(file: Path, game: str) -> dict[str, list[tuple[float, float, float | None]]]:
    """List, by amounts of work, each guess with the points and with the advisor's chance."""
    found: dict[str, list[tuple[float, float, float | None]]] = defaultdict(list)
    for row in rows(file):
        if row["game"] != game or row["points"] is None:
            continue
        for work, value in row["seen"]:
            if game in ("connect4", "chess"):
                told = chances.of_value(game, value, work)
                logit, key = value / advisor.logit_scale(game), f"depth {work}"
            else:
                told = chances.of_games(game, value, work)
                won = min(max((1 + value) / 2, 0.001), 0.999)
                logit = log(won / (1 - won))
                key = next(f"{low}+ games" for low in (4000, 1000, 200, 0) if work >= low)
            found[key].append((logit, row["points"], told))
    return dict(sorted(found.items()))


def table(file: Path) -> None:
    """Print the table; positions count for both sides, so lower tenths mirror upper ones."""
    print("| game | work | positions | 50-60 | 60-70 | 70-80 | 80-90 | 90-100 |")
    print("|---|---|---|---|---|---|---|---|")
    for game in GAMES:
        for work, seen in guesses(file, game).items():
            known = [(told, points) for _, points, told in seen if told is not None]
            tenths: dict[int, list[tuple[float, float]]] = defaultdict(list)
            for told, points in known:
                share, right = (told, points) if told >= 0.5 else (1 - told, 1 - points)
                tenths[min(9, int(10 * share))].append((share, right))
            cells = [
                "{:.0f}: {:.0f} ({})".format(*(100 * np.mean(pairs, axis=0)), len(pairs))
                if (pairs := tenths[tenth])
                else ""
                for tenth in range(5, 10)
            ]
            if known:
                print(f"| {game} | {work} | {len(known)} | {' | '.join(cells)} |")


def fit(file: Path) -> None:
    """Print the slopes of maximum likelihood."""
    slopes = np.arange(0.1, 6, 0.02)
    for game in GAMES:
        for work, seen in guesses(file, game).items():
            logits, points = (np.array(each, float) for each in list(zip(*seen, strict=True))[:2])
            losses = [np.mean(np.logaddexp(0, k * logits) - points * k * logits) for k in slopes]
            print(f"{game:9} {work:12} {len(seen):5} {slopes[int(np.argmin(losses))]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["collect", "table", "fit"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--stockfish", default="/usr/games/stockfish")
    asked = parser.parse_args()
    if asked.what != "collect":
        (table if asked.what == "table" else fit)(asked.file)
    else:
        collect(asked.file, asked.game, asked.count, asked.stockfish)


main()
