"""Compare random games a second here, in OpenSpiel and in python-chess, in one run by turns.

    python benchmarks/compare/random_games.py [NAMES ...] [--turns 5]

Needs open_spiel and chess. Rates are games a second of processor time of one thread, the best of
some turns in which each system has half a second, so that other load hardly matters. For loops,
plies a second follow in brackets. "C++" stands for OpenSpiel's own random games
(`RandomRolloutEvaluator`, from the second move on), "Python" for a loop over its states, "here" for
the advisor's machine code, "Arrays" for a loop over `legal` and `step` of 1,024 states, "Position"
for a loop over `moves` and `play` of a single position. python-chess has a second row, without the
names of moves.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import chess
import numpy as np
import pyspiel
from numpy.random import default_rng

import advisor
from advisor.engine.playouts import play_out
from advisor.games import knowledge

sys.path.append(str(Path(__file__).parents[1] / "measure"))
from game_speed import stepped

GAMES = {
    "connect4": ("connect_four", {}),
    "breakthrough": ("breakthrough(rows=8,columns=8)", {"width": 8, "height": 8}),
    "gomoku": ("gomoku(size=15)", {"width": 15, "height": 15}),
    "hex": ("hex(board_size=7)", {"size": 7}),
    "reversi": ("othello", {}),
    "chess": ("chess", {}),
    "tictactoe": ("tic_tac_toe", {}),
    "morris": ("nine_mens_morris", {}),
}
SLICE, BATCH, ROLLOUTS = 0.5, 4096, 100

Played = tuple[int, int]
"""Numbers of games and of their moves; 0 where not counted."""


class Rate(NamedTuple):
    """Games and plies a second; 0 where not counted."""

    games: float
    plies: float


def here(name: str, constants: dict[str, int]) -> Callable[[], Played]:
    """Return a function that plays games by the rules alone, as machine code, side by side."""
    rules, config = knowledge.ground(name, constants=constants)
    game = knowledge.compile_circuits(rules, config)
    starts, rng = np.repeat(game.start[None], BATCH, 0), np.random.default_rng(1)

    def play() -> Played:
        found = play_out(game, starts, rng, machine_code=True)
        return BATCH, found.plies

    return play


def loops(name: str, constants: dict[str, int]) -> dict[str, Callable[[], Played]]:
    """Return functions that play games through the public interface, by name."""
    game, rng, chances = advisor.load_game(name, constants=constants), Random(1), default_rng(1)
    arrays = advisor.Arrays(game, machine_code=True)
    states, start = arrays.start(1024), game.position()

    def by_arrays() -> Played:
        nonlocal states
        ended = int(arrays.over(states).sum())
        states = stepped(arrays, states, chances)
        return ended, len(states)

    def by_positions() -> Played:
        position, plies = start, 0
        while not position.over:
            position, plies = position.play(rng.choice(position.moves)), plies + 1
        return 1, plies

    return {"Arrays": by_arrays, "Position": by_positions}


def openspiel(name: str) -> dict[str, Callable[[], Played]]:
    game = pyspiel.load_game(name)
    rollouts, rng = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1), Random(1)
    # With one simulation, all games begin after the first move of the tree search.
    searcher = pyspiel.MCTSBot(game, rollouts, 2.0, 1, 100, False, 1, False)

    def by_code() -> Played:
        searcher.step(game.new_initial_state())
        return ROLLOUTS, 0

    def by_python() -> Played:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return 1, plies

    return {"OpenSpiel, C++": by_code, "OpenSpiel, Python": by_python}


def python_chess() -> dict[str, Callable[[], Played]]:
    rng = Random(1)

    def play() -> Played:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice([*board.legal_moves]))
        return 1, len(board.move_stack)

    def play_by_names() -> Played:
        board = chess.Board()
        while not board.is_game_over():
            board.push_san(rng.choice([board.san(move) for move in board.legal_moves]))
        return 1, len(board.move_stack)

    return {"python-chess": play, "python-chess, SAN": play_by_names}


def measure(play: Callable[[], Played]) -> Rate:
    """Play for a slice of processor time."""
    games = plies = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < SLICE:
        more = play()
        games, plies = games + more[0], plies + more[1]
    return Rate(games / spent, plies / spent)


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(GAMES))
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    for name in asked.names:
        theirs, constants = GAMES[name]
        systems = {"here": here(name, constants), **loops(name, constants), **openspiel(theirs)}
        if name == "chess":
            systems |= python_chess()
        for play in systems.values():
            play()  # compiles code, binds calls
        rates: dict[str, list[Rate]] = {system: [] for system in systems}
        for _ in range(asked.turns):
            for system, play in systems.items():
                rates[system].append(measure(play))
        best = {system: max(found) for system, found in rates.items()}
        told = ", ".join(
            f"{system} {rate.games:,.0f}" + (f" ({rate.plies:,.0f})" if rate.plies else "")
            for system, rate in best.items()
        )
        print(f"{name}: {told}", flush=True)


if __name__ == "__main__":
    main()
