"""Gomoku's accumulator: rows of cells, counts of live windows, and what a stone on each cell would make.

A stone belongs to four rows, and changes nothing elsewhere. Its change of the counts is looked up at once
(``changes``); what stones on nearby cells would make is updated only on demand, as most positions of a search are
leaves.

Lookup tables say what a stone changes in a row, by the contents of the cells around it. A row is seen by one colour: a
cell is its *own* stone, *blocked* by the other colour or the board's edge, or empty. The cells around the middle one
are a number in base 3, with digit 1 for own stones and 2 for blocked cells.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation.accumulator import PASS, accumulator, gather, note, unnote
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.arrays import new_record, record_type, zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.gomoku import MOST_STEPS, State
from papan.game.rules.gomoku.board import BOARD, CARO, DIRECTIONS, FREE, LARGEST, ROW, WORD, WORDS, long_rows_win

REACH = 5
"""The distance at which stones matter for the counts: an open three may end next to a stone."""
NEAR = 4
"""The distance at which they matter for what a stone would make."""
FIELD = 12
"""Bits of each packed count: windows with one to four stones, then open threes."""
COUNTED = 5

# What a stone on an empty cell would make in a row, from the least to the most.
LITTLE, TWO, BROAD_TWO, OPEN_TWO, _, FREE_TWO, THREE, BROAD_THREE, OPEN_THREE, FREE_THREE, FOUR, BROAD_FOUR, *_MOST = (
    range(14)
)
STRAIGHT_FOUR, FIVE = _MOST
"""``LITTLE``: it is alone in each live window. ``TWO``, ``THREE``, ``FOUR``, ``FIVE``: with that many stones in one
window at most. ``BROAD_TWO``, ``BROAD_THREE``: in two windows or more. ``BROAD_FOUR``: with two threes
besides. ``OPEN_TWO`` to ``FREE_TWO``, ``OPEN_THREE``, ``FREE_THREE``: among the inner four of six cells whose ends are
empty; of one, two or three such sixes. ``STRAIGHT_FOUR``: a four with two cells that complete it.
"""


def _digits(reach: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each base-3 number: which of ``2 * reach + 1`` cells are own stones, and which are blocked."""
    number = np.arange(3 ** (2 * reach))
    places = np.arange(2 * reach)
    digits = number[:, None] // 3**places % 3
    row = np.insert(digits, reach, 0, axis=1)
    return row == 1, row == 2


def ternary(reach: int) -> NDArray[np.int64]:
    """The base-3 number of each bit pattern of a row, without the middle."""
    bits = np.arange(1 << (2 * reach + 1))
    around = [place for place in range(2 * reach + 1) if place != reach]
    return np.asarray(sum((bits >> place & 1) * 3**digit for digit, place in enumerate(around)), np.int64)


def _open(own: NDArray[np.bool_], blocked: NDArray[np.bool_], number: int, start: int) -> NDArray[np.bool_]:
    """Where six cells from *start* have *number* own stones, all among the inner four, and no blocked cell."""
    six = slice(start, start + 6)
    has_empty_ends = ~own[:, start] & ~own[:, start + 5]
    found: NDArray[np.bool_] = has_empty_ends & ~blocked[:, six].any(axis=1) & (own[:, six].sum(axis=1) == number)
    return found


