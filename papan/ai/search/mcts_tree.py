"""The tree of a Monte-Carlo search: one array of nodes of 32 bytes; the children of a node are adjacent.

A node stands for a step and the state after it. Its numbers are from the view of the seat that may choose it, the mover
of its parent; so one number is enough for any number of seats.

A node without children is a *leaf*. A proven outcome of a game is one number: two bits a seat, from the first seat up,
1 for a loss, 2 for a draw, 3 for a win; 0 where nothing is proven. So a proof has *every* seat's result, and holds for
three and four seats as well, if each wants the best for itself.

Where information is hidden, a state has other steps in other deals. Then a node's last child is no child but a *link*:
it has the step ``LINK``, and its own children are the rest of the node's. Where a game leaves steps out that are no
``candidates``, a link without children stands for them: it is unproven, so no seat is proven to lose by the other steps
alone. Once all of these are proven to lose, the steps left out become children in its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.clock import clock
from papan.game.rules import State, is_over, key, mover, payoff, play, seats

NODE = record_type(
    ("value", np.float64),  # summed payoffs, over the visits, to the seat that may choose the node
    ("step", np.int32),
    ("visits", np.int32),
    ("available", np.int32),  # hidden information: the number of deals where it could have been chosen
    ("first", np.int32),  # index of the first child
    ("count", np.int16),  # the number of children there, the link included
    ("distance", np.int16),  # proven: the most turns to the end, the current one included; 0 at the end itself
    ("proven", np.int16),
    ("mover", np.int8),
    ("appeal", np.uint8),  # the prior: see ``CHANCES``
)
NODE_BYTES = NODE.itemsize
NODES_BETWEEN_LOOKS = 256
"""Nodes to copy or search between two checks of the time."""
MEBIBYTE = 1 << 20

LINK = -1
LOSS, DRAW, VICTORY = 1, 2, 3
"""A seat's result, as two bits."""
PROOF_BITS = 2
APPEALS = 1 << 8
CHANCES = np.exp(-np.arange(APPEALS) / 16.0)
"""The prior of each ``appeal``: 16 of them are a factor of e, 0 is certain."""
SEARCHED_STEPS = 8
"""The most steps from an old root to a new one in its tree."""


def new_nodes(number: int) -> Any:
    return large_array(number, NODE)


# ------------------------------------------------------------------------------------------- outcomes


@subroutine
def outcome_of(state: State) -> int:
    """Each seat's result in the finished game *state*, as a proof; 0 in a game for one, which has no winner."""
    number = seats(state)
    proof = 0
    if number > 1:
        for seat in range(number):
            won = payoff(state, seat)
            digit = VICTORY if won > 0.0 else (LOSS if won < 0.0 else DRAW)
            proof |= digit << (PROOF_BITS * seat)
    return proof


@subroutine
def proven_for(proof: int, seat: int) -> int:
    """The result of *seat* by a *proof*: ``LOSS``, ``DRAW`` or ``VICTORY``."""
    return proof >> (PROOF_BITS * seat) & 3


@subroutine
def turns_below(nodes: Any, child: int, seat: int) -> int:
    """The most turns to the end, from a node of *seat*, by way of the proven *child*."""
    distance = int(nodes[child].distance)
    if distance == 0 or nodes[child].mover != seat:
        distance += 1
    return distance


@subroutine
def prove(nodes: Any, index: int) -> bool:
    """Prove the node *index* from its children, if possible; returns whether it is proven now.

    A win that the mover can choose is enough. Otherwise all children must be proven, and those that are best for the
    mover must agree on every seat's result: with more than two seats a mover who can't win may choose the winner. At a
    chance node all must agree.
    """
    node = nodes[index]
    seat = int(node.mover)
    first = int(node.first)
    best, proof, distance = 0, 0, 0
    is_complete = True
    for child in range(first, first + node.count):
        known = int(nodes[child].proven)
        if known == 0:
            is_complete = False
            continue
        rank = proven_for(known, seat) if seat >= 0 else DRAW
        turns = turns_below(nodes, child, seat)
        if rank > best:
            best, proof, distance = rank, known, turns
        elif rank == best:
            if rank == VICTORY:
                distance = min(distance, turns)
            else:
                distance = max(distance, turns)
                if known != proof:
                    proof = 0
    if proof == 0 or not (best == VICTORY or is_complete):
        return False
    node.proven = proof
    node.distance = distance
    return True


@subroutine
def appeal_of(chance: float) -> int:
    return min(int(-16.0 * math.log(max(chance, 1e-9)) + 0.5), APPEALS - 1)


# ----------------------------------------------------------------------------------------------- growing


