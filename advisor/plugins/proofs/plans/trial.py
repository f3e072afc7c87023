"""Play by a plan, and try it against every play of the opponent.

The meaning of a plan is in ``encodings/connect4/plans/order.lp``: its owner, the *controller*, wins
by a few threats in a row, else blocks, else plays the playable square with the lowest number. A
*state* is a position with the controller to move, as the bits of the controller's discs and of the
opponent's (laid out as in `board`). It is *quiet* if the numbers decide.

`compiled_trial` does the same as machine code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache

import numpy as np
import numpy.typing as npt

from advisor.games.connect4.board import Board, Geometry
from aspcircuits.stopping import Stop

State = tuple[int, int]
"""The discs of the controller, who is to move, and of the opponent."""

StateLine = tuple[State, ...]
"""Quiet states that follow each other."""

PlanNumbers = tuple[int, ...]
"""A plan: a number for each bit of the board, 0 for bits beside it; the lowest is played first."""

Plans = npt.NDArray[np.int64]
"""Plans as rows."""


class Kind(Enum):
    """The action of a plan in a state."""

    REACHED = "the goal is reached, whatever the opponent does"
    MISSED = "the opponent has won, or wins with his next disc, or no disc is left"
    FORCED = "the controller blocks"
    QUIET = "the numbers decide"


class By(StrEnum):
    """The reason for a move by a plan or by a solution."""

    MOVE = "move"
    """A move of the solution, which answers each reply to it."""
    WIN = "win"
    """The move completes a line."""
    THREAT = "threat"
    """The move begins a row of threats that ends with a line."""
    BLOCK = "block"
    """The move stops the opponent from completing a line."""
    NUMBER = "number"
    """The move's square has the lowest playable number."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a plan.

    Attributes:
        geometry: the board.
        hold: a draw is enough; otherwise the controller has to win.
        threats: the controller wins by at most this many threats in a row before the one that
            completes a line; the default is the most that a plan may use.
    """

    geometry: Geometry
    hold: bool = False
    threats: int = 3


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of a trial of a plan.

    Attributes:
        right: the plan reached the goal against every defence.
        states: number of states visited.
        failures: the lines of quiet states after which the goal was missed, without repetition.
    """

    right: bool
    states: int
    failures: tuple[StateLine, ...] = ()


