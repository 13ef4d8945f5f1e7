"""The atlas of Santorini on graphs: who wins from each start on each small connected graph, in one file.

A *start* is an empty board with all workers on it. A bit says whether the seat to act wins it. The file has the codes
of the graphs in ascending order, so those of fewer nodes come first, and for each variant and number of nodes a block:
the bits of graph after graph, in the order of ``worker_sets``, filled up with zeros to whole bytes. Nodes are numbered
as ``canonical`` does; a graph is found by any numbering of its nodes. Where the seats share the workers, a second array
has each start's nimber (``papan.ai.exact.nimbers``), a byte each, in the same order.

While workers are placed, a board's value follows from those of the starts that can follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact.nimbers import mex
from papan.ai.exact.santorini_graph.graphs import MOST_NODES, Edges, canonical_order, code_of, graph_of, is_connected
from papan.ai.learning.weight_files import WeightFileError, own_or_bundled, read_arrays, read_head, write_arrays
from papan.game.base.places import data_folder
from papan.game.base.untrusted import quoted_path
from papan.game.game import OptionError
from papan.game.kernel.bits import cells_of
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, legal_steps, mover, payoff, play
from papan.game.rules.santorini_graph.board import MOVING, PLACING, SHARED, State, begin_turn, state_of
from papan.game.rules.santorini_graph.names import Graph, Variant, read_variant

ASSET = "atlas/santorini-graph.npz"
KIND, VERSION = "Papan atlas of small graphs", 2
GRAPHS, ANSWERS, NIMBERS, VARIANTS_KEPT = "graphs", "answers", "nimbers", "variants"
"""The names of the arrays in the file, and of the header's entry with the most nodes by variant."""

VARIANTS: Mapping[str, int] = {
    "1W_I1H_NTWU*S": 8, "1W_I1H_NTWUS": 8, "1W_I2H_NTWU*S": 8, "1W_I2H_NTWUS": 7, "1W_I2H_NTWUS_FM": 7,
    "1W_I2H_TWUS": 7, "1W_I3H_NTWU*S": 7, "1W_I3H_NTWUS": 7, "1W_I3H_TWUS": 7,
    "2W_I1H_NTWUS": 8, "2W_I2H_NTWUS": 7, "2W_I3H_TWUS": 7,
    "2W_P1H_NTWU*S": 8, "2W_P1H_NTWUS": 8, "2W_P2H_NTWU*S": 7, "2W_P2H_NTWUS": 7, "2W_P2H_TWUS": 7,
    "2W_P3H_NTWUS": 7, "2W_P3H_TWUS": 7,
    "4W_P1H_NTWUS": 7, "4W_P2H_NTWUS": 7, "4W_P2H_TWUS": 7,
}  # fmt: skip
"""The most nodes of the graphs for each variant."""

WorkerSets = tuple[int, int]
"""The workers of the seat to act and those of the other, as bitboards; if shared, the other has none."""


def fewest_nodes(variant: Variant) -> int:
    """The fewest nodes on which a seat can move."""
    return variant.workers + 1


