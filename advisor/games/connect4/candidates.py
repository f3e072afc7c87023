"""Positions of games that are partly random, in which the side to move may win soon."""

from collections.abc import Iterator
from random import Random

from advisor.games.connect4.board import Geometry, Position

_GAMES = 8
"""Games of a task."""

_CARE = (0.5, 0.9, 1.0)
"""How often, in one game or another, a move is chosen among those that win or do not lose at
once."""

_OF_A_GAME = 6
"""Positions of a game that are looked at."""

_OPENING = 1 / 6
"""The part of the board that is filled before anybody looks for a puzzle."""


def candidates(size: Geometry, win_in: int, seed: int, task: int) -> Iterator[list[Position]]:
    """Some positions of each game of a task, in which the win may still take so long."""
    for number in range(task * _GAMES, (task + 1) * _GAMES):
        yield _positions(Random(f"{seed}/{number}"), size, win_in)


def _positions(rng: Random, size: Geometry, win_in: int) -> list[Position]:
    care = rng.choice(_CARE)
    position, seen = Position(size), []
    while position.result() is None and position.plies_left >= 2 * win_in - 1:
        at_once = position.wins_at_once()
        if position.discs >= _OPENING * size.squares and at_once == (win_in == 1):
            seen.append(position)
        moves = position.moves()
        if rng.random() < care:
            if at_once:
                break
            moves = position.candidates()
        position = position.after(rng.choice(sorted(moves)))
    return rng.sample(seen, min(_OF_A_GAME, len(seen)))
