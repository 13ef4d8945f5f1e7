"""Wins that are forced step by step: each leaves the other side few answers, and each answer loses.

Allis, van den Herik and Huntjens, "Go-Moku and Threat-Space Search" (1994), of which this is the part without doubt:
all answers are looked at that a proof has to look at (``answers``), and on the winner's side only steps that leave few
(``pressing``). In gomoku these are fours, and the win is one "by continuous fours". So what is found is proved; where
nothing is found, nothing is known.
"""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation.accumulator import answers, note, pressing, unnote
from papan.ai.search.stopping import look
from papan.game.kernel import compiled, subroutine
from papan.game.rules import State, can_repeat, is_over, mover, payoff, play

FEW = 4
"""More answers than this are not looked at."""
LEAF_NODES = 60
"""Nodes that a leaf of a search is looked at for a forced win."""
LEAF_TURNS = 17
ROOT_NODES = 30_000
ROOT_TURNS = 61
"""Nodes, and turns of both sides, that a search's root is looked at for one before anything else."""
ROOT_SHARE = 0.25
"""That takes no greater part of the nodes or the time that the search has."""


@subroutine
def is_spent(node_limit: int, work: Any) -> bool:
    """Whether to look no further: at *node_limit*, or where the whole search ends."""
    if work.nodes >= work.look_at:
        look(work)
    return bool(work.nodes >= node_limit or work.stop != 0)


@compiled
def forced_win(state: State, seat: int, turns: int, node_limit: int, base: int, work: Any, kept: Any) -> int:
    """In how many turns of both sides *seat* wins *state* for certain; 0 where that is not found.

    :param turns: a win in so many turns at most is looked for.
    :param node_limit: nodes of *work* at which the search ends.
    :param base: ``work.buffer[base:]`` is free.
    """
    if turns < 1 or base > work.buffer_limit or can_repeat(state):
        return 0
    attacks = mover(state) == seat
    if attacks:
        end = pressing(state, work.buffer, base, kept)
    else:
        end = answers(state, work.buffer, base, kept)
        if end - base > FEW:
            return 0
    longest = 0
    for index in range(base, end):
        step = int(work.buffer[index])
        after = play(state, step)
        work.nodes += 1
        if is_spent(node_limit, work):
            return 0
        found = 0
        if is_over(after):
            found = 1 if payoff(after, seat) > 0.0 else 0
        elif turns > 1 and mover(after) != mover(state):
            note(state, step, kept)
            found = forced_win(after, seat, turns - 1, node_limit, end, work, kept)
            found += 1 if found > 0 else 0
            unnote(state, step, kept)
        if attacks and found > 0:
            return found
        if not attacks and found == 0:
            return 0
        longest = max(longest, found)
    return longest


@compiled
def shortest_forced_win(state: State, work: Any, kept: Any) -> tuple[int, int]:
    """A step of the seat to act that wins for certain, and in how many turns of both sides; 0 turns if none is found.

    :param kept: what the game keeps of *state*.
    """
    seat = mover(state)
    limit = work.nodes + min(ROOT_NODES, int(ROOT_SHARE * (work.node_limit - work.nodes)))
    end = int(pressing(state, work.buffer, 0, kept))  # a game that names none gives the 0 back, whose type is its own
    for turns in range(1, ROOT_TURNS + 1, 2):
        for index in range(end):
            step = int(work.buffer[index])
            after = play(state, step)
            if is_over(after):
                if payoff(after, seat) > 0.0:
                    return step, 1
            elif turns > 1:
                note(state, step, kept)
                found = forced_win(after, seat, turns - 1, limit, end, work, kept)
                unnote(state, step, kept)
                if found > 0:
                    return step, found + 1
            if is_spent(limit, work):
                return -1, 0
    return -1, 0
