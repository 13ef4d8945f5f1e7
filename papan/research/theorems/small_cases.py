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
    """Each way to place the workers of *variant* on an empty *board* of so many *nodes*; Left is to act."""
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
    """A connected graph with a node to start from, and what the two games there come to."""

    board: str
    start: int
    is_covered: bool
    """Whether every maximum matching covers the start: the thesis' condition for a win of the first player."""
    with_stipulation: bool
    """Whether the first player wins where one builds on the node just left."""
    without_stipulation: bool


@cache
def matching_number(edges: Edges, nodes: int) -> int:
    """The most edges, no two of which meet, among the set of *nodes*.

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
    """Whether every maximum matching of the graph covers *node*: without the node it has fewer edges."""
    every = (1 << len(edges)) - 1
    return matching_number(edges, every & ~(1 << node)) < matching_number(edges, every)


def rooted_graphs(nodes: int) -> Iterator[tuple[Edges, int]]:
    """Each connected graph of so many *nodes* with each of its nodes, those that symmetry makes one only once."""
    for edges in connected_graphs(nodes):
        orders = list(automorphisms(edges))
        yield from ((edges, node) for node in range(nodes) if min(order[node] for order in orders) == node)


def geography(nodes: int) -> Iterator[Rooted]:
    """All connected graphs of so many *nodes*, with each start: section 6.3."""
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
    """Where the second player's worker starts and wins, on a one-way cycle whose node 1 the first player's has.

    Section 4.2, ``2W_P mH_NTW D S``; nodes are counted from 1 as there.
    """
    variant = f"2W_P{height}H_{'' if has_tower_wins else 'N'}TWDS"
    options = {"variant": variant, "board": f"cycle:{nodes}"}
    explorer = Explorer()
    starts = ((node + 1, santorini_graph.parse(f"{'0' * nodes}/1/0/{node}", options)) for node in range(1, nodes))
    return tuple(node for node, state in starts if not explorer.outcome(state).is_won)


def stated_starts(nodes: int, height: int) -> tuple[int, ...]:
    """What section 4.2 says of them, with tower wins or without: up to ⌊k/2⌋ + 1, the others at even heights."""
    near = range(2, nodes // 2 + 2)
    return tuple(node for node in range(2, nodes + 1) if (node in near) == (height % 2 == 1))


# --------------------------------------------------------------------------------- the bound of theorem 2


class Bound(NamedTuple):
    """What all plays of a variant on some graphs come to, beside section 6.4's bounds."""

    variant: str
    positions: int
    """Starting positions: a graph, with workers on it."""
    longest: int
    """The turns of the longest of all games."""
    over: int
    """Starts from which a game can last longer than h·n turns, which none should."""
    tight: int
    """Starts from which a game can last h·n − w turns, or h·n − 2w where there are tower wins."""
    past_tight: int
    """Starts from which one can last longer than that."""
    crowded: int
    """Starts from which a seat can come to choose among i·n² turns or more, which none should."""


def bound(variant: str, graphs: Iterable[Edges]) -> Bound:
    """Play all games of *variant* on each of the *graphs*, from every way to place the workers on an empty board.

    The thesis says that a game is over after h·n turns at most: each adds a level. A worker's own node is not closed,
    so that w levels less can be built; with tower wins it lacks two, and a move that wins builds none.
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
    """Every directed graph of so many numbered *nodes* that is connected but for its edges' directions."""
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
    """A directed graph as an option of Santorini on graphs."""
    nodes = range(len(edges))
    return "edges:" + ",".join(f"{start}-{end}" for start in nodes for end in nodes if edges[start] >> end & 1)
