"""Xiangqi: pieces and their cells, freedom, the guard of the general, and hanging pieces.

The values of pieces are the usual ones, in units of a soldier at home; the other numbers are our own, unless learned
(``bundled_tables``). The worth of a cell may change as horses, chariots and cannons leave the board. ``evaluate`` is
for searches that end in positions with hanging pieces, so it foresees the best capture: the whole piece if it is
unguarded, the difference if it is guarded. ``standing`` leaves that to the search.

Tables were learned by ``dev.fitting.xiangqi``. Cells are worth the same on both wings, so tables are indexed by ranks
from the piece's own side, and by files from the edge to the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Selectivity,
    Strength,
    Weights,
    can_pass,
    evaluate,
    exchange,
    forcing,
    is_quiet,
    passed,
    standing,
)
from papan.ai.evaluation.terms import Features
from papan.ai.learning.weight_files import keep_arrays, read_arrays
from papan.game.base.assets import ASSETS
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount, write_bits
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
    KINDS,
    LINE_BITS,
    LINE_SEEN,
    MOST_QUIET,
    RANK_MASK,
    RANKS,
    RED,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    after_moving,
    far_kind,
    far_of,
    file_bits,
    general_cell,
    horse_reach,
    in_check,
    in_palace,
    is_taken,
    kind_at,
    legal_reach,
    line_reach,
    near_kind,
    near_of,
    reach,
    watched_cells,
)
from papan.game.rules.xiangqi.chasing import CHASED

ASSET = "weights/xiangqi.npz"

KIND_ROWS = len(KINDS) + 1
WING = FILES // 2 + 1
"""Files of one wing, the middle one included."""

MOST_FREE = 18
"""One more than the cells that a piece can go to at most."""

ATTACKING = np.array((0, 0, 0, 0, 2, 3, 2, 1), np.int64)
"""How dangerous a piece of each kind is to a bare general."""
MOST_ATTACK = 2 * 2 + 2 * 3 + 2 * 2 + 5 * 1 + 1
PALACE_CELLS = 9
UNIT = 1000
"""A soldier, in stored whole numbers."""

Array = np.ndarray[Any, np.dtype[np.float64]]


class Tables(NamedTuple):
    """The numbers, in units of a soldier at home."""

    early: Array
    """Piece-square tables with all chariots, horses and cannons: shape (kinds from 0 on, ranks, files of a wing)."""
    late: Array
    """The same without any of these; interpolated between."""
    freedom: Array
    """By horse, chariot or cannon, and the number of cells that it can go to."""
    guard: Array
    """The cost of missing guards: by advisors, elephants, and the sum of ``ATTACKING`` of the other side's pieces."""
    palace: Array
    """The cost by the cells of the palace that the opponent reaches."""
    scalars: Array
    """The weights of the features; empty where none were learned."""


