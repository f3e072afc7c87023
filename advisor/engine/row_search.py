"""States of any game as positions of the search, and an evaluator of them, built on `rows`."""

from collections.abc import Sequence
from functools import cached_property
from time import perf_counter

import numpy as np

from advisor.engine.nodes import Below, Rows, Values, Wanted, plies_within
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.rows import Ahead, Look, RowGame, expand, for_movers

_LEAVES_OF_ONE = 512
"""Leaves, about, of a batch of the last plies below one position."""

_LEAVES_OF_TWO_PLIES = 1 << 12
"""Leaves, about, of a batch of two plies; more, since every call has a fixed cost."""

_LEAVES_OF_A_FAMILY = 3 << 10
"""Most leaves, about, of siblings that are scored in one batch, the eldest included."""

_LEAVES_AT_ONCE = 1 << 16
"""Leaves, about, of a batch of several positions, those after noisy moves included.

A batch cannot be interrupted.
"""

_CHILDREN_TOGETHER = 64
"""Children of siblings that are made together: as bit planes, this many cost no more than one."""


class RowPosition:
    """A state of a game and its player to move. Treat as immutable.

    All children of a node are made at once when the first one is needed, together with the children
    of some younger siblings.

    Attributes:
        row: the state, shape (words,).
        turn: the player to move, 0 or 1, whichever role the state gives it; needed only if states
            are seen from the side to move. In a finished game, the player whose view `result`
            takes.
        recurrences: which states are a draw if they come again; None for none.

    Args:
        look: result of the rules for this one state, if it is known.
        brood, number: the states with which it was made, and its index among them.
    """

    __slots__ = ("_brood", "_children", "_number", "game", "recurrences", "row", "turn")

    plies_left = 1 << 19  # no bound is known; a search ends with its limits

    def __init__(
        self,
        game: RowGame,
        row: Rows,
        turn: int | None = None,
        look: Look | None = None,
        recurrences: Recurrences | None = None,
        brood: "_Brood | None" = None,
        number: int = 0,
    ) -> None:
        self.game, self.row, self.recurrences = game, row, recurrences
        if brood is None:
            brood = _Brood(game, row[None], game.look(row[None]) if look is None else look, [False])
            brood.positions.append(self)
        self._brood, self._number = brood, number
        self.turn = brood.turns[number] if turn is None else turn
        self._children: dict[int, RowPosition] | None = None

    @property
    def key(self) -> tuple[bytes, int]:
        """The state, without its counters if they do not matter, and the player to move."""
        late = self._brood.late[self._number]
        kept = self.row.tobytes() if late else identity(self.row, self.game.counters)
        return kept, self.turn

    @property
    def supposes_draw(self) -> bool:
        """See `Recurrences`."""
        return self.recurrences is not None and self.recurrences.supposed

    @property
    def harmless(self) -> bool:
        """See `Recurrences`."""
        return self.recurrences is None or self.recurrences.harmless

    def result(self) -> int | None:
        result = self._brood.results[self._number]
        return None if result is None else result * self.sign

    @property
    def sign(self) -> int:
        """Factor that turns a value for the state's role 0 into one for the player to move."""
        return -1 if not self.game.exchanges and self.turn else 1

    def moves(self) -> list[int]:
        """Return all legal moves by number, the better ones after one ply first."""
        return [*self._make_children()]

    def candidates(self) -> list[int]:
        """Return the moves that the game names as candidates, or all legal moves."""
        named = self._brood.candidates[self._number]
        return [move for move in self.moves() if named >> move & 1] or self.moves()

    def wins_at_once(self) -> bool:
        children = self._make_children().values()
        return any(child.result() == (1 if child.turn == self.turn else -1) for child in children)

    def after(self, move: int) -> "RowPosition":
        return self._make_children()[move]

    def _make_children(self) -> "dict[int, RowPosition]":
        """Return the children; the first call also makes younger siblings' children, if cheap."""
        if self._children is not None:
            return self._children
        game, brood, room = self.game, self._brood, _CHILDREN_TOGETHER
        grown: list[tuple[RowPosition, dict[int, RowPosition]]] = []
        for position in brood.positions[self._number :]:
            if position._children is not None:
                continue
            room -= brood.counts[position._number]
            if grown and room < 0:
                break
            position._children = {}
            grown.append((position, position._children))
        numbers = np.array([position._number for position, _ in grown])
        children = expand(game, brood.rows[numbers], brood.look.take(numbers))
        leaves = game.leaf(children.rows)
        values = Ahead(game).quiet_values(children.rows, leaves, game.noisy_plies)
        # The best moves for the side to move come first.
        order = np.lexsort((-for_movers(game, children, values), children.parent))
        rows = children.rows[order]
        recurrences = self.recurrences and self.recurrences.next()
        again = recurrences.among(rows).tolist() if recurrences else [False] * len(rows)
        below = _Brood(game, rows, game.look(rows), again)
        made = zip(children.parent[order].tolist(), children.move[order].tolist(), strict=True)
        for number, (parent, move) in enumerate(made):
            position, siblings = grown[parent]
            turn = 1 - position.turn if game.exchanges else None
            child = RowPosition(game, rows[number], turn, None, recurrences, below, number)
            below.positions.append(child)
            siblings[move] = child
        return grown[0][1]


