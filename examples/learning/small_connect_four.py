"""Connect Four as small as tic-tac-toe: three columns of three cells, three in a row win, a full board draws.

A game to learn in seconds, with all that Papan asks of rules, and what it shows to learners. The board is one bit a
cell, column by column from the left, each from the bottom up. A step is the column; notation and position text write
columns as 1 to 3, as Connect Four does.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.ai.observation import Plane, write_planes
from papan.game.game import Game, Parts
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules import Ending, PositionError, is_over, key, legal_steps, mover, moves, payoff, play
from papan.game.rules.one_click import as_step, by_notation, nothing_to_note, one_phase, same_cell

GAME = Game(
    "small-connect-four",
    "Small Connect Four",
    "Three in a row",
    Parts(rules="small_connect_four", observation="small_connect_four"),
)

SIZE = 3
CELLS = SIZE * SIZE
FULL = (1 << CELLS) - 1
LINES = np.array(
    [
        sum(1 << (SIZE * column + row) for column, row in line)
        for line in (
            *([(number, row) for row in range(SIZE)] for number in range(SIZE)),
            *([(column, number) for column in range(SIZE)] for number in range(SIZE)),
            [(number, number) for number in range(SIZE)],
            [(number, SIZE - 1 - number) for number in range(SIZE)],
        )
    ],
    np.int64,
)

MOST_STEPS = SIZE
PHASES, phase = one_phase("drop")
PERFT_COUNTS_ENDED_GAMES = False


@state
class State(NamedTuple):
    """The discs of the seat to move, and the other seat's; who that is follows from their number."""

    mine: int64
    theirs: int64


# ------------------------------------------------------------------------------------------- kernels


@subroutine
def three_in_a_row(discs: int) -> bool:
    """Whether *discs* hold a whole column, row or diagonal."""
    for number in range(len(LINES)):
        if discs & int(LINES[number]) == LINES[number]:
            return True
    return False


@mover.of(State)
def _mover(state: State) -> int:
    return popcount(state.mine | state.theirs) & 1


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if is_over(state):
        return base
    for column in range(SIZE):
        if not (state.mine | state.theirs) >> (SIZE * column + SIZE - 1) & 1:
            buffer[base] = column
            base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    discs = state.mine | state.theirs
    height = popcount(discs >> SIZE * step & (1 << SIZE) - 1)
    return State(state.theirs, state.mine | 1 << (SIZE * step + height))


@is_over.of(State)
def _is_over(state: State) -> bool:
    return three_in_a_row(state.theirs) or (state.mine | state.theirs) == FULL


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if not three_in_a_row(state.theirs):
        return 0.0
    return -1.0 if seat == mover(state) else 1.0


@key.of(State)
def _key(state: State) -> int:
    return state.mine << CELLS | state.theirs


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board."""
    return State(0, 0)


def notation(state: State, step: int) -> str:
    """The column, 1 to 3."""
    return str(step + 1)


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    if is_over(state):
        return f"The game is over: {ending(state).reason}."
    if not 0 <= step < SIZE:
        return f"There is no column {step + 1}: the columns are 1 to {SIZE}."
    return f"Column {step + 1} is full."


cells = same_cell
refusal_at = as_step(refusal)
describe = by_notation(notation)
seat_note = nothing_to_note


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """There is one thing to do."""
    return "Drop a disc", "Three in a row win."


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    reason = "three in a row" if three_in_a_row(state.theirs) else "the board is full"
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


def text(state: State) -> str:
    """The columns played, in one order that leads to *state*.

    :raises PositionError: no order of play leads there.
    """
    orders = {State(0, 0): ""}
    for _ in range(popcount(state.mine | state.theirs)):
        orders = {
            play(before, step): f"{order}{step + 1}" for before, order in orders.items() for step in legal_steps(before)
        }
    if state not in orders:
        raise PositionError("No order of play leads to this position.")
    return orders[state]


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position after the columns *text*.

    >>> parse("12", {})
    State(mine=1, theirs=8)

    :raises PositionError: what is wrong, and where.
    """
    position = State(0, 0)
    for number, character in enumerate(text, start=1):
        step = "123".find(character)
        if step not in legal_steps(position):
            raise PositionError(
                f"Character {number}, '{character}', is no column with room, or the game was over before."
            )
        position = play(position, step)
    return position


# -------------------------------------------------------------------------------------- for learners

ROWS = "Rows are counted from the bottom, columns from the left."
ACTIONS = "The columns, from the left."


def board(state: State) -> tuple[int, int]:
    """The board's rows and columns."""
    return SIZE, SIZE


def planes(state: State) -> tuple[Plane, ...]:
    """The same for every game."""
    return Plane("discs of the seat"), Plane("discs of the other seat")


def actions(state: State) -> int:
    """One for each column."""
    return SIZE


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    own = 0 if seat == mover(state) else 1
    for cell in range(CELLS):
        planes[own, cell % SIZE, cell // SIZE] = state.mine >> cell & 1
        planes[1 - own, cell % SIZE, cell // SIZE] = state.theirs >> cell & 1
