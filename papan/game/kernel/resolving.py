"""Types of operators, found once for each kind of arguments and not at each call.

For ``a + b`` of two integers numba goes through all that can be added, dates among it, and does so again at the next
plus: without this, compiling a search takes half as long again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import BuiltinFunctionType
from typing import Any

from numba import types

from papan.game.kernel.private import part

Compiler: Any = part("numba.core.compiler:Compiler")
Context: Any = part("numba.core.typing:Context")


class TypingContext(Context):  # type: ignore[misc]
    """A view of numba's typing context *whole* that remembers what operators and numba's own functions return."""

    def __init__(self, whole: Any) -> None:
        self.__dict__ = whole.__dict__

    def resolve_function_type(self, function: Any, arguments: Any, by_name: Mapping[str, Any]) -> Any:
        if isinstance(function, types.Function | BuiltinFunctionType) and not by_name:
            return _signature(function, self, tuple(arguments))
        return super().resolve_function_type(function, arguments, by_name)


@cache
def _signature(function: Any, context: TypingContext, arguments: tuple[Any, ...]) -> Any:
    """What *function* returns for *arguments*. What fails is tried again at the next call, and raises its error."""
    return super(TypingContext, context).resolve_function_type(function, arguments, {})


class RememberingCompiler(Compiler):  # type: ignore[misc]
    """numba's passes, with a ``TypingContext``."""

    def __init__(self, typing_context: Any, *others: Any) -> None:
        super().__init__(_view(typing_context), *others)


@cache
def _view(typing_context: Any) -> TypingContext:
    return TypingContext(typing_context)
