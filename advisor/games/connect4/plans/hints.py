"""What the exact solver says while a plan is looked for: a hint that steers, never a reason."""

from advisor.games.connect4.board import Position
from advisor.games.connect4.plans.trial import Goal, State, bits
from advisor.games.connect4.python_search import completing
from advisor.games.connect4.solver import Solver
from advisor.limits import Stop

_REMEMBERED = 1 << 20
"""States, before all are forgotten: some 200 MB."""


class Hints:
    """Which moves still lead to the goal, with best play by both sides; remembered."""

    def __init__(self, goal: Goal, solver: Solver | None = None) -> None:
        self.goal = goal
        self._completing = completing(goal.geometry)
        self._solver = solver or Solver(goal.geometry)
        self._reachable: dict[State, bool] = {}
        self._moves: dict[State, int] = {}

    def reachable(self, state: State, stop: Stop) -> bool:
        """Whether the controller, to move, can still reach the goal.

        Raises:
            KeyboardInterrupt: it was to stop.
        """
        known = self._reachable.get(state)
        if known is None:
            self._forget()
            least = 0 if self.goal.hold else 1
            known = self._at_least(state, least, stop)
            self._reachable[state] = known
        return known

    def moves(self, state: State, stop: Stop) -> int:
        """The playable squares by which he can, as bits.

        Raises:
            KeyboardInterrupt: it was to stop.
        """
        known = self._moves.get(state)
        if known is None:
            self._forget()
            own, opp = state
            g, known = self.goal.geometry, 0
            for bit in bits((own | opp) + g.bottom & g.full):
                # What the opponent must not reach: a draw, or a win.
                least = 1 if self.goal.hold else 0
                if not self._at_least((opp, own | bit), least, stop):
                    known |= bit
            self._moves[state] = known
        return known

    def _forget(self) -> None:
        if len(self._reachable) + len(self._moves) > _REMEMBERED:
            self._reachable.clear()
            self._moves.clear()

    def _at_least(self, state: State, score: int, stop: Stop) -> bool:
        """Whether that is the score of a state, for the side to move; nobody has won."""
        mover, other = state
        mask = mover | other
        g = self.goal.geometry
        if self._completing(mover) & mask + g.bottom & g.full:
            return True  # a win is enough, whatever is asked here
        position = Position(g, 1, mover, mask)
        return self._solver.at_least(position, score, stop, undecided=True)
