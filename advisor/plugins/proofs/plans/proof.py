"""Proofs by plans, for any position: from the solution, or looked for.

Before the player who has the plan moves there is one plan for a position; if it is the opponent's
turn there is one for each of his replies, the same one where it serves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from advisor.errors import InputError
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board
from advisor.games.connect4.solver import Solver
from advisor.games.examples import sign
from advisor.plugins.proofs.plans import solved
from advisor.plugins.proofs.plans.compiled_trial import Trials, trial
from advisor.plugins.proofs.plans.synthesis import Effort, Ended, Hints, find, numbered
from advisor.plugins.proofs.plans.trial import (
    By,
    Goal,
    PlanNumbers,
    PlanStep,
    PlanTrial,
    ProvedPlan,
    by_threats,
    state_of,
    step,
)
from advisor.plugins.proofs.victor.plan import Claim
from advisor.plugins.proofs.victor.playout import PlayOut
from aspcircuits.stopping import Stop

_EFFORTS = (Effort(60), Effort(40, 4), Effort(40, 6), Effort(40, 8))

_GAMES = 300
"""That a check plays where it is more than a plan that is checked."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is played in a position, or after some of the opponent's replies (columns) to it, in the
    first of the positions that these lead to."""

    replies: tuple[int, ...]
    position: Board
    step: PlanStep


@dataclass(frozen=True, slots=True)
class PlanProof:
    """That a player wins, or only holds at least a draw, from a position.

    There is one answer, or one for each of the opponent's replies, by the plans.

    >>> proof = advisor.prove(advisor.position(size=(6, 4)), by="plan")
    >>> proof.player, proof.outcome, proof.first
    (2, 'wins', None)
    """

    position: Board
    player: int
    hold: bool
    answers: tuple[Continuation, ...]

    @property
    def outcome(self) -> Claim:
        """``"holds"`` or ``"wins"``, as of a proof by rules."""
        return "holds" if self.hold else "wins"

    @property
    def first(self) -> int | None:
        """The column of the player's first move if it is his turn."""
        answer = self.answers[0]
        return None if answer.replies else answer.step.column


def known(position: Board, player: int | None = None) -> PlanProof | None:
    """What a solution that comes with the advisor proves, for this player only if one is given.

    Whose turn it is does not matter: a solution answers every reply to its moves.
    """
    turn = position.turn
    if player in (None, turn) and (found := solved.known(position)):
        return PlanProof(position, turn, found.hold, (Continuation((), position, found),))
    return _answered(position) if player in (None, 3 - turn) else None


def _answered(position: Board) -> PlanProof | None:
    """That the opponent of the player to move has an answer to every reply, by the solution."""
    found: dict[ProvedPlan | int, Continuation] = {}
    for column in sorted(position.moves()):
        after = position.after(column)
        told = None if after.over else solved.known(after) or by_threats(after)
        if told is None:
            return None
        first = found.setdefault(told.plan or column, Continuation((), after, told))
        found[told.plan or column] = replace(first, replies=(*first.replies, column))
    answers = tuple(found.values())
    if not any(answer.step.by is By.MOVE or answer.step.plan for answer in answers):
        return None
    hold = any(answer.step.hold for answer in answers)
    return PlanProof(position, 3 - position.turn, hold, answers)


def look_for(position: Board, player: int | None, stop: Stop) -> PlanProof | None:
    """A proof by plans that are found by guess and correction; None if there are none.

    What the position is worth is asked of the exact solver, which steers; what is found is tried
    in full.

    Args:
        position: with four in line, on a board of any size; the game goes on.
        player: prove something for this player only.

    Raises:
        InputError: plans are for four in line.
        KeyboardInterrupt: it was to stop before anything was found.
    """
    if position.geometry.connect != 4:
        raise InputError("plans are for boards where four in line win")
    if position.over:
        raise InputError("the game is over: there is nothing left to prove")
    solver = Solver(position.geometry)
    worth = _worth(position, solver, stop)
    turn, other = position.turn, 3 - position.turn
    able = {1: (turn,), 0: (other, turn), -1: (other,)}[worth]
    for each in able:
        if player in (None, each):
            found = _Search(position, each, worth == 0, solver, stop).run()
            if found:
                return PlanProof(position, each, worth == 0, found)
    return None


