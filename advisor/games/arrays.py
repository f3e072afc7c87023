"""Arrays of states of one game: the interface that `advisor.Arrays` needs from a game.

`rule_arrays` implements it for games defined by rules alone; Connect Four has its own
implementation.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools, Values
from advisor.engine.playouts import Results
from advisor.engine.rows import Index, Look, Turns
from aspcircuits.clingo_api import Term


class StateArrays(Protocol):
    """A game over arrays of states, from the view of the player who begins the game.

    Attributes:
        start: shape (words,), the state at the beginning.
        moves: the name of each move by its number, whoever makes it.
        features: by which states are judged.
        weights: int64 of shape (features,).
    """

    start: npt.NDArray[Any]
    moves: tuple[Any, ...]
    features: tuple[Term, ...]
    weights: Values

    def check(self, states: npt.NDArray[Any]) -> None:
        """Raise an InputError if an array holds something that is visibly no state of the game."""

    def look(self, states: npt.NDArray[Any]) -> Look:
        """Return what the rules say of states.

        Raises:
            InputError: neither player can move in a state in which the game goes on.
        """

    def step(self, states: npt.NDArray[Any], moves: Index, turn: Turns) -> npt.NDArray[Any]:
        """Return the states after legal moves; `turn` comes from a look at the states."""

    def values(self, states: npt.NDArray[Any], turn: Turns, plies: int) -> Values:
        """Return the values of states `plies` plies ahead, each for its side to move."""

    def counts(self, states: npt.NDArray[Any], turn: Turns) -> tuple[Values, Bools]:
        """Return how often each feature holds, and whether a result is certain."""

    def play_out(self, states: npt.NDArray[Any], rng: np.random.Generator) -> Results:
        """Return the result of one random game from each state."""

    def states(self, positions: Sequence[Any]) -> npt.NDArray[Any]:
        """Return the states of positions; an InputError names a position that has none."""

    def position(self, state: npt.NDArray[Any]) -> Any:
        """Return the position of one state, as a new beginning."""
