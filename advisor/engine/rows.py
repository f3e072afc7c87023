"""Any two-player game over rows of machine words: many states at once, no game and no ASP.

A state is a row of uint64, a batch of states an array of shape (n, words). A game is the three
functions of the protocol below; everything else here follows from them. Results and values are from
the view of the game's first role, 0, as a state shows it. Where every state is seen by the side to
move, that side is role 0 and a move exchanges the roles (`exchanges`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from advisor.engine.search import FORCED, WIN

Rows = npt.NDArray[np.uint64]
Values = npt.NDArray[np.int64]
Index = npt.NDArray[np.intp]

_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1, dtype=np.uint8)
"""How many bits of an octet are set."""

_AT_ONCE = 1 << 13
"""States that are followed together; more are worked off in parts."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the rules say of states.

    Attributes:
        legal: uint8 of shape (n, octets); bit b of octet i says whether the side to move has move
            8 i + b. None is set where the game is over.
        over: shape (n,), whether the game is over.
        result: int8 of shape (n,): 1 if role 0 has won, -1 if role 1, 0 for a draw or a game that
            goes on.
        turn: uint8 of shape (n,): the role to move, 0 or 1; means nothing where the game is over.
    """

    legal: npt.NDArray[np.uint8]
    over: npt.NDArray[np.bool_]
    result: npt.NDArray[np.int8]
    turn: npt.NDArray[np.uint8]

    def moves(self) -> tuple[Index, Index]:
        """Every move of every state: the state's number, ascending, and the move's."""
        octets = self.legal.shape[1]
        flat = self.legal.reshape(-1)
        used = np.flatnonzero(flat)
        bits = np.flatnonzero(np.unpackbits(flat[used], bitorder="little"))
        octet = used[bits >> 3]
        state = octet // octets
        return state, (octet - state * octets) * 8 + (bits & 7)

    def take(self, index: Index) -> "Look":
        """That of some of the states."""
        return Look(self.legal[index], self.over[index], self.result[index], self.turn[index])

    def counts(self) -> Index:
        """How many moves each state has."""
        counts: Index = _ONES.take(self.legal).sum(1, dtype=np.intp)
        return counts


@dataclass(frozen=True, slots=True)
class Leaves:
    """Values of states by themselves.

    Attributes:
        values: int64 of shape (n,), heuristic or forced, for role 0; see `advisor.engine.search`.
        certain: shape (n,), whether a value is no guess: forced, or that of a draw.
    """

    values: Values
    certain: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ahead:
    """Values of states by looking ahead.

    Attributes:
        values: int64 of shape (n,), for role 0 as each state shows it; forced results count their
            plies from the state itself.
        leaves: how many states they come from, equal ones once where they were merged.
        guesses: how many of these had a heuristic value.
    """

    values: Values
    leaves: int
    guesses: int


class RowGame(Protocol):
    """A game; one object is not to be called by two threads at once."""

    @property
    def exchanges(self) -> bool:
        """Whether states are seen by the side to move, so that a move exchanges the roles."""

    def look(self, rows: Rows) -> Look:
        """What the rules say of states, shape (n, words)."""

    def step(self, rows: Rows, moves: Index, turn: npt.NDArray[np.uint8]) -> Rows:
        """The states after one move each, by the role whose turn it is."""

    def leaf(self, rows: Rows) -> "Leaves":
        """What states are worth by themselves."""

    def candidates(self, row: Rows) -> Index:
        """Moves of one state, shape (words,), among which is a best one, looking two plies or more
        ahead; none where that is not known."""


@dataclass(frozen=True, slots=True)
class Children:
    """Every state one ply on.

    Attributes:
        rows: the states.
        parent: the number of each one's parent, ascending.
        move: that leads there.
        look: what the rules say of the parents.
    """

    rows: Rows
    parent: Index
    move: Index
    look: Look


def expand(game: RowGame, rows: Rows) -> Children:
    """All children of some states."""
    look = game.look(rows)
    parent, move = look.moves()
    return Children(
        game.step(rows.take(parent, 0), move, look.turn.take(parent)), parent, move, look
    )


def perft(game: RowGame, rows: Rows, plies: int) -> int:
    """How many ways there are to play so many plies from some states; ended games have none."""
    if plies == 0:
        return len(rows)
    total = 0
    for part in _parts(rows):
        if plies == 1:
            total += int(_ONES.take(game.look(part).legal).sum(dtype=np.int64))
        else:
            total += perft(game, expand(game, part).rows, plies - 1)
    return total


def look_ahead(game: RowGame, rows: Rows, plies: int) -> Ahead:
    """Full-width negamax values."""
    parts = [_look_ahead(game, part, plies) for part in _parts(rows)]
    return Ahead(
        np.concatenate([part.values for part in parts]) if parts else np.empty(0, np.int64),
        sum(part.leaves for part in parts),
        sum(part.guesses for part in parts),
    )


def _look_ahead(game: RowGame, rows: Rows, plies: int) -> Ahead:
    if plies == 0:
        leaves = game.leaf(rows)
        return Ahead(leaves.values, len(rows), len(rows) - int(leaves.certain.sum()))
    children = expand(game, rows)
    look = children.look
    values = np.where(look.over, look.result * np.int64(WIN), 0)
    if not len(children.rows):
        return Ahead(values, 0, 0)
    distinct, copy = merged(children.rows) if plies > 1 else (children.rows, slice(None))
    ahead = look_ahead(game, distinct, plies - 1)
    below = seen_from_above(ahead.values[copy])
    if game.exchanges:
        below = -below
    first = firsts(children.parent)
    parents = children.parent[first]
    mover = _sign(look.turn)
    best = np.maximum.reduceat(below * mover.take(children.parent), first)
    values[parents] = best * mover[parents]
    return Ahead(values, ahead.leaves, ahead.guesses)


def seen_from_above(values: Values) -> Values:
    """Values as their parents have them: forced results are one ply further off."""
    return values - (values >= FORCED) + (values <= -FORCED)


def firsts(ascending: Index) -> Index:
    """Where each number occurs first."""
    return np.flatnonzero(np.diff(ascending, prepend=-1))


def merged(rows: Rows) -> tuple[Rows, Any]:
    """Each state once, and for each of the given ones the number of its copy."""
    keys = rows[:, 0].copy()
    for word in range(1, rows.shape[1]):
        keys ^= keys >> np.uint64(29)
        keys *= _MIX
        keys += rows[:, word]
    _, first, copy = np.unique(keys, return_index=True, return_inverse=True)
    distinct = rows[first]
    if (distinct[copy] != rows).any():  # two states share a key
        return rows, slice(None)
    return distinct, copy


_MIX = np.uint64(0x9E3779B97F4A7C15)


def _sign(turn: npt.NDArray[np.uint8]) -> Values:
    return 1 - 2 * turn.astype(np.int64)


def _parts(rows: Rows) -> Iterator[Rows]:
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]
