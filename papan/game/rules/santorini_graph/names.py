"""The names of Santorini's variants and of their graphs: Geissler (2020), section 4.1.

A variant is ``nW_i mH_j k S``, written without spaces: ``4W_P4H_TWUS`` is the ordinary game, and
``1W_I2H_NTWD*S_FM`` has one worker shared by both seats, two levels, no win by climbing, one-way edges,
building only on the node just left, and moves to any height.

A board is ``grid:5x5`` (rows by columns, edges to all eight sides), ``path:k``, ``cycle:k``, ``complete:k``, or
``edges:0-1,1-2``. Nodes are numbered from 0, a grid's row by row. In a variant with one-way edges a path and a
cycle lead from each node to the next, and an edge of a list from its first node to its second; the edges of grids
and complete graphs lead both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from papan.game.base.sentences import joined, say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.game import OptionError

NODES_A_WORD = 63
"""The nodes in a bitboard of one ``int64``; a larger board takes several."""
MOST_WORDS = 2
MOST_NODES = MOST_WORDS * NODES_A_WORD
MOST_WORKERS = 32
MOST_MOVES = 256
"""An upper bound of the moves of a seat: more than 32 workers have on any board of 32 nodes."""
MOST_HEIGHT = 9

_NUMBER = "(0|[1-9][0-9]{0,3})"
_VARIANT = re.compile(rf"{_NUMBER}W_([IP]){_NUMBER}H_(N?TW)([DU])(\*?)S(_FM)?")
_FEWEST_NODES = {"path": 2, "cycle": 3, "complete": 2}


class Variant(NamedTuple):
    """A variant by its name."""

    workers: int
    """The number of workers of both seats together."""
    is_shared: bool
    """Whether the seats share all workers ("impartial")."""
    height: int
    """The height of a closed node."""
    has_tower_wins: bool
    """Whether moving onto a node one level below that height wins."""
    is_directed: bool
    """Whether edges are one-way."""
    builds_behind: bool
    """Whether builds are only allowed on the node just left."""
    moves_freely: bool
    """Whether a worker moves to any height that is not closed."""


class Graph(NamedTuple):
    """A board: the number of nodes, and each node's edges as a bitboard of their targets."""

    nodes: int
    edges: tuple[int, ...]


def read_variant(name: str) -> Variant:
    """The variant called *name*.

    >>> read_variant("4W_P4H_TWUS").height
    4

    :raises OptionError: there is none; the message is a clause that says why.
    """
    found = _VARIANT.fullmatch(name)
    if found is None:
        raise OptionError.saying(
            "a variant is written nW_P or nW_I, mH_TW or mH_NTW, then U, U*, D or D*, then S or S_FM, as in 4W_P4H_TWUS"
        )
    workers, owner, height, tower, edges, star, free = found.groups()
    variant = Variant(
        workers=int(workers),
        is_shared=owner == "I",
        height=int(height),
        has_tower_wins=tower == "TW",
        is_directed=edges == "D",
        builds_behind=star == "*",
        moves_freely=free is not None,
    )
    if not 1 <= variant.workers <= MOST_WORKERS:
        raise OptionError.saying(
            "there can be 1 to {most} workers, not {workers}", most=MOST_WORKERS, workers=variant.workers
        )
    if not variant.is_shared and variant.workers % 2:
        raise OptionError.saying(
            "{workers} workers can't be shared out evenly between two seats: W_P needs an even number",
            workers=variant.workers,
        )
    if not 1 <= variant.height <= MOST_HEIGHT:
        raise OptionError.saying(
            "the maximum height can be 1 to {most}, not {height}", most=MOST_HEIGHT, height=variant.height
        )
    return variant


@lru_cache(maxsize=64)
def read_board(text: str, is_directed: bool = False) -> Graph:
    """The graph that *text* names.

    >>> read_board("path:3").edges
    (2, 5, 2)
    >>> read_board("path:3", is_directed=True).edges
    (2, 4, 0)

    :raises OptionError: there is none; the message is a clause that says why.
    """
    kind, _, size = text.partition(":")
    if kind == "edges":
        pairs = _read_edges(size)
        nodes = 1 + max(max(pair) for pair in pairs)
    elif kind == "grid":
        rows, columns = _read_grid(size)
        nodes = rows * columns
        pairs = list(_grid_edges(rows, columns))
    elif kind in _FEWEST_NODES:
        nodes = _read_size(kind, size)
        pairs = list(_edges_of(kind, nodes))
    else:
        raise OptionError.saying("a board is grid:5x5, path:5, cycle:5, complete:5 or a list such as edges:0-1,1-2")
    if nodes > MOST_NODES:
        raise OptionError.saying("a board has {most} nodes at most, not {nodes}", most=MOST_NODES, nodes=nodes)
    leads_to = [0] * nodes
    for start, end in pairs:
        leads_to[start] |= 1 << end
        if not is_directed or kind in ("grid", "complete"):
            leads_to[end] |= 1 << start
    return Graph(nodes, tuple(leads_to))


