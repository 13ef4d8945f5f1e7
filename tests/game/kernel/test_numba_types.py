"""Changing a state's fields by their names, in compiled code and in Python."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types

from papan.game.catalogue import GAMES
from papan.game.kernel import STATE_TYPES, Integers, KernelError, compiled, int64, kernel, state, subroutine, uint64
from papan.game.kernel.arrays import record_type, zeros
from papan.game.kernel.cache import KernelCache
from papan.game.rules import connect_four, key

MODULES = {game.rules.__name__ for game in GAMES.values()}  # asking for its rules imports a game
STATES = [cls for cls in STATE_TYPES if cls.__module__.startswith(tuple(MODULES))]


@state
class Mixed(NamedTuple):
    number: int64
    table: Integers
    bits: uint64


class Undeclared(NamedTuple):
    number: int


@compiled
def with_bits(state: Mixed, bits: int) -> Mixed:
    return state._replace(bits=bits)


@compiled
def made_with_bits(state: Mixed, bits: int) -> Mixed:
    return Mixed(state.number, state.table, bits)


@compiled
def top_bit(state: Mixed, bits: int) -> int:
    return state._replace(bits=bits).bits >> 63


@compiled
def with_table_of(state: Mixed, other: Mixed) -> Mixed:
    return state._replace(table=other.table)


@compiled
def counted_up(state: Mixed, times: int) -> Mixed:
    for _ in range(times):
        state = state._replace(number=state.number + 1)
    return state


@compiled
def as_it_is(state: Mixed) -> Mixed:
    return state._replace()


@compiled
def misspelt(state: Mixed) -> Mixed:
    return state._replace(nubmer=1)  # type: ignore[call-arg]  # as the test wants it


@compiled
def by_place(state: Mixed) -> Mixed:
    return state._replace(1)  # type: ignore[call-arg]  # as the test wants it


def function_of(source: str, name: str) -> Any:
    """The function *name* of *source*, to be compiled; the cache knows it by its name, so each has one of its own."""
    names: dict[str, Any] = {"__name__": __name__}
    exec(source, names)
    return compiled(names[name])


def of_class(cls: type) -> str:
    return f"{cls.__module__}_{cls.__name__}".replace(".", "_")


def values_of(cls: type[Any]) -> st.SearchStrategy[Any]:
    """Any values for the fields of *cls*."""
    by_type: dict[str, st.SearchStrategy[Any]] = {
        "int64": st.integers(-(2**63), 2**63 - 1),
        "uint64": st.integers(0, 2**64 - 1),
        "Integers": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3).map(Integers),
    }
    declared = [getattr(hint, "__forward_arg__", None) or hint.__name__ for hint in cls.__annotations__.values()]
    return st.tuples(*(by_type[name] for name in declared)).map(cls._make)


class TestStatesOfTheCatalogue:
    def test_all_are_here(self) -> None:
        assert len(STATES) >= len(GAMES)

    @pytest.mark.parametrize("cls", STATES, ids=of_class)
    def test_some_fields_one_by_one_and_all_at_once_in_any_order(self, cls: Any) -> None:
        lines = [
            f"    if chosen >> {index} & 1:\n        state = state._replace({field}=other.{field})"
            for index, field in enumerate(cls._fields)
        ]
        all_fields = ", ".join(f"{field}=other.{field}" for field in reversed(cls._fields))
        lines += [f"    return state, given._replace({all_fields})"]
        name = f"some_and_all_of_{of_class(cls)}"
        source = f"def {name}(given, other, chosen):\n    state = given\n" + "\n".join(lines)
        replaced = function_of(source, name)

        @given(values_of(cls), values_of(cls), st.integers(0, (1 << len(cls._fields)) - 1))
        @settings(max_examples=40)
        def check(one: Any, other: Any, chosen: int) -> None:
            names = [field for index, field in enumerate(cls._fields) if chosen >> index & 1]
            found, whole = replaced(one, other, chosen)
            assert found == one._replace(**{field: getattr(other, field) for field in names})
            assert whole == other
            assert type(found) is type(whole) is cls

        check()


MIXED = Mixed(1, Integers([5]), 7)


class TestDeclaredTypes:
    @pytest.mark.parametrize("bits", [0, 2**63 - 1, -1, True, np.uint64(2**64 - 1)])
    def test_a_value_is_converted_as_the_constructor_does(self, bits: int) -> None:
        assert with_bits(MIXED, bits) == made_with_bits(MIXED, bits)

    def test_fields_keep_their_types_and_tables_stay_the_objects_they_are(self) -> None:
        assert top_bit(MIXED, -1) == 1, "an unsigned field stays unsigned"
        other = Mixed(2, Integers([6, 7]), 8)
        assert with_table_of(MIXED, other).table is other.table
        assert with_bits(MIXED, 9).table is MIXED.table
        assert counted_up(MIXED, 3) == Mixed(4, Integers([5]), 7)
        assert as_it_is(MIXED) == MIXED, "nothing may be changed"


class TestRefusals:
    @pytest.mark.parametrize(
        ("function", "said"),
        [(misspelt, "Mixed has no field 'nubmer' to replace; it has number, table, bits"), (by_place, "names only")],
    )
    def test_what_is_wrong_is_said(self, function: Callable[[Mixed], Mixed], said: str) -> None:
        with pytest.raises(KernelError, match=said):
            function(MIXED)

    def test_only_states_have_it(self) -> None:
        with pytest.raises(KernelError, match="_replace"):
            counted_up(Undeclared(1), 2)  # type: ignore[arg-type]  # as the test wants it


RECORD = record_type(("short", np.int16), ("byte", np.uint8), ("flag", np.bool_), ("share", np.float32))


@state
class Row(NamedTuple):
    """A number."""

    value: int64


@pytest.fixture
def _compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded from a file compiles nothing that it calls."""
    monkeypatch.setattr(KernelCache, "load_overload", lambda *_: None)


