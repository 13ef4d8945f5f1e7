"""States in arrays: what is put comes back, in compiled code as in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from papan.game.catalogue import GAMES
from papan.game.facts import Game
from papan.game.kernel import Integers, compiled, int64, state, uint64
from papan.game.kernel.arrays import get_state, put_state, row_type, state_rows
from papan.game.rules import State
from papan.testing.random_games import forms, random_match

HIGHEST_BIT = 1 << 63


@state
class Various(NamedTuple):
    number: int64
    table: Integers
    size: uint64  # what an array calls its own length


@compiled
def exchanged(like: State, rows: Any, first: int, second: int) -> State:
    """The state at *first*, when those at *first* and *second* have changed places."""
    one, other = get_state(like, rows, first), get_state(like, rows, second)
    put_state(other, rows, first)
    put_state(one, rows, second)
    return get_state(like, rows, first)


class TestARow:
    def test_has_the_integer_fields_by_their_machine_types(self) -> None:
        assert row_type(Various) == np.dtype([("number", np.int64), ("size", np.uint64)])

    def test_holds_the_highest_bit_and_the_lowest_number(self) -> None:
        kept = Various(-(1 << 63), Integers((1, 2)), HIGHEST_BIT + 5)
        rows = state_rows(kept, 2)
        put_state(kept, rows, 1)
        assert get_state(kept, rows, 1) == kept
        assert all(type(field) in (int, Integers) for field in get_state(kept, rows, 1))

    def test_takes_its_tables_from_another_state(self) -> None:
        rows = state_rows(Various(1, Integers((1, 2)), 3), 1)
        put_state(Various(1, Integers((1, 2)), 3), rows, 0)
        assert get_state(Various(0, Integers((7,)), 0), rows, 0) == Various(1, Integers((7,)), 3)

    def test_is_nothing_at_first(self) -> None:
        like = Various(9, Integers(()), 9)
        assert get_state(like, state_rows(like, 3), 2) == Various(0, Integers(()), 0)

    @pytest.mark.parametrize("run", [exchanged, exchanged.function], ids=["compiled", "plain"])
    def test_changes_places_with_another(self, run: Any) -> None:
        one, other = Various(-3, Integers(()), HIGHEST_BIT), Various(4, Integers(()), HIGHEST_BIT - 1)
        rows = state_rows(one, 2)
        put_state(one, rows, 0)
        put_state(other, rows, 1)
        assert run(one, rows, 0, 1) == other
        assert (get_state(one, rows, 0), get_state(one, rows, 1)) == (other, one)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_the_states_of_every_game_come_back(game: Game) -> None:
    for number, form in enumerate(forms(game)):
        states = list(random_match(game, number, form).states)
        rows = state_rows(states[0], len(states))
        for index, each in enumerate(states):
            put_state(each, rows, index)
        last = len(states) - 1
        assert exchanged(states[0], rows, 0, last) == states[last]
        assert [get_state(states[0], rows, index) for index in range(len(states))] == [
            states[last], *states[1:last], states[0]
        ]  # fmt: skip
