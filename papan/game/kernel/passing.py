"""Integers are passed to other functions as integers of 64 bits, whatever they were where they are passed, and arrays
whose numbers lie side by side as pointer and shape (``machine_types.PackedArray``).

To numba a number that is written out has a type of its own, and one that a record holds in 16 bits has another, and it
compiles a function for each of them. A variable that begins as 0 counts as such a number, too, until it is known what
becomes of it: a sixth of all functions that the tests compile were there twice.
"""

from __future__ import annotations

from typing import Any

from numba import types

from papan.game.kernel.machine_types import packed


def passed(argument: Any) -> Any:
    """The numba type as which an *argument* of that type is passed on."""
    plain = types.unliteral(argument)
    is_short = isinstance(plain, types.Integer) and plain.signed and plain.bitwidth < types.int64.bitwidth
    return types.int64 if is_short else packed(plain)