class PlanTrial:
    """Tries plans for one goal, on boards of any size."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self._board = goal.geometry
        self._completing = goal.geometry.completing

    def kind(self, own: int, opp: int) -> tuple[Kind, int]:
        """Return a plan's action in a state, and the bit of the square to block, or 0."""
        goal, mask = self.goal, own | opp
        playable = self._playable(mask)
        if not playable:
            return (Kind.REACHED if goal.hold else Kind.MISSED), 0
        if self._completing(own) & playable:
            return Kind.REACHED, 0
        if goal.hold and not self._board.has_line(self._board.full & ~own):
            return Kind.REACHED, 0
        blocks = self._completing(opp) & playable
        if blocks & blocks - 1:
            return Kind.MISSED, 0
        if self.wins_by_threats(own, opp, goal.threats):
            return Kind.REACHED, 0
        return (Kind.FORCED if blocks else Kind.QUIET), blocks

    def wins_by_threats(self, own: int, opp: int, threats: int) -> bool:
        """Return whether the controller completes a line after up to `threats` threats in a row."""
        if self._completing(own) & self._playable(own | opp):
            return True
        return self.first_threat(own, opp, threats) != 0

    def first_threat(self, own: int, opp: int, threats: int) -> int:
        """Return the square that begins at most `threats` winning threats in a row; 0 if none."""
        playable = self._playable(own | opp)
        his = self._completing(opp)
        blocks = his & playable
        if threats <= 0 or blocks & blocks - 1:
            return 0
        for bit in bits(blocks or playable):
            after = own | bit
            replies = self._playable(after | opp)
            forced = self._completing(after) & replies
            if not forced or his & replies:
                continue
            if forced & forced - 1 or self.wins_by_threats(after, opp | forced, threats - 1):
                return bit
        return 0

    def move(self, state: State, numbers: PlanNumbers) -> tuple[int, By]:
        """Return the square that a followed plan plays, as a bit, and the reason."""
        own, opp = state
        bit, by = self.forced_win(state)
        if bit:
            return bit, by
        playable = self._playable(own | opp)
        if blocks := self._completing(opp) & playable:
            return blocks & -blocks, By.BLOCK
        return min(bits(playable), key=lambda bit: numbers[bit.bit_length() - 1]), By.NUMBER

    def forced_win(self, state: State) -> tuple[int, By]:
        """Return the square by which the controller wins by a few threats in a row; 0 if none."""
        own, opp = state
        if winning := self._completing(own) & self._playable(own | opp):
            return winning & -winning, By.WIN
        for threats in range(1, self.goal.threats + 1):  # so that each leaves fewer
            if threat := self.first_threat(own, opp, threats):
                return threat, By.THREAT
        return 0, By.THREAT

    def try_plan(self, start: State, numbers: Sequence[int], most: int = 1) -> Tried:
        """Try a plan from a state.

        Args:
            start: the state.
            numbers: of the squares, by the numbers of their bits; two playable squares that share
                the lowest one are a fault of the plan.
            most: number of failures that is enough.
        """
        known: dict[State, bool] = {}
        path: list[State] = []
        failures: list[StateLine] = []

        def right(own: int, opp: int) -> bool:
            if len(failures) >= most:
                return False
            state = own, opp
            if state in known:
                return known[state]
            kind, square = self.kind(own, opp)
            if kind is Kind.QUIET:
                path.append(state)
                square = self._lowest(own | opp, numbers)
            fine = kind is Kind.REACHED
            if not fine:
                replies = self._replies(own | square, opp) if square else None
                if replies is None:
                    failures.append(tuple(path))
                else:
                    fine = True
                    for reply in bits(replies):
                        fine = right(own | square, opp | reply) and fine
            if kind is Kind.QUIET:
                path.pop()
            known[state] = fine
            return fine

        return Tried(right(*start), len(known), tuple(dict.fromkeys(filter(None, failures))))

    def quiet_after(self, state: State) -> list[State] | None:
        """Return the next quiet states, each once, after the controller's move that `state`
        contains.

        None if the opponent has a reply by which the goal is missed.
        """
        seen: set[State] = set()
        found: list[State] = []

        def follow_replies(own: int, opp: int) -> bool:
            replies = self._replies(own, opp)
            if replies is None:
                return False
            for reply in bits(replies):
                state = own, opp | reply
                if state in seen:
                    continue
                seen.add(state)
                kind, square = self.kind(*state)
                if kind is Kind.QUIET:
                    found.append(state)
                elif kind is Kind.MISSED or (
                    square and not follow_replies(own | square, opp | reply)
                ):
                    return False
            return True

        return found if follow_replies(*state) else None

    def is_reached(self, state: State) -> bool:
        """Return whether the goal is reached from a state whatever the plan says."""
        return self.kind(*state)[0] is Kind.REACHED

    def latest_right(self, start: State, plans: Plans, stop: Stop) -> int | None:
        """Return the number of the last plan that is right from a state; None if none is.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        for number in reversed(range(len(plans))):
            if stop.is_set():
                raise KeyboardInterrupt
            if self.try_plan(start, plans[number].tolist()).right:
                return number
        return None

    def _playable(self, mask: int) -> int:
        return mask + self._board.bottom & self._board.full

    def _replies(self, own: int, opp: int) -> int | None:
        """Return the opponent's moves; None if one wins, or if a draw is not enough and none is
        left.
        """
        replies = self._playable(own | opp)
        if self._completing(opp) & replies or not (replies or self.goal.hold):
            return None
        return replies

    def _lowest(self, mask: int, numbers: Sequence[int]) -> int:
        """Return the bit of the playable square with the lowest number; 0 if two have it."""
        ranked = sorted((numbers[bit.bit_length() - 1], bit) for bit in bits(self._playable(mask)))
        return 0 if len(ranked) > 1 and ranked[0][0] == ranked[1][0] else ranked[0][1]


@dataclass(frozen=True, slots=True)
class ProvedPlan:
    """A player's plan that is known to reach its goal from where it is followed.

    Attributes:
        player: the controller.
        numbers: of the squares.
        threats: most threats in a row by which the player wins, before all else.
        hold: a draw is its goal; otherwise a win.
        name: its number in the solution; None if it is not from there.
    """

    player: int
    numbers: PlanNumbers
    threats: int
    hold: bool = False
    name: int | None = None


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A move to play now.

    Attributes:
        column: the move.
        by: the reason.
        plan: None for a move of the solution.
        hold: the move leads to at least a draw; otherwise to a win.
    """

    column: int
    by: By
    plan: ProvedPlan | None = None
    hold: bool = False


def step(plan: ProvedPlan, position: Board) -> PlanStep:
    """Return a plan's step in a position that arises when it is followed, its player to move."""
    bit, by = _rules(plan, position.geometry).move(state_of(position), plan.numbers)
    return PlanStep(position.geometry.column_of(bit), by, plan, plan.hold)


def by_threats(position: Board) -> PlanStep | None:
    """Return the step by which the player to move wins by threats in a row, if there is one."""
    bit, by = _trial(Goal(position.geometry)).forced_win(state_of(position))
    return PlanStep(position.geometry.column_of(bit), by) if bit else None


def leads(plan: ProvedPlan, start: State, end: State, g: Geometry) -> bool:
    """Return whether following a plan may lead from one state to another, to move in both."""
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


def state_of(position: Board) -> State:
    """Return the discs of the side to move and of the other one."""
    return position.mover, position.mask ^ position.mover


def mirror_state(g: Geometry, state: State) -> State:
    """Return a state with left and right exchanged."""
    own, opp = map(g.mirror_bits, state)
    return own, opp


def mirrored_numbers(g: Geometry, numbers: PlanNumbers) -> PlanNumbers:
    """Return a plan's numbers with left and right exchanged."""
    columns = [numbers[i : i + g.stride] for i in range(0, len(numbers), g.stride)]
    return tuple(number for column in reversed(columns) for number in column)


def bits(squares: int) -> list[int]:
    """Return the single bits of a bitboard, the lowest first."""
    found = []
    while squares:
        found.append(squares & -squares)
        squares &= squares - 1
    return found
