"""The search of `solver.Solver` as machine code, for boards of at most 64 bits.

The code is in `search_kernel`; this module prepares its memory. A question ("is the score at least
n?") lies on a stack of its own in memory, so the code can pause and resume at any node: it runs in
slices and checks for a stop between them. The table begins small, so easy positions pay nothing for
it, and grows with the work, up to a bound.
"""

import ctypes
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from itertools import accumulate

import numpy as np

from advisor.engine.nodes import StoppedError
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.machine import BoardWords
from aspcircuits.functions import Functions
from aspcircuits.layout import Layout, layout
from aspcircuits.llvm import Library
from aspcircuits.native import WordArray
from aspcircuits.stopping import POLL, Stop
from aspcircuits.tiers import Tiers

MIRROR_DISCS = 12
"""Up to this many discs, a position and its mirror image share an entry.

Later, hardly any position meets its mirror image, and finding the image costs more than it saves.
"""

TABLE_BYTES = 64 << 20
"""Size of the largest table, by default."""

BUCKET = 4
"""Number of entries of the table in which a position may lie."""

ZERO_SCORE = 32
"""The code of score 0 in an entry of the table; 0 stands for no score."""

_SCORE_BITS = 12

_WORD_BITS = 64
_ENDLESS = (1 << 63) - 1

_SLICE = 1 << 14
"""Nodes between two checks for a stop: some milliseconds."""

_SMALLEST = 12
"""The first table has 2 ** _SMALLEST entries, if these have enough bits for a position."""

_LINE = 8
"""Words of a cache line of the processor."""

_GROWTH = 3
"""A full table grows by a factor of 2 ** _GROWTH."""


@layout
class SolverWords(BoardWords):
    """A search of a board: its question, where its memory is, and how far it has come."""

    width: int
    stride: int  # bits of a column
    bits: int  # bits of all columns
    paired: int  # the lower squares of each two, counted from the top
    mirror_left: int  # from this many empty squares on, a position and its image share an entry
    lanes: int  # number of columns, rounded up to whole vectors
    # For each lane
    columns: int  # the column in which it moves, central ones first
    wins: int  # the squares on which the mover wins after that
    blocks: int  # the winning replies among the opponent's squares that must be blocked
    places: int  # the mixed position
    # For each depth
    frames: int  # a `StackFrame`
    moves: int  # for each lane a `Try`
    # The table
    table: int  # its entries
    size: int  # logarithm of their number to base 2
    largest: int  # and of the most there may be
    tag_bits: int  # bits of an entry for the position
    data_bits: int  # and for everything else
    most_work: int  # the largest amount of work that an entry can hold
    filled: int  # number of used entries
    room: int  # with this many used entries, the table is enlarged
    # The search
    depth: int  # -1 when it is done
    nodes: int
    budget: int  # nodes after which it pauses
    value: int

    def lay_out(self, size: int) -> None:
        """Set the sizes for a table of ``2 ** size`` entries."""
        self.size, self.tag_bits = size, self.bits - size + 2
        self.data_bits = _WORD_BITS - self.tag_bits
        self.most_work = (1 << min(6, self.data_bits - _SCORE_BITS)) - 1
        self.room = (1 << size) * 3 // 4 if size < self.largest else _ENDLESS


@layout
class StackFrame(Layout):
    """A node of the search: a position, the question, and how far its moves have been tried."""

    mover: int  # bitboards: the mover's discs, and all
    mask: int
    threats: int  # the squares on which the other player wins
    left: int  # empty squares
    limit: int  # is the score at least this?
    best: int
    turned: int  # 1 if after forced replies it was the other player's turn
    count: int  # number of moves
    next: int  # the number of the first one that is left
    before: int  # nodes that had been visited before this one


@layout
class Try(Layout):
    """A move that is left to try."""

    mask: int  # all discs after it
    wins: int  # the squares on which the mover then wins
    squares: int  # how many these are


tiers: Tiers[Library] = Tiers(
    Functions("advisor.games.connect4.search_kernel", ("search",), "the exact solver", seconds=4.0)
)
"""One compiled code for all boards, so all solvers of a process share it."""


def suits(g: Geometry) -> bool:
    """Return whether the code can search this board: it fits into a word, and a win is possible."""
    return g.width * g.stride <= _WORD_BITS and g.connect > 1 and bool(g.steps)


