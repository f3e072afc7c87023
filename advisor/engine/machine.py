"""A game in machine code: the compiled functions, and the numbers that a search needs with them."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from advisor.engine.control import NOISY, GameWords
from advisor.engine.nodes import P_contra
from advisor.engine.recurrences import Recurrences

T = TypeVar("T")

ControlWords = npt.NDArray[np.int64]

WITHOUT_END = 1 << 60
"""A number of nodes or games that no search reaches."""

PAD = 8
"""Words between columns: columns exactly 4,096 bytes apart would compete for few cache lines."""


class Space(NamedTuple):
    """Memory of a look-ahead, mostly as numbers of states. A search that reaches a limit goes on.

    Attributes:
        children: states made together above the batches; doubled for a state that has more.
        level: states on a level of a batch; doubled for a batch that has more.
        most: limit of `level`. Beyond it, batches have fewer positions or fewer plies.
        remembered: entries of the transposition table, a power of two; new ones overwrite old.
        tasks: nodes of a selective search, more than `selective_control.SPARE`. If few are free, it
            searches fewer moves side by side.
        moves: moves of a task; doubled for a state that has more.
    """

    children: int = 512
    level: int = 1 << 13
    most: int = 1 << 20
    remembered: int = 1 << 20
    tasks: int = 1 << 12
    moves: int = 256


SPACE = Space()


class CompiledCircuit(NamedTuple):
    """A function of the game in machine code.

    Attributes:
        address: of the code; see `aspcircuits.vector_code` for how to call it.
        memory: allocates the work space that a thread needs to call it.
        block: states that one call works on at once.
        code: the loaded code; it stays loaded as long as this refers to it.
    """

    address: int
    memory: Callable[[], npt.NDArray[np.uint64]]
    block: int
    code: Any


@dataclass(frozen=True, slots=True)
class Machine:
    """A game as compiled searches use it, from any thread; see `advisor.engine.kernel`.

    Attributes:
        circuits: the functions of the game: look, step, leaf and, if moves are noisy, noisy, which
            returns the noisy moves and the status; for a selective search, then all moves.
        noisy_plies: the most noisy moves in a row below a leaf.
        counters: shape (words,), the bits of a state that only count towards a draw.
        candidates: least depth at which the candidates that look names are enough; 0 for none.
        table: shape (rows, k), a row of words for each move. If the second role's moves differ,
            their rows follow the first role's.
        results: for each bit of a status that stands for a certain result: the value, and the depth
            at which a search would find it. `control.DRAWN` is a draw here and now.
        exchanges: whether states are seen from the side to move.
        shared: for each turn, a word that all states of a call have in common.
        branching: typical number of moves of a state.
        pass_row: row of the table for a null move; -1 if there is none, as when passing is illegal.
        margin: typical change of a state's value by a move.
    """

    words: int
    circuits: Sequence[CompiledCircuit]
    noisy_plies: int
    counters: ControlWords
    candidates: int
    moves: int
    table: ControlWords
    results: Sequence[tuple[int, int]]
    exchanges: bool
    shared: tuple[int, int]
    branching: int
    selective: bool = False
    pass_row: int = -1
    margin: int = 0

    @property
    def masks(self) -> int:
        """Words with a bit for each move."""
        return -(-self.moves // 64)

    @property
    def look_words(self) -> int:
        """Words that look writes: the legal moves, the candidates, the status."""
        return self.masks * (2 if self.candidates else 1) + 1

    @property
    def noisy(self) -> bool:
        """Whether the game has noisy moves."""
        return len(self.circuits) > NOISY

    def tell(self, control: GameWords) -> None:
        """Describe the game in the control words of one thread."""
        memories = [circuit.memory() for circuit in self.circuits]
        vars(control)["memories"] = memories  # as long as there is the control
        told = zip(self.circuits, memories, strict=True)
        circuits = [(x.address, memory.ctypes.data, x.block) for x, memory in told]
        control.set_words(
            words=self.words,
            masks=self.masks,
            look_words=self.look_words,
            exchanges=self.exchanges,
            circuits=np.array(circuits, np.int64),
            shared=np.array(self.shared, np.int64),
            table=self.table,
            move_words=self.table.shape[1],
            second_rows=self.moves if len(self.table) >= 2 * self.moves else 0,
        )

    def whole_blocks(self, states: int) -> int:
        """Return a number of states rounded up to whole blocks of every function."""
        block = max(circuit.block for circuit in self.circuits)
        return -(-states // block) * block

    @property
    def most_looks(self) -> int:
        """The most words that look or noisy writes for a state."""
        return max(self.look_words, 2 * self.masks + 1 if self.selective else 0)


class Reader(Protocol[P_contra]):
    """Translation of a game's positions into the words of the machine."""

    def state(self, position: P_contra) -> Sequence[int] | ControlWords:
        """Return the words of a position's state."""

    def second(self, position: P_contra) -> bool:
        """Return whether a position takes the second one of the shared words."""

    def recurrences(self, position: P_contra) -> Recurrences | None:
        """Return which states are a draw if they come again; None for none."""


def columns(count: int, length: int) -> ControlWords:
    """Allocate `count` words for each of `length` states: int64 of shape (count, length)."""
    return np.zeros((count, length), np.int64)


def side_by_side(work: Callable[[T], None], threads: Sequence[T]) -> None:
    """Do the work for each element in a thread of its own, or in this thread for a single one."""
    if len(threads) == 1:
        work(threads[0])
        return
    with ThreadPoolExecutor(len(threads)) as pool:
        list(pool.map(work, threads))
