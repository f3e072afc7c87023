"""Retrograde analysis over rows: certain results where only few states can be reached.

It lists the states that can be reached from a root, those with few moves first, and works back from
the ends of games (Stroehlein 1970, Thompson 1986). A state that it has not looked into may lead to
anything, so its results are true however far it came. It works for any game.

States are listed without counters, which can only make draws: a draw without them is one with them,
and wins are played out again with them. Nor does a win need a state twice, since each ply brings it
nearer; a side that only wants a draw may repeat states at will.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import WIN, Bools, Rows
from advisor.engine.recurrences import identity
from advisor.engine.rows import Index, RowGame, expand, merge_states
from aspcircuits.stopping import Stop

NARROW = 12
"""Most moves of a narrow state; narrow states come first. A king and a pawn have no more moves."""

_AT_ONCE = 1 << 11
"""States that are looked into between two checks of the stop."""

_LISTING = 0.8, 0.6
"""Shares of the time for listing states: first narrow ones, then all others."""

_TELLING, _TIMES = 1 << 12, 4
"""Number of states after which growth is watched, and the growth at which listing gives up.

Growth is the number of new states in a ply over that of two plies before. Beyond the limit, there
are too many states in all.
"""

_FEW = 1 << 9
"""Least number of narrow states before it looks into wide ones."""

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
    """Return bounds on the values of a state's moves, for the side to move there.

    Args:
        row: shape (words,), a state whose game goes on.
        fresh: shape (words,), a state with initial counters.
        stop: ends the analysis. Listing states takes most of the time that is left.
        most: the greatest number of states to list.
        apart: states without their counters that may be a draw because of earlier moves.

    Returns:
        the least and the greatest value of each move, where a win in n plies is worth `WIN` - n;
        empty if nothing is certain.
    """
    graph, found = _Graph(game, row, fresh, most, apart), MoveBounds()
    for width, share in ((NARROW, _LISTING[0]), (None, _LISTING[1])):
        if not graph.grow(width, stop.with_limit(share * stop.seconds_left)):
            break
        if (known := graph.move_bounds(row, stop)) is None:
            break
        found = known
        if width and len(graph) < _FEW:
            break
    return found if any(bounds != (-WIN, WIN) for bounds in found.values()) else {}


class _Graph:
    """Numbered states that can be reached from a root, and the moves between them.

    Attributes:
        turn: the role to move in each state, as the state shows it.
        root_moves: the moves of the root, each with the number of the state after it.
    """

    def __init__(
        self, game: RowGame, row: Rows, fresh: Rows, most: int, apart: Collection[bytes]
    ) -> None:
        self._game, self._fresh, self._apart = game, fresh & game.counters, apart
        self._numbers: dict[int, int] = {}
        self._count = 0
        # The system allocates memory only for the part that is used.
        self._rows: Rows = np.empty((most, len(row)), np.uint64)
        self._moves: Index = np.empty(most, np.intp)
        self._result = np.empty(most, np.int8)
        self.turn = np.empty(most, np.uint8)
        self._unknown: Bools = np.empty(most, np.bool_)  # goes on, and has not been looked into
        self._open: Bools = np.empty(most, np.bool_)  # and may be looked into
        self._parents: list[npt.NDArray[np.int32]] = []
        self._children: list[npt.NDArray[np.int32]] = []
        self.root_moves: list[tuple[int, int]] = []
        self._number_states(self._clean(row[None]))
        self._open[0] = True

    def __len__(self) -> int:
        return self._count

    def grow(self, width: int | None, stop: Stop) -> bool:
        """Look into states with at most `width` moves, in waves of about a ply.

        Returns:
            False if there are too many states to be of use.
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

    def move_bounds(self, row: Rows, stop: Stop) -> MoveBounds | None:
        """Return the bounds of the root's moves, see `certain_moves`; None if `stop` was set."""
        won, plies = self.forced_wins(stop)
        reached = self.possible_wins(won, stop)
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

    def forced_wins(self, stop: Stop) -> tuple[Bools, Index]:
        """Return the states that each role wins by force, shape (2, n), and in how many plies.

        Roles are as a state shows them. The win holds against every defence.
        """
        result = self._result[: self._count]
        won, plies = np.stack((result > 0, result < 0)), np.zeros(self._count, np.intp)
        for ply, role, states in self._spread(won, np.any, stop):
            won[role, states], plies[states] = True, ply
        return won, plies

    def possible_wins(self, won: Bools, stop: Stop) -> Bools | None:
        """Return where each role forces a win or an unknown state: elsewhere the role cannot win.

        None if `stop` was set.
        """
        reached = won | self._unknown[: self._count]
        for _, role, states in self._spread(reached, np.all, stop):
            reached[role, states] = True
        return None if stop.is_set() else reached

    def withstands_counters(self, row: Rows, won: Bools, plies: Index, stop: Stop) -> bool:
        """Return whether every win after a move at the root remains one when counters count.

        The winner plays the shortest win, against every defence.
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
            below = self._find_states(self._clean(children.rows))
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
            distinct, copy = merge_states(children.rows[kept])
            rows, of = distinct, np.empty(len(distinct), np.intp)
            of[copy] = role[kept]
            winner, at_root = of, False
        return True

    def _spread(
        self, flags: Bools, done: Callable[..., Any], stop: Stop
    ) -> Iterator[tuple[int, int, Index]]:
        """Yield, ply by ply, the states from which a role forces its way to a flagged state.

        It does so by one of its own moves, or because every move of the other role leads there. The
        caller sets the flags of the states that are yielded.

        Args:
            flags: shape (2, n), for both roles as states show them.
            done: np.any or np.all: whether a state is done with one role's flag or needs both.
        """
        if not self._parents:
            return
        parents, children = np.concatenate(self._parents), np.concatenate(self._children)
        ply = 0
        changed: Bools = flags[0] | flags[1]
        while not stop.is_set():
            if ply & (ply - 1) == 0:  # now and then, edges from states that are done are dropped
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
        distinct, copy = merge_states(self._clean(children.rows))
        found = self._number_states(distinct)[copy]
        if not self._parents:  # the root comes first, by itself
            self.root_moves = [*zip(children.move.tolist(), found.tolist(), strict=True)]
        self._parents.append(numbers[children.parent].astype(np.int32))
        self._children.append(found.astype(np.int32))
        self._open[numbers] = self._unknown[numbers] = False

    def _clean(self, rows: Rows) -> Rows:
        """Return states with their counters reset."""
        cleaned: Rows = rows & ~self._game.counters | self._fresh
        return cleaned

    def _find_states(self, rows: Rows) -> Index:
        """Return the numbers of states, -1 for states that are not listed."""
        keys = _keys(rows).tolist()
        numbers = np.array([*map(self._numbers.get, keys, repeat(-1))], np.intp)
        numbers[(self._rows[numbers] != rows).any(axis=1)] = -1
        return numbers

    def _number_states(self, rows: Rows) -> Index:
        """Return the numbers of distinct states, after listing new ones.

        One of two states that share a key may be listed twice, which changes no result.
        """
        numbers = self._find_states(rows)
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
    """Return a hash of each state."""
    keys = rows[:, 0] * _MIX
    for word in range(1, rows.shape[1]):
        keys ^= keys >> np.uint64(29)
        keys = (keys + rows[:, word]) * _MIX
    return keys
