"""One function is compiled for all integers that it is given, whatever they were in the caller, and for all arrays that
are alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import types

from papan.game.kernel import compiled, int64, kernel, state, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.cache import KernelCache
from papan.game.kernel.numba_types import PackedArray, packed, passed, unpacked

ROW = types.Array(types.int8, 1, "C")
RECORD = np.dtype((np.record, [("short", np.int16), ("byte", np.uint8), ("flag", np.bool_), ("share", np.float32)]))


@state
class Row(NamedTuple):
    """A number."""

    value: int64


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded from a file compiles nothing that it calls."""
    monkeypatch.setattr(KernelCache, "load_overload", lambda *_: None)


def signatures(function: Any) -> list[tuple[Any, ...]]:
    return list(function.dispatcher.signatures)


def test_a_number_that_is_written_out_is_any_integer() -> None:
    @subroutine
    def doubled(number: int) -> int:
        return 2 * number

    @compiled
    def sums(number: int) -> int:
        return doubled(3) + doubled(number) + doubled(number=-1) + doubled(True + 3)

    assert sums(10) == 6 + 20 - 2 + 8
    assert signatures(doubled) == [(types.int64,)]


def test_a_variable_that_begins_as_a_number_is_not_compiled_for_that() -> None:
    @subroutine
    def following(number: int) -> int:
        return number + 2

    @compiled
    def counted(end: int) -> int:
        number = 0
        while number < end:
            number = following(number)
        return number

    assert counted(7) == 8
    assert signatures(following) == [(types.int64,)]


def test_a_kernel_is_called_alike() -> None:
    @kernel
    def shifted(row: Row, by: int) -> int:
        raise NotImplementedError

    @shifted.of(Row)
    def _shifted(row: Row, by: int) -> int:
        return row.value + by

    @compiled
    def sums(row: Row, record: Any) -> int:
        return shifted(row, 1) + shifted(row, record.short)

    record = np.zeros(1, RECORD).view(np.recarray)[0]
    record.short = -300
    assert sums(Row(1000), record) == 1001 + 700
    assert signatures(shifted.implementation(Row)) == [(numba.typeof(Row(0)), types.int64)]


def test_what_is_short_keeps_its_value_and_what_is_no_integer_its_type() -> None:
    @subroutine
    def same(value: Any) -> Any:
        return value

    @compiled
    def all_of(record: Any) -> Any:
        return same(record.short), same(record.byte), same(record.flag), same(record.share)

    record = np.zeros(1, RECORD).view(np.recarray)[0]
    record.short, record.byte, record.flag, record.share = -(2**15), 255, True, 0.1
    assert all_of(record) == (-(2**15), 255, True, np.float32(0.1))
    assert set(signatures(same)) == {(types.int64,), (types.uint8,), (types.boolean,), (types.float32,)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (types.literal(3), types.int64),
        (types.literal(True), types.boolean),
        (types.int32, types.int64),
        (types.int64, types.int64),
        (types.uint32, types.uint32),
        (types.uint64, types.uint64),
        (types.float32, types.float32),
        (ROW, PackedArray(ROW)),
        (PackedArray(ROW), PackedArray(ROW)),
        (types.NestedArray(types.int8, (3, 4)), PackedArray(types.Array(types.int8, 2, "C"))),
        (types.Array(types.int8, 1, "A"), types.Array(types.int8, 1, "A")),
        (types.Array(types.int8, 2, "F"), types.Array(types.int8, 2, "F")),
        (types.Array(types.int8, 0, "C"), types.Array(types.int8, 0, "C")),
        (types.Omitted(3), types.Omitted(3)),
    ],
)
def test_as_what_an_argument_is_passed_on(given: Any, expected: Any) -> None:
    assert passed(given) == expected


def test_others_are_left_to_numba() -> None:
    foreign: Any = numba.njit(lambda number: number)

    def caller() -> Any:
        return foreign(3)

    compiled_caller: Any = numba.njit(caller)
    assert compiled_caller() == 3
    assert [type(of_argument) for (of_argument,) in foreign.signatures] == [types.IntegerLiteral]


# -------------------------------------------------------------------------------------------- arrays

TABLE = np.dtype((np.record, [("flag", np.uint8), ("table", np.int64, (3, 4))]))


