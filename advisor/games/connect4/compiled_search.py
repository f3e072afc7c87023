"""The search of `solver.Solver` as machine code, for boards of at most 64 bits.

`search_kernel` is what runs; here is what it works on. A question ("is the score at least so
much?") lies on a stack of its own in memory, so that the code can be left and entered again at
any node: it runs in slices, between which a stop is heard. The table begins small, so that easy
positions pay nothing for it, and grows with the work, up to a bound.
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
"""A position and its mirror image share their entry while so few discs are on the board: later
on hardly a position meets its mirror image, and finding the image costs more than it saves."""

TABLE_BYTES = 64 << 20
"""Of the largest table, by default."""

BUCKET = 4
"""Entries of the table in which a position may lie."""

ZERO_SCORE = 32
"""How an entry of the table writes a score of 0; nothing is written as 0."""

_SCORE_BITS = 12

_WORD_BITS = 64
_ENDLESS = (1 << 63) - 1

_SLICE = 1 << 14
"""Nodes between two looks at the stop: some milliseconds."""

_SMALLEST = 12
"""The first table has two to the power of this many entries where that is enough for them."""

_LINE = 8
"""Words of a line of the processor's cache."""

_GROWTH = 3
"""A table that is full gets two to the power of this times as many entries."""


@layout
class SolverWords(BoardWords):
    """A search of a board: what it is told, where its memory is, and how far it has come."""

    width: int
    stride: int  # bits of a column
    bits: int  # of all columns
    paired: int  # the lower squares of each two, counted from the top
    mirror_left: int  # with so many empty squares or more a position and its image share an entry
    lanes: int  # as many as columns and some more, to make up whole vectors
    # For each lane
    columns: int  # the column in which it moves, central ones first
    wins: int  # the squares on which the mover wins after that
    blocks: int  # those of them that must be blocked
    places: int  # the mixed position
    # For each depth
    frames: int  # a `StackFrame`
    moves: int  # for each lane a `Try`
    # The table
    table: int  # its entries
    size: int  # how many, as a power of two
    largest: int  # and in the end
    tag_bits: int  # of an entry, for the position
    data_bits: int  # and for the rest
    most_work: int  # that an entry tells
    filled: int  # entries
    room: int  # so many are enough for a larger table
    # The search
    depth: int  # -1 when it is done
    nodes: int
    budget: int  # nodes after which it pauses
    value: int

    def lay_out(self, size: int) -> None:
        """For a table of two to the power of so many entries."""
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
    limit: int  # is the score at least so much?
    best: int
    turned: int  # 1 if after forced replies it was the other player's turn
    count: int  # of moves
    next: int  # the number of the first that is left
    before: int  # nodes that had been visited


@layout
class Try(Layout):
    """A move that is left to try."""

    mask: int  # all discs after it
    wins: int  # the squares on which the mover then wins
    squares: int  # how many these are


tiers: Tiers[Library] = Tiers(
    Functions("advisor.games.connect4.search_kernel", ("search",), "the exact solver", seconds=4.0)
)
"""One code for all boards, so that all solvers of a process share it."""


def suits(g: Geometry) -> bool:
    """Whether the code can search this board: it fits into a word, and somebody may win."""
    return g.width * g.stride <= _WORD_BITS and g.connect > 1 and bool(g.steps)


class CompiledSearch:
    """Answers questions about positions of one board; what it proves about one serves the next.

    Attributes:
        nodes: positions searched so far.

    Args:
        geometry: a board that `suits`.
        table_bytes: for its table, at most; half a MB or more.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int = TABLE_BYTES) -> None:
        self._begun, offsets = _begun(geometry, table_bytes)
        self._function = _search_of(code)
        self.nodes = 0
        self._words = SolverWords.from_buffer_copy(self._begun)
        # All in one piece: to ask where it is takes longer than many a search.
        self._memory = np.zeros(offsets["table"] + (1 << self._words.size), np.uint64)
        start = _address(self._memory)
        for name, offset in offsets.items():
            setattr(self._words, name, start + 8 * offset)
        self._table = self._memory[offsets["table"] :]

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `PythonSearch.bound`; a StoppedError when it is to stop: what is proved is kept."""
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
        """Searches over a table that others of its board have, too, as large as it may be.

        By its number each but the first, 0, tries others first of equally promising moves, so that
        what it finds may serve the rest.
        """
        self._words.lay_out(self._words.largest)
        self._use(table)
        columns = self._begun.array("columns").copy()
        for i in range(number, self._words.width - 1, 2) if number else ():
            columns[i], columns[i + 1] = columns[i + 1], columns[i]
        self._words.put(columns=columns)

    def _use(self, table: WordArray) -> None:
        self._table = table
        self._words.table = _address(table)

    def _enlarge(self) -> None:
        """Moves all entries to a larger table, in which those of one bucket go to several."""
        old = self._table.reshape(-1, BUCKET)
        words, tag, data = self._words, self._words.tag_bits, self._words.data_bits
        words.lay_out(min(words.size + _GROWTH, words.largest))
        one = np.uint64(1)
        places = (np.arange(len(old), dtype=np.uint64) << tag)[:, None] | old >> data
        # What is too much falls off.
        entries = places << words.data_bits | old & (one << data) - one
        buckets = (places >> words.tag_bits).astype(np.int64)
        used = old != 0  # what is not used comes last in a bucket
        rank = np.zeros(old.shape, np.int64)
        for i in range(1, BUCKET):
            rank[:, i:] += buckets[:, i:] == buckets[:, :-i]
        table = _aligned(1 << words.size)
        table.reshape(-1, BUCKET)[buckets[used], rank[used]] = entries[used]
        self._use(table)


class Team:
    """Several threads that search for the same answer, over one table; the first one ends the rest.

    The table's entries are one word each, so that none is ever half written.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int, jobs: int) -> None:
        self._searches = [CompiledSearch(geometry, code, table_bytes) for _ in range(jobs)]
        table = _aligned(1 << self._searches[0]._words.largest)
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
def _begun(g: Geometry, table_bytes: int) -> tuple[SolverWords, dict[str, int]]:
    """Words that every search of a board begins with, and where in its memory is what they tell of.

    To work them out takes longer than many a search.
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
    words.put(width=g.width, stride=g.stride, bits=bits, lanes=lanes, columns=columns)
    words.paired = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))
    words.mirror_left = max(g.squares - MIRROR_DISCS, 0)
    words.largest = min(bits, (table_bytes // 8).bit_length() - 1)
    # At least two bits of an entry are left for how much work it stands for.
    words.lay_out(min(max(_SMALLEST, bits + _SCORE_BITS + 2 - _WORD_BITS + 2), words.largest))
    return words, offsets


def _aligned(length: int) -> WordArray:
    """Zeros that begin where a line of the cache does, so that no bucket lies in two of them."""
    words = np.zeros(length + _LINE, np.uint64)
    start = -(_address(words) // 8) % _LINE
    return words[start : start + length]


def _address(words: WordArray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(words.data))
