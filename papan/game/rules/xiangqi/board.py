"""Xiangqi's board and pieces: the state, the reach of pieces, and attacks on a general.

The board has 9 files, a to i from the left, and 10 ranks, 0 to 9 from red's side; cell 0 is a0, cell 1 is b0, cell 9 is
a1. It is kept in two halves of 45 cells, red's *near* one and black's *far* one, with the river between them, so that
generals, advisors and elephants stay in one word. The kind of the piece on a cell is a number of three bits, with a
bitboard for each bit.

Chariots and cannons look up their lines: the pieces of a rank or file, as a number, and the cell on it give their
reach. Steppers look up a word by their cell, horses and elephants by the four cells that can block them too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.game.base.sentences import say
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import cells_of, lowest

FILES = 9
RANKS = 10
CELLS = FILES * RANKS
HALF = CELLS // 2
HALF_RANKS = RANKS // 2
HALF_BOARD = (1 << HALF) - 1
FILE_NAMES = "abcdefghi"

RED, BLACK = 0, 1
SEAT_NAMES = (say("red"), say("black"))


Way = tuple[int, int]
"""Files to the right and ranks up."""

STRAIGHT: tuple[Way, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
DIAGONAL: tuple[Way, ...] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
LEGS_TABLE_BITS = 4  # which of four cells around are taken

_LINE = 10  # the longer of the two lines
LINE_BITS = 10
RANK_MASK = (1 << FILES) - 1
HALF_FILE_MASK = (1 << HALF_RANKS) - 1
FILE_A = sum(1 << (FILES * rank) for rank in range(HALF_RANKS))
# Brings the five bits of FILE_A together, from bit 32 on.
GATHER = sum(1 << (32 - (FILES - 1) * rank) for rank in range(HALF_RANKS))


def _lines() -> tuple[list[int], list[int], list[int]]:
    """For each cell of a line and each set of pieces on it, three sets of cells: those seen up to and with the
    first piece on either side; the second pieces, which a cannon captures; and the third ones."""
    tables: tuple[list[int], list[int], list[int]] = ([], [], [])
    for index in range(_LINE):
        for pieces in range(1 << LINE_BITS):
            found = [0, 0, 0]
            for way in (-1, 1):
                passed, at = 0, index + way
                while 0 <= at < _LINE and passed < 3:
                    is_taken = pieces >> at & 1
                    if passed == 0 or is_taken:
                        found[passed] |= 1 << at
                    passed += is_taken
                    at += way
            for table, cells in zip(tables, found, strict=True):
                table.append(cells)
    return tables


def in_palace(seat: int, cell: int) -> bool:
    """Whether *cell* is in the palace of *seat*."""
    rank, file = divmod(cell, FILES)
    return 3 <= file <= 5 and (rank <= 2 if seat == RED else rank >= RANKS - 3)


@subroutine
def has_crossed(seat: int, cell: int) -> bool:
    """Whether *cell* is beyond the river for *seat*."""
    return cell >= HALF if seat == RED else cell < HALF


def _around(cell: int, ways: tuple[Way, ...]) -> list[int]:
    rank, file = divmod(cell, FILES)
    reached = ((file + right, rank + up) for right, up in ways)
    return [to_rank * FILES + to_file for to_file, to_rank in reached if 0 <= to_file < FILES and 0 <= to_rank < RANKS]


def _board(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


def _horse(cell: int, taken: int) -> int:
    """Cells that a horse on *cell* reaches; *taken* has a bit for each blocked way of STRAIGHT."""
    jumps = []
    for number, (right, up) in enumerate(STRAIGHT):
        if not taken >> number & 1:
            jumps += [(2 * right + up, 2 * up + right), (2 * right - up, 2 * up - right)]
    return _board(_around(cell, tuple(jumps)))


def _horses_to(cell: int, taken: int) -> int:
    """Cells from which a horse reaches *cell*; *taken* has a bit for each blocked way of DIAGONAL."""
    origins: list[Way] = []
    for number, (right, up) in enumerate(DIAGONAL):
        if not taken >> number & 1:
            origins += [(2 * right, up), (right, 2 * up)]
    return _board(_around(cell, tuple(origins)))


def _elephant(cell: int, taken: int) -> int:
    """Cells of its own half that an elephant reaches; *taken* has a bit for each blocked way of DIAGONAL."""
    jumps = tuple((2 * right, 2 * up) for number, (right, up) in enumerate(DIAGONAL) if not taken >> number & 1)
    return _board([target for target in _around(cell, jumps) if (target < HALF) == (cell < HALF)])


def _in_own_palace(cell: int, ways: tuple[Way, ...]) -> int:
    seat = RED if cell < HALF else BLACK
    return _board([target for target in _around(cell, ways) if in_palace(seat, target)])


def _soldier(seat: int, cell: int) -> int:
    ahead: Way = (0, 1) if seat == RED else (0, -1)
    ways = (ahead, (-1, 0), (1, 0)) if has_crossed(seat, cell) else (ahead,)
    return _board(_around(cell, ways))


def _soldiers_to(seat: int, cell: int) -> int:
    """Cells from where an enemy's soldier reaches the palace cell *cell* of *seat*."""
    return _board(_around(cell, ((0, 1 if seat == RED else -1), (-1, 0), (1, 0))))