def signatures(function: Any) -> list[tuple[Any, ...]]:
    return list(function.dispatcher.signatures)


@pytest.mark.usefixtures("_compiled_anew")
def test_a_number_that_is_written_out_is_any_integer() -> None:
    @subroutine
    def doubled(number: int) -> int:
        return 2 * number

    @compiled
    def sums(number: int) -> int:
        count = 0  # begins as a number that is written out
        while count < 7:
            count = doubled(count) + 1
        return doubled(3) + doubled(number) + doubled(number=-1) + doubled(True + 3) + count

    assert sums(10) == 6 + 20 - 2 + 8 + 7
    assert signatures(doubled) == [(types.int64,)]


@pytest.mark.usefixtures("_compiled_anew")
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

    record = np.zeros(1, RECORD)[0]
    record.short = -300
    assert sums(Row(1000), record) == 1001 + 700
    assert signatures(shifted.implementation(Row)) == [(numba.typeof(Row(0)), types.int64)]


@pytest.mark.usefixtures("_compiled_anew")
def test_what_is_short_keeps_its_value_and_what_is_no_integer_its_type() -> None:
    @subroutine
    def same(value: Any) -> Any:
        return value

    @compiled
    def all_of(record: Any) -> Any:
        return same(record.short), same(record.byte), same(record.flag), same(record.share)

    record = np.zeros(1, RECORD)[0]
    record.short, record.byte, record.flag, record.share = -(2**15), 255, True, 0.1
    assert all_of(record) == (-(2**15), 255, True, np.float32(0.1))
    assert set(signatures(same)) == {(types.int64,), (types.uint8,), (types.boolean,), (types.float32,)}


# -------------------------------------------------------------------------------------------- arrays

TABLE = record_type(("flag", np.uint8), ("table", np.int64, (3, 4)))


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


@pytest.mark.usefixtures("_compiled_anew")
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

    table, record = np.arange(12).reshape(3, 4), np.zeros(1, TABLE)[0]
    expected_table, expected_record = table.copy(), np.zeros(1, TABLE)[0]
    expected = all_of.function(expected_table, expected_record)
    assert all_of(table, record) == expected
    assert np.array_equal(table, expected_table) and np.array_equal(record.table, expected_record.table)
    assert len(signatures(weighed)) == 1, "whoever holds an array, it is passed on alike"
    assert table[1].tolist() == [50, 51, 52, 530] and record.table[2].tolist() == [14, 15, 16, 170]


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


@pytest.mark.usefixtures("_compiled_anew")
def test_what_is_read_only_stays_so() -> None:
    numbers = np.arange(5)
    numbers.flags.writeable = False

    @compiled
    def sums(numbers: Any) -> int:
        return total(numbers)

    assert sums(numbers) == 10
    ((of_numbers,),) = signatures(total)[-1:]
    assert not of_numbers.mutable


def test_functions_of_others_are_left_to_numba_and_take_arrays() -> None:
    of_numbers: Any = numba.njit(lambda number: number)
    assert numba.njit(lambda: of_numbers(3))() == 3
    assert [type(argument) for (argument,) in of_numbers.signatures] == [types.IntegerLiteral]
    foreign: Any = numba.njit(lambda numbers: numbers[-1] - numbers[0] * len(numbers))

    @subroutine
    def widest(numbers: Any) -> int:
        return int(foreign(numbers))

    @compiled
    def asks(numbers: Any) -> int:
        return widest(numbers) + 1000 * total(numbers)

    assert asks(np.array([40, 3, 500])) == 500 - 3 * 40 + 543_000


@state
class State(NamedTuple):
    """As Connect Four's: the same name, the same fields."""

    mine: int64
    theirs: int64


@key.of(State)
def _key(state: State) -> int:
    return -1 - state.mine


@compiled
def compiled_key(state: State | connect_four.State) -> int:
    return key(state)


@compiled
def given_back(state: Any) -> Any:
    return state


class TestTypesOfOneName:
    def test_each_runs_its_own_kernels(self) -> None:
        assert State._fields == connect_four.State._fields
        for _ in range(2):
            assert compiled_key(connect_four.State(5, 2)) == key(connect_four.State(5, 2)) > 0
            assert compiled_key(State(5, 2)) == key(State(5, 2)) == -6

    def test_they_are_still_found_by_their_names(self) -> None:
        for one in (State(5, 2), connect_four.State(5, 2)):
            assert type(given_back(one)) is type(one)
            assert type(pickle.loads(pickle.dumps(one))) is type(one)


def test_a_type_of_state_of_no_module_comes_back_from_compiled_code() -> None:
    class Local(NamedTuple):
        number: int64

    made = state(Local)

    @compiled
    def one_more(given: Any) -> Any:
        return made(given.number + 1)

    found = one_more(made(1))
    assert found == (2,) and found.number == 2
