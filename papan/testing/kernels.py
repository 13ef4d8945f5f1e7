"""Kernels: compiled ones say what plain ones say, and all keep to their contract.

Every kernel of the contract is compared, whatever it is called: the arguments are made by the names of its parameters.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.ai import evaluation, observation
from papan.game import playout, rules
from papan.game.game import Game
from papan.game.kernel import Compiled, Integers, Kernel, compiled
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import (
    CHANCE,
    NOBODY,
    State,
    chance,
    is_over,
    legal_steps,
    mover,
    moves,
    observe,
    payoff,
    seats,
)
from papan.testing.random_games import (
    Broken,
    forms,
    is_judged,
    random_match,
    random_matches,
)

STATES_COMPARED = 40  # of a match
STEPS_COMPARED = 6  # of a state
BASE = 3
"""The index in the buffer from which kernels that fill it write."""
TOLERANCE = 1e-9  # a sum may be rounded otherwise where the compiler puts its terms in another order


class Case(NamedTuple):
    """A state of a random game that kernels are asked about."""

    game: Game
    state: State
    begins_turn: bool
    random: Random
    options: Mapping[str, str]
    is_start: bool

    @property
    def steps(self) -> list[int]:
        """Some of its legal steps."""
        legal = legal_steps(self.state)
        return self.random.sample(legal, min(len(legal), STEPS_COMPARED))

    @property
    def goals(self) -> list[int]:
        """The goals to aim at: to win, and some of the game's own."""
        own = getattr(self.game.rules, "GOAL", None)
        return [0] if own is None else [0, *own.numbers[:4]]

    @property
    def weights(self) -> list[Any]:
        """All weights of the game's evaluation."""
        return [np.array(weights) for weights in evaluation.evaluation_of(self.game).WEIGHTS.values()]


def _seats(case: Case) -> list[int]:
    return list(range(seats(case.state)))


def _shape(case: Case) -> tuple[int, int, int]:
    return observation.shape_of(observation.observation_of(case.game), case.state)


ARGUMENTS: Mapping[str, Callable[[Case], Sequence[Any]]] = {
    "buffer": lambda case: [np.full(case.game.rules.MOST_STEPS + BASE, -5, np.int64)],
    "base": lambda case: [BASE],
    "step": lambda case: case.steps,
    "seat": _seats,
    "other": _seats,
    "weights": lambda case: case.weights,
    "endings": lambda case: [evaluation.endings_of(evaluation.evaluation_of(case.game))],
    "least": lambda case: [-math.inf, 0.0, 2.0],
    "goal": lambda case: case.goals,
    "facts": lambda case: [rules.facts_to_deal(case.game.rules, case.options)],
    "planes": lambda case: [np.zeros(_shape(case), np.uint8)],
    "action": lambda case: [observation.action_of(case.state, step) for step in case.steps],
    "random": lambda case: [random_state(case.random.randrange(2**32))],
}
"""The arguments to try for a kernel's parameters, by their names; the first parameter is always the state."""


def contract_kernels() -> list[Kernel[..., Any]]:
    """Every kernel that a game may implement."""
    return [
        value
        for module in (rules, playout, evaluation, observation)
        for value in vars(module).values()
        if isinstance(value, Kernel) and value.__module__ == module.__name__
    ]


def _is_asked(kernel: Kernel[..., Any], case: Case) -> bool:
    """Whether the contract says what *kernel* answers in this case."""
    if kernel in (payoff, rules.reason_number):
        return is_over(case.state)
    if kernel is rules.deal:
        return case.is_start
    if kernel is chance:
        return not is_over(case.state) and mover(case.state) == CHANCE
    if kernel is playout.random_step:
        return not is_over(case.state)
    if kernel.__module__ == observation.__name__:
        return case.game.parts.observation != "" and (kernel is observation.write_planes or is_judged(case.state))
    return kernel.__module__ != evaluation.__name__ or (case.begins_turn and is_judged(case.state))


def arguments_for(kernel: Kernel[..., Any], case: Case) -> Iterator[tuple[Any, ...]]:
    """The arguments after the state with which *kernel* is asked in this case.

    :raises Broken: it has a parameter of a name that is not known here.
    """
    names = list(inspect.signature(kernel).parameters)[1:]
    unknown = [name for name in names if name not in ARGUMENTS]
    if unknown:
        raise Broken(f"No argument is known for '{unknown[0]}' of the kernel {kernel.name}: ARGUMENTS must have one.")
    choices = [ARGUMENTS[name](case) for name in names]
    if kernel is observe:
        choices = [[*choices[0], NOBODY]]
    return itertools.product(*choices)


@cache
def compiled_entry(kernel: Kernel[..., Any]) -> Compiled[..., Any]:
    """*kernel* as compiled code runs it."""

    def entry(state: State, *arguments: Any) -> Any:
        return kernel(state, *arguments)

    entry.__qualname__ = f"compiled_entry.{kernel.name}"
    return compiled(entry)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, float) or isinstance(second, float):
        return math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(first, np.ndarray):
        return bool(np.array_equal(first, second))
    if type(first) is tuple and type(second) is tuple:
        return len(first) == len(second) and all(itertools.starmap(_same, zip(first, second, strict=True)))
    return bool(first == second)


