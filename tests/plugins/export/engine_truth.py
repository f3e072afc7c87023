"""Asks the exported engine in node, and gathers states of games by random play."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from advisor.engine.nodes import Rows
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.plugins.export.description import describe_game

ENGINE = Path(__file__).parents[3] / "advisor" / "plugins" / "export" / "engine"
CHESS = pytest.param("chess", marks=pytest.mark.slow)
GAMES = "tictactoe", "connect4", "breakthrough", "hex", "gomoku", "morris", "reversi", CHESS

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="no node")


@cache
def described(game: str) -> Any:
    """Describe a game once per process."""
    return describe_game(game, "default", {})


@cache
def circuits(game: str) -> Circuits:
    """Load a game without machine code."""
    return knowledge.load(game)[0].without_code()


def ask_node(game: str, *asked: Any) -> Any:
    """Return the engine's answers to some questions, see `engine_probe.mjs`."""
    probe = Path(__file__).with_name("engine_probe.mjs")
    text = json.dumps({"game": described(game), "asked": asked})
    command = ["node", str(probe), str(ENGINE)]
    ran = subprocess.run(command, input=text, capture_output=True, text=True)
    assert not ran.stderr, ran.stderr[-2000:]
    return json.loads(ran.stdout)


def random_states(game: Circuits, count: int, seed: int) -> Rows:
    """Return states of random games, the ends of games among them."""
    rng = np.random.default_rng(seed)
    found = [game.start[None]]
    rows = np.repeat(game.start[None], 16, 0)
    while sum(map(len, found)) < count:
        look = game.look(rows)
        rows[look.over] = game.start
        look = game.look(rows)
        state, move = look.moves()
        chosen = [rng.choice(move[state == i]) for i in range(len(rows))]
        rows = game.without_moot(game.step(rows, np.array(chosen), look.turn))
        found.append(rows)
    return np.concatenate(found)[:count]


def words(rows: Rows) -> list[list[int]]:
    """Return states as the engine takes them."""
    found: list[list[int]] = np.ascontiguousarray(rows).view(np.int32).tolist()
    return found