def variant_in_words(name: str) -> str:
    """The variant called *name* in words.

    >>> variant_in_words("2W_I3H_NTWDS")
    '2 workers, shared by both players, towers of 3, only blocking wins, one-way edges'

    :raises OptionError: there is none.
    """
    variant = read_variant(name)
    workers = say_number("{count} worker", "{count} workers", variant.workers)
    if variant.is_shared and variant.workers > 1:
        workers = say("{workers}, shared by both players", workers=workers)
    parts = [
        workers,
        say("towers of {height}", height=variant.height),
        *([say("only blocking wins")] if not variant.has_tower_wins else []),
        *([say("one-way edges")] if variant.is_directed else []),
        *([say("building only on the node just left")] if variant.builds_behind else []),
        *([say("climbing to any height")] if variant.moves_freely else []),
    ]
    return joined(parts, ", ")


def board_in_words(text: str) -> str:
    """The graph that *text* names in words.

    >>> board_in_words("grid:3x4"), board_in_words("edges:0-1,1-2,2-0,2-3")
    ('3 × 4', '4 nodes, 4 edges')

    :raises OptionError: there is none.
    """
    graph = read_board(text)
    kind, _, size = text.partition(":")
    if kind == "grid":
        return size.replace("x", " × ")
    if kind == "path":
        return say("a path of {nodes}", nodes=size)
    if kind == "cycle":
        return say("a ring of {nodes}", nodes=size)
    if kind == "complete":
        return say("{nodes} nodes, all connected", nodes=size)
    return say("{nodes} nodes, {edges} edges", nodes=graph.nodes, edges=len(size.split(",")))


def _read_size(kind: str, size: str) -> int:
    nodes = whole_number(size)
    if nodes is None or nodes < _FEWEST_NODES[kind]:
        raise OptionError.saying(
            "after '{kind}:' comes how many nodes there are, from {fewest} to {most}",
            kind=kind,
            fewest=_FEWEST_NODES[kind],
            most=MOST_NODES,
        )
    return nodes


def _read_grid(size: str) -> tuple[int, int]:
    rows, columns = (whole_number(side) for side in size.partition("x")[::2])
    if rows is None or columns is None or min(rows, columns) < 1 or rows * columns < 2:
        raise OptionError.saying("after 'grid:' come rows and columns, as in grid:5x5")
    return rows, columns


def _read_edges(listed: str) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for entry in listed.split(","):
        start, end = (whole_number(node) for node in entry.partition("-")[::2])
        if start is None or end is None or min(start, end) < 0:
            raise OptionError.saying(
                "{entry} is not an edge: write the numbers of two nodes, as in edges:0-1,1-2", entry=quoted(entry)
            )
        pair = start, end
        if pair[0] == pair[1]:
            raise OptionError.saying("the edge {entry} would lead from a node to itself", entry=entry)
        if pair in pairs:
            raise OptionError.saying("the edge {entry} is there twice", entry=entry)
        pairs.append(pair)
        if max(pair) >= MOST_NODES:
            raise OptionError.saying(
                "there is no node {node}: nodes are numbered from 0 to {last} at most",
                node=max(pair),
                last=MOST_NODES - 1,
            )
    return pairs


def _grid_edges(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    for node in range(min(rows * columns, MOST_NODES)):
        row, column = divmod(node, columns)
        for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
            if row + down < rows and 0 <= column + right < columns:
                yield node, node + down * columns + right


def _edges_of(kind: str, nodes: int) -> Iterator[tuple[int, int]]:
    for node in range(min(nodes, MOST_NODES)):
        if kind == "complete":
            yield from ((node, other) for other in range(node + 1, nodes))
        elif node + 1 < nodes:
            yield node, node + 1
        elif kind == "cycle":
            yield node, 0
