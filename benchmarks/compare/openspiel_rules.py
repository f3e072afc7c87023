"""Rules of games beside OpenSpiel's, where open_spiel is installed: legal moves and results.

    python benchmarks/compare/openspiel_rules.py [--games N] [NAMES ...]

Random games are played by both. Prints for each game how many positions were the same, and ends
with 1 at the first that differs.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import advisor
import openspiel

SHEETS = Path(__file__).parents[1] / "games"


def rules_of(name: str) -> str | Path:
    """Where the rules of a game are: they come along, or stand here."""
    return SHEETS / name if (SHEETS / name).is_dir() else name


def positions(name: str, games: int, seed: int) -> Iterator[list[str]]:
    """Goes through random games; each position by the moves that led there, once it was compared.

    Raises:
        ValueError: a position that is not the same.
    """
    game, theirs, rng = advisor.load_game(rules_of(name)), openspiel.Player(name, {}), Random(seed)
    first = theirs.state([])[0].current_player()  # of chess it is 1
    for _ in range(games):
        position, moves = game.position(), list[str]()
        while True:
            state, actions = theirs.state(moves)
            names = {} if position.over else position.names
            legal = {position.code_of(move): told for move, told in names.items()}
            if set(legal) != set(actions):
                raise ValueError(f"{moves}: legal moves {sorted(set(legal) ^ set(actions))}")
            if state.is_terminal():
                result = state.returns()[first]
                winner = None if not result else game.players[result < 0]
                if winner != position.winner:
                    raise ValueError(f"{moves}: {position.winner} has won here, {winner} there")
            yield moves
            if position.over:
                break
            moves.append(rng.choice(sorted(legal)))
            position = position.play(legal[moves[-1]])


def main() -> int:
    """Compares the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(openspiel.GAMES))
    parser.add_argument("--games", type=int, default=20)
    chosen = parser.parse_args()
    for name in chosen.names:
        try:
            count = sum(1 for _ in positions(name, chosen.games, seed=1))
        except ValueError as error:
            print(f"{name}: differs: {error}")
            return 1
        print(f"{name}: {count} positions of {chosen.games} games are the same", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
