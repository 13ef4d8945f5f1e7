"""N-tuple networks: the value of a position is a sum of table look-ups, one for each tuple of cells.

Lucas, "Learning to play Othello with n-tuple systems" (2008). A game defines the digit of each cell; the n digits of a
tuple's cells, read as a number, index the tuple's table. All symmetric *placements* of a tuple share one table. A game
may have *stages*, each with its own tables (Yeh, Wu et al., "Multi-stage temporal difference
learning for 2048-like games", 2016).

A value is for the seat to move or, where chance is to act, for the first seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.learning.compact import weight_at
from papan.ai.learning.views import Choices, Views
from papan.game.game import Game, part_of
from papan.game.kernel import kernel, kernel_with_default, subroutine
from papan.game.kernel.rng import below, random_state
from papan.game.rules import CHANCE, State, mover

Layout = Any
"""A network's form for compiled code: an array of ``int64``.

The first row has ``DIGITS``, ``ENTRIES``, ``IS_UNROLLED``; each further row is a placement: the start of its table, its
length, its cells.
"""
DIGITS, ENTRIES, IS_UNROLLED = range(3)
TABLE, LENGTH, FIRST_CELL = 0, 1, 2

Vector = NDArray[np.float32]
"""The weights of a network: stage by stage, in these tuple by tuple."""

MOST_ENTRIES = 1 << 28
"""Weights that a network may have: a gibibyte."""


@kernel
def digit(state: State, cell: int) -> int:
    """What *cell* shows, from 0 on, to the seat that ``viewer`` names."""
    raise NotImplementedError


@kernel_with_default
def stage(state: State) -> int:
    """The stage of *state*, from 0."""
    return 0


@kernel_with_default
def likened(state: State) -> State:
    """A position closer to the training positions, or *state* itself; see ``familiar``.

    It has the same seat to act and the same legal steps, and most likely the same good ones.
    """
    return state


@kernel_with_default
def unrolled_value(state: State, weights: Any, base: int) -> float:
    """As ``network_value``, for the game's *unrolled* network, whose stage has the weights ``weights[base:]``."""
    return 0.0


@kernel_with_default
def unrolled_places(state: State, places: Any, slot: int, base: int) -> None:
    """As ``note_places``, for the unrolled network."""


@dataclass(frozen=True)
class Network:
    digits: int
    """The number of digits of a cell."""
    tuples: tuple[tuple[int, ...], ...]
    """The cells of each tuple; each has a table."""
    symmetries: tuple[tuple[int, ...], ...]
    """The permutations of cells, the identity among them."""
    stages: int = 1
    is_unrolled: bool = False

    @cached_property
    def entries(self) -> int:
        return sum(self.sizes)

    @property
    def size(self) -> int:
        """All weights."""
        return self.stages * self.entries

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self.digits ** len(cells) for cells in self.tuples)

    @cached_property
    def layout(self) -> Layout:
        """The form as compiled code reads it."""
        rows = [[self.digits, self.entries, int(self.is_unrolled)]]
        table = 0
        for cells, size in zip(self.tuples, self.sizes, strict=True):
            for placed in dict.fromkeys(tuple(way[cell] for cell in cells) for way in self.symmetries):
                rows.append([table, len(placed), *placed])
            table += size
        made = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for row, numbers in zip(made, rows, strict=True):
            row[: len(numbers)] = numbers
        return made

    @property
    def placements(self) -> int:
        return len(self.layout) - 1

    def as_data(self) -> dict[str, Any]:
        return {
            "digits": self.digits,
            "tuples": [list(cells) for cells in self.tuples],
            "symmetries": [list(way) for way in self.symmetries],
            "stages": self.stages,
        }


Form = Network | Views
"""An n-tuple network, or views where something is hidden."""
KeptForm = Form | Choices


class Learning(Protocol):
    """A game's module in this folder, besides its kernels ``digit`` and ``stage``, or ``write_view``."""

    @property
    def NETWORK(self) -> Form:  # noqa: N802 - a constant of a module
        """The form of the bundled weights, if any."""

    @property
    def CHOICES(self) -> Choices | None:  # noqa: N802 - a constant of a module
        """The form of the marks of steps, where a game has ``write_marks``."""

    @property
    def PRACTICE(self) -> int:  # noqa: N802 - a constant of a module
        """How many games the bundled weights were learned from; 0 without any."""

    @property
    def STANDING(self) -> str:  # noqa: N802 - a constant of a module
        """How well the bundled weights play at depth 1, in a few words; "" without any."""

    def networks(self, state: State) -> Mapping[str, Form]:
        """The forms that can learn the game that begins with *state*, by name, the usual one first."""


