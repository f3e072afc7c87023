"""What the strategies say of the moves of many positions, without their reasons.

The rules of the strategies are compiled into a circuit, as those of the features are. What no
circuit can express (recursion) is asked of clingo, position by position.
"""

from collections.abc import Sequence

import numpy as np

from advisor.asp.clingo_api import Term, render
from advisor.asp.reference import best_models
from advisor.circuits.circuit import Circuit
from advisor.circuits.loops import LoopError
from advisor.engine.below import Bools
from advisor.errors import EncodingError
from advisor.games.connect4.board import Board, Geometry
from advisor.games.connect4.evaluator import compile_open, held
from advisor.limits import Stop
from advisor.settings.config import Config

_AT_ONCE = 1 << 12

_SAID = (("fires", 2), ("because", 3))
"""What speaks for a move: a strategy fires, or has a reason to."""


class Strategies:
    """The strategies of one configuration on boards of one geometry.

    Attributes:
        names: of the strategies that have a weight, in the order of the configuration.
    """

    def __init__(self, config: Config, g: Geometry, stop: Stop | None = None) -> None:
        """Compiles their rules unless that has been done before in this process.

        Raises:
            EncodingError: an encoding cannot be compiled, or fires for what is no move.
            ConfigError: it fires for a strategy that has no weight.
            KeyboardInterrupt: it was to stop.
        """
        self.names = tuple(config.weights["moves"])
        self._config = config
        self._width = g.width
        self._weights = np.array(list(config.weights["moves"].values()), np.int64)
        self._circuit: Circuit | None = None
        if not self.names:
            return
        try:
            self._circuit = compile_open(config.strategies(), g, _SAID, stop)
        except LoopError:
            return
        meant = [self._meaning(atom) for atom in self._circuit.outputs]
        self._meant = np.array(meant, np.intp).reshape(-1, 3)

    def totals(self, position: Board) -> dict[int, int]:
        """The sum of the weights that fire for each move, by column."""
        (sums,) = (self.fired([position]) @ self._weights).tolist()
        return {column: sums[column - 1] for column in position.moves()}

    def fired(self, positions: Sequence[Board]) -> Bools:
        """Shape (len(positions), width, strategies): which of them fire for which moves.

        Raises:
            EncodingError, ConfigError: what clingo derives is no move, or has no weight.
        """
        fired = np.zeros((len(positions), self._width, len(self.names)), np.bool_)
        if self._circuit is None:
            if self.names:
                for number, position in enumerate(positions):
                    self._ask(position, fired[number])
            return fired
        for chosen, outputs in held(self._circuit, positions, _AT_ONCE):
            rows = np.array(
                [[positions[i].row_of(c) for c in range(1, self._width + 1)] for i in chosen]
            )
            which, output = np.nonzero(outputs)
            strategy, row, column = self._meant[output].T
            playable = rows[which, column - 1] == row
            at = np.array(chosen)[which[playable]]
            fired[at, column[playable] - 1, strategy[playable]] = True
        return fired

    def _meaning(self, atom: Term) -> tuple[int, int, int]:
        """The number of the strategy that fires, and the move's row and column."""
        _, strategy, *_ = atom
        self._config.require_weight("moves", strategy)
        return self.names.index(strategy), *move_of(atom)

    def _ask(self, position: Board, fired: Bools) -> None:
        """The same by clingo, for one position."""
        config = self._config
        model, *_ = best_models(
            config.strategies(), position.facts(), {}, position.geometry.constants
        )
        for atom in model.atoms:
            if isinstance(atom, tuple) and (atom[0], len(atom) - 1) in _SAID:
                strategy, row, column = self._meaning(atom)
                if 1 <= column <= self._width and position.row_of(column) == row:
                    fired[column - 1, strategy] = True


def move_of(atom: Term) -> tuple[int, int]:
    """The row and the column of the move that an atom fires/2 or because/3 speaks of.

    Raises:
        EncodingError: it is no move.
    """
    _, _, move, *_ = atom
    match move:
        case ("move", int() as row, int() as column):
            return row, column
    raise EncodingError(f"{render(atom)}: '{render(move)}' is not a move (use move(R, C))")
