"""Trees of random games (UCT; Kocsis and Szepesvari 2006) for the rules of any game.

Many random games are played side by side, each in a slot at its own age. A finished game is counted
on its way up the tree (also for RAVE: Gelly and Silver 2007); the next one descends from the root
and starts where it leaves the tree. A random move is the better of two, by the results of all games
with that move (MAST: Finnsson and Bjornsson 2008). Where moves are listed, moves that end the game
are found and backed up as certain (MCTS-solver: Winands, Bjornsson and Saito 2008).

This module is the reference: NumPy and lists, a thousand games in a second or two. Compiled code
(`advisor.engine.uct_kernel`) grows the same tree from the same seed.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from advisor.engine import uct_control as u
from advisor.engine.nodes import Rows, Values
from advisor.engine.playouts import MAX_PLIES, moves_by_chance, random_words
from advisor.engine.rows import Index, Look, RowGame
from aspcircuits.stopping import Stop

TreeNumbers = npt.NDArray[np.int32]

SLOTS = 512
"""The most games that are played side by side."""

_ENTRIES, _WORDS = 1 << 22, 1 << 24
"""Room for moves and for the words of listed states; unused room takes no memory."""

_MOST_GAMES = 1 << 30
"""Games that a tree can count, an hour's work or so."""

_TELLING = 1 / 20
"""A line goes on as long as this share of the games after its first move follows it."""


_upper = (np.arange(1 << 15, dtype=np.int32) << 16).view(np.float32)
with np.errstate(invalid="ignore"):
    explore = np.sqrt(np.log(_upper + np.float32(1))) * np.float32(u.EXPLORATION)
"""C sqrt(log(n + 1)), indexed by the upper half of the bits of n in single precision."""


