"""Games of a player against itself, for evaluations to be fitted to: quick rather than good, and each one different."""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import Weights, evaluate
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import State, is_over, mover, moves, payoff, play

_WON = 1e5


@subroutine
def promise_of(state: State, seat: int, weights: Weights) -> float:
    """The worth of *state*, which may be over, to *seat*."""
    if is_over(state):
        return _WON * payoff(state, seat)
    value: float = evaluate(state, seat, weights)
    return value


@subroutine
def promise_after_answer(state: State, seat: int, weights: Weights, buffer: Any, base: int) -> float:
    """The worth of *state* to *seat*, after the answer worst for *seat* if another seat is to move."""
    if is_over(state) or mover(state) == seat:
        return promise_of(state, seat, weights)
    worst = 2.0 * _WON
    for index in range(base, moves(state, buffer, base)):
        worst = min(worst, promise_of(play(state, int(buffer[index])), seat, weights))
    return worst


@compiled
def play_itself(
    state: State,
    random_steps: int,
    most_steps: int,
    noise: float,
    weights: Weights,
    random: RandomState,
    buffer: Any,
    steps: Any,
) -> int:
    """Play from *state* to the end, each seat looking at the answers to its steps; returns how many steps were played.

    :param random_steps: so many steps are played at random first.
    :param most_steps: the game is left off after so many.
    :param noise: what a step promises is blurred by up to so much.
    :param buffer: room for two lists of steps.
    :param steps: is given what is played.
    """
    count = 0
    while count < most_steps and not is_over(state):
        end = moves(state, buffer, 0)
        step = int(buffer[below(random, end)])
        if count >= random_steps:
            best = -4.0 * _WON
            for index in range(end):
                after = play(state, int(buffer[index]))
                value = promise_after_answer(after, int(mover(state)), weights, buffer, end)
                value += noise * below(random, 1 << 16) / (1 << 16)
                if value > best:
                    best = value
                    step = int(buffer[index])
        steps[count] = step
        count += 1
        state = play(state, step)
    return count


@compiled
def measure(state: State, steps: Any, count: int, units: Any, features: Any) -> float:
    """What each row of *units*, as weights, makes of every position of a game, for the seat to move.

    ``features[n]`` is of the position before step n. Returns what the seat that began got in the end, or 0 if the game
    was left off; so the sign for other positions is settled by who was to move there, in the last column.
    """
    first = mover(state)
    for number in range(count):
        seat = mover(state)
        for row in range(len(units)):
            features[number, row] = evaluate(state, seat, units[row])
        features[number, len(units)] = 1.0 if seat == first else -1.0
        state = play(state, int(steps[number]))
    result: float = 0.0
    if is_over(state):
        result = payoff(state, first)
    return result
