"""Checks of evaluations: all parts exist, values stay well below a win, two seats' values add up to 0.

Their terms add up to the evaluation, with any weights, for every candidate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Greedy,
    Strength,
    Weights,
    appraise,
    can_pass,
    evaluate,
    evaluation_of,
    exchange,
    forcing,
    is_quiet,
    passed,
    selectivity_of,
    standing,
    strengths_of,
)
from papan.ai.evaluation.terms import MOST_TERMS, Term, added, counted, terms_of, traced, weighed
from papan.ai.learning.network import likened
from papan.ai.limits import WIN_BOUND
from papan.ai.players.families import families_of
from papan.ai.players.levels import FIRST_CAREFUL, PLAYER_LEVELS
from papan.ai.reviews.why import Explaining, Why, judges
from papan.game.game import Game
from papan.game.rules import State, is_over, key, legal_steps, mover, observe, play
from papan.testing.random_games import Broken, is_judged, random_match, turn_starts

HIGHEST_VALUE = 100_000.0
"""The bound of evaluations: a tenth of a win."""


def there_is_an_evaluation_with_all_its_parts(game: Game) -> None:
    """Weights, the standard ones among them, and three levels."""
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
        if level.family and level.family not in families_of(game):
            raise Broken(f"The level {name} must be of a family that there is, not '{level.family}'.")


def each_level_says_how_it_plays(game: Game) -> None:
    """The eight levels are named levels or a ``Strength`` with existing weights; the last is hard."""
    evaluation, strengths = evaluation_of(game), strengths_of(game)
    if len(strengths) != len(PLAYER_LEVELS) or strengths[-1] != "hard":
        raise Broken(
            f"There must be {len(PLAYER_LEVELS)} strengths, of which the last is 'hard'; they are {strengths}."
        )
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
    """The values of positions, within a turn too, and of steps, with all weights."""
    every = [np.array(weights) for weights in evaluation_of(game).WEIGHTS.values()]
    match = random_match(game, 15)
    starts = set(turn_starts(match))
    for state in filter(is_judged, match.states):
        for weights in every:
            values = [evaluate(state, seat, weights) for seat in range(len(match.seats))]
            if state in starts:
                values += [appraise(state, step, weights) for step in legal_steps(state)]
            if not all(abs(value) < HIGHEST_VALUE for value in values):
                raise Broken(f"Values must stay below {HIGHEST_VALUE:g}; in {state} they are {values}.")


def the_standard_evaluation_is_antisymmetric(game: Game) -> None:
    """With two seats, one's value is minus the other's."""
    weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
    match = random_match(game, 16)
    if len(match.seats) != 2:
        return
    for state in filter(is_judged, turn_starts(match)):
        values = [evaluate(state, seat, weights) for seat in range(2)]
        if not math.isclose(values[0], -values[1], rel_tol=1e-6, abs_tol=1e-12):
            raise Broken(f"What one seat gains the other must lose by the standard weights; in {state}: {values}.")


def forcing_steps_are_legal_and_end_their_turn(game: Game) -> None:
    """Forcing steps are distinct legal steps after which another seat is to act; no margin is negative."""
    selectivity = selectivity_of(evaluation_of(game))
    if min(selectivity.margin, selectivity.probe, selectivity.singular) < 0.0:
        raise Broken(f"No number of SELECTIVITY can be less than 0; it is {selectivity}.")
    buffer = np.zeros(2 * game.rules.MOST_STEPS, np.int64)
    for state in filter(_is_quiet_start, turn_starts(random_match(game, 17))):
        buffer[0] = -1
        found = buffer[1 : forcing(state, buffer, 1)].tolist()
        if buffer[0] != -1:
            raise Broken(f"Forcing steps must be written from the base on; in {state} one is written before it.")
        if len(set(found)) < len(found) or not set(found) <= set(legal_steps(state)):
            raise Broken(f"Forcing steps must be legal, and each be named once; in {state} they are {found}.")
        for step in found:
            after = play(state, step)
            if not is_over(after) and mover(after) == mover(state):
                raise Broken(f"A forcing step must end its turn; in {state} the step {step} does not.")


def futility_terms_are_values(game: Game) -> None:
    """``standing`` and ``exchange`` are well below a win; two seats' ``standing`` add up to 0."""
    weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
    match = random_match(game, 18)
    for state in filter(_is_quiet_start, turn_starts(match)):
        values = [standing(state, seat, weights) for seat in range(len(match.seats))]
        if len(values) == 2 and not math.isclose(values[0], -values[1], rel_tol=1e-6, abs_tol=1e-12):
            raise Broken(f"What stands for one seat must stand against the other; in {state}: {values}.")
        values += [exchange(state, step, weights, -math.inf) for step in legal_steps(state)]
        if not all(abs(value) < HIGHEST_VALUE for value in values):
            raise Broken(f"Values must stay below {HIGHEST_VALUE:g}; in {state} they are {values}.")


