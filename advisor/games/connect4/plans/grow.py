"""What is played in one position of a solution that grows: a plan, or a move and what follows it.

A decision depends on the position and on the plans found so far, and on nothing else, so that an
interrupted solution goes on as if it had not been interrupted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from zlib import crc32

import numpy as np

from advisor.engine.below import played
from advisor.errors import InputError
from advisor.games.connect4.board import Position
from advisor.games.connect4.plans.compiled_trial import trial
from advisor.games.connect4.plans.hints import Hints
from advisor.games.connect4.plans.solution import (
    Numbers,
    Solution,
    mirrored,
    mirrored_moves,
)
from advisor.games.connect4.plans.synthesis import Effort, find
from advisor.games.connect4.plans.trial import Goal, Kind, Plans, PythonTrial, State, Trial, bits
from advisor.games.players import MARKS
from advisor.limits import Stop


@dataclass(frozen=True, slots=True)
class Efforts:
    """How hard to look for plans.

    Attributes:
        empty: squares, with more of which no plan is looked for.
        full: in a position that is to be decided.
        quick: in the replies to a move that is compared with others.
        moves: that are compared.
    """

    empty: int = 30
    full: tuple[Effort, ...] = (Effort(60),)
    quick: tuple[Effort, ...] = (Effort(15),)
    moves: int = 3


@dataclass(frozen=True, slots=True)
class Planned:
    """A position with its plan.

    Attributes:
        moves: that led there, or to its mirror image.
        numbers: of the plan.
        threats: in a row that it needs.
    """

    moves: str
    numbers: Numbers
    threats: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided for a position.

    Attributes:
        moves: that led there.
        column: to be played; None if there is a plan.
        planned: the plan of the position, or those that were found for the replies to the move.
    """

    moves: str
    column: int | None
    planned: tuple[Planned, ...]


def decide(
    goal: Goal,
    moves: str,
    plans: Sequence[Numbers],
    efforts: Efforts,
    stop: Stop | None = None,
) -> Decision:
    """What is played where the goal can be reached, but not by so many threats in a row.

    Args:
        moves: that led there; it is the turn of the player who is to reach the goal.
        plans: found so far; the latest are tried first.

    Raises:
        InputError: the goal cannot be reached.
        KeyboardInterrupt: it was to stop.
    """
    return _Growth.of(goal).decide(moves, plans, efforts, stop or Stop())


def open_replies(goal: Goal, moves: str) -> list[str]:
    """The positions after the opponent's replies in which the goal is not reached anyway.

    Args:
        moves: after which it is the opponent's turn, who does not win at once; of mirror images
            the first one is told.
    """
    return [moves for moves, _ in _Growth.of(goal).replies(moves)]


def roots(solution: Solution, start: str = "") -> list[str]:
    """The positions with which a solution begins, or the part of it that follows some moves."""
    if solution.position(start).turn == solution.player:
        return [start]
    return open_replies(solution.goal, start)


@dataclass(slots=True)
class _Answers:
    """A move with the replies to it, those with a plan and those without."""

    column: int
    planned: list[Planned] = field(default_factory=list)
    open: list[tuple[str, State]] = field(default_factory=list)


def _as_rows(plans: Sequence[Numbers]) -> Plans:
    return np.array(plans, np.int64).reshape(len(plans), -1 if plans else 0)


