"""CIFRA Code25: two seats race five pieces each across a board of white and blue tiles.

The game is that of seed 004. One correction: where a side has brought all its pieces home and is not ahead,
the seed's ``winner()`` gives no answer; here goal pieces decide, then living pieces. ``cifra_board`` has the
state and how pieces walk, ``cifra_position`` the position text.

Seat 0 moves first and always plays upwards, from row 1 to row 5. Before that, seat 1 takes one turn of two
steps: the side of the board that is to be his home, and his colour. Choosing a side turns the board until
that side is row 5.

A piece walks along one of eight directions. A step costs nothing between two tiles of the piece's colour and
1 otherwise, and a walk costs 1 at most. So a piece on its own colour runs on over its own colour and may end
with one step off it; any other piece takes one step and, where that leads onto its own colour, runs on over
it. The neutral tile is nobody's: a walk can begin or end there, never pass. Any piece in the way ends the
walk; an opponent's is captured by landing on it, unless it has reached its far row: then it is a goal piece,
that neither moves nor is captured.

A side that has living pieces can always move, so there is no pass: a piece may step to any neighbour without
an own piece or an opponent's goal piece, and to be shut in, a side would have to fill rows 2 to 4.

A step of play is ``from * 32 + to``. Before play a step is the side (a number of quarter turns: 0 north, 1
east, 2 south, 3 west) or the colour (0 white, 1 blue).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from game.bits import lowest, popcount
from game.cifra_board import (
    BOTTOM_ROW,
    CENTRE,
    CHOOSING_COLOUR,
    CHOOSING_SIDE,
    COLOURED,
    COLOURS,
    MOVING,
    PIECES,
    QUIET_TURNS,
    TOP_ROW,
    State,
    cell_name,
    cells_of,
    far_row,
    goals,
    living,
    passable,
    pieces_of,
    quarter_turn,
    stops,
)
from game.cifra_position import parse, text
from game.kernels import can_repeat, is_over, key, mover, moves, payoff, play
from game.rules import Ending, third_repetition
from game.sight import CELLS, SIZE

__all__ = [
    "MOST_STEPS",
    "PERFT_COUNTS_ENDED_GAMES",
    "PHASES",
    "SIDES",
    "State",
    "cells",
    "describe",
    "ending",
    "notation",
    "parse",
    "phase",
    "prompt",
    "refusal",
    "refusal_at",
    "repetition_ending",
    "seat_note",
    "start",
    "text",
]

MOST_STEPS = PIECES * 16  # from the centre a queen of chess reaches 16 cells of 25
PHASES = {"choose side": ("choose colour",), "choose colour": ("move",), "move": ("move",)}
PERFT_COUNTS_ENDED_GAMES = True
SIDES = ("north", "east", "south", "west")


# ------------------------------------------------------------------------------------------- kernels


@mover.of(State)
def _mover(state: State) -> int:
    return state.to_move


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.stage != MOVING:
        for choice in range(len(SIDES) if state.stage == CHOOSING_SIDE else len(COLOURS)):
            buffer[base] = choice
            base += 1
        return base
    if is_over(state):
        return base
    seat = state.to_move
    open_cells = passable(state, seat)
    walkers = living(state, seat)
    while walkers:
        cell = lowest(walkers)
        walkers &= walkers - 1
        targets = stops(state, seat, cell, open_cells)
        while targets:
            buffer[base] = cell << 5 | lowest(targets)
            base += 1
            targets &= targets - 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    if state.stage == CHOOSING_SIDE:
        tiles = state.white_tiles
        for _ in range(step):
            tiles = quarter_turn(tiles)
        return State(tiles, 0, 0, 1, 0, CHOOSING_COLOUR, 0)
    if state.stage == CHOOSING_COLOUR:
        return State(state.white_tiles, BOTTOM_ROW, TOP_ROW, 0, 1 - step, MOVING, 0)
    origin = 1 << (step >> 5)
    target = 1 << (step & 31)
    is_quiet = not target & (state.first | state.second | far_row(state.to_move))
    quiet = state.quiet + 1 if is_quiet else 0
    if state.to_move == 0:
        first = state.first ^ origin ^ target
        return State(state.white_tiles, first, state.second & ~target, 1, state.white_seat, MOVING, quiet)
    second = state.second ^ origin ^ target
    return State(state.white_tiles, state.first & ~target, second, 0, state.white_seat, MOVING, quiet)


@is_over.of(State)
def _is_over(state: State) -> bool:
    if state.stage != MOVING:
        return False
    return not living(state, 0) or not living(state, 1) or state.quiet >= QUIET_TURNS


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if living(state, 0) and living(state, 1):
        return 0.0  # too many quiet turns
    ahead = popcount(goals(state, seat)) - popcount(goals(state, 1 - seat))
    if ahead == 0:
        ahead = popcount(living(state, seat)) - popcount(living(state, 1 - seat))
    return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0


@can_repeat.of(State)
def _can_repeat(state: State) -> bool:
    return True


KEY_BITS = (1 << 63) - 1
# Odd, so that multiplying loses nothing: no two positions of one board share a key. From L'Ecuyer, "Tables of
# linear congruential generators of different sizes and good lattice structure", 1999.
BOARD_FACTOR = 2685821657736338717
PIECES_FACTOR = 3935559000370003845


@key.of(State)
def _key(state: State) -> int:
    board = state.white_tiles | state.white_seat << 25 | state.stage << 26
    mixed = board * BOARD_FACTOR & KEY_BITS
    mixed ^= mixed >> 31
    mixed += state.first | state.second << 25 | state.to_move << 50
    mixed = mixed * PIECES_FACTOR & KEY_BITS
    return mixed ^ mixed >> 31


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """Twelve white and twelve blue tiles, shuffled; the second player is to choose."""
    coloured = cells_of(COLOURED)
    white_tiles = sum(1 << cell for cell in random.sample(coloured, len(coloured) // 2))
    return State(white_tiles, 0, 0, 1, 0, CHOOSING_SIDE, 0)


def phase(state: State) -> str:
    """The second player's two choices, then play."""
    return tuple(PHASES)[state.stage]


