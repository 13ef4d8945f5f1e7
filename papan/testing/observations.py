"""Checks of observations for learners: steps are actions, planes are as declared, hidden information stays hidden.

A game without an observation module passes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papan.ai.observation import Observation, action_of, observation_of, planes_for, shape_of, step_of
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, guess, key, legal_steps, mover, observe, seats
from papan.testing.random_games import Broken, forms, is_judged, random_match

STATES_LOOKED_AT = 60  # of a match
GUESSES = 3  # of what a seat does not see


def _matches(game: Game) -> Iterator[tuple[Observation, Match]]:
    """The observation module, if there is one, and a random match of every form."""
    if game.parts.observation:
        for number, form in enumerate(forms(game)):
            yield observation_of(game), random_match(game, number, form)


def _some(match: Match) -> list[State]:
    """Some states of *match* in order, the last among them."""
    states = list(match.states)
    return states[:: max(1, len(states) // STATES_LOOKED_AT)] + states[-1:]


def each_legal_step_is_an_action(game: Game) -> None:
    """The legal steps of a state have different actions below the number of actions, which convert back."""
    for observation, match in _matches(game):
        most = observation.actions(match.states[0])
        for state in filter(is_judged, _some(match)):
            steps = legal_steps(state)
            actions = [action_of(state, step) for step in steps]
            if len(set(actions)) < len(steps) or not all(0 <= action < most for action in actions):
                raise Broken(f"The steps of {state} must be different actions below {most}; they are {actions}.")
            if [step_of(state, action) for action in actions] != steps:
                raise Broken(f"The actions {actions} must be the steps {steps} of {state}.")


def planes_say_what_they_are_declared_to(game: Game) -> None:
    """There are as many planes as declared, of the board's size, and no number exceeds its plane's maximum."""
    for observation, match in _matches(game):
        declared = observation.planes(match.states[0])
        most = np.array([plane.most for plane in declared])
        if len({plane.words for plane in declared}) < len(declared) or not 0 < most.min() <= most.max() <= 255:
            raise Broken(f"Planes must be told apart by their words, and have numbers up to 255: {declared}.")
        for state in _some(match):
            for seat in range(seats(state)):
                planes = planes_for(observation, state, seat)
                if planes.shape != shape_of(observation, match.states[0]) or (planes.max(axis=(1, 2)) > most).any():
                    raise Broken(f"What seat {seat} is shown of {state} must keep to what is declared: {planes}.")


def what_is_shown_tells_positions_apart(game: Game) -> None:
    """If the seat to act is shown the same twice in a match, its position is the same, apart from repetitions."""
    for observation, match in _matches(game):
        shown: dict[tuple[int, bytes], int] = {}
        for state in filter(is_judged, _some(match)):
            seat = mover(state)
            position = key(observe(state, seat))
            if shown.setdefault((seat, planes_for(observation, state, seat).tobytes()), position) != position:
                raise Broken(f"Seat {seat} must be shown the difference between {state} and what came before it.")


def what_is_hidden_is_not_shown(game: Game) -> None:
    """States that a seat can't tell apart have the same planes and the same actions for it."""
    if not game.has_hidden_information:
        return
    for observation, match in _matches(game):
        for number, state in enumerate(_some(match)):
            for seat in range(seats(state)):
                seen = planes_for(observation, state, seat)
                for other in (guess(state, seat, random_state(number, again)) for again in range(GUESSES)):
                    if not np.array_equal(planes_for(observation, other, seat), seen):
                        raise Broken(f"Seat {seat} must be shown the same of {state} as of {other}.")
                    if seat == mover(state) and set(legal_steps(other)) != set(legal_steps(state)):
                        raise Broken(f"Seat {seat} must have the same steps in {state} as in {other}.")
