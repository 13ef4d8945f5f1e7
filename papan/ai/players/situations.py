"""Situations that players get, the protocol of players, and whether a computer agrees to a draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of, winning_chance
from papan.ai.limits import Analysis
from papan.ai.search.repetition import come_twice
from papan.game.kernel.rng import mix
from papan.game.match import Match
from papan.game.rules import CHANCE, State, observe

EVEN = 0.52
"""Above this winning chance a computer plays on."""
BEHIND = 0.4
"""Below this winning chance it takes a draw at any time."""
LEAST_TURNS = 10
"""Turns of each seat before it takes a draw in an even game."""


class PlayerError(ValueError):
    """There is no such player; the message lists those there are."""


@dataclass(frozen=True)
class Past:
    """The history of a match, for engines, which get moves instead of positions."""

    options: Mapping[str, str]
    start: State
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Situation:
    """What a player gets when it is to act: what its seat sees."""

    state: State
    seat: int
    seed: int
    """For its random choices: the same situation gives the same step."""
    came_twice: tuple[int, ...] = ()
    """Keys of positions that end the game if they come once more."""
    past: Past | None = None
    """None if the game hides something."""
    seconds: float | None = None
    """Its time for the move, if a clock runs."""
    most_seconds: float | None = None
    """Its maximum for a difficult move; None for ``seconds``."""


def situation(match: Match) -> Situation:
    seed = int(mix((match.seed * 0x10001 + len(match.steps)) & 0xFFFFFFFFFFFFFFFF))
    past = None if match.game.has_hidden_information else Past(match.options, match.states[0], tuple(match.steps))
    return Situation(observe(match.state, match.mover), match.mover, seed, come_twice(match.states), past)


class Player(Protocol):
    """A computer player of one game. ``stop`` and ``live`` may be called from another thread."""

    def prepare(self, state: State) -> None:
        """Compile what it needs first for this type of state."""

    def prepare_rest(self, state: State) -> None:
        """Compile what it needs later in the game."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = ...) -> Analysis:
        """Its step for *situation*; any step after ``stop`` or once *is_cancelled* returns true."""

    def stop(self) -> None:
        """Make ``choose`` return at once."""

    def live(self) -> Analysis | None:
        """The progress of ``choose``, if known."""


def agrees_to_draw(match: Match, seat: int, last: Analysis | None) -> bool:
    """Whether the computer in *seat* takes a draw now.

    :param last: its last search, from its point of view, or None.
    """
    game = match.game
    has_searched = last is not None and last.depth > 0
    if last is not None and has_searched:
        score = last.score
    else:
        weights = np.array(evaluation_of(game).WEIGHTS[STANDARD], np.float64)
        score = float(evaluate(observe(match.state, seat), seat, weights))
    chance = winning_chance(score, float(evaluation_of(game).SCALE))
    turns = sum(turn.seat != CHANCE for turn in match.turns())
    if chance < BEHIND:
        return has_searched or turns > 0  # at the start only the order of seats is known
    return chance <= EVEN and turns >= LEAST_TURNS * len(match.seats)
