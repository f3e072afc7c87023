"""The exported engine says what Python says."""

from itertools import accumulate

import numpy as np
import pytest
from engine_truth import (
    CHESS,
    GAMES,
    ask_node,
    circuits,
    described,
    needs_node,
    random_states,
    words,
)

from advisor.engine.recurrences import Recurrences
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import search

pytestmark = needs_node

STATES = 300
SEARCHED = {
    "chess": (6, 2),
    "gomoku": (2, 2),
    "breakthrough": (8, 3),
    "hex": (6, 2),
    "morris": (4, 3),
}
"""How many states are searched how deep; of other games more."""


@pytest.mark.parametrize("name", GAMES)
def test_states_moves_ends_and_values_are_the_same(name: str) -> None:
    game = circuits(name)
    rows = random_states(game, STATES, 5)
    (found,) = ask_node(name, {"what": "states", "states": words(rows)})
    look, leaf = game.look(rows), game.leaf(rows)
    assert found["over"] == look.over.astype(int).tolist()
    assert found["result"] == look.result.tolist()
    going = ~look.over
    assert np.array(found["turn"])[going].tolist() == look.turn[going].tolist()
    assert found["late"] == look.late.astype(int).tolist()
    state, move = look.moves()
    assert found["moves"] == [move[state == i].tolist() for i in range(len(rows))]
    assert found["values"] == leaf.values.tolist()
    assert found["certain"] == leaf.certain.astype(int).tolist()
    children = game.step(rows.take(state, 0), move, look.turn.take(state))
    assert found["children"] == np.ravel(words(children)).tolist()
    if game.noisy_plies:
        state, move = game.noisy(rows).moves()
        assert found["noisy"] == [move[state == i].tolist() for i in range(len(rows))]


def table(columns: list[list[int]]) -> list[tuple[int, ...]]:
    """Return the rows of a table whose columns are differences."""
    return [*zip(*(accumulate(column) for column in columns), strict=True)]


@pytest.mark.parametrize("name", GAMES)
def test_boards_strategies_and_features_are_the_same(name: str) -> None:
    game, told = circuits(name), described(name)
    rows = random_states(game, 40, 6)
    names = ["board", "says", "features"]
    (found,) = ask_node(name, {"what": "facts", "states": words(rows), "names": names})
    strategies = [each["name"] for each in told["strategies"]]
    for row, held in zip(rows, found, strict=True):
        shown = {(x, y, text) for x, y, text, n in told["board"] if n in held["board"]}
        assert len(shown) == len(game.board_atoms(row))
        says = {(s, m, where) for s, m, where, n in table(told["fires"]) if n in held["says"]}
        meant = [a for a in game.says(row) if game.strategies[a[1]]] if strategies else []
        assert len(says) == len({*meant})
        if game.weights and not game.leaf(row[None]).certain[0]:
            value = sum(
                told["features"][f]["weight"] * (1 - 2 * role)
                for f, role, _, n in table(told["held"])
                if n in held["features"]
            )
            assert value == game.leaf(row[None]).values[0]


@pytest.mark.parametrize("name", GAMES)
def test_searches_find_the_same_values_and_lines(name: str) -> None:
    game = circuits(name)
    count, most = SEARCHED.get(name, (12, 3))
    rows = random_states(game, 8 * count, 7)
    rows = rows[~game.look(rows).over][:count]
    begun = [0] * len(rows)
    asked = [
        {"what": "search", "states": words(rows), "depth": depth, "before": begun}
        for depth in range(1, most + 1)
    ]
    for depth, answers in enumerate(ask_node(name, *asked), 1):
        for row, told in zip(rows, answers, strict=True):
            again = None
            if times := game.rules.repetition:
                again = Recurrences.of((), row, times, game.counters, game.exchanges)
            turn = 0 if game.exchanges else None
            root = RowPosition(game, row, turn, recurrences=again)
            evaluator = RowEvaluator(game, machine_code=False)
            found = search(root, evaluator, depth=depth, every_move=True, follow="all")
            assert dict(told["scores"]) == found.scores
            assert {m: tuple(line) for m, line in told["lines"]} == found.lines
            assert (told["depth"], told["value"]) == (found.depth, found.value)
            assert told["exhaustive"] == found.exhaustive
            assert {*told["drawn"]} == found.drawn


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("connect4", 6, 117_649), pytest.param("chess", 3, 8902, marks=pytest.mark.slow)],
)
def test_positions_after_some_plies_are_counted(name: str, depth: int, count: int) -> None:
    """Connect Four: OEIS A212693; chess: OEIS A048987."""
    assert ask_node(name, {"what": "perft", "depth": depth}) == [count]


@pytest.mark.parametrize("name", ["connect4", CHESS])
def test_sums_of_features_fit_the_engine(name: str) -> None:
    """A sum has at most 32 digits, as the engine reads them."""
    told = described(name)
    digits = len(told["functions"]["state"]["functions"]["leaf"]) - len(told["values"])
    assert 1 < digits <= 32
