"""Connect Four: 7 columns of 6 cells, two seats drop discs in turn, four in a row wins, a full board draws.

Read this file first: it is the example of a game. The rules are common knowledge; the layout of the
bitboards is the one that John Tromp and Pascal Pons describe.

The board is one bit a cell, column by column from the left, each from the bottom up, with a seventh row, always empty,
so that a shift never runs from one column into the next::

     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

A step is the column, 0 to 6. Notation and position text write columns as 1 to 7: ``4455`` is the
position after four discs, and the record of the game that led to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules import (
    BoardRows,
    Ending,
    PositionError,
    canonical_key,
    content_at,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    payoff,
    play,
    reason_number,
)
from papan.game.rules.one_click import as_step, one_phase, same_cell

COLUMNS = 7
ROWS = 6
HEIGHT = ROWS + 1  # bits a column, with the empty row on top
MOST_STEPS = COLUMNS
BOTTOM = sum(1 << (column * HEIGHT) for column in range(COLUMNS))
COLUMN = (1 << HEIGHT) - 1
FULL = BOTTOM * ((1 << ROWS) - 1)

COLOURS = (say("Red"), say("Yellow"))
PHASES, phase = one_phase(say("drop"))
PERFT_COUNTS_ENDED_GAMES = False


@state
class State(NamedTuple):
    """The discs of the seat to move, and the other seat's; their number says which seat that is."""

    mine: int64
    theirs: int64


# ------------------------------------------------------------------------------------------- kernels


@subroutine
def four_in_a_row(discs: int) -> bool:
    """Whether *discs* have four in a row: up, along a row, or on either diagonal."""
    for shift in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1):
        pairs = discs & (discs >> shift)
        if pairs & (pairs >> (2 * shift)):
            return True
    return False


@mover.of(State)
def _mover(state: State) -> int:
    return popcount(state.mine | state.theirs) & 1


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if is_over(state):
        return base
    discs = state.mine | state.theirs
    for column in range(COLUMNS):
        if not discs >> (column * HEIGHT + ROWS - 1) & 1:
            buffer[base] = column
            base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    discs = state.mine | state.theirs
    landing = (discs + (1 << (step * HEIGHT))) & ~discs & (((1 << ROWS) - 1) << (step * HEIGHT))
    return State(state.theirs, state.mine | landing)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return four_in_a_row(state.theirs) or (state.mine | state.theirs) == FULL


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if not four_in_a_row(state.theirs):
        return 0.0
    return -1.0 if seat == mover(state) else 1.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    return 1 if four_in_a_row(state.theirs) else 0


@key.of(State)
def _key(state: State) -> int:
    # Adding the filled cells to the mover's discs leaves one set bit above each column's discs.
    return state.mine + (state.mine | state.theirs) + BOTTOM


@canonical_key.of(State)
def _canonical_key(state: State) -> tuple[int, int]:
    own = key(state)
    mirrored = 0
    for _ in range(COLUMNS):  # a key has no carry from one column into the next
        mirrored = mirrored << HEIGHT | own & COLUMN
        own >>= HEIGHT
    own = key(state)
    return (own, 0) if own <= mirrored else (mirrored, 1)


@content_at.of(State)
def _content_at(state: State, cell: int) -> int:
    if state.mine >> cell & 1:
        return 1 + mover(state)
    return 2 - mover(state) if state.theirs >> cell & 1 else 0


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board."""
    return State(0, 0)


def notation(state: State, step: int) -> str:
    """The column, 1 to 7."""
    return str(step + 1)


_COLUMN = re.compile(r"([a-gA-G])([1-6]?)")
_ACTION = re.compile(r"([xo])([0-6])")


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """A column as a letter, ``d``, or as the cell where the disc comes to lie, ``d1``; OpenSpiel's ``x3``, from 0."""
    number = popcount(state.mine | state.theirs)
    if found := _COLUMN.fullmatch(text):
        column = ord(found[1].lower()) - ord("a")
        discs = popcount((state.mine | state.theirs) & COLUMN << (column * HEIGHT))
        steps = [column] if found[2] in ("", str(discs + 1)) else []
    elif found := _ACTION.fullmatch(text):
        steps = [int(found[2])] if found[1] == "xo"[number % 2] else []
    else:
        steps = []
    return [[step] for step in steps if step in legal_steps(state, MOST_STEPS)]


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    if not 0 <= step < COLUMNS:
        return say("There is no column {column}: the columns are 1 to {columns}.", column=step + 1, columns=COLUMNS)
    return say("Column {column} is full.", column=step + 1)


cells = same_cell  # a click anywhere on a column drops a disc
refusal_at = as_step(refusal)


