"""The ways of scoring: the benchmark notices when they disagree."""

from importlib.util import find_spec

import numpy as np
import pytest

from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import reading
from evaluate import BATCHES, bench_evaluate


@pytest.mark.parametrize("positions", [60, 1])
def test_the_ways_agree(positions: int) -> None:
    found = bench_evaluate(reading.load(), positions, 1)
    assert (found.positions, found.mismatches) == (positions, 0)
    assert [*found.circuit] == [*BATCHES]
    assert (found.native is not None) == (find_spec("llvmlite") is not None)
    rates = [
        found.fresh,
        found.assumptions,
        *found.circuit.values(),
        *(found.native or {}).values(),
    ]
    assert all(rate > 0 for rate in rates)


def test_a_wrong_circuit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = CircuitEvaluator.static_values

    def one_too_many(self: CircuitEvaluator, frontier: object) -> object:
        values = right(self, frontier)  # type: ignore[arg-type]
        return values + (np.arange(len(values)) == 3)

    monkeypatch.setattr(CircuitEvaluator, "static_values", one_too_many)
    assert bench_evaluate(reading.load(), 20, 1).mismatches == 2, "one for each side to move"
