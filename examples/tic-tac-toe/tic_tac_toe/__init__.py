"""Tic-tac-toe: nine cells, two seats put a mark in turn, three in a row wins, a full board draws.

A whole game for Papan in three files: its rules here, what a position is worth in ``evaluation.py``, how it looks and
a page to read in ``board.py``.

Cells are bits, row by row from the bottom left; a step is its cell, 0 to 8. Notations are ``a1`` to ``c3``. The
position text is the nine cells from the top row down, ``x``, ``o`` or ``.``, such as ``..x/.o./x..``.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from papan.game.game import Game, Parts
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import cells_of, popcount
from papan.game.rules import Ending, PositionError, canonical_key, is_over, key, mover, moves, payoff, play
from papan.game.rules.one_click import as_step, by_notation, one_phase, same_cell

GAME = Game(
    "tic-tac-toe",
    "Tic-tac-toe",
    "Three in a row",
    Parts(
        rules="tic_tac_toe",
        evaluation="tic_tac_toe.evaluation",
        board="tic_tac_toe.board",
        page="tic_tac_toe.board",
        lesson="tic_tac_toe:lesson.toml",
    ),
)

SIZE = 3
CELLS = SIZE * SIZE
FULL = (1 << CELLS) - 1
ROW, COLUMN, RISING, FALLING = 0b111, 0b001001001, 0b100010001, 0b001010100
SIGNS = "xo"
MARKS = ("Crosses", "Noughts")

MOST_STEPS = CELLS
PHASES, phase = one_phase("put a mark")
PERFT_COUNTS_ENDED_GAMES = False


@state
class State(NamedTuple):
    """The marks of the seat to move, and the other seat's; who that is follows from their number."""

    mine: int64
    theirs: int64


# ------------------------------------------------------------------------------------------- kernels


@subroutine
def three_in_a_row(marks: int) -> bool:
    """Whether *marks* hold a whole row, column or diagonal."""
    for line in range(SIZE):
        if marks & ROW << SIZE * line == ROW << SIZE * line or marks & COLUMN << line == COLUMN << line:
            return True
    return marks & RISING == RISING or marks & FALLING == FALLING


@mover.of(State)
def _mover(state: State) -> int:
    return popcount(state.mine | state.theirs) & 1


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if is_over(state):
        return base
    for cell in range(CELLS):
        if not (state.mine | state.theirs) >> cell & 1:
            buffer[base] = cell
            base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    return State(state.theirs, state.mine | 1 << step)


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


@subroutine
def mirrored(marks: int) -> int:
    """*marks* with the left column on the right."""
    return (marks & COLUMN) << 2 | marks & COLUMN << 1 | marks >> 2 & COLUMN


@subroutine
def across_the_diagonal(marks: int) -> int:
    """*marks* with columns as rows."""
    beside, corner = 0b000100010, 0b100  # below the diagonal from a1 to c3: next to it, and farthest from it
    nearest = (marks & beside) << 2 | marks >> 2 & beside
    return marks & RISING | nearest | (marks & corner) << 4 | marks >> 4 & corner


@canonical_key.of(State)
def _canonical_key(state: State) -> tuple[int, int]:
    image = state
    least, way = key(state), 0
    for number in range(1, 8):  # turning it over by turns about two axes comes by all eight ways of laying the board
        if number & 1:
            image = State(mirrored(image.mine), mirrored(image.theirs))
        else:
            image = State(across_the_diagonal(image.mine), across_the_diagonal(image.theirs))
        other = key(image)
        if other < least:
            least, way = other, number
    return least, way


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board."""
    return State(0, 0)


def notation(state: State, step: int) -> str:
    """The cell's name: a letter for its column, the number of its row from below."""
    return "abc"[step % SIZE] + str(step // SIZE + 1)


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    if not 0 <= step < CELLS:
        return f"There is no cell {step}: the cells are 0 to {CELLS - 1}."
    if is_over(state):
        return f"The game is over: {ending(state).reason}."
    return f"There is a mark on {notation(state, step)} already."


cells = same_cell
refusal_at = as_step(refusal)
describe = by_notation(notation)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """There is one thing to do."""
    return "Put a mark", "Three in a row win: across, up, or along a diagonal."


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """Which marks are the seat's."""
    return MARKS[seat], ""


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    reason = "three in a row" if three_in_a_row(state.theirs) else "the board is full"
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


def marks_of(state: State, seat: int) -> int:
    """The cells with the marks of *seat*, as bits."""
    return state.mine if seat == mover(state) else state.theirs


def winning_rows(state: State) -> list[tuple[int, ...]]:
    """The cells of each row, column and diagonal with which the game was won."""
    lines = [ROW << SIZE * line for line in range(SIZE)] + [COLUMN << line for line in range(SIZE)]
    return [cells_of(line) for line in (*lines, RISING, FALLING) if state.theirs & line == line]


def text(state: State) -> str:
    """The nine cells, the top row first."""
    signs = ["."] * CELLS
    for seat, sign in enumerate(SIGNS):
        for cell in range(CELLS):
            if marks_of(state, seat) >> cell & 1:
                signs[cell] = sign
    return "/".join("".join(signs[SIZE * row : SIZE * row + SIZE]) for row in reversed(range(SIZE)))


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position of nine cells.

    >>> parse("..x/.o./x..", {})
    State(mine=16, theirs=257)

    :raises PositionError: what is wrong, and where.
    """
    rows = text.split("/")
    if [len(row) for row in rows] != [SIZE] * SIZE:
        raise PositionError(f"'{text}' is not three rows of three cells, such as ..x/.o./x..")
    signs = "".join(reversed(rows))
    for place, sign in enumerate(signs):
        if sign not in SIGNS + ".":
            raise PositionError(
                f"'{sign}' on {notation(State(0, 0), place)} is no mark: write x, o or . for an empty cell."
            )
    crosses, noughts = (sum(1 << cell for cell, own in enumerate(signs) if own == sign) for sign in SIGNS)
    ahead = popcount(crosses) - popcount(noughts)
    if ahead not in (0, 1):
        raise PositionError(f"There are {popcount(crosses)} crosses and {popcount(noughts)} noughts: crosses begin.")
    if (three_in_a_row(crosses) and (three_in_a_row(noughts) or not ahead)) or (three_in_a_row(noughts) and ahead):
        raise PositionError("The game was over before the last mark.")
    return State(noughts, crosses) if ahead else State(crosses, noughts)