class _Brood:
    """Siblings that were made together, side by side, the most promising one first."""

    def __init__(self, game: RowGame, rows: Rows, look: Look, again: Sequence[bool]) -> None:
        self._game, self.rows, self.look = game, rows, look
        self.positions: list[RowPosition] = []
        self.turns: list[int] = look.turn.tolist()  # the player to move in the terms of each state
        self.late: list[bool] = look.late.tolist()
        self.counts: list[int] = look.counts().tolist()
        told = zip(look.over.tolist(), look.result.tolist(), again, strict=True)
        self.results = [r if over else 0 if drawn else None for over, r, drawn in told]

    @cached_property
    def candidates(self) -> list[int]:
        """For each state, an integer whose bits are the candidates that the game names, if any."""
        return [
            int.from_bytes(octets.tobytes(), "little")
            for octets in self._game.candidates(self.rows)
        ]


def settling(position: RowPosition) -> list[int]:
    """Return the noisy moves from a leaf to the state that gives it its value; often none."""
    line = []
    game = position.game
    for left in range(game.noisy_plies - 1, -1, -1):
        row = position.row[None]
        leaf = game.leaf(row)
        children = expand(game, row, game.noisy(row))
        if leaf.certain[0] or not len(children.rows):
            break
        leaves = game.leaf(children.rows)
        below = for_movers(game, children, Ahead(game).quiet_values(children.rows, leaves, left))
        if below.max() <= leaf.values[0] * position.sign:
            break
        line.append(int(children.move[below.argmax()]))
        position = position.after(line[-1])
    return line


class RowEvaluator(Ahead):
    """Evaluator of positions of one game, in batches; see `advisor.engine.nodes.LeafEvaluator`.

    Args:
        machine_code: may be used, with the extra ``fast``, once it pays.
        selective: machine code may prune what seems hopeless.
    """

    def __init__(self, game: RowGame, machine_code: bool = True, selective: bool = False) -> None:
        super().__init__(game)
        self.selective = selective
        self._machine_code = machine_code

    def plies_at_once(self, position: RowPosition) -> int:
        """Return the plies that give about `_LEAVES_OF_ONE` leaves below this position."""
        self._branching = max(2, len(position.moves()))
        plies = plies_within(self._branching, _LEAVES_OF_ONE)
        return max(plies, min(2, plies_within(self._branching, _LEAVES_OF_TWO_PLIES)))

    def positions_at_once(self, plies: int) -> int:
        """Return a number small enough for the batch to take only a small part of a second."""
        leaves: int = self._branching**plies * (1 + self.game.noisy_plies)
        return max(1, _LEAVES_AT_ONCE // leaves)

    def eldest(self, children: int, plies: int) -> int:
        """Return `children` if they are few, since a single one would take half as long; else 1."""
        leaves: int = children * self._branching**plies
        return children if leaves <= _LEAVES_OF_A_FAMILY else 1

    def values(
        self, positions: Sequence[RowPosition], plies: int, wanted: Wanted | None = None
    ) -> Values:
        rows = np.array([position.row for position in positions])
        signs = np.array([position.sign for position in positions])
        started = perf_counter()
        found: Values = self.look(rows, plies, positions[0].recurrences, wanted) * signs
        if self._machine_code:
            self.game.tree.count_search_seconds(perf_counter() - started)
        return found

    def machine_search(self, position: RowPosition) -> Below[RowPosition] | None:
        return self.game.tree.machine_search(self, position) if self._machine_code else None
