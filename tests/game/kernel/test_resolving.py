"""What an operator returns is found once, and is what numba finds."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import pytest
from numba import types

import papan.game.kernel.compiler  # noqa: F401 - as it is loaded, numba is told
from papan.game.kernel import resolving


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The arguments that numba itself looks functions up for, from now on."""
    found: list[tuple[Any, ...]] = []
    resolve = resolving._resolve

    def counted(function: Any, context: Any, arguments: Any, by_name: Any) -> Any:
        found.append(tuple(arguments))
        return resolve(function, context, arguments, by_name)

    monkeypatch.setattr(resolving, "_resolve", counted)
    resolving._signature.cache_clear()
    return found


def plain() -> Callable[..., Any]:
    """A function that nothing was compiled of."""

    def sums(a: Any, b: Any) -> Any:
        return (a + b) + (b + a) + (a + b)

    return numba.njit(sums)  # type: ignore[no-any-return]


def test_once_for_each_kind_of_arguments(asked: list[tuple[Any, ...]]) -> None:
    sums = plain()
    assert sums(3, 4) == 21
    assert asked.count((types.int64, types.int64)) == 1
    assert sums(1.5, 2.0) == 10.5 and sums(3, 0.5) == 10.5
    assert asked.count((types.float64, types.float64)) == 1
    assert len(asked) == len(set(asked))


def test_what_fails_is_told_each_time(asked: list[tuple[Any, ...]]) -> None:
    sums = plain()
    for _ in range(2):
        with pytest.raises(numba.TypingError, match="No implementation"):
            sums(1, "a")
    assert sums(1, 2) == 9


def test_it_is_what_numba_finds() -> None:
    context = numba.core.registry.cpu_target.typing_context
    kinds = [types.int64, types.uint8, types.float32, types.boolean, types.Array(types.int64, 1, "C")]
    for function in (operator.add, operator.lt, operator.and_):
        known = context.resolve_value_type(function)
        for left in kinds:
            for right in kinds:
                answers = []
                for find in (resolving._resolve, resolving._get_call_type):
                    try:
                        answers.append(find(known, context, (left, right), {}))
                    except numba.TypingError:
                        answers.append(None)
                assert answers[0] == answers[1]
