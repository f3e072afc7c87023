"""The search of `solver.Solver` as machine code, for boards of at most 64 bits.

`search_kernel` is what runs; here is what it works on. A question ("is the score at least so
much?") lies on a stack of its own in memory, so that the code can be left and entered again at
any node: it runs in slices, between which a stop is heard. The table begins small, so that easy
positions pay nothing for it, and grows with the work, up to a bound.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.native import WordArray
from advisor.circuits.tiers import Tiers
from advisor.engine.nodes import StoppedError
from advisor.games.connect4.board import Geometry
from advisor.limits import POLL, Stop

MIRROR_DISCS = 12
"""A position and its mirror image share their entry while so few discs are on the board: later
on hardly a position meets its mirror image, and finding the image costs more than it saves."""

TABLE_BYTES = 64 << 20
"""Of the largest table, by default."""

# Words that the kernel reads: the board, and how the table is laid out.
WIDTH, STRIDE, CONNECT, FULL, BOTTOM, PAIRED, BITS, TAG_BITS, DATA_BITS, WORK_BITS = range(10)
MIRROR_LEFT, LANES, STEPS, COLUMNS = 10, 11, 12, 16
MOST_LANES = 32
SETTINGS = COLUMNS + MOST_LANES

# Words that tell where the kernel is and how far it may go: the depth is -1 when it is done.
DEPTH, NODES, BUDGET, VALUE, FILLED, ROOM = range(6)
CONTROLS = 6

# A frame of the stack: a position, the question, and from MOVES on the moves that are left to
# try, three words each: all discs after the move, the squares on which the mover then wins, and
# how many these are. Below the frames are three words for each lane.
MOVER, MASK, THREATS, LEFT, LIMIT, BEST, TURNED, COUNT, NEXT, BEFORE = range(10)
MOVES = 10

BUCKET = 4
"""Entries of the table in which a position may lie."""

ZERO_SCORE = 32
"""How an entry of the table writes a score of 0; nothing is written as 0."""

_SCORE_BITS = 12

_WORD_BITS = 64
_ALL_BITS = (1 << 64) - 1
_ENDLESS = (1 << 63) - 1

_SLICE = 1 << 14
"""Nodes between two looks at the stop: some milliseconds."""

_SMALLEST = 12
"""The first table has two to the power of this many entries where that is enough for them."""

_LINE = 8
"""Words of a line of the processor's cache."""

