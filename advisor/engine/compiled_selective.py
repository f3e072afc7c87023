"""The compiled selective look-ahead from a position, as `advisor.engine.search` uses it.

The code is in `advisor.engine.selective_kernel`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from advisor.engine import selective_control as s
from advisor.engine.compiled import CompiledTree, Thread
from advisor.engine.machine import PAD, ControlWords, Machine, Reader, Space, columns
from advisor.engine.nodes import FORCED, INFINITE, Chooser, P
from aspcircuits.functions import Functions
from aspcircuits.llvm import Library
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers

SELECTIVE = Tiers(
    Functions("advisor.engine.selective_kernel", ("think",), "the selective look-ahead")
)
"""The code of the search, shared by all games."""

_OF_TASKS = "free", "waiting", "growing", "now", "grown_tasks", "split", "split_rank"
"""Lists of tasks."""


class SelectiveSearcher(Thread[P]):
    """Selective look-ahead from positions of one game; see `Thread`.

    Args:
        age: number of this search; table entries of an earlier age are ignored.
        lines: receives the principal variations, by the keys of the searched positions.
    """

    at_once = 0
    _control: s.Selective

    def __init__(
        self,
        machine: Machine,
        reader: Reader[P],
        library: Library,
        memory: ControlWords,
        space: Space,
        age: int,
        lines: dict[Any, tuple[int, ...]],
    ) -> None:
        super().__init__(machine, reader, library.function("think", 4), memory, s.Selective())
        self._lines = lines
        self._history = np.zeros(2 * machine.moves, np.int64)
        self._replies = np.full(2 * machine.moves, -1, np.int64)
        self._killers = np.full(2 * s.LONGEST, -1, np.int64)
        self._bonus = np.zeros(machine.moves, np.int64)
        self._moves, self._task_room = space.moves, space.tasks
        self._control.set_words(
            history=self._history,
            killers=self._killers,
            replies=self._replies,
            reductions=_reductions(),
            margin=machine.margin,
            move_count=machine.moves,
            pass_row=machine.pass_row,
            age=age,
        )
        self._lay_out()

    def forget(self) -> None:
        """Forget all earlier searches."""
        self._control.age += 1
        self._history[:] = 0
        self._replies[:] = self._killers[:] = -1

    def value(
        self,
        position: P,
        depth: int,
        alpha: int,
        beta: int,
        stop: Stop,
        bonus: Mapping[int, int] | None = None,
    ) -> int:
        """Return the value, see `Thread.value`; with bonuses, only moves that have one count.

        The principal variation goes to `lines`.
        """
        self._control.bonus = 0
        if bonus is not None:
            self._bonus[:] = s.LEFT_OUT
            self._bonus[[*bonus]] = [*bonus.values()]
            self._control.bonus = self._bonus.ctypes.data
        return super().value(position, depth, alpha, beta, stop)

    def _handle_end(self, position: P) -> None:
        line = self._tasks[0, s.LINE_FROM :][: self._root.length].tolist()
        self._lines[position.key] = tuple(line)

    def best_inside(self, low: int, high: int) -> dict[int, int]:
        """Return the best move and its value if the value is inside (`low`, `high`), or nothing."""
        move, value = self._root.best_move, self._root.best
        return {move: value} if move >= 0 and low < value < high else {}

    def values(self, positions: Sequence[P], plies: int, stop: Stop) -> list[int]:
        """Return exact values of positions at the same ply."""
        return [self.value(p, plies, -INFINITE, INFINITE, stop) for p in positions]

    def _make_room(self) -> None:
        """Make room for twice as many moves of a task; no state has more moves than the game."""
        self._moves *= 2
        self._lay_out()

    def _lay_out(self) -> None:
        """Allocate the memory; the table and the move statistics stay."""
        machine = self.machine
        into = machine.words + machine.table.shape[1]
        stride = machine.whole_blocks(s.MOST) + PAD
        children = max(s.CHILDREN, self._moves)
        long = machine.whole_blocks(children) + PAD
        size = s.STATE_FROM + machine.words + 3 * self._moves
        said = columns(machine.most_looks, stride)
        status = machine.masks if machine.noisy else machine.look_words - 1
        self._tasks = columns(self._task_room, size)
        self._root = s.TaskWords.from_buffer(self._tasks.data)
        self._first_state = self._tasks[0, s.STATE_FROM :][: machine.words, None]
        self._control.set_words(
            stride=stride,
            long=long,
            tasks=self._tasks,
            task_size=8 * size,
            task_room=self._task_room,
            children=children,
            moves_room=self._moves,
            states=columns(machine.words, stride),
            steps=columns(into, stride),
            said=said,
            status=said[status:],
            legal=said[status + 1 if machine.noisy else 0 :],
            child_steps=columns(into, long),
            child_states=columns(machine.words, long),
            child_values=columns(1, long),
            rank=columns(1, self._moves),
            **{name: columns(1, self._task_room) for name in _OF_TASKS},
        )


class SelectiveTree(CompiledTree[P]):
    """Selective search below positions of one game; also a `Chooser`.

    With one thread, the same call after `forget` gives the same result.
    """

    _searchers: list[SelectiveSearcher[P]]  # type: ignore[assignment]
    _age = 1

    def __init__(self, *made_of: Any) -> None:
        # Shared by all threads: a position's line is that of the last search, whichever made it.
        self._lines: dict[Any, tuple[int, ...]] = {}
        super().__init__(*made_of)

    def _searcher(self) -> Any:
        return SelectiveSearcher(*self._made_of, self._age, self._lines)

    def forget(self) -> None:
        self._age += 1
        self._lines.clear()
        for searcher in self._searchers:
            searcher.forget()

    @property
    def chooser(self) -> Chooser[P] | None:
        return self

    def best(
        self, position: P, depth: int, bonus: Mapping[int, int], scores: dict[int, int]
    ) -> None:
        searcher = self._searchers[0]
        low, high = -INFINITE, INFINITE
        change = max(1, searcher.machine.margin // 3)  # a usual change from one depth to the next
        for expected in scores.values():
            if abs(expected) < FORCED:
                low, high = expected - change, expected + change
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
            scores.update(searcher.best_inside(low, high))
            self._count()

    def line(self, position: P) -> tuple[int, ...]:
        return self._lines.get(position.key, ())


def _reductions() -> ControlWords:
    """Return the plies by which a move is reduced, for each depth and place in the order."""
    depth, place = np.log(np.indices((64, 64)).clip(1))
    found: ControlWords = np.rint(0.4 + depth * place / 2.2).astype(np.int64)
    return found
