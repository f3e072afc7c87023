"""Makes positions to fit weights to: played on a little from random ones, scored exactly.

    python benchmarks/training.py UCI_FILE COUNT [SEED] > positions.txt

UCI_FILE is the UCI "Connect-4" data set as `advisor.datasets` reads it. Its every fifth row is
never used, so that moves can be graded there. From other rows and from random openings games are
played on for 3 to 10 plies, each move the best two plies ahead by values with some noise; the last
position counts if its result is not certain without looking ahead. Needs the extra `exact`.
"""

import sys
from pathlib import Path
from random import Random

import numpy as np

from advisor import config, datasets, exact
from advisor.connect4.board import Position, geometry
from advisor.connect4.notation import one_line
from advisor.evaluator import CircuitEvaluator
from advisor.search import FORCED

NOISE = 25


def opening(rows: list[Position], rng: Random) -> Position:
    if rng.random() < 0.7:
        return rng.choice(rows)
    position = Position(geometry())
    for _ in range(rng.randrange(2, 12)):
        if not position.over:
            position = position.play(rng.choice(position.moves()))
    return position


def played_on(
    position: Position, evaluator: CircuitEvaluator, noise: np.random.Generator
) -> Position:
    children = [position.play(column) for column in position.moves()]
    going = [child for child in children if not child.over]
    if not going:
        return children[0]
    values = -evaluator.values(going, 2).clip(-5000, 5000) + noise.normal(0, NOISE, len(going))
    return going[int(values.argmax())]


def main(file: Path, count: int, seed: int) -> None:
    rng, noise = Random(seed), np.random.default_rng(seed)
    evaluator = CircuitEvaluator(config.load(), geometry())
    rows = [row.position for i, row in enumerate(datasets.read(file)) if i % 5]
    seen: set[int] = set()
    while len(seen) < count:
        position = opening(rows, rng)
        for _ in range(rng.randrange(3, 11)):
            if not position.over:
                position = played_on(position, evaluator, noise)
        if position.over or position.key in seen or position.discs < 9:
            continue
        if abs(evaluator.values([position], 0)[0]) < FORCED:
            seen.add(position.key)
            print(one_line(position), exact.solve(position).score, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
