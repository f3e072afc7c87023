"""Finds plans: clingo guesses an order of the squares, a trial finds the faults in it.

The program and the argument are in ``encodings/connect4/plans/order.lp``. Effort is counted in
rounds and conflicts, not in seconds, so the same question has the same answer. The exact solver's
results only steer the search; they are never a reason.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cmp_to_key

from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.solver import Solver
from advisor.plugins.proofs.plans.trial import Goal, Kind, PlanNumbers, PlanTrial, State, bits
from aspcircuits.clingo_api import Adding, NoAnswer, Program
from aspcircuits.stopping import Stop

_PLANS = ENCODINGS / "connect4" / "plans"

_LINES = 16
"""Failures of a guess from which clingo learns."""

_FRESH_START = 25
"""Rounds after which clingo is led to another part of the orders."""

_REMEMBERED = 1 << 20
"""States whose hints are kept, before all are dropped: some 200 MB."""


class Ended(Enum):
    """Why no plan was found."""

    NO_PLAN = "there is none of this kind"
    GIVEN_UP = "not within the effort"


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to look for a plan: the number of guesses, and clingo's conflicts for each.

    Attributes:
        rounds: number of guesses.
        exceptions: squares that may leave the pattern of ``exceptions.lp``; None for any order.
        conflicts: of clingo for each guess.
    """

    rounds: int
    exceptions: int | None = None
    conflicts: int = 3000


@dataclass(frozen=True, slots=True)
class Found:
    """A plan, tried in full, or the reason why there is none; and the number of guesses."""

    numbers: PlanNumbers | Ended
    rounds: int


