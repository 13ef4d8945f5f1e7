"""Perpetual chase, as Fairy-Stockfish's ``chasingRule = axf`` sums up the rules of the Asian Xiangqi Federation.

A turn *chases* the pieces that it newly threatens to capture with gain, by the piece that moved or by one that it
discovered. Generals and soldiers may threaten anything, and neither generals nor soldiers before the river are chased.
With gain are: a capture that nothing can avenge, of any piece; of a chariot by a horse or a cannon; of a horse, chariot
or cannon by an advisor or elephant. Pieces that may not leave their place, as they shield their general, avenge
nothing; nor does a general where the other one faces it. A threat to a piece of the same kind is an offer to exchange,
unless that piece can't capture in turn. A turn also chases what loses a protector because that is pinned now, and what
a piece threatens that now stands ready to discover check.

Fairy-Stockfish differs in three points. It spares a chaser if the turn that led to the cycle was no chase; a cycle ends
where it begins, so here its own turns decide. A piece protects there, until it is pinned, what it never could capture,
as an advisor outside the palace. And a piece on the file of both generals is pinned there even if others stand between.

Pieces of a side are numbered: two for each kind from advisors to cannons, then the soldiers, in the order of their
cells. Where two pieces have passed one another in that order, they keep their numbers. Soldiers never do so without
moving ahead, which can't be undone.
"""

from __future__ import annotations

from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    FILE_A,
    FILES,
    GENERAL,
    HALF,
    HALF_FILE_MASK,
    HALF_RANKS,
    HORSE,
    HORSES_TO,
    LEGS_TABLE_BITS,
    LINE_BITS,
    LINE_SECOND,
    LINE_SEEN,
    RANK_MASK,
    SOLDIER,
    UPRIGHT,
    State,
    diagonals_taken,
    far_kind,
    far_of,
    file_bits,
    general_cell,
    has_crossed,
    is_taken,
    kind_at,
    line_reach,
    near_kind,
    near_of,
    reach,
)

PIECES = 15
"""The pieces of a side without its general, each with a bit of ``State.chases``; above them is a bit for each pair that
has passed one another, red's first.
"""
_PAIRS = SOLDIER - ADVISOR
"""Pairs of equal pieces of a side."""
_FIRST_SOLDIER = 2 * _PAIRS
CHASED = (1 << PIECES) - 1
MOST_CHASES = 1 << PIECES + 2 * _PAIRS
"""``State.chases`` is below this."""


