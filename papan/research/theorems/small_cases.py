"""Statements of Geissler (2020) on small graphs, decided by trying every play: sections 4.2, 6.3 and 6.4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

from papan.ai.exact.santorini_graph.graphs import Edges, automorphisms, board_of, connected_graphs
from papan.game.rules import State, santorini_graph
from papan.game.rules.santorini_graph.names import read_variant
from papan.research.theorems.deciding import Explorer

WITH_STIPULATION, WITHOUT_STIPULATION = "1W_I1H_NTWU*S", "1W_I1H_NTWUS"


def starts(variant: str, board: str, nodes: int) -> Iterator[State]:
    """The states with all ways to place the workers of *variant* on an empty *board* with *nodes* nodes; Left acts."""
    facts = read_variant(variant)
    own = facts.workers if facts.is_shared else facts.workers // 2
    for first in combinations(range(nodes), own):
        left = [node for node in range(nodes) if node not in first]
        for second in [()] if facts.is_shared else combinations(left, own):
            parts = (first,) if facts.is_shared else (first, second)
            workers = "/".join(",".join(map(str, part)) for part in parts)
            yield santorini_graph.parse(f"{'0' * nodes}/1/{workers}", {"variant": variant, "board": board})


# --------------------------------------------------------------------------------- undirected geography


class Rooted(NamedTuple):
    """A connected graph with a start node, and the results of the two games from it."""

    board: str
    start: int
    is_covered: bool
    """Whether every maximum matching covers the start, the thesis' condition for a win of the first player."""
    with_stipulation: bool
    """Whether the first player wins if workers must build on the node just left."""
    without_stipulation: bool


@cache
def matching_number(edges: Edges, nodes: int) -> int:
    """The size of a maximum matching of the subgraph induced by *nodes*, a bitboard.

    >>> matching_number((2, 5, 10, 4), 0b1111), matching_number((2, 5, 2), 0b111)
    (2, 1)
    """
    if nodes == 0:
        return 0
    node = nodes.bit_length() - 1
    rest = nodes & ~(1 << node)
    matched = (1 + matching_number(edges, rest & ~(1 << end)) for end in range(node) if edges[node] & rest & 1 << end)
    return max(matching_number(edges, rest), *matched, 0)


def is_always_covered(edges: Edges, node: int) -> bool:
    """Whether every maximum matching of the graph covers *node*: it is smaller without the node."""
    every = (1 << len(edges)) - 1
    return matching_number(edges, every & ~(1 << node)) < matching_number(edges, every)


def rooted_graphs(nodes: int) -> Iterator[tuple[Edges, int]]:
    """Each connected graph with *nodes* nodes, with each of its nodes up to symmetry."""
    for edges in connected_graphs(nodes):
        orders = list(automorphisms(edges))
        yield from ((edges, node) for node in range(nodes) if min(order[node] for order in orders) == node)


def geography(nodes: int) -> Iterator[Rooted]:
    """Section 6.3 for all connected graphs with *nodes* nodes, and all starts up to symmetry."""
    for edges, start in rooted_graphs(nodes):
        board = board_of(edges)
        text = f"{'0' * nodes}/1/{start}"
        states = (
            santorini_graph.parse(text, {"variant": variant, "board": board})
            for variant in (WITH_STIPULATION, WITHOUT_STIPULATION)
        )
        results = (Explorer().outcome(state).is_won for state in states)
        yield Rooted(board, start, is_always_covered(edges, start), *results)


# ------------------------------------------------------------------------------------- directed cycles


def winning_starts(nodes: int, height: int, has_tower_wins: bool) -> tuple[int, ...]:
    """The second player's winning start nodes on a one-way cycle; the first player's worker starts on node 1.

    Section 4.2, ``2W_P mH_NTW D S``, or with tower wins; nodes are counted from 1, as there.
    """
    variant = f"2W_P{height}H_{'' if has_tower_wins else 'N'}TWDS"
    options = {"variant": variant, "board": f"cycle:{nodes}"}
    explorer = Explorer()
    starts = ((node + 1, santorini_graph.parse(f"{'0' * nodes}/1/0/{node}", options)) for node in range(1, nodes))
    return tuple(node for node, state in starts if not explorer.outcome(state).is_won)


def stated_starts(nodes: int, height: int) -> tuple[int, ...]:
    """The winning starts by section 4.2, with or without tower wins: up to ⌊k/2⌋ + 1, or the others at even heights."""
    near = range(2, nodes // 2 + 2)
    return tuple(node for node in range(2, nodes + 1) if (node in near) == (height % 2 == 1))


# --------------------------------------------------------------------------------- the bound of theorem 2


class Bound(NamedTuple):
    """The results of all plays of a variant on some graphs, to compare with section 6.4's bounds."""

    variant: str
    positions: int
    """The number of starting positions: graphs with workers on them."""
    longest: int
    """The turns of the longest game."""
    over: int
    """The number of starts with a game longer than h·n turns; the theorem says 0."""
    tight: int
    """The number of starts whose longest game has h·n − w turns; h·n − 2w with tower wins, or 1 if h is 1 as well."""
    past_tight: int
    """The number of starts with a longer game than that."""
    crowded: int
    """The number of graphs where a seat may have i·n² turns or more to choose among; the theorem says 0."""


def bound(variant: str, graphs: Iterable[Edges]) -> Bound:
    """Play all games of *variant* on each of *graphs*, from all ways to place the workers on an empty board.

    By the thesis, a game lasts at most h·n turns, as each adds a level. In fact w levels fewer can be built, as the
    nodes under workers stay open; with tower wins these nodes lack two levels, and the winning move builds none.
    """
    facts = read_variant(variant)
    positions = longest = over = tight = past_tight = crowded = 0
    own = facts.workers if facts.is_shared else facts.workers // 2
    for edges in graphs:
        nodes = len(edges)
        most = facts.height * nodes
        sharp = most - facts.workers * (2 if facts.has_tower_wins else 1)
        if facts.has_tower_wins and facts.height == 1:
            sharp = 1  # the first move wins
        explorer = Explorer()
        for state in starts(variant, directed_board_of(edges) if facts.is_directed else board_of(edges), nodes):
            lasts = explorer.outcome(state).longest
            positions += 1
            longest = max(longest, lasts)
            over += lasts > most
            tight += lasts == sharp
            past_tight += lasts > sharp
        crowded += explorer.most_turns >= own * nodes**2
    return Bound(variant, positions, longest, over, tight, past_tight, crowded)


def directed_graphs(nodes: int) -> Iterator[Edges]:
    """Every weakly connected directed graph on *nodes* numbered nodes."""
    pairs = list(permutations(range(nodes), 2))
    for chosen in range(1, 1 << len(pairs)):
        edges = [0] * nodes
        joined = list(range(nodes))
        for index, (start, end) in enumerate(pairs):
            if chosen >> index & 1:
                edges[start] |= 1 << end
                joined = [joined[start] if part == joined[end] else part for part in joined]
        if len(set(joined)) == 1:
            yield tuple(edges)


def directed_board_of(edges: Edges) -> str:
    """The option ``board`` of Santorini on graphs for a directed graph."""
    nodes = range(len(edges))
    return "edges:" + ",".join(f"{start}-{end}" for start in nodes for end in nodes if edges[start] >> end & 1)
