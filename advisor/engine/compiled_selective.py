"""The selective look-ahead as `advisor.engine.search` sees it: a position and what lies below it.

The code is that of `advisor.engine.selective_kernel`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from advisor.circuits.functions import Functions, Library
from advisor.circuits.tiers import Tiers
from advisor.engine import control as c
from advisor.engine import selective_control as s
from advisor.engine.below import FORCED, INFINITE, Chooser, P, StoppedError
from advisor.engine.compiled import CompiledTree
from advisor.engine.machine import Machine, Reader, Words
from advisor.engine.thread import DEEPEST, PAD, Thread
from advisor.limits import Stop

SELECTIVE = Tiers(
    Functions(
        module="advisor.engine.selective_kernel",
        names=("think",),
        what="the selective look-ahead",
        seconds=2.0,
    )
)
"""The code of the search, for all games."""

_TASKS, _MOVES = 1 << 12, 256
"""There is room for so many tasks, each with so many moves at first."""

_TARGET, _MOST = 128, 512
"""Tasks of a round: so many are worth the time that a call takes, so many there may be."""

_CHILDREN = 1 << 13
"""States that are made together at most."""

_FUTILE, _FEW_DEPTH, _WELL_OFF, _FEW_MOVES = 3, 2, 5, 3
"""See `selective_control`."""

_WITHOUT_END = 1 << 60


class SelectiveSearcher(Thread[P]):
    """Looks ahead selectively from positions of one game. Not for two threads at once.

    Positions' games go on; values are from the view of who moves there, and forced ones count from
    there.

    Args:
        memory: shape (a power of two, 4), the transposition table, which others may share.
        age: what an earlier one has remembered is not looked at.

    Attributes:
        age: see above.
        lines: of the positions that were asked about, by their keys, the play that is expected.
        at_once: see `Below`.
    """

    at_once = 0

    def __init__(
        self, machine: Machine, reader: Reader[P], library: Library, memory: Words, age: int
    ) -> None:
        super().__init__(machine, reader, library.function("think", 4), memory)
        self.lines: dict[Any, tuple[int, ...]] = {}
        self._history = np.zeros(2 * machine.moves, np.int64)
        self._replies = np.full(2 * machine.moves, -1, np.int64)
        self._killers = np.full(2 * s.LONGEST, -1, np.int64)
        self._reductions = _reductions()
        self._bonus = np.zeros(machine.moves, np.int64)
        self._moves, self.age = _MOVES, age
        self._lay_out()

    def forget(self) -> None:
        """As if nothing had been searched yet."""
        self.age += 1
        self._control[s.AGE] = self.age
        self._history[:] = 0
        self._replies[:] = self._killers[:] = -1
        self.lines.clear()

    def value(
        self,
        position: P,
        depth: int,
        alpha: int,
        beta: int,
        stop: Stop,
        bonus: Mapping[int, int] | None = None,
    ) -> int:
        """Fail-soft alpha-beta; its line is among the `lines`.

        Args:
            position, depth, alpha, beta, stop: as elsewhere.
            bonus: of the moves to choose from; None for all, without any.

        Raises:
            StoppedError: it was to stop.
        """
        if depth > DEEPEST:
            raise StoppedError
        while True:
            control, root = self._control, self._root
            self._put([position], root[s.WORDS_FROM : s.WORDS_FROM + self._machine.words, None])
            control[s.BONUS] = 0
            if bonus is not None:
                self._bonus[:] = s.LEFT_OUT
                self._bonus[[*bonus]] = [*bonus.values()]
                control[s.BONUS] = self._bonus.ctypes.data
            control[c.STOP], control[c.BUDGET] = stop.is_set(), _WITHOUT_END
            value = self._watched(stop, control.ctypes.data, depth, alpha, beta)
            self.counts += control[c.NODES : c.ADDED + 1]
            line = root[s.LINE : s.LINE + root[s.LENGTH]].tolist()
            self.lines[position.key] = tuple(line)
            if control[c.ENDED] == 0:
                return value
            if control[c.ENDED] == c.STOPPED or self._moves > self._machine.moves:
                raise StoppedError
            self._moves *= 2
            self._lay_out()

    def found(self, low: int, high: int) -> dict[int, int]:
        """The best move that was found between these bounds, with its value, if there is one."""
        move, value = int(self._root[s.BEST_MOVE]), int(self._root[s.BEST])
        return {move: value} if move >= 0 and low < value < high else {}

    @property
    def window(self) -> int:
        """So much the value may change from one depth to the next one, mostly."""
        return max(1, self._machine.margin // 3)

    def values(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        """Exact values of positions at the same ply."""
        return [self.value(p, plies, -INFINITE, INFINITE, stop) for p in positions]

    def _lay_out(self) -> None:
        """Puts the memory in order; what was remembered stays."""
        machine, columns = self._machine, self._columns
        self._arrays = []
        into = machine.words + machine.table.shape[1]
        stride = -(-_MOST // machine.block) * machine.block + PAD
        long = _CHILDREN + machine.block + PAD
        size = s.WORDS_FROM + machine.words + 3 * self._moves
        control = self._told(s.END)
        control[c.STRIDE], control[c.LONG], control[c.MOST] = stride, long, _CHILDREN
        tasks = np.zeros((_TASKS, size), np.int64)
        self._arrays.append(tasks)
        self._root = tasks[0]
        control[s.TASKS], control[s.TASK_SIZE] = tasks.ctypes.data, 8 * size
        control[s.TASK_COUNT], control[s.MOVES_ROOM] = _TASKS, self._moves
        for name in (s.FREE, s.WAITING, s.GROWING, s.NOW, s.GROWN_TASKS, s.SPLIT, s.SPLIT_RANK):
            (control[name],) = columns(_TASKS, 1)
        control[s.TARGET], control[s.MOST_TASKS] = _TARGET, _MOST
        control[[s.STATES, s.SAID, s.STEPS]] = columns(
            stride, machine.words, machine.most_looks, into
        )
        said, column = control[s.SAID], 8 * stride
        status = machine.masks if machine.noisy else machine.look_words - 1
        control[s.NOISY], control[s.STATUS] = said, said + column * status
        control[s.LEGAL] = said + column * (status + 1 if machine.noisy else 0)
        control[[s.CHILD_STEPS, s.CHILD_STATES, s.CHILD_VALUES]] = columns(
            long, into, machine.words, 1
        )
        (control[s.RANK],) = columns(self._moves, 1)
        control[s.HISTORY] = self._history.ctypes.data
        control[s.KILLERS] = self._killers.ctypes.data
        control[s.REPLIES] = self._replies.ctypes.data
        control[s.REDUCTIONS] = self._reductions.ctypes.data
        control[s.MARGIN] = machine.margin
        control[s.FUTILE], control[s.FEW_DEPTH] = _FUTILE, _FEW_DEPTH
        control[s.WELL_OFF], control[s.FEW_MOVES] = _WELL_OFF, _FEW_MOVES
        control[s.MOVE_COUNT] = machine.moves
        control[s.PASS_ROW] = machine.pass_row
        control[s.AGE] = self.age
        self._control = control
        self._again = None


class SelectiveTree(CompiledTree[P]):
    """What lies below positions of one game, looked at selectively; see `Below`.

    With one thread it is the same whenever it is asked, after `forget`.
    """

    _searchers: list[SelectiveSearcher[P]]  # type: ignore[assignment]

    def _searcher(self, machine: Machine, reader: Reader[P], library: Library) -> Any:
        age = self._searchers[0].age if self._searchers else 1
        return SelectiveSearcher(machine, reader, library, self._memory, age)

    def forget(self) -> None:
        """As if nothing had been searched yet."""
        for searcher in self._searchers:
            searcher.forget()

    @property
    def chooser(self) -> Chooser[P] | None:
        """See `Below`."""
        return self

    def best(
        self, position: P, depth: int, bonus: Mapping[int, int], scores: dict[int, int]
    ) -> None:
        """See `Chooser`."""
        searcher = self._searchers[0]
        low, high = -INFINITE, INFINITE
        for expected in scores.values():
            if abs(expected) < FORCED:
                low, high = expected - searcher.window, expected + searcher.window
        scores.clear()
        try:
            while True:
                value = searcher.value(position, depth, low, high, self.stop, bonus)
                if value <= low:
                    low = -INFINITE
                elif value >= high:
                    high = INFINITE
                else:
                    break
        finally:
            scores.update(searcher.found(low, high))
            self._count()

    def line(self, position: P) -> tuple[int, ...]:
        """See `Chooser`."""
        found = [searcher.lines.get(position.key, ()) for searcher in self._searchers]
        return max(found, key=len)


def _reductions() -> Words:
    """For each depth and number of a move in order, by how much less deep it is looked at first."""
    table = [
        round(0.4 + math.log(max(1, depth)) * math.log(max(1, place)) / 2.2)
        for depth in range(64)
        for place in range(64)
    ]
    return np.array(table, np.int64)
