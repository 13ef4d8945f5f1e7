"""Gomoku: two seats put stones on a board of 15×15, 19×19 or 20×20 cells; five in a row wins, a full board draws.

The rules are common knowledge. Black begins. With ``exact=yes`` only rows of exactly five win.

A colour's stones are seven words of three rows each, from the lowest row up; a row has 21 bits, the last ones always
empty, so that a shift never runs from one row into the next. For a word::

    42 43 44 …  row 3
    21 22 23 …  row 2
     0  1  2 …  row 1

A step is the cell: ``21 * row + column``, for any size of the board. Notation: ``h8``, the column's letter
and the row from below. Position text: the moves played, separated by spaces, in one order that leads to the
position; the empty text is the empty board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.kernel import inlined, int64, state, subroutine
from papan.game.kernel.bits import cells_of, write_bits
from papan.game.kernel.rng import RandomState, below, mix
from papan.game.playout import random_step
from papan.game.rules import Ending, PositionError, is_over, key, mover, moves, payoff, play, reason_number
from papan.game.rules.one_click import as_step, by_notation, one_phase, same_cell

LARGEST = 20
ROW = 21  # bits of a row
WORD = 3 * ROW  # bits of a word
WORDS = 7
MOST_STEPS = LARGEST * LARGEST
DIRECTIONS = (1, ROW, ROW + 1, ROW - 1)  # from a cell to the next one: along a row, a column, either diagonal

Words = tuple[int, int, int, int, int, int, int]
"""A set of cells in the words of a board, the lowest row first."""

COLOURS = (say("Black"), say("White"))
LETTERS = "abcdefghijklmnopqrst"

PHASES, phase = one_phase()
PERFT_COUNTS_ENDED_GAMES = True

ZOBRIST = np.array([[mix(colour << 32 | cell) >> 1 for cell in range(WORD * WORDS)] for colour in (1, 2)], np.int64)
"""A random number for each stone on each cell; combined for all stones they are a position's key."""
BOARD = np.array(
    [
        [sum(((1 << size) - 1) << (ROW * row) for row in range(3) if 3 * word + row < size) for word in range(WORDS)]
        for size in range(LARGEST + 1)
    ],
    np.int64,
)
"""The words of a whole board, by its size."""


@state
class State(NamedTuple):
    """The stones of the seat to move and of the other one; black has played as often as white, or once more."""

    mine0: int64
    mine1: int64
    mine2: int64
    mine3: int64
    mine4: int64
    mine5: int64
    mine6: int64
    theirs0: int64
    theirs1: int64
    theirs2: int64
    theirs3: int64
    theirs4: int64
    theirs5: int64
    theirs6: int64
    placed: int64
    """The number of stones."""
    size: int64
    exact: int64
    """1 if only exactly five in a row win."""
    won: int64
    """1 if the other seat has won with its last stone."""
    zobrist: int64


# ------------------------------------------------------------------------------------------- kernels


@inlined
def word_of(words: Words, number: int) -> int:
    """The word of that *number* among a board's *words*."""
    if number == 0:
        return words[0]
    if number == 1:
        return words[1]
    if number == 2:
        return words[2]
    if number == 3:
        return words[3]
    if number == 4:
        return words[4]
    if number == 5:
        return words[5]
    return words[6]


