"""The listing of the slides on CIFRA: what it makes of positions, and which move it takes."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from papan.ai.evaluation import evaluation_of
from papan.ai.players import make_player, situation
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules import mover
from papan.lab.arena import openings
from papan.research.reproduction.cifra_listing import DEPTH, WEIGHTS, Chosen, listed_value

CIFRA = find("cifra")
H2 = evaluation_of(CIFRA).WEIGHTS[WEIGHTS]


def _match(seed: int) -> Match:
    return openings(CIFRA, 1, CIFRA.complete_options({}), seed, 8)[0]


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_usual_search(seed: int) -> None:
    match = _match(seed)
    chosen = Chosen(CIFRA.rules, match.state, H2)
    searched = make_player("seed-hard", CIFRA).choose(situation(match))
    assert max(chosen.values) == pytest.approx(searched.score)


@pytest.mark.parametrize("seed", range(3))
def test_with_an_open_window_cutting_off_changes_no_value(seed: int) -> None:
    state = _match(seed).state
    seat, weights = int(mover(state)), np.array(H2)
    buffer = np.empty(CIFRA.rules.MOST_STEPS * 2 * (DEPTH + 1), np.int64)
    pruned, whole = (listed_value(state, seat, seat, DEPTH, -inf, inf, prunes, 0, weights, buffer) for prunes in (1, 0))
    assert pruned == whole


def test_a_bound_that_equals_the_best_is_taken_for_a_value() -> None:
    losses = [Chosen(CIFRA.rules, _match(seed).state, H2).loss for seed in range(8)]
    assert min(losses) == 0.0 and max(losses) > 1.0


def test_one_turn_ahead_nothing_is_cut_off_and_nothing_lost() -> None:
    assert all(Chosen(CIFRA.rules, _match(seed).state, H2, depth=1).loss == 0.0 for seed in range(8))
