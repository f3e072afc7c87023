"""Compare legal moves and results of games with OpenSpiel; needs open_spiel.

    python benchmarks/compare/openspiel_rules.py [--games N] [NAMES ...]

It plays random games with both, prints for each game how many positions were equal, and exits with
1 at the first that differs.
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
    """Return the place of a game's rules: the advisor's own name, or a folder here."""
    return SHEETS / name if (SHEETS / name).is_dir() else name


def positions(name: str, games: int, seed: int) -> Iterator[list[str]]:
    """Yield the compared positions of random games, each as the moves that led there.

    Raises:
        ValueError: a position differs.
    """
    game, theirs, rng = advisor.load_game(rules_of(name)), openspiel.Player(name, {}), Random(seed)
    first = theirs.state([])[0].current_player()  # in chess it is 1
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
    """Compare the named games, or all."""
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
