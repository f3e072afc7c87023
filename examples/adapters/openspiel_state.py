"""One state of any game with the methods of OpenSpiel's states."""

import numpy as np

import advisor

TERMINAL = -4
"""As `pyspiel.PlayerId.TERMINAL`."""


class State:
    """What OpenSpiel's algorithms ask of a state; actions are numbers of moves."""

    def __init__(self, arrays: advisor.Arrays) -> None:
        self.arrays, self.states = arrays, arrays.start(1)

    def clone(self) -> "State":
        copy = State(self.arrays)
        copy.states = self.states  # which is never written to
        return copy

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else int(self.arrays.turn(self.states)[0] < 0)

    def legal_actions(self) -> list[int]:
        return np.flatnonzero(self.arrays.legal(self.states)).tolist()

    def action_to_string(self, action: int) -> str:
        return str(self.arrays.moves[action])

    def apply_action(self, action: int) -> None:
        self.states = self.arrays.step(self.states, np.array([action]))

    def is_terminal(self) -> bool:
        return bool(self.arrays.over(self.states)[0])

    def is_chance_node(self) -> bool:
        return False

    def returns(self) -> list[float]:
        result = float(self.arrays.outcome(self.states)[0])
        return [result, -result]
