"""The program that compares the engine of exported games with Python sees what differs."""

import shutil
from itertools import islice
from typing import Any

import pytest

import exported_equal
from advisor.games import knowledge
from exported_engine import ExportedEngine

pytestmark = [
    pytest.mark.skipif(not shutil.which("node"), reason="no node"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("name", ["connect4", "morris", "hex"])
def test_four_plies_and_the_states_of_whole_games_are_the_same(name: str) -> None:
    found, done = exported_equal.compare_game(name, states=80, searches=2, leaves=20_000)
    assert not found
    assert done.endswith("2 searches of depth 3, 2 searches of depth 4")


def test_a_difference_is_counted() -> None:
    game = knowledge.load("tictactoe")[0].without_code()
    states = islice(exported_equal.visit_states(game, seed=1), 20)
    rows = exported_equal.np.array([visit.row for visit in states])

    class Wrong(ExportedEngine):
        def ask(self, what: str, **how: Any) -> Any:
            found = super().ask(what, **how)
            if what == "search":
                found["value"] += 1
            elif what == "states":
                found["values"][3] += 1
            return found

    with Wrong("tictactoe") as engine:
        found = exported_equal.compare_states(game, engine, rows)
        assert {kind: count for kind, count in found.items() if count} == {"values": 1}
        (visit,) = exported_equal.small_states(game, 2, 100, 1)
        assert exported_equal.compare_search(game, engine, visit, 2)