def learning_of(game: Game) -> Learning | None:
    """The learning module of *game*; importing it registers its kernels. None for a game without one.

    :raises PartError: the module can't be loaded, or lacks something.
    """
    if not game.parts.learning:
        return None
    return part_of(game, game.parts.learning, Learning)


def choices_of(game: Game) -> Choices | None:
    """The form of the marks of steps in *game*; importing it registers their kernel; may raise PartError."""
    learning = learning_of(game)
    return None if learning is None else learning.CHOICES


@subroutine
def viewer(state: State) -> int:
    """The seat from whose view a network sees *state*."""
    seat = mover(state)
    return 0 if seat == CHANCE else seat


@subroutine
def stage_base(state: State, layout: Layout) -> int:
    return stage(state) * int(layout[0, ENTRIES])


@subroutine
def familiar(state: State) -> State:
    """The position that a player with learned weights analyses in place of *state*: ``likened`` to a fixed point.

    Positions of later stages than the first stay.
    """
    while stage(state) == 0:
        seen = likened(state)
        if seen == state:
            break
        state = seen
    return state


@subroutine
def most_familiar(state: State) -> State:
    """As ``familiar``, in later stages too."""
    seen = likened(state)
    while seen != state:
        state, seen = seen, likened(seen)
    return state


@subroutine
def index_at(state: State, layout: Layout, place: int) -> int:
    """The index in a stage of the weight for the placement in row *place* of *layout*."""
    digits = int(layout[0, DIGITS])
    index = 0
    for column in range(FIRST_CELL, FIRST_CELL + int(layout[place, LENGTH])):
        index = index * digits + digit(state, int(layout[place, column]))
    return int(layout[place, TABLE]) + index


@subroutine
def network_value(state: State, layout: Layout, weights: Any, base: int) -> float:
    """The value of *state*, which is not over, to its ``viewer``.

    :param base: the network's weights are ``weights[base:]``.
    """
    base += stage_base(state, layout)
    if layout[0, IS_UNROLLED]:
        return unrolled_value(state, weights, base)
    total = 0.0
    for place in range(1, len(layout)):
        total += weight_at(weights, base + index_at(state, layout, place))
    return total


@subroutine
def note_places(state: State, layout: Layout, places: Any, slot: int) -> None:
    """Write into row *slot* of *places* the indices of the weights of *state*."""
    base = stage_base(state, layout)
    if layout[0, IS_UNROLLED]:
        unrolled_places(state, places, slot, base)
        return
    for place in range(1, len(layout)):
        places[slot, place - 1] = base + index_at(state, layout, place)


def rectangle_symmetries(
    rows: int, columns: int, width: int, *, across: bool = True, down: bool = True, turned: bool = True
) -> tuple[tuple[int, ...], ...]:
    """The symmetries of a board, as ``Network.symmetries``.

    :param width: cells of a row, numbered row by row; the board has the first *columns*, the others stay.
    :param across: whether to mirror left and right; *down*, top and bottom; *turned*, rows and columns of a square.

    >>> rectangle_symmetries(1, 3, 3, down=False)
    ((0, 1, 2), (2, 1, 0))
    """
    found: list[tuple[int, ...]] = []
    swaps = (False, True) if turned and rows == columns else (False,)
    for is_turned, is_down, is_across in product(
        swaps, *((False, True) if one else (False,) for one in (down, across))
    ):
        way = list(range(width * rows))
        for row in range(rows):
            for column in range(columns):
                to_row = rows - 1 - row if is_down else row
                to_column = columns - 1 - column if is_across else column
                if is_turned:
                    to_row, to_column = to_column, to_row
                way[width * row + column] = width * to_row + to_column
        found.append(tuple(way))
    return tuple(found)


def random_walks(
    neighbours: Mapping[int, Sequence[int]], number: int, length: int, seed: int
) -> tuple[tuple[int, ...], ...]:
    """*number* different sets of *length* cells, each from a random walk (Lucas, 2008)."""
    random, cells = random_state(seed), list(neighbours)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < number:
        cell = cells[below(random, len(cells))]
        walk = {cell}
        while len(walk) < length:
            cell = neighbours[cell][below(random, len(neighbours[cell]))]
            walk.add(cell)
        found[tuple(sorted(walk))] = None
    return tuple(found)
