"""The step of a greedy player in compiled code: one of those rated highest, and each of them as often as any other."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import appraise, evaluation_of, greedy_step
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled
from papan.game.kernel.rng import RandomState, random_state
from papan.game.match import Match
from papan.game.rules import CHANCE, State, legal_steps, mover, observe
from papan.testing.random_games import Form, random_match

DRAWS = 600
MOST_DEVIATION = 5.0

SANTORINI = [
    Form({}, 2), Form({"gods": "none"}, 3), Form({"gods": "seeds"}, 2), Form({"teams": "yes"}, 4),
    *(Form({"pick": "random", "placement": "random"}, 4) for _ in range(8)),
]  # fmt: skip


@compiled
def draw(state: State, weights: Any, buffer: Any, random: RandomState, drawn: Any) -> None:
    """Fill *drawn* with steps."""
    for index in range(len(drawn)):
        drawn[index] = greedy_step(state, weights, buffer, random)


def best_steps(state: State, weights: Any) -> set[int]:
    worth = {step: float(appraise(state, step, weights)) for step in legal_steps(state)}
    return {step for step, value in worth.items() if value == max(worth.values())}


def choices(match: Match) -> list[State]:
    """What the seats of *match* saw when they chose."""
    return [observe(state, mover(state)) for state in match.states[:-1] if mover(state) != CHANCE]


@pytest.mark.parametrize(("number", "form"), list(enumerate(SANTORINI)))
@pytest.mark.parametrize("weights", ["norm", "god", "god-low-domes", "god-tuned", "random-no-domes", "heights"])
def test_santorinis_groups_are_its_steps_one_by_one(number: int, form: Form, weights: str) -> None:
    game = GAMES["santorini"]
    values = np.array(evaluation_of(game).WEIGHTS[weights])
    buffer, drawn = np.empty(game.rules.MOST_STEPS, np.int64), np.empty(40, np.int64)
    for state in choices(random_match(game, number, form)):
        draw(state, values, buffer, random_state(number), drawn)
        expected = best_steps(state, values)
        assert set(drawn.tolist()) <= expected
        assert len(set(drawn.tolist())) >= min(2, len(expected))


@pytest.mark.parametrize(("name", "weights"), [("santorini", "god"), ("catur-jawa", "heuristic")])
def test_of_equal_steps_each_is_as_likely(name: str, weights: str) -> None:
    game = GAMES[name]
    values = np.array(evaluation_of(game).WEIGHTS[weights])
    buffer, drawn = np.empty(game.rules.MOST_STEPS, np.int64), np.empty(DRAWS, np.int64)
    random = Random(3)
    several = 0
    for state in random.sample(choices(random_match(game, 1)), 12):
        expected = best_steps(state, values)
        draw(state, values, buffer, random_state(7), drawn)
        share = 1 / len(expected)
        spread = (share * (1 - share) / DRAWS) ** 0.5
        counts = Counter(drawn.tolist())
        assert set(counts) <= expected
        assert all(abs(counts[step] / DRAWS - share) <= MOST_DEVIATION * spread for step in expected)
        several += len(expected) > 1
    assert several
