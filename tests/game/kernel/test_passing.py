"""One function is compiled for all integers that it is given, whatever they were in the caller."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba import types

from papan.game.kernel import compiled, int64, kernel, state, subroutine
from papan.game.kernel.cache import KernelCache
from papan.game.kernel.passing import MARK, passed

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
        (types.Array(types.int8, 1, "C"), types.Array(types.int8, 1, "C")),
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
    assert compiled_caller() == 3 and not hasattr(foreign, MARK)
    assert [type(of_argument) for (of_argument,) in foreign.signatures] == [types.IntegerLiteral]