class UctTree:
    """The memory of a tree; see `advisor.engine.uct_control`. Not for two searches at once.

    Args:
        earlier: a tree that is no longer needed; its memory is reused.

    Attributes:
        columns: int32 of shape (COLUMNS, room).
        nodes: shape (room for states, words and masks): `states`, and the moves that follow.
        means: int64 of shape (2, moves, 2).
        counters: see `uct_control`.
    """

    def __init__(self, words: int, moves: int, earlier: "UctTree | None" = None) -> None:
        masks = -(-moves // 64)
        long = words + masks
        self.columns: TreeNumbers = np.zeros((u.COLUMNS, _ENTRIES), np.int32)
        self._memory: Rows = np.zeros(_WORDS, np.uint64)
        if earlier is not None:
            self.columns, self._memory = earlier.columns, earlier._memory
        self.nodes: Rows = self._memory[: _WORDS // long * long].reshape(-1, long)
        self.states = self.nodes[:, :words]
        self.means: Values = np.zeros((2, 64 * masks, 2), np.int64)
        self.counters: TreeNumbers = np.zeros(u.COUNTERS, np.int32)

    def begin(self, row: Rows, look: Look) -> None:
        """Start a tree with only the moves of a state whose game goes on."""
        self.counters[:] = 1, 0, 0
        self.columns[:, 0] = 0
        self.means[:] = 1, 2
        self.list_moves(0, row, look.moves()[1], int(look.turn[0]))

    def list_moves(self, entry: int, row: Rows, moves: Index, turn: int) -> None:
        """List the moves that follow an entry, if there is room."""
        begun, number = self.counters[: u.LOCK].tolist()
        room = self.columns.shape[1] - self.means.shape[1]
        if begun > room or number == len(self.nodes):
            return
        self.columns[:, begun : begun + len(moves)] = 0
        self.columns[u.MOVE, begun : begun + len(moves)] = moves
        self.columns[u.PARENT, begun : begun + len(moves)] = entry
        legal = np.zeros(self.means.shape[1], np.bool_)
        legal[moves] = True
        self.nodes[number] = *row, *np.packbits(legal, bitorder="little").view(np.uint64)
        self.columns[[u.FIRST, u.COUNT, u.TURN, u.STATE], entry] = begun, len(moves), turn, number
        self.counters[: u.LOCK] = begun + len(moves), number + 1

    def go_on(self, row: Rows) -> bool:
        """Keep only the subtree of a state, if its moves are listed; return whether they are."""
        columns, (used, expanded, _) = self.columns, self.counters.tolist()
        same = np.flatnonzero((self.states[:expanded] == row).all(axis=1))
        nodes = np.flatnonzero(columns[u.FIRST, :used])
        nodes = nodes[np.isin(columns[u.STATE, nodes], same)]
        if not len(nodes):
            return False
        root = nodes[columns[u.VISITS, nodes].argmax()]
        turned = columns[u.TURN, root] != columns[u.TURN, columns[u.PARENT, root]]
        levels = [nodes[:0], np.array([root])]
        while len(levels[-1]):
            level = levels[-1]
            level = level[columns[u.FIRST, level] != 0]
            first, count = columns[u.FIRST, level], columns[u.COUNT, level]
            before = np.cumsum(count) - count
            levels.append(np.arange(count.sum()) + np.repeat(first - before, count))
        kept = np.concatenate(levels)
        columns[:, : len(kept)] = columns[:, kept]
        number = np.zeros(used, np.int32)
        number[kept] = np.arange(len(kept))
        columns[u.PARENT, 0] = root
        for name in (u.PARENT, u.FIRST):
            columns[name, : len(kept)] = number[columns[name, : len(kept)]]
        nodes = np.flatnonzero(columns[u.FIRST, : len(kept)])
        self.nodes[: len(nodes)] = self.nodes[columns[u.STATE, nodes]]
        columns[u.STATE, nodes] = np.arange(len(nodes))
        self.counters[: u.LOCK] = len(kept), len(nodes)
        if turned:
            columns[u.WINS, 0] *= -1
            columns[u.PROVEN, 0] *= 1 if columns[u.PROVEN, 0] == u.DRAWN else -1
        return True

    def entry(self, move: int) -> int:
        """Return the entry of a root's move."""
        below = self.children(0)
        return int(below.start + np.flatnonzero(self.columns[u.MOVE, below] == move)[0])

    def give_up(self, leaves: Index) -> None:
        """Take back the visits of unfinished games that began from these entries."""
        while len(leaves):
            np.subtract.at(self.columns[u.VISITS], leaves, 1)
            np.add.at(self.columns[u.WINS], leaves, 1)
            leaves = self.columns[u.PARENT, leaves[leaves != 0]]

    def halve(self) -> None:
        """Halve all counts of games, so that they fit into 32 bits; means stay about the same."""
        counts = self.columns[: u.PROVEN, : self.counters[u.ENTRIES]]
        counts[:] = np.trunc(counts / 2)

    def prove(self, entry: int, value: int) -> None:
        """See `advisor.engine.uct_control.prove`."""
        names = u.PROVEN, u.PARENT, u.TURN, u.FIRST, u.COUNT
        u.prove(entry, value, *(self.columns[name] for name in names))

    def children(self, entry: int) -> slice:
        """Return the entries of the moves that follow an entry."""
        first = int(self.columns[u.FIRST, entry])
        return slice(first, first + int(self.columns[u.COUNT, entry]))

    def line(self, entry: int) -> tuple[list[int], float]:
        """Return the expected line from an entry, and the share of its games that followed it.

        The line begins with the entry's move. A certain result is played out as it was proven.
        """
        columns = self.columns
        visits, line = max(1, int(columns[u.VISITS, entry])), [int(columns[u.MOVE, entry])]
        share = 1.0
        while columns[u.FIRST, entry]:
            below = self.children(entry)
            certain = columns[u.PROVEN, entry] != 0
            by = u.PROVEN if certain else u.VISITS
            entry = below.start + int(columns[by, below].argmax())
            going = float(columns[u.VISITS, entry] / visits)
            if going < _TELLING and not certain:
                break
            line.append(int(columns[u.MOVE, entry]))
            share = going
        return line, share


@dataclass(frozen=True, slots=True)
class UctSearch:
    """Settings for the growth of a tree.

    Attributes:
        games: their number, about; None for no limit but the stop.
        stop: ends it; a few games are always played, unless the user interrupts.
        asked: the root's move that gets as many games as the best one; None for none.
        proves: ends of games are certain: no state is a draw because of moves before the root.
    """

    seed: int
    games: int | None
    stop: Stop
    asked: int | None = None
    proves: bool = True
    jobs: int = 1

    def should_stop(self, finished: int) -> bool:
        """Return whether to stop after this many games."""
        return self.stop.is_interrupted or (finished >= u.FEW_SLOTS and self.stop.is_set())


class Grower(Protocol):
    """Grower of trees: NumPy or compiled code."""

    def grow(self, tree: UctTree, search: UctSearch) -> None:
        """Play until the games are played, the root is certain or the stop is set."""


class ByNumpy:
    """Grower of trees of a game without machine code; see `Grower`."""

    def __init__(self, game: RowGame) -> None:
        self._game = game

    def grow(self, tree: UctTree, search: UctSearch) -> None:
        slots = _Slots(self._game, tree, search)
        while not search.should_stop(slots.finished) and slots.tick():
            pass
        tree.give_up(slots.leaf[: slots.count])


class _Slots:
    """Random games side by side."""

    def __init__(self, game: RowGame, tree: UctTree, search: UctSearch) -> None:
        self._game, self._tree, self._search = game, tree, search
        self.count = self.finished = self._begun = 0
        self._asked = 0 if search.asked is None else tree.entry(search.asked)
        self._rows = np.zeros((SLOTS, tree.states.shape[1]), np.uint64)
        self.leaf, self._owner, self._move = (np.zeros(SLOTS, np.intp) for _ in range(3))
        self._age, self._side = np.zeros(SLOTS, np.int32), np.zeros(SLOTS, np.uint8)
        self._played = np.zeros((SLOTS, *tree.means.shape[:2]), np.bool_)

    def tick(self) -> bool:
        """Play a ply of each game; return whether there is more to do."""
        game, tree, search = self._game, self._tree, self._search
        proven = tree.columns[u.PROVEN]
        enough = search.games is not None and self.finished >= search.games
        if enough or (proven[0] and proven[self._asked]):
            return False
        some, age, side = slice(self.count), self._age, self._side
        if self.count:
            look = game.look(self._rows[some])
            if not game.exchanges:
                side[some] = look.turn
            over = look.over | (age[some] >= MAX_PLIES)
            going = np.flatnonzero(~over)
            self._choose(look.take(going), going)
            for i in np.flatnonzero(over).tolist():
                self._finish(i, int(look.result[i]), bool(look.over[i]))
                self._begin(i)
            for i in np.flatnonzero(~over & (age[some] == 0)).tolist():
                leaf = self.leaf[i]
                if not tree.columns[u.FIRST, leaf] and (
                    tree.columns[u.VISITS, leaf] >= u.EXPAND_AT
                ):
                    legal = np.flatnonzero(np.unpackbits(look.legal[i], bitorder="little"))
                    tree.list_moves(int(leaf), self._rows[i], legal, int(side[i]))
                    if search.proves and tree.columns[u.FIRST, leaf]:
                        self._try_moves(int(leaf))
        few = u.FEW_SLOTS + int(tree.columns[u.COUNT, 0])
        while self.count < min(SLOTS, few + self.finished // u.GAMES_A_SLOT):
            self._begin(self.count)
            self.count += 1
        some = slice(self.count)
        self._rows[some] = game.step(self._rows[some], self._move[some], side[some])
        age[some] += 1
        side[some] ^= game.exchanges
        return True

    def _try_moves(self, leaf: int) -> None:
        """Prove which of the moves after an entry end the game.

        Otherwise, one winning reply among 300 would be found only by chance.
        """
        game, tree = self._game, self._tree
        columns, below = tree.columns, tree.children(leaf)
        moves, turn = columns[u.MOVE, below].astype(np.intp), int(columns[u.TURN, leaf])
        rows = np.repeat(tree.states[None, columns[u.STATE, leaf]], len(moves), 0)
        look = game.look(game.step(rows, moves, np.full(len(moves), turn, np.uint8)))
        if not look.over.any():
            return
        own = look.result.astype(np.int32) * (-1 if turn or game.exchanges else 1)
        values = np.where(own == 0, u.DRAWN, own * u.CERTAIN)
        columns[u.PROVEN, below] = np.where(look.over, values, 0)
        best = np.where(look.over, values, -u.CERTAIN - 1).argmax()
        tree.prove(below.start + int(best), int(values[best]))

    def _choose(self, look: Look, going: Index) -> None:
        """Choose the one of two random moves with the better mean."""
        owner, age, side = self._owner[going], self._age[going], self._side[going]
        seeds = self._search.seed + u.OTHER_SEED, self._search.seed
        move, other = (moves_by_chance(look, random_words(seed, owner, age)) for seed in seeds)
        (sums, games), (sums_, games_) = (self._tree.means[side, m].T for m in (move, other))
        move = np.where(sums_ * games > sums * games_, other, move)
        self._move[going] = move
        self._played[going, side, move] = True

    def _finish(self, i: int, result: int, over: bool) -> None:
        """Count the finished game of a slot; its result is as the state shows it."""
        tree, leaf = self._tree, int(self.leaf[i])
        columns = tree.columns
        if self._game.exchanges and self._side[i]:
            result = -result
        mover = columns[u.TURN, columns[u.PARENT, leaf]]
        proven = columns[u.PROVEN]
        if self._age[i] == 0 and over and not proven[leaf] and self._search.proves:
            tree.prove(leaf, (-result if mover else result) * u.CERTAIN or u.DRAWN)
        if proven[leaf]:
            own = 0 if proven[leaf] == u.DRAWN else int(np.sign(proven[leaf]))
            result = -own if mover else own
        played, entry = self._played[i], leaf
        while entry:
            node = columns[u.PARENT, entry]
            role = columns[u.TURN, node]
            points = -result if role else result
            columns[u.WINS, entry] += points + 1
            played[role, columns[u.MOVE, entry]] = True
            below = tree.children(node)
            made = played[role, columns[u.MOVE, below]]
            columns[u.ALIKE_VISITS, below] += made
            columns[u.ALIKE_WINS, below] += points * made
            entry = node
        columns[u.WINS, 0] += 1 + (-result if columns[u.TURN, 0] else result)
        for role, points in ((0, result), (1, -result)):
            tree.means[role, played[role]] += 1 + points, 1
        self.finished += 1

    def _begin(self, i: int) -> None:
        """Put the next game into a slot: a state and the move to make there."""
        columns, leaf = self._tree.columns, self._descend()
        node = columns[u.PARENT, leaf]
        self._rows[i] = self._tree.states[columns[u.STATE, node]]
        self._move[i], self._side[i] = columns[u.MOVE, leaf], columns[u.TURN, node]
        self.leaf[i], self._owner[i] = leaf, self._begun
        self._age[i] = MAX_PLIES - 1 if columns[u.PROVEN, leaf] else -1
        self._begun += 1
        self._played[i] = False

    def _descend(self) -> int:
        """Descend from the root to the entry from which the next game begins."""
        columns, asked, entry = self._tree.columns, self._asked, 0
        columns[u.VISITS, 0] += 1
        columns[u.WINS, 0] -= 1
        visits = columns[u.VISITS]
        while columns[u.FIRST, entry]:
            entry = self._tree.children(entry).start + int(self._scores(entry).argmax())
            if asked and not columns[u.PROVEN, asked] and visits[asked] + 1 < visits[entry]:
                entry = asked
            asked = 0
            columns[u.VISITS, entry] += 1
            columns[u.WINS, entry] -= 1
            if columns[u.PROVEN, entry]:
                break
        return entry

    def _scores(self, entry: int) -> npt.NDArray[np.float32]:
        """Return the scores of the moves that follow an entry.

        A score is the mean of the move's own games and of all games in which it was made (RAVE),
        weighted by reliability, plus a bonus for few visits. A lost move scores 0, others more.
        """
        columns, below = self._tree.columns, self._tree.children(entry)
        one, tiny, bias = np.float32(1), np.float32(1e-6), np.float32(u.BIAS)
        visits, wins = columns[: u.ALIKE_VISITS, entry].astype(np.float32)
        alternating = columns[u.TURN, entry] != columns[u.TURN, columns[u.PARENT, entry]]
        usual = -(wins / visits) if alternating else wins / visits
        n, own, alike, other = columns[: u.PROVEN, below].astype(np.float32)
        # The two means, weighted by their reliability, with a single slow division.
        sums = own * (one + bias * alike) + other + tiny * usual
        share, root = n + alike + bias * n * alike + tiny, np.sqrt(n + one)
        seldom = explore[visits.view(np.int32) >> 16]
        scores = np.float32(4) + (sums * root + seldom * share) / (share * root)
        found: npt.NDArray[np.float32] = np.where(columns[u.PROVEN, below] >= 0, scores, 0)
        return found


_Kind = Literal["win", "draw", "loss", "heuristic"]


@dataclass(frozen=True, slots=True)
class Branch:
    """A move and a tree's results for it, from the view of the side to move.

    Attributes:
        games: number of games that began with the move.
        mean: of their results, from -1 to 1; 0 without games.
        kind: "win", "loss" or "draw" if that is certain, otherwise "heuristic".
        plies: to the end of a win or loss, at most, by best play.
        line: the expected moves, from this one on.
        share: the share of the games that followed all of the line.
    """

    move: int
    games: int
    mean: float
    kind: _Kind
    plies: int | None
    line: tuple[int, ...]
    share: float


def branches(tree: UctTree) -> list[Branch]:
    """Return the root's moves by number of games, but wins first and losses last."""
    found = []
    below = tree.children(0)
    for entry in range(below.start, below.stop):
        visits, wins = tree.columns[: u.ALIKE_VISITS, entry].tolist()
        proven = int(tree.columns[u.PROVEN, entry])
        kind: _Kind = "heuristic"
        plies = None
        if proven == u.DRAWN:
            kind = "draw"
        elif proven:
            kind, plies = "win" if proven > 0 else "loss", u.CERTAIN - abs(proven) + 1
        line, share = tree.line(entry)
        move = int(tree.columns[u.MOVE, entry])
        found.append(Branch(move, visits, wins / max(visits, 1), kind, plies, tuple(line), share))
    order = {"win": 0, "loss": 2}
    return sorted(found, key=lambda b: (order.get(b.kind, 1), -b.games, -b.mean))


_of_thread = threading.local()
"""In `last`, the game and the tree that a thread searched last."""


def think(
    game: RowGame,
    grower: Grower | None,
    row: Rows,
    look: Look,
    search: UctSearch,
    known: Iterable[tuple[int, str, int]] = (),
    go_on: bool = False,
    most: int = _MOST_GAMES,
) -> list[Branch]:
    """Return a tree's results for the moves of a state whose game goes on.

    Args:
        grower: compiled code; None for NumPy, whose time counts towards compiling.
        known: moves whose result a look-ahead has proven: the move, "win", "loss" or "draw", and
            the plies to the end.
        go_on: keep what the tree already knows of the state, so that the result depends on earlier
            calls.
        most: games that the tree counts; beyond it, it halves its counts.
    """
    its, tree = getattr(_of_thread, "last", (None, None))
    if tree is None or its is not game:
        tree = UctTree(game.counters.size, 8 * look.legal.shape[1], tree)
        _of_thread.last = game, tree
    if not (go_on and search.proves and tree.go_on(row)):
        tree.begin(row, look)
    for move, kind, plies in known:
        entry = tree.entry(move)
        values = {"win": u.CERTAIN - plies + 1, "loss": plies - 1 - u.CERTAIN, "draw": u.DRAWN}
        if not tree.columns[u.PROVEN, entry]:
            tree.prove(entry, values[kind])
    started = perf_counter()
    _grow(grower or ByNumpy(game), tree, search, most)
    if grower is None:
        game.tree.count_tree_seconds(perf_counter() - started)
    return branches(tree)


def _grow(grower: Grower, tree: UctTree, search: UctSearch, most: int) -> None:
    """Grow a tree in legs; between them, halve its counts if needed."""
    visits, left, leg = tree.columns[u.VISITS], search.games, 0
    while True:
        if visits[0] >= most:
            tree.halve()
        before = int(visits[0])
        games = most - before if left is None else min(left, most - before)
        grower.grow(tree, replace(search, games=games, seed=search.seed ^ leg))
        leg += 1
        left = None if left is None else left - games
        # A few games are lost between threads; if many are missing, it ended for another reason.
        if left == 0 or visits[0] - before < 0.9 * games:
            return