def describe(state: State, step: int) -> tuple[str, str]:
    """A column by its number."""
    return say("Column {column}", column=step + 1), ""


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """The only request."""
    return say("Drop a disc"), say("Click a column; four in a row wins.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """The seat's colour, and the number of its discs that are left."""
    left = COLUMNS * ROWS // 2 - (popcount(state.mine | state.theirs) + 1 - seat) // 2
    return COLOURS[seat], say_number("{count} disc left", "{count} discs left", left)


def ending(state: State) -> Ending:
    """The payoffs and the reason of the finished game *state*."""
    reason = say("four in a row") if four_in_a_row(state.theirs) else say("the board is full")
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


def board_rows(state: State) -> BoardRows:
    """X for the first seat's discs, O for the second's; a click means a column."""
    columns = {column: range(column * HEIGHT, column * HEIGHT + ROWS) for column in range(COLUMNS)}
    rows = [[cells[row] for cells in columns.values()] for row in reversed(range(ROWS))]
    return BoardRows(rows, "-XO", "XO", symmetries=2, pointed=columns)


def text(state: State) -> str:
    """The columns played, in one order that leads to *state*.

    :raises PositionError: no order of play leads there.
    """
    number = popcount(state.mine | state.theirs)
    sets = (state.mine, state.theirs) if number % 2 == 0 else (state.theirs, state.mine)
    first, second = map(popcount, sets)
    if first != second + number % 2:
        raise PositionError.saying(
            "The player who begins has {first} discs and the other {second}: it must be as many, or one more.",
            first=first,
            second=second,
        )
    order = None if (state.mine | state.theirs) & ~FULL else _order_of_play(*sets)
    if order is None:
        raise PositionError.saying("No order of play leads to this position.")
    return "".join(str(column + 1) for column in order)


def _order_of_play(first: int, second: int) -> list[int] | None:
    """The columns of an order of play that gives both seats these discs; None if there is none."""
    if not four_in_a_row(first) and not four_in_a_row(second):
        return _alternating_order(first, second, COLUMNS, HEIGHT)
    for column in range(COLUMNS):  # the last disc must be in every row of four
        filled = (first | second) & COLUMN << (column * HEIGHT)
        top = 1 << (filled.bit_length() - 1) if filled else 0
        before = first & ~top, second & ~top
        if not any(map(four_in_a_row, before)):
            order = _alternating_order(*before, COLUMNS, HEIGHT)
            if order is not None:
                return [*order, column]
    return None


def _alternating_order(first: int, second: int, columns: int, height: int) -> list[int] | None:
    """The columns of an order in which two seats drop these discs by turns; None if there is none.

    The heights of the columns are one number, a digit to the base *height* for each; for each number of discs there is
    an array of the reachable ones: on the board of Connect Four some ten thousand at most.

    :param first: the discs of the seat that begins, *height* bits a column; *second* the other's.
    """
    cells = (1 << height) - 1
    heights = [popcount((first | second) & cells << (column * height)) for column in range(columns)]
    fits = np.zeros((2, columns, height), bool)  # by seat and column: whether its disc is at that height
    for seat, discs in enumerate((first, second)):
        for column in range(columns):
            for row in range(heights[column]):
                fits[seat, column, row] = discs >> (column * height + row) & 1
    code = sum(discs * height**column for column, discs in enumerate(heights))
    reached, is_next = [np.zeros(1, np.int64)], np.zeros(code + 1, bool)
    for number in range(sum(heights)):
        codes = reached[-1]
        for column in range(columns):
            is_next[codes[fits[number & 1, column, codes // height**column % height]] + height**column] = True
        reached.append(np.flatnonzero(is_next))
        is_next[reached[-1]] = False
    if code not in reached.pop():
        return None
    order = []
    while reached:
        codes = reached.pop()  # of one disc less
        column = next(column for column in range(columns) if code - height**column in codes)
        code -= height**column
        order.append(column)
    return order[::-1]


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position after the columns *text*.

    >>> parse("4455", {}) == parse("5454", {})
    False
    >>> parse("12", {})
    State(mine=1, theirs=128)

    :raises PositionError: it is wrong; the message says what, and where.
    """
    position = State(0, 0)
    for number, character in enumerate(text, start=1):
        if character not in "1234567":
            raise PositionError.saying(
                "Character {number}, {character}, is not a column: write columns as 1 to 7.",
                number=number,
                character=quoted(character),
            )
        if is_over(position):
            raise PositionError.saying(
                "Character {number}, {character}: the game was over before it.",
                number=number,
                character=quoted(character),
            )
        step = int(character) - 1
        if (position.mine | position.theirs) >> (step * HEIGHT + ROWS - 1) & 1:
            raise PositionError.saying(
                "Character {number}, {character}: column {column} is full.",
                number=number,
                character=quoted(character),
                column=character,
            )
        position = play(position, step)
    return position
