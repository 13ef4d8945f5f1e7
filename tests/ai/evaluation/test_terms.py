"""Terms of an evaluation know their slopes, features their names; a greedy player takes one of the best steps."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import appraise, evaluation_of, greedy_step
from papan.ai.evaluation.terms import Features, Traced, counted, named_terms, traced, traced_weights
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled
from papan.game.kernel.rng import RandomState, random_state
from papan.game.match import Match
from papan.game.rules import CHANCE, State, legal_steps, mover, observe
from papan.testing.random_games import Form, random_match


class TestTraced:
    """Numbers that know their slopes."""

    def test_sums_and_products_keep_the_slopes(self) -> None:
        first, second = Traced(3.0, {0: 1.0}), Traced(5.0, {1: 1.0})
        found = 2 * first - second / 4 + 1.0 - (-first) + (7 - second)
        assert float(found) == 6.0 - 1.25 + 1.0 + 3.0 + 2.0
        assert found.slopes == {0: 3.0, 1: -1.25}

    def test_the_first_of_two_factors_is_the_weight_and_the_larger_of_two_keeps_its_slopes(self) -> None:
        first, second = Traced(3.0, {0: 1.0}), Traced(5.0, {1: 1.0})
        assert (first * second).value == 15.0 and (first * second).slopes == {0: 5.0}
        assert max(first, second).slopes == {1: 1.0} and min(first, 4.0) is first and max(0.0, first) is first
        assert first != 4.0 and first == 3.0 and first <= 3.0 and first >= 3.0
        found = np.float64(2.0) * first + np.int64(1)  # numbers of numpy leave arithmetic to it
        assert isinstance(found, Traced) and found.slopes == {0: 2.0} and found.value == 7.0

    def test_what_weighs_nothing_still_has_a_slope(self) -> None:
        terms = named_terms(Features("a", "b"), {"a": "a", "b": "b"}, (2.0, 0.0), also=("b",))

        def judge(weights: Any) -> Any:
            a, b = weights
            return a * 3 + (b * 4 if b != 0.0 else 0.0)

        found = traced(judge, (2.0, 0.0), terms)
        assert float(found) == 6.0 and counted(terms, found) == (3.0, 4.0)

    def test_only_terms_are_traced(self) -> None:
        terms = named_terms(Features("a", "b"), {"a": "a"}, (2.0, 0.0))
        first, second = traced_weights((2.0, 5.0), terms)
        assert isinstance(first, Traced) and second == 5.0 and isinstance(second, float)
        # Weights longer than the features have no terms.
        assert named_terms(Features("a", "b"), {"a": "a", "b": "b"}, (1.0, 1.0, 7.0)) == ()


DRAWS = 600
MOST_DEVIATION = 5.0

SANTORINI = [
    Form({}, 2), Form({"gods": "none"}, 3), Form({"gods": "seeds"}, 2), Form({"teams": "yes"}, 4),
    *(Form({"pick": "random", "placement": "random"}, 4) for _ in range(3)),
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
