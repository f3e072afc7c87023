"""Compare NumPy with machine code (the extra ``fast``): ns a position, and the cost of compiling.

    python benchmarks/measure/native.py [WIDTH HEIGHT CONNECT]

The default is three boards.
"""

import sys
import time
from collections.abc import Callable
from random import Random

import numpy as np

from advisor.games.connect4.board import Board, Frontier, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading
from aspcircuits import llvm, luts, native, vector_code

BOARDS = ((7, 6, 4), (12, 10, 5), (20, 16, 5))
BATCH = 1024


def frontier(g: Geometry) -> Frontier:
    """Return positions of random games with player 1 to move."""
    random, found = Random(1), []
    while len(found) < BATCH:
        position = Board(g)
        for _ in range(2 * random.randrange(g.squares // 2)):
            position = position.after(random.choice(position.moves()))
            if position.result is not None:
                break
        else:
            found.append(position)
    return Frontier.of(found)


def best(score: Callable[[], object], calls: int) -> float:
    """Return nanoseconds a position, the fastest of some calls."""
    times = []
    for _ in range(calls):
        started = time.perf_counter()
        score()
        times.append(time.perf_counter() - started)
    return 1e9 * min(times) / BATCH


def row(board: tuple[int, int, int]) -> list[str]:
    """Measure a board; return the cells of its row."""
    g = geometry(*board)
    batch = frontier(g)
    by_numpy = CircuitEvaluator(reading.load(), g, machine_code=False)
    by_code = CircuitEvaluator(reading.load(), g, machine_code=True)
    assert by_code.is_machine_code
    value = by_code.tiers.recipe
    started = time.process_time()
    tables = luts.value_tables(value.inputs, value.gates, value.weights, value.certain)
    mapped = time.process_time()
    optimisation = 0 if len(tables.luts) > native.QUICK else 1
    here = llvm.host()
    program = vector_code.VectorProgram(tables, value.bits, value.words, here.lanes, here.ternary)
    for number in range(program.modules):  # otherwise several processes share them
        llvm.assemble_module(program.module(number), optimisation)
    compiled = time.process_time()
    made = native.compile_tables(tables, value.bits, value.words, optimisation)
    checking = time.process_time()
    native.check(native.Function(made), tables, value.bits)
    checked = time.process_time()
    loading = time.perf_counter()
    function = native.Function(made)
    loaded = time.perf_counter() - loading
    assert np.array_equal(by_numpy.static_values(batch), by_code.static_values(batch))
    rows = np.ascontiguousarray(batch.words())
    return [
        f"{board[0]}x{board[1]}, connect {board[2]}",
        f"{len(value.gates):,}",
        f"{len(tables.luts):,}",
        f"{best(lambda: by_numpy.static_values(batch), 40):,.0f}",
        f"{best(lambda: by_code.static_values(batch), 400):.0f}",
        f"{best(lambda: function(rows, 1), 400):.0f}",
        f"{mapped - started:.1f} + {compiled - mapped:.1f} + {checked - checking:.1f} s",
        f"{1000 * loaded:.0f} ms",
        f"{sum(map(len, made[-1])) // 1000:,}",
    ]


def main(boards: list[tuple[int, int, int]]) -> None:
    print("| board | gates | tables | NumPy | evaluator | code | made in | loaded in | kB |")
    for board in boards:
        print(f"| {' | '.join(row(board))} |", flush=True)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main([(given[0], given[1], given[2])] if given else [*BOARDS])
