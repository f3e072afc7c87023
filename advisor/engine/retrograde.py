"""Certain results where few states can be reached: retrograde analysis over rows.

It lists the states that can be reached from one, those with few moves first, and goes back from the
ends of games (Stroehlein 1970, Thompson 1986). A state that it has not looked into may lead to
anything; so what it finds is true however far it came. It knows no game.

States are listed without counters, which can only make draws: a draw without them is one with them,
and wins are played out again with them. Nor does a win need a state twice, since each ply brings it
nearer; who only wants a draw may repeat states as he likes.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import WIN, Bools, Rows
from advisor.engine.recurrences import identity
from advisor.engine.rows import Index, RowGame, expand, merged
from aspcircuits.stopping import Stop

NARROW = 12
"""States with at most this many moves are looked into first: a king and a pawn have no more."""

_AT_ONCE = 1 << 11
"""States that are looked into between two looks at the stop."""

_LISTING = 0.8, 0.6
"""The parts of the time in which states are listed: narrow ones, and then all others."""

_TELLING, _TIMES = 1 << 12, 4
"""Once there are this many states, it gives up where a ply adds this many times the states that two
plies before added: then there are too many in all."""

_FEW = 1 << 9
"""It looks into wide states only after this many narrow ones."""

_MIX = np.uint64(0x9E3779B97F4A7C15)

MoveBounds = dict[int, tuple[int, int]]


def certain_moves(
    game: RowGame,
    row: Rows,
    fresh: Rows,
    stop: Stop,
    most: int,
    apart: Collection[bytes] = (),
) -> MoveBounds:
    """Bounds of the values of a state's moves, for the side to move there.

    Args:
        row: shape (words,), a state whose game goes on.
        fresh: shape (words,), a state whose counters are at their beginning.
        stop: ends it. Listing states takes most of the time that is left.
        most: the number of states that are listed at most.
        apart: states without their counters that may be a draw because of earlier moves.

    Returns:
        the least and the greatest value of each move, where a win in n plies is worth `WIN` - n;
        empty where nothing is certain.
    """
    graph, found = _Graph(game, row, fresh, most, apart), MoveBounds()
    for width, share in ((NARROW, _LISTING[0]), (None, _LISTING[1])):
        if not graph.grow(width, stop.within(share * stop.seconds_left)):
            break
        if (known := graph.known(row, stop)) is None:
            break
        found = known
        if width and len(graph) < _FEW:
            break
    return found if any(bounds != (-WIN, WIN) for bounds in found.values()) else {}


class _Graph:
    """States that can be reached from one, by number, and the moves between them.

    Attributes:
        turn: the role to move in each state, as the state shows it.
        root_moves: the moves of the first state, each with the state after it.
    """

    def __init__(
        self, game: RowGame, row: Rows, fresh: Rows, most: int, apart: Collection[bytes]
    ) -> None:
        self._game, self._fresh, self._apart = game, fresh & game.counters, apart
        self._numbers: dict[int, int] = {}
        self._count = 0
        # The system gives memory to what is used of these.
        self._rows: Rows = np.empty((most, len(row)), np.uint64)
        self._moves: Index = np.empty(most, np.intp)
        self._result = np.empty(most, np.int8)
        self.turn = np.empty(most, np.uint8)
        self._unknown: Bools = np.empty(most, np.bool_)  # goes on, and has not been looked into
        self._open: Bools = np.empty(most, np.bool_)  # and it may be
        self._parents: list[npt.NDArray[np.int32]] = []
        self._children: list[npt.NDArray[np.int32]] = []
        self.root_moves: list[tuple[int, int]] = []
        self._numbered(self._clean(row[None]))
        self._open[0] = True

    def __len__(self) -> int:
        return self._count

    def grow(self, width: int | None, stop: Stop) -> bool:
        """Looks into states with at most so many moves, in waves of about a ply.

        Returns:
            False if there are too many to be of use.
        """
        width = width or len(self._rows)
        waves = [self._count] * 2
        while True:
            here = slice(self._count)
            wave = np.flatnonzero(self._open[here] & (self._moves[here] <= width))
            if self._count > _TELLING and len(wave) > _TIMES * waves[-2]:
                return False
            waves.append(len(wave))
            for start in range(0, len(wave), _AT_ONCE):
                some = wave[start : start + _AT_ONCE]
                no_room = self._count + self._moves[some].sum() > len(self._rows)
                if no_room or stop.is_set():
                    return True
                self._look_into(some)
            if not len(wave):
                return True

    def known(self, row: Rows, stop: Stop) -> MoveBounds | None:
        """See `certain_moves`; None if it was to stop."""
        won, plies = self.won(stop)
        reached = self.reached(won, stop)
        if reached is None:
            return None
        sure = self.withstands_counters(row, won, plies, stop)
        exact = not self._unknown[: self._count].any()
        mover = int(self.turn[0]) ^ self._game.exchanges
        found: MoveBounds = {}
        for move, child in self.root_moves:
            low = -WIN if reached[1 - mover, child] else 0
            high = WIN if reached[mover, child] else 0
            value = WIN - int(plies[child]) - 1
            if sure and won[mover, child]:
                low, high = value, value if exact else WIN
            elif sure and won[1 - mover, child]:
                low, high = -value if exact else -WIN, -value
            found[move] = low, high
        return found

    def won(self, stop: Stop) -> tuple[Bools, Index]:
        """Which role, as a state shows it, wins there by force: shape (2, n); and in how many
        plies, against every defence."""
        result = self._result[: self._count]
        won, plies = np.stack((result > 0, result < 0)), np.zeros(self._count, np.intp)
        for ply, role, states in self._spread(won, np.any, stop):
            won[role, states], plies[states] = True, ply
        return won, plies

    def reached(self, won: Bools, stop: Stop) -> Bools | None:
        """Which role forces a win or a state of which nothing is known: no other one can win.

        None if it was to stop."""
        reached = won | self._unknown[: self._count]
        for _, role, states in self._spread(reached, np.all, stop):
            reached[role, states] = True
        return None if stop.is_set() else reached

    def withstands_counters(self, row: Rows, won: Bools, plies: Index, stop: Stop) -> bool:
        """Whether all that is won after a move at the root is still won when counters count.

        Who wins plays the shortest win, against every defence.
        """
        game = self._game
        if not game.counters.any():
            return True
        rows, winner = row[None], np.zeros(1, np.intp)
        at_root = True
        while len(rows):
            look = game.look(rows)
            lost = look.over & (look.result != 1 - 2 * winner)
            if stop.is_set() or (lost.any() and not at_root):
                return False
            children = expand(game, rows, look)
            if not len(children.rows):
                return True
            parent = children.parent
            below = self._found(self._clean(children.rows))
            role = winner[parent] ^ game.exchanges
            if at_root:
                role = won[1, below].astype(np.intp)
            kept = (below >= 0) & won[role, below]
            if not at_root:
                chooses = look.turn[parent] == winner[parent]
                if not kept[~chooses].all():
                    return False
                order = np.lexsort((plies[below], ~kept, parent))
                first = np.zeros(len(parent), np.bool_)
                first[order[np.flatnonzero(np.diff(parent, prepend=-1))]] = True
                kept &= first | ~chooses
                if len(np.unique(parent[kept])) < len(np.unique(parent)):
                    return False
            distinct, copy = merged(children.rows[kept])
            rows, of = distinct, np.empty(len(distinct), np.intp)
            of[copy] = role[kept]
            winner, at_root = of, False
        return True

    def _spread(
        self, flags: Bools, done: Callable[..., Any], stop: Stop
    ) -> Iterator[tuple[int, int, Index]]:
        """Yields the states in which a role gets to a flag by force: by one of its own moves, or by
        every move of the other role. The caller sets their flags, ply by ply.

        Args:
            flags: shape (2, n), for both roles as states show them.
            done: np.any or np.all: whether a state needs one role's flag or both.
        """
        if not self._parents:
            return
        parents, children = np.concatenate(self._parents), np.concatenate(self._children)
        ply = 0
        changed: Bools = flags[0] | flags[1]
        while not stop.is_set():
            if ply & (ply - 1) == 0:  # now and then what is done is left out
                kept = ~done(flags, axis=0)[parents]
                parents, children = parents[kept], children[kept]
            touched = np.zeros(self._count, np.bool_)
            touched[parents[changed[children]]] = True
            some = touched[parents]
            of, to = parents[some], children[some]
            if not len(of):
                return
            starts = np.flatnonzero(np.diff(of, prepend=-1))
            owners, below = of[starts], flags[:, to]
            if self._game.exchanges:
                below = below[::-1]
            ply, changed = ply + 1, np.zeros(self._count, np.bool_)
            for role in range(2):
                own = self.turn[owners] == role
                any_, all_ = (f.reduceat(below[role], starts) for f in (np.maximum, np.minimum))
                states = owners[np.where(own, any_, all_) & ~flags[role, owners]]
                changed[states] = True
                yield ply, role, states

    def _look_into(self, numbers: Index) -> None:
        children = expand(self._game, self._rows[numbers])
        distinct, copy = merged(self._clean(children.rows))
        found = self._numbered(distinct)[copy]
        if not self._parents:  # the root, by itself
            self.root_moves = [*zip(children.move.tolist(), found.tolist(), strict=True)]
        self._parents.append(numbers[children.parent].astype(np.int32))
        self._children.append(found.astype(np.int32))
        self._open[numbers] = self._unknown[numbers] = False

    def _clean(self, rows: Rows) -> Rows:
        """States with their counters at the beginning."""
        cleaned: Rows = rows & ~self._game.counters | self._fresh
        return cleaned

    def _found(self, rows: Rows) -> Index:
        """The numbers of states, -1 of those that are not listed."""
        keys = _keys(rows).tolist()
        numbers = np.array([*map(self._numbers.get, keys, repeat(-1))], np.intp)
        numbers[(self._rows[numbers] != rows).any(axis=1)] = -1
        return numbers

    def _numbered(self, rows: Rows) -> Index:
        """The numbers of distinct states; new ones are listed. One of two that share a key may be
        listed twice, which changes no result."""
        numbers = self._found(rows)
        new = np.flatnonzero(numbers < 0)
        if len(new):
            rows, begun = rows[new], self._count
            numbers[new] = range(begun, begun + len(new))
            self._count += len(new)
            self._numbers.update(zip(_keys(rows).tolist(), numbers[new].tolist(), strict=True))
            look, listed = self._game.look(rows), slice(begun, self._count)
            self._rows[listed], self.turn[listed] = rows, look.turn
            self._result[listed], self._moves[listed] = look.result, look.counts()
            self._open[listed] = self._unknown[listed] = ~look.over
            if self._apart:
                counters = self._game.counters
                apart = [identity(row, counters) in self._apart for row in rows]
                self._open[listed] &= ~np.array(apart)
        return numbers


def _keys(rows: Rows) -> Rows:
    """A number for each state."""
    keys = rows[:, 0] * _MIX
    for word in range(1, rows.shape[1]):
        keys ^= keys >> np.uint64(29)
        keys = (keys + rows[:, word]) * _MIX
    return keys
