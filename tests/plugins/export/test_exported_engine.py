"""The exported engine says what Python says."""

import pytest
from engine_truth import CHESS, GAMES, needs_node

import exported_equal
from advisor.plugins.export.description import describe_game
from exported_engine import ExportedEngine


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_states_and_searches_are_the_same(name: str) -> None:
    found, _ = exported_equal.compare_game(name, states=150, searches=3, leaves=2_500)
    assert not found


@needs_node
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("connect4", 6, 117_649), pytest.param("chess", 3, 8902, marks=pytest.mark.slow)],
)
def test_positions_after_some_plies_are_counted(name: str, depth: int, count: int) -> None:
    """Connect Four: OEIS A212693; chess: OEIS A048987."""
    with ExportedEngine(name) as engine:
        assert engine.ask("perft", depth=depth) == count


@pytest.mark.parametrize("name", ["connect4", CHESS])
def test_sums_of_features_fit_the_engine(name: str) -> None:
    """A sum has at most 32 digits, as the engine reads them."""
    told = describe_game(name, "default", {})
    digits = len(told["functions"]["state"]["functions"]["leaf"]) - len(told["values"])
    assert 1 < digits <= 32
