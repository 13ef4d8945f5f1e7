"""Making the atlas of Santorini on graphs: each start on each small graph decided by trying plays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from papan.ai.exact.santorini_graph.atlas import VARIANTS, Atlas, empty_board, fewest_nodes, worker_sets
from papan.ai.exact.santorini_graph.deciding import Decider
from papan.ai.exact.santorini_graph.graphs import MOST_NODES, Edges, code_of, connected_graphs, graph_of
from papan.game.base.sentences import say
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