class CompiledSearch:
    """Answers questions about positions of one board; its proofs serve later questions.

    Attributes:
        nodes: positions searched so far.

    Args:
        geometry: a board that `suits`.
        code: the compiled search.
        table_bytes: for its table, at most; half a MB or more.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int = TABLE_BYTES) -> None:
        self._begun, offsets = _initial_words(geometry, table_bytes)
        self._function = _search_of(code)
        self.nodes = 0
        self._words = SolverWords.from_buffer_copy(self._begun)
        # All in one piece: asking for an address takes longer than many a search.
        self._memory = np.zeros(offsets["table"] + (1 << self._words.size), np.uint64)
        start = _address(self._memory)
        for name, offset in offsets.items():
            setattr(self._words, name, start + 8 * offset)
        self._table = self._memory[offsets["table"] :]

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `PythonSearch.bound`; if stopped, raise StoppedError and keep what is proved."""
        words, question = self._words, StackFrame.from_address(self._words.frames)
        question.mover, question.mask, question.threats = mover, mask, threats
        question.left, question.limit = left, limit
        words.depth = words.nodes = 0
        try:
            while words.depth >= 0:
                if stop.is_set():
                    raise StoppedError
                words.budget = words.nodes + _SLICE
                self._function(words.address)
                if words.filled >= words.room:
                    self._enlarge()
        finally:
            self.nodes += words.nodes
        return words.value

    def share(self, table: WordArray, number: int) -> None:
        """Search over a table that other searches of this board share, at its full size.

        Each search but number 0 tries equally promising moves in an order of its own, so its
        results may serve the others.
        """
        self._words.lay_out(self._words.largest)
        self._use(table)
        columns = self._begun.array("columns").copy()
        for i in range(number, self._words.width - 1, 2) if number else ():
            columns[i], columns[i + 1] = columns[i + 1], columns[i]
        self._words.set_words(columns=columns)

    def _use(self, table: WordArray) -> None:
        self._table = table
        self._words.table = _address(table)

    def _enlarge(self) -> None:
        """Move all entries to a larger table, in which one bucket's entries go to several."""
        old = self._table.reshape(-1, BUCKET)
        words, tag, data = self._words, self._words.tag_bits, self._words.data_bits
        words.lay_out(min(words.size + _GROWTH, words.largest))
        one = np.uint64(1)
        places = (np.arange(len(old), dtype=np.uint64) << tag)[:, None] | old >> data
        # Surplus bits are shifted out.
        entries = places << words.data_bits | old & (one << data) - one
        buckets = (places >> words.tag_bits).astype(np.int64)
        used = old != 0  # unused entries come last in a bucket
        rank = np.zeros(old.shape, np.int64)
        for i in range(1, BUCKET):
            rank[:, i:] += buckets[:, i:] == buckets[:, :-i]
        table = _allocate_aligned(1 << words.size)
        table.reshape(-1, BUCKET)[buckets[used], rank[used]] = entries[used]
        self._use(table)


class Team:
    """Several threads that search for the same answer over one table; the first one ends the rest.

    The table's entries are one word each, so none is ever half written.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int, jobs: int) -> None:
        self._searches = [CompiledSearch(geometry, code, table_bytes) for _ in range(jobs)]
        table = _allocate_aligned(1 << self._searches[0]._words.largest)
        for number, search in enumerate(self._searches):
            search.share(table, number)

    @property
    def nodes(self) -> int:
        return sum(search.nodes for search in self._searches)

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `CompiledSearch.bound`."""
        if stop.is_set():
            raise StoppedError
        question, done = (mover, mask, threats, left, limit), Stop()
        with ThreadPoolExecutor(len(self._searches)) as pool:
            asked = [pool.submit(search.bound, *question, done) for search in self._searches]
            try:
                while not stop.is_set():
                    if wait(asked, min(POLL, stop.seconds_left), FIRST_COMPLETED).done:
                        break
            finally:
                done.set()
        for each in asked:
            with suppress(StoppedError):
                return each.result()
        raise StoppedError


@cache
def _search_of(code: Library) -> Callable[..., int]:
    return code.function("search", 1)


@cache
def _initial_words(g: Geometry, table_bytes: int) -> tuple[SolverWords, dict[str, int]]:
    """Return the words that every search of a board begins with, and offsets in its memory.

    Working them out takes longer than many a search.
    """
    lanes, frames = -(-g.width // 8) * 8, g.squares + 2
    lengths = {
        **dict.fromkeys(("wins", "blocks", "places"), lanes),
        "frames": frames * ctypes.sizeof(StackFrame) // 8,
        "moves": frames * lanes * ctypes.sizeof(Try) // 8,
    }
    offsets = dict(zip([*lengths, "table"], accumulate(lengths.values(), initial=0), strict=True))
    columns = np.zeros(lanes, np.uint64)
    columns[: g.width] = [g.columns[c - 1] for c in g.centre_first]
    words, bits = SolverWords(g), g.width * g.stride
    words.set_words(width=g.width, stride=g.stride, bits=bits, lanes=lanes, columns=columns)
    words.paired = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))
    words.mirror_left = max(g.squares - MIRROR_DISCS, 0)
    words.largest = min(bits, (table_bytes // 8).bit_length() - 1)
    # At least two bits of an entry are left for the amount of work it stands for.
    words.lay_out(min(max(_SMALLEST, bits + _SCORE_BITS + 2 - _WORD_BITS + 2), words.largest))
    return words, offsets


def _allocate_aligned(length: int) -> WordArray:
    """Return zeros that begin at a cache line, so that no bucket lies in two lines."""
    words = np.zeros(length + _LINE, np.uint64)
    start = -(_address(words) // 8) % _LINE
    return words[start : start + length]


def _address(words: WordArray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(words.data))
