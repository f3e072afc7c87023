"""Find positions of boards other than 7x6, with the result of every move by the project's solver.

    python benchmarks/learn/boards.py positions SECONDS [SEED] > boards.txt
    python benchmarks/learn/boards.py learn > weights.yaml
    python benchmarks/learn/boards.py quality [DEPTH...]

`positions`: games begin with random discs and go on until 10 to 24 squares are empty, with random
moves that lose nothing at once and with the best moves two plies ahead by values with some noise.
The last position counts if nothing is decided two plies ahead, the solver is done within a moment,
and some moves keep its result and some do not. The boards take turns for SECONDS of processor time.
The solver's limit is by the clock, so a run on another machine gives other positions.

`learn` fits the feature weights of the preset `any-size` to four fifths of data/boards.txt.gz,
except boards reserved for measuring, and to as many positions of 7x6 as there are of the most
frequent other board. It needs the extra `tune`. `quality` prints how many moves keep the result, by
the weights of 7x6 and of `any-size`, in the positions not used for learning.
"""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from random import Random

import numpy as np

from advisor.engine.search import FORCED
from advisor.files import linefile
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.examples import example as example_of
from advisor.games.connect4.notation import one_line, parse_line
from advisor.games.connect4.solver import Solver
from advisor.games.examples import Example, has_choice, sign
from advisor.limits import Limit
from advisor.plugins.learn.tuning.choices import ChoiceModel
from advisor.plugins.learn.tuning.model import weights_of, with_weights
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.settings import reading
from advisor.settings.writing import to_yaml
from aspcircuits.stopping import Stop

sys.path.append(str(Path(__file__).parents[1] / "measure"))
from advising import Advisor

LEARNED = [(5, 4, 4), (5, 5, 4), (6, 5, 4), (5, 6, 4), (6, 6, 4), (7, 5, 4), (8, 6, 4), (8, 7, 4)]
LEARNED += [(6, 5, 3), (8, 6, 5), (9, 7, 5)]
UNSEEN = [(6, 4, 4), (7, 7, 4), (10, 6, 5)]
"""Boards reserved for measuring."""

DATA = Path(__file__).parents[1] / "data"
ROUNDS = 6
EMPTY = range(10, 25)
MOMENT = 0.25
NOISE = 40
DECIDED = 5000


def played(size: Geometry, evaluator: CircuitEvaluator, rng: Random) -> Board | None:
    """Play until a random number of `EMPTY` squares is left; None if the game ends before."""
    noise = np.random.default_rng(rng.randrange(1 << 32))
    position = Board(size)
    left = min(rng.choice(EMPTY), size.squares - 2)
    while position.plies_left > left:
        children = [position.after(column) for column in position.moves()]
        going = [child for child in children if not child.over and not child.wins_at_once()]
        if not going:
            return None
        if position.discs < 4 or rng.random() < 0.5:
            position = rng.choice(going)
        else:
            values = -evaluator.values(going, 1).clip(-DECIDED, DECIDED)
            position = going[int((values + noise.normal(0, NOISE, len(going))).argmax())]
    return position


def results(position: Board) -> Mapping[int, int] | None:
    """Return 1, 0 or -1 for each move, for the player who makes it; None if it takes too long."""
    found = Solver(position.geometry).outcomes(position, Stop().with_limit(MOMENT))
    if any(solution.outcome is None for solution in found.values()):
        return None
    return {column: sign(solution.lower + solution.upper) for column, solution in found.items()}


def positions(seconds: float, seed: int) -> None:
    rng = Random(seed)
    evaluators = {
        size: CircuitEvaluator(reading.load(), geometry(*size)) for size in LEARNED + UNSEEN
    }
    seen: set[Board] = set()
    while time.process_time() < seconds:
        for (width, height, connect), evaluator in evaluators.items():
            position = played(geometry(width, height, connect), evaluator, rng)
            if position is None or position in seen or position.mirror in seen:
                continue
            seen.add(position)
            if position.dead or abs(evaluator.values([position], 2)[0]) >= FORCED:
                continue
            moves = results(position)
            if moves is not None and has_choice(moves.values()):
                words = (str(moves.get(column, "-")) for column in range(1, width + 1))
                print(f"{width}x{height}/{connect}", one_line(position), *words, flush=True)


