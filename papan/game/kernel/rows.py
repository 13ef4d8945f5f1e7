"""States in arrays: many states of one type without a Python object for each.

A row has a field for each of the state's integers, by its name and of its declared type. Its tables, the ``Integers``,
stay the same throughout a match and have no place there: they are taken from any state of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from papan.game.kernel import Integers, declared_type, fields_of, kernel

State = Any


def row_type(cls: type) -> np.dtype[Any]:
    """The type of a row for states of the type *cls*."""
    return np.dtype([(field, getattr(np, declared_type(cls, field))) for field in _integer_fields(cls)])


def state_rows(state: State, number: int) -> Any:
    """An array of *number* rows for states of the type of *state*, all zeros."""
    return np.zeros(number, row_type(type(state)))


@kernel
def put_state(state: State, rows: Any, index: int) -> None:
    """Write *state* into ``rows[index]``."""
    raise NotImplementedError


@kernel
def get_state(like: State, rows: Any, index: int) -> State:
    """The state that ``rows[index]`` holds, with the tables of *like*, another state of the same match."""
    raise NotImplementedError


@put_state.made_by
def _putter(cls: type) -> Callable[..., None]:
    lines = [f"row[{field!r}] = state.{field}" for field in _integer_fields(cls)]
    return _function(cls, "put_state(state, rows, index)", ["row = rows[index]", *lines])


@get_state.made_by
def _getter(cls: type) -> Callable[..., State]:
    own = set(_integer_fields(cls))
    values = [f"int(row[{field!r}])" if field in own else f"like.{field}" for field in fields_of(cls)]
    return _function(cls, "get_state(like, rows, index)", ["row = rows[index]", f"return State({', '.join(values)})"])


def _integer_fields(cls: type) -> list[str]:
    return [field for field in fields_of(cls) if declared_type(cls, field) != Integers.__name__]


def _function(cls: type, head: str, body: list[str]) -> Callable[..., Any]:
    """The function of that source, made as ``namedtuple`` makes its own: the compiler sees no loop over fields."""
    within: dict[str, Any] = {"__name__": __name__, "State": cls}
    exec("\n    ".join([f"def {head}:", *body]), within)
    made: Callable[..., Any] = within[head.partition("(")[0]]
    return made
