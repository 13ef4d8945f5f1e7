"""Evaluations: all parts are there, values stay well below a win, and what one side gains the other loses."""

from __future__ import annotations

import math

import numpy as np

from papan.ai.evaluation import STANDARD, Strength, appraise, evaluate, evaluation_of, strengths_of
from papan.ai.levels import FIRST_CAREFUL, STEPS
from papan.game.facts import Game
from papan.game.rules import legal_steps
from papan.tools.conformance.random_games import Broken, is_judged, random_match, turn_starts

HIGHEST_VALUE = 100_000.0
"""The value that evaluations stay below: a tenth of a win."""


def there_is_an_evaluation_with_all_its_parts(game: Game) -> None:
    """The parts are weights, the standard ones among them, and the three levels."""
    evaluation = evaluation_of(game)
    if STANDARD not in evaluation.WEIGHTS:
        raise Broken(f"There must be weights called '{STANDARD}'; there are {list(evaluation.WEIGHTS)}.")
    if set(evaluation.LEVELS) != {"easy", "medium", "hard"}:
        raise Broken(f"The levels must be easy, medium and hard; they are {list(evaluation.LEVELS)}.")
    if evaluation.LEVELS["hard"].depth is not None:
        raise Broken(f"Hard must have no cap on its depth; it has {evaluation.LEVELS['hard'].depth}.")
    for name, level in evaluation.LEVELS.items():
        if level.weights not in evaluation.WEIGHTS:
            raise Broken(f"The level {name} must play by weights that there are, not '{level.weights}'.")


def each_level_says_how_it_plays(game: Game) -> None:
    """The eight levels play as one of the three that have names, or by weights that there are; the last is hard."""
    evaluation, strengths = evaluation_of(game), strengths_of(game)
    if len(strengths) != len(STEPS) or strengths[-1] != "hard":
        raise Broken(f"There must be {len(STEPS)} strengths, of which the last is 'hard'; they are {strengths}.")
    for number, strength in enumerate(strengths, start=1):
        if not isinstance(strength, Strength):
            if strength not in evaluation.LEVELS:
                raise Broken(f"Level {number} must be a Strength, or easy, medium or hard; it is {strength!r}.")
        elif strength.weights not in evaluation.WEIGHTS:
            raise Broken(f"Level {number} must play by weights that there are, not '{strength.weights}'.")
        elif not (strength.depth >= 1 and strength.temperature >= 0.0 and 0.0 <= strength.blindness <= 1.0):
            raise Broken(f"Level {number} must look a turn ahead, and err by shares and temperatures: {strength}.")
        elif number >= FIRST_CAREFUL and max(game.seats) > 1 and strength.depth < 2:
            raise Broken(f"Level {number} must look two turns ahead to see what loses at once; it looks {strength}.")


def values_stay_well_below_a_win(game: Game) -> None:
    """Values of positions and of steps do, by all weights."""
    every = [np.array(weights) for weights in evaluation_of(game).WEIGHTS.values()]
    match = random_match(game, 15)
    for state in filter(is_judged, turn_starts(match)):
        for weights in every:
            values = [evaluate(state, seat, weights) for seat in range(len(match.seats))]
            values += [appraise(state, step, weights) for step in legal_steps(state)]
            if not all(abs(value) < HIGHEST_VALUE for value in values):
                raise Broken(f"Values must stay below {HIGHEST_VALUE:g}; in {state} they are {values}.")


def the_standard_evaluation_is_antisymmetric(game: Game) -> None:
    """What one of two seats gains the other loses."""
    weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
    match = random_match(game, 16)
    if len(match.seats) != 2:
        return
    for state in filter(is_judged, turn_starts(match)):
        values = [evaluate(state, seat, weights) for seat in range(2)]
        if not math.isclose(values[0], -values[1], rel_tol=1e-6, abs_tol=1e-12):
            raise Broken(f"What one seat gains the other must lose by the standard weights; in {state}: {values}.")


CHECKS = (
    there_is_an_evaluation_with_all_its_parts,
    each_level_says_how_it_plays,
    values_stay_well_below_a_win,
    the_standard_evaluation_is_antisymmetric,
)
