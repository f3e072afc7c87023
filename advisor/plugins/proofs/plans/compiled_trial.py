"""`trial.PlanTrial` as machine code, for boards with four in line that fit into a word.

`trial_kernel` is what runs; here is what it works on. The table of states is never emptied: each
trial has a number of its own, and an entry counts only for the trial whose number it bears.
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

# What `kind_of` returns, where it is not the square that must be blocked.
REACHED, MISSED, QUIET = -1, -2, -3

# What `quiet_after` returns where there is no room for all states or for those given back.
NO_ROOM = -1

_BITS = 63
"""Boards that fit: numbers below zero are left alone."""

_PLACES = 1 << 19
"""Entries of the table."""

_AT_ONCE = 32
"""Plans that are tried between two looks at the stop: mostly less than some milliseconds."""

_OUT = 1 << 17
"""Words that are given back."""


@layout
class TrialWords(Layout):
    """A board, a goal and a trial, and where the memory for it is."""

    stride: int
    full: int
    bottom: int
    hold: int
    threats: int
    number: int  # of the trial
    most: int  # so many failures are enough
    failures: int
    states: int  # that were looked at
    room: int  # how many may be
    ranks: int  # the squares' numbers
    table: int  # two words an entry
    places: int  # so many entries, less one
    path: int  # the line of quiet states that led here
    length: int  # of it
    out: int  # what is given back
    used: int  # words of it
    out_room: int  # how many there are


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
    """Who tries plans for this goal, the fastest that there is.

    Machine code is waited for until `soon` is set; without it, it is made at once if need be.
    """
    g = goal.geometry
    if g.connect == 4 and len(g.steps) == 4 and g.width * g.stride <= _BITS:
        code = tiers.now() if soon is None else tiers.soon(soon)
        if code is not None:
            return CompiledTrial(goal, code)
    return PlanTrial(goal)


class Trials:
    """Who tries plans, by the threats in a row that they may ask for; `most` allows the goal's."""

    def __init__(self, goal: Goal, soon: Stop | None = None) -> None:
        goals = (replace(goal, threats=threats) for threats in range(goal.threats + 1))
        self._all = [trial(each, soon) for each in goals]
        self.most = self._all[-1]

    def fewest(self, starts: Sequence[State], numbers: PlanNumbers) -> int:
        """The fewest threats with which a plan is right that is with the most of them."""
        return next(
            threats
            for threats, each in enumerate(self._all)
            if each is self.most or all(each.tried(start, numbers).right for start in starts)
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
        self._words.put(
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

    def tried(self, start: State, numbers: Sequence[int], most: int = 1) -> Tried:
        """A plan that takes more states than there is room for fails."""
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

    def reached(self, state: State) -> bool:
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
