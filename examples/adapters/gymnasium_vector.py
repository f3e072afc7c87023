"""Many games side by side as a vector environment of Gymnasium, against a random opponent."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import advisor


class GamesAgainstChance(VectorEnv):
    """The agent is the first player of every game.

    Actions are numbers of moves; `info["action_mask"]` says which are legal. An observation is the
    state's bits. A game that is over begins anew at the next step, whatever the action.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, game: str, num_envs: int) -> None:
        self.arrays, self.num_envs = advisor.Arrays(game), num_envs
        self.single_observation_space = spaces.MultiBinary(64 * self.arrays.start(1).shape[1])
        self.single_action_space = spaces.Discrete(len(self.arrays.moves))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.states = self.arrays.start(self.num_envs)
        return self._observe()

    def step(self, actions: np.ndarray) -> tuple[Any, ...]:
        going = ~self.arrays.over(self.states)
        self.states[~going] = self.arrays.start(int((~going).sum()))
        self.states[going] = self.arrays.step(self.states[going], np.asarray(actions)[going])
        while (
            theirs := (self.arrays.turn(self.states) < 0) & ~self.arrays.over(self.states)
        ).any():
            legal = self.arrays.legal(self.states[theirs])
            moves = (self.np_random.random(legal.shape) * legal).argmax(axis=1)
            self.states[theirs] = self.arrays.step(self.states[theirs], moves)
        over, rewards = self.arrays.over(self.states), self.arrays.outcome(self.states)
        bits, info = self._observe()
        return bits, rewards.astype(np.float64), over, np.zeros_like(over), info

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        bits = np.unpackbits(self.states.view(np.uint8), axis=1, bitorder="little").view(np.int8)
        return bits, {"action_mask": self.arrays.legal(self.states).astype(np.int8)}