def check(proof: PlanProof) -> PlayOut:
    """Plays a proof out: a plan against all replies, a move of the solution in random games."""
    tried = 0
    for answer in proof.answers:
        plan = answer.step.plan
        if plan is None:
            return _played(proof)
        goal = trial(Goal(proof.position.geometry, plan.hold, plan.threats))
        for start in [*map(proof.position.after, answer.replies)] or [proof.position]:
            result = goal.tried(state_of(start), plan.numbers)
            tried += result.states
            if not result.right:
                return PlayOut(True, tried, (), by_rules=False)
    return PlayOut(True, tried, None, by_rules=False)


def _worth(position: Board, solver: Solver, stop: Stop) -> int:
    """1, 0 or -1 for the player to move."""
    if scores := exact.book(position):
        return sign(max(solution.lower for solution in scores.values()))
    return next((worth for worth in (1, 0) if solver.at_least(position, worth, stop)), -1)


def _played(proof: PlanProof) -> PlayOut:
    """Games by the solution against random replies."""
    random, enough = Random(0), {proof.player, 0} if proof.hold else {proof.player}
    safe = PlanTrial(Goal(proof.position.geometry, proof.hold))
    for number in range(_GAMES):
        position = proof.position
        while not position.over:
            if position.turn != proof.player:
                position = position.after(random.choice(position.moves()))
                continue
            found = solved.known(position) or by_threats(position)
            if found is None and not safe.reached(state_of(position)):
                return PlayOut(False, number + 1, (), by_rules=False)
            position = position.after(found.column if found else position.moves()[0])
        if position.winner not in enough:
            return PlayOut(False, number + 1, (), by_rules=False)
    return PlayOut(False, _GAMES, None, by_rules=False)


class _Search:
    """Plans for one player in one position, or after each reply to it."""

    def __init__(
        self, position: Board, player: int, hold: bool, solver: Solver, stop: Stop
    ) -> None:
        goal = Goal(position.geometry, hold)
        self._position, self._player, self._hold, self._stop = position, player, hold, stop
        soon = stop.within(stop.seconds_left / 2)  # for machine code: the rest does without
        self._trials, self._hints = Trials(goal, soon), Hints(goal, solver)
        self._pool: list[PlanNumbers] = [numbered(goal.geometry)]

    def run(self) -> tuple[Continuation, ...] | None:
        """The answers; None if there is no plan for one of them."""
        position = self._position
        if position.turn == self._player:
            plan = self._plan([position])
            return (Continuation((), position, step(plan, position)),) if plan else None
        if position.wins_at_once():
            return None
        found = []
        afters = {column: position.after(column) for column in sorted(position.moves())}
        left = {column: after for column, after in afters.items() if not after.full}
        while left:
            plan = self._plan([*left.values()])
            if plan is None:
                return None
            served = tuple(c for c, after in left.items() if self._right(after, plan.numbers))
            first = left[served[0]]
            found.append(Continuation(served, first, step(plan, first)))
            left = {column: after for column, after in left.items() if column not in served}
        return tuple(found)

    def _plan(self, positions: Sequence[Board]) -> ProvedPlan | None:
        """A plan for the first of some positions, and for as many others as there is one."""
        first, *others = positions
        known = [numbers for numbers in self._pool if self._right(first, numbers)]
        if not known and (new := self._new(first)):
            self._pool.append(new)
            known = [new]
        if not known:
            return None
        numbers = max(known, key=lambda each: sum(self._right(p, each) for p in others))
        served = [state_of(p) for p in positions if self._right(p, numbers)]
        threats = self._trials.fewest(served, numbers)
        return ProvedPlan(self._player, numbers, threats, self._hold)

    def _new(self, position: Board) -> PlanNumbers | None:
        """A plan that clingo finds; looks for it until it is there, or there is none."""
        state, seed = state_of(position), 0
        found: PlanNumbers | Ended = Ended.GIVEN_UP
        while found is Ended.GIVEN_UP:
            found = find(self._trials.most, self._hints, state, _EFFORTS, seed, self._stop).numbers
            seed += len(_EFFORTS)
        return None if isinstance(found, Ended) else found

    def _right(self, position: Board, numbers: PlanNumbers) -> bool:
        self._stop.check()
        return self._trials.most.tried(state_of(position), numbers).right
