"""Decides one position of a growing solution: by a plan, or by a move and plans for the replies.

A decision depends only on the position and on the plans found so far, so an interrupted solution
goes on as if it had not been interrupted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from zlib import crc32

import numpy as np

from advisor.engine.nodes import play_moves
from advisor.errors import InputError
from advisor.games.connect4.board import Board
from advisor.games.players import MARKS
from advisor.plugins.proofs.building.solution import Solution, mirrored_moves
from advisor.plugins.proofs.plans.compiled_trial import Trials
from advisor.plugins.proofs.plans.synthesis import Effort, Hints, find
from advisor.plugins.proofs.plans.trial import (
    Goal,
    Kind,
    PlanNumbers,
    Plans,
    PlanTrial,
    State,
    bits,
    mirror_state,
    state_of,
)
from aspcircuits.stopping import Stop


@dataclass(frozen=True, slots=True)
class Efforts:
    """How hard to look for plans.

    Attributes:
        empty: no plan is looked for with more empty squares than this.
        full: in a position that is to be decided.
        quick: in the replies to a move that is compared with others.
        moves: number of moves that are compared.
    """

    empty: int = 30
    full: tuple[Effort, ...] = (Effort(60),)
    quick: tuple[Effort, ...] = (Effort(15),)
    moves: int = 3


@dataclass(frozen=True, slots=True)
class PlannedLeaf:
    """A position with its plan, and the threats in a row that the plan needs.

    Its moves lead to the position or to its mirror image.
    """

    moves: str
    numbers: PlanNumbers
    threats: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a position, given by the moves that led there.

    It is a column to play with plans found for the replies to it, or None with the position's own
    plan.
    """

    moves: str
    column: int | None
    planned: tuple[PlannedLeaf, ...]


def decide(
    goal: Goal, moves: str, plans: Sequence[PlanNumbers], efforts: Efforts, stop: Stop | None = None
) -> Decision:
    """Decide what to play if the goal can be reached, but not by the goal's threats in a row.

    Args:
        goal: to win or to hold.
        moves: from the beginning; the player with the goal is to move.
        plans: found so far; the latest are tried first.
        efforts: limits of the search for new plans.
        stop: ends the work when set.

    Raises:
        InputError: the goal cannot be reached.
        KeyboardInterrupt: `stop` was set.
    """
    return _Growth.of(goal).decide(moves, plans, efforts, stop or Stop())


def open_replies(goal: Goal, moves: str) -> list[str]:
    """Return the positions after the opponent's replies in which the goal is not reached anyway.

    The opponent has no immediate win. Of mirror images the first one is returned.
    """
    return [moves for moves, _ in _Growth.of(goal).replies(moves)]


def roots(solution: Solution, start: str = "") -> list[str]:
    """Return the positions with which a solution begins, or the part of it after some moves."""
    if solution.position(start).turn == solution.player:
        return [start]
    return open_replies(solution.goal, start)


def fitting(
    trial: PlanTrial, moves: str, state: State, pool: Plans, stop: Stop
) -> Iterator[tuple[str, int]]:
    """Yield all plans that suit a position or its mirror image, in each the latest ones first.

    Yields:
        the moves that led to the position or to its image, and the plan's row.
    """
    g = trial.goal.geometry
    image = mirrored_moves(g, moves), mirror_state(g, state)
    for led, each in ((moves, state), image):
        end: int | None = len(pool)
        while end:
            end = trial.latest_right(each, pool[:end], stop)
            if end is not None:
                yield led, end


@dataclass(slots=True)
class _Answers:
    """A move with the replies to it, those with a plan and those without."""

    column: int
    planned: list[PlannedLeaf] = field(default_factory=list)
    open: list[tuple[str, State]] = field(default_factory=list)


def _as_rows(plans: Sequence[PlanNumbers]) -> Plans:
    return np.array(plans, np.int64).reshape(len(plans), -1 if plans else 0)


