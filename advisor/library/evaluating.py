"""Values of arrays of Connect Four positions."""

import os
from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Values
from advisor.engine.rows import Turns
from advisor.engine.search import WIN
from advisor.games import rooms
from advisor.games.game import Position
from advisor.games.score import Score
from advisor.library import arguments
from advisor.library.arrays import Arrays, several_positions
from advisor.library.circuits import cost
from advisor.limits import MAX_DEPTH
from advisor.settings.config import DEFAULT
from aspcircuits.circuit import Circuit


class Evaluator(Arrays):
    """Values of Connect Four positions by the encodings, many at a time; compiled once.

    This is the `Arrays` of Connect Four; it also accepts discs as whole numbers, and positions.

    >>> import numpy as np
    >>> evaluator = advisor.Evaluator()
    >>> games = [advisor.position("44"), advisor.position("4141"), advisor.position("414141")]
    >>> values = evaluator.values(games)
    >>> [evaluator.score(value).kind for value in values]
    ['heuristic', 'heuristic', 'win']
    >>> cells = np.stack([game.cells for game in games])
    >>> bool((evaluator.values(cells) == values).all())
    True

    Args:
        weights: a preset or a weights file.
        size, connect: of all boards, as for `advisor.position`.
        machine_code: with the extra ``fast``: True for machine code from the beginning, which takes
            a second or two to make the first time; False for never; None once it pays.

    Raises:
        InputError: a size that is out of range.
        ConfigError, EncodingError: weights or encodings that cannot be used.

    Attributes:
        features, weights, moves: see `Arrays`.
    """

    def __init__(
        self,
        weights: str | os.PathLike[str] = DEFAULT,
        *,
        size: tuple[int, int] = (7, 6),
        connect: int = 4,
        machine_code: bool | None = None,
    ) -> None:
        constants = arguments.board(size, connect)
        game = rooms.load(None, arguments.path("weights", weights), constants)
        super().__init__(game, machine_code=machine_code)
        self._boards = cast("rooms.BoardArrays", self._inner)

    @property
    def circuit(self) -> Circuit:
        """The circuit of the features; its inputs are the discs and the side to move."""
        return self._boards.circuit

    def cost(self) -> dict[str, tuple[int, int]]:
        """Return the cost of each feature; see `advisor.library.circuits.cost`."""
        return cost(self.circuit)

    def __repr__(self) -> str:
        return f"<Evaluator of boards {self._boards.board}, {len(self.features)} features>"

    def values(
        self,
        positions: Iterable[Position] | npt.NDArray[Any],
        *,
        plies: int = 0,
        turn: int | None = None,
    ) -> Values:
        """Return the values of positions.

        Args:
            positions: boards; or an array of whole numbers of shape (n, rows, columns), bottom row
                first, 0 for an empty square, 1 for x, 2 for o; or, fastest, uint64 of shape (n, 2):
                bitboards of the discs of x and of o, in which the square in row R and column C
                (from 1) is bit (C - 1) * (rows + 1) + R - 1.
            plies: of full-width look-ahead.
            turn: the side to move in all positions of an array, 1 for x; by default the number of
                discs decides.

        Returns:
            int64 of shape (n,), in weight units, each for its player to move. A win in n of the
            winner's moves, a loss or a finished game is beyond `FORCED`; `score` tells.

        Raises:
            InputError: another shape, another size, or discs that are no position; invalid plies.
        """
        plies = arguments.whole("plies", plies, 0, MAX_DEPTH)
        return self._boards.values(*self._read(positions, turn), plies)

    def counts(
        self, positions: Iterable[Position] | npt.NDArray[Any], *, turn: int | None = None
    ) -> tuple[Values, npt.NDArray[np.bool_]]:
        """Count the features that make up the values, to learn weights from.

        Args:
            positions, turn: as for `values`; their games go on.

        Returns:
            int64 of shape (n, features): how often x has each feature, minus how often o has it;
            and bool of shape (n,): whether the result is certain, so that features do not matter.
        """
        return self._boards.counts(*self._read(positions, turn))

    def score(self, value: int) -> Score:
        """Return the meaning of a value as a score."""
        return self._boards.score(arguments.whole("value", value, -WIN, WIN))

    def _read(
        self, positions: Iterable[Position] | npt.NDArray[Any], turn: int | None
    ) -> tuple[npt.NDArray[Any], Turns]:
        if not isinstance(positions, np.ndarray):
            positions = several_positions(positions)
        return self._boards.read(positions, turn)
