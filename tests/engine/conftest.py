"""Tests of the engine load games of their own: they make machine code of them, or take it away."""

import pytest


@pytest.fixture(autouse=True)
def _own_games(loaded_anew: None) -> None:
    pass
