"""Proofs by plans, for any position: from the solution, or newly found.

If the player with the plan is to move, there is one plan for the position; if the opponent is to
move, there is one for each reply, the same one where it fits.
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
from advisor.plugins.proofs.plans.synthesis import Effort, Ended, Hints, find, number_squares
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
"""Games that a check plays if a proof is more than a plan."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A step in a position, or after some of the opponent's replies (columns) to it.

    The step is for the first of the positions that the replies lead to.
    """

    replies: tuple[int, ...]
    position: Board
    step: PlanStep


@dataclass(frozen=True, slots=True)
class PlanProof:
    """A proof that a player wins, or at least draws, from a position.

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
        """``"holds"`` or ``"wins"``, as in a proof by rules."""
        return "holds" if self.hold else "wins"

    @property
    def first(self) -> int | None:
        """The column of the player's first move, if it is the player's turn."""
        answer = self.answers[0]
        return None if answer.replies else answer.step.column


def known_proof(position: Board, player: int | None = None) -> PlanProof | None:
    """Return the proof by an advisor's solution, for this player only if one is given.

    It may be either side's turn: a solution answers every reply to its moves.
    """
    turn = position.turn
    if player in (None, turn) and (found := solved.known_step(position)):
        return PlanProof(position, turn, found.hold, (Continuation((), position, found),))
    return _proof_by_answers(position) if player in (None, 3 - turn) else None


def _proof_by_answers(position: Board) -> PlanProof | None:
    """Return a proof for the opponent of the side to move, by a solution's answers."""
    found: dict[ProvedPlan | int, Continuation] = {}
    for column in sorted(position.moves()):
        after = position.after(column)
        told = None if after.over else solved.known_step(after) or by_threats(after)
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
    """Return a proof by plans that are found by guess and correction; None if there are none.

    The exact solver gives the position's result and hints; every plan is tried in full.

    Args:
        position: with four in line, on a board of any size; the game goes on.
        player: prove something for this player only.
        stop: ends the search when set.

    Raises:
        InputError: plans are for four in line.
        KeyboardInterrupt: `stop` was set before anything was found.
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
    """Play a proof out: a plan against all replies, a move of the solution in random games."""
    tried = 0
    for answer in proof.answers:
        plan = answer.step.plan
        if plan is None:
            return _play_games(proof)
        goal = trial(Goal(proof.position.geometry, plan.hold, plan.threats))
        for start in [*map(proof.position.after, answer.replies)] or [proof.position]:
            result = goal.try_plan(state_of(start), plan.numbers)
            tried += result.states
            if not result.right:
                return PlayOut(True, tried, (), by_rules=False)
    return PlayOut(True, tried, None, by_rules=False)


def _worth(position: Board, solver: Solver, stop: Stop) -> int:
    """Return the result for the player to move: 1, 0 or -1."""
    if scores := exact.book(position):
        return sign(max(solution.lower for solution in scores.values()))
    return next((worth for worth in (1, 0) if solver.at_least(position, worth, stop)), -1)


def _play_games(proof: PlanProof) -> PlayOut:
    """Play games by the solution against random replies."""
    random, enough = Random(0), {proof.player, 0} if proof.hold else {proof.player}
    safe = PlanTrial(Goal(proof.position.geometry, proof.hold))
    for number in range(_GAMES):
        position = proof.position
        while not position.over:
            if position.turn != proof.player:
                position = position.after(random.choice(position.moves()))
                continue
            found = solved.known_step(position) or by_threats(position)
            if found is None and not safe.is_reached(state_of(position)):
                return PlayOut(False, number + 1, (), by_rules=False)
            position = position.after(found.column if found else position.moves()[0])
        if position.winner not in enough:
            return PlayOut(False, number + 1, (), by_rules=False)
    return PlayOut(False, _GAMES, None, by_rules=False)


class _Search:
    """Searches plans for one player in one position, or after each reply to it."""

    def __init__(
        self, position: Board, player: int, hold: bool, solver: Solver, stop: Stop
    ) -> None:
        goal = Goal(position.geometry, hold)
        self._position, self._player, self._hold, self._stop = position, player, hold, stop
        soon = stop.with_limit(stop.seconds_left / 2)  # for machine code: the rest works without it
        self._trials, self._hints = Trials(goal, soon), Hints(goal, solver)
        self._pool: list[PlanNumbers] = [number_squares(goal.geometry)]

    def run(self) -> tuple[Continuation, ...] | None:
        """Return the answers; None if there is no plan for one of them."""
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
        """Return a plan for the first of some positions that serves as many others as possible."""
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
        """Return a plan that clingo finds; it searches until there is one, or there is none."""
        state, seed = state_of(position), 0
        found: PlanNumbers | Ended = Ended.GIVEN_UP
        while found is Ended.GIVEN_UP:
            found = find(self._trials.most, self._hints, state, _EFFORTS, seed, self._stop).numbers
            seed += len(_EFFORTS)
        return None if isinstance(found, Ended) else found

    def _right(self, position: Board, numbers: PlanNumbers) -> bool:
        self._stop.check()
        return self._trials.most.try_plan(state_of(position), numbers).right
