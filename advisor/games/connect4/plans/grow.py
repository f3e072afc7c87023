"""What x plays in one position of a solution that grows: a plan, or a move and what follows it.

A decision depends on the position and on the plans found so far, and on nothing else, so that an
interrupted solution goes on as if it had not been interrupted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from advisor.engine.below import played
from advisor.errors import InputError
from advisor.games.connect4.board import Geometry, Position
from advisor.games.connect4.plans.compiled_trial import trial
from advisor.games.connect4.plans.hints import Hints
from advisor.games.connect4.plans.solution import (
    Numbers,
    mirrored,
    mirrored_moves,
)
from advisor.games.connect4.plans.synthesis import Effort, find
from advisor.games.connect4.plans.trial import Goal, Kind, PythonTrial, State, Trial, bits
from advisor.limits import Stop


@dataclass(frozen=True, slots=True)
class Efforts:
    """How hard to look for plans.

    Attributes:
        discs: on the board before a plan is looked for at all.
        full: in a position that is to be decided.
        quick: in the replies to a move that is compared with others.
        moves: that are compared.
    """

    discs: int = 8
    full: tuple[Effort, ...] = (Effort(60), Effort(40, 4), Effort(40, 6), Effort(40, 8))
    quick: tuple[Effort, ...] = (Effort(12), Effort(10, 6))
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
        column: that x plays; None if there is a plan.
        planned: the plan of the position, or those that were found for o's replies to the move.
    """

    moves: str
    column: int | None
    planned: tuple[Planned, ...]


def decide(
    geometry: Geometry,
    threats: int,
    moves: str,
    plans: Sequence[Numbers],
    efforts: Efforts,
    stop: Stop | None = None,
) -> Decision:
    """What x plays in a position that he wins, but not by so many threats in a row.

    Args:
        moves: that led there.
        plans: found so far; the latest are tried first.

    Raises:
        InputError: x does not win.
        KeyboardInterrupt: it was to stop.
    """
    return _Growth.of(geometry, threats).decide(moves, plans, efforts, stop or Stop())


def open_replies(geometry: Geometry, threats: int, moves: str) -> list[str]:
    """The positions after o's replies that x does not win by so many threats in a row.

    Args:
        moves: the last one is x's; mirror images and o's wins are left out.
    """
    return [moves for moves, _ in _Growth.of(geometry, threats).replies(moves)]


class _Growth:
    """What decisions about one board share."""

    def __init__(self, geometry: Geometry, threats: int) -> None:
        self._board, self._threats = geometry, threats
        goal = Goal(geometry, threats=threats)
        self._trial = trial(goal)
        self._rules = PythonTrial(goal)
        self._hints = Hints(goal)
        self._fewer: list[Trial] = [
            trial(Goal(geometry, threats=fewer)) for fewer in range(threats)
        ]

    @staticmethod
    @cache
    def of(geometry: Geometry, threats: int) -> "_Growth":
        """The one for a board."""
        return _Growth(geometry, threats)

    def decide(
        self, moves: str, plans: Sequence[Numbers], efforts: Efforts, stop: Stop
    ) -> Decision:
        """See `decide`."""
        state = self._state(moves)
        planned = self._known_plan(moves, state, plans)
        if planned is None and len(moves) >= efforts.discs:
            planned = self._new_plan(moves, state, efforts.full, stop)
        if planned is not None:
            return Decision(moves, None, (planned,))
        return self._move(moves, state, plans, efforts, stop)

    def replies(self, moves: str) -> list[tuple[str, State]]:
        """The positions after o's replies that are not won yet, without mirror images."""
        position = self._position(moves)
        found: dict[State, tuple[str, State]] = {}
        for column in sorted(position.moves()):
            after = position.after(column)
            state = after.mover, after.mask ^ after.mover
            if self._rules.kind(*state)[0] is not Kind.REACHED:
                key = min(state, mirrored(self._board, state))
                found.setdefault(key, (moves + str(column), state))
        return list(found.values())

    def _move(
        self, moves: str, state: State, plans: Sequence[Numbers], efforts: Efforts, stop: Stop
    ) -> Decision:
        """The move that leaves the fewest replies without a plan."""
        kind, block = self._rules.kind(*state)
        choice = [block] if kind is Kind.FORCED else bits(self._hints.moves(state, stop))
        columns = [(bit.bit_length() - 1) // self._board.stride + 1 for bit in choice]
        middle = self._board.width + 1
        counted = sorted(
            (len(self.replies(moves + str(column))), abs(2 * column - middle), column)
            for column in columns
        )
        if len(counted) == 1:
            return Decision(moves, columns[0], ())
        best: tuple[int, int, tuple[Planned, ...]] | None = None
        for _, _, column in counted[: efforts.moves]:
            found = tuple(self._answered(moves + str(column), plans, efforts, stop))
            left = len(self.replies(moves + str(column))) - len(found)
            if best is None or left < best[0]:
                best = left, column, found
            if not left:
                break
        if best is None:
            raise InputError(f"x does not win {f'after {moves}' if moves else 'on this board'}")
        return Decision(moves, best[1], best[2])

    def _answered(
        self, moves: str, plans: Sequence[Numbers], efforts: Efforts, stop: Stop
    ) -> Iterable[Planned]:
        """Plans for o's replies, those that are found soon."""
        for after, state in self.replies(moves):
            planned = self._known_plan(after, state, plans)
            if planned is None and len(after) >= efforts.discs:
                planned = self._new_plan(after, state, efforts.quick, stop)
            if planned is not None:
                yield planned
                plans = [*plans, planned.numbers]

    def _known_plan(self, moves: str, state: State, plans: Sequence[Numbers]) -> Planned | None:
        """The position, or its mirror image, with the latest plan that suits it."""
        image, image_moves = mirrored(self._board, state), mirrored_moves(self._board, moves)
        for numbers in reversed(plans):
            if self._trial.tried(state, numbers).right:
                return self._planned(moves, state, numbers)
            if self._trial.tried(image, numbers).right:
                return self._planned(image_moves, image, numbers)
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
        return Planned(moves, numbers, next(fits, self._threats))

    def _position(self, moves: str) -> Position:
        return played(Position(self._board), map(int, moves))

    def _state(self, moves: str) -> State:
        position = self._position(moves)
        return position.mover, position.mask ^ position.mover
