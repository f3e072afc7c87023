"""Playing by a plan: what it says in a position, and which positions arise when it is followed.

`trial` finds out whether a plan reaches its goal; here it is known to.
"""

from dataclasses import dataclass
from functools import cache

from advisor.games.connect4.board import Board, Geometry
from advisor.games.connect4.plans.trial import (
    By,
    Goal,
    PlanNumbers,
    PlanTrial,
    State,
    bits,
    state_of,
)
from advisor.games.score import Score


@dataclass(frozen=True, slots=True)
class ProvedPlan:
    """A plan that is known to reach its goal from where it is followed.

    Attributes:
        player: who has it.
        numbers: of the squares.
        threats: in a row, at most, by which he wins first of all.
        hold: a draw is its goal; otherwise he wins.
        name: its number in the solution; None if it is not from there.
    """

    player: int
    numbers: PlanNumbers
    threats: int
    hold: bool = False
    name: int | None = None


@dataclass(frozen=True, slots=True)
class PlanStep:
    """What to play now.

    Attributes:
        column: to be played.
        by: what decides it.
        plan: None where it is a move of the solution.
        hold: it leads to a draw at least; otherwise to a win.
    """

    column: int
    by: By
    plan: ProvedPlan | None = None
    hold: bool = False

    @property
    def move(self) -> int:
        """The column, as an advice of any game calls it."""
        return self.column

    @property
    def won(self) -> Score:
        """What the move is worth, unless it only holds."""
        return Score("win", moves=1 if self.by is By.WIN else None, proved=True)


def step(plan: ProvedPlan, position: Board) -> PlanStep:
    """What the plan says.

    Args:
        position: that arises when the plan is followed, with its player to move.
    """
    bit, by = _rules(plan, position.geometry).move(state_of(position), plan.numbers)
    return PlanStep(position.geometry.column_of(bit), by, plan, plan.hold)


def by_threats(position: Board, threats: int) -> PlanStep | None:
    """How the player to move wins by at most so many threats in a row; None if he does not."""
    bit, by = _trial(Goal(position.geometry, threats=threats)).forced(state_of(position))
    return PlanStep(position.geometry.column_of(bit), by) if bit else None


def leads(plan: ProvedPlan, start: State, end: State, g: Geometry) -> bool:
    """Whether somebody who follows a plan from one state may come to another.

    Args:
        start: with the plan's player to move, as in `end`.
    """
    rules, todo, seen = _rules(plan, g), [start], {start}
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


def _rules(plan: ProvedPlan, g: Geometry) -> PlanTrial:
    return _trial(Goal(g, plan.hold, plan.threats))


_trial = cache(PlanTrial)