def a_pass_hands_over_and_nothing_else(game: Game) -> None:
    """After a pass another seat is to act, in a different position that is not over and has a value."""
    weights: Weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
    match = random_match(game, 19)
    for state in filter(_is_quiet_start, turn_starts(match)):
        if not can_pass(state):
            continue
        after = passed(state)
        if is_over(after) or mover(after) == mover(state) or key(after) == key(state):
            raise Broken(f"After a pass another seat must be to act, in another position; after {state} comes {after}.")
        if not abs(standing(after, 0, weights)) < HIGHEST_VALUE:
            raise Broken(f"What a pass leads to must have a value; {after} has none below {HIGHEST_VALUE:g}.")


def a_likened_position_is_played_on_alike(game: Game) -> None:
    """A likened position has the same mover and the same legal steps."""
    for state in filter(is_judged, random_match(game, 20).states):
        found = likened(state)
        if is_over(found) or mover(found) != mover(state) or legal_steps(found) != legal_steps(state):
            raise Broken(f"A likened position must have the same steps for the same seat; {state} became {found}.")


def _is_quiet_start(state: State) -> bool:
    return is_judged(state) and bool(is_quiet(state))


_POSITIONS = 8
_ASKED = 2
"""The number of positions where each judge explains its candidates."""
_STEPS = 12
_TOLD = 6

Judgement = Callable[[Any], Any]
"""An evaluation as a function of the weights."""


def terms_add_up_to_the_evaluation(game: Game) -> None:
    """The evaluation is the sum of count times weight over the terms, and a part without weights."""
    evaluation, random = evaluation_of(game), Random(23)
    rated = {own.weights for own in evaluation.PLAYERS.values() if isinstance(own, Greedy)}
    for state in _some(game, 17, _POSITIONS):
        for name, usual in evaluation.WEIGHTS.items():
            terms = terms_of(evaluation, state, usual)
            if len({term.name for term in terms}) < len(terms) or len(terms) > MOST_TERMS:
                raise Broken(f"The weights '{name}' must have at most {MOST_TERMS} terms, each once; they are {terms}.")
            for judge in _judgements(state, is_rated=name in rated) if terms else ():
                _check_sums(judge, terms, [float(weight) for weight in usual], random)


def _judgements(state: State, *, is_rated: bool) -> list[Judgement]:
    if not is_rated:
        return [lambda weights: evaluate(state, int(mover(state)), weights)]
    return [partial(_rating, state, step) for step in legal_steps(state)[:_STEPS]]


def _rating(state: State, step: int, weights: Any) -> Any:
    return appraise(state, step, weights)


def _check_sums(judge: Judgement, terms: Sequence[Term], usual: Sequence[float], random: Random) -> None:
    """Compare the sums with *judge*, with the *usual* weights, with others, and with weights 0."""
    besides = float(judge(np.zeros(len(usual))))
    for share in (1.0, random.uniform(0.5, 1.5), 0.0):
        weights = weighed(terms, usual, {term.name: term.weight * share for term in terms})
        found = traced(judge, weights, terms)
        parts = added(terms, found, weights)
        counts = counted(terms, found)
        said, rest = float(judge(np.array(weights))), found.value - sum(parts)
        if not _same(found.value, said) or not _same(rest, besides):
            raise Broken(f"Terms must add up to {said:g}, but for {besides:g} without weights; they add {parts}.")
        for term, count, part in zip(terms, counts, parts, strict=True):
            if not _same(count * term.weight * share, part):
                raise Broken(f"The term {term.name} must add what it counts times its weight, not {part:g}.")


def candidates_are_explained(game: Game) -> None:
    """For each judge, the terms of undecided candidates add up to their scores."""
    for state in _some(game, 18, _ASKED):
        for judge in judges(game, state):
            asking = Explaining(game, observe(state, int(mover(state))), judge)
            for asked in ({}, {asking.terms[0].name: -1.5 * asking.terms[0].weight or 2.0}):
                found = asking.answer(asked, _TOLD)
                assert found is not None
                _check_candidates(found, len(legal_steps(state)))


def _check_candidates(found: Why, number: int) -> None:
    name, scores = found.judge.name, [one.score for one in found.candidates]
    if scores != sorted(scores, reverse=True) or not 0 < len(scores) <= number:
        raise Broken(f"The judge {name} must tell its candidates, the best first; their scores are {scores}.")
    for one in found.candidates[:_TOLD]:
        if abs(one.score) < WIN_BOUND and not _same(sum(one.additions) + one.rest, one.score):
            raise Broken(f"What the judge {name} says of {one.line} must add up to {one.score:g}: {one.additions}.")
        if abs(one.score) < WIN_BOUND and len(one.counts) != len(found.terms):
            raise Broken(f"The judge {name} must tell of {one.line} what each of its terms counts.")


def _some(game: Game, seed: int, most: int) -> list[State]:
    """At most *most* positions of a random match where a seat is to act, from start to end."""
    found = [state for state in turn_starts(random_match(game, seed)) if is_judged(state)]
    return found[:: max(1, -(-len(found) // most))]


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
