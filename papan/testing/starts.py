"""Checks of starts: the kernel ``deal`` has the same distribution as ``start``."""

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
from papan.game.playout import playout
from papan.game.rules import UNNUMBERED, State, deal, facts_to_deal, reason_number
from papan.testing.random_games import Broken, Form, forms, new_match

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
