"""CIFRA's board: the contents of states, and the walks of pieces; the same for each mode and size.

A board is one bit a cell, row by row from a1, and column a first::

    20 21 22 23 24     row 5: home of seat 1, far row of seat 0
    15 16 17 18 19
    10 11 12 13 14     cell 12 is the neutral tile
     5  6  7  8  9
     0  1  2  3  4     row 1: home of seat 0, far row of seat 1

The 81 cells of the larger board are too many for one word. So bitboards come by *part*: part 0 has the cells before
``PART_CELLS``, part 1 the others, and a board of 5×5 has part 0 only.

A piece on its far row is a goal piece, so the state does not mark goal pieces. In two modes the pieces of a seat
differ, by their *rank*: their number in sum, 1 for the king and 0 for all others in king, 0 in dash. Ranks are
kept as binary digits, a bitboard for each.

The types of states are in ``small`` and ``large``: they differ in the few kernels declared here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.base.sentences import say
from papan.game.kernel import kernel, subroutine
from papan.game.kernel.bits import popcount
from papan.game.rules import State
from papan.game.rules.cifra import large_rays, small_rays
from papan.game.rules.cifra.large_rays import PART_CELLS

SMALL, LARGE = small_rays.SIZE, large_rays.SIZE
DASH, KING, SUM = range(3)
MODES = ("dash", "king", "sum")
CHOOSING_SIDE, CHOOSING_COLOUR, MOVING = range(3)
COLOURS = ("white", "blue")
COLOURS_IN_WORDS = (say("white"), say("blue"))
QUIET_TURNS = 2 * 50  # turns in a row without a capture or a goal that make a draw
RANK_DIGITS = 4  # binary digits of the highest number, 9

NEUTRAL_CELLS = {SMALL: (12,), LARGE: (4, 36, 40, 44, 76)}  # c3; e1 a5 e5 i5 e9


# ----------------------------------------------------------------------------- kernels of types of states


@kernel
def size_of(state: State) -> int:
    """The number of cells along a side of the board, and of pieces of each seat: SMALL or LARGE."""
    raise NotImplementedError


@kernel
def mode_of(state: State) -> int:
    """DASH, KING or SUM."""
    raise NotImplementedError


@mode_of.otherwise
def _mode_of(state: State) -> int:
    return int(state.mode)


@kernel
def part_with(state: State, cell: int) -> int:
    """The part with *cell*."""
    raise NotImplementedError


@kernel
def coloured_tiles(state: State, part: int) -> int:
    """Bitboard of the white or blue tiles."""
    raise NotImplementedError


@kernel
def white_tiles_of(state: State, part: int) -> int:
    """Bitboard of the white tiles."""
    raise NotImplementedError


@kernel
def far_row(state: State, seat: int, part: int) -> int:
    """Bitboard of the goal row of *seat*: the other seat's home."""
    raise NotImplementedError


@kernel
def pieces_of(state: State, seat: int, part: int) -> int:
    """Bitboard of all pieces of *seat*."""
    raise NotImplementedError


@kernel
def ranked_pieces(state: State, digit: int, part: int) -> int:
    """Bitboard of the pieces whose rank has the binary *digit*."""
    raise NotImplementedError


@kernel
def neighbours(state: State, cell: int, part: int) -> int:
    """Bitboard of the cells around *cell*."""
    raise NotImplementedError


@kernel
def in_sight(state: State, seat: int, cell: int, part: int) -> int:
    """Bitboard of the cells that *seat* sees from *cell*: over passable ones, up to the first that is not."""
    raise NotImplementedError


@kernel
def with_side(state: State, quarters: int) -> State:
    """*state* turned anticlockwise by that many right angles; the colour is chosen next."""
    raise NotImplementedError


@kernel
def with_colour(state: State, colour: int) -> State:
    """*state* with all pieces on their home rows, those of seat 1 in *colour*."""
    raise NotImplementedError


@kernel
def with_move(state: State, origin: int, target: int, quiet: int) -> State:
    """*state* after a move, with any piece on *target* captured; *quiet* is the new draw counter."""
    raise NotImplementedError


# ------------------------------------------------------------------------------------------ bitboards


@subroutine
def parts_of(state: State) -> int:
    """The number of parts of a bitboard."""
    return 1 if size_of(state) == SMALL else 2


@subroutine
def bit_of(state: State, cell: int) -> int:
    """The bit of *cell*, in its part of a bitboard."""
    return 1 << (cell - PART_CELLS * part_with(state, cell))


@subroutine
def cell_bits(state: State) -> int:
    """The number of bits of a step's target; those above are the origin."""
    return 5 if size_of(state) == SMALL else 7


@subroutine
def tiles_of(state: State, seat: int, part: int) -> int:
    """Bitboard of the tiles in the colour of *seat*."""
    white = white_tiles_of(state, part)
    return white if seat == state.white_seat else coloured_tiles(state, part) ^ white


@subroutine
def living_pieces(state: State, seat: int, part: int) -> int:
    """Bitboard of the pieces of *seat* that are not goal pieces."""
    return pieces_of(state, seat, part) & ~far_row(state, seat, part)


@subroutine
def goal_pieces(state: State, seat: int, part: int) -> int:
    """Bitboard of the goal pieces of *seat*."""
    return pieces_of(state, seat, part) & far_row(state, seat, part)


