"""Santorini on graphs: what a state holds, and what can be read from it.

The height of all nodes is written in binary, one bitboard for each digit: building on a node adds one to its
number, and "not higher than h" is a few operations for all nodes together. Bit n of a bitboard is node n.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from papan.game.kernel import Integers, int64, state, subroutine
from papan.game.kernel.bits import cells_of, lowest
from papan.game.rules.santorini_graph.names import MOST_NODES, Graph, Variant

# What ``State.phase`` holds: the phases in their order, then the ways in which a game ends.
PLACING, MOVING, BUILDING, REACHED_TOP, STUCK = range(5)

# What ``State.rules`` is made of.
SHARED, TOWER_WINS, BUILDS_BEHIND, MOVES_FREELY = 1, 2, 4, 8

# The kind of a step, and below it five bits for the node that its worker leaves and five for the other node.
ORIGIN_SHIFT = 5
NODE_MASK = (1 << ORIGIN_SHIFT) - 1
KIND_SHIFT = 2 * ORIGIN_SHIFT
PLACE, MOVE, BUILD = (kind << KIND_SHIFT for kind in range(3))

EVERY_NODE = (1 << MOST_NODES) - 1
SEATS = 2


@state
class State(NamedTuple):
    """The graph and the variant, then heights, workers, and whose turn it is in which phase."""

    edges: Integers
    """For each node, in the lower half of the word the nodes that its edges lead to, in the upper half those
    whose edges lead to it. A word can be negative."""
    nodes: int64
    number: int64
    """How many workers there are once all are placed, of both seats together."""
    top: int64
    """The height of a closed node."""
    rules: int64
    ones: int64
    """Nodes whose height, in binary, has a last digit of 1; so on for the next three digits."""
    twos: int64
    fours: int64
    eights: int64
    workers: int64
    """The first seat's workers, or everybody's where they are shared."""
    others: int64
    """The second seat's workers."""
    active: int64
    """Within a turn the worker that moved; 0 at its start."""
    origin: int64
    """Within a turn the node that it left; 0 at its start."""
    seat: int64
    """The seat to act; once the game is over, the seat that won by a move or the one that is stuck."""
    phase: int64


# --------------------------------------------------------------------------------------------- heights


@subroutine
def height(state: State, node: int) -> int:
    """How high *node* is."""
    low = (state.ones >> node & 1) | (state.twos >> node & 1) << 1
    return low | (state.fours >> node & 1) << 2 | (state.eights >> node & 1) << 3


@subroutine
def nodes_up_to(state: State, level: int) -> int:
    """The nodes that are not higher than *level*, which may be below 0."""
    if level < 0:
        return 0
    lower = 0
    equal = (1 << state.nodes) - 1
    for digit, plane in ((3, state.eights), (2, state.fours), (1, state.twos), (0, state.ones)):
        if level >> digit & 1:
            lower |= equal & ~plane
            equal &= plane
        else:
            equal &= ~plane
    return lower | equal


@subroutine
def open_nodes(state: State) -> int:
    """The nodes that are not closed."""
    return nodes_up_to(state, state.top - 1)


# ----------------------------------------------------------------------------------- edges and workers


@subroutine
def nodes_after(state: State, node: int) -> int:
    """The nodes that the edges from *node* lead to."""
    return state.edges[node] & EVERY_NODE


@subroutine
def nodes_before(state: State, node: int) -> int:
    """The nodes from which an edge leads to *node*."""
    return state.edges[node] >> MOST_NODES & EVERY_NODE


@subroutine
def workers_of(state: State, seat: int) -> int:
    """The workers that the seat moves."""
    return state.others if seat == 1 and state.rules & SHARED == 0 else state.workers


@subroutine
def destinations(state: State, node: int) -> int:
    """Where the worker on *node* can move to."""
    level = state.top - 1
    if state.rules & MOVES_FREELY == 0:
        level = min(level, height(state, node) + 1)
    return nodes_after(state, node) & nodes_up_to(state, level) & ~(state.workers | state.others)


@subroutine
def building_sites(state: State) -> int:
    """Where the worker that has moved can build: the node it left is always among them."""
    if state.rules & BUILDS_BEHIND:
        return state.origin
    return nodes_before(state, lowest(state.active)) & open_nodes(state) & ~(state.workers | state.others)


@subroutine
def can_move(state: State, seat: int) -> bool:
    """Whether the seat has a worker that can move."""
    workers = workers_of(state, seat)
    while workers:
        if destinations(state, lowest(workers)):
            return True
        workers &= workers - 1
    return False


@subroutine
def begin_turn(state: State) -> State:
    """*state*, where all is set for a seat to move a worker: it has lost if it can't."""
    return state._replace(active=0, origin=0, phase=MOVING if can_move(state, state.seat) else STUCK)


# ------------------------------------------------------------------------------------------ for people


def share(state: State) -> int:
    """How many workers a seat places: half of them, or all where they are shared."""
    return state.number if state.rules & SHARED else state.number // SEATS


def state_of(
    graph: Graph, variant: Variant, heights: Sequence[int], workers: tuple[int, int], seat: int, phase: int
) -> State:
    """The state at the start of a turn with these *heights* and the *workers* of both seats as bitboards."""
    rules = SHARED * variant.is_shared | TOWER_WINS * variant.has_tower_wins
    rules |= BUILDS_BEHIND * variant.builds_behind | MOVES_FREELY * variant.moves_freely
    ones, twos, fours, eights = (
        sum((level >> digit & 1) << node for node, level in enumerate(heights)) for digit in range(4)
    )
    first, second = workers
    return State(
        edges=_words(graph), nodes=graph.nodes, number=variant.workers, top=variant.height, rules=rules,
        ones=ones, twos=twos, fours=fours, eights=eights, workers=first, others=second,
        active=0, origin=0, seat=seat, phase=phase,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _words(graph: Graph) -> Integers:
    """``State.edges`` of *graph*."""
    words = [0] * graph.nodes
    for start, ends in enumerate(graph.edges):
        words[start] |= ends
        for end in cells_of(ends):
            words[end] |= 1 << (MOST_NODES + start)
    signed = 1 << (2 * MOST_NODES - 1)
    return Integers((word ^ signed) - signed for word in words)


def step_parts(step: int) -> tuple[int, int, int]:
    """A step's kind, the node that a move leaves, and the other node."""
    return step & -1 << KIND_SHIFT, step >> ORIGIN_SHIFT & NODE_MASK, step & NODE_MASK


def move_step(origin: int, target: int) -> int:
    """The step that moves the worker on *origin* to *target*."""
    return MOVE | origin << ORIGIN_SHIFT | target
