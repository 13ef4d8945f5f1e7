"""Santorini on graphs: the state, and functions that read it.

The height of all nodes is written in binary, one bitboard for each digit: building on a node adds one to its
number, and "not higher than h" is a few operations for all nodes together. Bit n of a bitboard is node n.

A board of up to 63 nodes has one word for each bitboard, a ``State``. On a larger one they are cut into words; its
``WideState`` is in ``wide``. Python's integers are unbounded, so in plain Python the functions here also work for a
``WideState``; only its compiled code goes word by word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from papan.game.kernel import Integers, inlined, int64, kernel, state, subroutine
from papan.game.kernel.bits import cells_of, lowest
from papan.game.rules.santorini_graph.names import MOST_WORDS, NODES_A_WORD, Graph, Variant

# The values of ``State.phase``: the phases in their order, then the ways in which a game ends.
PLACING, MOVING, BUILDING, REACHED_TOP, STUCK = range(5)

# The bits of ``State.rules``.
SHARED, TOWER_WINS, BUILDS_BEHIND, MOVES_FREELY = 1, 2, 4, 8

# A step has seven bits for the origin of a move, and below them seven for the other node. In place of an origin, two
# numbers that no node has mark the placing of a worker and a block.
ORIGIN_SHIFT = 7
NODE_MASK = (1 << ORIGIN_SHIFT) - 1
MOVE, PLACE, BUILD = 0, 126 << ORIGIN_SHIFT, 127 << ORIGIN_SHIFT

AnyState = TypeVar("AnyState")
"""``State`` or ``WideState``."""
SEATS = 2
WORD = (1 << NODES_A_WORD) - 1
BITBOARDS = ("ones", "twos", "fours", "eights", "workers", "others", "active", "origin")
"""The fields of a ``State`` that are sets of nodes."""


@state
class State(NamedTuple):
    """The graph and the variant, then heights, workers, the seat to act and the phase."""

    edges: Integers
    """For each node the targets of its edges, then for each node the origins of edges to it."""
    nodes: int64
    number: int64
    """The number of workers of both seats together, once all are placed."""
    top: int64
    """The height of a closed node."""
    rules: int64
    ones: int64
    """Nodes whose height, in binary, has a last digit of 1; so on for the next three digits."""
    twos: int64
    fours: int64
    eights: int64
    workers: int64
    """The first seat's workers, or the shared ones."""
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
    """The height of *node*."""
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


@kernel
def nodes_after(state: State, node: int) -> int:
    """The targets of the edges from *node*."""
    raise NotImplementedError


@nodes_after.of(State)
@inlined
def _nodes_after(state: State, node: int) -> int:
    return state.edges[node]


@kernel
def nodes_before(state: State, node: int) -> int:
    """The origins of the edges to *node*."""
    raise NotImplementedError


@nodes_before.of(State)
@inlined
def _nodes_before(state: State, node: int) -> int:
    return state.edges[state.nodes + node]


@subroutine
def workers_of(state: State, seat: int) -> int:
    """The workers of the seat."""
    return state.others if seat == 1 and state.rules & SHARED == 0 else state.workers


@inlined
def level_in_reach(state: State, level: int) -> int:
    """The highest level that a worker on *level* can move to."""
    return state.top - 1 if state.rules & MOVES_FREELY else min(state.top - 1, level + 1)


@subroutine
def destinations(state: State, node: int) -> int:
    """Bitboard of the targets of the worker on *node*."""
    level = level_in_reach(state, height(state, node))
    return nodes_after(state, node) & nodes_up_to(state, level) & ~(state.workers | state.others)


@subroutine
def building_sites(state: State) -> int:
    """Bitboard of the nodes where the worker that has moved can build, always including the node it left."""
    if state.rules & BUILDS_BEHIND:
        return state.origin
    return nodes_before(state, lowest(state.active)) & open_nodes(state) & ~(state.workers | state.others)


@subroutine
def next_to_place(rules: int, number: int, placed: int) -> int:
    """The seat to act once *placed* of *number* workers are placed."""
    return placed % SEATS if rules & SHARED else placed * SEATS // number % SEATS


@subroutine
def can_move(state: State, seat: int) -> bool:
    """Whether the seat has a worker that can move."""
    workers = workers_of(state, seat)
    while workers:
        if destinations(state, lowest(workers)):
            return True
        workers &= workers - 1
    return False


@kernel
def begin_turn(state: Any) -> Any:
    """*state*, ready for a seat to move a worker: the seat has lost if it can't."""
    raise NotImplementedError


@begin_turn.of(State)
def _begin_turn(state: State) -> State:
    return state._replace(active=0, origin=0, phase=MOVING if can_move(state, state.seat) else STUCK)


# ------------------------------------------------------------------------------------------ for people


def share(state: State) -> int:
    """The number of workers that a seat places: half of them, or all if they are shared."""
    return state.number if state.rules & SHARED else state.number // SEATS


def state_of(
    graph: Graph, variant: Variant, heights: Sequence[int], workers: tuple[int, int], seat: int, phase: int
) -> Any:
    """The state at the start of a turn with these *heights* and the *workers* of both seats as bitboards.

    :returns: a ``State``, or a ``WideState`` if *graph* has more nodes than a word.
    """
    from papan.game.rules.santorini_graph.wide import WideState, words_of

    rules = SHARED * variant.is_shared | TOWER_WINS * variant.has_tower_wins
    rules |= BUILDS_BEHIND * variant.builds_behind | MOVES_FREELY * variant.moves_freely
    digits = [sum((level >> digit & 1) << node for node, level in enumerate(heights)) for digit in range(4)]
    boards = dict(zip(BITBOARDS, (*digits, *workers, 0, 0), strict=True))
    others = {"number": variant.workers, "top": variant.height, "rules": rules, "seat": seat, "phase": phase}
    if graph.nodes <= NODES_A_WORD:
        return State(edges=_words(graph, 1), nodes=graph.nodes, **others, **boards)
    return WideState(edges=_words(graph, MOST_WORDS), nodes=graph.nodes, **others, **words_of(boards))


def with_boards(state: AnyState, **boards: int) -> AnyState:
    """*state*, narrow or wide, with other bitboards, by their names in ``State``; for Python only."""
    from papan.game.rules.santorini_graph.wide import words_of

    changed: Any = state
    replaced: AnyState = changed._replace(**(boards if isinstance(state, State) else words_of(boards)))
    return replaced


@lru_cache(maxsize=64)
def _words(graph: Graph, words: int) -> Integers:
    """``edges`` for *graph*, with bitboards of that many *words*."""
    before = [0] * graph.nodes
    for start, ends in enumerate(graph.edges):
        for end in cells_of(ends):
            before[end] |= 1 << start
    return Integers(board >> NODES_A_WORD * word & WORD for board in (*graph.edges, *before) for word in range(words))


def step_parts(step: int) -> tuple[int, int, int]:
    """A step's kind, the origin of a move, and the other node."""
    origin, target = step >> ORIGIN_SHIFT & NODE_MASK, step & NODE_MASK
    kind = step & -1 << ORIGIN_SHIFT
    return (kind, 0, target) if kind in (PLACE, BUILD) else (MOVE, origin, target)


def move_step(origin: int, target: int) -> int:
    """The step that moves the worker on *origin* to *target*."""
    return MOVE | origin << ORIGIN_SHIFT | target