def notation(state: State, step: int) -> str:
    """``south`` and ``:white`` before play; then ``a1-b3``, or ``a1xb3`` for a capture."""
    if state.stage == CHOOSING_SIDE:
        return SIDES[step]
    if state.stage == CHOOSING_COLOUR:
        return f":{COLOURS[step]}"
    origin, target = step >> 5, step & 31
    link = "x" if pieces_of(state, 1 - state.to_move) >> target & 1 else "-"
    return f"{cell_name(origin)}{link}{cell_name(target)}"


def cells(state: State, step: int) -> tuple[int, ...]:
    """A move's two cells; the choices before play have none."""
    return (step >> 5, step & 31) if state.stage == MOVING else ()


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    if is_over(state):
        return f"The game is over: {ending(state).reason}."
    if state.stage == CHOOSING_SIDE:
        return f"A side of the board is to be chosen first: {', '.join(SIDES)}."
    if state.stage == CHOOSING_COLOUR:
        return f"A colour is to be chosen first: {' or '.join(COLOURS)}."
    origin, target = step >> 5, step & 31
    if not 0 <= origin < CELLS or target >= CELLS:
        return "There is no such cell: cells are a1 to e5."
    return _refused_piece(state, origin) or _refused_target(state, target) or _refused_way(state, origin, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    """Which rule forbids moving from ``cells[0]`` to ``cells[1]``, or moving the piece on the one cell of *cells*."""
    if len(cells) == 1 and state.stage == MOVING and not is_over(state):
        return _refused_piece(state, cells[0]) or f"The piece on {cell_name(cells[0])} can't move: it is shut in."
    return refusal(state, cells[0] << 5 | cells[-1])


def _refused_piece(state: State, origin: int) -> str:
    """Why the seat to act can't move a piece from *origin*, or ""."""
    seat = state.to_move
    if pieces_of(state, 1 - seat) >> origin & 1:
        return f"The piece on {cell_name(origin)} is your opponent's."
    if goals(state, seat) >> origin & 1:
        return f"The piece on {cell_name(origin)} is a goal piece: it moves no more."
    if not pieces_of(state, seat) >> origin & 1:
        return f"There is no piece on {cell_name(origin)}."
    return ""


def _refused_target(state: State, target: int) -> str:
    """Why the seat to act can't land on *target* from anywhere, or ""."""
    if pieces_of(state, state.to_move) >> target & 1:
        return f"Your own piece stands on {cell_name(target)}."
    if goals(state, 1 - state.to_move) >> target & 1:
        return f"The piece on {cell_name(target)} is a goal piece: it can't be captured."
    return ""


def _refused_way(state: State, origin: int, target: int) -> str:
    """Why an illegal walk from *origin* does not get to *target*, which could be entered."""
    columns = target % SIZE - origin % SIZE
    rows = target // SIZE - origin // SIZE
    if columns and rows and abs(columns) != abs(rows):
        return "A piece moves in a straight line: along a row, a column or a diagonal."
    steps = max(abs(columns), abs(rows))
    passed = [origin + (target - origin) * step // steps for step in range(1, steps)]
    for cell in passed:
        if (state.first | state.second) >> cell & 1:
            return f"A piece on {cell_name(cell)} is in the way: pieces don't jump."
        if CENTRE >> cell & 1:
            return f"The neutral tile {cell_name(cell)} can be entered and left, but not passed."
    return "Too far: a step is free only between two tiles of the piece's own colour, and a move has one other step."


def ending(state: State) -> Ending:
    """Why the finished game *state* is over, and who has won."""
    return Ending((payoff(state, 0), payoff(state, 1)), _reason(state))


def _reason(state: State) -> str:
    if living(state, 0) and living(state, 1):
        return "50 turns by each side without a capture or a goal"
    if popcount(goals(state, 0)) != popcount(goals(state, 1)):
        return "more goal pieces, as one side has no living pieces"
    if living(state, 0) or living(state, 1):
        return "equal goal pieces, but living pieces left"
    return "equal goal pieces, and no living pieces left"


def repetition_ending(states: Sequence[State]) -> Ending | None:
    """A draw when the last of *states* stands on the board for the third time."""
    return Ending((0.0, 0.0), "third repetition of the position") if third_repetition(states) else None


def describe(state: State, step: int) -> tuple[str, str]:
    """What a choice before play means; a move by its notation."""
    if state.stage == CHOOSING_SIDE:
        edge = ("row 5", "column e", "row 1", "column a")[step]
        return f"{SIDES[step].capitalize()} side", f"Your pieces start from {edge}; the board is turned to show it."
    if state.stage == CHOOSING_COLOUR:
        return COLOURS[step].capitalize(), f"Your pieces run freely on {COLOURS[step]} tiles."
    return notation(state, step), ""


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """What to choose, to move, or to aim at."""
    if state.stage == CHOOSING_SIDE:
        return "Choose your side", "Your opponent starts from the opposite side, and moves first."
    if state.stage == CHOOSING_COLOUR:
        return "Choose your colour", "Your pieces run freely on tiles of their own colour."
    if chosen is None:
        return "Move a piece", "Bring your pieces to the far row: there they are safe."
    return "Choose where it goes", "Steps between tiles of its own colour are free; a move has one other step."


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """The colour of *seat*, and how many pieces it has in the goal and on the way."""
    if state.stage != MOVING:
        return "", ""
    safe, running = popcount(goals(state, seat)), popcount(living(state, seat))
    return COLOURS[seat != state.white_seat], f"{safe} home, {running} running"