class _Growth:
    """The state shared by decisions about one goal."""

    def __init__(self, goal: Goal) -> None:
        self._board, self._goal = goal.geometry, goal
        self._trials = Trials(goal)
        self._trial = self._trials.most
        self._hints = Hints(goal)

    @staticmethod
    @cache
    def of(goal: Goal) -> "_Growth":
        """Return the shared state for a goal."""
        return _Growth(goal)

    def decide(
        self, moves: str, plans: Sequence[PlanNumbers], efforts: Efforts, stop: Stop
    ) -> Decision:
        state, pool = state_of(self._position(moves)), _as_rows(plans)
        planned = self._known_plan(moves, state, pool, stop)
        if planned is None and self._few_empty(moves, efforts):
            planned = self._new_plan(moves, state, efforts.full, stop)
        if planned is not None:
            return Decision(moves, None, (planned,))
        return self._move(moves, state, pool, efforts, stop)

    def replies(self, moves: str) -> list[tuple[str, State]]:
        position = self._position(moves)
        found: dict[State, tuple[str, State]] = {}
        for column in sorted(position.moves()):
            after = position.after(column)
            state = state_of(after)
            if not self._trial.is_reached(state):
                key = min(state, mirror_state(self._board, state))
                found.setdefault(key, (moves + str(column), state))
        return list(found.values())

    def _move(
        self, moves: str, state: State, pool: Plans, efforts: Efforts, stop: Stop
    ) -> Decision:
        """Decide for the move that leaves the fewest replies without a plan."""
        kind, block = self._trial.kind(*state)
        choice = [block] if kind is Kind.FORCED else bits(self._hints.moves(state, stop))
        columns = [self._board.column_of(bit) for bit in choice]
        if not columns:
            player, verb = MARKS[len(moves) % 2 + 1], "hold" if self._goal.hold else "win"
            where = f"after {moves}" if moves else "on this board"
            raise InputError(f"{player} does not {verb} {where}")
        if len(columns) == 1:
            return Decision(moves, columns[0], ())
        middle = self._board.width + 1
        columns.sort(key=lambda column: (abs(2 * column - middle), column))
        answered = sorted(
            (self._answer_replies(moves, column, pool, stop) for column in columns),
            key=lambda answers: (len(answers.open), len(answers.planned)),
        )
        best: _Answers | None = None
        for answers in answered[: efforts.moves]:
            self._look(answers, len(best.open) if best else None, efforts, stop)
            if best is None or len(answers.open) < len(best.open):
                best = answers
            if not best.open:
                break
        assert best is not None
        return Decision(moves, best.column, tuple(best.planned))

    def _answer_replies(self, moves: str, column: int, pool: Plans, stop: Stop) -> "_Answers":
        """Return a move with the known plans for the replies to it."""
        answers = _Answers(column)
        for after, state in self.replies(moves + str(column)):
            planned = self._known_plan(after, state, pool, stop)
            if planned is None:
                answers.open.append((after, state))
            else:
                answers.planned.append(planned)
        return answers

    def _look(self, answers: "_Answers", enough: int | None, efforts: Efforts, stop: Stop) -> None:
        """Look for plans for open replies, until `enough` positions remain without one."""
        new: list[PlanNumbers] = []
        left: list[tuple[str, State]] = []
        while answers.open and (enough is None or len(left) < enough):
            after, state = answers.open.pop(0)
            planned = self._known_plan(after, state, _as_rows(new), stop)
            if planned is None and self._few_empty(after, efforts):
                planned = self._new_plan(after, state, efforts.quick, stop)
            if planned is None:
                left.append((after, state))
            else:
                answers.planned.append(planned)
                new.append(planned.numbers)
        answers.open += left

    def _known_plan(self, moves: str, state: State, pool: Plans, stop: Stop) -> PlannedLeaf | None:
        """Return the position, or its mirror image, with the latest plan that suits it."""
        found = next(fitting(self._trial, moves, state, pool, stop), None)
        if found is None:
            return None
        led, place = found
        if led != moves:
            state = mirror_state(self._board, state)
        return self._plan_leaf(led, state, tuple(pool[place].tolist()))

    def _new_plan(
        self, moves: str, state: State, efforts: Sequence[Effort], stop: Stop
    ) -> PlannedLeaf | None:
        seed = crc32(moves.encode()) >> 1
        found = find(self._trial, self._hints, state, efforts, seed, stop)
        numbers = found.numbers
        return self._plan_leaf(moves, state, numbers) if isinstance(numbers, tuple) else None

    def _plan_leaf(self, moves: str, state: State, numbers: PlanNumbers) -> PlannedLeaf:
        return PlannedLeaf(moves, numbers, self._trials.fewest([state], numbers))

    def _few_empty(self, moves: str, efforts: Efforts) -> bool:
        return self._board.squares - len(moves) <= efforts.empty

    def _position(self, moves: str) -> Board:
        return play_moves(Board(self._board), map(int, moves))
