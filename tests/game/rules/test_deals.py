"""Starts dealt by the kernel ``deal`` where several options leave something to chance at once."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from papan.game.catalogue import GAMES
from papan.game.kernel.arrays import get_state, state_rows
from papan.game.kernel.rng import random_state
from papan.game.rules import State, facts_to_deal
from papan.game.rules.santorini.board import CELLS, god_of, workers_of_side
from papan.game.rules.santorini.gods import APOLLO, ATLAS, SIMPLE_GODS
from papan.testing.play import deal_rows

DEALS = 6000
RANDOMLY = {"pick": "random", "placement": "random"}


def dealt(**options: str) -> list[State]:
    """States of Santorini, dealt under *options*."""
    game = GAMES["santorini"]
    complete = game.complete_options(RANDOMLY | options)
    start = game.rules.start(complete, Random(1))
    rows = state_rows(start, DEALS)
    deal_rows(start, facts_to_deal(game.rules, complete), random_state(5), rows)
    return [get_state(start, rows, index) for index in range(DEALS)]


def are_even(counts: Counter[object], kinds: int) -> bool:
    """Whether so many *kinds* come equally often, by the chi-square test: exceeded by chance once in 100,000 times."""
    expected = sum(counts.values()) / kinds
    distance = sum((counts[kind] - expected) ** 2 for kind in counts) / expected + (kinds - len(counts)) * expected
    return bool(distance < kinds + 4.5 * np.sqrt(2 * kinds) + 12)


class TestGods:
    def test_each_pair_of_two_is_as_likely(self) -> None:
        pairs = Counter((god_of(state, 0), god_of(state, 1)) for state in dealt(gods="seeds", same="yes"))
        assert set(pairs) == {(one, other) for one in (APOLLO, ATLAS) for other in (APOLLO, ATLAS)}
        assert are_even(Counter(dict(pairs)), 4)

    def test_none_comes_twice_where_that_is_not_allowed(self) -> None:
        hands = [tuple(god_of(state, seat) for seat in range(4)) for state in dealt(seats="4")]
        assert all(len(set(hand)) == 4 and set(hand) <= set(SIMPLE_GODS) for hand in hands)
        assert are_even(Counter(hand[:2] for hand in hands), 90)


class TestPlaces:
    @pytest.mark.parametrize(
        ("seats", "teams", "sides"), [("2", "no", 2), ("3", "no", 3), ("4", "no", 4), ("4", "yes", 2)]
    )
    def test_two_workers_of_each_side_stand_anywhere(self, seats: str, teams: str, sides: int) -> None:
        states = dealt(seats=seats, teams=teams)
        places: Counter[object] = Counter()
        for state in states:
            boards = [workers_of_side(state, side) for side in range(4)]
            assert [board.bit_count() for board in boards] == [2] * sides + [0] * (4 - sides)
            assert sum(boards).bit_count() == 2 * sides
            places.update((side, cell) for side in range(sides) for cell in range(CELLS) if boards[side] >> cell & 1)
        assert are_even(places, sides * CELLS)