@subroutine
def add_children(
    state: State, nodes: Any, holder: int, buffer: Any, end: int, used: int, has_link: bool, solves: bool
) -> int:
    """Give the node *holder* children for the steps ``buffer[:end]`` from *state*; returns the next free index.

    Each child that ends the game is proven at once, if *solves*; else no node ever is.

    :param used: the first free index.
    :param has_link: whether a link follows the children.
    """
    first = used
    for index in range(end):
        step = int(buffer[index])
        after = play(state, step)
        node = nodes[used]
        node.value = 0.0
        node.step = step
        node.visits = 0
        node.available = 0
        node.first = 0
        node.count = 0
        node.distance = 0
        node.proven = outcome_of(after) if solves and is_over(after) else 0
        node.mover = mover(after)
        node.appeal = 0
        used += 1
    if has_link:
        node = nodes[used]
        node.step = LINK
        node.visits = 0
        node.count = 0
        node.proven = 0
        used += 1
    nodes[holder].first = first
    nodes[holder].count = used - first
    return used


def begin(nodes: Any, root: State) -> int:
    """Make the first node that of *root*, without children; returns the index of the next one."""
    nodes[0] = np.zeros(1, NODE)[0]
    nodes[0].mover = int(mover(root))
    return 1


# ---------------------------------------------------------------------------------------------- reusing


@compiled
def copy_subtree(source: Any, root: int, target: Any, work: Any) -> int:
    """Copy the node *root* and all below it to the beginning of *target*; returns their number.

    The rest is garbage. Breadth first, after Cheney, "A Nonrecursive List Compacting Algorithm" (1970).
    After a ``stop``, or the end of the time, the copy is incomplete and 0 is returned.
    """
    target[0] = source[root]
    scanned, used = 0, 1
    while scanned < used:
        if work.stop != 0 or (scanned % NODES_BETWEEN_LOOKS == 0 and clock() >= work.deadline):
            return 0
        node = target[scanned]
        first, count = int(node.first), int(node.count)
        if count > 0:
            node.first = used
            for offset in range(count):
                target[used + offset] = source[first + offset]
            used += count
        scanned += 1
    return used


@compiled
def find(state: State, index: int, level: int, deepest: int, wanted: int, nodes: Any, work: Any) -> int:
    """The index of the first visited node *deepest* steps below the root whose position has the key *wanted*, or -1.

    ``work.trail[:deepest]`` are its steps. The search gives up after ``work.node_limit`` steps, and at the deadline.

    :param index: the node to search below; *state* is its state.
    :param level: its steps below the root.
    """
    if level == deepest:
        return index if key(state) == wanted else -1
    first = int(nodes[index].first)
    next_level = level + 1
    for child in range(first, first + nodes[index].count):
        if work.stop != 0 or work.nodes >= work.node_limit:
            return -1
        if nodes[child].visits == 0 or (next_level < deepest and nodes[child].count == 0):
            continue
        work.nodes += 1
        if work.nodes % NODES_BETWEEN_LOOKS == 0 and clock() >= work.deadline:
            return -1
        step = int(nodes[child].step)
        work.trail[level] = step
        found = find(play(state, step), child, next_level, deepest, wanted, nodes, work)
        if found >= 0:
            return found
    return -1


# ---------------------------------------------------------------------------------------- for Python only


def children(nodes: Any, index: int) -> Iterator[int]:
    """The indices of the children of the node *index*, those behind links too."""
    while index >= 0:
        first, count = int(nodes[index].first), int(nodes[index].count)
        last = first + count - 1
        index = last if count and nodes[last].step == LINK else -1
        yield from range(first, last if index >= 0 else last + 1)


def ranked_children(nodes: Any, index: int) -> list[int]:
    """The known children of the node *index*, best first for its mover.

    Proven wins come first, quickest first, and proven losses last, slowest first. Between them are the unproven ones,
    by visits, and a proven draw before the first of them that is worth less than a draw.
    """
    seat = int(nodes[index].mover)
    indices = list(children(nodes, index))
    # Reading a single field of a node takes microseconds, and after a stop the user waits for all of them.
    of_all = nodes[indices]
    visits = dict(zip(indices, of_all["visits"].tolist(), strict=True))
    values = dict(zip(indices, of_all["value"].tolist(), strict=True))
    tiers: dict[int, list[int]] = {0: [], LOSS: [], DRAW: [], VICTORY: []}
    for child, proven in zip(indices, of_all["proven"].tolist(), strict=True):
        if proven or visits[child]:
            tiers[proven_for(proven, seat)].append(child)

    def turns(child: int) -> int:
        return int(turns_below(nodes, child, seat))

    open_ones = sorted(tiers[0], key=lambda child: (visits[child], values[child]), reverse=True)
    better = next((index for index, child in enumerate(open_ones) if values[child] < 0.0), len(open_ones))
    return [
        *sorted(tiers[VICTORY], key=turns),
        *open_ones[:better],
        *sorted(tiers[DRAW], key=turns),
        *open_ones[better:],
        *sorted(tiers[LOSS], key=turns, reverse=True),
    ]
