"""Asks the exported engine in node."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from exported_engine import ExportedEngine

ENGINE = Path(__file__).parents[3] / "advisor" / "plugins" / "export" / "engine"
CHESS = pytest.param("chess", marks=pytest.mark.slow)
GAMES = "tictactoe", "connect4", "breakthrough", "hex", "gomoku", "morris", "reversi", CHESS

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="no node")


def ask_page(game: str, requests: list[Any]) -> list[Any]:
    """Return the answers to the page's requests, each a path and a body."""
    with ExportedEngine(game) as engine:
        return [engine.ask("page", path=path, body=body) for path, body in requests]