@inlined
def stones_beside(stones: Words, cell: int, distance: int) -> int:
    """The number of consecutive *stones* next to *cell*, *distance* bits apart: five at most."""
    count, at = 0, cell + distance
    while count < 5 and 0 <= at < WORD * WORDS and word_of(stones, at // WORD) >> (at % WORD) & 1:
        count += 1
        at += distance
    return count


@subroutine
def completes_five(stones: Words, cell: int, exact: int) -> bool:
    """Whether *cell*, one of *stones*, is in a row of five of them or more; with *exact*, in one of exactly five."""
    for distance in DIRECTIONS:
        others = stones_beside(stones, cell, distance) + stones_beside(stones, cell, -distance)
        if others == 4 or (others > 4 and exact == 0):
            return True
    return False


@subroutine
def stones_in_word(state: State, number: int) -> int:
    """The stones of both colours in the word of that *number*."""
    if number == 0:
        return state.mine0 | state.theirs0
    if number == 1:
        return state.mine1 | state.theirs1
    if number == 2:
        return state.mine2 | state.theirs2
    if number == 3:
        return state.mine3 | state.theirs3
    if number == 4:
        return state.mine4 | state.theirs4
    if number == 5:
        return state.mine5 | state.theirs5
    return state.mine6 | state.theirs6


@mover.of(State)
def _mover(state: State) -> int:
    return state.placed & 1


@moves.of(State)
def _moves(state: State, buffer: Any, base: int) -> int:
    if state.won == 0:
        for number in range(WORDS):
            empty = int(BOARD[state.size, number]) & ~stones_in_word(state, number)
            base = write_bits(empty, WORD * number, buffer, base)
    return base


@random_step.of(State)
def _random_step(state: State, buffer: Any, random: RandomState) -> int:
    # Draw cells until one is empty: faster than listing hundreds.
    while True:
        step = below(random, ROW * state.size)
        if step % ROW < state.size and not stones_in_word(state, step // WORD) >> (step % WORD) & 1:
            return step


@play.of(State)
def _play(state: State, step: int) -> State:
    number, stone = step // WORD, 1 << (step % WORD)
    own = (
        state.mine0 | stone if number == 0 else state.mine0,
        state.mine1 | stone if number == 1 else state.mine1,
        state.mine2 | stone if number == 2 else state.mine2,
        state.mine3 | stone if number == 3 else state.mine3,
        state.mine4 | stone if number == 4 else state.mine4,
        state.mine5 | stone if number == 5 else state.mine5,
        state.mine6 | stone if number == 6 else state.mine6,
    )
    won = 1 if completes_five(own, step, state.exact) else 0
    return state._replace(
        mine0=state.theirs0, mine1=state.theirs1, mine2=state.theirs2, mine3=state.theirs3,
        mine4=state.theirs4, mine5=state.theirs5, mine6=state.theirs6,
        theirs0=own[0], theirs1=own[1], theirs2=own[2], theirs3=own[3],
        theirs4=own[4], theirs5=own[5], theirs6=own[6],
        placed=state.placed + 1, won=won, zobrist=state.zobrist ^ int(ZOBRIST[state.placed & 1, step]),
    )  # fmt: skip


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.won != 0 or state.placed == state.size * state.size


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if state.won == 0:
        return 0.0
    return -1.0 if seat == state.placed & 1 else 1.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    return state.won


@key.of(State)
def _key(state: State) -> int:
    return state.zobrist


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board of the option ``size``."""
    nothing = State._make([0] * len(State._fields))
    return nothing._replace(size=int(options.get("size", 15)), exact=int(options.get("exact") == "yes"))


def stones(state: State, seat: int) -> int:
    """The stones of *seat* in one number with a bit for each cell; for Python only, as it has more than 64 bits."""
    words = state[:WORDS] if seat == mover(state) else state[WORDS : 2 * WORDS]
    return sum(word << (WORD * number) for number, word in enumerate(words))


def with_stones(state: State, black: int, white: int) -> State:
    """The board of *state* with other stones, as numbers like those of ``stones``."""
    placed = black.bit_count() + white.bit_count()
    mine, theirs = (black, white) if placed % 2 == 0 else (white, black)
    words = [bits >> (WORD * number) & ((1 << WORD) - 1) for bits in (mine, theirs) for number in range(WORDS)]
    zobrist = 0
    for colour, bits in enumerate((black, white)):
        for cell in cells_of(bits):
            zobrist ^= int(ZOBRIST[colour, cell])
    won = int(_has_won(theirs, bool(state.exact)))
    return State._make([*words, placed, state.size, state.exact, won, zobrist])


def name_of(cell: int) -> str:
    """The name of *cell*: a letter for its column, the number of its row from below."""
    return LETTERS[cell % ROW] + str(cell // ROW + 1)


def is_on_board(state: State, cell: int) -> bool:
    """Whether the board has the *cell*."""
    return 0 <= cell < ROW * state.size and cell % ROW < state.size


def winning_rows(state: State) -> list[list[int]]:
    """The winning rows: the cells of each, in order."""
    own = set(cells_of(stones(state, 1 - mover(state)))) if state.won else set()
    rows = []
    for cell in sorted(own):
        for shift in DIRECTIONS:
            if cell - shift in own:
                continue
            row = [cell]
            while row[-1] + shift in own:
                row.append(row[-1] + shift)
            if len(row) == 5 or (len(row) > 5 and not state.exact):
                rows.append(row)
    return rows


def notation(state: State, step: int) -> str:
    """The cell's name."""
    return name_of(step)


def refusal(state: State, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    if not is_on_board(state, step):
        return say("There is no such cell: the board goes from a1 to {last}.", last=_last_cell(state))
    return say("There is a stone on {cell} already.", cell=name_of(step))


def _last_cell(state: State) -> str:
    return name_of((ROW + 1) * (state.size - 1))


cells = same_cell
refusal_at = as_step(refusal)


describe = by_notation(notation)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    if state.exact:
        return say("Place a stone"), say("Exactly five in a row win: across, up, or along a diagonal. Six do not.")
    return say("Place a stone"), say("Five in a row win: across, up, or along a diagonal.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    number = (state.placed + 1 - seat) // 2
    return COLOURS[seat], say_number("{count} stone", "{count} stones", number)


def ending(state: State) -> Ending:
    reason = say("five in a row") if state.won else say("the board is full")
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


# --------------------------------------------------------------------------------------- position texts


def text(state: State) -> str:
    """The moves played, in one order that leads to *state*.

    :raises PositionError: no order of play leads there.
    """
    black, white = (stones(state, seat).bit_count() for seat in range(2))
    if not 0 <= black - white <= 1:
        raise PositionError.saying(
            "Black has {black} stones and White {white}: Black must have as many as White, or one more.",
            black=black,
            white=white,
        )
    mine, theirs = stones(state, mover(state)), stones(state, 1 - mover(state))
    order = _order_of_play(mine, theirs, bool(state.exact), set())
    if order is None:
        raise PositionError.saying("No order of play leads to this position.")
    return " ".join(map(name_of, order))


def _order_of_play(mine: int, theirs: int, exact: bool, dead_ends: set[tuple[int, int]]) -> list[int] | None:
    """The cells of an order of play to the last stone of *theirs*, without an earlier win; None if there is none.

    Without a row of five, any order works. Else it takes stones of the seat that moved last back, those in such rows
    first.
    """
    in_rows = _in_fives(mine) | _in_fives(theirs)
    if not in_rows:
        first, second = (mine, theirs) if mine.bit_count() == theirs.bit_count() else (theirs, mine)
        if not 0 <= first.bit_count() - second.bit_count() <= 1:
            return None
        order = [0] * (first.bit_count() + second.bit_count())
        order[::2], order[1::2] = cells_of(first), cells_of(second)
        return order
    for cell in cells_of(theirs & in_rows) + cells_of(theirs & ~in_rows):
        before = theirs & ~(1 << cell)
        if (before, mine) in dead_ends or _has_won(before, exact) or _has_won(mine, exact):
            continue
        order_before = _order_of_play(before, mine, exact, dead_ends)
        if order_before is not None:
            return [*order_before, cell]
    dead_ends.add((theirs, mine))
    return None


def _fives(bits: int, distance: int) -> int:
    """The first cells of five in a row, *distance* bits apart."""
    pairs = bits & bits >> distance
    fours = pairs & pairs >> 2 * distance
    return fours & fours >> distance


def _in_fives(bits: int) -> int:
    """The stones in a row of five or more."""
    found = 0
    for distance in DIRECTIONS:
        fives = _fives(bits, distance)
        found |= fives | fives << distance | fives << 2 * distance | fives << 3 * distance | fives << 4 * distance
    return found


def _has_won(bits: int, exact: bool) -> bool:
    if not exact:
        return any(_fives(bits, distance) for distance in DIRECTIONS)
    rows = ((_fives(bits, distance), distance) for distance in DIRECTIONS)
    return any(fives & ~(fives >> distance) & ~(fives << distance) for fives, distance in rows)


_CELL = re.compile(r"([a-t])([1-9][0-9]?)")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position after the moves *text*, on the board of *options*.

    >>> parse("h8 i9 h10", {"size": "15"}).placed
    3
    """
    position = start(options, Random(0))
    for number, name in enumerate(text.split(" ") if text else (), start=1):
        found = _CELL.fullmatch(name)
        step = LETTERS.index(found[1]) + ROW * (int(found[2]) - 1) if found else -1
        if not is_on_board(position, step):
            raise PositionError.saying(
                "Move {number}, {name}, is no cell: write a letter and a number,"
                " a1 to {last}, with one space between two moves.",
                number=number,
                name=quoted(name),
                last=_last_cell(position),
            )
        if is_over(position):
            raise PositionError.saying(
                "Move {number}, {name}: the game was over before it.", number=number, name=quoted(name)
            )
        if stones_in_word(position, step // WORD) >> (step % WORD) & 1:
            raise PositionError.saying(
                "Move {number}, {name}: there is a stone already.", number=number, name=quoted(name)
            )
        position = play(position, step)
    return position