@subroutine
def passable_cells(state: State, seat: int, part: int) -> int:
    """Bitboard of the cells where a walk of *seat* can continue: empty tiles of its own colour."""
    return tiles_of(state, seat, part) & ~(pieces_of(state, 0, part) | pieces_of(state, 1, part))


@subroutine
def stops(state: State, seat: int, cell: int, part: int) -> int:
    """Bitboard of the cells where a piece of *seat* on *cell* can go.

    If the piece is on its own colour, every cell in sight costs 1 at most. If not, the first step costs 1, and beyond
    it only cells of its own colour are free.
    """
    is_own_tile = 1 if tiles_of(state, seat, part_with(state, cell)) & bit_of(state, cell) else 0
    affordable = tiles_of(state, seat, part) | neighbours(state, cell, part) | -is_own_tile  # all bits or none
    blocked = pieces_of(state, seat, part) | goal_pieces(state, 1 - seat, part)
    return in_sight(state, seat, cell, part) & affordable & ~blocked


@subroutine
def turned_tiles(state: State, quarters: int, part: int) -> int:
    """The white tiles after that many right angles anticlockwise: the column on the right becomes the top row."""
    size = size_of(state)
    tiles = 0
    for cell in range(size * size):
        if white_tiles_of(state, part_with(state, cell)) & bit_of(state, cell):
            row = cell // size
            column = cell - row * size
            for _ in range(quarters):
                row, column = column, size - 1 - row
            turned = row * size + column
            if part_with(state, turned) == part:
                tiles |= bit_of(state, turned)
    return tiles


# --------------------------------------------------------------------------------------------- counts


@subroutine
def has_living(state: State, seat: int) -> bool:
    """Whether *seat* has living pieces."""
    for part in range(parts_of(state)):
        if living_pieces(state, seat, part):
            return True
    return False


@subroutine
def count_living(state: State, seat: int) -> int:
    """The number of living pieces of *seat*."""
    count = 0
    for part in range(parts_of(state)):
        count += popcount(living_pieces(state, seat, part))
    return count


@subroutine
def count_goals(state: State, seat: int) -> int:
    """The number of goal pieces of *seat*."""
    count = 0
    for part in range(parts_of(state)):
        count += popcount(goal_pieces(state, seat, part))
    return count


@kernel
def goal_sum(state: State, seat: int) -> int:
    """The sum of the ranks of the goal pieces of *seat*."""
    raise NotImplementedError


@goal_sum.otherwise
def _goal_sum(state: State, seat: int) -> int:
    total = 0
    for part in range(parts_of(state)):
        for digit in range(RANK_DIGITS):
            total += popcount(goal_pieces(state, seat, part) & ranked_pieces(state, digit, part)) << digit
    return total


@kernel
def has_won_by_king(state: State, seat: int) -> bool:
    """Whether the mode is king, and the king of *seat* is home or the other seat's has been captured."""
    raise NotImplementedError


@has_won_by_king.otherwise
def _has_won_by_king(state: State, seat: int) -> bool:
    if state.mode != KING:
        return False
    others_king = 0
    for part in range(parts_of(state)):
        kings = ranked_pieces(state, 0, part)
        if kings & goal_pieces(state, seat, part):
            return True
        others_king |= kings & pieces_of(state, 1 - seat, part)
    return others_king == 0


# ------------------------------------------------------------------------------------------- changes


@subroutine
def with_piece_moved(bits: int, touched: int, landing: int, carries: int) -> int:
    """A bitboard of pieces after a move, without the pieces on *touched* cells.

    :param landing: the target's bit, or 0 if it is in another part.
    :param carries: 1 if the moving piece is on the bitboard, else 0.
    """
    return bits & ~touched | landing & -carries


def coloured_board(size: int) -> int:
    """Bitboard of the whole board: the white or blue tiles."""
    return (1 << size * size) - 1 - sum(1 << cell for cell in NEUTRAL_CELLS[size])


def home_ranks(size: int) -> list[list[list[int]]]:
    """By mode, binary digit of the rank, and part: the bitboard of the pieces with that digit at the start."""
    king = [int(column == size // 2) for column in range(size)]
    rows: dict[int, Sequence[int]] = {DASH: [0] * size, KING: king, SUM: range(1, size + 1)}
    table = []
    for mode in range(len(MODES)):
        ranks = [*rows[mode], *[0] * (size * (size - 2)), *reversed(rows[mode])]
        digits = [sum((rank >> digit & 1) << cell for cell, rank in enumerate(ranks)) for digit in range(RANK_DIGITS)]
        table.append([list(in_parts(bits)) for bits in digits])
    return table


# ----------------------------------------------------------------------------------------- for people


def in_parts(bits: int) -> tuple[int, int]:
    """The two parts of a bitboard of the whole board."""
    return bits & (1 << PART_CELLS) - 1, bits >> PART_CELLS


def whole(bitboard: Callable[..., int], state: State, *arguments: int) -> int:
    """The whole of a *bitboard* (``pieces_of``, ``living_pieces`` …): its parts in one integer without limit."""
    return sum(bitboard(state, *arguments, part) << PART_CELLS * part for part in range(parts_of(state)))


def rank_of(state: State, cell: int) -> int:
    """The rank of the piece on *cell*; 0 for none."""
    return sum((whole(ranked_pieces, state, digit) >> cell & 1) << digit for digit in range(RANK_DIGITS))


def cell_name(cell: int, size: int) -> str:
    """Column and row of *cell*.

    >>> cell_name(7, 5)
    'c2'
    """
    return "abcdefghi"[cell % size] + str(cell // size + 1)
