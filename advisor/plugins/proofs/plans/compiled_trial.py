"""`trial.PlanTrial` as machine code, for boards with four in line that fit into a word.

The code is in `trial_kernel`; this module prepares its memory. The table of states is never
emptied: each trial has a number of its own, and an entry counts only for the trial with its number.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.plugins.proofs.plans.trial import (
    Goal,
    PlanNumbers,
    Plans,
    PlanTrial,
    State,
    Tried,
)
from aspcircuits.functions import Functions
from aspcircuits.layout import Layout, layout
from aspcircuits.llvm import Library
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers

# Results of `kind_of` other than the square that must be blocked.
REACHED, MISSED, QUIET = -1, -2, -3

# The result of `quiet_after` without room for all states or for the output.
NO_ROOM = -1

_BITS = 63
"""Most bits of a board: negative numbers are avoided."""

_PLACES = 1 << 19
"""Entries of the table."""

_AT_ONCE = 32
"""Plans that are tried between two checks for a stop: mostly a few milliseconds."""

_OUT = 1 << 17
"""Words of the output."""


@layout
class TrialWords(Layout):
    """A board, a goal and a trial, and the addresses of its memory."""

    stride: int
    full: int
    bottom: int
    hold: int
    threats: int
    number: int  # of the trial
    most: int  # number of failures that is enough
    failures: int
    states: int  # states visited
    room: int  # most states to visit
    ranks: int  # the squares' numbers
    table: int  # two words an entry
    places: int  # number of entries, minus one
    path: int  # the line of quiet states that led here
    length: int  # number of states on the path
    out: int  # the output
    used: int  # words of it
    out_room: int  # its capacity in words


tiers: Tiers[Library] = Tiers(
    Functions(
        module="advisor.plugins.proofs.plans.trial_kernel",
        names=("threats_in_a_row", "kind_of", "right", "quiet_after", "latest_right"),
        what="the trial of plans",
        seconds=4.0,
    )
)
"""One code for all boards and goals."""


def trial(goal: Goal, soon: Stop | None = None) -> PlanTrial:
    """Return the fastest trial of plans for this goal.

    It waits for machine code until `soon` is set; without `soon`, missing code is compiled at once.
    """
    g = goal.geometry
    if g.connect == 4 and len(g.steps) == 4 and g.width * g.stride <= _BITS:
        code = tiers.get_now() if soon is None else tiers.get_soon(soon)
        if code is not None:
            return CompiledTrial(goal, code)
    return PlanTrial(goal)


class Trials:
    """Trials of plans by the threats in a row they may use; `most` allows all of the goal's."""

    def __init__(self, goal: Goal, soon: Stop | None = None) -> None:
        goals = (replace(goal, threats=threats) for threats in range(goal.threats + 1))
        self._all = [trial(each, soon) for each in goals]
        self.most = self._all[-1]

    def fewest(self, starts: Sequence[State], numbers: PlanNumbers) -> int:
        """Return the fewest threats with which a plan is right, if it is right with the most."""
        return next(
            threats
            for threats, each in enumerate(self._all)
            if each is self.most or all(each.try_plan(start, numbers).right for start in starts)
        )


class CompiledTrial(PlanTrial):
    """A `PlanTrial` by machine code, for boards with four in line and at most 63 bits."""

    def __init__(self, goal: Goal, code: Library) -> None:
        super().__init__(goal)
        g = goal.geometry
        self._right, self._quiet_after = code.function("right", 3), code.function("quiet_after", 3)
        self._kind_of, self._latest = code.function("kind_of", 3), code.function("latest_right", 6)
        self._ranks, self._out = np.zeros(64, np.int64), np.zeros(_OUT, np.int64)
        self._words = TrialWords()
        self._words.set_words(
            stride=g.stride,
            full=g.full,
            bottom=g.bottom,
            hold=goal.hold,
            threats=goal.threats,
            room=_PLACES * 3 // 4,
            ranks=self._ranks,
            table=np.zeros(2 * _PLACES, np.int64),
            places=_PLACES - 1,
            path=np.zeros(2 * g.squares, np.int64),
            out=self._out,
            out_room=_OUT,
        )
        self._address = self._words.address

    def try_plan(self, start: State, numbers: Sequence[int], most: int = 1) -> Tried:
        """Try a plan; a plan that takes more states than there is room for fails."""
        self._ranks[: len(numbers)] = numbers
        words = self._begin(most)
        right = self._right(self._address, *start)
        found = iter(self._out[: words.used].tolist())
        lines = [tuple((next(found), next(found)) for _ in range(length)) for length in found]
        return Tried(bool(right), words.states, tuple(dict.fromkeys(filter(None, lines))))

    def quiet_after(self, state: State) -> list[State] | None:
        words = self._begin()
        right = self._quiet_after(self._address, *state)
        if right == NO_ROOM:
            return super().quiet_after(state)
        if not right:
            return None
        found = self._out[: words.used].tolist()
        return list(zip(found[::2], found[1::2], strict=True))

    def is_reached(self, state: State) -> bool:
        return bool(self._kind_of(self._address, *state) == REACHED)

    def latest_right(self, start: State, plans: Plans, stop: Stop) -> int | None:
        plans = np.ascontiguousarray(plans)
        row, end = plans.shape[1] * plans.itemsize, len(plans)
        while end:
            if stop.is_set():
                raise KeyboardInterrupt
            first = max(end - _AT_ONCE, 0)
            self._begin()
            address = plans.ctypes.data + first * row
            found = self._latest(self._address, *start, address, row, end - first)
            if found >= 0:
                return int(first + found)
            end = first
        return None

    def _begin(self, most: int = 1) -> TrialWords:
        words = self._words
        words.number += 1
        words.most = most
        words.failures = words.states = words.length = words.used = 0
        return words
