"""A network's look-ups written out one by one, so that each cell is read once and all numbers in it are known.

That is six times as quick as to read them from a layout, and takes the compiler a second longer. A game has one such
network, the one that is played by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.ai.learning.compact import weight_at
from papan.ai.learning.network import FIRST_CELL, LENGTH, TABLE, Network, digit, unrolled_places, unrolled_value


def unroll(network: Network, state_type: type) -> None:
    """Write out the look-ups of *network* for the game whose states are of *state_type*."""
    layout = network.layout[1:].tolist()
    placed = [(row[TABLE], row[FIRST_CELL : FIRST_CELL + row[LENGTH]]) for row in layout]
    cells = [
        f"cell_{cell} = digit(state, {cell})" for cell in sorted({cell for _, all_of in placed for cell in all_of})
    ]
    indices = [_index(table, all_of, network.digits) for table, all_of in placed]
    sums = [f"total += weight_at(weights, base + {index})" for index in indices]
    noted = [f"places[slot, {number}] = base + {index}" for number, index in enumerate(indices)]
    unrolled_value.of(state_type)(
        _function("unrolled_value(state, weights, base)", [*cells, "total = 0.0", *sums, "return total"])
    )
    unrolled_places.of(state_type)(_function("unrolled_places(state, places, slot, base)", [*cells, *noted]))


def _index(table: int, cells: list[int], digits: int) -> str:
    """The expression for the place of a weight: the table's beginning, and a number whose digits the cells are."""
    powers = [digits**place for place in reversed(range(len(cells)))]
    return " + ".join([str(table), *(f"cell_{cell} * {power}" for cell, power in zip(cells, powers, strict=True))])


def _function(head: str, body: list[str]) -> Callable[..., Any]:
    """The function of that source, made as ``namedtuple`` makes its own."""
    within: dict[str, Any] = {"__name__": __name__, "digit": digit, "weight_at": weight_at}
    exec("\n    ".join([f"def {head}:", *body]), within)
    made: Callable[..., Any] = within[head.partition("(")[0]]
    return made