@subroutine
def weighed(table: Any) -> int:
    """Each number by its place, so that none can be taken for another."""
    found = 10000 * len(table)
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            found += (10 * row + column) * int(table[row, column])
    return found + int(table[-1, -1])


@subroutine
def total(numbers: Any) -> int:
    found = 0
    for number in numbers:
        found += number
    return found


def test_arrays_are_read_and_written_where_they_are() -> None:
    @subroutine
    def fill(numbers: Any, first: int) -> None:
        for index in range(len(numbers)):
            numbers[index] = first + index
        numbers[-1] *= 10

    @compiled
    def all_of(table: Any, record: Any) -> int:
        own = zeros(np.int64, 3, 4)
        for row in range(3):
            fill(own[row], 100 * row)
            fill(record.table[row], 7 * row)
        fill(table[1], 50)
        return weighed(table) + 2 * weighed(record.table) + 3 * weighed(own) + total(own[2])

    table, record = np.arange(12).reshape(3, 4), np.zeros(1, TABLE).view(np.recarray)[0]
    expected_table, expected_record = table.copy(), np.zeros(1, TABLE).view(np.recarray)[0]
    expected = all_of.function(expected_table, expected_record)
    assert all_of(table, record) == expected
    assert np.array_equal(table, expected_table) and np.array_equal(record.table, expected_record.table)
    assert table[1].tolist() == [50, 51, 52, 530] and record.table[2].tolist() == [14, 15, 16, 170]
    assert len(signatures(weighed)) == len(signatures(fill)) == 1, "whoever holds an array, it is passed on alike"


@pytest.mark.parametrize(
    "numbers",
    [
        np.arange(5),
        np.arange(10)[::2],  # not side by side
        np.arange(5)[::-1],
        np.zeros(0, np.int64),
        np.array([2**40, -1, 3]),
        np.lib.stride_tricks.as_strided(np.array([7]), (1,), (800,)),  # one alone is side by side, whatever its stride
    ],
)
def test_arrays_of_any_form_are_passed_on(numbers: Any) -> None:
    @compiled
    def sums(numbers: Any) -> int:
        return 2 * total(numbers) + len(numbers)

    assert sums(numbers) == 2 * int(numbers.sum()) + len(numbers)


def test_what_is_read_only_stays_so() -> None:
    numbers = np.arange(5)
    numbers.flags.writeable = False

    @compiled
    def sums(numbers: Any) -> int:
        return total(numbers)

    assert sums(numbers) == 10
    ((of_numbers,),) = signatures(total)[-1:]
    assert isinstance(of_numbers, PackedArray) and not of_numbers.mutable


def test_an_entry_is_compiled_once_for_python_and_for_itself() -> None:
    @compiled
    def falling(numbers: Any, first: int) -> int:
        if first == len(numbers):
            return 0
        return int(numbers[first]) - falling(numbers, first + 1)

    assert falling(np.array([9, 5, 2]), 0) == 9 - (5 - (2 - 0))
    of_numbers, overloads = numba.typeof(np.arange(3)), falling.dispatcher.overloads
    assert set(overloads) == {(of_numbers, types.int64), (packed(of_numbers), types.int64)}
    assert len({compiled_code.library.name for compiled_code in overloads.values()}) == 1


def test_functions_of_others_take_them_as_arrays() -> None:
    foreign: Any = numba.njit(lambda numbers: numbers[-1] - numbers[0] * len(numbers))

    @subroutine
    def widest(numbers: Any) -> int:
        return int(foreign(numbers))

    @compiled
    def asks(numbers: Any) -> int:
        return widest(numbers) + 1000 * total(numbers)

    assert asks(np.array([40, 3, 500])) == 500 - 3 * 40 + 543_000


def test_a_packed_type_tells_what_it_packs() -> None:
    for array in (np.zeros(2, np.int16), np.zeros((2, 3), RECORD), np.zeros((2, 3, 4), np.float32)):
        for plain in (numba.typeof(array), numba.typeof(array).copy(readonly=True)):
            assert unpacked(packed(plain)) == plain and packed(plain) != plain
            assert str(packed(plain)) == f"packed {plain}", "kept kernels are told apart by it"