def _near(boards: list[int]) -> np.ndarray:
    return np.array([board & HALF_BOARD for board in boards], np.int64)


def _far(boards: list[int]) -> np.ndarray:
    return np.array([board >> HALF for board in boards], np.int64)


def _home(boards: list[int]) -> np.ndarray:
    """For each cell's board, the half with the cell itself."""
    cells_each = len(boards) // CELLS
    return np.array(
        [board & HALF_BOARD if index // cells_each < HALF else board >> HALF for index, board in enumerate(boards)],
        np.int64,
    )


_taken = range(1 << LEGS_TABLE_BITS)
_horse_boards = [_horse(cell, taken) for cell in range(CELLS) for taken in _taken]
_soldier_boards = [_soldier(seat, cell) for seat in (RED, BLACK) for cell in range(CELLS)]

LINE_SEEN, LINE_SECOND, LINE_THIRD = (np.array(table, np.int16) for table in _lines())
UPRIGHT = np.array([_board([FILES * index for index in range(5) if bits >> index & 1]) for bits in range(32)], np.int64)
"""Five bits of a file as the bits of file a in a half."""
HORSE_NEAR, HORSE_FAR = _near(_horse_boards), _far(_horse_boards)
HORSES_TO = _home([_horses_to(cell, taken) for cell in range(CELLS) for taken in _taken])
ELEPHANT_HOME = _home([_elephant(cell, taken) for cell in range(CELLS) for taken in _taken])
ADVISOR_HOME = _home([_in_own_palace(cell, DIAGONAL) for cell in range(CELLS)])
GENERAL_HOME = _home([_in_own_palace(cell, STRAIGHT) for cell in range(CELLS)])
DIAGONAL_HOME = _home([_board(_around(cell, DIAGONAL)) for cell in range(CELLS)])
SOLDIER_NEAR, SOLDIER_FAR = _near(_soldier_boards), _far(_soldier_boards)
SOLDIERS_TO = _home([_soldiers_to(RED if cell < HALF else BLACK, cell) for cell in range(CELLS)])


GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER = range(1, 8)
KINDS = (GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER)
KIND_NAMES = (
    "", say("general"), say("advisor"), say("elephant"), say("horse"), say("chariot"), say("cannon"), say("soldier"),
)  # fmt: skip
LETTERS = ".KABNRCP"
"""The letter of each kind in position texts."""
MOST_OF_KIND = (0, 1, 2, 2, 2, 2, 2, 5)

QUIET_TURNS = 60
"""After this many turns by each side without a capture the game is a draw."""
MOST_QUIET = 2 * QUIET_TURNS

STEP_SHIFT = 7
TARGET_MASK = (1 << STEP_SHIFT) - 1
"""A step is ``from << STEP_SHIFT | to``."""


@state
class State(NamedTuple):
    """The pieces by colour and kind: bit ``9 * rank + file`` of near words, ``9 * (rank - 5) + file`` of far ones."""

    red_near: int64
    red_far: int64
    black_near: int64
    black_far: int64
    ones_near: int64
    """Pieces whose kind is an odd number."""
    ones_far: int64
    twos_near: int64
    """Pieces whose kind has the bit of 2; so on for 4."""
    twos_far: int64
    fours_near: int64
    fours_far: int64
    to_move: int64
    quiet: int64
    """Turns of both sides since the last capture."""
    chases: int64
    """-1 where only perpetual check loses. By the Asian rules, a bit for each piece of the seat to act that the last
    turn chases, and which pairs have passed one another (``chasing``); 0 after a capture.
    """


# ------------------------------------------------------------------------------------------- looking


@subroutine
def kind_at(state: State, cell: int) -> int:
    """The kind of the piece on *cell*, or 0."""
    if cell < HALF:
        return (state.ones_near >> cell & 1) | (state.twos_near >> cell & 1) << 1 | (state.fours_near >> cell & 1) << 2
    cell -= HALF
    return (state.ones_far >> cell & 1) | (state.twos_far >> cell & 1) << 1 | (state.fours_far >> cell & 1) << 2


@subroutine
def near_of(state: State, seat: int) -> int:
    """The cells of the near half with pieces of *seat*."""
    return state.red_near if seat == RED else state.black_near


@subroutine
def far_of(state: State, seat: int) -> int:
    """The cells of the far half with pieces of *seat*."""
    return state.red_far if seat == RED else state.black_far


@subroutine
def near_kind(state: State, kind: int) -> int:
    """The cells of the near half with pieces of *kind*, of both seats."""
    ones = state.ones_near if kind & 1 else ~state.ones_near
    twos = state.twos_near if kind & 2 else ~state.twos_near
    fours = state.fours_near if kind & 4 else ~state.fours_near
    return ones & twos & fours


@subroutine
def far_kind(state: State, kind: int) -> int:
    """The cells of the far half with pieces of *kind*, of both seats."""
    ones = state.ones_far if kind & 1 else ~state.ones_far
    twos = state.twos_far if kind & 2 else ~state.twos_far
    fours = state.fours_far if kind & 4 else ~state.fours_far
    return ones & twos & fours


@subroutine
def is_taken(near: int, far: int, cell: int) -> int:
    """1 if *cell* is in the cells of two halves, else 0."""
    return near >> cell & 1 if cell < HALF else far >> (cell - HALF) & 1


@subroutine
def file_bits(near: int, far: int, file: int) -> int:
    """The bits of *file* in two halves, as a number of ten bits, rank 0 first."""
    low = ((near >> file & FILE_A) * GATHER) >> 32 & HALF_FILE_MASK
    high = ((far >> file & FILE_A) * GATHER) >> 32 & HALF_FILE_MASK
    return low | high << HALF_RANKS


@subroutine
def diagonals_taken(half: int, index: int) -> int:
    """The taken ones of the four cells diagonally around the cell *index* of a half, in the order of ``DIAGONAL``."""
    around = (half << (FILES + 1)) >> index
    return (around & 1) | (around >> 1 & 2) | (around >> 16 & 4) | (around >> 17 & 8)


# -------------------------------------------------------------------------------------------- moving


@subroutine
def after_moving(state: State, origin: int, target: int) -> State:
    """The state after the piece on *origin* has gone to *target*, capturing any piece there."""
    kind = kind_at(state, origin)
    from_near = 1 << origin if origin < HALF else 0
    from_far = 0 if origin < HALF else 1 << (origin - HALF)
    to_near = 1 << target if target < HALF else 0
    to_far = 0 if target < HALF else 1 << (target - HALF)
    is_capture = ((state.red_near | state.black_near) & to_near) | ((state.red_far | state.black_far) & to_far)
    keep_near, keep_far = ~(from_near | to_near), ~(from_far | to_far)
    is_red = state.to_move == RED
    return state._replace(
        red_near=state.red_near & keep_near | (to_near if is_red else 0),
        red_far=state.red_far & keep_far | (to_far if is_red else 0),
        black_near=state.black_near & keep_near | (0 if is_red else to_near),
        black_far=state.black_far & keep_far | (0 if is_red else to_far),
        ones_near=state.ones_near & keep_near | (to_near if kind & 1 else 0),
        ones_far=state.ones_far & keep_far | (to_far if kind & 1 else 0),
        twos_near=state.twos_near & keep_near | (to_near if kind & 2 else 0),
        twos_far=state.twos_far & keep_far | (to_far if kind & 2 else 0),
        fours_near=state.fours_near & keep_near | (to_near if kind & 4 else 0),
        fours_far=state.fours_far & keep_far | (to_far if kind & 4 else 0),
        to_move=1 - state.to_move,
        quiet=0 if is_capture else state.quiet + 1,
    )


@subroutine
def line_reach(near: int, far: int, cell: int, kind: int) -> tuple[int, int]:
    """The cells, in two halves, that a chariot or a cannon on *cell* reaches among the pieces *near* and *far*."""
    rank, file = cell // FILES, cell % FILES
    along_shift = FILES * (rank if rank < HALF_RANKS else rank - HALF_RANKS)
    along = (near if rank < HALF_RANKS else far) >> along_shift & RANK_MASK
    up = file_bits(near, far, file)
    on_rank = int(LINE_SEEN[file << LINE_BITS | along])
    on_file = int(LINE_SEEN[rank << LINE_BITS | up])
    if kind == CANNON:
        on_rank = on_rank & ~along | int(LINE_SECOND[file << LINE_BITS | along])
        on_file = on_file & ~up | int(LINE_SECOND[rank << LINE_BITS | up])
    reach_near = int(UPRIGHT[on_file & HALF_FILE_MASK]) << file
    reach_far = int(UPRIGHT[on_file >> HALF_RANKS]) << file
    if rank < HALF_RANKS:
        reach_near |= (on_rank & RANK_MASK) << along_shift
    else:
        reach_far |= (on_rank & RANK_MASK) << along_shift
    return reach_near, reach_far


@subroutine
def horse_reach(near: int, far: int, cell: int) -> tuple[int, int]:
    """The cells, in two halves, that a horse on *cell* reaches among the pieces *near* and *far*."""
    rank, file = cell // FILES, cell % FILES
    shift = FILES * (rank if rank < HALF_RANKS else rank - HALF_RANKS)
    beside = (((near if rank < HALF_RANKS else far) >> shift & RANK_MASK) << 1) >> file
    below = is_taken(near, far, cell - FILES) if rank > 0 else 0
    above = is_taken(near, far, cell + FILES) if rank < RANKS - 1 else 0
    taken = (beside & 1) | (beside >> 1 & 2) | below << 2 | above << 3
    index = cell << LEGS_TABLE_BITS | taken
    return int(HORSE_NEAR[index]), int(HORSE_FAR[index])


@subroutine
def reach(state: State, cell: int, kind: int, seat: int) -> tuple[int, int]:
    """The cells, in two halves, that the piece on *cell* of *kind* and *seat* attacks or can go to.

    They include cells with own pieces, which it guards; the safety of its general is ignored.
    """
    near, far = state.red_near | state.black_near, state.red_far | state.black_far
    if kind in (CHARIOT, CANNON):
        return line_reach(near, far, cell, kind)
    if kind == HORSE:
        return horse_reach(near, far, cell)
    if kind == SOLDIER:
        return int(SOLDIER_NEAR[seat * CELLS + cell]), int(SOLDIER_FAR[seat * CELLS + cell])
    if kind == ELEPHANT:
        taken = diagonals_taken(near, cell) if cell < HALF else diagonals_taken(far, cell - HALF)
        home = int(ELEPHANT_HOME[cell << LEGS_TABLE_BITS | taken])
    elif kind == ADVISOR:
        home = int(ADVISOR_HOME[cell])
    else:
        home = int(GENERAL_HOME[cell])
    return (home, 0) if cell < HALF else (0, home)


# ---------------------------------------------------------------------------------- the general's safety


@subroutine
def general_cell(state: State, seat: int) -> int:
    """The cell of the general of *seat*."""
    if seat == RED:
        return lowest(near_kind(state, GENERAL) & state.red_near)
    return lowest(far_kind(state, GENERAL) & state.black_far) + HALF


@subroutine
def in_check(state: State, seat: int) -> bool:
    """Whether the general of *seat* is attacked, also by the other general with no piece between them."""
    cell = general_cell(state, seat)
    rank, file = cell // FILES, cell % FILES
    is_near = cell < HALF
    index = cell if is_near else cell - HALF
    enemy_near, enemy_far = near_of(state, 1 - seat), far_of(state, 1 - seat)
    near, far = state.red_near | state.black_near, state.red_far | state.black_far
    home = near if is_near else far
    enemy_home = enemy_near if is_near else enemy_far
    horses = (near_kind(state, HORSE) if is_near else far_kind(state, HORSE)) & enemy_home
    if horses and horses & int(HORSES_TO[cell << LEGS_TABLE_BITS | diagonals_taken(home, index)]):
        return True
    soldiers = (near_kind(state, SOLDIER) if is_near else far_kind(state, SOLDIER)) & enemy_home
    if soldiers & int(SOLDIERS_TO[cell]):
        return True
    chariots_near, chariots_far = near_kind(state, CHARIOT) & enemy_near, far_kind(state, CHARIOT) & enemy_far
    cannons_near, cannons_far = near_kind(state, CANNON) & enemy_near, far_kind(state, CANNON) & enemy_far
    shift = index - file
    along = home >> shift & RANK_MASK
    chariots, cannons = (chariots_near, cannons_near) if is_near else (chariots_far, cannons_far)
    index = file << LINE_BITS | along
    if (int(LINE_SEEN[index]) & (chariots >> shift) | int(LINE_SECOND[index]) & (cannons >> shift)) & RANK_MASK:
        return True
    index = rank << LINE_BITS | file_bits(near, far, file)
    straight_near = chariots_near | near_kind(state, GENERAL) & enemy_near
    straight_far = chariots_far | far_kind(state, GENERAL) & enemy_far
    if int(LINE_SEEN[index]) & file_bits(straight_near, straight_far, file):
        return True
    return int(LINE_SECOND[index]) & file_bits(cannons_near, cannons_far, file) != 0


@subroutine
def is_shaky(at: int, line: int, chariots: int, cannons: int) -> bool:
    """Whether one piece more or less in *line* might expose the general, whose cell is *at* cells from its start.

    A chariot, or the other general, may lose the one piece between; a cannon may get a screen, or lose one of two.
    """
    index = at << LINE_BITS | line
    if int(LINE_SECOND[index]) & chariots:
        return True
    return (int(LINE_SEEN[index]) | int(LINE_THIRD[index])) & cannons != 0


@subroutine
def watched_cells(state: State, seat: int) -> tuple[int, int]:
    """The cells, in two halves, where a move of *seat* from or to them may endanger its general.

    In check these are all cells. Otherwise: the general's own cell, its lines where a piece more or less might expose
    it, and the cells where a piece may hold back a horse.
    """
    if in_check(state, seat):
        return HALF_BOARD, HALF_BOARD
    cell = general_cell(state, seat)
    rank, file = cell // FILES, cell % FILES
    is_near = cell < HALF
    index = cell if is_near else cell - HALF
    shift = index - file
    enemy_near, enemy_far = near_of(state, 1 - seat), far_of(state, 1 - seat)
    near, far = state.red_near | state.black_near, state.red_far | state.black_far
    home = 1 << index
    horses = near_kind(state, HORSE) & enemy_near if is_near else far_kind(state, HORSE) & enemy_far
    if horses & int(HORSES_TO[cell << LEGS_TABLE_BITS]):
        home |= int(DIAGONAL_HOME[cell])
    chariots_near, chariots_far = near_kind(state, CHARIOT) & enemy_near, far_kind(state, CHARIOT) & enemy_far
    cannons_near, cannons_far = near_kind(state, CANNON) & enemy_near, far_kind(state, CANNON) & enemy_far
    along = (near if is_near else far) >> shift & RANK_MASK
    chariots = (chariots_near if is_near else chariots_far) >> shift & RANK_MASK
    cannons = (cannons_near if is_near else cannons_far) >> shift & RANK_MASK
    if is_shaky(file, along, chariots, cannons):
        home |= RANK_MASK << shift
    chariots_near |= near_kind(state, GENERAL) & enemy_near
    chariots_far |= far_kind(state, GENERAL) & enemy_far
    chariots = file_bits(chariots_near, chariots_far, file)
    cannons = file_bits(cannons_near, cannons_far, file)
    both = FILE_A << file if is_shaky(rank, file_bits(near, far, file), chariots, cannons) else 0
    return (home | both, both) if is_near else (both, home | both)


@subroutine
def legal_reach(
    state: State, cell: int, kind: int, own: tuple[int, int], looked_at: tuple[int, int]
) -> tuple[int, int]:
    """The cells, in two halves, that the piece on *cell* of the seat to move can legally go to.

    :param own: the cells with pieces of that seat.
    :param looked_at: its ``watched_cells``.
    """
    seat = state.to_move
    near, far = reach(state, cell, kind, seat)
    near &= ~own[0]
    far &= ~own[1]
    doubtful_near, doubtful_far = near, far
    if not is_taken(looked_at[0], looked_at[1], cell):
        doubtful_near &= looked_at[0]
        doubtful_far &= looked_at[1]
    while doubtful_near:
        target = lowest(doubtful_near)
        doubtful_near &= doubtful_near - 1
        if in_check(after_moving(state, cell, target), seat):
            near ^= 1 << target
    while doubtful_far:
        target = lowest(doubtful_far)
        doubtful_far &= doubtful_far - 1
        if in_check(after_moving(state, cell, target + HALF), seat):
            far ^= 1 << target
    return near, far


@subroutine
def has_legal_step(state: State) -> bool:
    """Whether the seat to move has a legal step."""
    own = near_of(state, state.to_move), far_of(state, state.to_move)
    looked_at = watched_cells(state, state.to_move)
    for kind in range(SOLDIER, 0, -1):
        for half in range(2):
            pieces = near_kind(state, kind) & own[0] if half == 0 else far_kind(state, kind) & own[1]
            while pieces:
                near, far = legal_reach(state, lowest(pieces) + half * HALF, kind, own, looked_at)
                if near | far:
                    return True
                pieces &= pieces - 1
    return False


# ---------------------------------------------------------------------------------------- for people


def cell_name(cell: int) -> str:
    """The name of *cell*.

    >>> cell_name(0), cell_name(89)
    ('a0', 'i9')
    """
    return f"{FILE_NAMES[cell % FILES]}{cell // FILES}"


def cells_of_halves(near: int, far: int) -> tuple[int, ...]:
    """The cells of a board given in two halves, in their order."""
    return cells_of(near | far << HALF)


def seat_at(state: State, cell: int) -> int | None:
    """The seat of the piece on *cell*, or None."""
    for seat in (RED, BLACK):
        if (near_of(state, seat) | far_of(state, seat) << HALF) >> cell & 1:
            return seat
    return None


def pieces_of(state: State, seat: int) -> dict[int, int]:
    """The kind of piece on each cell where *seat* has one."""
    return {cell: kind_at(state, cell) for cell in cells_of_halves(near_of(state, seat), far_of(state, seat))}