def _cell_value(kind: int, rank: int, file: int) -> float:
    """The worth of a piece of *kind* on a cell; ranks are counted from its own side."""
    centre = 4 - abs(file - 4)
    worth = 0.0
    if kind == GENERAL:
        worth = -0.35 * rank
    elif kind == ADVISOR:
        worth = 0.1 if rank == 1 else -0.15 if rank == 2 else 0.0
    elif kind == ELEPHANT:
        worth = 0.2 if (rank, file) == (2, 4) else -0.15 if file in (0, 8) else 0.0
    elif kind == HORSE:
        worth = 0.08 * centre + 0.12 * min(rank, 6)  # forward, and never at the edge
        worth -= 0.3 * (rank == RANKS - 1) + 0.8 * ((rank, file) == (1, 4))  # the palace's heart is for advisors
    elif kind == CHARIOT:
        worth = 0.04 * centre + (0.35 if rank >= RANKS // 2 else 0.2 if rank in (1, 3, 4) else 0.0)
    elif kind == CANNON:
        worth = (0.45 if file == 4 else 0.04 * centre) + (0.25 if rank in (2, RANKS - 1) else 0.0)
    elif rank >= RANKS // 2:  # a soldier beyond the river is worth two, most of all next to the palace
        worth = 0.9 + 0.12 * centre + (0.25 if 6 <= rank <= 8 else 0.0) - 0.9 * (rank == RANKS - 1)
    else:
        worth = 0.15 * (rank == RANKS // 2 - 1) + (0.1 if file in (2, 6) else 0.0)
    return worth


def tables_by_hand() -> Tables:
    places = np.array(
        [[[_cell_value(kind, rank, file) for file in range(WING)] for rank in range(RANKS)] for kind in (0, *KINDS)]
    )
    freedom = np.outer((0.09, 0.04, 0.02), np.arange(MOST_FREE, dtype=np.float64))
    missing = 4.0 - np.add.outer(np.arange(3), np.arange(3))
    guard = 0.05 * missing[:, :, None] * np.arange(MOST_ATTACK)
    palace = 0.08 * np.arange(PALACE_CELLS + 1, dtype=np.float64)
    return Tables(places, places.copy(), freedom, guard, palace, np.zeros(0))


def learned_tables(path: Path) -> Tables:
    """The learned numbers in the file *path*; raises ValueError if it does not hold them."""
    found = read_arrays(path, dict.fromkeys(Tables._fields, np.int16))
    for name, by_hand in tables_by_hand()._asdict().items():
        if name != "scalars" and found[name].shape != by_hand.shape:
            raise ValueError(f"{path} does not hold {name} of the shape {by_hand.shape}")
    return Tables(**{name: found[name] / UNIT for name in Tables._fields})


def keep_tables(tables: Tables, path: Path, provenance: str) -> None:
    """Write *tables* and their provenance to a file such as the asset."""
    whole = {name: np.round(table * UNIT).astype(np.int16) for name, table in tables._asdict().items()}
    keep_arrays(path, provenance, **whole)


def bundled_tables() -> Tables:
    """The learned numbers, if some come with the program; those set by hand if not, or if their file is damaged."""
    learned = ASSETS.open(ASSET, learned_tables) if ASSET in ASSETS.digests else None
    return tables_by_hand() if learned is None else learned


def by_cells(table: Array) -> Array:
    """A table of a wing, flattened by seat, kind and cell."""
    whole = np.concatenate([table, table[:, :, -2::-1]], axis=2).reshape(KIND_ROWS, -1)
    return np.concatenate([whole.ravel(), whole[:, ::-1].ravel()])


FEATURES = Features(
    to_move=say("having the move"),
    places=say("where the pieces stand"),  # by tables of cells
    advisor=say("advisors"),  # pieces in the order of their kinds
    elephant=say("elephants"),
    horse=say("horses"),
    chariot=say("chariots"),
    cannon=say("cannons"),
    soldier=say("soldiers"),
    freedom=say("freedom of horses, chariots and cannons"),  # by the cells they can go to
    guard=say("missing guards near the general"),  # advisors and elephants, by the opponent's attackers
    open_cannon=say("cannon facing the general"),  # on its file, with nothing between
    palace=say("palace cells under attack"),
    hanging=say("pieces attacked and not guarded"),  # horses, chariots and cannons
    linked=say("pieces guarding each other"),
    capture=say("best capture at once"),  # for the seat to move
    threat=say("best capture of the other side"),  # which can still be answered
)
TO_MOVE, PLACES, *_PIECES, FREEDOM, GUARD, OPEN_CANNON, PALACE, HANGING, LINKED, CAPTURE, THREAT = FEATURES.indices
"""The index of a piece's worth is the number of its kind."""

_TABLES = bundled_tables()
EARLY, LATE = by_cells(_TABLES.early), by_cells(_TABLES.late)
FREEDOM_VALUE, GUARD_COST, PALACE_COST = _TABLES.freedom.ravel(), _TABLES.guard.ravel(), _TABLES.palace
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


TERMS = FEATURES.titles
BY_HAND = FEATURES.weights(
    to_move=0.15,
    places=1.0,
    advisor=2.0,
    elephant=2.0,
    horse=4.2,
    chariot=9.0,
    cannon=4.6,
    soldier=1.0,
    freedom=1.0,
    guard=1.0,
    open_cannon=0.7,
    palace=1.0,
    capture=0.75,
    threat=0.1,
)
WEIGHTS = {
    STANDARD: LEARNED or BY_HAND,
    "pieces": FEATURES.weights(places=0.3, advisor=2.0, elephant=2.0, horse=4.2, chariot=9.0, cannon=4.6, soldier=1.0),
}
SCALE = 7.5
THRESHOLD = SCALE
SELECTIVITY = Selectivity(margin=1.5)
LEVELS = {"easy": Level(1, "pieces"), "medium": Level(3), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.88, weights="pieces"),
    Strength(1, 1.0, blindness=0.06, weights="pieces"),
    Strength(2, 1.0, blindness=0.18),
    Strength(2, 0.5),
    Strength(3, 0.17),
    "medium",
    Strength(5),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}


@subroutine
def ahead(state: State, own: Side, theirs: Side, weights: Weights) -> float:
    """The lead of the seat to move, before any capture."""
    mover, waiting = state.to_move, 1 - state.to_move
    early = earliness(state)
    value: float = weights[TO_MOVE] + early * (own[0] - theirs[0]) + (1.0 - early) * (own[1] - theirs[1])
    if weights[GUARD] != 0.0 or weights[PALACE] != 0.0 or weights[OPEN_CANNON] != 0.0 or weights[HANGING] != 0.0:
        value -= danger(state, mover, own, theirs, weights)
        value += danger(state, waiting, theirs, own, weights)
    if weights[THREAT] != 0.0:
        value -= weights[THREAT] * best_capture(state, waiting, theirs, own, weights)
    return value


@standing.of(State)
def _standing(state: State, seat: int, weights: Weights) -> float:
    own, theirs = side(state, state.to_move, weights), side(state, 1 - state.to_move, weights)
    value = ahead(state, own, theirs, weights)
    return value if seat == state.to_move else -value


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    own, theirs = side(state, state.to_move, weights), side(state, 1 - state.to_move, weights)
    value = ahead(state, own, theirs, weights)
    if weights[CAPTURE] != 0.0:
        value += weights[CAPTURE] * best_capture(state, state.to_move, own, theirs, weights)
    return value if seat == state.to_move else -value


@is_quiet.of(State)
def _is_quiet(state: State) -> bool:
    # Checks are answered before a position is judged; captures are foreseen by the evaluation.
    return not in_check(state, state.to_move)


@can_pass.of(State)
def _can_pass(state: State) -> bool:
    near, far = near_of(state, state.to_move), far_of(state, state.to_move)
    strong_near = near_kind(state, HORSE) | near_kind(state, CHARIOT) | near_kind(state, CANNON)
    strong_far = far_kind(state, HORSE) | far_kind(state, CHARIOT) | far_kind(state, CANNON)
    has_strong = (strong_near & near) | (strong_far & far)
    return has_strong != 0 and state.quiet < MOST_QUIET - 1 and not in_check(state, state.to_move)


@passed.of(State)
def _passed(state: State) -> State:
    chases = state.chases if state.chases < 0 else state.chases & ~CHASED
    return state._replace(to_move=1 - state.to_move, quiet=state.quiet + 1, chases=chases)


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
    places, free = weights[PLACES], weights[FREEDOM]
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
                value += free * FREEDOM_VALUE[(kind - HORSE) * MOST_FREE + goals]
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
    value: float = weights[GUARD] * GUARD_COST[guards * MOST_ATTACK + attackers]
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


PRICELESS = 100.0
"""The worth of a general in an exchange."""


@subroutine
def soldier_beside(soldiers_near: int, soldiers_far: int, seat: int, target: int) -> int:
    """The cell of one of these soldiers of *seat* that could go to *target*, or -1."""
    behind = target - FILES if seat == RED else target + FILES
    if 0 <= behind < CELLS and is_taken(soldiers_near, soldiers_far, behind):
        return behind
    if (target >= HALF) == (seat == RED):
        file = target % FILES
        if file > 0 and is_taken(soldiers_near, soldiers_far, target - 1):
            return target - 1
        if file < FILES - 1 and is_taken(soldiers_near, soldiers_far, target + 1):
            return target + 1
    return -1


@subroutine
def one_that_reaches(state: State, seat: int, kind: int, target: int) -> int:
    """The cell of a piece of *kind* and *seat* from which it reaches *target*, or -1."""
    near, far = near_kind(state, kind) & near_of(state, seat), far_kind(state, kind) & far_of(state, seat)
    for half in range(2):
        pieces = near if half == 0 else far
        while pieces:
            cell = lowest(pieces) + half * HALF
            pieces &= pieces - 1
            reach_near, reach_far = reach(state, cell, kind, seat)
            if is_taken(reach_near, reach_far, target):
                return cell
    return -1


@subroutine
def one_on_lines(state: State, seat: int, kind: int, target: int) -> int:
    """As ``one_that_reaches``, for a chariot or cannon that could capture on *target*; looks along lines from there."""
    near, far = near_kind(state, kind) & near_of(state, seat), far_kind(state, kind) & far_of(state, seat)
    if near | far == 0:
        return -1
    seen_near, seen_far = line_reach(state.red_near | state.black_near, state.red_far | state.black_far, target, kind)
    if seen_near & near:
        return lowest(seen_near & near)
    return lowest(seen_far & far) + HALF if seen_far & far else -1


@subroutine
def cheapest_attacker(state: State, seat: int, target: int) -> int:
    """The cell of the least valuable piece of *seat* that could capture on *target*, or -1; ignores pins."""
    near, far = near_of(state, seat), far_of(state, seat)
    found = soldier_beside(near_kind(state, SOLDIER) & near, far_kind(state, SOLDIER) & far, seat, target)
    is_home = (target < HALF) == (seat == RED)
    if found < 0 and is_home:
        found = one_that_reaches(state, seat, ADVISOR, target)
        if found < 0:
            found = one_that_reaches(state, seat, ELEPHANT, target)
    if found < 0:
        found = one_that_reaches(state, seat, HORSE, target)
    if found < 0:
        found = one_on_lines(state, seat, CANNON, target)
    if found < 0:
        found = one_on_lines(state, seat, CHARIOT, target)
    if found < 0 and is_home:
        found = one_that_reaches(state, seat, GENERAL, target)
    return found


@subroutine
def price(kind: int, weights: Weights) -> float:
    worth: float = PRICELESS if kind == GENERAL else float(weights[kind])
    return worth


@exchange.of(State)
def _exchange(state: State, step: int, weights: Weights, least: float) -> float:
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    taken = kind_at(state, target)
    if taken == 0:
        return 0.0
    taker = kind_at(state, origin)
    won = price(taken, weights)
    if won <= least or won > price(taker, weights):
        return won - 0.01 * taker  # a bound: at worst the taker is lost, which is worth less
    # The swap algorithm with two running bounds instead of a list: what the seat has for certain, and can hope for.
    after = after_moving(state, origin, target)
    least, most = -PRICELESS * 2.0, won
    at_stake, seat, sign = price(taker, weights), after.to_move, -1.0
    balance = won
    while True:
        cell = cheapest_attacker(after, seat, target)
        if cell < 0:
            break
        kind = kind_at(after, cell)
        if sign < 0.0:
            most = min(most, balance)  # the other side may stop here
            balance -= at_stake
            if balance >= most:
                break
        else:
            least = max(least, balance)
            balance += at_stake
            if balance <= least:
                break
        at_stake = price(kind, weights)
        after = after_moving(after, cell, target)
        seat, sign = 1 - seat, -sign
    value = max(least, min(most, balance))
    return value if value != 0.0 else 0.001


@forcing.of(State)
def _forcing(state: State, buffer: Any, base: int) -> int:
    own = near_of(state, state.to_move), far_of(state, state.to_move)
    theirs = near_of(state, 1 - state.to_move), far_of(state, 1 - state.to_move)
    looked_at = watched_cells(state, state.to_move)
    for kind in range(1, SOLDIER + 1):
        for half in range(2):
            pieces = near_kind(state, kind) & own[0] if half == 0 else far_kind(state, kind) & own[1]
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                near, far = reach(state, cell, kind, state.to_move)
                if near & theirs[0] | far & theirs[1]:
                    near, far = legal_reach(state, cell, kind, own, looked_at)
                    base = write_bits(near & theirs[0], cell << STEP_SHIFT, buffer, base)
                    base = write_bits(far & theirs[1], cell << STEP_SHIFT | HALF, buffer, base)
    return base


@subroutine
def best_capture(state: State, seat: int, reached: Side, guarded: Side, weights: Weights) -> float:
    """The gain of the best capture by *seat*: a piece, less the cheapest capturer where the piece is guarded.

    :param reached: ``side`` of *seat*.
    :param guarded: ``side`` of the other one.
    """
    near, far = near_of(state, 1 - seat) & reached[6], far_of(state, 1 - seat) & reached[7]
    best = 0.0
    for kind in range(ADVISOR, SOLDIER + 1):
        worth = weights[kind]
        if worth > best:
            for half in range(2):
                pieces = near_kind(state, kind) & near if half == 0 else far_kind(state, kind) & far
                while pieces:
                    cell = lowest(pieces) + half * HALF
                    pieces &= pieces - 1
                    gain = worth
                    if is_taken(guarded[6], guarded[7], cell):
                        if is_taken(reached[2], reached[3], cell):
                            gain -= weights[SOLDIER]
                        elif is_taken(reached[4], reached[5], cell):
                            gain -= weights[HORSE]
                        else:
                            gain -= weights[CHARIOT]
                    best = max(best, gain)
    return best
