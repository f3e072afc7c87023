"""Random games a second from the start: here, OpenSpiel and python-chess, in one run by turns.

    python benchmarks/compare/random_games.py [NAMES ...] [--turns 5]

Needs open_spiel and chess. Rates are games a second of the processor's time of one thread, the best
of some turns in which each system has its own half a second, so that it matters little what else
the machine does. "C++" are OpenSpiel's own random games (`RandomRolloutEvaluator`, from the second
move on), "Python" a loop over its states; lengths are those of the games of each loop.
"""

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import chess
import numpy as np
import pyspiel

from advisor.engine.playouts import play_out
from advisor.games import knowledge

GAMES = {
    "connect4": ("connect_four", {}),
    "breakthrough": ("breakthrough(rows=8,columns=8)", {"width": 8, "height": 8}),
    "gomoku": ("gomoku(size=15)", {"width": 15, "height": 15}),
    "hex": ("hex(board_size=7)", {"size": 7}),
    "reversi": ("othello", {}),
    "chess": ("chess", {}),
}
SLICE, BATCH, ROLLOUTS = 0.5, 4096, 100

Played = tuple[int, int]
"""Games, and their moves; 0 where these are not counted."""


class Rate(NamedTuple):
    """Games a second, and the moves of a game where they were counted."""

    games: float
    length: float


def here(name: str, constants: dict[str, int]) -> Callable[[], Played]:
    """Games by the rules alone, as machine code, many side by side."""
    rules, config = knowledge.ground(name, constants=constants)
    game = knowledge.compiled(rules, config)
    starts, rng = np.repeat(game.start[None], BATCH, 0), np.random.default_rng(1)

    def play() -> Played:
        found = play_out(game, starts, rng, machine_code=True)
        return BATCH, found.plies

    return play


def openspiel(name: str) -> dict[str, Callable[[], Played]]:
    game = pyspiel.load_game(name)
    rollouts, rng = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1), Random(1)
    # One simulation: all games begin after the first move of the tree search.
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


def python_chess() -> Callable[[], Played]:
    rng = Random(1)

    def play() -> Played:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice([*board.legal_moves]))
        return 1, len(board.move_stack)

    return play


def measure(play: Callable[[], Played]) -> Rate:
    """Plays for a slice of the processor's time."""
    games = plies = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < SLICE:
        more = play()
        games, plies = games + more[0], plies + more[1]
    return Rate(games / spent, plies / games)


def main() -> None:
    """Prints a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(GAMES))
    parser.add_argument("--turns", type=int, default=5)
    asked = parser.parse_args()
    for name in asked.names:
        theirs, constants = GAMES[name]
        systems = {"here": here(name, constants), **openspiel(theirs)}
        if name == "chess":
            systems["python-chess"] = python_chess()
        for play in systems.values():
            play()  # makes code, binds calls
        rates: dict[str, list[Rate]] = {system: [] for system in systems}
        for _ in range(asked.turns):
            for system, play in systems.items():
                rates[system].append(measure(play))
        best = {system: max(found) for system, found in rates.items()}
        told = ", ".join(
            f"{system} {rate.games:,.0f}" + (f" ({rate.length:.1f} moves)" if rate.length else "")
            for system, rate in best.items()
        )
        print(f"{name}: {told}", flush=True)


if __name__ == "__main__":
    main()
