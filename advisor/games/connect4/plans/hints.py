"""What the exact solver says while a plan is looked for: a hint that steers, never a reason."""

from advisor.games.connect4.plans.trial import Goal, State, bits
from advisor.games.connect4.solver import Solver
from advisor.limits import Stop

_REMEMBERED = 1 << 20
"""States, before all are forgotten: some 200 MB."""


class Hints:
    """Which moves still lead to the goal, with best play by both sides; remembered."""

    def __init__(self, goal: Goal, solver: Solver | None = None) -> None:
        self.goal = goal
        self._completing = goal.geometry.completing
        self._solver = solver or Solver(goal.geometry)
        self._moves: dict[State, int] = {}

    def reachable(self, state: State, stop: Stop) -> bool:
        """Whether the controller, to move, can still reach the goal; see `moves`."""
        return self.moves(state, stop) != 0

    def moves(self, state: State, stop: Stop) -> int:
        """The playable squares by which he can, as bits.

        Args:
            state: in which he completes no line at once.

        Raises:
            KeyboardInterrupt: it was to stop.
        """
        known = self._moves.get(state)
        if known is None:
            (own, opp), g, known = state, self.goal.geometry, 0
            mask, lost = own | opp, self._completing(opp)
            # What the opponent must not reach: a draw, or a win.
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