_GROWTH = 3
"""A table that is full gets two to the power of this times as many entries."""

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
        words, question, table, self._bits, self._size, self._largest = _begun(
            geometry, table_bytes
        )
        self._function = _search_of(code)
        self.nodes = 0
        # All in one piece: to ask where it is takes longer than many a search.
        memory = np.zeros(table + (1 << self._size), np.uint64)
        memory[: SETTINGS + CONTROLS] = words
        # Python's own numbers are read and written much faster by these.
        self._words = memory.data
        self._state = self._words.cast("B").cast("q")[SETTINGS : SETTINGS + CONTROLS]
        self._question = self._words[question:]
        self._table = memory[table:]
        start = _address(memory)
        offsets = 0, SETTINGS, SETTINGS + CONTROLS, table
        self._addresses = [start + 8 * offset for offset in offsets]

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `PythonSearch.bound`; a StoppedError when it is to stop: what is proved is kept."""
        state, question = self._state, self._question
        question[MOVER], question[MASK], question[THREATS] = mover, mask, threats
        question[LEFT], question[LIMIT] = left, limit & _ALL_BITS
        state[DEPTH] = state[NODES] = 0
        try:
            while state[DEPTH] >= 0:
                if stop.is_set():
                    raise StoppedError
                state[BUDGET] = state[NODES] + _SLICE
                self._function(*self._addresses)
                if state[FILLED] >= state[ROOM]:
                    self._enlarge()
        finally:
            self.nodes += state[NODES]
        return state[VALUE]

    def grow(self) -> None:
        """Takes as large a table as it may have before it begins, so that others may `join`."""
        self._lay_out(self._largest)
        self._use(_aligned(1 << self._size))

    def join(self, other: "CompiledSearch", number: int) -> None:
        """Searches over the table of another one of its board, which has grown.

        By its number, from 1 on, each tries others first of equally promising moves, so that what
        it finds may serve the rest.
        """
        self._lay_out(self._largest)
        self._use(other._table)
        columns = self._words[COLUMNS : COLUMNS + self._words[WIDTH]]
        for i in range(number, len(columns) - 1, 2):
            columns[i], columns[i + 1] = columns[i + 1], columns[i]

    def _use(self, table: WordArray) -> None:
        self._table = table
        self._addresses[-1] = _address(table)

    def _lay_out(self, size: int) -> None:
        """Settings for a table of two to the power of `size` entries."""
        self._size = size
        for word, number in _laid_out(self._bits, size, self._largest):
            self._words[word] = number

    def _enlarge(self) -> None:
        """Moves all entries to a larger table, in which those of one bucket go to several."""
        old = self._table.reshape(-1, BUCKET)
        tag, data = self._words[TAG_BITS], self._words[DATA_BITS]
        self._lay_out(min(self._size + _GROWTH, self._largest))
        new_tag, new_data = self._words[TAG_BITS], self._words[DATA_BITS]
        one = np.uint64(1)
        places = (np.arange(len(old), dtype=np.uint64) << tag)[:, None] | old >> data
        entries = places << new_data | old & (one << data) - one  # what is too much falls off
        buckets = (places >> new_tag).astype(np.int64)
        used = old != 0  # what is not used comes last in a bucket
        rank = np.zeros(old.shape, np.int64)
        for i in range(1, BUCKET):
            rank[:, i:] += buckets[:, i:] == buckets[:, :-i]
        table = _aligned(1 << self._size)
        table.reshape(-1, BUCKET)[buckets[used], rank[used]] = entries[used]
        self._use(table)


class Team:
    """Several threads that search for the same answer, over one table; the first one ends the rest.

    The table's entries are one word each, so that none is ever half written.
    """

    def __init__(self, geometry: Geometry, code: Library, table_bytes: int, jobs: int) -> None:
        self._searches = [CompiledSearch(geometry, code, table_bytes) for _ in range(jobs)]
        first, *others = self._searches
        first.grow()
        for number, search in enumerate(others, 1):
            search.join(first, number)

    @property
    def nodes(self) -> int:
        return sum(search.nodes for search in self._searches)

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int, stop: Stop) -> int:
        """See `CompiledSearch.bound`."""
        if stop.is_set():
            raise StoppedError
        found: list[int] = []
        done = Stop()

        def work(search: CompiledSearch) -> None:
            with suppress(StoppedError):
                found.append(search.bound(mover, mask, threats, left, limit, done))
                done.set()

        threads = [threading.Thread(target=work, args=(search,)) for search in self._searches]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(min(POLL, stop.seconds_left))
                    if stop.is_set():
                        done.set()
        finally:
            done.set()
        if not found:
            raise StoppedError
        return found[0]


@cache
def _search_of(code: Library) -> Callable[..., int]:
    return code.function("search", 4)


@cache
def _begun(g: Geometry, table_bytes: int) -> tuple[WordArray, int, int, int, int, int]:
    """How every search of a board begins: to work it out takes longer than many a search.

    Returns:
        its memory up to the stack; where the frames and the first table are in it; the bits of a
        position; the size of the table at first and in the end, as powers of two.
    """
    lanes, bits = -(-g.width // 8) * 8, g.width * g.stride
    question = SETTINGS + CONTROLS + 3 * lanes
    table = question + (g.squares + 2) * (MOVES + 3 * lanes)
    words = np.zeros(SETTINGS + CONTROLS, np.uint64)
    words[WIDTH], words[STRIDE], words[CONNECT] = g.width, g.stride, g.connect
    words[LANES] = lanes
    words[FULL], words[BOTTOM], words[BITS] = g.full, g.bottom, bits
    words[PAIRED] = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))
    words[MIRROR_LEFT] = max(g.squares - MIRROR_DISCS, 0)
    words[STEPS : STEPS + len(g.steps)] = g.steps
    words[COLUMNS : COLUMNS + g.width] = [g.columns[c - 1] for c in g.centre_first]
    # At least two bits of an entry are left for how much work it stands for.
    largest = min(bits, (table_bytes // 8).bit_length() - 1)
    size = min(max(_SMALLEST, bits + _SCORE_BITS + 2 - _WORD_BITS + 2), largest)
    for word, number in _laid_out(bits, size, largest):
        words[word] = number
    return words, question, table, bits, size, largest


def _laid_out(bits: int, size: int, largest: int) -> list[tuple[int, int]]:
    """The words that a table of two to the power of `size` entries changes."""
    tag = bits - size + 2
    return [
        (TAG_BITS, tag),
        (DATA_BITS, _WORD_BITS - tag),
        (WORK_BITS, min(6, _WORD_BITS - tag - _SCORE_BITS)),
        (SETTINGS + ROOM, (1 << size) * 3 // 4 if size < largest else _ENDLESS),
    ]


def _aligned(length: int) -> WordArray:
    """Zeros that begin where a line of the cache does, so that no bucket lies in two of them."""
    words = np.zeros(length + _LINE, np.uint64)
    start = -(_address(words) // 8) % _LINE
    return words[start : start + length]


def _address(words: WordArray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(words.data))
