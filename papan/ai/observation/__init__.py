"""What a learner is shown of a position, and its choices by number: one module a game, named as its rules' module.

A position is shown as *planes*: arrays as large as the board, each of which says one thing of every cell, from the
point of view of one seat. A choice is an *action*, a number from 0 that means the same in every position, so that a
learner can have one output for each; a mask says which of them are legal steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.game.game import Game, PartError, part_of
from papan.game.kernel import inlined, kernel
from papan.game.kernel.bits import lowest
from papan.game.rules import State, moves, observe

Planes = Any
"""A ``numpy`` array of ``uint8``: planes by rows by columns."""


@kernel
def write_planes(state: State, seat: int, planes: Planes) -> None:
    """Write into *planes*, which are all 0, what *state* shows to *seat*: what is its own comes first.

    *state* is as *seat* sees it, what ``observe`` says; it may be over.
    """
    raise NotImplementedError


@kernel
def action_of(state: State, step: int) -> int:
    """The number, from 0, of the legal *step* of a seat among all that a learner can choose from."""
    raise NotImplementedError


@action_of.otherwise
def _same_number(state: State, step: int) -> int:
    return step


@kernel
def step_of(state: State, action: int) -> int:
    """The step that *action* is in *state*, where it is legal there."""
    raise NotImplementedError


@step_of.otherwise
def _same_step(state: State, action: int) -> int:
    return action


@kernel
def earned(state: State, seat: int) -> float:
    """What *seat* has of its ``payoff`` for certain before the game is over, such as points that were scored."""
    raise NotImplementedError


@earned.otherwise
def _nothing_yet(state: State, seat: int) -> float:
    return 0.0


class Plane(NamedTuple):
    """What one plane says of each cell."""

    words: str
    most: int = 1
    """The largest number in it; the least is 0."""


class Observation(Protocol):
    """The facts that a game's module in this folder offers beside its kernels.

    They are asked of the state that a game begins with: they depend on its options, and stay the same throughout.
    """

    @property
    def ROWS(self) -> str:  # noqa: N802 - a constant of a module
        """Which rows and columns of the planes are which of the board."""

    @property
    def ACTIONS(self) -> str:  # noqa: N802
        """What the actions are, and how they are numbered."""

    def board(self, state: State) -> tuple[int, int]:
        """Rows and columns of a plane."""

    def planes(self, state: State) -> Sequence[Plane]:
        """The planes in their order."""

    def actions(self, state: State) -> int:
        """How many actions there are."""


def observation_of(game: Game) -> Observation:
    """The module that shows *game* to learners; importing it registers its kernels.

    :raises PartError: the game has none, it can't be loaded, or lacks something.
    """
    if not game.parts.observation:
        raise PartError(f"{game.title} can't be shown to learners: it has no module for that.")
    return part_of(game, game.parts.observation, Observation)


def shape_of(observation: Observation, state: State) -> tuple[int, int, int]:
    """Planes, rows and columns of what is shown of the game that begins with *state*."""
    return (len(observation.planes(state)), *observation.board(state))


@inlined
def write_mask(state: State, mask: Any, buffer: Any) -> None:
    """Set ``mask``, an array of as many numbers as there are actions, to 1 where an action is legal and else to 0.

    :param buffer: room for all steps.
    """
    mask[:] = 0
    for index in range(moves(state, buffer, 0)):
        mask[action_of(state, int(buffer[index]))] = 1


def planes_for(observation: Observation, state: State, seat: int) -> NDArray[np.uint8]:
    """What *seat* is shown of *state*."""
    planes = np.zeros(shape_of(observation, state), np.uint8)
    write_planes(observe(state, seat), seat, planes)
    return planes


@inlined
def paint(bits: int, columns: int, first_row: int, plane: Any) -> None:
    """Write 1 into *plane* for each of *bits*, which are numbered row by row from *first_row* on, *columns* a row."""
    while bits != 0:
        cell = lowest(bits)
        bits &= bits - 1
        plane[first_row + cell // columns, cell % columns] = 1


def next_but(number: int, what: str) -> str:
    """The one that comes *number* after the next, in words.

    >>> next_but(0, "seat"), next_but(2, "side")
    ('the next seat', 'the next side but two')
    """
    return f"the next {what}" + ("" if number == 0 else f" but {('one', 'two')[number - 1]}")


def numbered_ways(cells: int, is_way: Callable[[int, int], bool]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number from 0 for each way from a cell to another that a piece can take, and the other way round.

    :returns: the number of each way, which is ``origin * cells + target``, or -1; and the way of each number.

    >>> numbers, ways = numbered_ways(3, lambda origin, target: target == origin + 1)
    >>> numbers.tolist(), ways.tolist()
    ([-1, 0, -1, -1, -1, 1, -1, -1, -1], [1, 5])
    """
    ways = [way for way in range(cells * cells) if is_way(*divmod(way, cells))]
    numbers = np.full(cells * cells, -1, np.int64)
    numbers[ways] = np.arange(len(ways))
    return numbers, np.array(ways, np.int64)
