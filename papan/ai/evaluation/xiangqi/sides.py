"""What one side of xiangqi is worth by itself: pieces, where they stand and can go, and how its general is guarded."""

from __future__ import annotations

from papan.ai.evaluation import Weights
from papan.ai.evaluation.terms import Features
from papan.ai.evaluation.xiangqi.tables import ATTACKING, MOST_ATTACK, MOST_FREE, bundled_tables, by_cells
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILE_A,
    FILES,
    GENERAL,
    HALF,
    HALF_BOARD,
    HORSE,
    LINE_BITS,
    LINE_SEEN,
    RANK_MASK,
    RED,
    SOLDIER,
    State,
    far_kind,
    far_of,
    file_bits,
    general_cell,
    horse_reach,
    in_palace,
    line_reach,
    near_kind,
    near_of,
    reach,
)

FEATURES = Features(
    to_move=say("being to move"),
    places=say("where the pieces stand"),  # by tables of cells
    advisor=say("advisors"),  # pieces in the order of their kinds
    elephant=say("elephants"),
    horse=say("horses"),
    chariot=say("chariots"),
    cannon=say("cannons"),
    soldier=say("soldiers"),
    freedom=say("freedom of horses, chariots and cannons"),  # by the cells they can go to
    guard=say("guards missing at the general"),  # advisors and elephants, by the opponent's attackers
    open_cannon=say("cannon facing the general"),  # on its file, with nothing between
    palace=say("palace cells under attack"),
    hanging=say("pieces attacked and not guarded"),  # horses, chariots and cannons
    linked=say("pieces guarding each other"),
    capture=say("best capture at once"),  # for the seat to move
    threat=say("best capture of the other side"),  # which can still be answered
)
TO_MOVE, PLACES, *_PIECES, FREE, GUARDED, OPEN_CANNON, PALACE, HANGING, LINKED, CAPTURE, THREAT = FEATURES.indices
"""A piece's worth stands at the number of its kind."""

_TABLES = bundled_tables()
EARLY, LATE = by_cells(_TABLES.early), by_cells(_TABLES.late)
FREEDOM, GUARD, PALACE_COST = _TABLES.freedom.ravel(), _TABLES.guard.ravel(), _TABLES.palace
LEARNED = tuple(_TABLES.scalars.tolist())
"""Learned weights; () with tables set by hand."""

SEAT_ROW = len(EARLY) // 2
"""Entries of ``EARLY`` and ``LATE`` for each seat."""
FULL = 16.0
"""All horses and cannons, 1 each, and chariots, 2: the start."""

PALACES_NEAR = sum(1 << cell for cell in range(HALF) if in_palace(0, cell))
PALACES_FAR = sum(1 << (cell - HALF) for cell in range(HALF, CELLS) if in_palace(1, cell))
LAST_RANK = HALF - FILES
LAST_FILE = FILE_A << (FILES - 1)

Side = tuple[float, float, int, int, int, int, int, int]
"""The worth of a seat's pieces, early and late in the game, and the cells reached by soldiers, advisors and elephants;
by these, horses and cannons; by all: two halves each."""


@subroutine
def soldier_reach(near: int, far: int, seat: int) -> tuple[int, int]:
    """The cells, in two halves, that the soldiers *near* and *far* of *seat* reach."""
    if seat == RED:
        aside = (far & ~LAST_FILE) << 1 | (far & ~FILE_A) >> 1
        return near << FILES & HALF_BOARD, far << FILES & HALF_BOARD | near >> LAST_RANK | aside
    aside = (near & ~LAST_FILE) << 1 | (near & ~FILE_A) >> 1
    return near >> FILES | (far & RANK_MASK) << LAST_RANK | aside, far >> FILES


