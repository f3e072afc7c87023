"""Random games, the same ones for the same generator."""

from random import Random

from advisor.games.connect4.board import Geometry, Position, geometry


def random_moves(rng: Random, plies: int, size: Geometry) -> list[int]:
    """The columns of a random game of so many plies; fewer if it is over before."""
    position = Position(size)
    moves: list[int] = []
    while len(moves) < plies and position.result() is None:
        moves.append(rng.choice(sorted(position.moves())))
        position = position.after(moves[-1])
    return moves


def random_positions(rng: Random, count: int, size: Geometry | None = None) -> list[Position]:
    """Positions of random games that are not over, of any number of discs alike.

    Args:
        size: 7x6 connect 4 by default.
    """
    size = size or geometry()
    found: list[Position] = []
    while len(found) < count:
        position = Position(size)
        for move in random_moves(rng, rng.randrange(size.squares), size):
            position = position.after(move)
        if position.result() is None:
            found.append(position)
    return found
