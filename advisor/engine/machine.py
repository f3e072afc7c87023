"""A game as compiled code plays it: functions in machine code, and the numbers around them."""

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
"""A number of nodes or games that no work comes to."""

PAD = 8
"""Words between columns: those that are 4,096 octets apart share few lines of the cache."""


class Space(NamedTuple):
    """Memory of a look-ahead, in states and the like. A search that meets a bound goes on.

    Attributes:
        children: made together above the batches; doubled where one state has more.
        level: states of a level of a batch; doubled where a batch has more, ...
        most: ... but no further than to this. Then batches have fewer positions, or fewer plies.
        remembered: entries of the transposition table, a power of two; new ones overwrite old.
        tasks: nodes of a selective search, more than `selective_control.SPARE`. Where few are
            free, it searches fewer moves side by side.
        moves: of a task; doubled where a state has more.
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
        address: of the code, called as `aspcircuits.vector_code` says.
        memory: makes what a thread needs to call it.
        block: states that it works on at once.
        code: keeps it loaded.
    """

    address: int
    memory: Callable[[], npt.NDArray[np.uint64]]
    block: int
    code: Any


@dataclass(frozen=True, slots=True)
class Machine:
    """A game as compiled code needs it, for any thread; see `advisor.engine.kernel` and `control`.

    Attributes:
        circuits: what the game is: look, step, leaf and, where moves are noisy, these and the
            status; for a selective search all moves after that.
        noisy_plies: how many noisy moves may follow each other below a leaf.
        counters: shape (words,), the bits of a state that only count towards a draw.
        candidates: look names them; they are enough for so many plies ahead. 0 if it does not.
        table: shape (rows, k), a row of words for each move; those of the second role's moves, if
            they differ, come after those of the first one's.
        results: what a status may be certain of, by its bits: the value, and how many plies ahead
            one would look to find it; `control.DRAWN` is a draw here and now.
        exchanges: states are seen by the side to move.
        shared: what all states of a call have in common, by whose turn it is.
        branching: moves that a state has, about.
        pass_row: of the table, no move at all; -1 for none, as where nobody may pass.
        margin: what a move changes of a state's value, about.
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
        """Words of what look says: the legal moves, the candidates, the status."""
        return self.masks * (2 if self.candidates else 1) + 1

    @property
    def noisy(self) -> bool:
        """Whether moves are noisy."""
        return len(self.circuits) > NOISY

    def tell(self, control: GameWords) -> None:
        """Says what the game is, to one thread."""
        memories = [circuit.memory() for circuit in self.circuits]
        vars(control)["memories"] = memories  # as long as there is the control
        told = zip(self.circuits, memories, strict=True)
        circuits = [(x.address, memory.ctypes.data, x.block) for x, memory in told]
        control.put(
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
        """So many states, or some more that every one of them can work on at once."""
        block = max(circuit.block for circuit in self.circuits)
        return -(-states // block) * block

    @property
    def most_looks(self) -> int:
        """Words that look or noisy may say at most."""
        return max(self.look_words, 2 * self.masks + 1 if self.selective else 0)


class Reader(Protocol[P_contra]):
    """Positions of a game as the machine has them."""

    def state(self, position: P_contra) -> Sequence[int] | ControlWords:
        """Its words."""

    def second(self, position: P_contra) -> bool:
        """Whether it takes the second one of the shared words."""

    def recurrences(self, position: P_contra) -> Recurrences | None:
        """Which states are a draw if they come again; None for none."""


def columns(count: int, length: int) -> ControlWords:
    """Memory for so many words of so many states."""
    return np.zeros((count, length), np.int64)


def side_by_side(work: Callable[[T], None], threads: Sequence[T]) -> None:
    """Does the work of each in a thread of its own, that of a single one in this thread."""
    if len(threads) == 1:
        work(threads[0])
        return
    with ThreadPoolExecutor(len(threads)) as pool:
        list(pool.map(work, threads))
