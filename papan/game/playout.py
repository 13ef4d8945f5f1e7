"""Random games, uniform over the legal steps: for measuring speed and for Monte-Carlo search."""

from __future__ import annotations

from typing import Any

from papan.game.kernel import compiled, kernel, subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import CHANCE, State, chance, is_over, mover, moves, payoff, play


@kernel
def random_step(state: State, buffer: Any, random: RandomState) -> int:
    """A random legal step, uniformly distributed; at CHANCE an outcome by its probability.

    Games with hundreds of steps may implement it without listing them.

    :param buffer: space for all legal steps.
    """
    raise NotImplementedError


@random_step.otherwise
def _one_of_all(state: State, buffer: Any, random: RandomState) -> int:
    end = moves(state, buffer, 0)
    chosen = below(random, end)
    if mover(state) != CHANCE:
        return int(buffer[chosen])
    ticket = below(random, 1 << 30) / (1 << 30)
    for index in range(end):
        ticket -= chance(state, buffer[index])
        if ticket < 0.0:
            return int(buffer[index])
    return int(buffer[end - 1])


@subroutine
def random_end(state: State, buffer: Any, random: RandomState) -> State:
    """The final state of a random game from *state*; repetitions don't end it."""
    while not is_over(state):
        state = play(state, random_step(state, buffer, random))
    return state


@compiled
def playout(state: State, buffer: Any, random: RandomState) -> State:
    """The final state of a random game from *state*, for Python."""
    return random_end(state, buffer, random)


@compiled
def playouts(state: State, games: int, buffer: Any, random: RandomState) -> float:
    """Play *games* random games from *state*; returns the first seat's summed payoff."""
    total = 0.0
    for _ in range(games):
        total += payoff(random_end(state, buffer, random), 0)
    return total
