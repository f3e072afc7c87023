"""Any game as an environment of PettingZoo, in which two agents move by turns."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import advisor


class GameEnv(AECEnv):
    """Actions are numbers of moves; an observation is the state's bits and the legal moves."""

    metadata: ClassVar[dict[str, Any]] = {"name": "advisor_v0", "is_parallelizable": False}

    def __init__(self, game: str) -> None:
        super().__init__()
        self.arrays = advisor.Arrays(game)
        self.possible_agents = list(self.arrays.game.players)
        moves, bits = len(self.arrays.moves), 64 * self.arrays.start(1).shape[1]
        seen = {"observation": spaces.MultiBinary(bits), "action_mask": spaces.MultiBinary(moves)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Dict(seen))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(moves))

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.states = self.arrays.start(1)
        self._turn()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        bits = np.unpackbits(self.states.view(np.uint8), bitorder="little").view(np.int8)
        legal = self.arrays.legal(self.states)[0].astype(np.int8)
        return {"observation": bits, "action_mask": legal * (agent == self.agent_selection)}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.states = self.arrays.step(self.states, np.array([action]))
        if self.arrays.over(self.states)[0]:
            result = int(self.arrays.outcome(self.states)[0])
            self.rewards = dict(zip(self.agents, (result, -result), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Select the agent to move."""
        self.agent_selection = self.possible_agents[int(self.arrays.turn(self.states)[0] < 0)]
