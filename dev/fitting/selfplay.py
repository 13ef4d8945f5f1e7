"""Fits weights to games of the player against itself: ``python -m dev.fitting.selfplay cifra`` or ``catur-jawa``.

Some random steps come first, then each seat looks at the answers to its steps by the weights that there are, blurred
a little. Who won is what every position of the game is judged by: a logistic regression (by Newton's method, with a
small penalty) finds the weights by which a position's worth, divided by a scale, comes nearest to the logarithm of the
odds. One position in ten is held back. The weights are printed.
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
    """Play from *state*, at random and then each seat looking at the answers to its steps; returns how many there were.

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
    """Positions as their features for the seat to move, and how each game went for it: 0, ½ or 1.

    :param begin: draws a position to begin with.
    :param room: more steps than two turns offer.
    :param entries: how many features there are.
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
    """Fit weights, and print them by the *names* of their features, and how far they are better than those *before*."""
    learnt = int(_LEARNT * len(results))
    found = regress(features[:learnt], results[:learnt], scale, left_out)
    show(f"{len(results)} positions; surprise by those held back:")
    for name, weights in (("before", np.array(before)), ("now", found)):
        show(f"  {surprise(features[learnt:] @ weights / scale, results[learnt:]):.4f} {name}")
    for number in np.flatnonzero(found).tolist():
        show(f"    {names[number]}={found[number]:.2f},")


def cifra_games(options: dict[str, str], games: int, seed: int) -> tuple[Array, Array]:
    """Positions of CIFRA on boards dealt at random, as ``play_games`` has them."""

    def begin(random: Random) -> State:
        state = cifra.start(options, random)
        while state.stage != MOVING:
            state = play(state, random.choice(legal_steps(state)))
        return state

    weights, entries = cifra_evaluation.WEIGHTS[STANDARD], cifra_evaluation.ENTRIES
    return play_games(begin, 4 * cifra.MOST_STEPS, weights, entries, 3.0, 8, games, seed)


def catur_jawa_games(games: int, seed: int) -> tuple[Array, Array]:
    """Positions of two seats that see all cards, as a search of a deal does."""
    weights, entries = catur_jawa_evaluation.WEIGHTS[STANDARD], len(catur_jawa_evaluation.FEATURES)
    room = 4 * catur_jawa.MOST_STEPS
    return play_games(lambda random: catur_jawa.start({}, random), room, weights, entries, 40.0, 10, games, seed)


CATUR_JAWA_SCALE = 120.0
"""The score that stands for a winning chance of 73 % to one who sees all cards: a player is less certain."""


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
