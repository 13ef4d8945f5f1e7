"""Arrays for compiled code: local ones, records that Python reads by name, and states in the rows of an array.

Compiled code allocates no memory, and so counts no references, which threads would have to share: it writes to its
argument arrays, or to ``zeros``.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.kernel import Integers, Subroutine, declared_type, fields_of, kernel


class _Zeros(Subroutine[..., Any]):
    """``zeros``, which compiled code generates instead of calling."""

    @property
    def _numba_type_(self) -> Any:
        from papan.game.kernel import numba_types

        return numba_types.ZEROS


@_Zeros
def zeros(kind: Any, *counts: int) -> Any:
    """An array of numbers of a *kind* such as ``np.int64``, all 0, with that many of them along each axis.

    In compiled code, *counts* are literals or constants of a module, and the array exists until the calling function
    returns: that function may pass it on, and returns no array.

    >>> zeros(np.int64, 2, 3).shape
    (2, 3)
    """
    return np.zeros(counts, kind)


def record_type(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The type of a record with these *fields*: name, type and shape of each.

    Python reads them as attributes of a record or of an array's element, several times as fast as ``np.record`` does.

    >>> places = np.zeros(2, record_type(("row", np.int64), ("column", np.int64)))
    >>> places[1].row = 3
    >>> places["row"].tolist()
    [0, 3]
    """
    members = {name: _member(name) for name, *_ in fields}
    return np.dtype((type("Record", (np.void,), {"__slots__": (), **members}), list(fields)))


def _member(name: str) -> property:
    def put(record: Any, value: Any) -> None:
        record[name] = value

    return property(itemgetter(name), put)


def new_record(kind: np.dtype[Any]) -> Any:
    """A record of that type, all zeros."""
    return np.zeros(1, kind)[0]


def array_of(record: Any) -> NDArray[Any]:
    """The same memory as a plain array of one; compiled calls take it several times as fast as *record*.

    numba analyses a record at each call, but knows an array by the type of its elements.

    >>> counter = new_record(record_type(("count", np.int64)))
    >>> array_of(counter)["count"] = 3
    >>> int(counter.count)
    3
    """
    array: NDArray[Any] = np.asarray(record).reshape(1)
    assert np.shares_memory(array, record)
    return array


State = Any


# Each row has a field for each integer of the state, with its name and declared type. The tables, its ``Integers``,
# stay the same throughout a match: they are taken from any state of the match.


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
    """The state in ``rows[index]``, with the tables of *like*, another state of the same match."""
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
    """The function with that source, as ``namedtuple`` makes its own: numba can't compile a loop over fields."""
    within: dict[str, Any] = {"__name__": __name__, "State": cls}
    exec("\n    ".join([f"def {head}:", *body]), within)
    made: Callable[..., Any] = within[head.partition("(")[0]]
    return made
