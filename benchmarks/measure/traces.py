"""Compare the traces of many advices with their scores and with plain clingo.

    python benchmarks/measure/traces.py [POSITIONS] [SEED]

The positions are random, of four board sizes, at depths 0 to 6, in turn with the default settings,
with examples/edge.yaml and with the settings of Pomakis. For every move with a heuristic score, the
features at the end of its line and the strategies must add up to the score, and clingo must find
the same features with the same weights there. The exit code is 1 if anything differs.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from advising import Advisor
from advisor.advice.advice import Move
from advisor.engine.answer_sets import best_models
from advisor.games.connect4.board import Board, geometry
from advisor.limits import Limit
from advisor.settings.config import Config
from advisor.settings.reading import load
from aspcircuits.clingo_api import render

SIZES = ((7, 6, 4), (6, 5, 4), (5, 4, 3), (8, 7, 4))
SETTINGS = ("default", str(Path(__file__).parents[2] / "examples" / "edge.yaml"), "pomakis")


def random_position(source: random.Random) -> Board:
    """Return a position of a random game that is not over."""
    position = Board(geometry(*source.choice(SIZES)))
    for _ in range(source.randrange(position.geometry.squares)):
        after = position.after(source.choice(position.moves()))
        if after.result() is not None:
            break
        position = after
    return position


def wrong(position: Board, move: Move, config: Config) -> bool:
    """Whether a move's account differs from its score or from clingo's."""
    trace = move.trace
    if trace is None:
        return move.score.value != move.total
    leaf = position
    for column in trace.line:
        leaf = leaf.after(column)
    expected: Counter[tuple[str, int, str, int]] = Counter()
    if leaf.result() is None:
        weights = config.weights["features"]
        (model,) = best_models(
            config.files("features"), leaf.facts(), weights, leaf.geometry.constants
        )
        if "drawn" not in model.atoms:
            for atom in model.atoms:
                if atom[0] == "feature" and (weight := weights[atom[1]]):
                    signed = weight if atom[2] == position.turn else -weight
                    expected[render(atom[1]), atom[2], render(atom[3]), signed] += 1
    found = Counter((h.feature, h.player + 1, render(h.where), h.weight) for h in trace.features)
    return found != expected or trace.value + move.total != move.score.value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    given = parser.parse_args()
    source = random.Random(given.seed)
    settings = [load(name) for name in SETTINGS]
    moves = features = bad = 0
    for number in range(given.positions):
        position, config = random_position(source), settings[number % len(settings)]
        asked = Advisor(config)
        advice = asked.advise(position, Limit(source.randrange(7)), traced=True)
        used = asked.knows.settings(position.geometry)
        for move in advice.moves:
            if move.score.kind == "heuristic":
                moves += 1
                features += len(move.trace.features) if move.trace else 0
                bad += wrong(position, move, used)
    print(f"{given.positions} positions, {moves} scores, {features} features, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
