"""States of random games in which the side to move may win soon, by the rules of any game."""

from collections.abc import Iterator, Sequence

import numpy as np

from advisor.engine.forced_wins import ForcedWins
from advisor.engine.playouts import random_moves
from advisor.games.circuits import Circuits
from advisor.limits import Stop

_GAMES = 64
"""Games of a task, which are played together."""

_OPENING = 12
"""Plies before which nobody looks for a puzzle; fewer in games with few moves, which are short."""

_PLIES = 90
_OF_A_PLY = 3
"""States that are looked at more closely after so many plies of all games."""


def candidates(
    game: Circuits, win_in: int, rng: np.random.Generator, stop: Stop
) -> Iterator[Sequence[int]]:
    """The moves that lead to states in which the side to move may win in so many, each of another
    game. In these games one side takes what it can, so that the other one has little left."""
    wins = ForcedWins(game, rng, stop)
    rows = np.repeat(game.start[None], _GAMES, 0)
    played = np.empty((_GAMES, 0), np.intp)
    taking = int(rng.integers(2))
    opening = min(_OPENING, len(game.rules.moves) // 4)
    for ply in range(_PLIES):
        stop.check()
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        rows, played, look = rows[going], played[going], look.take(going)
        if not len(rows):
            return
        if ply >= opening and ply % 2 == taking:
            won, narrow = wins.narrowly(rows, win_in)
            if not narrow:  # as where pieces are put on a board: replies are never few
                some = rng.permutation(len(rows))[:_OF_A_PLY]
                won = np.zeros(len(rows), np.bool_)
                won[some] = wins.within(rows[some], win_in)
            if win_in > 1 and won.any():
                sooner, _ = wins.narrowly(rows[won], win_in - 1)
                won[np.flatnonzero(won)[sooner]] = False
            chosen = np.flatnonzero(won)[:_OF_A_PLY]
            yield from (played[i].tolist() for i in chosen)
            left = np.setdiff1d(np.arange(len(rows)), chosen)
            rows, played, look = rows[left], played[left], look.take(left)
            if not len(rows):
                return
        moves = random_moves(look, rng)
        if ply % 2 == taking and game.noisy_plies:
            noisy = game.noisy(rows)
            some = np.flatnonzero(noisy.counts())
            moves[some] = random_moves(noisy.take(some), rng)
        rows = game.step(rows, moves, look.turn)
        played = np.concatenate((played, moves[:, None]), axis=1)
