"""The ways of scoring: the benchmark notices when they disagree."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.measure.evaluate import BATCHES, bench_evaluate
from advisor.settings import reading
from command import advisor


def test_the_ways_agree() -> None:
    done = advisor("bench", "evaluate", "--positions", 60, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert list(found) == [
        "positions",
        "mismatches",
        "fresh_per_s",
        "assumptions_per_s",
        "circuit_per_s",
        "native_per_s",
        "ratio_1024_to_fresh",
    ]
    assert (found["positions"], found["mismatches"]) == (60, 0)
    assert list(found["circuit_per_s"]) == [str(size) for size in BATCHES]
    rates = [found["fresh_per_s"], found["assumptions_per_s"], *found["circuit_per_s"].values()]
    assert all(rate > 0 for rate in rates)
    native = found["native_per_s"]
    assert (native is not None) == (find_spec("llvmlite") is not None)
    assert native is None or list(native) == [str(size) for size in BATCHES]
    assert all(rate > 0 for rate in (native or {}).values())


def test_one_position_is_enough() -> None:
    done = advisor("bench", "evaluate", "--positions", 1)
    assert done.code == 0
    assert "0 disagreements on 1 positions" in done.out


def test_a_wrong_circuit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = CircuitEvaluator.static_values

    def one_too_many(self: CircuitEvaluator, frontier: object) -> object:
        values = right(self, frontier)  # type: ignore[arg-type]
        return values + (np.arange(len(values)) == 3)

    monkeypatch.setattr(CircuitEvaluator, "static_values", one_too_many)
    assert bench_evaluate(reading.load(), 20, 1).mismatches == 2, "one for each side to move"
