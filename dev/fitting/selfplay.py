"""Fits weights to games of the player against itself: ``python -m dev.fitting.selfplay cifra`` or ``catur-jawa``.

After some random steps, each seat considers the answers to its steps, with the current weights and some noise. The
target of every position is the game's result. A logistic regression (Newton's method, with a small penalty) finds
weights that make a position's value, divided by a scale, the log-odds of winning. One position in ten is held back. The
tool prints the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import click
import numpy as np

from dev.fitting.searched import Array, surprise
from papan.ai.evaluation import STANDARD, Weights, evaluate
from papan.ai.evaluation import catur_jawa as catur_jawa_evaluation
from papan.ai.evaluation import cifra as cifra_evaluation
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.rng import RandomState, below, random_state
from papan.game.rules import State, catur_jawa, cifra, is_over, legal_steps, mover, moves, payoff, play
from papan.game.rules.cifra.board import MODES, MOVING
from papan.lab.printing import show
from papan.lab.statistics import regress

_WON = 1e5


@subroutine
def promise_of(state: State, seat: int, weights: Weights) -> float:
    """The value of *state*, which may be over, for *seat*."""
    if is_over(state):
        return _WON * payoff(state, seat)
    value: float = evaluate(state, seat, weights)
    return value


@subroutine
def promise_after_answer(state: State, seat: int, weights: Weights, buffer: Any, base: int) -> float:
    """The value of *state* for *seat*, after the worst answer for *seat* if another seat is to move."""
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
    """Play from *state*, at first at random, then considering the answers to each step; return the number of steps.

    :param noise: the greatest random amount added to a step's value.
    :param buffer: room for two lists of steps.
    :param steps: gets the steps played.
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
    """Write the features of every position of a game, for the seat to move, and return the first mover's payoff.

    ``features[n]`` belongs to the position before step n; its last column is 1 for the seat that began, else -1. The
    payoff of an unfinished game is 0.

    :param units: a row of weights for each feature, 1 for it and 0 for the others.
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


_MOST_STEPS = 300
_LEARNT = 0.9


def play_games(
    begin: Callable[[Random], State],
    room: int,
    weights: Sequence[float],
    entries: int,
    noise: float,
    most_random: int,
    games: int,
    seed: int,
) -> tuple[Array, Array]:
    """Play games; return the positions' features for the seat to move, and that seat's results: 0, ½ or 1.

    :param begin: draws a position to begin in.
    :param room: the size of a buffer for the steps of two positions.
    :param entries: the number of features.
    """
    random, compiled_random = Random(seed), random_state(seed)
    vector, units = np.array(weights), np.eye(entries)
    buffer, steps = np.zeros(room, np.int64), np.zeros(_MOST_STEPS, np.int64)
    rows = np.zeros((_MOST_STEPS, entries + 1))
    begun = begin(Random(seed))
    play_itself.prepare(begun, 0, 0, noise, vector, compiled_random, buffer, steps)
    measure.prepare(begun, steps, 0, units, rows)
    features: list[Array] = []
    results: list[Array] = []
    for _ in range(games):
        state = begin(random)
        turns = random.randint(0, most_random)
        count = int(play_itself(state, turns, _MOST_STEPS, noise, vector, compiled_random, buffer, steps))
        result = measure(state, steps, count, units, rows)
        judged = rows[turns:count]
        features.append(judged[:, :-1].copy())
        results.append((1.0 + judged[:, -1] * result) / 2.0)
    return np.concatenate(features), np.concatenate(results)


def fit(
    features: Array,
    results: Array,
    before: Sequence[float],
    scale: float,
    names: Sequence[str],
    left_out: Sequence[int] = (),
) -> None:
    """Fit weights; print them by the *names* of their features, and their cross-entropy next to that of *before*."""
    learnt = int(_LEARNT * len(results))
    found = regress(features[:learnt], results[:learnt], scale, left_out)
    show(f"{len(results)} positions; surprise by those held back:")
    for name, weights in (("before", np.array(before)), ("now", found)):
        show(f"  {surprise(features[learnt:] @ weights / scale, results[learnt:]):.4f} {name}")
    for number in np.flatnonzero(found).tolist():
        show(f"    {names[number]}={found[number]:.2f},")


def cifra_games(options: dict[str, str], games: int, seed: int) -> tuple[Array, Array]:
    """Positions and results of CIFRA on random boards, as of ``play_games``."""

    def begin(random: Random) -> State:
        state = cifra.start(options, random)
        while state.stage != MOVING:
            state = play(state, random.choice(legal_steps(state)))
        return state

    weights, entries = cifra_evaluation.WEIGHTS[STANDARD], cifra_evaluation.ENTRIES
    return play_games(begin, 4 * cifra.MOST_STEPS, weights, entries, 3.0, 8, games, seed)


def catur_jawa_games(games: int, seed: int) -> tuple[Array, Array]:
    """Positions and results of two seats that see all cards, as a search of a deal does, as of ``play_games``."""
    weights, entries = catur_jawa_evaluation.WEIGHTS[STANDARD], len(catur_jawa_evaluation.FEATURES)
    room = 4 * catur_jawa.MOST_STEPS
    return play_games(lambda random: catur_jawa.start({}, random), room, weights, entries, 40.0, 10, games, seed)


CATUR_JAWA_SCALE = 120.0
"""The score of a winning chance of 73 % with all cards open; a player's is larger, as cards are hidden."""


@click.group()
def main() -> None:
    """Fit a game's standard weights to games of the player against itself."""


@main.command("cifra")
@click.option("--mode", type=click.Choice(MODES), default=MODES[0])
@click.option("--size", type=click.Choice(("5", "9")), default="5")
@click.option("--games", default=60_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def fit_cifra(mode: str, size: str, games: int, seed: int) -> None:
    features, results = cifra_games({"mode": mode, "size": size}, games, seed)
    block = cifra_evaluation.ENTRIES * MODES.index(mode)
    before = cifra_evaluation.WEIGHTS[STANDARD][block : block + cifra_evaluation.ENTRIES]
    left_out = (cifra_evaluation.H1, cifra_evaluation.H3)
    fit(features, results, before, cifra_evaluation.SCALE, cifra_evaluation.FEATURES, left_out)


@main.command("catur-jawa")
@click.option("--games", default=6_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def fit_catur_jawa(games: int, seed: int) -> None:
    before, names = catur_jawa_evaluation.WEIGHTS[STANDARD], catur_jawa_evaluation.FEATURES
    # Hardly better with the pairs (by 0.001), and slower: windows say as much.
    fit(*catur_jawa_games(games, seed), before, CATUR_JAWA_SCALE, names, (catur_jawa_evaluation.PAIRS,))


if __name__ == "__main__":
    main()
