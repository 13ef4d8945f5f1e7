"""Checks of play: endings, undo, chance, refusals, and that the kernel ``deal`` has the distribution of ``start``."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np

from papan.game.game import Game
from papan.game.kernel import Integers, compiled, fields_of
from papan.game.kernel.arrays import get_state, put_state, state_rows
from papan.game.kernel.rng import RandomState, random_state
from papan.game.match import Match
from papan.game.playout import playout
from papan.game.rules import (
    CHANCE,
    UNNUMBERED,
    IllegalStep,
    State,
    deal,
    facts_to_deal,
    is_over,
    legal_steps,
    mover,
    payoff,
    reason_number,
    seats,
)
from papan.testing.random_games import (
    Broken,
    Form,
    forms,
    new_match,
    random_match,
    random_matches,
    random_step,
)

SHORTEST_SENTENCE = 10


def games_end_with_a_reason(game: Game) -> None:
    """Games end with a reason and a payoff for each seat; those of two seats add up to 0."""
    for match in random_matches(game):
        ending = match.ending
        if ending is None or not ending.reason:
            raise Broken(f"A game must end for a reason in words; this one ended with {ending}.")
        if len(ending.payoffs) != game.seats[0] or (len(ending.payoffs) == 2 and sum(ending.payoffs) != 0):
            raise Broken(f"There must be a payoff for each seat, of two seats a sum of 0; they are {ending.payoffs}.")


def games_of_every_form_end(game: Game) -> None:
    """Every number of seats, and every value of every option."""
    for form in forms(game):
        match = random_match(game, 1, form)
        if match.ending is None or not len(match.ending.payoffs) == form.seats == seats(match.state):
            raise Broken(f"With {form.options} and {form.seats} seats, {match.ending} is no ending for all of them.")
        outcomes = {match.ending.outcome(seat) for seat in range(form.seats)}
        if not outcomes <= {"won", "lost", "draw", "over"}:
            raise Broken(f"A game is won, lost or a draw, or just over for one seat; here it is {outcomes}.")


def games_of_one_seed_are_the_same(game: Game) -> None:
    """Games from one seed have the same states."""
    played, again = random_match(game, 3), new_match(game, 3)
    for step in played.steps:
        if again.mover == CHANCE and again.chance_step() != step:
            break
        again.play(step)
    if again.states != played.states:
        raise Broken("A match of one seed must be the same each time: all that is random comes from the seed.")


def the_payoff_is_that_of_the_ending(game: Game) -> None:
    """The kernel's payoff is the ending's."""
    for match in random_matches(game):
        if match.ending and is_over(match.state):
            payoffs = tuple(payoff(match.state, seat) for seat in range(len(match.seats)))
            if payoffs != match.ending.payoffs:
                raise Broken(f"The kernel payoff says {payoffs}, the ending {match.ending.payoffs}.")


def undo_returns_equal_states(game: Game) -> None:
    """Undo restores the earlier states, and redo the undone ones."""
    match = random_match(game, 11)
    states, steps, ending = list(match.states), list(match.steps), match.ending
    while match.can_undo:
        match.undo()
        if match.state != states[len(match.steps)] or match.ending is not None:
            raise Broken(f"After undo the match must be as it was before step {len(match.steps) + 1}.")
    while match.can_redo:
        match.redo()
    if list(match.states) != states or list(match.steps) != steps or match.ending != ending:
        raise Broken("After all is undone and redone the match must be what it was.")


def chance_brings_the_same_again(game: Game) -> None:
    """Chance depends on the match's seed and the step's number only."""
    match = random_match(game, 12)
    while match.can_undo:
        match.undo()
        if match.mover == CHANCE and match.chance_step() != match.all_steps[len(match.steps)]:
            raise Broken(f"Chance must bring the same again after undo; it did not at step {len(match.steps) + 1}.")


def illegal_steps_are_refused_with_the_rule(game: Game) -> None:
    """Illegal steps are refused in a sentence, without any change."""
    match, random, highest = new_match(game, 2), Random(2), 0
    while not match.ending:
        legal = match.legal_steps()
        highest = max(highest, *legal)
        for step in (-1, highest + 1, random.randrange(highest + 2)):
            if step not in legal:
                _refusal_of(match, step)
        match.play(random_step(match, random))
    if "over" not in _refusal_of(match, match.steps[-1]):
        raise Broken("Once the game is over a step must be refused because of that.")


def _refusal_of(match: Match, step: int) -> str:
    """The sentence that refuses *step* in *match*.

    :raises Broken: it plays the step, changes something, or does not give a sentence.
    """
    before = (match.states, match.steps)
    try:
        match.play(step)
    except IllegalStep as error:
        sentence = str(error)
        if not sentence.endswith(".") or len(sentence) <= SHORTEST_SENTENCE:
            raise Broken(f"A refusal must be a sentence; step {step} is refused with '{sentence}'.") from error
        if (match.states, match.steps) != before:
            raise Broken(f"Refusing step {step} must change nothing.") from error
        return sentence
    raise Broken(f"Step {step} is not among the legal ones, and must be refused.")


def pointing_at_the_wrong_cells_is_explained(game: Game) -> None:
    """Cells that no step begins with are refused in a sentence."""
    for state in random_match(game, 14).states[:-1]:
        if mover(state) == CHANCE:
            continue
        paths = {game.rules.cells(state, step) for step in legal_steps(state)}
        for path in [path for path in paths if path]:
            wrong = (*path[:-1], (path[-1] + 3) % 25)
            if not any(other[: len(wrong)] == wrong for other in paths):
                sentence = game.rules.refusal_at(state, wrong)
                if not sentence.endswith("."):
                    raise Broken(f"Pointing at cells {wrong} must be refused in a sentence, not by '{sentence}'.")


DEALS = 4000
MOST_DEVIATION = 5.0
"""Standard deviations: one of two million frequencies is that far off by chance; seeds are fixed."""
COMMON = 64
"""If a field has more values than this, bits are counted instead of values."""
GAMES_ENDED = 200


@compiled
def deal_rows(start: State, facts: Any, random: RandomState, rows: Any) -> None:
    """Fill *rows* with dealt starts."""
    for index in range(len(rows)):
        put_state(deal(start, facts, random), rows, index)


def starts_are_dealt_as_often_as_they_begin(game: Game) -> None:
    """Each bit, or each value of a field, is as frequent in the kernel ``deal`` as in ``start``."""
    for form in forms(game):
        options = new_match(game, 0, form).options
        begun = [game.rules.start(options, Random(seed)) for seed in range(DEALS)]
        rows = state_rows(begun[0], DEALS)
        deal_rows(begun[0], facts_to_deal(game.rules, options), random_state(1), rows)
        dealt = [get_state(begun[0], rows, index) for index in range(DEALS)]
        _compare(form, begun, dealt)


def _compare(form: Form, begun: list[State], dealt: list[State]) -> None:
    """:raises Broken: a value or bit is significantly more frequent in one of the two."""
    for field in fields_of(type(begun[0])):
        values = [[getattr(state, field) for state in states] for states in (begun, dealt)]
        if isinstance(values[0][0], Integers):
            continue
        by_value = len({*values[0], *values[1]}) <= COMMON
        first, second = (Counter(own) if by_value else _bits(own) for own in values)
        for what in {*first, *second}:
            share = (first[what] + second[what]) / (2 * DEALS)
            spread = math.sqrt(max(share * (1 - share) * 2 / DEALS, 1 / DEALS**2))
            if abs(first[what] - second[what]) / DEALS > MOST_DEVIATION * spread:
                kind = "the value" if by_value else "bit"
                raise Broken(
                    f"With {form.options} and {form.seats} seats, {kind} {what} of {field}"
                    f" comes {first[what]} times in {DEALS} starts, and {second[what]} times where the kernel deals."
                )


def _bits(values: list[int]) -> Counter[int]:
    """How often each bit is set."""
    return Counter(bit for value in values for bit in range(value.bit_length()) if value >> bit & 1)


def equal_reason_numbers_are_equal_reasons(game: Game) -> None:
    """Finished games with the same ``reason_number`` have the same reason."""
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    for form in forms(game):
        start = new_match(game, 0, form).state
        reasons: dict[int, str] = {}
        for seed in range(GAMES_ENDED):
            final = playout(start, buffer, random_state(seed))
            number, reason = int(reason_number(final)), game.rules.ending(final).reason
            if number != UNNUMBERED and reasons.setdefault(number, reason) != reason:
                raise Broken(f"Games with the reason number {number} ended by '{reasons[number]}', and by '{reason}'.")