def kind_of_number(number: int) -> int:
    """The kind of a side's piece with that *number*."""
    return min(SOLDIER, ADVISOR + number // 2)


@subroutine
def bits_of(cell: int) -> tuple[int, int]:
    """*cell* as a set of cells, in two halves."""
    return (1 << cell, 0) if cell < HALF else (0, 1 << (cell - HALF))


@subroutine
def equals_below(state: State, cell: int, kind: int, seat: int) -> int:
    """The number of pieces of *kind* and *seat* on cells before *cell*."""
    near = near_kind(state, kind) & near_of(state, seat)
    if cell < HALF:
        return popcount(near & ((1 << cell) - 1))
    far = far_kind(state, kind) & far_of(state, seat)
    return popcount(near) + popcount(far & ((1 << (cell - HALF)) - 1))


@subroutine
def lifted(state: State, cell: int) -> State:
    """*state* without the piece on *cell*."""
    near, far = bits_of(cell)
    return state._replace(
        red_near=state.red_near & ~near,
        red_far=state.red_far & ~far,
        black_near=state.black_near & ~near,
        black_far=state.black_far & ~far,
    )


@subroutine
def reaching(state: State, cell: int, seat: int) -> tuple[int, int]:
    """The pieces of *seat* that attack or guard *cell*, in two halves."""
    found_near, found_far = 0, 0
    for half in range(2):
        pieces = near_of(state, seat) if half == 0 else far_of(state, seat)
        while pieces:
            origin = lowest(pieces) + half * HALF
            near, far = reach(state, origin, kind_at(state, origin), seat)
            if is_taken(near, far, cell):
                near, far = bits_of(origin)
                found_near |= near
                found_far |= far
            pieces &= pieces - 1
    return found_near, found_far


# ------------------------------------------------------------------------------------------- shields


@subroutine
def between(line: int, first: int, second: int) -> int:
    """The pieces of a *line* between two cells of it."""
    low, high = min(first, second), max(first, second)
    return line & ((1 << high) - (2 << low))


@subroutine
def shields_on_line(at: int, line: int, chariots: int, cannons: int) -> int:
    """The pieces of a *line* that alone protect cell *at* from a chariot, or as two from a cannon.

    A chariot that attacks nothing is no obstacle to another one.
    """
    index = at << LINE_BITS | line
    found, chariots = 0, chariots & ~int(LINE_SEEN[index])
    cannons &= ~int(LINE_SECOND[index])
    opaque = line & ~chariots
    while chariots:
        pieces = between(opaque, at, lowest(chariots))
        found |= pieces if popcount(pieces) == 1 else 0
        chariots &= chariots - 1
    while cannons:
        pieces = between(line, at, lowest(cannons))
        found |= pieces if popcount(pieces) == 2 else 0
        cannons &= cannons - 1
    return found


@subroutine
def shields(state: State, seat: int) -> tuple[int, int]:
    """The pieces of both sides, in two halves, that keep a piece from attacking the general of *seat*."""
    cell = general_cell(state, seat)
    rank, file = cell // FILES, cell % FILES
    is_near = cell < HALF
    index = cell if is_near else cell - HALF
    shift = index - file
    near, far = state.red_near | state.black_near, state.red_far | state.black_far
    enemy_near, enemy_far = near_of(state, 1 - seat), far_of(state, 1 - seat)
    chariots_near, chariots_far = near_kind(state, CHARIOT) & enemy_near, far_kind(state, CHARIOT) & enemy_far
    cannons_near, cannons_far = near_kind(state, CANNON) & enemy_near, far_kind(state, CANNON) & enemy_far
    horses = near_kind(state, HORSE) & enemy_near if is_near else far_kind(state, HORSE) & enemy_far
    home = near if is_near else far
    chariots = (chariots_near if is_near else chariots_far) >> shift & RANK_MASK
    cannons = (cannons_near if is_near else cannons_far) >> shift & RANK_MASK
    found = shields_on_line(file, home >> shift & RANK_MASK, chariots, cannons) << shift
    legs = diagonals_taken(home, index)
    for number in range(4):  # the diagonal neighbours, each the leg of two ways of horses to the general
        leg = 1 << number
        open_ways, ways = int(HORSES_TO[cell << LEGS_TABLE_BITS]), int(HORSES_TO[cell << LEGS_TABLE_BITS | leg])
        if legs & leg and horses & open_ways & ~ways:
            found |= 1 << (index + 2 * (number & 1) - 1 + FILES * ((number & 2) - 1))
    chariots, cannons = file_bits(chariots_near, chariots_far, file), file_bits(cannons_near, cannons_far, file)
    upright = shields_on_line(rank, file_bits(near, far, file), chariots, cannons)
    found_near = int(UPRIGHT[upright & HALF_FILE_MASK]) << file
    found_far = int(UPRIGHT[upright >> HALF_RANKS]) << file
    return (found_near | found, found_far) if is_near else (found_near, found_far | found)


@subroutine
def pinned(state: State, seat: int) -> tuple[int, int]:
    """The ``shields`` of the general of *seat*, and the only piece between both generals."""
    near, far = shields(state, seat)
    own, other = general_cell(state, seat), general_cell(state, 1 - seat)
    file = own % FILES
    if file == other % FILES:
        line = file_bits(state.red_near | state.black_near, state.red_far | state.black_far, file)
        pieces = between(line, own // FILES, other // FILES)
        if popcount(pieces) == 1:
            near |= int(UPRIGHT[pieces & HALF_FILE_MASK]) << file
            far |= int(UPRIGHT[pieces >> HALF_RANKS]) << file
    return near, far


# ------------------------------------------------------------------------------------------- chasing


@subroutine
def can_be_chased(state: State, cell: int, seat: int) -> bool:
    """Whether the piece of *seat* on *cell* is neither its general nor a soldier before the river."""
    kind = kind_at(state, cell)
    return kind != GENERAL and (kind != SOLDIER or has_crossed(seat, cell))


@subroutine
def gains(state: State, attacker: int, cell: int, held: tuple[int, int]) -> bool:
    """Whether the piece on *attacker* gains by capturing that of the seat to act on *cell*.

    :param held: the ``pinned`` pieces of that seat.
    """
    seat, kind, prey = state.to_move, kind_at(state, attacker), kind_at(state, cell)
    if not can_be_chased(state, cell, seat):
        return False
    if kind in (HORSE, CANNON) and prey == CHARIOT:
        return True
    if kind in (ADVISOR, ELEPHANT) and prey in (HORSE, CHARIOT, CANNON):
        return True
    if kind == prey and not is_taken(held[0], held[1], cell):
        near, far = reach(state, cell, prey, seat)
        if is_taken(near, far, attacker):
            return False
    after = lifted(state, attacker)
    near, far = reaching(after, cell, seat)
    near, far = near & ~held[0], far & ~held[1]
    if (near, far) != bits_of(general_cell(state, seat)):
        return near | far == 0
    near, far = line_reach(
        after.red_near | after.black_near, after.red_far | after.black_far, general_cell(state, 1 - seat), CHARIOT
    )
    return is_taken(near, far, cell) != 0


@subroutine
def new_reach(before: State, after: State, cell: int, origin: int, target: int) -> tuple[int, int]:
    """The cells that the piece on *cell* reaches since the turn from *origin* to *target*.

    A chariot or cannon reaches nothing new ahead or behind on the line of its move, except beyond *origin*.
    """
    kind, seat = kind_at(after, cell), before.to_move
    near, far = reach(after, cell, kind, seat)
    old_near, old_far = reach(before, cell, kind, seat)
    if cell == target:
        if kind not in (CHARIOT, CANNON):
            return near, far
        if origin % FILES == target % FILES:
            line_near = line_far = FILE_A << target % FILES
        else:
            line_near, line_far = bits_of(target - target % FILES)
            line_near, line_far = line_near * RANK_MASK, line_far * RANK_MASK
        old_near, old_far = old_near & line_near, old_far & line_far
    return near & ~old_near, far & ~old_far


@subroutine
def threatened(before: State, after: State, origin: int, target: int) -> tuple[int, int]:
    """The pieces, in two halves, that captures with gain threaten since the turn from *origin* to *target*."""
    mover, seat = before.to_move, after.to_move
    prey_near, prey_far = near_of(after, seat), far_of(after, seat)
    held = pinned(after, seat)
    found_near, found_far = 0, 0
    for half in range(2):
        hunters = near_of(after, mover) if half == 0 else far_of(after, mover)
        while hunters:
            cell = lowest(hunters) + half * HALF
            hunters &= hunters - 1
            if kind_at(after, cell) in (GENERAL, SOLDIER):
                continue
            near, far = new_reach(before, after, cell, origin, target)
            near, far = near & prey_near & ~found_near, far & prey_far & ~found_far
            while near:
                found_near |= near & -near if gains(after, cell, lowest(near), held) else 0
                near &= near - 1
            while far:
                found_far |= far & -far if gains(after, cell, lowest(far) + HALF, held) else 0
                far &= far - 1
    return found_near, found_far


@subroutine
def unprotected(after: State, cell: int) -> tuple[int, int]:
    """The attacked pieces, in two halves, that the piece on *cell* of the seat to act protected until it was pinned."""
    seat = after.to_move
    free_near, free_far = shields(after, 1 - seat)
    near, far = reach(after, cell, kind_at(after, cell), seat)
    near, far = near & near_of(after, seat), far & far_of(after, seat)
    found_near, found_far = 0, 0
    for half in range(2):
        pieces = near if half == 0 else far
        while pieces:
            prey = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            near_hunters, far_hunters = reaching(after, prey, 1 - seat)
            if can_be_chased(after, prey, seat) and near_hunters & ~free_near | far_hunters & ~free_far:
                prey_near, prey_far = bits_of(prey)
                found_near |= prey_near
                found_far |= prey_far
    return found_near, found_far


@subroutine
def threatened_with_check(after: State, cell: int) -> tuple[int, int]:
    """The pieces, in two halves, that the piece on *cell*, which can discover check, captures safely."""
    seat = after.to_move
    general = general_cell(after, seat)
    near, far = reach(after, cell, kind_at(after, cell), 1 - seat)
    near, far = near & near_of(after, seat), far & far_of(after, seat)
    beside_near, beside_far = reach(after, general, GENERAL, seat)
    found_near, found_far = near & ~beside_near, far & ~beside_far
    without = lifted(lifted(after, cell), general)
    for half in range(2):
        pieces = near & beside_near if half == 0 else far & beside_far
        while pieces:
            prey = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            hunters_near, hunters_far = reaching(without, prey, 1 - seat)
            if hunters_near | hunters_far:
                prey_near, prey_far = bits_of(prey)
                found_near |= prey_near
                found_far |= prey_far
    return found_near, found_far


@subroutine
def chased_cells(before: State, after: State, origin: int, target: int) -> tuple[int, int]:
    """The cells, in two halves, with pieces that the turn from *origin* to *target*, no capture, chases."""
    seat = after.to_move
    near, far = threatened(before, after, origin, target)
    old_near, old_far = shields(before, seat)
    new_near, new_far = shields(after, seat)
    new_near, new_far = new_near & ~old_near, new_far & ~old_far
    for half in range(2):
        pieces = new_near if half == 0 else new_far
        while pieces:
            cell = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            if is_taken(near_of(after, seat), far_of(after, seat), cell):
                more_near, more_far = unprotected(after, cell)
            else:
                more_near, more_far = threatened_with_check(after, cell)
            near |= more_near
            far |= more_far
    return near, far


@subroutine
def number_of(state: State, cell: int, passed: int) -> int:
    """The number of the piece of the seat to act on *cell*; its general has none."""
    kind, seat = kind_at(state, cell), state.to_move
    below = equals_below(state, cell, kind, seat)
    if kind == SOLDIER:
        return _FIRST_SOLDIER + below
    return 2 * (kind - ADVISOR) + (below ^ (passed >> (_PAIRS * seat + kind - ADVISOR) & 1))


@subroutine
def chases_after(before: State, after: State, origin: int, target: int) -> int:
    """``State.chases`` of *after*, which the step from *origin* to *target* leads to; a capture begins anew."""
    if after.quiet == 0:
        return 0
    kind, seat, passed = kind_at(after, target), before.to_move, before.chases >> PIECES
    if kind not in (GENERAL, SOLDIER) and equals_below(before, origin, kind, seat) != equals_below(
        after, target, kind, seat
    ):
        passed ^= 1 << (_PAIRS * seat + kind - ADVISOR)
    chases = passed << PIECES
    near, far = chased_cells(before, after, origin, target)
    for half in range(2):
        pieces = near if half == 0 else far
        while pieces:
            cell = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            if kind_at(after, cell) != GENERAL:
                chases |= 1 << number_of(after, cell, passed)
    return chases
