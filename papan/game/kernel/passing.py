"""Integers are passed to other functions as integers of 64 bits, whatever they were where they are passed, and arrays
whose numbers lie side by side as two or three words (``machine_types.PackedArray``).

To numba a number that is written out has a type of its own, and one that a record holds in 16 bits has another, and it
compiles a function for each of them. A variable that begins as 0 counts as such a number, too, until it is known what
becomes of it: a sixth of all functions that the tests compile were there twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numba import types

from papan.game.kernel.machine_types import KernelType, packed
from papan.game.kernel.private import part

_TypeInferer: Any = part("numba.core.typeinfer:TypeInferer")
_resolve = _TypeInferer.resolve_call

MARK = "passes_integers_alike"
"""The attribute of a dispatcher by which ours are told from those within numba, which may want to know a number."""


def passed(argument: Any) -> Any:
    """The numba type as which an *argument* of that type is passed on."""
    plain = types.unliteral(argument)
    is_short = isinstance(plain, types.Integer) and plain.signed and plain.bitwidth < types.int64.bitwidth
    return types.int64 if is_short else packed(plain)


def _is_ours(called: Any) -> bool:
    function = called.dispatcher_type if isinstance(called, types.RecursiveCall) else called
    if isinstance(function, types.Dispatcher):
        return hasattr(function.dispatcher, MARK)
    return isinstance(function, KernelType)


def _resolve_call(inferer: Any, called: Any, arguments: Sequence[Any], by_name: Mapping[str, Any]) -> Any:
    if _is_ours(called):
        arguments, by_name = tuple(map(passed, arguments)), {name: passed(of) for name, of in by_name.items()}
    return _resolve(inferer, called, arguments, by_name)


def pass_integers_alike() -> None:
    """Have numba do so, where it calls a kernel or a dispatcher that has ``MARK``."""
    _TypeInferer.resolve_call = _resolve_call
