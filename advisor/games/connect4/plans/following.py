"""Playing by a plan: what it says in a position, and which positions arise when it is followed.

`trial` finds out whether a plan reaches its goal; here it is known to.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from advisor.games.connect4.board import Geometry, Position
from advisor.games.connect4.plans.solution import Numbers
from advisor.games.connect4.plans.trial import Goal, PythonTrial, State, bits
from advisor.games.score import Score


class By(StrEnum):
    """What decides the move of somebody who plays by a plan or by a solution."""

    MOVE = "move"
    """A move of the solution, each reply to which is answered there."""
    WIN = "win"
    """It completes a line."""
    THREAT = "threat"
    """It threatens to, in a row of threats that ends with a line."""
    BLOCK = "block"
    """Otherwise the opponent completes a line."""
    NUMBER = "number"
    """Its square has the lowest number that can be played."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that is known to reach its goal from where it is followed.

    Attributes:
        player: who has it.
        numbers: of the squares.
        threats: in a row, at most, by which he wins first of all.
        hold: a draw is its goal; otherwise he wins.
        name: its number in the solution; None if it is not from there.
    """

    player: int
    numbers: Numbers
    threats: int
    hold: bool = False
    name: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What to play now.

    Attributes:
        column: to be played.
        by: what decides it.
        plan: None where it is a move of the solution.
        hold: it leads to a draw at least; otherwise to a win.
    """

    column: int
    by: By
    plan: Plan | None = None
    hold: bool = False

    @property
    def move(self) -> int:
        """The column, as an advice of any game calls it."""
        return self.column

    @property
    def won(self) -> Score:
        """What the move is worth, unless it only holds."""
        return Score("win", moves=1 if self.by is By.WIN else None, proved=True)


def step(plan: Plan, position: Position) -> Step:
    """What the plan says.

    Args:
        position: that arises when the plan is followed, with its player to move.
    """
    bit, by = _rules(_goal(plan, position.geometry)).move(state_of(position), plan.numbers)
    return Step((bit.bit_length() - 1) // position.geometry.stride + 1, by, plan, plan.hold)


def by_threats(position: Position, threats: int) -> Step | None:
    """How the player to move wins by at most so many threats in a row; None if he does not."""
    rules = _rules(Goal(position.geometry, threats=threats))
    bit, by = rules.forced(state_of(position))
    return Step((bit.bit_length() - 1) // position.geometry.stride + 1, by) if bit else None


def leads(plan: Plan, start: State, end: State, g: Geometry) -> bool:
    """Whether somebody who follows a plan from one state may come to another.

    Args:
        start: with the plan's player to move, as in `end`.
    """
    rules, todo, seen = _rules(_goal(plan, g)), [start], {start}
    while todo:
        state = own, opp = todo.pop()
        if state == end:
            return True
        if own & ~end[0] or opp & ~end[1] or state[0] == end[0]:
            continue
        bit, by = rules.move(state, plan.numbers)
        if by is By.WIN or bit & ~end[0]:
            continue
        own |= bit
        for reply in bits((own | opp) + g.bottom & g.full & end[1]):
            after = own, opp | reply
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return False


def state_of(position: Position) -> State:
    """The discs of the side to move and of the other one."""
    return position.mover, position.mask ^ position.mover


def _goal(plan: Plan, g: Geometry) -> Goal:
    return Goal(g, plan.hold, plan.threats)


@cache
def _rules(goal: Goal) -> "_Rules":
    return _Rules(goal)


class _Rules(PythonTrial):
    """The rules of a plan, as moves."""

    def move(self, state: State, numbers: Numbers) -> tuple[int, By]:
        """The square to play, as a bit, and why."""
        own, opp = state
        bit, by = self.forced(state)
        if bit:
            return bit, by
        playable = self._playable(own | opp)
        if blocks := self._completing(opp) & playable:
            return blocks & -blocks, By.BLOCK
        return min(bits(playable), key=lambda bit: numbers[bit.bit_length() - 1]), By.NUMBER

    def forced(self, state: State) -> tuple[int, By]:
        """The square by which he wins by a few threats in a row; 0 if he does not."""
        own, opp = state
        if winning := self._completing(own) & self._playable(own | opp):
            return winning & -winning, By.WIN
        for threats in range(1, self.goal.threats + 1):  # so that each leaves fewer
            if threat := self.first_threat(own, opp, threats):
                return threat, By.THREAT
        return 0, By.THREAT
