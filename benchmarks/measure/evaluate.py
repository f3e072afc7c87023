"""Score the same positions in several ways; check that they agree, and measure their speed.

    python benchmarks/measure/evaluate.py [--positions N] [--seed N] [--weights FILE]

- fresh: clingo grounds and solves ``evaluate.lp`` again for each position (the reference);
- assumptions: one control with every cell left open, solved under the cells of each position;
- circuit: the compiled program, in batches as the look-ahead makes them;
- native: the circuit as machine code, with the extra ``fast``.

The ways take turns, a part of the positions each time. Rates are medians over the turns, in
processor time, so that other load hardly matters.
"""

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np

from advisor.engine.answer_sets import best_models
from advisor.games.connect4.board import Board, Frontier, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator, value_of
from advisor.games.connect4.sampling import random_positions
from advisor.games.players import PLAYERS
from advisor.settings import reading
from advisor.settings.config import DEFAULT, Config
from aspcircuits.clingo_api import Model, Program, Term

BATCHES = (7, 49, 343, 1024)
"""Batch sizes: one to three plies of the standard board, and more than a look-ahead asks for."""

_TURNS = 7

_A = TypeVar("_A")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class BenchEvaluate:
    """A comparison of the ways; rates are positions per second of processor time.

    Attributes:
        positions: number of positions scored in each way.
        mismatches: positions on which the ways differ in an atom or in the value.
        fresh, assumptions: rates.
        circuit: rate by size of batch.
        native: rate of machine code by size of batch; None without the extra ``fast``.
    """

    positions: int
    mismatches: int
    fresh: float
    assumptions: float
    circuit: Mapping[int, float]
    native: Mapping[int, float] | None


def bench_evaluate(config: Config, positions: int, seed: int) -> BenchEvaluate:
    """Score random positions of the standard board in all ways.

    Args:
        config: the weights and encodings.
        positions: number of positions, at least 1.
        seed: seed of the positions.
    """
    chosen = random_positions(Random(seed), positions)
    by_numpy = CircuitEvaluator(config, geometry(), machine_code=False)
    expected = by_numpy.values(chosen, 0).tolist()
    compiled = CircuitEvaluator(config, geometry(), machine_code=True)
    by_code = compiled.values(chosen, 0).tolist()

    fresh = _Way[Board, Model](_fresh(config))
    assumptions = _Way[Board, Model](_under_assumptions(config))
    circuit = {size: _Way[Frontier, Any](by_numpy.static_values) for size in BATCHES}
    native = {size: _Way[Frontier, Any](compiled.static_values) for size in BATCHES}
    if not compiled.is_machine_code:
        native.clear()
    batches = {size: _batches(chosen, size) for size in BATCHES}

    turns = min(_TURNS, positions)
    order: list[int] = []
    for turn in range(turns):
        part = chosen[turn::turns]
        fresh.take_turn(part, len(part))
        assumptions.take_turn(part, len(part))
        for size, way in (*circuit.items(), *native.items()):
            way.take_turn(batches[size], sum(len(batch.mask) for batch in batches[size]))
        order += range(turn, positions, turns)

    mismatches = 0
    for i, first, second in zip(order, fresh.results, assumptions.results, strict=True):
        by_cost = value_of(first, chosen[i].turn, -sum(first.cost))
        by_features = value_of(second, chosen[i].turn, _sum_of_features(second, config))
        agree = first.atoms == second.atoms and by_cost == by_features == expected[i] == by_code[i]
        mismatches += not agree
    return BenchEvaluate(
        len(order),
        mismatches,
        fresh.rate,
        assumptions.rate,
        {size: way.rate for size, way in circuit.items()},
        {size: way.rate for size, way in native.items()} or None,
    )


class _Way(Generic[_A, _R]):
    """One way of scoring, with its results and its speed in each turn."""

    def __init__(self, score: Callable[[_A], _R]) -> None:
        self._score = score
        self._rates: list[float] = []
        self.results: list[_R] = []

    def take_turn(self, items: Sequence[_A], positions: int) -> None:
        """Score the items, which contain this number of positions."""
        started = time.process_time()
        results = [self._score(item) for item in items]
        self._rates.append(positions / (time.process_time() - started))
        self.results += results

    @property
    def rate(self) -> float:
        """Positions per second."""
        return float(np.median(self._rates))


def _fresh(config: Config) -> Callable[[Board], Model]:
    files, weights = config.files("features"), config.weights["features"]

    def score(position: Board) -> Model:
        (model,) = best_models(files, position.facts(), weights, position.geometry.constants)
        return model

    return score


def _under_assumptions(config: Config) -> Callable[[Board], Model]:
    """Return a scorer without weights, since Python adds up the answer set's features."""
    g = geometry()
    cells = [("cell", player, *square) for player in PLAYERS for square in g.squares_of(g.full)]
    atoms: list[Term] = [*cells, *(("turn", player) for player in PLAYERS)]
    program = Program(
        config.files("features"), (), g.constants, options=("--warn=none",), choices=atoms
    )

    def score(position: Board) -> Model:
        holding = set(position.facts())
        model = program.solve([(atom, atom in holding) for atom in atoms])
        assert model is not None
        return model

    return score


def _batches(positions: Sequence[Board], size: int) -> list[Frontier]:
    """Batch positions by the player to move, repeating some to fill the last batch."""
    batches = []
    for player in PLAYERS:
        own = [position for position in positions if position.turn == player]
        if own:
            filled = -(-len(own) // size) * size
            frontier = Frontier.of(list(islice(cycle(own), filled)))
            batches += [
                frontier.take(np.arange(start, start + size)) for start in range(0, filled, size)
            ]
    return batches


def _sum_of_features(model: Model, config: Config) -> int:
    features = [atom for atom in model.atoms if atom[0] == "feature"]
    return sum(
        config.require_weight("features", name) * (1 if player == 1 else -1)
        for _, name, player, _ in features
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--positions", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", default=DEFAULT)
    asked = parser.parse_args()
    measured = bench_evaluate(reading.load(asked.weights), asked.positions, asked.seed)
    rates = {
        "a fresh control each": measured.fresh,
        "one control, assumptions": measured.assumptions,
        **{f"circuit, batches of {size}": rate for size, rate in measured.circuit.items()},
        **{f"machine code, {size}": rate for size, rate in (measured.native or {}).items()},
    }
    for name, rate in rates.items():
        print(f"{name:26} {rate:14,.0f} positions/s {rate / measured.fresh:11,.1f} to fresh")
    print(f"{measured.mismatches} disagreements on {measured.positions} positions")
    return min(measured.mismatches, 1)


if __name__ == "__main__":
    sys.exit(main())
