"""Make positions from which the choice of moves is learned.

    python benchmarks/train/training.py COUNT [SEED] > positions.txt

Games begin with 2 to 8 random discs, none of which gives a win away at once, and go on for up to 9
plies, each move the best two plies ahead by values with some noise. The last position counts if it
has 5 to 17 discs, nothing is decided two plies ahead, and some moves keep its result and some do
not. Positions of the two quality files, mirrored or not, are left out. Needs the extra `exact`.
"""

import sys
from pathlib import Path
from random import Random

import numpy as np

from advisor.engine.search import FORCED
from advisor.files import linefile
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.examples import example
from advisor.games.connect4.notation import one_line
from advisor.games.examples import has_choice
from advisor.settings import reading
from aspcircuits.stopping import Stop
from label import label

DATA = Path(__file__).parents[1] / "data"
NOISE = 40
DECIDED = 5000


def names(position: Board) -> set[str]:
    line = one_line(position)
    return {line, "/".join(row[::-1] for row in line.split("/"))}


def opening(rng: Random) -> Board:
    position = Board(geometry())
    for _ in range(rng.choice((2, 4, 4, 4, 6, 8))):
        children = [position.after(column) for column in position.moves()]
        going = [child for child in children if not child.over and not child.wins_at_once()]
        if going:
            position = rng.choice(going)
    return position


def played_on(position: Board, evaluator: CircuitEvaluator, noise: np.random.Generator) -> Board:
    children = [position.after(column) for column in position.moves()]
    going = [child for child in children if not child.over]
    if not going:
        return children[0]
    values = -evaluator.values(going, 2).clip(-DECIDED, DECIDED)
    return going[int((values + noise.normal(0, NOISE, len(going))).argmax())]


def main(count: int, seed: int) -> None:
    rng, noise = Random(seed), np.random.default_rng(seed)
    evaluator = CircuitEvaluator(reading.load(), geometry())
    tests = ("quality_pons.txt", "quality_uci.txt")
    seen = {
        name
        for test in tests
        for _, known in linefile.entries(DATA / test, example)
        for name in names(known.position)
    }
    found = 0
    while found < count:
        position = opening(rng)
        for _ in range(rng.randrange(10)):
            if not position.over:
                position = played_on(position, evaluator, noise)
        if position.over or not 5 <= position.discs <= 17 or seen & names(position):
            continue
        if abs(evaluator.values([position], 2)[0]) >= FORCED:
            continue
        seen |= names(position)
        line = label(one_line(position), Stop())
        if has_choice(example(line).columns.values()):
            found += 1
            print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
