"""Making the atlas of Santorini on graphs: each start on each small graph decided by trying plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact.santorini_graph.atlas import VARIANTS, Atlas, empty_board, fewest_nodes, worker_sets
from papan.ai.exact.santorini_graph.graphs import MOST_NODES, Edges, code_of, connected_graphs, graph_of
from papan.game.base.sentences import say
from papan.game.kernel import compiled, subroutine
from papan.game.rules import State, is_over, key, mover, moves, payoff, play, santorini_graph
from papan.game.rules.santorini_graph.board import PLACING, SEATS, SHARED, begin_turn
from papan.game.rules.santorini_graph.names import Variant, read_variant

FEWEST_NODES = 2


class AtlasError(ValueError):
    """There can be no such atlas; the message is a sentence that says why."""


def won_starts(variant: Variant, graph: Edges, decider: Decider) -> list[bool]:
    """Whether the seat to act wins, for each of ``worker_sets`` on *graph*.

    :param decider: has been asked of nothing else but *variant* on *graph*.
    """
    sets = np.array(worker_sets(len(graph), variant.workers, variant.is_shared), np.int64)
    return decider.won_starts(empty_board(variant, graph), sets[:, 0].copy(), sets[:, 1].copy())


def make(nodes: int, tell: Callable[[str], None] = lambda words: None) -> Atlas:
    """The atlas of all connected graphs with up to so many *nodes*, or as many as ``VARIANTS`` has for a variant.

    :param tell: told what is being solved.
    :raises AtlasError: there can be none of so many nodes.
    """
    if not FEWEST_NODES <= nodes <= MOST_NODES:
        raise AtlasError(
            say(
                "An atlas of {nodes} nodes can't be made: it must be {fewest} to {most}.",
                nodes=nodes,
                fewest=FEWEST_NODES,
                most=MOST_NODES,
            )
        )
    codes = sorted(code_of(graph) for size in range(FEWEST_NODES, nodes + 1) for graph in connected_graphs(size))
    graphs = {size: [graph for graph in map(graph_of, codes) if len(graph) == size] for size in range(nodes + 1)}
    variants, blocks = {}, [np.zeros(0, np.uint8)]
    for name, most in VARIANTS.items():
        variant = read_variant(name)
        sizes = range(fewest_nodes(variant), min(most, nodes) + 1)
        if not sizes:
            continue
        variants[name] = sizes[-1]
        for size in sizes:
            tell(say("{variant}, {nodes} nodes", variant=name, nodes=size))
            bits = [bit for graph in graphs[size] for bit in won_starts(variant, graph, Decider())]
            blocks.append(np.packbits(np.array(bits, np.bool_)))
    return Atlas(variants, np.array(codes, np.uint64), np.concatenate(blocks))


FULL = -1
"""What a kernel answers where the table is full."""

_FIRST_SLOTS = 1 << 12
_MOST_STEPS_ON_PATH = 1 << 10
_LOST, _WON = 1, 2
"""Answers of ``decide``; 0 is none."""

Sets = NDArray[np.int64]
"""Bitboards of nodes."""

ENTRY = np.dtype([("key", np.int64), ("answer", np.int64)])


class Asker:
    """Asks a kernel about positions of one graph and one variant; a position that was met is known by its key."""

    def __init__(self) -> None:
        self._table = np.zeros(_FIRST_SLOTS, ENTRY)
        self._facts = np.zeros(2, np.int64)  # filled slots, the most turns to choose among
        self._buffer = np.empty(santorini_graph.MOST_STEPS * _MOST_STEPS_ON_PATH, np.int64)

    @property
    def positions(self) -> int:
        """How many positions, within turns as well, were looked at."""
        return int(self._facts[0])

    def _ask(self, kernel: Callable[..., int], state: State) -> int:
        """What *kernel* says of *state*, with a table that is large enough."""
        while (answer := int(kernel(state, self._table, self._facts, self._buffer, 0))) == FULL:
            self._table = np.zeros(4 * len(self._table), ENTRY)
            self._facts[0] = 0
        return answer


class Decider(Asker):
    """Tries plays until it is known who wins."""

    def is_won(self, state: State) -> bool:
        """Whether the seat to act can force a win of *state*."""
        if is_over(state):
            return bool(payoff(state, mover(state)) > 0)
        return self._ask(decide, state) == _WON

    def won_starts(self, empty: State, own: Sets, others: Sets) -> list[bool]:
        """Whether the seat to act wins, for each start that can come of the board *empty*.

        :param own: of each start the workers of the first seat, or those that all share; *others* the second seat's.
        """
        self._ask(decide, empty)
        found = np.zeros(len(own), np.bool_)
        unknown = look_up(empty._replace(seat=first_to_move(empty)), own, others, self._table, found)
        assert not unknown, "a start can't come of the empty board"
        answers: list[bool] = found.tolist()
        return answers

    def prepare(self, state: State) -> None:
        """Compile it, or load it from the cache."""
        decide.prepare(state, self._table, self._facts, self._buffer, 0)


@subroutine
def slot_of(position: int, table: Any) -> int:
    """Where the answer about the key *position* is, or is to be: there the answer is 0."""
    slot = position & (len(table) - 1)
    while table[slot].answer != 0 and table[slot].key != position:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@compiled
def decide(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """``_WON`` if the mover of *state* can force a win, ``_LOST`` if not, ``FULL`` if the table is.

    While workers are placed every way is tried, so that the table then has all starts. ``buffer[base:]`` is free to
    use. Two positions of one key would be taken for one; keys have 63 bits.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return FULL
    seat = mover(state)
    found = _LOST
    end = moves(state, buffer, base)
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after):
            wins = payoff(after, seat) > 0
        else:
            answer = decide(after, table, facts, buffer, end)
            if answer == FULL:
                return answer
            wins = (answer == _WON) == (mover(after) == seat)
        if wins:
            found = _WON
            if state.phase != PLACING:
                break
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, found
    facts[0] += 1
    return found


def first_to_move(empty: State) -> int:
    """The seat to act once all workers are placed."""
    return int(empty.number) % SEATS if empty.rules & SHARED else 0


@compiled
def look_up(empty: State, own: Any, others: Any, table: Any, found: Any) -> int:
    """Write to *found* whether the seat to act wins each start, as ``decide`` has noted; how many it has not."""
    unknown = 0
    for index in range(len(own)):
        start = begin_turn(empty._replace(workers=int(own[index]), others=int(others[index])))
        if is_over(start):
            found[index] = payoff(start, mover(start)) > 0
            continue
        answer = int(table[slot_of(key(start), table)].answer)
        found[index] = answer == _WON
        unknown += answer == 0
    return unknown
