"""Changing a state's fields by their names, in compiled code and in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.catalogue import GAMES
from papan.game.kernel import STATE_TYPES, Integers, KernelError, compiled, int64, state, uint64

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
    def test_any_fields_as_in_python(self, cls: Any) -> None:
        lines = [
            f"    if chosen >> {index} & 1:\n        state = state._replace({field}=other.{field})"
            for index, field in enumerate(cls._fields)
        ]
        name = f"some_of_{of_class(cls)}"
        replaced = function_of(f"def {name}(state, other, chosen):\n" + "\n".join(lines) + "\n    return state", name)

        @given(values_of(cls), values_of(cls), st.integers(0, (1 << len(cls._fields)) - 1))
        def check(one: Any, other: Any, chosen: int) -> None:
            names = [field for index, field in enumerate(cls._fields) if chosen >> index & 1]
            found = replaced(one, other, chosen)
            assert found == one._replace(**{field: getattr(other, field) for field in names})
            assert type(found) is cls

        check()

    @pytest.mark.parametrize("cls", STATES, ids=of_class)
    def test_all_at_once_in_any_order(self, cls: Any) -> None:
        given_fields = ", ".join(f"{field}=other.{field}" for field in reversed(cls._fields))
        name = f"all_of_{of_class(cls)}"
        replaced = function_of(f"def {name}(state, other):\n    return state._replace({given_fields})", name)

        @given(values_of(cls), values_of(cls))
        def check(one: Any, other: Any) -> None:
            assert replaced(one, other) == other

        check()


class TestDeclaredTypes:
    @pytest.mark.parametrize("bits", [0, 2**63 - 1, -1, True, np.uint64(2**64 - 1)])
    def test_a_value_is_converted_as_the_constructor_does(self, bits: int) -> None:
        mixed = Mixed(1, Integers([5]), 7)
        assert with_bits(mixed, bits) == made_with_bits(mixed, bits)

    def test_an_unsigned_field_stays_unsigned(self) -> None:
        assert top_bit(Mixed(1, Integers([5]), 7), -1) == 1

    def test_a_table_stays_the_object_it_is(self) -> None:
        one, other = Mixed(1, Integers([5]), 7), Mixed(2, Integers([6, 7]), 8)
        assert with_table_of(one, other).table is other.table
        assert with_bits(one, 9).table is one.table

    def test_a_state_changed_again_and_again_has_one_type(self) -> None:
        assert counted_up(Mixed(1, Integers([5]), 7), 3) == Mixed(4, Integers([5]), 7)

    def test_nothing_may_be_changed(self) -> None:
        assert as_it_is(Mixed(1, Integers([5]), 7)) == Mixed(1, Integers([5]), 7)


class TestRefusals:
    @pytest.mark.parametrize(
        ("function", "said"),
        [(misspelt, "Mixed has no field 'nubmer' to replace; it has number, table, bits"), (by_place, "names only")],
    )
    def test_what_is_wrong_is_said(self, function: Callable[[Mixed], Mixed], said: str) -> None:
        with pytest.raises(KernelError, match=said):
            function(Mixed(1, Integers([5]), 7))

    def test_only_states_have_it(self) -> None:
        with pytest.raises(KernelError, match="_replace"):
            counted_up(Undeclared(1), 2)  # type: ignore[arg-type]  # as the test wants it
