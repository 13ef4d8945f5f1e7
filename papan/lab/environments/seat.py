"""Games for Gymnasium, seen by one seat: all other seats belong to the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from papan.game.facts import Game
from papan.game.rules import IllegalStep
from papan.lab.environments.beginning import MOST_SEED
from papan.lab.environments.one_game import ANSI, OneGame

Opponent = Callable[[NDArray[np.uint8], NDArray[np.int8], np.random.Generator], int]
"""Who plays the other seats: the action for what a seat sees and its mask; all chance is to come from the generator."""


def random_opponent(planes: NDArray[np.uint8], mask: NDArray[np.int8], random: np.random.Generator) -> int:
    """One of the legal actions, each as likely as any other."""
    return int(random.choice(np.flatnonzero(mask)))


class SeatEnvironment(gymnasium.Env[NDArray[np.uint8], int]):
    """A game as one of its seats meets it; ``info["action_mask"]`` has 1 for each legal action, else 0.

    An action that is not legal changes nothing and brings nothing: ``info["is_legal"]`` is False then.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, str] | None = None,
        seat: int = 0,
        opponent: Opponent = random_opponent,
        render_mode: str | None = None,
    ) -> None:
        """The learner plays *seat*, *opponent* all others.

        :param render_mode: ``ansi``, for ``render`` to return the position text, or None.
        :raises OptionError: there is no such game, or it can't have these options.
        :raises PartError: it can't be shown to learners.
        :raises ValueError: there is no such seat.
        """
        self.one_game = OneGame(game, options)
        """The game that is played, with all that is hidden from the seat."""
        if not 0 <= seat < self.one_game.seats:
            raise ValueError(f"There is no seat {seat}: they are 0 to {self.one_game.seats - 1}.")
        self.metadata = {"render_modes": [ANSI], "render_fps": 1}
        self.render_mode = render_mode
        self._seat = seat
        self._opponent = opponent
        most = self.one_game.largest_numbers()
        self.observation_space = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        self.action_space = spaces.Discrete(self.one_game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin another game; the other seats play until it is the learner's turn."""
        super().reset(seed=seed)
        self.one_game.begin(int(self.np_random.integers(MOST_SEED)))
        self._play_others()
        return self.one_game.planes(self._seat), self._info(True)

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take *action*; the other seats play until it is the learner's turn again, or the game is over."""
        reward, is_legal = 0.0, True
        try:
            reward = self.one_game.play(int(action))[self._seat]
        except IllegalStep:
            is_legal = False
        else:
            reward += self._play_others()
        return self.one_game.planes(self._seat), reward, self.one_game.is_over, False, self._info(is_legal)

    def render(self) -> Any:
        """The position text, as everybody sees it, where ``render_mode`` is ``ansi``."""
        return self.one_game.text() if self.render_mode == ANSI else None

    def _play_others(self) -> float:
        """Have the other seats play; returns what that brings to the learner."""
        brought = 0.0
        while not self.one_game.is_over and self.one_game.mover != self._seat:
            mover = self.one_game.mover
            action = self._opponent(self.one_game.planes(mover), self.one_game.mask(mover), self.np_random)
            brought += self.one_game.play(action)[self._seat]
        return brought

    def _info(self, is_legal: bool) -> dict[str, Any]:
        return {"action_mask": self.one_game.mask(self._seat), "is_legal": is_legal}
