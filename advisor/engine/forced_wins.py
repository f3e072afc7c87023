"""Wins within a few moves against every defence, by the plainest possible search.

It tries every move and every reply, many states at once, without features or a table. Where sides
take turns, its answers are shown beside the look-ahead's. In games where a move may lose at once, a
reply to the last move may be the winning one.
"""

import numpy as np

from advisor.engine.nodes import Bools, Rows
from advisor.engine.playouts import random_moves
from advisor.engine.rows import Children, Index, Look, RowGame, expand, for_movers
from aspcircuits.stopping import Stop

FEW = 4
"""Most replies that still leave a side little choice."""


class ForcedWins:
    """Search for wins in a game whose sides take turns.

    Args:
        rng: chooses which replies are tried first; has no effect on the results.
        stop: ends the search with a KeyboardInterrupt.
    """

    def __init__(self, game: RowGame, rng: np.random.Generator, stop: Stop) -> None:
        self.game, self._rng, self._stop = game, rng, stop

    def first_moves(self, row: Rows, moves: int) -> list[int]:
        """Return the moves of a state that win within `moves` own moves, this one included.

        Args:
            row: the state, shape (words,).
        """
        children = expand(self.game, row[None])
        won = self._winning(children, self.game.look(children.rows), moves)
        found: list[int] = children.move[won].tolist()
        return found

    def wins_within(self, rows: Rows, moves: int, look: Look | None = None) -> Bools:
        """Return which states the side to move wins within `moves` moves.

        Args:
            rows: states whose games go on, shape (n, words).
            look: results of the rules for them, if known.
        """
        children = expand(self.game, rows, look)
        below = self.game.look(children.rows)
        found = _any(children.parent, self._has_ended(children, below, 1), len(rows))
        if self._goes_on(moves):
            left = np.flatnonzero(~found[children.parent])
            rest = children.take(left)
            found |= _any(rest.parent, self._winning(rest, below.take(left), moves), len(rows))
        return found

    def narrow_wins(self, rows: Rows, moves: int) -> tuple[Bools, bool]:
        """Return a cheaper `wins_within` that misses wins, and whether any move has few replies.

        It follows only lines on which each reply is one of at most `FEW`.
        """
        self._stop.check()
        children = expand(self.game, rows)
        look = self.game.look(children.rows)
        found = _any(children.parent, self._has_ended(children, look, 1), len(rows))
        replies = look.counts()
        narrow = (replies > 0) & (replies <= FEW)
        going = np.flatnonzero(narrow & ~found[children.parent])
        if self._goes_on(moves) and len(going):
            answers = expand(self.game, children.rows[going], look.take(going))
            end = self.game.look(answers.rows)
            won = self._has_ended(answers, end, -1)
            if moves > 1:
                won[~end.over], _ = self.narrow_wins(answers.rows[~end.over], moves - 1)
            escaped = _any(answers.parent, ~won, len(going))
            found |= _any(children.parent[going], ~escaped, len(rows))
        return found, bool(narrow.any())

    def _goes_on(self, moves: int) -> bool:
        """Return whether a win may come after the first of `moves` moves."""
        return moves > 1 or self.game.backfires

    def _winning(self, children: Children, look: Look, moves: int) -> Bools:
        """Return after which moves their side wins within `moves` moves, this one included."""
        won = self._has_ended(children, look, 1)
        left = np.flatnonzero(~look.over if self._goes_on(moves) else [])
        for _ in range(2):  # a random reply refutes most moves
            if len(left):
                self._stop.check()
                here = look.take(left)
                move = random_moves(here, self._rng)
                rows = self.game.step(children.rows[left], move, here.turn)
                replied = Children(rows, np.arange(len(rows)), move, here)
                left = left[self._wins_after(replied, moves - 1)]
        if len(left):
            replies = expand(self.game, children.rows[left], look.take(left))
            escapes = ~self._wins_after(replies, moves - 1)
            won[left] = ~_any(replies.parent, escapes, len(left))
        return won

    def _wins_after(self, replies: Children, moves: int) -> Bools:
        """Return after which replies the other side wins within `moves` moves, or has won."""
        look = self.game.look(replies.rows)
        found = self._has_ended(replies, look, -1)
        going = np.flatnonzero(~look.over)
        if moves and len(going):
            self._stop.check()
            found[going] = self.wins_within(replies.rows[going], moves, look.take(going))
        return found

    def _has_ended(self, children: Children, look: Look, result: int) -> Bools:
        """Return whether the move that led to each state has won the game (1) or lost it (-1)."""
        results = for_movers(self.game, children, look.result.astype(np.int64))
        ended: Bools = look.over & (results == result)
        return ended


def _any(parent: Index, flags: Bools, count: int) -> Bools:
    """Return, for each of `count` parents, whether a flag of one of its children is set."""
    found: Bools = np.bincount(parent, flags, count) > 0
    return found
