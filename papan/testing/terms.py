"""Checks of terms: they add up to the evaluation, with any weights, for every candidate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from papan.ai.evaluation import Greedy, appraise, evaluate, evaluation_of
from papan.ai.evaluation.terms import MOST_TERMS, Term, added, counted, terms_of, traced, weighed
from papan.ai.limits import WIN_BOUND
from papan.ai.reviews.why import Explaining, Why, judges
from papan.game.game import Game
from papan.game.rules import State, legal_steps, mover, observe
from papan.testing.random_games import Broken, is_judged, random_match, turn_starts

_POSITIONS = 8
_ASKED = 2
"""The number of positions in which each judge explains its candidates."""
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
    """At most *most* positions of a random match in which a seat is to act, from start to end."""
    found = [state for state in turn_starts(random_match(game, seed)) if is_judged(state)]
    return found[:: max(1, -(-len(found) // most))]


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
