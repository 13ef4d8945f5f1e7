"""One game for a learner, in plain Python: observations, actions and rewards; random events happen inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.observation import action_of, earned, observation_of, planes_for, shape_of, step_of
from papan.game.game import Game
from papan.game.rules import CHANCE, NOBODY, IllegalStep, observe
from papan.lab.environments.arguments import new_match, shown, whole_number


class OneGame:
    """Matches of one game under fixed options, one after the other, played by actions."""

    def __init__(self, game: Game | str, options: Mapping[str, Any] | None = None) -> None:
        """Start with a match of seed 0.

        :raises OptionError: there is no such game, or it can't have these options.
        :raises PartError: the game has no observations.
        """
        self.match = new_match(game, options, 0)
        """The current match."""
        self.game = self.match.game
        self._options = self.match.options
        self._observation = observation_of(self.game)
        self.seats = len(self.match.seats)
        self.shape = shape_of(self._observation, self.match.state)
        """Planes, rows and columns of an observation."""
        self.actions = self._observation.actions(self.match.state)
        """The number of actions."""
        self._paid = [0.0] * self.seats

    def begin(self, seed: int) -> None:
        """Begin another match, whose random events come from *seed*."""
        self.match = new_match(self.game, self._options, seed)
        self._paid = [0.0] * self.seats
        self._settle_chance()

    @property
    def mover(self) -> int:
        """The seat to act."""
        return self.match.mover

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, including by repetition."""
        return self.match.ending is not None

    def play(self, action: int) -> list[float]:
        """Take *action* for the seat to act, then play random events; return each seat's reward.

        :raises TypeError: it is not a whole number.
        :raises IllegalStep: the rules refuse it, or the match is over; nothing has changed.
        """
        self.match.play(self._step(whole_number(action, "An action")))
        self._settle_chance()
        ending = self.match.ending
        totals = [ending.payoffs[seat] if ending else earned(self.match.state, seat) for seat in range(self.seats)]
        rewards = [total - paid for total, paid in zip(totals, self._paid, strict=True)]
        self._paid = totals
        return rewards

    def largest_numbers(self) -> NDArray[np.uint8]:
        """The largest value of each cell: planes × rows × columns."""
        most = [plane.most for plane in self._observation.planes(self.match.states[0])]
        return np.broadcast_to(np.array(most, np.uint8)[:, None, None], self.shape).copy()

    def planes(self, seat: int) -> NDArray[np.uint8]:
        """The observation of *seat*: planes × rows × columns."""
        return planes_for(self._observation, self.match.state, seat)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each legal action of *seat*, else 0; all 0 if it is not to act."""
        mask = np.zeros(self.actions, np.int8)
        if seat == self.mover:
            mask[self.legal_actions()] = 1
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to act."""
        return [int(action_of(self.match.state, step)) for step in self.match.legal_steps()]

    def text(self) -> str:
        """The publicly visible position before the current or last turn, a space, and that turn's notation."""
        turns = self.match.turns()
        begun, said = len(self.match.steps), ""
        if turns and (self.is_over or turns[-1].seat == self.mover):
            begun, said = turns[-1].first_step, turns[-1].notation
        return f"{self.game.rules.text(observe(self.match.states[begun], NOBODY))} {said}".rstrip()

    def _step(self, action: int) -> int:
        """The legal step of *action*.

        :raises IllegalStep: it is illegal.
        """
        match = self.match
        if not match.ending and action in self.legal_actions():
            return int(step_of(match.state, action))
        if not 0 <= action < self.actions:
            raise IllegalStep(f"There is no action {shown(action)}: they are 0 to {self.actions - 1}.")
        step = int(step_of(match.state, action))
        is_other = step in match.legal_steps()  # an impossible action may share its step number with a legal one
        raise IllegalStep(
            f"The action {action} is no step here." if is_other else self.game.rules.refusal(match.state, step)
        )

    def _settle_chance(self) -> None:
        while not self.is_over and self.mover == CHANCE:
            self.match.play(self.match.chance_step())
