"""Random games over rows, thousands at a time, and the choice of a move by their results.

For games of which nothing is known but the rules: the better of two moves is the one after which
random play ends better (Abramson 1990; Bruegmann 1993).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.engine.rows import Index, Look, RowGame, Rows

Results = npt.NDArray[np.int8]

MAX_PLIES = 1000
"""A random game that lasts longer counts as drawn."""

_SLOTS = 2048
"""Games that are played side by side."""

_ROUND = 512
"""Playouts of all remaining moves between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Played:
    """Random games.

    Attributes:
        results: int8 of shape (n,): 1 if role 0 of the state that the game began from won, -1 if
            the other one did, 0 for a draw.
        plies: of all games together.
    """

    results: Results
    plies: int


def play_out(
    game: RowGame, rows: Rows, rng: np.random.Generator, max_plies: int = MAX_PLIES
) -> Played:
    """Plays a random game from each state, all moves being equally likely."""
    results = np.zeros(len(rows), np.int8)
    states, owner = rows[:_SLOTS], np.arange(min(_SLOTS, len(rows)))
    age = np.zeros(len(states), np.int32)
    begun, plies = len(states), 0
    while len(states):
        look = game.look(states)
        results[owner] = np.where(look.over, _as_at_the_start(game, look.result, age), 0)
        going = np.flatnonzero(~look.over & (age < max_plies))
        if len(going) < len(states):
            states, owner, age = states[going], owner[going], age[going]
            look = look.take(going)
        if len(states):
            states = game.step(states, random_moves(look, rng), look.turn)
            plies += len(states)
            age += 1
        if begun < len(rows) and len(states) <= _SLOTS // 2:
            fresh = np.arange(begun, min(len(rows), begun + _SLOTS - len(states)))
            states = np.concatenate((states, rows[fresh]))
            owner = np.concatenate((owner, fresh))
            age = np.concatenate((age, np.zeros(len(fresh), np.int32)))
            begun += len(fresh)
    return Played(results, plies)


def _as_at_the_start(game: RowGame, result: Results, age: npt.NDArray[np.int32]) -> Results:
    if not game.exchanges:
        return result
    return np.where(age & 1, -result, result)


_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1, dtype=np.uint8)

_NTH = np.zeros((256, 8), np.uint8)
"""The place of the n-th bit that is set in an octet."""
for _octet in range(256):
    _places = [_bit for _bit in range(8) if _octet >> _bit & 1]
    _NTH[_octet, : len(_places)] = _places


def random_moves(look: Look, rng: np.random.Generator) -> Index:
    """A move of each state; all of them must have one."""
    upto = _ONES.take(look.legal).cumsum(axis=1, dtype=np.int32)
    choice = (rng.random(len(upto)) * upto[:, -1]).astype(np.int32)
    octet = (upto <= choice[:, None]).sum(axis=1)
    every = np.arange(len(upto))
    bits = look.legal[every, octet]
    nth = choice - upto[every, octet] + _ONES.take(bits)
    return octet * 8 + _NTH[bits, nth]


@dataclass(frozen=True, slots=True)
class Tried:
    """What random games say of a state's moves, for its side to move.

    Attributes:
        moves: their numbers.
        playouts: shape (moves,), how many games began with each.
        means: shape (moves,), their mean result, from -1 to 1.
        won: the move that wins at once, if there is one.
    """

    moves: Index
    playouts: Index
    means: npt.NDArray[np.float64]
    seconds: float

    @property
    def best(self) -> int:
        """The best of the moves that were tried most."""
        most = self.playouts == self.playouts.max()
        return int(self.moves[most][self.means[most].argmax()])