class Hints:
    """The moves that still lead to the goal, with best play by both sides; cached."""

    def __init__(self, goal: Goal, solver: Solver | None = None) -> None:
        self.goal = goal
        self._completing = goal.geometry.completing
        self._solver = solver or Solver(goal.geometry)
        self._moves: dict[State, int] = {}

    def moves(self, state: State, stop: Stop) -> int:
        """Return the playable squares by which the controller can still reach the goal, as bits.

        Args:
            state: in which the controller completes no line at once.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        known = self._moves.get(state)
        if known is None:
            (own, opp), g, known = state, self.goal.geometry, 0
            mask, lost = own | opp, self._completing(opp)
            # The opponent must not reach this: a draw, or a win.
            least = 1 if self.goal.hold else 0
            for bit in bits(mask + g.bottom & g.full):
                after = mask | bit
                if lost & after + g.bottom & g.full:
                    continue
                if not self._solver.undecided_at_least(opp, after, least, stop):
                    known |= bit
            if len(self._moves) >= _REMEMBERED:
                self._moves.clear()
            self._moves[state] = known
        return known


def find(
    trial: PlanTrial,
    hints: Hints,
    start: State,
    efforts: Sequence[Effort],
    seed: int = 0,
    stop: Stop | None = None,
) -> Found:
    """Find a plan from a state, with the controller to move.

    Args:
        trial: tries the guesses; the hints are for the same goal.
        efforts: one after the other until there is a plan.
        seed: varies clingo's choices.

    Raises:
        KeyboardInterrupt: `stop` was set.
    """
    stop = stop or Stop()
    rounds = 0
    for number, effort in enumerate(efforts):
        search = _Search(trial, hints, start, effort, seed + number, stop)
        result = search.run()
        rounds += search.rounds
        if result is not Ended.GIVEN_UP and (result is not Ended.NO_PLAN or not effort.exceptions):
            return Found(result, rounds)
    return Found(Ended.GIVEN_UP, rounds)


def number_squares(g: Geometry, order: Sequence[int] = ()) -> PlanNumbers:
    """Return the numbers for an order of squares, given as bits.

    Squares that it leaves out come last, even rows before odd ones.
    """
    numbers = [0] * (g.width * g.stride)
    even_first = sorted(bits(g.full), key=lambda bit: bit.bit_length() % g.stride % 2)
    for number, bit in enumerate(dict.fromkeys([*order, *even_first]), 1):
        numbers[bit.bit_length() - 1] = number
    return tuple(numbers)


class _Search:
    """The guesses for one state; clingo knows squares by the numbers of their bits."""

    def __init__(
        self, trial: PlanTrial, hints: Hints, start: State, effort: Effort, seed: int, stop: Stop
    ) -> None:
        self.rounds = 0
        self._trial, self._hints, self._start = trial, hints, start
        self._effort, self._stop = effort, stop
        self._random = random.Random(seed)
        g = self._board = trial.goal.geometry
        self._empty = [bit.bit_length() - 1 for bit in bits(g.full & ~(start[0] | start[1]))]
        files = [_PLANS / "order.lp"]
        facts: list[tuple[object, ...]] = [("square", square) for square in self._empty]
        constants = {}
        if effort.exceptions is not None:
            files.append(_PLANS / "exceptions.lp")
            constants["exceptions"] = effort.exceptions
            facts += [("at", s, s % g.stride + 1, s // g.stride + 1) for s in self._empty]
        self._program = Program(
            files,
            facts=facts,
            constants=constants,
            options=(
                "--configuration=handy",
                "--save-progress=1",
                f"--seed={seed}",
                f"--solve-limit={effort.conflicts}",
            ),
        )
        self._earlier = {(a, b): n for (_, a, b), n in self._program.atoms("earlier", 2)}
        self._reach: dict[State, int] = {}
        self._awaiting: dict[State, list[Sequence[int]]] = {}

    def run(self) -> PlanNumbers | Ended:
        """Return the plan, or the reason why there is none."""
        roots = self._roots()
        if roots is None:
            return Ended.NO_PLAN
        while self.rounds < self._effort.rounds:
            if self.rounds % _FRESH_START == 0:
                self._lead()
            self.rounds += 1
            guess = self._program.guess(roots, self._order, self._stop)
            if self._stop.is_set():
                raise KeyboardInterrupt
            if guess is NoAnswer.NONE:
                return Ended.NO_PLAN
            if isinstance(guess, NoAnswer):
                return Ended.GIVEN_UP
            numbers = number_squares(self._board, [1 << square for square in guess])
            tried = self._trial.try_plan(self._start, numbers, _LINES)
            if tried.right:
                return numbers
            with self._program.adding() as adding:
                for line in tried.failures:
                    for state in self._until_missed(line):
                        self._constrain(state, adding)
        return Ended.GIVEN_UP

    def _roots(self) -> list[int] | None:
        """Return the states that occur whatever the order; None if the goal is missed in one."""
        kind, block = self._trial.kind(*self._start)
        states: list[State] | None = [self._start] if kind is Kind.QUIET else []
        if kind is Kind.FORCED:
            states = self._trial.quiet_after((self._start[0] | block, self._start[1]))
        if kind is Kind.MISSED or states is None:
            return None
        with self._program.adding() as adding:
            for state in states:
                self._constrain(state, adding)
        return [self._reach[state] for state in states]

    def _constrain(self, state: State, adding: Adding) -> None:
        """Add the constraints on a plan in a quiet state, and constraints that waited for it."""
        if state in self._reach:
            return
        reach = self._reach[state] = adding.add_atom()
        adding.add_rule([reach], [], choice=True)
        for leading in self._awaiting.pop(state, ()):
            adding.add_rule([], [*leading, -reach], choice=False)
        own, opp = state
        g = self._board
        playable = bits((own | opp) + g.bottom & g.full)
        squares = [bit.bit_length() - 1 for bit in playable]
        reaching = self._hints.moves(state, self._stop)
        for bit, square in zip(playable, squares, strict=True):
            first = [self._earlier[square, other] for other in squares if other != square]
            chosen = [reach, *first]
            after = self._trial.quiet_after((own | bit, opp)) if bit & reaching else None
            if after is None:
                adding.add_rule([], chosen, choice=False)
                continue
            for following in after:
                if following in self._reach:
                    adding.add_rule([], [*chosen, -self._reach[following]], choice=False)
                else:
                    self._awaiting.setdefault(following, []).append(chosen)

    def _until_missed(self, line: Sequence[State]) -> Sequence[State]:
        """Return the states of a line in which the goal could still be reached."""
        end = len(line)
        while end > 1 and not self._hints.moves(line[end - 1], self._stop):
            end -= 1
        return line[:end]

    def _order(self, holds: Callable[[int], bool]) -> list[int]:
        """Return the squares in the order of an answer set."""

        def compare_squares(a: int, b: int) -> int:
            return -1 if holds(self._earlier[a, b]) else 1

        return sorted(self._empty, key=cmp_to_key(compare_squares))

    def _lead(self) -> None:
        """Make clingo begin its next guess near an order: first the pattern, later a mixed one."""
        order = list(self._empty)
        self._random.shuffle(order)
        height = self._board.stride
        if self.rounds == 0 or self._random.random() < 0.7:
            odd = set()
            if self.rounds:
                odd = {c for c in range(self._board.width) if self._random.random() < 0.25}
            order.sort(key=lambda s: (s % height % 2 == 0) != (s // height in odd))
            for _ in range(4 if self.rounds else 0):
                square = order.pop(self._random.randrange(len(order)))
                order.insert(self._random.randrange(len(order) + 1), square)
        assumed = [self._earlier[a, b] for i, a in enumerate(order) for b in order[i + 1 :]]
        self._program.guess(assumed, lambda _: None, self._stop)
