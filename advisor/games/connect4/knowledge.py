"""What is known of Connect Four by some weights: values, strategies, exact scores of its boards."""

from collections.abc import Mapping
from functools import cached_property

from advisor.games.bounds import Bounds
from advisor.games.connect4 import book
from advisor.games.connect4.board import Geometry, Position, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.plans import solved
from advisor.games.connect4.plans.following import Step
from advisor.games.connect4.solver import Solver
from advisor.games.connect4.strategies import Strategies
from advisor.limits import Limit, Stop
from advisor.settings.config import Config
from advisor.settings.reading import for_other_boards


class Knowledge:
    """Lives as long as a game or a match.

    What it makes for a board (the evaluator, and a solver with all that it has proved) serves
    the next position too, until one of another board comes.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._evaluators: dict[Geometry, CircuitEvaluator] = {}
        self._strategies: dict[Geometry, Strategies] = {}
        self._solvers: dict[Geometry, Solver] = {}

    def settings(self, g: Geometry) -> Config:
        """Those that count on a board: weights may have been learned on the standard one only."""
        usual = g == geometry() or self.config.other_boards is None
        return self.config if usual else self._elsewhere

    @cached_property
    def _elsewhere(self) -> Config:
        return for_other_boards(self.config)

    def evaluator(self, g: Geometry, stop: Stop | None = None) -> CircuitEvaluator:
        if g not in self._evaluators:
            self._evaluators = {g: CircuitEvaluator(self.settings(g), g, stop)}
        return self._evaluators[g]

    def strategies(self, g: Geometry, stop: Stop | None = None) -> Strategies:
        if g not in self._strategies:
            self._strategies = {g: Strategies(self.settings(g), g, stop)}
        return self._strategies[g]

    def solver(self, g: Geometry) -> Solver:
        if g not in self._solvers:
            self._solvers = {g: Solver(g)}
        return self._solvers[g]

    def solved(self, position: Position) -> Step | None:
        """What the solution of the board plays, if the book is to be used."""
        return solved.known(position) if self.config.book else None

    def opening(self, position: Position) -> Mapping[int, Bounds]:
        """What the opening books know of the moves, if they are to be used."""
        return book.any_known(position) if self.config.book else {}

    def endgame(self, position: Position, limit: Limit, stop: Stop) -> dict[int, Bounds]:
        """What half of the time proves of the moves, if the end of the game is near enough.

        Only for where time alone limits the thinking: a depth is kept to as it is given.
        """
        if limit.depth is not None or position.plies_left > self.config.endgame:
            return {}
        in_time = stop.within(stop.seconds_left / 2)
        return self.solver(position.geometry).outcomes(position, in_time)
