"""Guard against lost speed by ratios that hardly depend on other load; `.ci/run` runs it.

    python benchmarks/measure/guard.py

Each ratio compares two things measured in turns, in processor time, and is the median over the
turns. The bounds are far outside the values of several loaded runs (benchmarks/log/guards.md), so
a failure means several times slower, not a tenth slower; `make bench` measures.
"""

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import suggest
from advising import Advisor
from advisor.engine.search import search
from advisor.games import puzzles
from advisor.games.abilities import Abilities
from advisor.games.connect4.board import Board, Frontier, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.puzzles import Posed
from advisor.library.replaying import all_defences, begin, play_out
from advisor.limits import Limit
from advisor.settings import reading

CONFIG = reading.load()
ADVISOR = Advisor(CONFIG)

_BATCHES = 100


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def leaves_in_a_puzzle() -> float:
    """Leaves a second of the look-aheads in a puzzle, to positions a second of the circuit."""
    evaluator = CircuitEvaluator(CONFIG, geometry(), machine_code=False)
    # Three plies of the standard board, which are a batch of the look-ahead.
    batch = Frontier.of([Board(geometry()).play(4)])
    for _ in range(3):
        batch, _ = batch.children()
    ratios = []
    for puzzle in puzzles.book(3):
        puzzled, asked = _solve(puzzle)
        bare = seconds(lambda: [evaluator.values(batch, 0) for _ in range(_BATCHES)])
        leaves = sum(search(position, evaluator, depth=CONFIG.depth).leaves for position in asked)
        ratios.append((leaves / puzzled) / (_BATCHES * len(batch) / bare))
    return median(ratios[1:])


def _solve(puzzle: Posed) -> tuple[float, list[Board]]:
    """Return the time of a puzzle against all defences, and the positions with a choice of move."""
    asked: list[Board] = []

    def attack(game: Abilities) -> Any:
        asked.append(game.position.board)
        return ADVISOR.choose(game.position.board)

    begun, _ = begin(puzzle)
    return seconds(lambda: play_out(puzzle, begun, attack, all_defences, puzzle.win_in)), asked


def advice_after_advice() -> float:
    """The time that the hundredth suggestion in a process takes, to the second one's."""
    position = puzzles.load("chapter2/1").position
    times = [seconds(lambda: ADVISOR.advise(position, Limit(depth=4))) for _ in range(105)]
    return median(times[95:]) / median(times[1:11])


def whole_process() -> float:
    """The time that `advisor suggest` takes as a process, to that of importing NumPy and clingo."""
    moves = suggest.middle_games()[0]
    ratios = []
    for _ in range(6):
        _, suggested, _ = suggest.advisor("suggest", moves)
        _, imported, _ = suggest.process("-c", "import numpy, clingo")
        ratios.append(suggested / imported)
    return median(ratios[1:])


GUARDS: list[tuple[Callable[[], float], float, float]] = [
    (leaves_in_a_puzzle, 0.02, 1.0),
    (advice_after_advice, 0.0, 2.5),
    (whole_process, 0.0, 9.0),
]
"""Each measured ratio, with its least and greatest value that pass."""


def main() -> int:
    failed = 0
    for measure, least, greatest in GUARDS:
        ratio = measure()
        passed = least <= ratio <= greatest
        failed += not passed
        allowed = f"at least {least:g}" if least else f"at most {greatest:g}"
        print(f"{'ok    ' if passed else 'FAILED'} {ratio:7.3g} ({allowed})  {measure.__doc__}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