@cache
def worker_sets(nodes: int, workers: int, is_shared: bool) -> tuple[WorkerSets, ...]:
    """All starts on *nodes* nodes, ordered by the workers of the seat to act, least nodes first, then by the other's.

    >>> worker_sets(3, 2, is_shared=False)
    ((1, 2), (1, 4), (2, 1), (2, 4), (4, 1), (4, 2))
    """
    if is_shared:
        return tuple((_bits(one), 0) for one in itertools.combinations(range(nodes), workers))
    found = []
    for one in itertools.combinations(range(nodes), workers // 2):
        left = [node for node in range(nodes) if node not in one]
        found += [(_bits(one), _bits(other)) for other in itertools.combinations(left, workers // 2)]
    return tuple(found)


def _bits(nodes: Sequence[int]) -> int:
    return sum(1 << node for node in nodes)


@cache
def _numbers(nodes: int, workers: int, is_shared: bool) -> Mapping[WorkerSets, int]:
    return {sets: number for number, sets in enumerate(worker_sets(nodes, workers, is_shared))}


def start_of(variant: Variant, graph: Edges, sets: WorkerSets) -> State:
    """The start with the workers *sets* on *graph*; the first seat is to act, or has lost if it can't move."""
    board = Graph(len(graph), graph)
    placed: State = state_of(board, variant, [0] * len(graph), sets, 0, MOVING)
    begun: State = begin_turn(placed)
    return begun


def empty_board(variant: Variant, graph: Edges) -> State:
    """*graph* before any worker is placed."""
    empty: State = state_of(Graph(len(graph), graph), variant, [0] * len(graph), (0, 0), 0, PLACING)
    return empty


class _Rules(NamedTuple):
    """A variant's rules as a state has them, except whether edges lead both ways."""

    workers: int
    height: int
    rules: int


class Entry(NamedTuple):
    variant: str
    graph: Edges
    sets: WorkerSets | None
    """None for the empty board."""

    @property
    def state(self) -> State:
        facts = read_variant(self.variant)
        return empty_board(facts, self.graph) if self.sets is None else start_of(facts, self.graph, self.sets)


@dataclass(frozen=True, eq=False)
class Atlas:
    variants: Mapping[str, int]
    """The most nodes for each variant."""
    graphs: NDArray[np.uint64]
    """The codes of the graphs, in ascending order."""
    answers: NDArray[np.uint8]
    """The bits of all blocks: 1 where the seat to act wins."""
    nimbers: NDArray[np.uint8]
    """The nimbers of all blocks of variants with shared workers, or ``AT_ONCE``."""

    @cached_property
    def _blocks(self) -> Mapping[tuple[_Rules, int], tuple[int, int]]:
        """The first bit, and the first nimber, of the block of each variant and number of nodes."""
        starts, bit, nimber = {}, 0, 0
        for name, most in self.variants.items():
            variant = read_variant(name)
            for nodes in range(fewest_nodes(variant), most + 1):
                starts[_rules_of(empty_board(variant, (0,) * nodes)), nodes] = bit, nimber
                graphs = len(self.graphs_of(nodes))
                bit += 8 * block_bytes(variant, nodes, graphs)
                nimber += graphs * number_of_nimbers(variant, nodes)
        return starts

    def graphs_of(self, nodes: int) -> range:
        ends = [1 << MOST_NODES * (nodes - 1), 1 << MOST_NODES * nodes]
        first, end = (int(np.searchsorted(self.graphs, np.uint64(min(one, (1 << 64) - 1)))) for one in ends)
        return range(first, len(self.graphs) if nodes == MOST_NODES else end)

    @property
    def most_nodes(self) -> int:
        """The most nodes of any graph; 0 if there is none."""
        return len(graph_of(int(self.graphs[-1]))) if len(self.graphs) else 0

    def covers(self, state: AnyState) -> bool:
        """Whether the atlas has *state*, which is not over: an empty board, one being placed on, or a start."""
        if state.nodes > MOST_NODES or state.ones | state.twos | state.fours | state.eights:
            return False
        if state.phase != PLACING and (state.phase != MOVING or state.active):
            return False
        if (_rules_of(state), int(state.nodes)) not in self._blocks:
            return False
        edges = _edges_of(state)
        return edges is not None and self._place_of(edges) is not None

    def is_won(self, state: AnyState) -> bool:
        """Whether the seat to act wins *state*, which the atlas covers or which is over after the placing."""
        if is_over(state):
            return bool(payoff(state, int(mover(state))) > 0.0)
        if state.phase == MOVING:
            block, number = self._number_of(state)
            bit = self._blocks[block][0] + number
            return bool(self.answers[bit >> 3] >> (7 - (bit & 7)) & 1)
        seat = int(mover(state))
        afters = (play(state, step) for step in legal_steps(state))
        return any(self.is_won(after) == (int(mover(after)) == seat) for after in afters)

    def has_nimber(self, state: AnyState) -> bool:
        """Whether the atlas has the nimber of *state*, which is not over."""
        if not self.covers(state):
            return False
        return bool(state.rules & SHARED) and state.nodes <= most_nimber_nodes(state.number, state.top)

    def nimber(self, state: AnyState) -> int:
        """The nimber of *state*, or ``AT_ONCE``: the atlas has it, or the game is over after the placing."""
        if is_over(state):
            return 0
        if state.phase == MOVING:
            block, number = self._number_of(state)
            return int(self.nimbers[self._blocks[block][1] + number])
        return mex(self.nimber(play(state, step)) for step in legal_steps(state))

    def _number_of(self, start: AnyState) -> tuple[tuple[_Rules, int], int]:
        """The block of *start*, and its number there."""
        edges, rules, nodes = _edges_of(start), _rules_of(start), int(start.nodes)
        assert edges is not None
        place, is_shared = self._place_of(edges), bool(rules.rules & SHARED)
        assert place is not None
        sets = (int(start.workers), int(start.others))
        if start.seat == 1 and not is_shared:
            sets = sets[::-1]
        numbers = {node: number for number, node in enumerate(canonical_order(edges))}
        own, other = (_bits([numbers[node] for node in cells_of(one)]) for one in sets)
        known = _numbers(nodes, rules.workers, is_shared)
        return (rules, nodes), (place - self.graphs_of(nodes).start) * len(known) + known[own, other]

    def _place_of(self, edges: Edges) -> int | None:
        """The index of the graph with these *edges*, in any numbering; None if it is not there."""
        order = canonical_order(edges)
        place_of = {node: number for number, node in enumerate(order)}
        code = code_of(tuple(_bits([place_of[end] for end in cells_of(edges[node])]) for node in order))
        place = int(np.searchsorted(self.graphs, np.uint64(code)))
        return place if place < len(self.graphs) and int(self.graphs[place]) == code else None

    # ------------------------------------------------------------------------------------- entry by entry

    def places(self, nodes: int) -> range:
        """The numbers of the entries of graphs with *nodes* nodes."""
        return range(sum(self._entries(name, nodes) for name in self.variants))

    def entry(self, nodes: int, place: int) -> Entry:
        for name in self.variants:
            if place < self._entries(name, nodes):
                variant = read_variant(name)
                sets = worker_sets(nodes, variant.workers, variant.is_shared)
                graph, number = divmod(place, 1 + len(sets))
                edges = graph_of(int(self.graphs[self.graphs_of(nodes)[graph]]))
                return Entry(name, edges, sets[number - 1] if number else None)
            place -= self._entries(name, nodes)
        raise IndexError(place)

    def _entries(self, name: str, nodes: int) -> int:
        variant = read_variant(name)
        if not fewest_nodes(variant) <= nodes <= self.variants[name]:
            return 0
        return len(self.graphs_of(nodes)) * (1 + number_of_starts(variant, nodes))


def number_of_starts(variant: Variant, nodes: int) -> int:
    if variant.is_shared:
        return comb(nodes, variant.workers)
    own = variant.workers // 2
    return comb(nodes, own) * comb(nodes - own, own)


def most_nimber_nodes(workers: int, height: int) -> int:
    """The most nodes of graphs with nimbers: of larger ones they are computed when asked for, in milliseconds."""
    return 7 if workers == 1 and height <= 2 else 6


def number_of_nimbers(variant: Variant, nodes: int) -> int:
    has_nimbers = variant.is_shared and nodes <= most_nimber_nodes(variant.workers, variant.height)
    return number_of_starts(variant, nodes) if has_nimbers else 0


def block_bytes(variant: Variant, nodes: int, graphs: int) -> int:
    return (graphs * number_of_starts(variant, nodes) + 7) // 8


def _rules_of(state: AnyState) -> _Rules:
    return _Rules(int(state.number), int(state.top), int(state.rules))


def _edges_of(state: AnyState) -> Edges | None:
    """The graph of *state*, if it is connected by edges that lead both ways."""
    edges = tuple(int(ends) for ends in state.edges[: state.nodes])
    return edges if is_connected(edges) else None


# ------------------------------------------------------------------------------------------- the file

NO_ATLAS = Atlas({}, np.zeros(0, np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint8))
"""An atlas that covers nothing."""


def own_file() -> Path:
    """The path of the user's own atlas, which replaces the bundled one."""
    return data_folder() / "atlas" / "santorini-graph.npz"


@cache
def known_atlas() -> Atlas:
    """The user's own atlas, else the bundled one; ``NO_ATLAS`` if both are damaged."""
    found = own_or_bundled(own_file(), ASSET, read_atlas)
    return NO_ATLAS if found is None else found


def keep_tables(tables: Atlas, file: IO[bytes]) -> None:
    """Write an atlas to a file for ``read_atlas``."""
    head = {"kind": KIND, "version": VERSION, VARIANTS_KEPT: dict(tables.variants)}
    arrays: dict[str, NDArray[Any]] = {GRAPHS: tables.graphs, ANSWERS: tables.answers, NIMBERS: tables.nimbers}
    write_arrays(file, head, arrays, compressed=True)


def read_atlas(path: Path) -> Atlas:
    """The atlas in the file *path*; raises WeightFileError if it holds none."""
    variants = read_head(path, KIND, VERSION).get(VARIANTS_KEPT)
    kept = read_arrays(path, {GRAPHS: np.uint64, ANSWERS: np.uint8, NIMBERS: np.uint8})
    graphs, answers, nimbers = kept[GRAPHS], kept[ANSWERS], kept[NIMBERS]
    if {graphs.ndim, answers.ndim, nimbers.ndim} != {1} or not bool(np.all(graphs[1:] > graphs[:-1])):
        raise _misshapen(path)
    atlas = Atlas(_checked_variants(variants, path), graphs, answers, nimbers)
    bits = numbers = 0
    for name, most in atlas.variants.items():
        variant = read_variant(name)
        for nodes in range(fewest_nodes(variant), most + 1):
            bits += block_bytes(variant, nodes, len(atlas.graphs_of(nodes)))
            numbers += len(atlas.graphs_of(nodes)) * number_of_nimbers(variant, nodes)
    if (len(answers), len(nimbers)) != (bits, numbers):
        raise _misshapen(path)
    return atlas


def _checked_variants(variants: Any, path: Path) -> dict[str, int]:
    """:raises WeightFileError: there are none."""
    try:
        facts = {name: read_variant(name) for name in variants}
        if all(isinstance(variants[name], int) and 2 <= variants[name] <= MOST_NODES for name in facts):
            return {name: variants[name] for name in facts}
    except (TypeError, OptionError):
        pass
    raise _misshapen(path)


def _misshapen(path: Path) -> WeightFileError:
    return WeightFileError.saying("{file} holds no atlas of Santorini's small graphs.", file=quoted_path(path))