def parsed(line: str) -> Example:
    board, picture, *words = line.split()
    size = geometry(*map(int, re.split("[x/]", board)))
    moves = {column: int(word) for column, word in enumerate(words, 1) if word != "-"}
    return Example(parse_line(picture, size), max(moves.values()), columns=moves)


def examples() -> tuple[list[Example], list[Example]]:
    """Return the examples to learn from, including 7x6, and the examples to measure with."""
    boards: dict[Geometry, list[Example]] = {}
    for _, example in linefile.entries(DATA / "boards.txt.gz", parsed):
        boards.setdefault(example.position.geometry, []).append(example)
    learn, measure = [], []
    for size, found in boards.items():
        unseen = size in {geometry(*each) for each in UNSEEN}
        for number, example in enumerate(found):
            (measure if unseen or number % 5 == 0 else learn).append(example)
    count = max(map(len, boards.values()))
    standard = linefile.entries(DATA / "training.txt.gz", example_of)
    for labelled in islice((entry for _, entry in standard), count):
        moves = {column: sign(score) for column, score in labelled.columns.items()}
        learn.append(Example(labelled.position, max(moves.values()), columns=moves))
    return [example for example in learn if has_choice((example.columns or {}).values())], measure


def learn() -> None:
    config = reading.load("any-size")
    alone = replace(
        config,
        knowledge={**config.knowledge, "moves": ()},
        weights={**config.weights, "moves": {}},
    )
    chosen, _ = examples()
    chosen.sort(key=lambda example: str(example.position.geometry))
    counts = [
        CircuitEvaluator(config, size).counts([example.position for example in group])[0]
        for size, group in groupby(chosen, key=lambda example: example.position.geometry)
    ]
    held = np.arange(len(chosen)) % 10 == 0
    turns = np.array([example.position.turn for example in chosen])
    wins = np.array([example.result_of_player_1 for example in chosen])
    start = ResultModel(turns, wins, np.concatenate(counts), held)

    def report(stage: str, part: float) -> None:
        print(f"{stage}: {part:.0%}", file=sys.stderr)

    model = ChoiceModel(alone, chosen, start, held, ROUNDS, report)
    before = weights_of(alone, strategies=True)
    after = model.fit(before)
    for name, weights in (("before", before), ("after", after)):
        found = model.grade(weights)
        print(f"# {name}: {found.fitted} fitted to, {found.held} held back", file=sys.stderr)
    learned = with_weights(alone, after).weights["features"]
    print(to_yaml(replace(config, weights={**config.weights, "features": learned})), end="")


def quality(depths: Sequence[int]) -> None:
    advisors = [
        Advisor(replace(reading.load(), other_boards=None)),
        Advisor(reading.load("any-size")),
    ]
    _, measure = examples()
    measure.sort(key=lambda example: str(example.position.geometry))
    everything = [0] * (len(depths) * 2)
    print("board, positions, at random, then by depth: weights of 7x6, any-size (% that keep)")
    for size, group in groupby(measure, key=lambda example: example.position.geometry):
        found = list(group)
        keeps = [
            {column for column, score in (e.columns or {}).items() if score == e.result}
            for e in found
        ]
        chance = sum(len(kept) / len(e.columns or {}) for e, kept in zip(found, keeps, strict=True))
        right = [
            sum(
                advisor.choose(e.position, Limit(depth)) in kept
                for e, kept in zip(found, keeps, strict=True)
            )
            for depth in depths
            for advisor in advisors
        ]
        everything = [a + b for a, b in zip(everything, right, strict=True)]
        cells = [f"{100 * share / len(found):.1f}" for share in (chance, *right)]
        print(f"{size.width}x{size.height}/{size.connect}", len(found), *cells, flush=True)
    print("all", len(measure), "", *(f"{100 * right / len(measure):.1f}" for right in everything))


if __name__ == "__main__":
    command, *numbers = sys.argv[1:]
    if command == "positions":
        seconds, *seed = map(int, numbers)
        positions(seconds, seed[0] if seed else 1)
    elif command == "learn":
        learn()
    elif command == "quality":
        quality([*map(int, numbers)] or [4, 6])
