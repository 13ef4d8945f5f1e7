"""2048 as n-tuple networks see it: a cell shows the power of two of its tile.

Szubert and Jaśkowski, "Temporal difference learning of n-tuple networks for the game 2048" (2014), began with lines and
squares of four cells; tuples of six were chosen by Yeh, Wu et al., "Multi-stage temporal difference learning for
2048-like games" (2016), and by Matsuzaki, "Systematic selection of n-tuple networks with consideration of
interinfluence for game 2048" (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from papan.ai.learning.compact import weight_at
from papan.ai.learning.network import (
    FIRST_CELL,
    LENGTH,
    TABLE,
    Network,
    digit,
    likened,
    rectangle_symmetries,
    stage,
    unrolled_places,
    unrolled_value,
)
from papan.game.base.sentences import figures, say
from papan.game.kernel import inlined
from papan.game.rules.twenty48.board import FIELD, LARGEST, State, tile

_DIGITS = LARGEST + 1

FOUR_OF_SIX = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""Those of Yeh, Wu et al.: lines with two cells next to them, and blocks of two by three."""

EIGHT_OF_SIX = (
    (0, 1, 2, 4, 5, 6),
    (1, 2, 5, 6, 9, 13),
    (0, 1, 2, 3, 4, 5),
    (0, 1, 5, 6, 7, 10),
    (0, 1, 2, 5, 9, 10),
    (0, 1, 5, 9, 13, 14),
    (0, 1, 5, 8, 9, 13),
    (0, 1, 2, 4, 6, 10),
)
"""Those of Matsuzaki."""

LINES_AND_SQUARES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (1, 2, 5, 6), (5, 6, 9, 10))
"""The 17 tuples of Szubert and Jaśkowski, one for each group of mirror images."""


def _network(size: int, tuples: tuple[tuple[int, ...], ...], stages: int = 1, *, is_unrolled: bool = False) -> Network:
    return Network(_DIGITS, tuples, rectangle_symmetries(size, size, FIELD), stages, is_unrolled)


NETWORK = _network(4, FOUR_OF_SIX, stages=2, is_unrolled=True)
CHOICES = None
PRACTICE = 1_067_000
STANDING = say("scores {points} points per game", points=figures(240_000))
FAMILIAR = 13
"""The power of two of the largest tile in most of the training games: 8192."""
_EACH_CELL, _HIGHEST_BITS = 0x11111111, 0x88888888
LAYOUT = NETWORK.layout
"""As compiled code names it."""

_NETWORKS: Mapping[int, Mapping[str, Network]] = {
    2: {"1x4": _network(2, ((0, 1, 4, 5),))},
    3: {"2x6": _network(3, ((0, 1, 2, 4, 5, 6), (0, 1, 2, 4, 5, 8)))},
    4: {
        "4x6": NETWORK,
        "8x6": _network(4, EIGHT_OF_SIX, stages=2),
        "5x4": _network(4, LINES_AND_SQUARES, stages=2),
    },
}


def networks(state: State) -> Mapping[str, Network]:
    """Those for a board of that size."""
    return _NETWORKS[state.size]


@digit.of(State)
@inlined
def _digit(state: State, cell: int) -> int:
    rows = state.upper if cell < 8 else state.lower
    return rows >> 4 * (cell & 7) & LARGEST


@stage.of(State)
@inlined
def _stage(state: State) -> int:
    """On the way from 16384 to 32768 the last quarter, which has 8192 and 4096, is the second stage: few get there, and
    hardly a cell is free."""
    if not _has(state, LARGEST - 1) or not _has(state, LARGEST - 2):
        return 0
    return 1 if _has(state, LARGEST - 3) and not _has(state, LARGEST) else 0


@inlined
def _has(state: State, power: int) -> bool:
    return _shows(state.upper, power) or _shows(state.lower, power)


@inlined
def _shows(rows: int, power: int) -> bool:
    """Whether one of eight cells shows *power*: only a difference of 0 from it borrows where no bit was set."""
    other = rows ^ power * _EACH_CELL
    return other - _EACH_CELL & ~other & _HIGHEST_BITS != 0


@likened.of(State)
def _likened(state: State) -> State:
    """Halve all tiles above a missing one, if the largest tile is larger than ``FAMILIAR``.

    *Tile downgrading*: Guei, Chen and Wu, "Optimistic temporal difference learning for 2048" (2021). What can merge
    stays the same: two tiles of the largest power can't merge, and are left alone.
    """
    seen, largest, unmerged = 0, 0, 0
    for cell in range(FIELD * FIELD):
        power = tile(state, cell)
        seen |= 1 << power
        largest = max(largest, power)
        unmerged += power == LARGEST
    missing = largest - 1
    while missing > 0 and seen >> missing & 1 != 0:
        missing -= 1
    if largest <= FAMILIAR or missing <= 0 or unmerged > 1:
        return state
    upper, lower = 0, 0
    for cell in range(FIELD * FIELD):
        power = tile(state, cell)
        power -= 1 if power > missing else 0
        if cell < 8:
            upper |= power << 4 * cell
        else:
            lower |= power << 4 * (cell - 8)
    return State(upper, lower, state.score, state.size, state.awaits_tile)


def unroll(network: Network, state_type: type) -> None:
    """Generate the look-ups of *network* for states of *state_type*, written out one by one.

    Each cell is read once and every table offset is a constant: six times as fast as reading them from a layout, for a
    second more of compiling.
    """
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
    """The expression for the index of a weight: the start of its table, plus a number with the cells as digits."""
    powers = [digits**place for place in reversed(range(len(cells)))]
    return " + ".join([str(table), *(f"cell_{cell} * {power}" for cell, power in zip(cells, powers, strict=True))])


def _function(head: str, body: list[str]) -> Callable[..., Any]:
    """The function of that source, made as ``namedtuple`` makes its own."""
    within: dict[str, Any] = {"__name__": __name__, "digit": digit, "weight_at": weight_at}
    exec("\n    ".join([f"def {head}:", *body]), within)
    made: Callable[..., Any] = within[head.partition("(")[0]]
    return made


unroll(NETWORK, State)
