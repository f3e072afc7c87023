"""States of any game as positions and an evaluator of the search, over the functions of rows."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from advisor.engine.below import Below, Wanted
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.rows import (
    Look,
    RowGame,
    Rows,
    Values,
    expand,
    for_movers,
    look_ahead,
    settled,
)

_LEAVES_OF_ONE = 512
"""The look-ahead's last plies below one position are a batch of about as many leaves, ..."""

_LEAVES_OF_TWO_PLIES = 1 << 12
"""... but for two plies, which may have more: a call takes its time whatever the batch."""

_LEAVES_AT_ONCE = 1 << 16
"""A batch of several positions has about as many leaves, those after noisy moves included: it
cannot be interrupted."""


class Tree(Protocol):
    """The compiled search of a game, once there is one."""

    def spent(self, seconds: float) -> None:
        """NumPy has worked for so long."""

    def compiled(self, evaluator: Any, position: Any) -> Below[Any] | None:
        """See `advisor.engine.below.Evaluator`."""


class SearchedGame(RowGame, Protocol):
    """A game that may be searched by compiled code."""

    @property
    def tree(self) -> Tree:
        """The compiled search."""


class RowPosition:
    """A state of a game and who is to move in it. Treat as immutable.

    A node's children are made all at once, when the first of them is asked for.

    Attributes:
        game: the game.
        row: the state, shape (words,).
        turn: the player to move: 0 or 1, whatever the state calls him. Where the game is over he
            is the one whose view `result` takes.
        plies_left: no bound is known; a search ends with its limits.
        recurrences: which states are a draw if they come again; None for none.
    """

    __slots__ = ("_children", "_drawn", "_look", "game", "recurrences", "row", "turn")

    plies_left = 1 << 19

    def __init__(
        self,
        game: RowGame,
        row: Rows,
        turn: int | None = None,
        look: Look | None = None,
        recurrences: Recurrences | None = None,
        drawn: bool = False,
    ) -> None:
        """A state.

        Args:
            game, row: see above.
            turn: the player to move; needed only where states are seen by the side to move.
            look: what the rules say of this one state, if it is known.
            recurrences: see above.
            drawn: whether the state is one of them.
        """
        self.game = game
        self.row = row
        self.recurrences = recurrences
        self._drawn = drawn
        self._look = game.look(row[None]) if look is None else look
        self.turn = int(self._look.turn[0]) if turn is None else turn
        self._children: dict[int, RowPosition] | None = None

    @property
    def key(self) -> tuple[bytes, int]:
        """The state, without counters as long as these do not matter, and who is to move."""
        late = bool(self._look.late[0])
        kept = self.row.tobytes() if late else identity(self.row, self.game.counters)
        return kept, self.turn

    def result(self) -> int | None:
        """None while the game goes on; then 1, -1 or 0 for the player `turn`."""
        if not self._look.over[0]:
            return 0 if self._drawn else None
        return int(self._look.result[0]) * self.sign

    @property
    def sign(self) -> int:
        """What makes a value for the state's role 0 one for the player to move."""
        return -1 if not self.game.exchanges and self.turn else 1

    def moves(self) -> list[int]:
        """All legal moves by number, those first that look better after one ply."""
        return list(self._grown())

    def candidates(self) -> list[int]:
        """Those that the game names, or all legal moves."""
        found = {*self.game.candidates(self.row).tolist()}
        return [move for move in self.moves() if move in found] or self.moves()

    def wins_at_once(self) -> bool:
        """Whether a move wins."""
        children = self._grown().values()
        return any(child.result() == (1 if child.turn == self.turn else -1) for child in children)

    def after(self, move: int) -> "RowPosition":
        """The position after a legal move."""
        return self._grown()[move]

    def _grown(self) -> "dict[int, RowPosition]":
        if self._children is not None:
            return self._children
        game = self.game
        _, moves = self._look.moves()
        turns = np.full(len(moves), self._look.turn[0])
        rows = game.step(np.repeat(self.row[None], len(moves), 0), moves, turns)
        look = game.look(rows)
        # From the view of this position's state; what is best for its side to move comes first.
        values, _ = settled(game, rows, game.leaf(rows), game.noisy_plies)
        if game.exchanges:
            values = -values
        order = np.argsort(-values * self.sign, kind="stable").tolist()
        turn = 1 - self.turn if game.exchanges else None
        recurrences = self.recurrences and self.recurrences.next()
        again = recurrences.among(rows).tolist() if recurrences else [False] * len(rows)
        self._children = {
            int(moves[i]): RowPosition(
                game, rows[i], turn, look.take(np.array([i])), recurrences, again[i]
            )
            for i in order
        }
        return self._children


def settling(position: RowPosition) -> list[int]:
    """The noisy moves that lead from a leaf to where its value is taken from, often none."""
    line = []
    game = position.game
    for left in range(game.noisy_plies - 1, -1, -1):
        row = position.row[None]
        leaf = game.leaf(row)
        children = expand(game, row, game.noisy(row))
        if leaf.certain[0] or not len(children.rows):
            break
        leaves = game.leaf(children.rows)
        below = for_movers(game, children, settled(game, children.rows, leaves, left)[0])
        if below.max() <= leaf.values[0] * position.sign:
            break
        line.append(int(children.move[below.argmax()]))
        position = position.after(line[-1])
    return line


class RowEvaluator:
    """Scores positions of one game in batches; see `advisor.engine.below.Evaluator`.

    Attributes:
        leaves: the number of states scored so far.
        guesses: how many of them had a heuristic value.
        added: how many more were scored after noisy moves, beyond the plies that were asked for.
    """

    def __init__(self, game: SearchedGame, machine_code: bool = True) -> None:
        """An evaluator.

        Args:
            game: see above.
            machine_code: may be used, with the extra ``fast``, once it pays.
        """
        self.leaves = self.guesses = self.added = 0
        self._game = game
        self._machine_code = machine_code

    def plies_at_once(self, position: RowPosition) -> int:
        """As many plies as have about `_LEAVES_OF_ONE` leaves below this position."""
        self._branching = max(2, len(position.moves()))
        plies = 2 if self._branching**2 <= _LEAVES_OF_TWO_PLIES else 1
        while self._branching ** (plies + 1) <= _LEAVES_OF_ONE:
            plies += 1
        return plies

    def positions_at_once(self, plies: int) -> int:
        """So many that the batch is done in a small part of a second."""
        leaves: int = self._branching**plies * (1 + self._game.noisy_plies)
        return max(1, _LEAVES_AT_ONCE // leaves)

    def values(
        self, positions: Sequence[RowPosition], plies: int, wanted: Wanted | None = None
    ) -> Values:
        """See `advisor.engine.below.Evaluator`."""
        rows = np.array([position.row for position in positions])
        signs = np.array([position.sign for position in positions])
        started = perf_counter()
        ahead = look_ahead(self._game, rows, plies, positions[0].recurrences, wanted)
        if self._machine_code:
            self._game.tree.spent(perf_counter() - started)
        self.leaves += ahead.leaves
        self.guesses += ahead.guesses
        self.added += ahead.added
        found: Values = ahead.values * signs
        return found

    def compiled(self, position: RowPosition) -> Below[RowPosition] | None:
        """See `advisor.engine.below.Evaluator`."""
        return self._game.tree.compiled(self, position) if self._machine_code else None
