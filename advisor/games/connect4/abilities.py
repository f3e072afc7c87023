"""What Connect Four can do for an advice: exact scores by the opening book and the engines."""

from collections.abc import Callable

from advisor.games.bounds import Bounds
from advisor.games.connect4 import exact, openings
from advisor.games.connect4.board import Position
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.phrasing import BoardPhrasing
from advisor.games.connect4.solver import Solver, known_bounds, score_in, winner_moves
from advisor.games.score import Score
from advisor.limits import Stop
from advisor.settings.texts import Texts


class BoardAbilities:
    """See `advisor.games.abilities.Abilities`.

    Args:
        position: any position.
        texts: of the encodings that the advice is made with.
        solver: that of the board, with all that it has proved.
    """

    def __init__(self, position: Position, texts: Texts, solver: Callable[[], Solver]) -> None:
        self.position = position
        self.phrasing = BoardPhrasing(position, texts)
        self._solver = solver

    def at_sight(self, move: int) -> Bounds:
        """By the squares that are left."""
        return -known_bounds(self.position.after(move))

    def points(self, score: Score) -> int | None:
        """Pascal Pons'."""
        if score.kind == "draw":
            return 0
        if score.kind == "heuristic" or score.moves is None:
            return None
        return score_in(self.position, "win" if score.kind == "win" else "loss", score.moves)

    def forced(self, bounds: Bounds) -> Score | None:
        """With the winner's moves, where the exact score is known."""
        if bounds.outcome is None:
            return None
        if bounds.score is None:
            return Score(bounds.outcome, proved=True)
        moves = winner_moves(self.position, bounds.score)
        return Score(bounds.outcome, moves=moves, proved=True, points=bounds.score)

    def certain(self, stop: Stop, on_progress: Callable[[Exact], None], jobs: int = 1) -> Exact:
        """See `advisor.games.abilities.Abilities`; a solver of several threads is a new one."""
        return openings.scores(self.position) or exact.solve(
            self.position,
            columns=True,
            stop=stop,
            solver=self._solver() if jobs == 1 else None,
            jobs=jobs,
            on_progress=on_progress,
        )
