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
from papan.lab.environments.one_game import OneGame

Opponent = Callable[[NDArray[np.uint8], NDArray[np.int8], np.random.Generator], int]
"""Who plays the other seats: the action for what a seat sees and its mask; all chance is to come from the generator."""

ANSI = "ansi"


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
        self.play = OneGame(game, options)
        """The game that is played, with all that is hidden from the seat."""
        if not 0 <= seat < self.play.seats:
            raise ValueError(f"There is no seat {seat}: they are 0 to {self.play.seats - 1}.")
        self.metadata = {"render_modes": [ANSI], "render_fps": 1}
        self.render_mode = render_mode
        self._seat = seat
        self._opponent = opponent
        most = self.play.largest_numbers()
        self.observation_space = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        self.action_space = spaces.Discrete(self.play.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin another game; the other seats play until it is the learner's turn."""
        super().reset(seed=seed)
        self.play.begin(int(self.np_random.integers(MOST_SEED)))
        self._play_others()
        return self.play.planes(self._seat), self._info(True)

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take *action*; the other seats play until it is the learner's turn again, or the game is over."""
        reward, is_legal = 0.0, True
        try:
            reward = self.play.play(int(action))[self._seat]
        except IllegalStep:
            is_legal = False
        else:
            reward += self._play_others()
        return self.play.planes(self._seat), reward, self.play.is_over, False, self._info(is_legal)

    def render(self) -> Any:
        """The position text, as everybody sees it, where ``render_mode`` is ``ansi``."""
        return self.play.text() if self.render_mode == ANSI else None

    def _play_others(self) -> float:
        """Have the other seats play; returns what that brings to the learner."""
        brought = 0.0
        while not self.play.is_over and self.play.mover != self._seat:
            mover = self.play.mover
            action = self._opponent(self.play.planes(mover), self.play.mask(mover), self.np_random)
            brought += self.play.play(action)[self._seat]
        return brought

    def _info(self, is_legal: bool) -> dict[str, Any]:
        return {"action_mask": self.play.mask(self._seat), "is_legal": is_legal}
