"""Check that each level of play beats the one before, by matches in every game.

    python benchmarks/measure/levels.py play levels.jsonl [--game hex] [--pairs 20] [--most 12]
    python benchmarks/measure/levels.py table levels.jsonl
    python benchmarks/measure/levels.py play novice.jsonl --against novice --seconds 1
    python benchmarks/measure/levels.py shares novice.jsonl

A pair of games is a random opening played from both sides; `--pairs 20` is 40 games. The run goes
round all games and pairings, adds a line to the file for each pair, and resumes where it stopped.
The levels that the page has names for also meet a novice, who takes a win in one, blocks a loss in
one and otherwise plays at random; `shares` prints the novice's points as the page's data
(advisor/web/static/levels.js). Level 6 meets random play. Boards are small where large ones only
take longer. The weights
decide a game of chess after 120 plies: 300 units ahead, two plies deep, are a win.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from advisor.engine.search import search
from advisor.lab.arena import players
from advisor.lab.arena.match import some_openings
from advisor.lab.arena.players import Advised, Player
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

GAMES: dict[str, dict[str, int]] = {
    "tictactoe": {},
    "connect4": {},
    "hex": {"size": 7},
    "reversi": {"size": 6},
    "breakthrough": {"width": 5, "height": 6},
    "gomoku": {"width": 7, "height": 7},
    "morris": {},
    "chess": {},
}
MEETING = [(1, 4), (4, 8), (8, 12), (12, 20)]
NAMED = (1, 3, 6, 11, 20)
"""The levels that the page offers by name."""

LONG, AHEAD = 120, 300


class Novice(Player):
    """Takes a win in one, blocks a loss in one, otherwise plays at random."""

    def moves(self, state: Any, stop: Stop, seed: int = 0) -> list[Term]:
        legal = self.game.see(state).legal().values()
        after = {move: state.after(move) for move in legal}
        won = [move for move, then in after.items() if then.over and then.winner == state.turn]
        if won:
            return won
        safe = [move for move, then in after.items() if then.over or not wins(self, then)]
        return safe or [*after]


def wins(player: Player, state: Any) -> bool:
    """Whether the side to move wins at once."""
    return bool(player.game.see(state).wins(1, Stop()))


def named(text: str, game: str, seconds: float) -> Player:
    """Make a player: a level, "novice" or "random"."""
    other = None if game == "connect4" else game
    if text in ("novice", "random"):
        lot = players.parse("random", other, GAMES[game])
        return lot if text == "random" else Novice(text, lot.named)
    found = players.parse(f"default:level={text}", other, GAMES[game])
    assert isinstance(found, Advised)
    return replace(found, limit=replace(found.limit, seconds=seconds))


def play(pair: tuple[Player, Player], opening: str, seed: int) -> float | None:
    """Return the points of the player who begins."""
    game, lot = pair[0].game, Random(f"{seed} {opening}")
    state = game.position(opening)
    while not state.over:
        if len(state.path) >= LONG:
            return decided(game, state)
        player = pair[state.side]
        state = state.after(lot.choice(player.moves(state, Stop(), lot.getrandbits(63))))
    return {None: 0.5, 0: 1.0, 1: 0.0}[state.winning_side]


def decided(game: Any, state: Any) -> float:
    """Decide a long game, by its weights if it has any."""
    seen = game.see(state)
    value = 0
    if seen.weights:
        value = search(seen.root(), seen.evaluator(Stop()), depth=2).value
    value *= -1 if state.side else 1
    return 1.0 if value > AHEAD else 0.0 if value < -AHEAD else 0.5


def pairings(game: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of opponents, the stronger one second."""
    yield from (("novice", str(level)) for level in NAMED)
    yield "random", "6"
    if game != "tictactoe":  # a draw as soon as both look ahead a little
        yield from ((str(a), str(b)) for a, b in MEETING)


def run(file: Path, asked: argparse.Namespace) -> None:
    """Play missing games of pairs whose stronger side has a requested level."""
    done = defaultdict(int)
    for row in rows(file) if file.exists() else ():
        done[row["game"], row["a"], row["b"]] += 1
    for number in range(asked.pairs):
        for game in asked.game or GAMES:
            for a, b in pairings(game):
                unwanted = asked.against not in (None, a)
                if unwanted or done[game, a, b] > number or not asked.least <= int(b) <= asked.most:
                    continue
                one, other = (named(text, game, asked.seconds) for text in (a, b))
                opening = some_openings(one.game, number + 1, 2, 1)[-1]
                points = [play((one, other), opening, number)]
                points.append(1 - play((other, one), opening, number))
                with file.open("a") as lines:
                    row = {"game": game, "a": a, "b": b, "points": points}
                    print(json.dumps(row), file=lines, flush=True)


def table(file: Path) -> None:
    """Print the points of the second player of each pair."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in rows(file):
        found[row["game"], row["a"], row["b"]] += row["points"]
    print("| game | " + " | ".join(f"{b} v {a}" for a, b in pairings("")) + " |")
    print("|---|" + "---|" * len([*pairings("")]))
    for game in dict.fromkeys(key[0] for key in found):
        cells = []
        for a, b in pairings(""):
            points = found[game, a, b]
            cells.append(f"{len(points) - sum(points):g} of {len(points)}" if points else "")
        print(f"| {game} | " + " | ".join(cells) + " |")


def shares(file: Path) -> None:
    """Print the novice's points and games, for each game by level."""
    found: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows(file):
        if row["a"] == "novice":
            found[row["game"]][int(row["b"])] += row["points"]
    for game, levels in sorted(found.items()):
        told = [f"{level}: [{sum(p):g}, {len(p)}]" for level, p in sorted(levels.items())]
        print(f"  {game}: {{ {', '.join(told)} }},")


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Read the pairs of games of a file."""
    with file.open() as lines:
        yield from map(json.loads, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["play", "table", "shares"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5.0, help="the most for a move")
    parser.add_argument("--most", type=int, default=20, help="no higher levels")
    parser.add_argument("--against", choices=["novice", "random"], help="only this opponent")
    parser.add_argument("--least", type=int, default=1, help="no pairing of lower levels")
    asked = parser.parse_args()
    if asked.what == "play":
        run(asked.file, asked)
    else:
        {"table": table, "shares": shares}[asked.what](asked.file)


main()
