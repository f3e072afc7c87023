"""Any two-player game over rows of machine words, many states at once, without ASP.

A state is a row of uint64, a batch of states an array of shape (n, words). A game is the three
functions of the protocol below; everything else here follows from them. Results and values are from
the view of the game's first role, 0, as a state shows it. If every state is seen from the side to
move, that side is role 0 and a move exchanges the roles (`exchanges`).
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import FORCED, INFINITE, WIN, Below, Rows, Values, Wanted
from advisor.engine.recurrences import Recurrences
from aspcircuits.bitplanes import OCTETS

Index = npt.NDArray[np.intp]

Turns = npt.NDArray[np.uint8]
"""The role to move in each state, 0 or 1."""

ONES = OCTETS.sum(1, dtype=np.uint8)
"""The number of set bits of each octet."""

_NOTHING = -(WIN + 1)
"""Less than every value."""

_ROUNDS = (0, 1, 4)
"""Ranks where rounds begin: the leaves below a state are settled 1, then 3, then the rest."""

_AT_ONCE = 1 << 13
"""States that are expanded together; more are processed in parts."""

_LEAVES_OF_A_TURN = 1 << 11
"""Leaves, about, that are searched together if their values may make others irrelevant."""


class Look(NamedTuple):
    """Results of the rules for states.

    Attributes:
        legal: uint8 of shape (n, octets); bit b of octet i says whether the side to move has move
            8 i + b. None is set if the game is over.
        over: shape (n,), whether the game is over.
        result: int8 of shape (n,): 1 if role 0 has won, -1 if role 1, 0 for a draw or a game that
            goes on.
        turn: uint8 of shape (n,): the role to move, 0 or 1; meaningless if the game is over.
        late: shape (n,), whether the state's counters matter to a search (see `RowGame.counters`).
    """

    legal: npt.NDArray[np.uint8]
    over: npt.NDArray[np.bool_]
    result: npt.NDArray[np.int8]
    turn: Turns
    late: npt.NDArray[np.bool_]

    def moves(self) -> tuple[Index, Index]:
        """Return the numbers of the state, ascending, and of the move, for every legal move."""
        octets = self.legal.shape[1]
        flat = self.legal.reshape(-1)
        used = np.flatnonzero(flat != 0)  # on truth values this is several times as fast
        bits = np.flatnonzero(np.unpackbits(flat[used], bitorder="little").view(np.bool_))
        octet = used[bits >> 3]
        state = octet // octets
        return state, (octet - state * octets) * 8 + (bits & 7)

    def take(self, index: Index) -> "Look":
        """Return the results for some of the states."""
        return Look._make(part[index] for part in self)

    def counts(self) -> Index:
        """Return the number of moves of each state."""
        counts: Index = ONES.take(self.legal).sum(1, dtype=np.intp)
        return counts


class Leaves(NamedTuple):
    """Static values of states.

    Attributes:
        values: int64 of shape (n,), heuristic or forced, for role 0; see `advisor.engine.search`.
        certain: shape (n,), whether a value is not heuristic: forced, or that of a draw.
    """

    values: Values
    certain: npt.NDArray[np.bool_]

    def take(self, index: Index) -> "Leaves":
        """Return the values of some of the states."""
        return Leaves._make(part[index] for part in self)


class Code(Protocol):
    """The compiled code of a game, as far as there is any."""

    def count_search_seconds(self, seconds: float) -> None:
        """Report that NumPy has searched for this many seconds."""

    def machine_search(self, evaluator: Any, position: Any) -> Below[Any] | None:
        """Return compiled code, or None; see `advisor.engine.nodes.LeafEvaluator`."""

    def count_game_seconds(self, seconds: float) -> None:
        """Report that NumPy has played random games for this many seconds."""

    def count_tree_seconds(self, seconds: float) -> None:
        """Report that NumPy has grown a tree of random games for this many seconds."""

    def player(self) -> Any:
        """Return an object with `advisor.engine.playouts.play_out`, seeded by a word; or None."""


class RowRules(Protocol):
    """The rules of a game. Not thread-safe."""

    @property
    def exchanges(self) -> bool:
        """Whether states are seen from the side to move, so that a move exchanges the roles."""

    def look(self, rows: Rows) -> Look:
        """Return the results of the rules for states, shape (n, words)."""

    def step(self, rows: Rows, moves: Index, turn: Turns) -> Rows:
        """Return the states after one move each, made by the role to move."""


class RowGame(RowRules, Protocol):
    """A game: its rules, and further functions that a search needs."""

    @property
    def tree(self) -> Code:
        """The machine code of the game."""

    @property
    def backfires(self) -> bool:
        """Whether a move may lose the game at once, if sides take turns."""

    @property
    def counters(self) -> Rows:
        """The bits of a state that only count towards a draw, shape (words,).

        States that differ in them alone are worth the same, unless `Look.late` is set.
        """

    def leaf(self, rows: Rows) -> "Leaves":
        """Return the static values of states."""

    @property
    def noisy_plies(self) -> int:
        """The most plies of noisy moves that are added at a leaf; 0 if no move is noisy."""

    def noisy(self, rows: Rows) -> Look:
        """Return `look` with the noisy moves alone: those to follow before a state is valued."""

    def candidates(self, rows: Rows) -> npt.NDArray[np.uint8]:
        """Return moves of each state that include a best one, looking two plies or more ahead.

        Encoded as in `Look.legal`; none if this is not known.
        """


class Children(NamedTuple):
    """All children of some states.

    Attributes:
        parent: the index of each child's parent, ascending.
        move: the move that leads to the child.
        look: results of the rules for the parents.
    """

    rows: Rows
    parent: Index
    move: Index
    look: Look

    def take(self, index: Index) -> "Children":
        """Return some of the children."""
        return Children(self.rows[index], self.parent[index], self.move[index], self.look)


def expand(game: RowGame, rows: Rows, look: Look | None = None) -> Children:
    """Return all children of some states or, given `look`, those by its moves."""
    look = game.look(rows) if look is None else look
    parent, move = look.moves()
    rows = game.step(rows.take(parent, 0), move, look.turn.take(parent))
    return Children(rows, parent, move, look)


def perft(game: RowGame, rows: Rows, plies: int) -> int:
    """Return the number of ways to play `plies` plies from some states; 0 for finished games."""
    if plies == 0:
        return len(rows)
    total = 0
    for part in _parts(rows):
        if plies == 1:
            total += int(ONES.take(game.look(part).legal).sum(dtype=np.int64))
        else:
            total += perft(game, expand(game, part).rows, plies - 1)
    return total


def for_movers(game: RowGame, children: Children, values: Values) -> Values:
    """Return values of children, given for role 0 there, for the side to move one ply above."""
    below = seen_from_above(values)
    if game.exchanges:
        return -below  # in the state above, the mover is always role 0
    return below * _sign(children.look.turn).take(children.parent)


class Ahead:
    """Full-width look-ahead from states of one game.

    Attributes:
        leaves: number of states that got a static value; merged ones count once.
        guesses: how many of these values were heuristic.
        added: number of further states that were valued after noisy moves.
    """

    def __init__(self, game: RowGame) -> None:
        self.game = game
        self.leaves = self.guesses = self.added = 0

    def look(
        self,
        rows: Rows,
        plies: int,
        recurrences: Recurrences | None = None,
        wanted: Wanted | None = None,
    ) -> Values:
        """Return negamax values of states, `plies` ahead; `quiet_values` values the leaves.

        Args:
            recurrences: states that are a draw below these.
            wanted: which values matter; None for all of them.

        Returns:
            int64 of shape (n,), for role 0 as each state shows it; forced results count plies from
            the state itself.
        """
        parts = [self._look(part, plies, recurrences, wanted) for part in _parts(rows)]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def quiet_values(self, rows: Rows, leaves: Leaves, plies: int) -> Values:
        """Return values of leaves after a search of their noisy moves (quiescence search).

        The value of a state is its static value or the best value that a noisy move leads to,
        whichever is better for the side to move, and so on for `plies` plies. The
        side to move may always stand pat. Certain static values stay as they are.
        """
        values = leaves.values.copy()
        open_ = np.flatnonzero(~leaves.certain) if plies else ()
        if not len(open_):
            return values
        look = self.game.noisy(rows[open_])
        children = expand(self.game, rows[open_], look)
        mover = _sign(look.turn)
        best = values[open_] * mover
        self.added += len(children.rows)
        self._raise(children, self.game.leaf(children.rows), best, plies - 1, (0,))
        values[open_] = best * mover
        return values

    def _look(
        self, rows: Rows, plies: int, recurrences: Recurrences | None, wanted: Wanted | None
    ) -> Values:
        if plies == 0:
            leaves = self.game.leaf(rows)
            self._count(leaves)
            return self.quiet_values(rows, leaves, self.game.noisy_plies)
        children = expand(self.game, rows)
        look = children.look
        mover = _sign(look.turn)
        best = np.where(look.over, mover * look.result * np.int64(WIN), _NOTHING)
        recurrences = recurrences and recurrences.next()
        if plies == 1 and self.game.noisy_plies:
            leaves = self.game.leaf(children.rows)
            if recurrences:
                again = recurrences.among(children.rows)
                leaves.values[again], leaves.certain[again] = 0, True
            self._count(leaves)
            self._raise(children, leaves, best, self.game.noisy_plies, _ROUNDS)
            return best * mover
        if plies > 1 and wanted:
            leaves_of_one = (len(children.rows) // len(rows)) ** (plies - 1)
            if len(children.rows) * leaves_of_one > 2 * _LEAVES_OF_A_TURN:
                share = _LEAVES_OF_A_TURN // leaves_of_one
                self._by_turns(children, best, plies - 1, recurrences, wanted, share)
                return best * mover
        distinct, copy = merge_states(children.rows)
        ahead = self.look(distinct, plies - 1, recurrences)
        if recurrences:
            ahead[recurrences.among(distinct)] = 0
        if len(distinct):
            first = firsts(children.parent)
            below = for_movers(self.game, children, ahead[copy])
            best[children.parent[first]] = np.maximum.reduceat(below, first)
        return best * mover

    def _count(self, leaves: Leaves) -> None:
        self.leaves += len(leaves.certain)
        self.guesses += len(leaves.certain) - int(leaves.certain.sum())

    def _by_turns(
        self,
        children: Children,
        best: Values,
        plies: int,
        recurrences: Recurrences | None,
        wanted: Wanted,
        share: int,
    ) -> None:
        """Raise `best`, values for the side to move, to the values of children, as far as `wanted`.

        States and children are ordered by the static values of the children. In each turn, every
        state that still matters looks at its next child, and the first states at several if `share`
        allows it:
        mostly a few children show that a state is worth too much, and one state whose children are
        all done makes the others irrelevant.
        """
        low, high, spread = wanted
        distinct, copy = merge_states(children.rows)
        parents = children.parent
        promise = for_movers(self.game, children, self.game.leaf(distinct).values[copy])
        hope = best.copy()
        np.maximum.at(hope, parents, promise)
        edges = np.lexsort((-promise, parents, hope[parents]))
        values = np.zeros(len(distinct), np.int64)
        known = recurrences.among(distinct) if recurrences else np.zeros(len(distinct), np.bool_)
        while True:
            below = for_movers(self.game, children, values[copy])
            found = edges[known[copy[edges]]]
            np.maximum.at(best, parents[found], below[found])
            edges = edges[~known[copy[edges]] & (best[parents[edges]] < high)]
            waiting = np.zeros(len(best), np.bool_)
            waiting[parents[edges]] = True
            if not waiting.all():
                least = int(best[~waiting].min())
                if least <= low:
                    best[waiting] = INFINITE
                    return
                high = min(high, least + spread)
                edges = edges[best[parents[edges]] < high]
            if not len(edges):
                return
            asked = np.zeros(len(edges), np.bool_)
            asked[firsts(parents[edges])] = True
            asked[np.flatnonzero(~asked)[: max(0, share - int(asked.sum()))]] = True
            some = np.unique(copy[edges[asked]])
            values[some] = self.look(distinct[some], plies, recurrences)
            known[some] = True

    def _raise(
        self, children: Children, leaves: Leaves, best: Values, plies: int, rounds: Sequence[int]
    ) -> None:
        """Raise `best`, values for the side to move, to the values of settled children.

        Noisy moves can only raise a child's value for the side to move there, so its static value
        is an upper bound for the side above. `rounds` holds the number of a state's children, the
        most promising ones first, that are done when each round begins; a child is settled only if
        it promises more than was found.
        """
        promise = for_movers(self.game, children, leaves.values)
        order = np.lexsort((-promise, children.parent))
        parent = children.parent[order]
        rank = np.arange(len(parent)) - np.searchsorted(parent, parent)
        for start, end in zip(rounds, (*rounds[1:], len(rank)), strict=True):
            some = order[(start <= rank) & (rank < end)]
            some = some[promise[some] > best[children.parent[some]]]
            if len(some):
                part = children.take(some)
                values = self.quiet_values(part.rows, leaves.take(some), plies)
                np.maximum.at(best, part.parent, for_movers(self.game, part, values))


def seen_from_above(values: Values) -> Values:
    """Return values of states as seen one ply above: forced results are one ply further off."""
    return values - (values >= FORCED) + (values <= -FORCED)


def firsts(ascending: Index) -> Index:
    """Return the indices at which each number occurs first."""
    return np.flatnonzero(np.diff(ascending, prepend=-1))


def merge_states(rows: Rows) -> tuple[Rows, Index]:
    """Return each distinct state once, and for each given state the index of its copy."""
    keys = rows[:, 0].copy()
    for word in range(1, rows.shape[1]):
        keys ^= keys >> np.uint64(29)
        keys *= _MIX
        keys += rows[:, word]
    # Sorting keys that contain the state's index is faster than an argsort.
    keys *= _MIX
    room = len(rows).bit_length()
    keys >>= np.uint64(room)
    keys <<= np.uint64(room)
    keys |= np.arange(len(rows), dtype=np.uint64)
    keys.sort()
    order = (keys & np.uint64((1 << room) - 1)).view(np.intp)
    keys >>= np.uint64(room)
    new = np.ones(len(rows), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    copy = np.empty(len(rows), np.intp)
    copy[order] = new.cumsum() - 1
    distinct = rows.take(order[new], 0)
    if not np.array_equal(distinct.take(copy, 0), rows):  # two states share a key
        return rows, np.arange(len(rows))
    return distinct, copy


_MIX = np.uint64(0x9E3779B97F4A7C15)


def _sign(turn: Turns) -> Values:
    return 1 - 2 * turn.astype(np.int64)


def _parts(rows: Rows) -> Iterator[Rows]:
    for start in range(0, len(rows), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]
