"""Room that compiled code has for itself, and that it asks for no other memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import Integers, KernelError, compiled, inlined, int64, state, subroutine, uint64
from papan.game.kernel.arrays import get_state, put_state, row_type, state_rows, zeros
from papan.game.rules import State
from papan.testing.random_games import forms, new_match, random_match

SIZE = 5
ROWS = 3


@state
class Dice(NamedTuple):
    """A state that compiled code returns."""

    thrown: int64


@inlined
def count(numbers: Any, counted: Any) -> None:
    for index in range(len(numbers)):
        counted[numbers[index]] += 1


@subroutine
def most_common(numbers: Any) -> int:
    counted = zeros(np.int64, SIZE)
    count(numbers, counted)
    best = 0
    for number in range(SIZE):
        if counted[number] > counted[best]:
            best = number
    return best


@compiled
def most_common_of_each(rows: Any, found: Any) -> None:
    """Many times, one after the other and one within the other."""
    for row in range(len(rows)):
        seen = zeros(np.int16, ROWS, 2)
        for column in range(ROWS):
            seen[column, 1] += column + 1
        found[row, 0], found[row, 1] = most_common(rows[row]), seen.sum()


@compiled
def after(state: Dice) -> Dice:
    room = zeros(np.float32, 2)
    room[1] = 0.5
    return state._replace(thrown=state.thrown + int(2.0 * room.sum()))


@subroutine
def a_part(numbers: Any) -> float:
    found: float = numbers[1:].sum() + numbers[0]
    return found


@compiled
def swapped(pairs: Any, weights: Any) -> float:
    """It takes parts of arrays, hands arrays on and has two names for one."""
    total = 0.0
    for index in range(len(pairs)):
        first, second = pairs[index], pairs[index - 1]
        if first[0] > second[0]:
            first, second = second, first
        total += a_part(first) - a_part(second) * weights[index]
    return total


def as_in_python(entry: Any, *arguments: Any) -> None:
    """See that *entry* does compiled what it does as plain Python."""
    plain = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]
    assert entry(*arguments) == entry.function(*plain)
    for argument, wanted in zip(arguments, plain, strict=True):
        np.testing.assert_array_equal(argument, wanted)


def test_it_is_zeros_each_time_and_as_long_as_its_function_runs() -> None:
    rows = np.random.default_rng(1).integers(0, SIZE, (200, 9))
    found = np.zeros((200, 2), np.int64)
    as_in_python(most_common_of_each, rows, found)
    assert set(found[:, 1]) == {6} and len(set(found[:, 0])) == SIZE
    as_in_python(after, Dice(4))
    assert after(Dice(4)) == Dice(5)


def test_no_references_are_counted() -> None:
    pairs, weights = np.random.default_rng(2).random((7, 4)), np.arange(7.0)
    as_in_python(swapped, pairs, weights)
    compiled_code, *_ = swapped.dispatcher.overloads.values()
    assert "NRT_" not in compiled_code.library.get_llvm_str()
    counting = numba.njit(lambda pairs: pairs[1:][0, 0])
    counting(pairs)
    (counted_code,) = counting.overloads.values()
    assert "NRT_" in counted_code.library.get_llvm_str(), "that is how they would be"


NONE_IS_TAKEN = "asks for no memory (hand it what it shall write to"
TO_WRITE_TO = "(hand it an array to write to)"
WRITTEN_OUT = "zeros takes counts that are written out"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda given: float(np.zeros(len(given))[0]), NONE_IS_TAKEN),
        (lambda given: int((given + given)[0]), NONE_IS_TAKEN),
        (lambda given: [len(given), 1][0], NONE_IS_TAKEN),
        (lambda given: int(zeros(np.int64, len(given))[0]), WRITTEN_OUT),
        (lambda given: int(zeros(np.int64)) + len(given), WRITTEN_OUT),
        (lambda given: int(zeros(SIZE, SIZE)[0]) + len(given), "zeros takes a kind of numbers such as np.int64 first"),
        (lambda given: zeros(np.int64, SIZE), TO_WRITE_TO),
        (lambda given: (len(given), zeros(np.int64, SIZE)), TO_WRITE_TO),
        (lambda given: (len(given), (1, given[1:])), TO_WRITE_TO),
    ],
)
def test_what_cannot_be_had_is_told(function: Any, said: str) -> None:
    entry = compiled(function)
    for _attempt in range(2):  # nothing of the first one is left
        with pytest.raises(KernelError) as refused:
            entry(np.arange(3))
        assert str(refused.value).startswith(f"{__file__}, line ")
        assert said in str(refused.value)


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

    def test_holds_all_bits_and_takes_its_tables_from_another_state(self) -> None:
        kept, like = Various(-(1 << 63), Integers((1, 2)), HIGHEST_BIT + 5), Various(9, Integers((7,)), 9)
        rows = state_rows(kept, 2)
        put_state(kept, rows, 1)
        assert get_state(kept, rows, 1) == kept
        assert all(type(field) in (int, Integers) for field in get_state(kept, rows, 1))
        assert get_state(like, rows, 1) == kept._replace(table=Integers((7,)))
        assert get_state(like, rows, 0) == Various(0, Integers((7,)), 0), "it is nothing at first"

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
    of_each_type = {type(new_match(game, 0, form).state): form for form in forms(game)}
    for form in of_each_type.values():
        states = list(random_match(game, 1, form).states)
        rows = state_rows(states[0], len(states))
        for index, each in enumerate(states):
            put_state(each, rows, index)
        last = len(states) - 1
        assert exchanged(states[0], rows, 0, last) == states[last]
        assert [get_state(states[0], rows, index) for index in range(len(states))] == [
            states[last], *states[1:last], states[0]
        ]  # fmt: skip
