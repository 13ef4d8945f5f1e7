"""The geometry of xiangqi's board, and tables of where each kind of piece can go from each cell.

The board has 9 files, a to i from the left, and 10 ranks, 0 to 9 from red's side; cell 0 is a0, cell 1 is b0,
cell 9 is a1. It is kept in two halves of 45 cells, red's *near* one and black's *far* one, with the river
between them, so that generals, advisors and elephants live in one word.

Chariots and cannons look up the lines they stand on: the pieces of a rank or file, as a number, and the cell on
it say how far they see. Steppers look up a word by their cell, horses and elephants by the four cells that can
block them too.
"""

from __future__ import annotations

import numpy as np

from papan.game.base.sentences import say

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


def on_board(file: int, rank: int) -> bool:
    """Whether there is such a cell."""
    return 0 <= file < FILES and 0 <= rank < RANKS


def in_palace(seat: int, cell: int) -> bool:
    """Whether *cell* is in the palace of *seat*."""
    rank, file = divmod(cell, FILES)
    return 3 <= file <= 5 and (rank <= 2 if seat == RED else rank >= RANKS - 3)


def has_crossed(seat: int, cell: int) -> bool:
    """Whether *cell* is beyond the river for *seat*."""
    return cell >= HALF if seat == RED else cell < HALF


def _around(cell: int, ways: tuple[Way, ...]) -> list[int]:
    rank, file = divmod(cell, FILES)
    return [(rank + up) * FILES + file + right for right, up in ways if on_board(file + right, rank + up)]


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
    """Cells from which an enemy's soldier reaches the palace cell *cell* of *seat*."""
    return _board(_around(cell, ((0, 1 if seat == RED else -1), (-1, 0), (1, 0))))


def _near(boards: list[int]) -> np.ndarray:
    return np.array([board & HALF_BOARD for board in boards], np.int64)


def _far(boards: list[int]) -> np.ndarray:
    return np.array([board >> HALF for board in boards], np.int64)


def _home(boards: list[int]) -> np.ndarray:
    """Of each cell's board the half that the cell itself is in."""
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
