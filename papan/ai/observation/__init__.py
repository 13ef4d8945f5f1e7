"""Observations and actions for learners, one module a game.

A position is shown as *planes*: arrays of the board's size, each with one feature of every cell, from the point of view
of one seat. An *action* is a number from 0 with the same meaning in every position; a mask marks the legal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from papan.game.game import Game, PartError, part_of
from papan.game.kernel import inlined, kernel, kernel_with_default
from papan.game.kernel.bits import lowest
from papan.game.rules import State, moves, observe

Planes = Any
"""A ``numpy`` array of ``uint8``: planes by rows by columns."""


@kernel
def write_planes(state: State, seat: int, planes: Planes) -> None:
    """Fill *planes*, which are 0, with *state* as ``observe`` shows it to *seat*; the seat's own things come first."""
    raise NotImplementedError


@kernel_with_default
def action_of(state: State, step: int) -> int:
    """The action of the legal *step*."""
    return step


@kernel_with_default
def step_of(state: State, action: int) -> int:
    """The step of the legal *action*."""
    return action


@kernel_with_default
def earned(state: State, seat: int) -> float:
    """The part of its ``payoff`` that *seat* has already earned, such as points."""
    return 0.0


class Plane(NamedTuple):
    """The meaning of a plane."""

    words: str
    most: int = 1
    """Its largest number; the least is 0."""


class Observation(Protocol):
    """A game's module of observations, besides its kernels. The functions take the first state of a game."""

    @property
    def ROWS(self) -> str:  # noqa: N802 - a constant of a module
        """How rows and columns of planes are numbered."""

    @property
    def ACTIONS(self) -> str:  # noqa: N802
        """How actions are numbered."""

    def board(self, state: State, /) -> tuple[int, int]:
        """Rows and columns of a plane."""

    def planes(self, state: State, /) -> Sequence[Plane]:
        """The planes in their order."""

    def actions(self, state: State, /) -> int:
        """The number of actions."""


Value = TypeVar("Value")


def always(value: Value) -> Callable[[State], Value]:
    """The function of an ``Observation`` that is *value* for every first state."""
    return lambda state: value


def observation_of(game: Game) -> Observation:
    """The module of observations of *game*; importing it registers its kernels. Raises PartError."""
    if not game.parts.observation:
        raise PartError(f"{game.title} can't be shown to learners: it has no module for that.")
    return part_of(game, game.parts.observation, Observation)


def shape_of(observation: Observation, state: State) -> tuple[int, int, int]:
    return (len(observation.planes(state)), *observation.board(state))


@inlined
def write_mask(state: State, mask: Any, buffer: Any) -> None:
    """Set *mask*, which has a number for each action, to 1 for legal actions and to 0 for others.

    :param buffer: space for all steps.
    """
    mask[:] = 0
    for index in range(moves(state, buffer, 0)):
        mask[action_of(state, int(buffer[index]))] = 1


def planes_for(observation: Observation, state: State, seat: int) -> NDArray[np.uint8]:
    planes = np.zeros(shape_of(observation, state), np.uint8)
    write_planes(observe(state, seat), seat, planes)
    return planes


@inlined
def paint(bits: int, columns: int, first_row: int, plane: Any) -> None:
    """Write 1 into *plane* for each of *bits*, numbered row by row from *first_row*, *columns* a row."""
    while bits != 0:
        cell = lowest(bits)
        bits &= bits - 1
        plane[first_row + cell // columns, cell % columns] = 1


def next_but(number: int, what: str) -> str:
    """Words for the seat or side that comes *number* after the next.

    >>> next_but(0, "seat"), next_but(2, "side")
    ('the next seat', 'the next side but two')
    """
    return f"the next {what}" + ("" if number == 0 else f" but {('one', 'two')[number - 1]}")


def numbered_ways(cells: int, is_way: Callable[[int, int], bool]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the ways from cell to cell that a piece can take.

    :returns: the number of each way ``origin * cells + target``, or -1; and the way of each number.

    >>> numbers, ways = numbered_ways(3, lambda origin, target: target == origin + 1)
    >>> numbers.tolist(), ways.tolist()
    ([-1, 0, -1, -1, -1, 1, -1, -1, -1], [1, 5])
    """
    ways = [way for way in range(cells * cells) if is_way(*divmod(way, cells))]
    numbers = np.full(cells * cells, -1, np.int64)
    numbers[ways] = np.arange(len(ways))
    return numbers, np.array(ways, np.int64)