def compare(kernel: Kernel[..., Any], case: Case) -> None:
    """Call *kernel* both compiled and plain; what it writes into its arguments counts as well.

    :raises Broken: the answers differ.
    """
    if not _is_asked(kernel, case):
        return
    for arguments in arguments_for(kernel, case):
        copies = tuple(np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments)
        plain = (kernel(case.state, *arguments), *arguments)
        machine = (compiled_entry(kernel)(case.state, *copies), *copies)
        if not _same(plain, machine):
            raise Broken(
                f"The kernel {kernel.name} must say the same compiled as plain;"
                f" of {case.state} with {copies} it says {plain[0]!r} plain and {machine[0]!r} compiled."
            )


def _cases(game: Game, match: Match, random: Random) -> list[Case]:
    """Some states of *match*, its first and its last among them."""
    starts = {turn.first_step for turn in match.turns()}
    last = len(match.steps)
    chosen = {0, last, *random.sample(range(last + 1), min(last + 1, STATES_COMPARED))}
    return [
        Case(game, match.states[index], index in starts, random, match.options, index == 0) for index in sorted(chosen)
    ]


def compiled_kernels_say_what_plain_ones_say(game: Game) -> None:
    """Every kernel of the contract does, in random games of every form."""
    evaluation.evaluation_of(game)
    if game.parts.observation:
        observation.observation_of(game)
    for number, form in enumerate(forms(game)):
        random = Random(number)
        for case in _cases(game, random_match(game, number, form), random):
            for kernel in contract_kernels():
                compare(kernel, case)


def compiled_games_are_plain_games(game: Game) -> None:
    """A random game of one seed ends in the same state, compiled or not."""
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    for seed, match in enumerate(random_matches(game)):
        start = match.states[0]
        machine = playout.playout(start, buffer, random_state(seed))
        plain = playout.playout.function(start, buffer, random_state(seed))
        if machine != plain or not is_over(plain):
            raise Broken(f"A random game must end, and alike: plain in {plain}, compiled in {machine}.")


def a_state_has_legal_steps_until_it_is_over(game: Game) -> None:
    """The steps are listed once each, ``MOST_STEPS`` at most."""
    for state in random_match(game, 5).states:
        steps = legal_steps(state)
        if not len(steps) == len(set(steps)) <= game.rules.MOST_STEPS:
            raise Broken(f"Legal steps must be {game.rules.MOST_STEPS} at most, each once; {state} has {steps}.")
        if bool(steps) == is_over(state):
            raise Broken(f"There must be legal steps until the game is over, and none then: {state} has {steps}.")


def moves_are_written_from_the_base_on(game: Game) -> None:
    """The buffer is left alone before the base."""
    state = random_match(game, 1).states[0]
    buffer = np.full(game.rules.MOST_STEPS + 7, -5, np.int64)
    end = moves(state, buffer, 7)
    if list(buffer[:7]) != [-5] * 7 or list(buffer[7:end]) != legal_steps(state):
        raise Broken(f"Moves must be written from the base on; with base 7 they are {list(buffer[:end])}.")


def states_hold_plain_integers(game: Game) -> None:
    """The integers are Python's, or tables of them: nothing is numpy's."""
    for state in random_match(game, 6).states:
        if not all(type(field) in (int, Integers) for field in state):
            raise Broken(f"A state's fields must be plain integers or tables: {[type(field) for field in state]}.")
        if hash(state) != hash(type(state)(*state)):
            raise Broken(f"Equal states must have equal hashes: {state}.")


def chances_add_up_to_one(game: Game) -> None:
    """There is chance where the catalogue says so, and nowhere else."""
    has_chance = False
    for state in random_match(game, 8).states[:-1]:
        if not is_over(state) and mover(state) == CHANCE:
            has_chance = True
            total = sum(chance(state, step) for step in legal_steps(state))
            if not math.isclose(total, 1.0, rel_tol=1e-6):
                raise Broken(f"The chances of all outcomes must add up to 1; in {state} they make {total}.")
    if has_chance != game.has_chance:
        raise Broken(f"The catalogue must say whether there is chance: has_chance is {game.has_chance}.")


def a_seat_observes_its_own_steps(game: Game) -> None:
    """A state as the seat to act sees it has the same legal steps."""
    for state in random_match(game, 9).states:
        if is_judged(state) and legal_steps(observe(state, mover(state))) != legal_steps(state):
            raise Broken(f"The seat to act must see its own legal steps; in {state} it sees others.")


CHECKS = (
    compiled_kernels_say_what_plain_ones_say,
    compiled_games_are_plain_games,
    a_state_has_legal_steps_until_it_is_over,
    moves_are_written_from_the_base_on,
    states_hold_plain_integers,
    chances_add_up_to_one,
    a_seat_observes_its_own_steps,
)
