"""Gomoku: two seats put stones on a board of 15×15, 19×19 or 20×20 cells; five in a row wins, a full board draws.

The rules are common knowledge. Black begins. The option ``exact`` says which rows win. Renju and caro are those of
Gomocup's protocol, as Piskvork 8.9 judges them (``INFO rule`` 4, 8 and 9), without opening rules: in renju, Black's
forbidden cells (``renju``) are illegal steps, and without a legal one the game is a draw; caro's row of five doesn't
win between two stones of the other colour, while the board's edge doesn't count as one.

A colour's stones are seven words of three rows each, from the lowest row up; a row has 21 bits, the last ones always
empty, so that a shift never runs from one row into the next. For a word::

    42 43 44 …  row 3
    21 22 23 …  row 2
     0  1  2 …  row 1

A step is the cell: ``21 * row + column``, for any size of the board. Notation: ``h8``, the column's letter
and the row from below. Position text: the moves played, separated by spaces, in one order that leads to the
position; the empty text is the empty board. Forbidden cells are no error there, as the order need not be that of play.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.kernel import inlined, int64, state, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import cells_of, lowest, write_bits
from papan.game.kernel.rng import RandomState, below, mix
from papan.game.playout import random_step
from papan.game.rules import (
    BoardRows,
    Ending,
    PositionError,
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
from papan.game.rules.gomoku import renju
from papan.game.rules.gomoku.board import (
    BOARD,
    CARO,
    CELLS,
    DIRECTIONS,
    EXACT,
    EXACT_CARO,
    FREE,
    LARGEST,
    RENJU,
    ROW,
    WORD,
    WORDS,
    Words,
    completes_five,
    long_rows_win,
    makes_five,
    word_of,
)
from papan.game.rules.gomoku.renju import ALLOWED, count_near, may_be_forbidden, verdict
from papan.game.rules.one_click import as_step, by_notation, one_phase, same_cell

MOST_STEPS = LARGEST * LARGEST

COLOURS = (say("Black"), say("White"))
LETTERS = "abcdefghijklmnopqrst"

RULES = {"no": FREE, "yes": EXACT, "renju": RENJU, "caro": CARO, "caro-exact": EXACT_CARO}
"""The rule of a state by the value of the option ``exact``."""

PHASES, phase = one_phase()
PERFT_COUNTS_ENDED_GAMES = True

ZOBRIST = np.array([[mix(colour << 32 | cell) >> 1 for cell in range(CELLS)] for colour in (1, 2)], np.int64)
"""A random number for each stone on each cell; combined for all stones they are a position's key."""


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
    rule: int64
    """Which rows win: ``FREE`` and others."""
    won: int64
    """1 if the other seat has won with its last stone."""
    zobrist: int64


# ------------------------------------------------------------------------------------------- kernels


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


@subroutine
def free_cells(state: State) -> Words:
    """The cells without a stone."""
    return (
        int(BOARD[state.size, 0]) & ~stones_in_word(state, 0),
        int(BOARD[state.size, 1]) & ~stones_in_word(state, 1),
        int(BOARD[state.size, 2]) & ~stones_in_word(state, 2),
        int(BOARD[state.size, 3]) & ~stones_in_word(state, 3),
        int(BOARD[state.size, 4]) & ~stones_in_word(state, 4),
        int(BOARD[state.size, 5]) & ~stones_in_word(state, 5),
        int(BOARD[state.size, 6]) & ~stones_in_word(state, 6),
    )


@inlined
def has_forbidden_cells(state: State) -> bool:
    """Whether cells can be forbidden to the seat to move: to Black in renju."""
    return state.rule == RENJU and state.placed & 1 == 0


@subroutine
def is_forbidden(state: State, cell: int) -> bool:
    """Whether the *cell*, which has no stone, is forbidden to the seat to move."""
    if not has_forbidden_cells(state):
        return False
    mine = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    return verdict(mine, free_cells(state), cell) > ALLOWED


@subroutine
def write_allowed(state: State, buffer: Any, base: int) -> int:
    """Write the cells that are not forbidden into ``buffer[base:]``; return the index after the last."""
    mine = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    free, near = free_cells(state), zeros(np.int64, CELLS)
    count_near(mine, near)
    for number in range(WORDS):
        bits = word_of(free, number)
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            if not may_be_forbidden(int(near[cell])) or verdict(mine, free, cell) <= ALLOWED:
                buffer[base] = cell
                base += 1
    return base


@subroutine
def is_stuck(state: State) -> bool:
    """Whether all cells left are forbidden to Black, who is to move."""
    mine = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    free = free_cells(state)
    for number in range(WORDS):
        bits = word_of(free, number)
        while bits != 0:
            if verdict(mine, free, WORD * number + lowest(bits)) <= ALLOWED:
                return False
            bits &= bits - 1
    return True


@moves.of(State)
def _moves(state: State, buffer: Any, base: int) -> int:
    if state.won != 0:
        return base
    if has_forbidden_cells(state):
        return write_allowed(state, buffer, base)
    for number in range(WORDS):
        empty = int(BOARD[state.size, number]) & ~stones_in_word(state, number)
        base = write_bits(empty, WORD * number, buffer, base)
    return base


