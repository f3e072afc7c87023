"""Very many states of a game at once, given as arrays: what `advisor.Arrays` asks a game for.

Of games that have their rules alone it is in `rule_arrays`; Connect Four has its own.
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
    """A game over arrays of states; what it says of them is for the player who begins a game.

    Attributes:
        start: shape (words,), the state at the beginning.
        moves: what each move is called, by its number, whoever makes it.
        features: what states are judged by.
        weights: int64 of shape (features,).
    """

    start: npt.NDArray[Any]
    moves: tuple[Any, ...]
    features: tuple[Term, ...]
    weights: Values

    def check(self, states: npt.NDArray[Any]) -> None:
        """Refuses, by an InputError, what is no state of the game as far as that shows."""

    def look(self, states: npt.NDArray[Any]) -> Look:
        """What the rules say of states; an InputError if nobody can move in one that goes on."""

    def step(self, states: npt.NDArray[Any], moves: Index, turn: Turns) -> npt.NDArray[Any]:
        """The states after legal moves; `turn` is that of a look at the states."""

    def values(self, states: npt.NDArray[Any], turn: Turns, plies: int) -> Values:
        """What states are worth, each for who is to move there."""

    def counts(self, states: npt.NDArray[Any], turn: Turns) -> tuple[Values, Bools]:
        """How often each feature holds; and whether a result is certain."""

    def play_out(self, states: npt.NDArray[Any], rng: np.random.Generator) -> Results:
        """The result of a random game from each state."""

    def states(self, positions: Sequence[Any]) -> npt.NDArray[Any]:
        """The states of positions; an InputError says which one has none."""

    def position(self, state: npt.NDArray[Any]) -> Any:
        """The position of one state, as a new beginning."""
