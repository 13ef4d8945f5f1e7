"""Games as PettingZoo environments (``AECEnv``)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from papan.game.game import Game
from papan.lab.environments.one_game import (
    MOST_SEED,
    RENDER_MODES,
    OneGame,
    check_reset_options,
    render_mode_of,
    seat_name,
    seed_of,
    shown,
)

Seen = dict[str, NDArray[Any]]
"""What an agent sees (``observation``) and may do (``action_mask``, all 0 if it is not its turn)."""


class SeatsEnvironment(AECEnv[str, Seen, int]):
    """A game whose seats are the agents ``seat_0``, ``seat_1`` … in the order of play; random events happen inside."""

    def __init__(
        self, game: Game | str, options: Mapping[str, Any] | None = None, render_mode: str | None = None
    ) -> None:
        """See ``papan.lab.environment.aec``."""
        super().__init__()
        self.one_game = OneGame(game, options)
        """The game itself, including what is hidden from the agents."""
        self.metadata = {
            "name": f"papan_{self.one_game.game.name.replace('-', '_')}_v{self.one_game.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = [seat_name(seat) for seat in range(self.one_game.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = Random()
        most = self.one_game.largest_numbers()
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(most), most, dtype=np.uint8),
                    "action_mask": spaces.Box(0, 1, (self.one_game.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.one_game.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Equal for all agents, but a separate object for each."""
        self._check_agent(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions; ``sample`` takes a mask."""
        self._check_agent(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game; the same *seed* gives the same random events, in this game and those after it.

        :param options: ignored.
        :raises TypeError: *seed* is not a whole number, or *options* is not a dictionary; nothing has changed.
        :raises ValueError: *seed* is below 0 or above 2**64 - 1; nothing has changed.
        """
        check_reset_options(options)
        seed = seed_of(seed)
        if seed is not None:
            self._random = Random(seed)
        self.one_game.begin(self._random.randrange(MOST_SEED))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.one_game.mover]

    def step(self, action: int) -> None:
        """Take *action* for ``agent_selection``; None if its game is over.

        :raises IllegalStep: the rules refuse it; nothing has changed.
        :raises TypeError: it is not a whole number.
        :raises ValueError: no game is in progress.
        """
        self._check_under_way()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        rewards = self.one_game.play(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()
        if self.one_game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.one_game.mover]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """PettingZoo's ``last``: observation (if *observe*), reward, and whether the game is over.

        :raises ValueError: no game is in progress.
        """
        self._check_under_way()
        last: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return last

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Seen, int]:
        """The agents to act, one after the other, until all are done.

        :raises ValueError: no game has begun.
        """
        self.one_game.check_begun()
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> Seen:
        """What *agent* sees and may do.

        :raises ValueError: there is no such agent, or no game has begun.
        """
        self.one_game.check_begun()
        self._check_agent(agent)
        seat = self._seats[agent]
        return {"observation": self.one_game.planes(seat), "action_mask": self.one_game.mask(seat)}

    def render(self) -> str | NDArray[np.uint8] | None:
        """The publicly visible position, as ``render_mode`` says: a text, or rows by columns by red, green and blue.

        :raises ValueError: no game has begun, or ``render_mode`` was set to an unknown one.
        """
        self.one_game.check_begun()
        return self.one_game.rendered(self.render_mode)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def _check_under_way(self) -> None:
        self.one_game.check_begun()
        if not self.agents:
            raise ValueError("The game is over: reset begins another.")

    def _check_agent(self, agent: Any) -> None:
        if not isinstance(agent, str) or agent not in self._seats:
            raise ValueError(f"There is no agent {shown(agent)}: they are {', '.join(self._seats)}.")
