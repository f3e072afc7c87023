"""The search of `solver.Solver` in Python, for boards of any size and short work.

It plays no move that loses on the next turn, tries first the moves that make most new winning
squares, and keeps what it proved in a table. Where nothing is open to a player any more, or the
other can answer every move in the same column (Allis' claimeven), it stops early.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import itemgetter

from advisor.games.connect4.board import Geometry

MIRROR_DISCS = 12
"""A position and its mirror image share their entry while so few discs are on the board: later
on hardly a position meets its mirror image, and finding the image costs more than it saves."""

# Each of the two tables is emptied when it holds this many entries (about 100 bytes each).
_TABLE_LIMIT = 1 << 21

# What ends the search is asked once in so many positions.
_LISTEN_MASK = 63

_FIRST = itemgetter(0)


class PythonSearch:
    """Answers questions about positions of one board; what it proves about one serves the next.

    It may be interrupted anywhere and used again: only finished proofs are kept.

    Attributes:
        nodes: positions searched so far.

    Args:
        geometry: of all positions.
        listen: called every few positions; may raise what ends the search.
    """

    def __init__(self, geometry: Geometry, listen: Callable[[], None]) -> None:
        g = self._geometry = geometry
        self._listen = listen
        self.nodes = 0
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._completing = g.completing
        # One column wider than the board, so that no line runs from one copy into the next
        # without a hole between them, where nobody can play.
        spacing = g.stride * (g.width + 1)
        self._copies = sum(1 << (i * spacing) for i in range(g.width))
        self._own_column = sum(bits << (i * spacing) for i, bits in enumerate(g.columns))
        self._slots = tuple((g.columns[c - 1], (c - 1) * spacing) for c in g.centre_first)
        self._mirror_left = g.squares - MIRROR_DISCS
        # Where every column has an even number of empty squares, each disc can be answered on
        # top of it: then the side to move gets these squares and no other.
        self._answered = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int) -> int:
        """A bound on the score: at least the value returned if that reaches `limit`, otherwise
        at most. The side to move must not have a win with its next disc.

        Args:
            mover: the discs of the side to move.
            mask: all discs.
            threats: empty squares on which the other player completes a line.
            left: the number of empty squares.
            limit: the question is whether the score is at least this.
        """
        with _recursion(left):
            return self._bound(mover, mask, threats, left, limit)

    def _bound(self, mover: int, mask: int, threats: int, left: int, limit: int) -> int:
        """See `bound`."""
        self.nodes += 1
        if not self.nodes & _LISTEN_MASK:
            self._listen()
        g = self._geometry
        playable = (mask + g.bottom) & g.full
        moves = playable
        forced = playable & threats
        if forced:
            if forced & (forced - 1):
                return -(left // 2)
            moves = forced
        moves &= ~(threats >> 1)
        if not moves:
            return -(left // 2)
        if left <= 2:
            return 0
        # Nobody wins with the next two discs: these are the soonest loss and the soonest win.
        soonest_loss = 1 - left // 2
        if soonest_loss >= limit:
            return soonest_loss
        soonest_win = (left - 1) // 2
        if soonest_win < limit:
            return soonest_win
        at_least, at_most = self._at_least, self._at_most
        key = self._key(mover, mask, left)
        known = at_most.get(key)
        if known is not None and known < limit:
            return known
        known = at_least.get(key)
        if known is not None and known >= limit:
            return known
        other, empty = mover ^ mask, g.full ^ mask
        if limit > 0:
            answered = not playable & ~self._answered
            if not g.has_line(mover | (empty & self._answered if answered else empty)):
                return 0
        elif not g.has_line(other | empty):
            return 0

        best = -left
        candidates: list[tuple[int, int, int]] = []
        # All moves at once: one copy of the board for each column, with its move played in it.
        copies = self._copies
        wins = self._completing(mover * copies | moves * copies & self._own_column)
        for column, shift in self._slots:
            move = moves & column
            if not move:
                continue
            after = mask | move
            key_after = self._key(other, after, left - 1)
            known = at_most.get(key_after)
            if known is not None and -known >= limit:
                return -known
            known = at_least.get(key_after)
            if known is not None and -known < limit:
                best = max(best, -known)
                continue
            own = wins >> shift & empty
            candidates.append((own.bit_count(), after, own))
        candidates.sort(key=_FIRST, reverse=True)
        for _, after, own in candidates:
            value = -self._bound(other, after, own, left - 1, 1 - limit)
            if value > best:
                best = value
                if value >= limit:
                    break
        table = at_least if best >= limit else at_most
        if len(table) >= _TABLE_LIMIT:
            table.clear()
        table[key] = best
        return best

    def _key(self, mover: int, mask: int, left: int) -> int:
        """The same for a position and, early in the game, its mirror image; unique otherwise."""
        key = mover + mask
        if left < self._mirror_left:
            return key
        stride = self._geometry.stride
        rest, column, mirrored = key, (1 << stride) - 1, 0
        for _ in range(self._geometry.width):
            mirrored = mirrored << stride | rest & column
            rest >>= stride
        return min(key, mirrored)


@contextmanager
def _recursion(depth: int) -> Iterator[None]:
    """Allows this many nested calls more; calls between Python functions use no C stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