@subroutine
def side(state: State, seat: int, weights: Weights) -> Side:
    own_near, own_far = near_of(state, seat), far_of(state, seat)
    near, far = state.red_near | state.black_near, state.red_far | state.black_far
    early, late, value = 0.0, 0.0, 0.0
    soldiers_near, soldiers_far = near_kind(state, SOLDIER) & own_near, far_kind(state, SOLDIER) & own_far
    soft_near, soft_far = soldier_reach(soldiers_near, soldiers_far, seat)
    light_near, light_far, line_near, line_far = 0, 0, 0, 0
    places, free = weights[PLACES], weights[FREE]
    for kind in range(GENERAL, SOLDIER + 1):
        worth = 0.0 if kind == GENERAL else weights[kind]
        row = seat * SEAT_ROW + kind * CELLS
        for half in range(2):
            pieces = near_kind(state, kind) & own_near if half == 0 else far_kind(state, kind) & own_far
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                value += worth
                early += EARLY[row + cell]
                late += LATE[row + cell]
                if kind == SOLDIER:
                    continue
                if kind in (CHARIOT, CANNON):
                    reach_near, reach_far = line_reach(near, far, cell, kind)
                elif kind == HORSE:
                    reach_near, reach_far = horse_reach(near, far, cell)
                else:
                    reach_near, reach_far = reach(state, cell, kind, seat)
                    if kind == GENERAL:
                        line_near |= reach_near
                        line_far |= reach_far
                    else:
                        soft_near |= reach_near
                        soft_far |= reach_far
                    continue
                goals = popcount(reach_near & ~own_near) + popcount(reach_far & ~own_far)
                value += free * FREEDOM[(kind - HORSE) * MOST_FREE + goals]
                if kind == CHARIOT:
                    line_near |= reach_near
                    line_far |= reach_far
                else:
                    light_near |= reach_near
                    light_far |= reach_far
    light_near |= soft_near
    light_far |= soft_far
    all_near, all_far = light_near | line_near, light_far | line_far
    value += weights[LINKED] * (popcount(all_near & own_near) + popcount(all_far & own_far))
    return (
        value + places * early, value + places * late,
        soft_near, soft_far, light_near, light_far, all_near, all_far,
    )  # fmt: skip


@subroutine
def number_of(state: State, seat: int, kind: int) -> int:
    """How many pieces of *kind* the seat has."""
    return popcount(near_kind(state, kind) & near_of(state, seat)) + popcount(
        far_kind(state, kind) & far_of(state, seat)
    )


@subroutine
def has_open_cannon(state: State, seat: int) -> bool:
    """Whether a cannon of the other seat stands on the file of *seat*'s general with nothing between."""
    cell = general_cell(state, seat)
    rank, file = cell // FILES, cell % FILES
    cannons_near = near_kind(state, CANNON) & near_of(state, 1 - seat)
    cannons_far = far_kind(state, CANNON) & far_of(state, 1 - seat)
    cannons = file_bits(cannons_near, cannons_far, file)
    if cannons == 0:
        return False
    pieces = file_bits(state.red_near | state.black_near, state.red_far | state.black_far, file)
    return int(LINE_SEEN[rank << LINE_BITS | pieces]) & cannons != 0


@subroutine
def danger(state: State, seat: int, own: Side, theirs: Side, weights: Weights) -> float:
    """The danger to the general and the pieces of *seat*; *own* and *theirs* are by ``side``."""
    attackers = 0
    for kind in range(HORSE, SOLDIER + 1):
        attackers += int(ATTACKING[kind]) * number_of(state, 1 - seat, kind)
    guards = number_of(state, seat, ADVISOR) * 3 + number_of(state, seat, ELEPHANT)
    value: float = weights[GUARDED] * GUARD[guards * MOST_ATTACK + attackers]
    value += (
        weights[PALACE]
        * PALACE_COST[popcount(theirs[6] & PALACES_NEAR) if seat == RED else popcount(theirs[7] & PALACES_FAR)]
    )
    if has_open_cannon(state, seat):
        value += weights[OPEN_CANNON]
    strong_near = near_of(state, seat) & theirs[6] & ~own[6]
    strong_far = far_of(state, seat) & theirs[7] & ~own[7]
    strong_near &= near_kind(state, HORSE) | near_kind(state, CHARIOT) | near_kind(state, CANNON)
    strong_far &= far_kind(state, HORSE) | far_kind(state, CHARIOT) | far_kind(state, CANNON)
    value += weights[HANGING] * (popcount(strong_near) + popcount(strong_far))
    return value


@subroutine
def earliness(state: State) -> float:
    """The game phase by horses, chariots and cannons: 1 at the start, 0 at the end."""
    units = 0
    for kind in range(HORSE, CANNON + 1):
        number = popcount(near_kind(state, kind)) + popcount(far_kind(state, kind))
        units += 2 * number if kind == CHARIOT else number
    return units / FULL
