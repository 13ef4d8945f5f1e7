"""What numba's own functions return for arguments of given types: it is found once, not once for each call.

For ``a + b`` of two integers numba goes through all that can be added, dates among it, and does so again at the next
plus. A tenth of the time in which a search is compiled went into that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from papan.game.kernel.private import part

_BaseFunction: Any = part("numba.core.types.functions:BaseFunction")
_resolve = _BaseFunction.get_call_type


@cache
def _signature(function: Any, context: Any, arguments: tuple[Any, ...]) -> Any:
    """The signature of *function*, which a *context* knows, for *arguments*. What fails is tried again, to be told."""
    return _resolve(function, context, arguments, {})


def _get_call_type(function: Any, context: Any, arguments: Any, by_name: Mapping[str, Any]) -> Any:
    if by_name:
        return _resolve(function, context, arguments, by_name)
    return _signature(function, context, tuple(arguments))


def resolve_once() -> None:
    """Have numba look a function up once for each kind of arguments. One that learns another kind is another one."""
    _BaseFunction.get_call_type = _get_call_type