def _counts(own: NDArray[np.bool_], blocked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Packed counts of the windows and open threes that include the middle."""
    found = np.zeros(len(own), np.int64)
    for start in range(1, REACH + 1):
        window = slice(start, start + 5)
        stones = own[:, window].sum(axis=1)
        is_live = ~blocked[:, window].any(axis=1)
        for number in range(1, 5):
            found += (is_live & (stones == number)).astype(np.int64) << (FIELD * (number - 1))
    for start in range(REACH + 1):
        found += _open(own, blocked, 3, start).astype(np.int64) << (FIELD * 4)
    return found


@cache
def changes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The changes of packed counts by an own stone, and by a blocking one, for each base-3 number."""
    own, blocked = _digits(REACH)
    before = _counts(own, blocked)
    with_stone, with_block = own.copy(), blocked.copy()
    with_stone[:, REACH] = with_block[:, REACH] = True
    return _counts(with_stone, blocked) - before, _counts(own, with_block) - before


def _made() -> NDArray[Any]:
    """What a stone would make in a row, by the base-3 number around its cell."""
    own, blocked = _digits(NEAR)
    windows = np.zeros((5, len(own)), np.int64)  # live ones, by their stones
    completing = np.zeros_like(own)  # cells that would complete a five with the stone
    sixes = {2: np.zeros(len(own), int), 3: np.zeros(len(own), int)}
    with_stone = own.copy()
    with_stone[:, NEAR] = True
    for start in range(NEAR + 1):
        window = slice(start, start + 5)
        stones = own[:, window].sum(axis=1)
        is_live = ~blocked[:, window].any(axis=1)
        for number in range(5):
            windows[number] += is_live & (stones == number)
        completing[:, window] |= (is_live & (stones == 3))[:, None] & ~with_stone[:, window]
    for start in range(NEAR):
        for number, count in sixes.items():
            count += _open(with_stone, blocked, number, start)
    kinds: list[tuple[NDArray[np.bool_], Any]] = [
        (windows[4] > 0, FIVE),
        (completing.sum(axis=1) > 1, STRAIGHT_FOUR),
        ((windows[3] > 0) & (windows[2] > 1), BROAD_FOUR),
        (windows[3] > 0, FOUR),
        (sixes[3] > 1, FREE_THREE),
        (sixes[3] > 0, OPEN_THREE),
        (windows[2] > 1, BROAD_THREE),
        (windows[2] > 0, THREE),
        (sixes[2] > 0, OPEN_TWO - 1 + sixes[2]),
        (windows[1] > 1, BROAD_TWO),
        (windows[1] > 0, TWO),
    ]
    found = np.select([where for where, _ in kinds], [kind for _, kind in kinds], LITTLE)
    return np.asarray(found, np.int8)


MADE = _made()
OF_NO_KIND, IN_OPEN_TWOS, IN_THREES, IN_FOURS, IN_FIVES = range(5)
"""Kinds of cells, by the most that a stone there would make."""
KINDS = 5
_FIRST_OF_KIND = (LITTLE, OPEN_TWO, THREE, FOUR, FIVE)
_KIND_BY_MOST = np.searchsorted(_FIRST_OF_KIND, np.arange(FIVE + 1), "right") - 1

_POINTS = np.array([0, 3, 3, 5, 5, 5, 6, 8, 30, 30, 32, 32, 600, 2000])
_DOUBLE_FOUR, _FOUR_AND_THREE, _DOUBLE_THREE = 500, 400, 150
"""Points of a stone in each row, and bonuses for combinations."""
_MOST_POINTS = (1 << 12) - 1
"""The largest that fits a look."""

KIND_BITS, POINTS_BITS = 16, 19
"""Offsets of the kind and the points in a *look*; below, four bits a direction say what a stone makes."""


@inlined
def made_in(look: int) -> int:
    """What a stone makes in each direction, by its *look*."""
    return look & ((1 << KIND_BITS) - 1)


@inlined
def kind_in(look: int) -> int:
    """The kind of a stone's cell, by its *look*."""
    return look >> KIND_BITS & 7


@inlined
def points_in(look: int) -> int:
    """How good a stone looks."""
    return look >> POINTS_BITS


@subroutine
def look_of(made: int) -> int:
    """The look of a stone that would make *made*, four bits for each direction; ``looks`` has all."""
    points, most, fours, threes = 0, 0, 0, 0
    for direction in range(4):
        kind = min(made >> (4 * direction) & 15, FIVE)
        most = max(most, kind)
        points += int(_POINTS[kind])
        fours += kind >= FOUR
        threes += OPEN_THREE <= kind <= FREE_THREE
    if fours > 1:
        points += _DOUBLE_FOUR
    elif fours == 1:
        points += _FOUR_AND_THREE if threes > 0 else 0
    elif threes > 1:
        points += _DOUBLE_THREE
    return made | int(_KIND_BY_MOST[most]) << KIND_BITS | min(points, _MOST_POINTS) << POINTS_BITS


@cache
def looks() -> NDArray[np.int32]:
    """The look of a stone, by what it makes in each direction, four bits each."""
    numbers = np.arange(1 << 16)
    made = np.minimum(numbers[:, None] >> np.arange(0, 16, 4) & 15, FIVE)
    fours, threes = (made >= FOUR).sum(axis=1), ((made == OPEN_THREE) | (made == FREE_THREE)).sum(axis=1)
    both = [fours > 1, (fours == 1) & (threes > 0), (fours == 0) & (threes > 1)]
    extra = np.select(both, [_DOUBLE_FOUR, _FOUR_AND_THREE, _DOUBLE_THREE], 0)
    points = np.minimum(_POINTS[made].sum(axis=1) + extra, _MOST_POINTS)
    return np.asarray(numbers | _KIND_BY_MOST[made.max(axis=1)] << KIND_BITS | points << POINTS_BITS, np.int32)


COMBINATIONS = 2380
"""The number of combinations of what a stone makes in four directions."""


@subroutine
def combination(made: int) -> int:
    """The number of what a stone makes in the four directions, *made*, whatever their order; 0 if that is little.

    Of sorted numbers a to d it is the sum of a, (b + 1 over 2), (c + 2 over 3) and (d + 3 over 4), the combinatorial
    number system.
    """
    first, second = min(made & 15, FIVE), min(made >> 4 & 15, FIVE)
    third, fourth = min(made >> 8 & 15, FIVE), min(made >> 12 & 15, FIVE)
    first, second = min(first, second), max(first, second)
    third, fourth = min(third, fourth), max(third, fourth)
    first, third = min(first, third), max(first, third)
    second, fourth = min(second, fourth), max(second, fourth)
    second, third = min(second, third), max(second, third)
    number = first + second * (second + 1) // 2 + third * (third + 1) * (third + 2) // 6
    return number + fourth * (fourth + 1) * (fourth + 2) * (fourth + 3) // 24


@cache
def combinations() -> NDArray[np.int16]:
    """The combination of what a stone makes in each direction, four bits each."""
    numbers = np.arange(1 << 16)
    made = np.sort(np.minimum(numbers[:, None] >> np.arange(0, 16, 4) & 15, FIVE), axis=1)
    found = sum(
        (made[:, [place]] + np.arange(place + 1)).prod(axis=1) // math.factorial(place + 1) for place in range(4)
    )
    return np.asarray(found, np.int16)


NEAR_TERNARY = ternary(NEAR)
NEAR_TERNARY = ternary(NEAR)
"""The numbers to look ``MADE`` up by."""


def _together() -> NDArray[np.int64]:
    """The cells near one without a blocked cell between, by the bits of the blocked cells near it."""
    found = np.zeros(1 << (2 * NEAR + 1), np.int64)
    for blocked in range(len(found)):
        for sign in (-1, 1):
            for distance in range(1, NEAR + 1):
                place = NEAR + sign * distance
                if blocked >> place & 1:
                    break
                found[blocked] |= 1 << place
    return found


TOGETHER = _together()
"""The cells that may share a live window with the middle one, which is left out."""


LINES = 2 * LARGEST + 1
"""The most rows in one direction."""
CELLS = ROW * LARGEST
_WAYS = len(DIRECTIONS)
BLOCKED = 32
"""The first bit for blocked cells in a row's word; its stones are below. Cells begin ``REACH`` bits further."""
_STONES = (1 << BLOCKED) - 1
_AROUND = (1 << (2 * REACH + 1)) - 1
_NEARBY = (1 << (2 * NEAR + 1)) - 1
FAR = 2 * NEAR
_FAR_AROUND = (1 << (2 * FAR + 1)) - 1
"""A stone changes what another one up to ``FAR`` away makes with one between them."""

LINE_OF = np.array([[y, x, x - y + LARGEST, x + y] for y in range(LARGEST + 1) for x in range(ROW)], np.int64)
"""The row of a cell, by cell and direction; and its place there:"""
PLACE_OF = np.array([[x, y, y, y] for y in range(LARGEST + 1) for x in range(ROW)], np.int64)
WORD_OF = np.array([cell // WORD for cell in range(CELLS)], np.int64)
BIT_OF = np.array([1 << cell % WORD for cell in range(CELLS)], np.int64)
"""The word of a board's bitboard that has a cell, and the cell's bit."""


def _edges() -> np.ndarray[Any, np.dtype[np.int64]]:
    """A row's word with all cells off the board blocked, by the board's size and the direction."""
    everything = (1 << (LARGEST + 2 * REACH)) - 1
    table = np.full((LARGEST + 1, len(DIRECTIONS), LINES), everything, np.int64)
    for size in range(LARGEST + 1):
        for row in range(size):
            for column in range(size):
                cell = ROW * row + column
                for direction in range(len(DIRECTIONS)):
                    table[size, direction, LINE_OF[cell, direction]] &= ~(1 << (int(PLACE_OF[cell, direction]) + REACH))
    return table << BLOCKED


EDGES = _edges()
TERNARY = ternary(REACH)

MOST_CANDIDATES = 14
"""The most candidates where nothing decides at once: the cells where a stone looks best."""

HALF = 16
"""Half of the weights that a network has for what a stone makes: ``network``."""
_MOST_CHANGES = 2 + 2 * _WAYS * 2 * NEAR

RECORD = record_type(
    ("gain", np.int64, (3 ** (2 * REACH),)),  # ``changes``, a megabyte: not to be copied into compiled code
    ("loss", np.int64, (3 ** (2 * REACH),)),
    ("looks", np.int32, (1 << 16,)),  # of a stone, by what it makes
    ("lines", np.int64, (2, len(DIRECTIONS), LINES)),  # by the colour that sees them
    ("totals", np.int64, (2,)),  # the packed counts of each colour
    ("totals_before", np.int64, (MOST_STEPS + 1, 2)),  # by the number of stones
    ("placed", np.int64),
    ("known", np.int64),  # the number of stones that the following fields include
    ("stones", np.int64, (MOST_STEPS + 1,)),  # cells in the order of play
    ("board_size", np.int64),
    # Indexed by the number of stones included, so that nothing has to be undone: the look of a stone on each cell for
    # either colour, 0 on stones; and the cells of each kind, by the board's words, the kind, and the colour.
    ("look", np.int32, (MOST_STEPS + 1, 2 * CELLS)),
    ("kinds", np.int64, (MOST_STEPS + 1, 2 * KINDS * WORDS)),
    ("best", np.int64, (MOST_CANDIDATES,)),  # scratch space to compare steps
    # For a network: where the last stone changed ``look``, and the sums of weights by the colour, up to ``summed``.
    ("combinations", np.int16, (1 << 16,)),  # of what a stone makes
    ("changes", np.int64, (MOST_STEPS + 1,)),  # the number of them
    ("changed", np.int16, (MOST_STEPS + 1, _MOST_CHANGES)),
    ("root", np.int64),  # the number of stones at the last ``gather``
    ("summed", np.int64),  # the number of stones that the sums include; -1 for no sums
    ("sums", np.int32, (MOST_STEPS + 1, 2, 2 * HALF)),
)


@accumulator.of(State)
def _accumulator(state: State) -> Any:
    kept = new_record(RECORD)
    kept.gain[:], kept.loss[:] = changes()
    kept.looks[:] = looks()
    kept.combinations[:] = combinations()
    return kept


@inlined
def count_of(packed: int, feature: int) -> int:
    """Unpack one of the counts."""
    return packed >> (FIELD * feature) & ((1 << FIELD) - 1)


@subroutine
def put(kept: Any, colour: int, cell: int) -> None:
    """Note a stone in its four rows, and update the counts."""
    gained, lost = 0, 0
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        own, other = int(kept.lines[colour, direction, line]), int(kept.lines[1 - colour, direction, line])
        around = int(TERNARY[own >> place & _AROUND]) + 2 * int(TERNARY[own >> (BLOCKED + place) & _AROUND])
        gained += int(kept.gain[around])
        around = int(TERNARY[other >> place & _AROUND]) + 2 * int(TERNARY[other >> (BLOCKED + place) & _AROUND])
        lost += int(kept.loss[around])
        kept.lines[colour, direction, line] = own | 1 << (place + REACH)
        kept.lines[1 - colour, direction, line] = other | 1 << (BLOCKED + place + REACH)
    kept.totals[colour] += gained
    kept.totals[1 - colour] += lost


@inlined
def look_at(kept: Any, known: int, colour: int, cell: int, direction: int, own: int, place: int) -> bool:
    """Update what a stone of *colour* on an empty *cell* would make in one direction, whose row is *own*.

    Returns whether that has changed.
    """
    around = int(NEAR_TERNARY[own >> (place + REACH - NEAR) & _NEARBY])
    around += 2 * int(NEAR_TERNARY[own >> (BLOCKED + place + REACH - NEAR) & _NEARBY])
    made, before = int(MADE[around]), made_in(int(kept.look[known, 2 * cell + colour]))
    if made != before >> (4 * direction) & 15:
        set_made(kept, known, colour, cell, (before & ~(15 << (4 * direction))) | made << (4 * direction))
        return True
    return False


@inlined
def set_made(kept: Any, known: int, colour: int, cell: int, made: int) -> None:
    """Note what a stone of *colour* on *cell* would make in all directions, with *known* stones included."""
    # Mispredicted branches would take longer than noting cells of no kind as well.
    before, look = int(kept.look[known, 2 * cell + colour]), int(kept.looks[made])
    first, bit = place_of_kind(int(WORD_OF[cell]), 0, colour), int(BIT_OF[cell])
    kept.kinds[known, first + 2 * kind_in(before)] ^= bit
    kept.kinds[known, first + 2 * kind_in(look)] ^= bit
    kept.look[known, 2 * cell + colour] = look


@inlined
def place_of_kind(number: int, kind: int, colour: int) -> int:
    """The index of the cells of *kind* for *colour* in word *number* of the board."""
    return (number * KINDS + kind) * 2 + colour


@inlined
def look_by(kept: Any, colour: int, cell: int) -> int:
    return int(kept.look[kept.known, 2 * cell + colour])


@inlined
def cells_of_kind(kept: Any, number: int, kind: int, colour: int) -> int:
    """The cells of that *kind* for *colour*, in a word of the board."""
    return int(kept.kinds[kept.known, place_of_kind(number, kind, colour)])


@inlined
def words_of(size: int) -> int:
    """The number of words of a board's bitboard."""
    return (ROW * size + WORD - 1) // WORD


@inlined
def note_change(kept: Any, known: int, colour: int, cell: int) -> None:
    """Note that what a stone of *colour* on *cell* would make has changed with the last of *known* stones."""
    kept.changed[known, kept.changes[known]] = 2 * cell + colour
    kept.changes[known] += 1


@subroutine
def look_around(kept: Any, known: int, cell: int) -> None:
    """Update what stones on the empty cells in reach of the stone on *cell* would make."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        shift = DIRECTIONS[direction]
        for colour in range(2):
            own = int(kept.lines[colour, direction, line])
            if ((own & _STONES) << FAR) >> (place + REACH) & _FAR_AROUND == 0:
                continue  # a stone would make little, as before
            near = own >> (place + REACH - NEAR)
            rest = int(TOGETHER[near >> BLOCKED & _NEARBY]) & ~near
            while rest != 0:
                distance = lowest(rest) - NEAR
                rest &= rest - 1
                there = cell + shift * distance
                if look_at(kept, known, colour, there, direction, own, place + distance):
                    note_change(kept, known, colour, there)


@subroutine
def note_made(state: State, made: Any) -> None:
    """Write what stones of the seat to act, and of the other one, would make on each cell, in the format of looks.

    :param made: zeros, of shape (2, CELLS).
    """
    lines = zeros(np.int64, 2, _WAYS, LINES)
    words = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    for side in range(2):
        if side == 1:
            words = (
                state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
            )  # fmt: skip
        for number in range(WORDS):
            bits = words[number]
            while bits != 0:
                cell = WORD * number + lowest(bits)
                bits &= bits - 1
                for direction in range(len(DIRECTIONS)):
                    lines[side, direction, LINE_OF[cell, direction]] |= 1 << (int(PLACE_OF[cell, direction]) + REACH)
    for side in range(2):
        for direction in range(len(DIRECTIONS)):
            for line in range(LINES):
                stones = int(lines[side, direction, line])
                if stones == 0:
                    continue
                blocked = int(EDGES[state.size, direction, line]) >> BLOCKED | int(lines[1 - side, direction, line])
                near = stones
                for _distance in range(NEAR):
                    near |= near << 1 | near >> 1
                near &= ~stones & ~blocked
                while near != 0:
                    place = lowest(near)
                    near &= near - 1
                    around = int(NEAR_TERNARY[stones >> (place - NEAR) & _NEARBY])
                    around += 2 * int(NEAR_TERNARY[blocked >> (place - NEAR) & _NEARBY])
                    made[side, cell_at(direction, line, place - REACH)] |= int(MADE[around]) << (4 * direction)


@subroutine
def look_from(kept: Any, known: int, cell: int) -> None:
    """Update what a stone on the empty *cell* would make."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction])
        for colour in range(2):
            look_at(kept, known, colour, cell, direction, int(kept.lines[colour, direction, line]), place)


@subroutine
def catch_up(kept: Any) -> None:
    """Include the last stone in what others would make."""
    known = int(kept.known)
    if known < kept.placed:
        for index in range(2 * ROW * kept.board_size):
            kept.look[known + 1, index] = kept.look[known, index]
        for index in range(2 * KINDS * words_of(int(kept.board_size))):
            kept.kinds[known + 1, index] = kept.kinds[known, index]
        kept.known = known + 1
        kept.changes[known + 1] = 0
        cell = int(kept.stones[known])
        if cell != PASS:
            for colour in range(2):
                set_made(kept, known + 1, colour, cell, 0)
                note_change(kept, known + 1, colour, cell)
            look_around(kept, known + 1, cell)


@gather.of(State)
def _gather(state: State, kept: Any) -> None:
    kept.totals[:] = 0
    size, mover = state.size, state.placed & 1
    kept.board_size, kept.placed, kept.known = size, state.placed, state.placed
    kept.root, kept.summed = state.placed, -1
    kept.look[state.placed] = 0
    kept.kinds[state.placed] = 0
    for direction in range(len(DIRECTIONS)):
        for line in range(LINES):
            kept.lines[0, direction, line] = kept.lines[1, direction, line] = int(EDGES[size, direction, line])
    empty = (state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6)
    for side in range(2):
        if side == 1:
            empty = (
                state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6,
            )  # fmt: skip
        for number in range(WORDS):
            bits = empty[number]
            while bits != 0:
                put(kept, mover ^ side, WORD * number + lowest(bits))
                bits &= bits - 1
    for number in range(WORDS):
        bits = int(BOARD[size, number])
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            if not is_filled(kept, cell):
                look_from(kept, state.placed, cell)


@inlined
def is_filled(kept: Any, cell: int) -> bool:
    row = int(kept.lines[0, 0, cell // ROW])
    return (row | row >> BLOCKED) >> (cell % ROW + REACH) & 1 != 0


@note.of(State)
def _note(state: State, step: int, kept: Any) -> None:
    catch_up(kept)  # no more than one stone at a time
    placed = state.placed
    kept.totals_before[placed, 0], kept.totals_before[placed, 1] = kept.totals[0], kept.totals[1]
    kept.stones[placed] = step
    kept.placed = placed + 1
    if step != PASS:
        put(kept, placed & 1, step)


@unnote.of(State)
def _unnote(state: State, step: int, kept: Any) -> None:
    placed = state.placed
    colour = placed & 1
    for direction in range(len(DIRECTIONS) if step != PASS else 0):
        line, bit = int(LINE_OF[step, direction]), 1 << (int(PLACE_OF[step, direction]) + REACH)
        kept.lines[colour, direction, line] &= ~bit
        kept.lines[1 - colour, direction, line] &= ~(bit << BLOCKED)
    kept.totals[0], kept.totals[1] = kept.totals_before[placed, 0], kept.totals_before[placed, 1]
    kept.placed = placed
    kept.known, kept.summed = min(int(kept.known), placed), min(int(kept.summed), placed)


# ------------------------------------------------------------------------------------------ fives


@subroutine
def makes_five(kept: Any, colour: int, cell: int, rule: int) -> bool:
    """Whether a stone of *colour* on the empty *cell* would make a row that wins."""
    for direction in range(len(DIRECTIONS)):
        line, place = int(LINE_OF[cell, direction]), int(PLACE_OF[cell, direction]) + REACH
        stones = int(kept.lines[colour, direction, line]) & _STONES
        after, before = 0, 0
        while stones >> (place + after + 1) & 1:
            after += 1
        while stones >> (place - before - 1) & 1:
            before += 1
        if after + before > 4 and long_rows_win(rule, colour):
            return True
        if after + before == 4:
            others = int(kept.lines[1 - colour, direction, line]) & _STONES
            if rule < CARO or not (others >> (place + after + 1) & 1 and others >> (place - before - 1) & 1):
                return True
    return False


@subroutine
def write_fives(state: State, colour: int, buffer: Any, base: int, kept: Any) -> int:
    """Write the empty cells on which a stone of *colour* wins into ``buffer[base:]``; return the index after the last.

    What stones would make must be up to date.
    """
    if count_of(int(kept.totals[colour]), COUNTED - 2) == 0:
        return base
    for number in range(words_of(state.size)):
        bits = cells_of_kind(kept, number, IN_FIVES, colour)
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            if state.rule == FREE or makes_five(kept, colour, cell, state.rule):
                buffer[base] = cell
                base += 1
    return base


@subroutine
def fives(state: State, colour: int, kept: Any) -> tuple[int, int]:
    """The number of live windows of *colour* with four stones, and of cells that complete one: at most two."""
    windows, cells, first = 0, 0, -1
    for direction in range(len(DIRECTIONS)):
        for line in range(LINES):
            word = int(kept.lines[colour, direction, line])
            stones = word & _STONES
            if popcount(stones) < 4:
                continue
            empty = ~(word >> BLOCKED) & ~stones
            for place in range(REACH, REACH + LARGEST - 4):
                five = stones >> place & 31
                gap = empty >> place & 31
                if popcount(five) != 4 or five | gap != 31:
                    continue
                if state.rule != FREE:
                    before, after = stones >> (place - 1) & 1, stones >> (place + 5) & 1
                    if before | after and not long_rows_win(state.rule, colour):
                        continue
                    others = int(kept.lines[1 - colour, direction, line]) & _STONES
                    if state.rule >= CARO and others >> (place - 1) & 1 and others >> (place + 5) & 1:
                        continue
                windows += 1
                at = place - REACH + lowest(gap)
                cell = cell_at(direction, line, at)
                if cell != first:
                    cells = min(2, cells + 1)
                    first = cell if first < 0 else first
    return windows, cells


@subroutine
def mark_new_fours(kept: Any, colour: int, replies: Any, marked: Any) -> None:
    """Mark the empty cells where a stone of *colour* may make a four, with stones on some of *replies* or without.

    :param replies: cells, as bits of rows by direction and row, from ``REACH`` on.
    :param marked: words of a board.
    """
    for direction in range(len(DIRECTIONS)):
        for line in range(LINES):
            word = int(kept.lines[colour, direction, line])
            own = word & _STONES | int(replies[direction, line])
            if popcount(own) < 3:
                continue
            blocked = word >> BLOCKED
            for place in range(REACH, REACH + LARGEST - 4):
                if blocked >> place & 31 != 0 or popcount(own >> place & 31) < 3:
                    continue
                empty = ~(word >> place) & 31
                while empty != 0:
                    cell = cell_at(direction, line, place - REACH + lowest(empty))
                    empty &= empty - 1
                    marked[WORD_OF[cell]] |= BIT_OF[cell]


@inlined
def cell_at(direction: int, line: int, place: int) -> int:
    if direction == 0:
        return ROW * line + place
    if direction == 1:
        return ROW * place + line
    if direction == 2:
        return ROW * place + line - LARGEST + place
    return ROW * place + line - place
