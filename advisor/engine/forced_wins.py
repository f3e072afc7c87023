"""Wins within a few moves against every defence, by the plainest search there is.

It tries every move and every reply, many states at once, without features or a table. What it says
of a game whose sides take turns stands beside what a look-ahead finds.
"""

import numpy as np

from advisor.engine.nodes import Bools, Rows
from advisor.engine.playouts import random_moves
from advisor.engine.rows import Children, Index, RowGame, expand, for_movers
from advisor.limits import Stop

FEW = 4
"""As many replies leave a side little choice."""


class ForcedWins:
    """Looks for wins in a game whose sides take turns.

    Args:
        rng: which replies are tried first; changes nothing that is found.
        stop: ends it with a KeyboardInterrupt.
    """

    def __init__(self, game: RowGame, rng: np.random.Generator, stop: Stop) -> None:
        self.game, self._rng, self._stop = game, rng, stop

    def first_moves(self, row: Rows, moves: int) -> list[int]:
        """The moves of a state, shape (words,), that win within so many own moves, this one too."""
        children = expand(self.game, row[None])
        found: list[int] = children.move[self._winning(children, moves)].tolist()
        return found

    def within(self, rows: Rows, moves: int) -> Bools:
        """Of states that go on, shape (n, words), whose side to move wins within so many moves."""
        children = expand(self.game, rows)
        found = _any(children.parent, self._just_won(children), len(rows))
        if moves > 1:
            rest = children.take(np.flatnonzero(~found[children.parent]))
            found |= _any(rest.parent, self._winning(rest, moves), len(rows))
        return found

    def narrowly(self, rows: Rows, moves: int) -> tuple[Bools, bool]:
        """As `within`, but only lines on which each reply is one of a few; and whether there is
        any move that leaves so few. Much cheaper, and misses some."""
        self._stop.check()
        children = expand(self.game, rows)
        found = _any(children.parent, self._just_won(children), len(rows))
        replies = self.game.look(children.rows).counts()
        narrow = (replies > 0) & (replies <= FEW)
        going = np.flatnonzero(narrow & ~found[children.parent])
        if moves > 1 and len(going):
            answers = expand(self.game, children.rows[going])
            kept = ~self.game.look(answers.rows).over
            won = np.zeros(len(kept), np.bool_)
            won[kept], _ = self.narrowly(answers.rows[kept], moves - 1)
            escaped = _any(answers.parent, ~won, len(going))
            found |= _any(children.parent[going], ~escaped, len(rows))
        return found, bool(narrow.any())

    def _winning(self, children: Children, moves: int) -> Bools:
        """After which moves the side that made them wins, this move being one of so many."""
        won = self._just_won(children)
        if moves == 1:
            return won
        look = self.game.look(children.rows)
        left = np.flatnonzero(~look.over)
        for _ in range(2):  # a reply at random refutes most moves
            if len(left):
                self._stop.check()
                here = look.take(left)
                replied = self.game.step(
                    children.rows[left], random_moves(here, self._rng), here.turn
                )
                left = left[self._still(replied, moves - 1)]
        if len(left):
            replies = expand(self.game, children.rows[left])
            escapes = ~self._still(replies.rows, moves - 1)
            won[left] = ~_any(replies.parent, escapes, len(left))
        return won

    def _still(self, rows: Rows, moves: int) -> Bools:
        """Of any states, those that go on and are won within so many moves."""
        going = np.flatnonzero(~self.game.look(rows).over)
        found = np.zeros(len(rows), np.bool_)
        if len(going):
            self._stop.check()
            found[going] = self.within(rows[going], moves)
        return found

    def _just_won(self, children: Children) -> Bools:
        """Whether the move that led to each state has won."""
        look = self.game.look(children.rows)
        result = look.result.astype(np.int64)
        won: Bools = look.over & (for_movers(self.game, children, result) == 1)
        return won


def _any(parent: Index, flags: Bools, count: int) -> Bools:
    """For which of so many parents a flag is set."""
    found: Bools = np.bincount(parent, flags, count) > 0
    return found
