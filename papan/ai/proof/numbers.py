"""Proof numbers of one node of an AND/OR tree: initial values of leaves, and back-up.

Three methods share a tree and differ here alone. *pn* and *dn* of a node are:

``PNS``
    Allis, van der Meulen and van den Herik, "Proof-Number Search" (1994): the least number of leaves still to be
    proved, and to be disproved. A leaf has 1 and 1. At OR pn is the least of the children's and dn the sum; at AND the
    other way round.
``MCPNS``
    Saito, Chaslot, Uiterwijk and van den Herik, "Monte-Carlo Proof-Number Search for Computer Go" (2006): the same,
    but after N random games with w wins a leaf has 1-w/N and w/N, kept within 0.01 and 0.99.
``PPNS``
    Probability-based proof number search (Primanita, Khalid and Iida, "Computing Games", 2021, equations 1 to 4): pn is
    the probability-based proof number n, the chance of the goal, and dn is 1-n. A leaf has its rate of won random
    games, kept theta away from 0 and 1. At OR 1-n is the product of the children's 1-n, at AND n is the product of
    their n.

Besides its numbers each node has a *value*: 1 if the goal is proved, -1 if it is disproved, 0 if that is open. It
follows from finished games only, never from rounded numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import subroutine
from papan.game.kernel.arrays import record_type

PNS, MCPNS, PPNS = range(3)
OR, AND = range(2)

INFINITY = np.inf
LEAST_RATE = 0.01
"""MCPNS keeps a leaf's pn and dn this far from 0 and 1."""
LONGEST = 32_000

NODE = record_type(
    ("pn", np.float64),
    ("dn", np.float64),
    ("step", np.int32),  # the step that led here
    ("first", np.int32),  # the index of its first child; children are adjacent
    ("count", np.int16),  # the number of children; 0 for a leaf
    ("best", np.int16),  # the child to expand next or, once the node is decided, the one that decides it
    ("length", np.int16),  # the number of steps to the deciding end, along the line found
    ("side", np.int8),  # OR or AND
    ("value", np.int8),
)

Node = Any
"""An element of an array of ``NODE``."""


@subroutine
def settle(node: Node, value: int, method: int) -> None:
    """Write the numbers of a node with a known *value*."""
    node.value = value
    if method == PPNS:
        node.pn = 1.0 if value > 0 else 0.0
        node.dn = 0.0 if value > 0 else 1.0
    else:
        node.pn = 0.0 if value > 0 else INFINITY
        node.dn = INFINITY if value > 0 else 0.0


@subroutine
def begin_leaf(node: Node, wins: int, games: int, method: int, theta: float) -> None:
    """Write the numbers of a leaf after *games* random games, *wins* of them won; PNS plays none."""
    if method == PNS:
        node.pn, node.dn = 1.0, 1.0
        return
    rate = wins / games
    if method == MCPNS:
        node.pn = min(max(1.0 - rate, LEAST_RATE), 1.0 - LEAST_RATE)
        node.dn = min(max(rate, LEAST_RATE), 1.0 - LEAST_RATE)
        return
    if wins == 0:
        rate = theta
    elif wins == games:
        rate = 1.0 - theta
    node.pn, node.dn = rate, 1.0 - rate


@subroutine
def back_up(nodes: Any, index: int, method: int) -> bool:
    """Compute the numbers of a node anew from its children; returns whether that changed them.

    The child to expand next is the one with the least pn at OR, the least dn at AND. For PPNS it is the one with the
    largest n at OR and the smallest n at AND.
    """
    node = nodes[index]
    at_or = node.side == OR
    first = int(node.first)
    good = 1 if at_or else -1  # the value that needs one child only
    is_lost = True
    least, total, product = INFINITY, 0.0, 1.0
    best, longest = 0, -1
    for child_index in range(first, first + int(node.count)):
        child = nodes[child_index]
        if child.value == good:
            return decide(nodes, index, child_index - first, good, method)
        if child.value != 0:
            if is_lost and child.length > longest:
                best, longest = child_index - first, int(child.length)
            continue  # adds nothing to a sum, and is a factor of 1 for PPNS
        own = child.pn if at_or else child.dn
        other = child.dn if at_or else child.pn
        if method == PPNS:
            own = child.dn if at_or else child.pn
            product *= own
        if is_lost or own < least:
            least, best = own, child_index - first
        is_lost = False
        total += other
    if is_lost:
        return decide(nodes, index, best, -good, method)
    if method == PPNS:
        own, other = 1.0 - product, product
    else:
        own, other = least, total
    pn, dn = (own, other) if at_or else (other, own)
    is_changed = bool(pn != node.pn or dn != node.dn)
    node.pn, node.dn, node.best = pn, dn, best
    return is_changed


@subroutine
def decide(nodes: Any, index: int, best: int, value: int, method: int) -> bool:
    """Settle a node by the *best* of its children; returns true, as it has changed."""
    node = nodes[index]
    settle(node, value, method)
    node.best = best
    node.length = min(int(nodes[int(node.first) + best].length) + 1, LONGEST)
    return True