@random_step.of(State)
@inlined
def _random_step(state: State, buffer: Any, random: RandomState) -> int:
    # Draw cells until one is empty: faster than listing hundreds.
    while True:
        step = below(random, ROW * state.size)
        is_free = step % ROW < state.size and not stones_in_word(state, step // WORD) >> (step % WORD) & 1
        if is_free and not (has_forbidden_cells(state) and is_forbidden(state, step)):
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
    other = (
        state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
    )  # fmt: skip
    # Most steps make no row at all: the rule is asked for only after one
    won = 1 if makes_five(own, step) and completes_five(own, other, step, state.rule, state.placed & 1) else 0
    return state._replace(
        mine0=state.theirs0, mine1=state.theirs1, mine2=state.theirs2, mine3=state.theirs3,
        mine4=state.theirs4, mine5=state.theirs5, mine6=state.theirs6,
        theirs0=own[0], theirs1=own[1], theirs2=own[2], theirs3=own[3],
        theirs4=own[4], theirs5=own[5], theirs6=own[6],
        placed=state.placed + 1, won=won, zobrist=state.zobrist ^ int(ZOBRIST[state.placed & 1, step]),
    )  # fmt: skip


@is_over.of(State)
@inlined
def _is_over(state: State) -> bool:
    if state.won != 0 or state.placed == state.size * state.size:
        return True
    return has_forbidden_cells(state) and is_stuck(state)


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if state.won == 0:
        return 0.0
    return -1.0 if seat == state.placed & 1 else 1.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    if state.won == 0 and state.placed < state.size * state.size:
        return 2
    return state.won


@key.of(State)
def _key(state: State) -> int:
    return state.zobrist


SIZE_CELL = LARGEST
"""A cell beyond all boards, whose content is the size, less than any content of a cell."""
SMALLEST = 5


@content_at.of(State)
def _content_at(state: State, cell: int) -> int:
    if cell == SIZE_CELL:
        return state.size - SMALLEST
    bit, number = cell % WORD, cell // WORD
    if not stones_in_word(state, number) >> bit & 1:
        return 0
    mine = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    return 1 + (state.placed & 1) if word_of(mine, number) >> bit & 1 else 2 - (state.placed & 1)


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board of the option ``size``."""
    nothing = State._make([0] * len(State._fields))
    return nothing._replace(size=int(options.get("size", 15)), rule=RULES[options.get("exact", "no")])


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
    won = int(_has_won(theirs, mine, 1 - placed % 2, int(state.rule)))
    return State._make([*words, placed, state.size, state.rule, won, zobrist])


def name_of(cell: int) -> str:
    """The name of *cell*: a letter for its column, the number of its row from below."""
    return LETTERS[cell % ROW] + str(cell // ROW + 1)


def cell_named(name: str) -> int:
    """The cell of a name such as ``h8``, whether a board has it or not."""
    return LETTERS.index(name[0]) + ROW * (int(name[1:]) - 1)


def is_on_board(state: State, cell: int) -> bool:
    """Whether the board has the *cell*."""
    return 0 <= cell < ROW * state.size and cell % ROW < state.size


def winning_rows(state: State) -> list[list[int]]:
    """The winning rows: the cells of each, in order."""
    seat = 1 - mover(state)
    own = set(cells_of(stones(state, seat))) if state.won else set()
    rows = []
    for cell in sorted(own):
        for shift in DIRECTIONS:
            if cell - shift in own:
                continue
            row = [cell]
            while row[-1] + shift in own:
                row.append(row[-1] + shift)
            if row_wins(state, seat, len(row), row[0] - shift, row[-1] + shift):
                rows.append(row)
    return rows


def row_wins(state: State, seat: int, length: int, before: int, after: int) -> bool:
    """Whether *length* stones of *seat* in a row win, with the cells *before* and *after* them."""
    if length != 5:
        return length > 5 and bool(long_rows_win(state.rule, seat))
    others = stones(state, 1 - seat) if state.rule >= CARO else 0
    return not all(cell >= 0 and others >> cell & 1 for cell in (before, after))


def notation(state: State, step: int) -> str:
    """The cell's name."""
    return name_of(step)


_FOREIGN_SQUARE = re.compile(r"([A-Ta-t]) ?-?([1-9][0-9]?)")
_FOREIGN_POINT = re.compile(r"[a-t]{2}")
_FOREIGN_PAIR = re.compile(r"\(?(\d{1,2}) ?[, ] ?(\d{1,2})\)?")


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """A square as ``H8`` or ``h-8``; SGF's ``hh``, from the top left; a column and a row as ``7,7``.

    Programs count columns and rows from 0 or from 1, and rows from either side: whichever of these is legal is told.
    """
    cells: list[int] = []
    if found := _FOREIGN_SQUARE.fullmatch(text):
        cells = [cell_named(found[1].lower() + found[2])]
    elif _FOREIGN_POINT.fullmatch(text):
        cells = [LETTERS.index(text[0]) + ROW * (state.size - 1 - LETTERS.index(text[1]))]
    elif found := _FOREIGN_PAIR.fullmatch(text):
        column, row = int(found[1]), int(found[2])
        for first in (0, 1):
            if first <= column < state.size + first:
                cells += [column - first + ROW * at for at in (row - first, state.size - 1 - row + first)]
    legal = set(legal_steps(state, MOST_STEPS))
    return [[cell] for cell in dict.fromkeys(cells) if cell in legal]


def refusal(state: State, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    if not is_on_board(state, step):
        return say("There is no such cell: the board goes from a1 to {last}.", last=_last_cell(state))
    if stones_in_word(state, step // WORD) >> (step % WORD) & 1:
        return say("There is a stone on {cell} already.", cell=name_of(step))
    return _why_forbidden(state, step)


def verdict_on_black(state: State, cell: int) -> int:
    """What a black stone on the free *cell* would be in renju, whoever is to move: see ``renju.verdict``."""
    black = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    if state.placed & 1:
        black = (
            state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
        )  # fmt: skip
    return int(verdict(black, free_cells(state), cell))


def _why_forbidden(state: State, step: int) -> str:
    why = verdict_on_black(state, step)
    if why == renju.LONG_ROW:
        return say("In renju Black may not make a row of more than five: {cell} is forbidden.", cell=name_of(step))
    if why == renju.TWO_FOURS:
        return say("In renju Black may not make two fours at once: {cell} is forbidden.", cell=name_of(step))
    return say("In renju Black may not make two open threes at once: {cell} is forbidden.", cell=name_of(step))


def _last_cell(state: State) -> str:
    return name_of((ROW + 1) * (state.size - 1))


cells = same_cell
refusal_at = as_step(refusal)


describe = by_notation(notation)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    return say("Place a stone"), _HOW_TO_WIN[state.rule]


_HOW_TO_WIN = (
    say("Five in a row win: across, up, or along a diagonal."),
    say("Exactly five in a row win: across, up, or along a diagonal. Six do not."),
    say(
        "Five in a row win. Black may not make six in a row, two fours at once, or two open threes at once; "
        "for White six win, too."
    ),
    say("Five or more in a row win, but not five between two stones of the other colour."),
    say("Exactly five in a row win, but not between two stones of the other colour. Six do not."),
)


def seat_note(state: State, seat: int) -> tuple[str, str]:
    number = (state.placed + 1 - seat) // 2
    return COLOURS[seat], say_number("{count} stone", "{count} stones", number)


def ending(state: State) -> Ending:
    if state.won:
        reason = say("five in a row")
    elif state.placed < state.size * state.size:
        reason = say("all cells left are forbidden to Black")
    else:
        reason = say("the board is full")
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


# --------------------------------------------------------------------------------------- position texts


def board_rows(state: State) -> BoardRows:
    """X for black stones, O for white ones."""
    size = int(state.size)
    rows = [range(ROW * row, ROW * row + size) for row in reversed(range(size))]
    return BoardRows(rows, "-XO", "XO", symmetries=8, given={SIZE_CELL: size - SMALLEST})


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
    order = _order_of_play(mine, theirs, int(state.rule), set())
    if order is None:
        raise PositionError.saying("No order of play leads to this position.")
    return " ".join(map(name_of, order))


def _order_of_play(mine: int, theirs: int, rule: int, dead_ends: set[tuple[int, int]]) -> list[int] | None:
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
    colour = 1 - (mine | theirs).bit_count() % 2
    has_won = functools.partial(_has_won, rule=rule)
    for cell in cells_of(theirs & in_rows) + cells_of(theirs & ~in_rows):
        before = theirs & ~(1 << cell)
        if (before, mine) in dead_ends or has_won(before, mine, colour) or has_won(mine, before, 1 - colour):
            continue
        order_before = _order_of_play(before, mine, rule, dead_ends)
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


def _has_won(own: int, other: int, colour: int, rule: int) -> bool:
    """Whether the stones *own* of *colour* have a row that wins, with the stones *other*."""
    for distance in DIRECTIONS:
        fives = _fives(own, distance)
        exact = fives & ~(fives >> distance) & ~(fives << distance)
        if rule >= CARO:
            exact &= ~(other << distance & other >> 5 * distance)
            fives &= ~(other << distance & other >> 5 * distance)
        if fives if long_rows_win(rule, colour) else exact:
            return True
    return False


_CELL = re.compile(r"([a-t])([1-9][0-9]?)")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position after the moves *text*, on the board of *options*.

    >>> parse("h8 i9 h10", {"size": "15"}).placed
    3
    """
    position = start(options, Random(0))
    for number, name in enumerate(text.split(" ") if text else (), start=1):
        found = _CELL.fullmatch(name)
        step = cell_named(name) if found else -1
        if not is_on_board(position, step):
            raise PositionError.saying(
                "Move {number}, {name}, is not a cell: write a letter and a number, a1 to {last}, with one space "
                "between two moves.",
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
