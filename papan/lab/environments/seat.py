"""Games as Gymnasium environments for one seat; the environment plays all other seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from papan.game.game import Game
from papan.game.rules import IllegalStep
from papan.lab.environments.one_game import (
    MOST_SEED,
    RENDER_MODES,
    OneGame,
    check_reset_options,
    number_between,
    render_mode_of,
    seed_of,
    shown,
    whole_number,
)

Opponent = Callable[[NDArray[np.uint8], NDArray[np.int8], np.random.Generator], int]
"""A player for the other seats: returns an action from observation and mask; takes randomness from the generator."""


def random_opponent(planes: NDArray[np.uint8], mask: NDArray[np.int8], random: np.random.Generator) -> int:
    """A legal action, uniformly at random."""
    return int(random.choice(np.flatnonzero(mask)))


class SeatEnvironment(gymnasium.Env[NDArray[np.uint8], int]):
    """A game from one seat; ``info["action_mask"]`` has 1 for each legal action, else 0.

    An illegal action changes nothing, gives no reward and sets ``info["is_legal"]`` to False.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seat: int = 0,
        opponent: Opponent = random_opponent,
        render_mode: str | None = None,
    ) -> None:
        """See ``papan.lab.environment.single``."""
        self.one_game = OneGame(game, options)
        """The game itself, including what is hidden from the seat."""
        self._seat = number_between(seat, "The seat", 0, self.one_game.seats - 1)
        if not callable(opponent):
            raise TypeError(f"The opponent must be a function that chooses an action, not {shown(opponent)}.")
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.render_mode = render_mode_of(render_mode)
        self._opponent = opponent
        most = self.one_game.largest_numbers()
        self.observation_space = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        self.action_space = spaces.Discrete(self.one_game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin another game; the other seats play until it is the learner's turn.

        :param options: ignored.
        :raises TypeError: *seed* is not a whole number, or *options* is not a dictionary; nothing has changed.
        :raises ValueError: *seed* is below 0 or above 2**64 - 1; nothing has changed.
        """
        check_reset_options(options)
        super().reset(seed=seed_of(seed))
        self.one_game.begin(int(self.np_random.integers(MOST_SEED)))
        self._play_others()
        return self.one_game.planes(self._seat), self._info(True)

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take *action*; the other seats play until it is the learner's turn again, or the game is over.

        :raises TypeError: it is not a whole number; nothing has changed.
        :raises ValueError: no game has begun.
        """
        self.one_game.check_begun()
        action = whole_number(action, "An action")
        reward, is_legal = self._play_others(), True  # others are only to move here if the opponent raised before
        try:
            reward += self.one_game.play(action)[self._seat]
        except IllegalStep:
            is_legal = False
        else:
            reward += self._play_others()
        return self.one_game.planes(self._seat), reward, self.one_game.is_over, False, self._info(is_legal)

    def render(self) -> Any:
        """The publicly visible position, as ``render_mode`` says: a text, or rows by columns by red, green and blue.

        :raises ValueError: no game has begun, or ``render_mode`` was set to an unknown one.
        """
        self.one_game.check_begun()
        return self.one_game.rendered(self.render_mode)

    def _play_others(self) -> float:
        """Have the other seats play; return the learner's reward."""
        brought = 0.0
        while not self.one_game.is_over and self.one_game.mover != self._seat:
            mover = self.one_game.mover
            action = self._opponent(self.one_game.planes(mover), self.one_game.mask(mover), self.np_random)
            brought += self.one_game.play(whole_number(action, "The opponent's action"))[self._seat]
        return brought

    def _info(self, is_legal: bool) -> dict[str, Any]:
        return {"action_mask": self.one_game.mask(self._seat), "is_legal": is_legal}