class _Growth:
    """What decisions about one goal share."""

    def __init__(self, goal: Goal) -> None:
        self._board, self._goal = goal.geometry, goal
        self._trial = trial(goal)
        self._rules = PythonTrial(goal)
        self._hints = Hints(goal)
        self._fewer: list[Trial] = [
            trial(replace(goal, threats=fewer)) for fewer in range(goal.threats)
        ]

    @staticmethod
    @cache
    def of(goal: Goal) -> "_Growth":
        """The one for a goal."""
        return _Growth(goal)

    def decide(
        self, moves: str, plans: Sequence[Numbers], efforts: Efforts, stop: Stop
    ) -> Decision:
        """See `decide`."""
        state, pool = self._state(moves), _as_rows(plans)
        planned = self._known_plan(moves, state, pool, stop)
        if planned is None and self._few_empty(moves, efforts):
            planned = self._new_plan(moves, state, efforts.full, stop)
        if planned is not None:
            return Decision(moves, None, (planned,))
        return self._move(moves, state, pool, efforts, stop)

    def replies(self, moves: str) -> list[tuple[str, State]]:
        """See `open_replies`."""
        position = self._position(moves)
        found: dict[State, tuple[str, State]] = {}
        for column in sorted(position.moves()):
            after = position.after(column)
            state = after.mover, after.mask ^ after.mover
            if not self._trial.reached(state):
                key = min(state, mirrored(self._board, state))
                found.setdefault(key, (moves + str(column), state))
        return list(found.values())

    def _move(
        self, moves: str, state: State, pool: Plans, efforts: Efforts, stop: Stop
    ) -> Decision:
        """The move that leaves the fewest replies without a plan."""
        kind, block = self._rules.kind(*state)
        choice = [block] if kind is Kind.FORCED else bits(self._hints.moves(state, stop))
        columns = [(bit.bit_length() - 1) // self._board.stride + 1 for bit in choice]
        if not columns:
            player, verb = MARKS[len(moves) % 2 + 1], "hold" if self._goal.hold else "win"
            where = f"after {moves}" if moves else "on this board"
            raise InputError(f"{player} does not {verb} {where}")
        if len(columns) == 1:
            return Decision(moves, columns[0], ())
        middle = self._board.width + 1
        columns.sort(key=lambda column: (abs(2 * column - middle), column))
        answered = sorted(
            (self._answered(moves, column, pool, stop) for column in columns),
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

    def _answered(self, moves: str, column: int, pool: Plans, stop: Stop) -> "_Answers":
        """A move with the plans there are for the replies to it."""
        answers = _Answers(column)
        for after, state in self.replies(moves + str(column)):
            planned = self._known_plan(after, state, pool, stop)
            if planned is None:
                answers.open.append((after, state))
            else:
                answers.planned.append(planned)
        return answers

    def _look(self, answers: "_Answers", enough: int | None, efforts: Efforts, stop: Stop) -> None:
        """Looks for plans for what is open, until so many positions stay without one."""
        new: list[Numbers] = []
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

    def _known_plan(self, moves: str, state: State, pool: Plans, stop: Stop) -> Planned | None:
        """The position, or its mirror image, with the latest plan that suits it."""
        image = mirrored(self._board, state), mirrored_moves(self._board, moves)
        for each, led in ((state, moves), image):
            found = self._trial.latest_right(each, pool, stop)
            if found is not None:
                return self._planned(led, each, tuple(pool[found].tolist()))
        return None

    def _new_plan(
        self, moves: str, state: State, efforts: Sequence[Effort], stop: Stop
    ) -> Planned | None:
        seed = crc32(moves.encode()) >> 1
        found = find(self._trial, self._hints, state, efforts, seed, stop)
        numbers = found.numbers
        return self._planned(moves, state, numbers) if isinstance(numbers, tuple) else None

    def _planned(self, moves: str, state: State, numbers: Numbers) -> Planned:
        """With the fewest threats that the plan needs here."""
        fits = (n for n, fewer in enumerate(self._fewer) if fewer.tried(state, numbers).right)
        return Planned(moves, numbers, next(fits, self._goal.threats))

    def _few_empty(self, moves: str, efforts: Efforts) -> bool:
        return self._board.squares - len(moves) <= efforts.empty

    def _position(self, moves: str) -> Position:
        return played(Position(self._board), map(int, moves))

    def _state(self, moves: str) -> State:
        position = self._position(moves)
        return position.mover, position.mask ^ position.mover
