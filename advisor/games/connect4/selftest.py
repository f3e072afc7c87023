"""Self-tests of Connect Four: its machine code, and whether its ways of playing agree."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from advisor.engine.answer_sets import best_models
from advisor.games.connect4 import compiled_search
from advisor.games.connect4.abilities import Knowledge
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator, value_of
from advisor.games.connect4.machine import RULES
from advisor.games.connect4.proofs import find_proofs
from advisor.games.connect4.sampling import random_positions
from advisor.games.connect4.solver import Solver
from advisor.settings import reading
from aspcircuits import llvm
from aspcircuits.tiers import Tiers

_POSITIONS = 16


def code() -> list[tuple[str, Callable[[], Tiers[Any]]]]:
    """List each machine code by its name, with a function that finds it."""
    made: tuple[Tiers[Any], ...] = RULES, compiled_search.tiers
    own = [(tiers.recipe.what, lambda tiers=tiers: tiers) for tiers in made]
    return [*own, code_of_values(geometry()), *find_proofs().code()]


def code_of_values(g: Geometry) -> tuple[str, Callable[[], Tiers[Any]]]:
    """Return the machine code that values positions on a board, as `code` lists it."""
    return f"values on {g.width}x{g.height}", partial(_find_values, g)


def _find_values(g: Geometry) -> Tiers[Any]:
    return Knowledge(reading.load()).evaluator(g).tiers


def tests() -> dict[str, Callable[[], str]]:
    """Return the tests by their descriptions; each returns what is wrong, or an empty text."""
    return {
        f"clingo, circuit and machine code value {_POSITIONS} positions alike": _values,
        "the exact solver finds that nobody wins on 4x4": _exact,
    }


def _values() -> str:
    config = reading.load("alex")
    positions = random_positions(Random(1), _POSITIONS)
    by_numpy, compiled = (
        CircuitEvaluator(config, geometry(), machine_code=code).values(positions, 0).tolist()
        for code in (False, llvm.available())
    )
    files, weights = config.files("features"), config.weights["features"]
    wrong = 0
    for position, *values in zip(positions, by_numpy, compiled, strict=True):
        (model,) = best_models(files, position.facts(), weights, geometry().constants)
        wrong += len({*values, value_of(model, position.turn, -sum(model.cost))}) > 1
    return f"{wrong} differ" if wrong else ""


def _exact() -> str:
    g = geometry(4, 4)
    score = Solver(g).solve(Board(g)).score
    return f"its score is {score}" if score else ""
