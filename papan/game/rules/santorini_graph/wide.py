"""Santorini on graphs with more nodes than a word has bits: the same rules, word by word.

A ``WideState`` holds each bitboard in two words of 63 nodes. In Python it also has the boards of a ``State``, as
unbounded numbers, so that functions for Python only are written once. Compiled code takes the state apart: one word of
each board is a ``State`` of up to 63 nodes (``part``), whose bitboard arithmetic exists already; only edges lead from
one part to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from papan.game.kernel import Integers, inlined, int64, state, subroutine
from papan.game.kernel.bits import hashed, lowest, popcount, write_bits
from papan.game.rules import key, moves, play
from papan.game.rules.santorini_graph.board import (
    BUILD,
    BUILDING,
    BUILDS_BEHIND,
    MOVE,
    MOVING,
    NODE_MASK,
    ORIGIN_SHIFT,
    PLACE,
    PLACING,
    REACHED_TOP,
    SHARED,
    STUCK,
    TOWER_WINS,
    WORD,
    State,
    begin_turn,
    height,
    level_in_reach,
    next_to_place,
    nodes_after,
    nodes_before,
    nodes_up_to,
    open_nodes,
    workers_of,
)
from papan.game.rules.santorini_graph.names import MOST_WORDS, NODES_A_WORD


@state
class WideState(NamedTuple):
    """As ``State``, with the first and the second word of each bitboard."""

    edges: Integers
    """As in ``State``, two words for each node."""
    nodes: int64
    number: int64
    top: int64
    rules: int64
    ones_0: int64
    ones_1: int64
    twos_0: int64
    twos_1: int64
    fours_0: int64
    fours_1: int64
    eights_0: int64
    eights_1: int64
    workers_0: int64
    workers_1: int64
    others_0: int64
    others_1: int64
    active_0: int64
    active_1: int64
    origin_0: int64
    origin_1: int64
    seat: int64
    phase: int64

    @property
    def ones(self) -> int:
        return self.ones_0 | self.ones_1 << NODES_A_WORD

    @property
    def twos(self) -> int:
        return self.twos_0 | self.twos_1 << NODES_A_WORD

    @property
    def fours(self) -> int:
        return self.fours_0 | self.fours_1 << NODES_A_WORD

    @property
    def eights(self) -> int:
        return self.eights_0 | self.eights_1 << NODES_A_WORD

    @property
    def workers(self) -> int:
        return self.workers_0 | self.workers_1 << NODES_A_WORD

    @property
    def others(self) -> int:
        return self.others_0 | self.others_1 << NODES_A_WORD

    @property
    def active(self) -> int:
        return self.active_0 | self.active_1 << NODES_A_WORD

    @property
    def origin(self) -> int:
        return self.origin_0 | self.origin_1 << NODES_A_WORD


def words_of(boards: Mapping[str, int]) -> dict[str, int]:
    """The fields of a ``WideState`` for *boards* named as in ``State``.

    >>> words_of({"ones": 1 << 63 | 5})
    {'ones_0': 5, 'ones_1': 1}
    """
    return {
        f"{name}_{word}": board >> NODES_A_WORD * word & WORD
        for name, board in boards.items()
        for word in range(MOST_WORDS)
    }


# --------------------------------------------------------------------------------------- parts and edges


@inlined
def part(state: WideState, word: int) -> State:
    """The nodes of one *word* of *state* as a separate board, without edges."""
    if word == 0:
        return State(
            state.edges, NODES_A_WORD, state.number, state.top, state.rules,
            state.ones_0, state.twos_0, state.fours_0, state.eights_0, state.workers_0, state.others_0,
            state.active_0, state.origin_0,
            state.seat, state.phase,
        )  # fmt: skip
    return State(
        state.edges, state.nodes - NODES_A_WORD, state.number, state.top, state.rules,
        state.ones_1, state.twos_1, state.fours_1, state.eights_1, state.workers_1, state.others_1,
        state.active_1, state.origin_1,
        state.seat, state.phase,
    )  # fmt: skip


@inlined
def with_part(state: WideState, word: int, part: State) -> WideState:
    """*state* with the bitboards of *part* in one *word*."""
    if word == 0:
        return state._replace(
            ones_0=part.ones, twos_0=part.twos, fours_0=part.fours, eights_0=part.eights,
            workers_0=part.workers, others_0=part.others, active_0=part.active, origin_0=part.origin,
        )  # fmt: skip
    return state._replace(
        ones_1=part.ones, twos_1=part.twos, fours_1=part.fours, eights_1=part.eights,
        workers_1=part.workers, others_1=part.others, active_1=part.active, origin_1=part.origin,
    )  # fmt: skip


@subroutine
def ends_in(state: WideState, node: int, word: int) -> int:
    """The targets in one *word* of the edges from *node*."""
    return state.edges[MOST_WORDS * node + word]


@subroutine
def starts_in(state: WideState, node: int, word: int) -> int:
    """The origins in one *word* of the edges to *node*."""
    return state.edges[MOST_WORDS * (state.nodes + node) + word]


@nodes_after.of(WideState)
def _nodes_after(state: WideState, node: int) -> int:  # for Python only
    return sum(ends_in(state, node, word) << NODES_A_WORD * word for word in range(MOST_WORDS))


@nodes_before.of(WideState)
def _nodes_before(state: WideState, node: int) -> int:  # for Python only
    return sum(starts_in(state, node, word) << NODES_A_WORD * word for word in range(MOST_WORDS))


@subroutine
def height_of(state: WideState, node: int) -> int:
    """The height of *node*."""
    return height(part(state, node // NODES_A_WORD), node % NODES_A_WORD)


@subroutine
def destinations_in(state: WideState, node: int, word: int) -> int:
    """The targets in one *word* of the worker on *node*."""
    here = part(state, word)
    level = level_in_reach(here, height_of(state, node))
    return ends_in(state, node, word) & nodes_up_to(here, level) & ~(here.workers | here.others)


@subroutine
def sites_in(state: WideState, word: int) -> int:
    """The nodes in one *word* where the worker that has moved can build."""
    here = part(state, word)
    if state.rules & BUILDS_BEHIND:
        return here.origin
    active = lowest(state.active_0) if state.active_0 else NODES_A_WORD + lowest(state.active_1)
    return starts_in(state, active, word) & open_nodes(here) & ~(here.workers | here.others)


@subroutine
def can_move_somewhere(state: WideState, seat: int) -> bool:
    """Whether the seat has a worker that can move."""
    for word in range(MOST_WORDS):
        workers = workers_of(part(state, word), seat)
        while workers:
            node = NODES_A_WORD * word + lowest(workers)
            for other in range(MOST_WORDS):
                if destinations_in(state, node, other):
                    return True
            workers &= workers - 1
    return False


# ------------------------------------------------------------------------------------------------ kernels


@begin_turn.of(WideState)
def _begin_turn(state: WideState) -> WideState:
    phase = MOVING if can_move_somewhere(state, state.seat) else STUCK
    return state._replace(active_0=0, active_1=0, origin_0=0, origin_1=0, phase=phase)


@moves.of(WideState)
def _moves(state: WideState, buffer: list[int], base: int) -> int:
    for word in range(MOST_WORDS):
        first = NODES_A_WORD * word
        here = part(state, word)
        if state.phase == MOVING:
            workers = workers_of(here, state.seat)
            while workers:
                node = first + lowest(workers)
                workers &= workers - 1
                for other in range(MOST_WORDS):
                    kind = (MOVE | node << ORIGIN_SHIFT) + NODES_A_WORD * other
                    base = write_bits(destinations_in(state, node, other), kind, buffer, base)
        elif state.phase == BUILDING:
            base = write_bits(sites_in(state, word), BUILD + first, buffer, base)
        elif state.phase == PLACING:
            free = ((1 << here.nodes) - 1) & ~(here.workers | here.others)
            base = write_bits(free, PLACE + first, buffer, base)
    return base


@subroutine
def after_placing(state: WideState, target: int) -> WideState:
    """*state* with one more worker, on *target*."""
    word, worker = target // NODES_A_WORD, 1 << target % NODES_A_WORD
    here = part(state, word)
    if state.seat == 0 or state.rules & SHARED:
        after = with_part(state, word, here._replace(workers=here.workers | worker))
    else:
        after = with_part(state, word, here._replace(others=here.others | worker))
    placed = popcount(after.workers_0) + popcount(after.workers_1) + popcount(after.others_0) + popcount(after.others_1)
    after = after._replace(seat=next_to_place(state.rules, state.number, placed))
    if placed == state.number:
        after = begin_turn(after)
    return after


@subroutine
def after_moving(state: WideState, origin: int, target: int) -> WideState:
    """*state* after the move of a worker from *origin* to *target*."""
    word, start = origin // NODES_A_WORD, 1 << origin % NODES_A_WORD
    here = part(state, word)
    is_among_workers = here.workers & start
    if is_among_workers:
        here = here._replace(workers=here.workers ^ start, origin=start)
    else:
        here = here._replace(others=here.others ^ start, origin=start)
    after = with_part(state, word, here)
    word, end = target // NODES_A_WORD, 1 << target % NODES_A_WORD
    there = part(after, word)
    if is_among_workers:
        there = there._replace(workers=there.workers | end, active=end)
    else:
        there = there._replace(others=there.others | end, active=end)
    after = with_part(after, word, there)
    if state.rules & TOWER_WINS and height_of(state, target) == state.top - 1:
        return after._replace(active_0=0, active_1=0, origin_0=0, origin_1=0, phase=REACHED_TOP)
    return after._replace(phase=BUILDING)


@subroutine
def after_building(state: WideState, target: int) -> WideState:
    """*state* with *target* one level higher, and the other seat's turn."""
    word, node = target // NODES_A_WORD, target % NODES_A_WORD
    here = part(state, word)
    level, rest = height(here, node) + 1, ~(1 << node)
    ones, twos = here.ones & rest | (level & 1) << node, here.twos & rest | (level >> 1 & 1) << node
    fours, eights = here.fours & rest | (level >> 2 & 1) << node, here.eights & rest | (level >> 3 & 1) << node
    after = with_part(state, word, here._replace(ones=ones, twos=twos, fours=fours, eights=eights))
    built: WideState = begin_turn(after._replace(seat=1 - state.seat))
    return built


@play.of(WideState)
def _play(state: WideState, step: int) -> WideState:
    origin, target = step >> ORIGIN_SHIFT & NODE_MASK, step & NODE_MASK
    if state.phase == MOVING:
        return after_moving(state, origin, target)
    if state.phase == BUILDING:
        return after_building(state, target)
    return after_placing(state, target)


@key.of(WideState)
def _key(state: WideState) -> int:
    return hashed(
        state.ones_0,
        state.ones_1,
        state.twos_0,
        state.twos_1,
        state.fours_0,
        state.fours_1,
        state.eights_0,
        state.eights_1,
        state.workers_0,
        state.workers_1,
        state.others_0,
        state.others_1,
        state.active_0 | state.origin_0,
        state.active_1 | state.origin_1,
        state.seat << 3 | state.phase,
    )
